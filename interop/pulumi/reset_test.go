package pulumi_test

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/interop/pulumi"
	"github.com/propalg/propalg/interop/pulumi/internal/differential"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// TestResetAgrees compares the engine's mode of ignore.Changes with the SDK's own
// PropertyPath.Reset: result and ok. Excepted are patterns on which the SDK does not
// agree with itself, since it goes through objects in the order of a Go map; of these
// ours must be one of its answers. -rapid.checks makes a long run.
func TestResetAgrees(t *testing.T) {
	const each = 100 // patterns for a pair
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		pair := fuzz.ObjectPairs(fuzz.Options{NoSealed: true}).Draw(t, "pair")
		old, now := pair.Old.DropSecret().DropDependencies(), pair.New.DropSecret().DropDependencies()
		for _, side := range []value.Value{old, now} {
			if _, err := pulumi.ToPropertyMap(side); errors.Is(err, pulumi.ErrSource) {
				return // an asset without a source
			}
		}

		places := append(fuzz.Internal.PathsOf(old), fuzz.Internal.PathsOf(now)...)
		for range each {
			resetOne(t, old, now, differential.Known(fuzz.PatternsFor(places...)).Draw(t, "pattern"), seen)
		}
	})

	t.Log(seen)
	for _, what := range []string{"matched", "mismatch", "changed", "wildcard", "secrets"} {
		if !t.Failed() && seen[what] < seen["all"]/20 {
			t.Errorf("only %d of %d patterns: %s", seen[what], seen["all"], what)
		}
	}
	if seen["excepted"] > seen["all"]/50 {
		t.Errorf("%d of %d patterns are excepted", seen["excepted"], seen["all"])
	}
}

// reset is the SDK's answer.
func reset(t *rapid.T, old, now value.Value, p path.Pattern) (value.Value, bool) {
	before, err := pulumi.ToPropertyMap(old)
	if err != nil {
		t.Fatal(err)
	}
	after, err := pulumi.ToPropertyMap(now)
	if err != nil {
		t.Fatal(err)
	}
	way, err := pulumi.ToPropertyPathPattern(p)
	if err != nil {
		t.Fatal(err)
	}

	ok := way.Reset(before, after)
	got, err := pulumi.FromPropertyMap(after)
	if err != nil {
		t.Fatal(err)
	}
	return got, ok
}

func resetOne(t *rapid.T, old, now value.Value, p path.Pattern, seen map[string]int) {
	steps := slices.Collect(p.Steps())
	if slices.Contains(steps, path.Key("*")) {
		return // reads as the wildcard there
	}

	want, ok := reset(t, old, now, p)
	got := ignore.Changes(old, now, []path.Pattern{p}, ignore.AsEngine)
	var report ignore.PatternResult // empty if the pattern had no effect
	if len(got.Patterns) > 0 {
		report = got.Patterns[0]
	}
	agrees := func() bool { return (len(report.Mismatches) == 0) == ok && got.Value.Equal(want) }
	count := func(what string, when bool) {
		if when {
			seen[what]++
		}
	}

	// Before the last step, a wildcard may be stopped on its way through an object.
	if inner := slices.IndexFunc(steps, path.Step.IsWildcard); !agrees() && inner >= 0 && inner < len(steps)-1 {
		first, varies, found := want, false, false
		for range 400 {
			want, ok = reset(t, old, now, p)
			varies = varies || !want.Equal(first)
			found = found || agrees()
		}
		if varies && found {
			count("excepted", true)
			return
		}
	}
	if !agrees() {
		t.Fatalf("%v\nold := %v\nnew := %v\nours %v\n     %v\nSDK  %v\n     %v", p,
			fuzz.GoSource(old), fuzz.GoSource(now), report, fuzz.GoSource(got.Value), ok, fuzz.GoSource(want))
	}

	count("all", true)
	count("changed", !got.Value.Equal(now))
	count("matched", report.Matched > 0)
	count("mismatch", !ok)
	count("secrets", old.ContainsSecret() || now.ContainsSecret())
	count("wildcard", slices.ContainsFunc(steps, path.Step.IsWildcard))
}
