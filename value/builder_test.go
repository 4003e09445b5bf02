package value_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/internal/given"
	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/value"
)

// Objects of every size, from members in any order, of which some have one key.
func TestObjectSorts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	heads := []string{"", "a", "same", "prefix__", "prefix__prefix__", "\xff", "\x00", "abcdefg", "abcdefgh", "abcdefg\x00"}
	sizes := []int{500, 1_024, 1_025, 1_500}
	for n := range 300 {
		sizes = append(sizes, n)
	}
	var b value.Builder
	for _, n := range sizes {
		members := make([]value.Member, 0, n)
		last, double := map[string]float64{}, map[string]bool{}
		all := heads[rng.IntN(len(heads))] // begins every key
		for i := range n {
			key := all + heads[rng.IntN(len(heads))]
			if rng.IntN(4) > 0 {
				key += fmt.Sprint(rng.IntN(1 + n/(1+n%3)))
			}
			_, double[key] = last[key]
			last[key] = float64(i)
			members = append(members, member(key, num(float64(i))))
			b.PushMember(key, num(float64(i)))
		}
		v := value.Object(members...)
		keys := slices.Collect(v.Keys())
		if len(keys) != len(last) || !slices.IsSorted(keys) {
			t.Fatalf("%d members: keys %q", n, keys)
		}
		for key, want := range last {
			if got, _ := v.Field(key).AsNumber(); got != want {
				t.Fatalf("%d members: %q is number %v, not %v", n, key, got, want)
			}
		}
		w, twice, has := b.Object(n)
		if !w.Identical(v) || has != (len(last) < n) || (has && strings.Compare(twice, "") < 0) {
			t.Fatalf("%d members: the builder makes another object", n)
		}
		if _, there := last[twice]; has && !there {
			t.Fatalf("%d members: %q is no key that stands twice", n, twice)
		}
		if err := flaw(v); err != nil {
			t.Fatal(err)
		}
	}
}

// plan is a tree of containers to be built.
type plan struct {
	key  string
	kids []plan // nil: a scalar
	list bool
}

func planned(rng *rand.Rand, levels int) plan {
	p := plan{key: fmt.Sprint(rng.IntN(1000)), list: rng.IntN(2) == 0}
	if levels > 0 {
		p.kids = make([]plan, rng.IntN(6))
		for i := range p.kids {
			p.kids[i] = planned(rng, levels-1-rng.IntN(2))
		}
	}
	return p
}

func (p plan) count() (members, elems int) {
	for _, k := range p.kids {
		m, e := k.count()
		members, elems = members+m, elems+e
	}
	if p.list {
		return members, elems + len(p.kids)
	}
	return members + len(p.kids), elems
}

// with builds the plan with a builder, and without one.
func (p plan) with(b *value.Builder, closed *[]value.Value) (built, want value.Value) {
	if p.kids == nil {
		return str(p.key), str(p.key)
	}
	var elems []value.Value
	var members []value.Member
	for _, k := range p.kids {
		v, w := k.with(b, closed)
		if elems = append(elems, w); p.list {
			b.Push(v)
		} else {
			b.PushMember(k.key, v)
			members = append(members, member(k.key, w))
		}
	}
	if p.list {
		built, want = b.Array(len(p.kids)), value.Array(elems...)
	} else {
		built, _, _ = b.Object(len(p.kids))
		want = object(members...)
	}
	*closed = append(*closed, built, want)
	return built, want
}

// However much is reserved, too little or too much, a builder makes the same, and
// what it has made stays as it was while it goes on.
func TestBuilderReserve(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 4_000 {
		var b value.Builder
		var closed []value.Value
		for range 1 + rng.IntN(3) {
			p := planned(rng, 5)
			members, elems := p.count()
			switch i % 4 {
			case 1:
				members, elems = rng.IntN(1+2*members), rng.IntN(1+2*elems)
			case 2:
				members, elems = -members, math.MinInt
			case 3:
				members, elems = 0, elems+7
			}
			b.Reserve(members, elems)
			b.Reserve(members/2, elems/2)
			p.with(&b, &closed)
		}
		for j := 0; j < len(closed); j += 2 {
			if !closed[j].Identical(closed[j+1]) {
				t.Fatalf("round %d: container %d has changed", i, j/2)
			}
			if err := flaw(closed[j]); err != nil {
				t.Fatalf("round %d: container %d: %v", i, j/2, err)
			}
		}
	}
}

func TestBuilderReserveAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	n := testing.AllocsPerRun(100, func() {
		var b value.Builder
		b.Reserve(4, 3)
		b.PushMember("z", value.Null())
		b.PushMember("a", b.Array(0))
		b.Push(num(1))
		b.Push(num(2))
		b.Push(b.Array(2))
		b.PushMember("in", b.Array(1))
		v, _, _ := b.Object(2)
		b.PushMember("o", v)
		_, _, _ = b.Object(2)
	})
	if n != 2 {
		t.Errorf("%v allocations, 2 are due", n)
	}
	var b value.Builder
	b.Reserve(math.MaxInt, math.MaxInt) // of which it takes some
	b.Push(num(1))
	if v := b.Array(1); v.Len() != 1 {
		t.Error(v)
	}
}

// Containers of what is given away are those of what is copied, take it as it is, and keep
// no memory if they are empty.
func TestGivenAway(t *testing.T) {
	elems := []value.Value{value.Secret(str("s")), value.Unknown(), value.Array(num(1), value.Null()), num(2)}
	members := []value.Member{member("", elems[0]), member("a", elems[1]), member("aa", elems[2]), member("b", elems[3])}
	for n := range len(elems) + 1 {
		array, o := value.Internal.ArrayOf(given.Away(elems[:n])), value.Internal.ObjectOf(given.Away(members[:n]))
		if !array.Identical(value.Array(elems[:n]...)) || !o.Identical(object(members[:n]...)) {
			t.Errorf("%d children: got %v and %v", n, array, o)
		}
		if err := errors.Join(flaw(array), flaw(o)); err != nil {
			t.Errorf("%d children: %v", n, err)
		}
		if again := value.Internal.ArrayOf(given.Away(elems[:n])); !value.Internal.SharesMemory(array, again) {
			t.Errorf("%d elements were copied", n)
		}
	}
	if !value.Internal.SharesMemory(value.Internal.ObjectOf(given.Away(members[:0])), value.Internal.ObjectOf(given.Away[value.Member](nil))) {
		t.Error("an empty object keeps memory")
	}
}

// What decoders call is what the other constructors make.
func TestMadeInOnePiece(t *testing.T) {
	nothing, _ := assetOf(value.TextAsset("")).Hash()
	same := func(name string, got, want value.Value) {
		t.Helper()
		if !got.Identical(want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
		if err := flaw(got); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, h := range []string{"", hash, nothing, "h"} {
		for _, text := range []string{"", "x"} {
			same("text", value.Internal.AssetOf(value.SourceText, text, h), value.TextAsset(text).WithHash(h))
			same("file", value.Internal.AssetOf(value.SourceFile, text, h), value.FileAsset(text).WithHash(h))
			same("uri", value.Internal.AssetOf(value.SourceURI, text, h), value.URIAsset(text).WithHash(h))
			same("elided", value.Internal.AssetOf(value.SourceElided, text, h), value.TextAsset("").WithHash(h).DropContent())
			same("literal", value.Internal.AssetOf(value.SourceLiteral, text, h), value.TextAsset(""))
			same("file archive", value.Internal.ArchiveOf(value.SourceFile, text, h), value.FileArchive(text).WithHash(h))
			same("uri archive", value.Internal.ArchiveOf(value.SourceURI, text, h), value.URIArchive(text).WithHash(h))
			same("elided archive", value.Internal.ArchiveOf(value.SourceElided, text, h), value.FileArchive("").WithHash(h).DropContent())
			same("text archive", value.Internal.ArchiveOf(value.SourceText, text, h), archive(t))
		}
		for _, entries := range [][]value.Member{nil, {member("b", value.FileAsset("f")), member("a", archive(t, member("c", archive(t))))}} {
			got, ok := value.Internal.LiteralArchiveOf(object(entries...), h)
			same("literal archive", got, archive(t, entries...).WithHash(h))
			if !ok {
				t.Error("refused")
			}
		}
	}
	for _, v := range varied(t) {
		_, err := value.LiteralArchive(member("x", v))
		if _, ok := value.Internal.LiteralArchiveOf(object(member("x", v)), ""); ok != (err == nil) {
			t.Errorf("an archive of %v: %v, %v", v, ok, err)
		}
		if _, ok := value.Internal.LiteralArchiveOf(v, ""); ok && v.Kind() != value.KindObject {
			t.Errorf("%v is taken for entries", v)
		}
		var urns []string
		var elems []value.Value
		for n := range 20 {
			got, ok := value.Internal.DependingOn(v, value.Array(elems...))
			if same("dependencies", got, v.WithDependencies(urns...)); !ok {
				t.Error("refused")
			}
			urns = append(urns, urnA+fmt.Sprint((n*7)%11))
			elems = append(elems, str(urns[n]))
		}
		if got, ok := value.Internal.DependingOn(num(1), value.Array(str("a"), v)); ok != (v.Kind() == value.KindString && !v.IsSecret() && !v.HasDependencies()) || (!ok && !got.IsNull()) {
			t.Errorf("dependencies with %v: %v, %v", v, got, ok)
		}
		if _, ok := value.Internal.DependingOn(num(1), v); ok && (v.Kind() != value.KindArray || v.IsSecret() || v.HasDependencies()) {
			t.Errorf("%v is taken for dependencies", v)
		}
	}
}
