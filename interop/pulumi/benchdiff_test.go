package pulumi_test

import (
	"os"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/deepcopy"

	"github.com/propalg/propalg/bench"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/interop/pulumi"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// sdkPair is two bags that came of different bytes.
type sdkPair struct{ old, now sdkBag }

// twins are the real bags twice, but those that the SDK does not call equal to
// themselves: see docs/differences.md.
func twins(b *testing.B) []sdkPair {
	b.Helper()
	var all []sdkPair
	olds, news := realForms(b), realForms(b)
	for i, old := range olds {
		now := news[i]
		if old.classic.DeepEquals(now.classic) && old.newer.Equals(now.newer) &&
			old.classic.Diff(now.classic) == nil && old.newer.Diff(now.newer) == nil {
			all = append(all, sdkPair{old, now})
		}
	}
	b.Logf("%d of %d bags", len(all), len(olds))
	return all
}

func equalRow(b *testing.B) {
	all := twins(b)
	bench.Compare(b,
		bench.Each(bench.Ours, all, func(p sdkPair) error { return bench.Must(p.old.ours.Equal(p.now.ours)) }),
		bench.Each(classic, all, func(p sdkPair) error { return bench.Must(p.old.classic.DeepEquals(p.now.classic)) }),
		bench.Each(newer, all, func(p sdkPair) error { return bench.Must(p.old.newer.Equals(p.now.newer)) }))
}

// earlyRow compares large bags that differ in the member that comes first.
func earlyRow(b *testing.B) {
	var all []sdkPair
	for i := range 50 {
		p := sdkPair{old: formsOf(b, first(i, "old")), now: formsOf(b, first(i, "new"))}
		all = append(all, p)
	}
	bench.Compare(b,
		bench.Each(bench.Ours, all, func(p sdkPair) error { return bench.Must(!p.old.ours.Equal(p.now.ours)) }),
		bench.Each(classic, all, func(p sdkPair) error { return bench.Must(!p.old.classic.DeepEquals(p.now.classic)) }),
		bench.Each(newer, all, func(p sdkPair) error { return bench.Must(!p.old.newer.Equals(p.now.newer)) }))
}

func first(i int, text string) value.Value {
	members := []value.Member{{Key: "aaa", Value: value.String(text)}}
	for key, v := range bench.Bag(bench.Small + i).Members() {
		members = append(members, value.Member{Key: key, Value: v})
	}
	return value.Object(members...)
}

func formsOf(b *testing.B, v value.Value) sdkBag {
	b.Helper()
	props, err := pulumi.ToPropertyMap(v)
	if err != nil {
		b.Fatal(err)
	}
	return sdkBag{ours: v, classic: props, newer: resource.FromResourcePropertyMap(props)}
}

// realPairs are the old and new values of real changes, else generated ones.
func realPairs(b *testing.B, file string) []sdkPair {
	b.Helper()
	rows := bench.RealRows(b, os.Open, file)
	olds, news := column(b, rows, "old"), column(b, rows, "new")
	if len(rows) == 0 {
		olds = bench.Bags(1500)
		news = bench.Edited(olds)
	}
	all := make([]sdkPair, len(olds))
	for i := range olds {
		all[i] = sdkPair{formsOf(b, olds[i]), formsOf(b, news[i])}
	}
	return all
}

func noChange(r diff.Diff) error { return bench.Must(r.Empty()) }

func diffEqualRow(b *testing.B) { diffEqual(b, twins(b)) }

// diffSharedRow diffs values with themselves.
func diffSharedRow(b *testing.B) {
	all := twins(b)
	for i := range all {
		all[i].now = all[i].old
	}
	diffEqual(b, all)
}

func diffEqual(b *testing.B, all []sdkPair) {
	b.Helper()
	bench.Compare(b,
		bench.Each(bench.Ours, all, func(p sdkPair) error {
			return noChange(diff.Between(p.old.ours, p.now.ours, diff.Options{}))
		}),
		bench.Each(classic, all, func(p sdkPair) error { return bench.Must(p.old.classic.Diff(p.now.classic) == nil) }),
		bench.Each(newer, all, func(p sdkPair) error { return bench.Must(p.old.newer.Diff(p.now.newer) == nil) }))
}

// diffPairsRow goes all the way to the answer of a provider.
func diffPairsRow(b *testing.B) {
	all := realPairs(b, "oracle-diffs.jsonl")
	bench.Compare(b,
		bench.Each(bench.Ours, all, func(p sdkPair) error {
			r := provider.Differ{}.Compare(provider.Sides{OldInputs: p.old.ours, News: p.now.ours}).Response()
			return bench.Must(r.HasDetailed)
		}),
		bench.Each(classic, all, func(p sdkPair) error {
			found := p.old.classic.Diff(p.now.classic)
			if found == nil {
				return nil
			}
			return bench.Must(plugin.NewDetailedDiffFromObjectDiff(found, false) != nil)
		}))
}

// ignoreRow resets what n patterns say, in real changes. The first is the pattern
// of the change, the others match nothing. The SDK's Reset
// writes into its second argument, so that has to be a copy.
func ignoreRow(b *testing.B, n int) {
	type change struct {
		sdkPair
		ours []path.Pattern
		sdk  []resource.PropertyPath
	}
	rows := bench.RealRows(b, os.Open, "oracle-reset.jsonl")
	pairs := realPairs(b, "oracle-reset.jsonl")
	rest := bench.Patterns(n - 1)
	all := make([]change, len(pairs))
	for i, p := range pairs {
		pattern := path.MustParsePattern("name")
		if rows != nil {
			var err error
			if pattern, err = path.ParsePulumiPattern(rows[i].Text("path")); err != nil {
				b.Fatal(err)
			}
		}
		patterns := append([]path.Pattern{pattern}, rest...)
		all[i] = change{sdkPair: p, ours: patterns}
		for _, pattern := range patterns {
			all[i].sdk = append(all[i].sdk, sdkPath(b, pattern))
		}
	}
	bench.Compare(b,
		bench.Each(bench.Ours, all, func(c change) error {
			return bench.Must(len(ignore.Changes(c.old.ours, c.now.ours, c.ours, ignore.AsEngine).Patterns) <= n)
		}),
		bench.Each(classic, all, func(c change) error {
			now := deepcopy.Copy(c.now.classic).(resource.PropertyMap)
			for _, way := range c.sdk {
				way.Reset(c.old.classic, now)
			}
			return nil
		}))
}
