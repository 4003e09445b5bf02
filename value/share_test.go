package value_test

import (
	"hash/maphash"
	"math"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

func seed(t testing.TB) maphash.Seed {
	t.Helper()
	return fixedSeed()
}

// fixedSeed is one seed for a process.
var fixedSeed = sync.OnceValue(maphash.MakeSeed)

// Nothing that a caller holds can change a Value.
func TestImmutable(t *testing.T) {
	elems := []value.Value{num(1), num(2)}
	members := []value.Member{member("b", num(1)), member("a", num(2)), member("b", num(3))}
	byName := map[string]value.Value{"a": num(1)}
	deps := []string{urnB, urnA}
	entries := []value.Member{member("b", value.TextAsset("x")), member("a", value.TextAsset("y"))}
	vs := []value.Value{
		value.Array(elems...), value.Object(members...), value.ObjectFromMap(byName), num(1).WithDependencies(deps...),
		archive(t, entries...),
	}
	before := make([][32]byte, len(vs))
	for i, v := range vs {
		before[i] = v.Digest()
	}
	elems[0], members[0], members[1].Key, byName["a"], deps[0], entries[0] = str("x"), member("x", str("x")), "x", str("x"), "x", member("x", str("x"))
	clear(slices.Collect(vs[3].Dependencies()))
	for i, v := range vs {
		if v.Digest() != before[i] {
			t.Errorf("value %d has changed", i)
		}
	}
	if !slices.Equal(deps, []string{"x", urnA}) || members[2].Key != "b" || !entries[1].Value.Equal(value.TextAsset("y")) {
		t.Error("a constructor changed its caller's memory")
	}
}

// Values share what they have in common, and every goroutine may use them.
func TestSharedBetweenGoroutines(t *testing.T) {
	v := value.Array(sample(), value.Secret(sample()), sample().WithDependencies(urnA))
	before := v.Compact()
	set := patterns(t, "[*].a.b", "[*].l[1]")
	var group sync.WaitGroup
	for worker := range 4 {
		group.Go(func() {
			for round := range 20 {
				x := num(float64(1000 + worker*100 + round))
				for _, p := range []string{"[0].a.b", "[1].l[0]", "[2].l[3]", "[1].new", "[3]"} {
					w, err := v.With(path.MustParse(p), x)
					if err != nil || w.Equal(v) || value.Strict.Compare(v, w) == 0 || value.Strict.Hash(seed(t), w) == value.Strict.Hash(seed(t), v) {
						t.Errorf("%s: %v", p, err)
					}
				}
				less, err := v.Without(path.MustParse("[0].a"))
				if err != nil || less.Equal(v) || v.MarkSecret(set).Equal(v) || !v.Compact().Identical(v) {
					t.Error("wrong", err)
				}
				for c := range v.Walk() {
					if c.Path().Len() != c.Depth() {
						t.Error("wrong path")
					}
				}
				if value.Strict.Compatible(v, before) != value.Same || v.Digest() != before.Digest() {
					t.Error("changed")
				}
				if value.Strict.Hash(seed(t), value.Secret(v).WithDependencies("u"+strconv.Itoa(round)).DropSecret().DropDependencies()) != value.Strict.Hash(seed(t), v) {
					t.Error("changed by marks")
				}
			}
		})
	}
	group.Wait()
	if !v.Identical(before) {
		t.Error("changed")
	}
}

func TestBuilder(t *testing.T) {
	var b value.Builder
	if v := b.Array(3); v.Len() != 0 || v.Kind() != value.KindArray {
		t.Error("an array of nothing")
	}
	b.Push(num(1))
	b.Push(num(2))
	b.Push(value.Secret(value.Array(num(3))).Elem(0))
	b.PushMember("z", num(4))
	b.PushMember("y", num(5))
	b.PushMember("y", num(6))
	if v := b.Array(-1); v.Len() != 0 {
		t.Error("an array of less than nothing")
	}
	inner := b.Array(2)
	if !inner.Equal(value.Array(num(2), value.Secret(num(3)))) || flaw(inner) != nil {
		t.Error("wrong elements")
	}
	b.Push(inner)
	o, double, hasDouble := b.Object(math.MaxInt)
	if !o.Equal(object(member("y", num(6)), member("z", num(4)))) || double != "y" || !hasDouble || flaw(o) != nil {
		t.Errorf("wrong members, double %q", double)
	}
	if o, double, hasDouble := b.Object(-5); o.Len() != 0 || double != "" || hasDouble {
		t.Error("an object of less than nothing")
	}
	if v := b.Array(math.MaxInt); !v.Equal(value.Array(num(1), inner)) {
		t.Error("more elements than there are")
	}
	if !inner.Equal(value.Array(num(2), value.Secret(num(3)))) {
		t.Error("what was built has changed")
	}
}

// Of several members with one key the last wins, and the first key in order that
// stood there twice is named.
func TestDoubles(t *testing.T) {
	var b value.Builder
	var members []value.Member
	for i := range 200 {
		m := member(strconv.Itoa(9-i%10), num(float64(i)))
		members = append(members, m)
		b.PushMember(m.Key, m.Value)
	}
	o, double, hasDouble := b.Object(200)
	if o.Len() != 10 || double != "0" || !hasDouble || !o.Identical(value.Object(members...)) {
		t.Errorf("%d members, double %q", o.Len(), double)
	}
	for key, x := range o.Members() {
		digit, err := strconv.Atoi(key)
		if want := num(float64(199 - digit)); err != nil || !x.Equal(want) {
			t.Errorf("member %s is %v, want %v", key, x, want)
		}
	}
}

// Whatever the sizes, slabs never overlap.
func TestBuilderSlabs(t *testing.T) {
	var b value.Builder
	var built, want []value.Value
	for n := range 600 {
		var elems []value.Value
		var members []value.Member
		for i := range n % 300 {
			x, key := num(float64(n*1000+i)), strconv.Itoa((i*7)%300)
			elems, members = append(elems, x), append(members, member(key, x))
			b.Push(x)
			b.PushMember(key, x)
		}
		o, _, _ := b.Object(n % 300)
		built = append(built, b.Array(n%300), o)
		want = append(want, value.Array(elems...), object(members...))
	}
	for i := range built {
		if !built[i].Identical(want[i]) || flaw(built[i]) != nil {
			t.Fatalf("container %d differs", i)
		}
	}
}
