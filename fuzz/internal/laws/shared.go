package laws

import (
	"maps"
	"slices"
	"sync"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/trees"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Law20Shared is the law that values, diffs and sets are shared by goroutines, which all see what
// one alone sees. (The race detector has to be on for this to mean much.)
func Law20Shared(t *rapid.T) {
	pair := drawPair(t, fuzz.Pairs(fuzz.Options{}))
	set := fuzz.Internal.Sets(trees.Paths(pair.Old)...).Draw(t, "set")
	d := diff.Between(pair.Old, pair.New, diff.Options{})
	all := trees.Paths(pair.Old)
	want := seen(pair, set, d, all)

	const readers = 4
	var (
		group sync.WaitGroup
		got   [readers]map[string]string
	)
	for i := range readers {
		group.Go(func() { got[i] = seen(pair, set, d, all) })
	}
	group.Wait()

	for _, g := range got {
		if !maps.Equal(g, want) {
			t.Fatalf("one goroutine sees\n%v\nanother\n%v", want, g)
		}
	}
}

// seen is everything that shared values show.
func seen(pair fuzz.Pair, set *path.Set, d diff.Diff, all []path.Path) map[string]string {
	out := outputs(pair.Old, pair.New)
	for _, p := range all {
		at, _ := pair.Old.At(p)
		out["at "+p.String()] = at.String()
		edited, err := pair.Old.With(p, value.Bool(set.Covers(p)))
		if err == nil {
			out["with "+p.String()] = edited.String()
		}
	}
	applied, err := d.Apply(pair.Old)
	if err == nil {
		out["applied"] = applied.String() + d.Invert().String()
	}

	for c := range d.Changes() {
		out["which"] += c.Op().String() + string(rune('0'+len(c.Which(set))))
	}
	out["secrets"] = pair.New.MarkSecret(set).String()
	for p := range pair.New.SecretPaths() {
		out["secrets"] += p.String()
	}

	out["paths"] = string(rune('0' + len(slices.Collect(pair.Old.Keys()))))
	return out
}
