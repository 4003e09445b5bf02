package value_test

import (
	"cmp"
	"strings"
	"testing"

	"github.com/propalg/propalg/value"
)

// Texts are compared in words, however long they are and wherever they stand: a
// byte that differs is seen at every place, in a key, a member and an element.
func TestEqualSeesEveryByte(t *testing.T) {
	long := strings.Repeat("0123456789abcdef", 40)
	for n := range 600 {
		if n > 140 && n%37 != 0 && (n < 250 || n > 262) {
			continue
		}
		text := strings.Clone(long[n%3 : n%3+n])
		twin := strings.Clone("." + text)[1:] // the bytes stand elsewhere in a word
		sides := func(s string) []value.Value {
			return []value.Value{str(s), value.Array(str(s)), object(member("k", str(s))), object(member(s, num(1)))}
		}
		for i, v := range sides(text) {
			if w := sides(twin)[i]; !v.Equal(w) || !v.Identical(w) || !value.Engine.Equal(v, w) {
				t.Fatalf("%d bytes, side %d: not equal", n, i)
			}
		}
		for at := range n {
			other := []byte(twin)
			other[at] ^= 0x80
			for i, w := range sides(string(other)) {
				if v := sides(text)[i]; v.Equal(w) || w.Equal(v) || v.Identical(w) || value.Engine.Equal(v, w) {
					t.Fatalf("%d bytes, side %d: byte %d goes unseen", n, i, at)
				}
			}
		}
	}
}

// difference is what Agree returns.
type difference struct {
	i, j, order int
	differ      bool
}

// slowAgree is Agree in the obvious way.
func slowAgree(r value.Relation, v, w value.Value, i, j int, deep bool) difference {
	if (v.Kind() == value.KindObject) != (w.Kind() == value.KindObject) || i < 0 || j < 0 {
		return difference{i: i, j: j}
	}
	secret := (v.IsSecret() && v.Kind().IsContainer()) || (w.IsSecret() && w.Kind().IsContainer())
	part := func(x value.Value) value.Value { // as below a secret on either side
		if secret {
			return value.Secret(value.Array(x)).Elem(0)
		}
		return x
	}
	absent := func(x value.Value) bool {
		return v.Kind() == value.KindObject && r.Equal(value.Object(), marksOf(value.Value{}, object(member("k", part(x).DropSecret())))) &&
			(!x.IsSecret() || secret || r&value.IgnoreSecrets != 0)
	}
	child := func(c value.Value, i int) (string, value.Value, bool) {
		if c.Kind() == value.KindObject {
			return c.MemberAt(i)
		}
		return "", c.Elem(i), i < c.Len()
	}
	for {
		k, x, inV := child(v, i)
		l, y, inW := child(w, j)
		switch {
		case !inV && !inW:
			return difference{i: i, j: j}
		case inV && inW && k == l:
			compared := deep || x.Kind() != y.Kind() || !x.Kind().IsContainer()
			if !compared && x.Len()+y.Len() > 0 {
				return difference{i: i, j: j}
			}
			if !r.Equal(part(x), part(y)) {
				return difference{i: i, j: j, differ: compared}
			}
			i, j = i+1, j+1
		case inV && (!inW || k < l):
			if !absent(x) {
				return difference{i: i, j: j, order: -1}
			}
			i++
		default:
			if !absent(y) {
				return difference{i: i, j: j, order: 1}
			}
			j++
		}
	}
}

func TestAgreeAgainstSlow(t *testing.T) {
	all := hosts(t)
	copies := make([]value.Value, len(all))
	for i, v := range all {
		copies[i] = v.Compact()
	}
	passed, known := 0, 0
	for _, r := range relations() {
		for a, v := range all {
			for b, w := range copies {
				for _, from := range [][2]int{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 2}, {-1, 0}, {0, -1}, {v.Len(), w.Len()}} {
					for _, deep := range []bool{false, true} {
						var got difference
						got.i, got.j, got.order, got.differ = value.Internal.Agree(r, v.Children(), w.Children(), from[0], from[1], deep)
						got.order = cmp.Compare(got.order, 0)
						if got.order != 0 || (got.i >= v.Len() && got.j >= w.Len()) {
							got.differ = false // there are no two children
						}
						if want := slowAgree(r, v, w, from[0], from[1], deep); got != want {
							t.Fatalf("%v: Agree(%d, %d, %v, %t) = %+v, want %+v\n%#v\n%#v", r, a, b, from, deep, got, want, v, w)
						}
						passed += got.i - from[0]
						if got.differ {
							known++
						}
					}
				}
			}
		}
	}
	if passed < 1000 || known < 1000 {
		t.Errorf("only %d children are passed over, and %d differ", passed, known)
	}
}

// Nothing that was put off for its depth counts as passed over.
func TestAgreeDeep(t *testing.T) {
	for _, s := range shapes() {
		depth := s.depth / 5
		v, w := wrap(num(1), depth, s.container), wrap(num(1), depth, s.container)
		x := wrap(num(2), depth, s.container)
		i, j, order, differ := value.Internal.Agree(value.Strict, value.Array(v, v, v).Children(), value.Array(w, x, w).Children(), 0, 0, true)
		if i != 1 || j != 1 || order != 0 || !differ {
			t.Errorf("%s: stops at %d and %d", s.name, i, j)
		}
		left, right := object(member("a", v), member("b", v), member("c", v)), object(member("a", w), member("b", w), member("c", x))
		i, j, order, differ = value.Internal.Agree(value.Engine, left.Children(), right.Children(), 1, 1, true)
		if i != 2 || j != 2 || order != 0 || !differ {
			t.Errorf("%s: stops at member %d and %d", s.name, i, j)
		}
		i, j, order, differ = value.Internal.Agree(value.Engine, left.Children(), right.Children(), 1, 1, false)
		if i != 1 || j != 1 || order != 0 || differ {
			t.Errorf("%s: looks into member %d and %d", s.name, i, j)
		}
	}
}
