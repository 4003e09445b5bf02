package value_test

import (
	"fmt"
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

// slowAgree is Agree in the obvious way.
func slowAgree(r value.Relation, v, w value.Value, i, j int) (int, int) {
	if v.Kind() != w.Kind() || !v.Kind().IsContainer() || i < 0 || j < 0 || i > v.Len() || j > w.Len() {
		return i, j
	}
	secret := v.IsSecret() || w.IsSecret()
	part := func(x value.Value) value.Value { // as below a secret on either side
		if secret {
			return value.Secret(value.Array(x)).Elem(0)
		}
		return x
	}
	absent := func(x value.Value) bool {
		return r.Equal(value.Object(), marksOf(value.Value{}, object(member("k", part(x).DropSecret())))) &&
			(!x.IsSecret() || secret || r&value.IgnoreSecrets != 0)
	}
	for {
		if v.Kind() == value.KindArray {
			if i == v.Len() || j == w.Len() || !r.Equal(part(v.Elem(i)), part(w.Elem(j))) {
				return i, j
			}
			i, j = i+1, j+1
			continue
		}
		k, x, inV := v.MemberAt(i)
		l, y, inW := w.MemberAt(j)
		switch {
		case inV && inW && k == l && r.Equal(part(x), part(y)):
			i, j = i+1, j+1
		case inV && (!inW || k < l) && absent(x):
			i++
		case inW && (!inV || l < k) && absent(y):
			j++
		default:
			return i, j
		}
	}
}

func TestAgreeAgainstSlow(t *testing.T) {
	all := append(hosts(t), varied(t)...)
	copies := make([]value.Value, len(all))
	for i, v := range all {
		copies[i] = v.Compact()
	}
	passed := 0
	for _, r := range relations() {
		for a, v := range all {
			for b, w := range copies {
				for _, from := range [][2]int{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 2}, {-1, 0}, {0, v.Len() + w.Len() + 1}} {
					i, j := r.Agree(v, w, from[0], from[1])
					m, n := slowAgree(r, v, w, from[0], from[1])
					if i != m || j != n {
						t.Fatalf("%v: Agree(%d, %d, %v) = %d, %d, want %d, %d\n%#v\n%#v", r, a, b, from, i, j, m, n, v, w)
					}
					passed += i - from[0]
				}
			}
		}
	}
	if passed < 1000 {
		t.Errorf("only %d parts are passed over", passed)
	}
}

// Nothing that was put off for its depth counts as passed over.
func TestAgreeDeep(t *testing.T) {
	for _, s := range shapes() {
		depth := s.depth / 5
		v, w := wrap(num(1), depth, s.container), wrap(num(1), depth, s.container)
		x := wrap(num(2), depth, s.container)
		if i, j := value.Strict.Agree(value.Array(v, v, v), value.Array(w, x, w), 0, 0); i != 1 || j != 1 {
			t.Errorf("%s: stops at %d and %d", s.name, i, j)
		}
		left := object(member("a", v), member("b", v), member("c", v))
		if i, j := value.Engine.Agree(left, object(member("a", w), member("b", w), member("c", x)), 1, 1); i != 2 || j != 2 {
			t.Errorf("%s: stops at member %d and %d", s.name, i, j)
		}
	}
}

func ExampleRelation_Agree() {
	old := object(member("a", num(1)), member("b", value.Null()), member("c", num(3)), member("d", num(4)))
	now := object(member("a", num(1)), member("c", num(3)), member("d", num(5)))
	i, j := value.Engine.Agree(old, now, 0, 0)
	key, _, _ := old.MemberAt(i)
	fmt.Println(i, j, key)
	// Output: 3 2 d
}
