package stack_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/pulumi/pulumi/pkg/v3/engine/lifecycletest/fuzzing"
	"github.com/pulumi/pulumi/sdk/v3/go/common/providers"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"pgregory.net/rapid"
)

// TestMadeStates refreshes states that the engine's own generator makes, and destroys them or has
// a program declare nothing, on both sides. With targets the engine may never end, since in some of
// these states two records of one URN depend on each other.
func TestMadeStates(t *testing.T) {
	var y tally
	rapid.Check(t, func(rt *rapid.T) {
		of := fuzzing.StackSpecOptions{Project: "test", Stack: "test"}
		rare := rapid.Map(rapid.IntRange(0, 15), func(n int) bool { return n == 15 })
		spec := fuzzing.GeneratedSnapshotSpec(of, fuzzing.SnapshotSpecOptions{
			ResourceCount: rapid.IntRange(2, 12), ResourceOpts: fuzzing.ResourceSpecOptions{Protect: rare},
		}).Draw(rt, "state")
		p := newPair(t)
		p.snapshot = spec.AsSnapshot()
		if err := p.snapshot.VerifyIntegrity(); err != nil {
			rt.Fatal(err)
		}
		for i, r := range p.snapshot.Resources {
			if r.Custom && !providers.IsProviderType(r.Type) { // what replaced another is not the same
				r.ID += resource.ID(fmt.Sprint("#", i))
			}
			r.Outputs = maps.Clone(r.Inputs)
			if r.Inputs == nil {
				r.Inputs, r.Outputs = resource.PropertyMap{}, resource.PropertyMap{}
			}
		}
		for name := range spec.Providers {
			p.r.packages = append(p.r.packages, string(name))
		}
		slices.Sort(p.r.packages)
		p.adopts(rt, p.snapshot)

		for _, what := range []string{"refresh", rapid.SampledFrom([]string{"destroy", "update"}).Draw(rt, "then")} {
			if !p.runs(rt, &y, what, drawWorld(rt, nil), nil) {
				return
			}
		}
	})
	for _, op := range slices.Sorted(maps.Keys(y.counts)) {
		t.Logf("%7d %s", y.counts[op], op)
	}
}
