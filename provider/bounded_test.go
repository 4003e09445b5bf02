package provider_test

import (
	"slices"
	"strings"
	"testing"
	"unsafe"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/decide"
	"github.com/propalg/propalg/internal/test/draw"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/value"
)

// These are Respond and Comparison.Response with so many bytes of paths at most. They are
// linked to: with a test file in package provider, all that the tests import would be compiled
// once more.
//
//go:linkname respondWithin github.com/propalg/propalg/provider.(*Differ).respondWithin
func respondWithin(d *provider.Differ, changes diff.Diff, inputs bool, most int) provider.Response

//go:linkname responseWithin github.com/propalg/propalg/provider.(*comparison).responseWithin
func responseWithin(c *comparison, most int) provider.Response

type comparison struct{} // what a Comparison points to

// TestListedPathsAreBounded: of n levels with a change on each a response would
// name n paths of n keys. What lists them allocates no more than the bound is for,
// and what the response says is still true.
func TestListedPathsAreBounded(t *testing.T) {
	const most = 16 * path.MaxListed // a path, its text, and what making them takes
	for _, row := range []struct{ levels, size int }{{400, 400}, {4_000, 1}, {20, 200_000}} {
		old, now := stairs(row.levels, row.size, num(1)), stairs(row.levels, row.size, num(2))
		sides := provider.Sides{OldInputs: obj("a", num(1), "deep", old), OldState: obj("a", num(2), "deep", old), News: obj("a", num(2), "deep", now)}
		for name, o := range map[string]provider.Differ{
			"plain":     {Stables: []string{"deep"}},
			"replacing": {ReplaceOn: path.NewSet(path.PatternOf(path.Key("deep"), path.Key("n")))},
			"one way":   {ReplaceOn: path.NewSet(path.PatternOf(path.Key("deep"), path.Any(), path.Any(), path.Any(), path.Key("n"))), Direction: provider.EngineOneWay},
		} {
			if (row.levels == 400) == (name == "replacing") { // each of them somewhere
				continue
			}
			var r provider.Response
			if n := kit.Allocated(func() {
				o.Drift = true
				r = o.Compare(sides).Response()
			}); n > most {
				t.Errorf("%v, %s: a response allocates %d MB", row, name, n>>20)
			}
			size := 0
			for _, e := range r.Detailed {
				size += len(e.Key)
			}
			if len(r.Detailed) < 2 || size > path.MaxListed || len(r.Diffs) != 2 || len(r.Stables) != 0 || r.Replace() != (name != "plain") {
				t.Errorf("%v, %s: %d entries, %d MB, %v, %v", row, name, len(r.Detailed), size>>20, r.Diffs, r.Replaces)
			}
			if last := r.Detailed[len(r.Detailed)-1]; last.Kind != rpc.PropertyDiffUpdate && last.Kind != rpc.PropertyDiffUpdateReplace {
				t.Errorf("%v, %s: the last entry is %v", row, name, last.Kind)
			}
			var findings []check.Finding
			if n := kit.Allocated(func() { findings = check.Validate(r, sides, provider.Differ{}) }); n > most {
				t.Errorf("%v, %s: the validator allocates %d MB", row, name, n>>20)
			}
			if len(findings) > 0 {
				t.Errorf("%v, %s: %d findings, %.200s", row, name, len(findings), findings[0])
			}
		}
		named := provider.Response{Changes: rpc.DiffSome, Diffs: []string{"a", "deep"}}
		if n := kit.Allocated(func() {
			named = decide.ReplaceOnChanges(named, sides, decide.ReplaceOptions{Patterns: patterns("deep.n")})
		}); n > most || !named.Replace() {
			t.Errorf("%v: replaceOnChanges allocates %d MB, %v", row, n>>20, named.Replaces)
		}
		var findings []check.Finding
		if n := kit.Allocated(func() {
			findings = check.Validate(provider.Response{Changes: rpc.DiffNone}, sides, provider.Differ{})
		}); n > most {
			t.Errorf("%v: the findings on DIFF_NONE allocate %d MB", row, n>>20)
		}
		if last := findings[len(findings)-2]; len(findings) > row.levels+2 || (row.size > 1 && last.At.Path() != path.MustParse("deep")) {
			t.Errorf("%v: %d findings, the last %.100s", row, len(findings), last)
		}
	}
}

// TestCoarseResponse: what a response says that has no room for all paths is what
// the whole one says, by containers.
func TestCoarseResponse(t *testing.T) {
	coarser := 0
	rapid.Check(t, func(t *rapid.T) {
		old, now := draw.Pair(t)
		old, now = obj("o", obj("p", old, "x", num(1), "y", obj("z", num(1))), "q", num(1)), obj("o", obj("p", now, "x", num(2), "y", obj("z", num(2))), "q", num(2))
		o := provider.Differ{
			ReplaceOn: patterns("o.p.a", "o.p.b.a", "[*][*][*][0]", "o.p.c[*].b"), Stables: []string{"o", "q", "r"},
			Direction: rapid.SampledFrom([]provider.Direction{provider.TwoWay, provider.ThroughElements, provider.EngineOneWay}).Draw(t, "direction"),
		}
		sides := provider.Sides{OldInputs: old, OldState: old, News: now}
		arrays := rapid.SampledFrom([]diff.Match{diff.Positional(), diff.Aligned(), diff.Unordered()}).Draw(t, "arrays")
		d := diff.Between(old, now, diff.Options{Relation: value.Engine, Arrays: arrays})
		whole, coarse := o.Respond(d), respondWithin(&o, d, false, rapid.IntRange(0, 60).Draw(t, "most"))

		most := rapid.IntRange(0, 60).Draw(t, "most of the values")
		o.Arrays = arrays
		compared := o.Compare(sides)
		if direct, tree := responseWithin(*(**comparison)(unsafe.Pointer(&compared)), most), respondWithin(&o, d, true, most); told(direct) != told(tree) {
			t.Fatalf("of the values\n%s\nof the diff\n%s", told(direct), told(tree))
		}
		if len(coarse.Detailed) < len(whole.Detailed) {
			coarser++
		}
		if whole.Changes != coarse.Changes || !slices.Equal(whole.Diffs, coarse.Diffs) || !slices.Equal(whole.Stables, coarse.Stables) {
			t.Fatalf("%s\nbecomes\n%s", told(whole), told(coarse))
		}
		if (o.Direction != provider.EngineOneWay && !slices.Equal(whole.Replaces, coarse.Replaces)) || (o.Direction == provider.EngineOneWay && whole.Replace() && !coarse.Replace()) {
			t.Fatalf("%s\nreplaces otherwise\n%s", told(whole), told(coarse))
		}
		for _, e := range whole.Detailed {
			if !slices.ContainsFunc(coarse.Detailed, func(c provider.Entry) bool { return e.Path().HasPrefix(c.Path()) }) {
				t.Fatalf("%s is lost in\n%s", e.Key, told(coarse))
			}
		}
		for i, e := range coarse.Detailed {
			if i > 0 && (e.Path().Compare(coarse.Detailed[i-1].Path()) <= 0 || e.Path().HasPrefix(coarse.Detailed[i-1].Path())) {
				t.Fatalf("%s", told(coarse))
			}
		}
		if arrays == diff.Positional() {
			for _, f := range check.Validate(coarse, sides, provider.Differ{}) {
				if f.Severity == check.SeverityError {
					t.Fatalf("%v\n%s", f, told(coarse))
				}
			}
		}
	})
	if coarser == 0 {
		t.Error("there was always room")
	}
}

// stairs is nested so many levels down, with a leaf at every level and a key of so
// many bytes.
func stairs(levels, size int, leaf value.Value) value.Value {
	key := strings.Repeat("k", size)
	v := value.Object()
	for range levels {
		v = value.Object(value.Member{Key: key, Value: v}, value.Member{Key: "n", Value: leaf})
	}
	return v
}
