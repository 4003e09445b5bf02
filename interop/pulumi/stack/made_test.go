package stack_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/pulumi/pulumi/pkg/v3/engine/lifecycletest/fuzzing"
	"github.com/pulumi/pulumi/sdk/v3/go/common/providers"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/engine"
)

// made has both sides begin with a state that the engine's own generator makes.
func (p *pair) made(t *rapid.T) *fuzzing.SnapshotSpec {
	rare := rapid.Map(rapid.IntRange(0, 15), func(n int) bool { return n == 15 })
	spec := fuzzing.GeneratedSnapshotSpec(ofStack, fuzzing.SnapshotSpecOptions{
		ResourceCount: rapid.IntRange(2, 12), ResourceOpts: fuzzing.ResourceSpecOptions{Protect: rare},
	}).Draw(t, "state")
	p.snapshot = spec.AsSnapshot()
	if err := p.snapshot.VerifyIntegrity(); err != nil {
		t.Fatal(err)
	}
	for i, r := range p.snapshot.Resources {
		if r.Custom && !providers.IsProviderType(r.Type) { // what replaced another is not the same
			r.ID += resource.ID(fmt.Sprint("#", i))
		}
		switch {
		case r.Inputs == nil:
			r.Inputs, r.Outputs = resource.PropertyMap{}, resource.PropertyMap{}
		case r.Custom:
			r.Outputs = resource.PropertyMap{"out": resource.NewProperty(string(r.ID))}
		default:
			r.Outputs = resource.PropertyMap{}
		}
	}
	p.adopts(t, p.snapshot)
	return spec
}

var ofStack = fuzzing.StackSpecOptions{Project: "test", Stack: "test"}

// provides has all packages of some resources.
func (p *pair) provides(all []*fuzzing.ResourceSpec) {
	for _, r := range all {
		if providers.IsProviderType(r.Type) {
			p.r.packages = append(p.r.packages, string(providers.GetProviderPackage(r.Type)))
		}
	}
	slices.Sort(p.r.packages)
	p.r.packages = slices.Compact(p.r.packages)
}

// TestMadeStates refreshes states that the engine's own generator makes, and destroys them or has
// a program declare nothing, on both sides. With targets the engine may never end, since in some of
// these states two records of one URN depend on each other.
func TestMadeStates(t *testing.T) {
	var y tally
	rapid.Check(t, func(rt *rapid.T) {
		p := newPair(t)
		p.provides(p.made(rt).Resources)
		for _, what := range []string{"refresh", rapid.SampledFrom([]string{"destroy", "update"}).Draw(rt, "then")} {
			if !p.runs(rt, &y, what, drawWorld(rt, nil), nil) {
				return
			}
		}
	})
	y.log(t)
}

// TestMadePrograms runs programs of that generator on its states, on both sides, and then an update,
// a refresh or a destroy.
func TestMadePrograms(t *testing.T) {
	var y tally
	rapid.Check(t, func(rt *rapid.T) {
		p := newPair(t)
		spec := p.made(rt)
		rare := rapid.Map(rapid.IntRange(0, 15), func(n int) bool { return n == 15 })
		program := fuzzing.GeneratedProgramSpec(spec, ofStack, fuzzing.ProgramSpecOptions{UpdateProtect: rare}).Draw(rt, "program")
		p.provides(slices.Concat(spec.Resources, program.ResourceRegistrations))
		things := thingsOf(rt, program.ResourceRegistrations)
		renames := slices.ContainsFunc(things, func(x *thing) bool { return len(x.aliases) > 0 })
		draw := func() *world {
			isSettled := !renames && p.previews(1)
			w := drawWorld(rt, things)
			for _, x := range things {
				r := w.diffs[x.name]
				r.DeleteBeforeReplace = r.DeleteBeforeReplace && len(x.aliases) == 0 && (x.kind != "provider" || isSettled) // else the engine may wait forever
				w.diffs[x.name] = r
			}
			return w
		}
		w := draw()
		if (p.previews(1) && !p.runs(rt, &y, "preview", w, things)) || !p.runs(rt, &y, "update", w, things) || p.isBetween() {
			return
		}
		p.runs(rt, &y, rapid.SampledFrom([]string{"update", "refresh", "destroy"}).Draw(rt, "then"), draw(), things)
	})
	y.log(t)
}

// thingsOf is a program of the generator as we write it.
func thingsOf(t *rapid.T, all []*fuzzing.ResourceSpec) (things []*thing) {
	at, names := map[resource.URN]int{"": -1}, map[string]bool{}
	is := func(urn resource.URN) int {
		if i, ok := at[urn]; ok {
			return i
		}
		return -1
	}
	for i, r := range all {
		x := &thing{
			kind: "thing", typ: string(r.Type), name: r.Name, parent: is(r.Parent), provider: -1, deletedWith: is(r.DeletedWith),
			constants: map[string]int{"a": 1}, refs: map[string]int{}, protect: r.Protect, retain: r.RetainOnDelete,
		}
		switch {
		case providers.IsProviderType(r.Type):
			x.kind = "provider"
		case !r.Custom:
			x.kind = "group"
		}
		if reference, err := providers.ParseReference(r.Provider); err == nil && x.kind == "thing" {
			x.provider = is(reference.URN())
		}
		for _, urn := range r.Dependencies {
			x.dependsOn = append(x.dependsOn, is(urn))
		}
		for name, urns := range r.PropertyDependencies {
			for _, urn := range urns {
				if on := is(urn); x.kind == "thing" && things[on].kind == "thing" { // a deploytest.Provider is never unconfigured
					x.refs[string(name)] = on
				}
			}
		}
		for _, urn := range r.Aliases {
			x.aliases = append(x.aliases, engine.Alias{URN: string(urn)})
		}
		if names[r.Name] {
			t.Skip("two of a name")
		}
		things, names[r.Name], at[r.URN()] = append(things, x), true, i
	}
	return things
}
