package stack_test

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	pulumiengine "github.com/pulumi/pulumi/pkg/v3/engine"
	lt "github.com/pulumi/pulumi/pkg/v3/engine/lifecycletest/framework"
	"github.com/pulumi/pulumi/pkg/v3/resource/deploy"
	"github.com/pulumi/pulumi/pkg/v3/resource/deploy/deploytest"
	"github.com/pulumi/pulumi/pkg/v3/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/providers"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/decide"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// NOTE: A program of things is run by Pulumi's engine and by package engine, several times, with
// edits between. What one run does must be the same on both sides: the steps, the calls with
// their arguments, and the state. Steps that the engine may take at the same time are sorted.

// thing is a resource of a drawn program; others are numbers, and -1 is none.
type thing struct {
	kind, name                    string
	typ                           string // if it is not that of its kind
	parent, provider, deletedWith int
	replaceWith, dependsOn        []int
	constants, refs               map[string]int
	protect, retain, secret       bool
	ignores, replaces             bool
	leads                         bool // another is replaced with it
	first                         *bool
	trigger                       int
	aliases                       []engine.Alias
	reads, imports                string // the ID of what is read, and is not managed or is from then on
	hides                         bool
}

var kinds = map[string]string{"thing": thingType, "other": "pkg:index:Other", "group": groupType, "provider": ownType}

func (x *thing) of() string { return cmp.Or(x.typ, kinds[x.kind]) }

// urnOf returns the URN of a thing.
func urnOf(things []*thing, i int) string {
	typ := things[i].of()
	for at := things[i].parent; at >= 0; at = things[at].parent {
		typ = things[at].of() + "$" + typ
	}
	return "urn:pulumi:test::test::" + typ + "::" + things[i].name
}

// varieties are what the things of a draw may do.
type varieties struct {
	renames bool
	outside bool // they read and import what is there: limited runs may not take that back
}

// drawTwin draws a thing. Where names change there is no replaceWith, of which the engine then
// changes what it has shared.
func drawTwin(t *rapid.T, things []*thing, n int, v varieties) *thing {
	of := func(label string, kinds ...string) int {
		all := []int{-1, -1}
		for i, x := range things {
			if x != nil && slices.Contains(kinds, x.kind) {
				all = append(all, i)
			}
		}
		return rapid.SampledFrom(all).Draw(t, label)
	}
	rare := func(label string) bool { return rapid.IntRange(0, 7).Draw(t, label) == 7 }
	x := &thing{
		kind: rapid.SampledFrom([]string{"thing", "thing", "thing", "thing", "group", "provider"}).Draw(t, "kind"), name: fmt.Sprint("r", n),
		parent: -1, provider: -1, deletedWith: -1, constants: map[string]int{}, refs: map[string]int{},
	}
	if x.kind == "provider" {
		x.constants["a"] = 1
		return x
	}
	x.parent = of("parent", "group", "thing")
	for _, name := range []string{"a", "b"} {
		if at := of(name, "thing"); at >= 0 {
			x.refs[name] = at
		} else {
			x.constants[name] = rapid.IntRange(1, 2).Draw(t, "value")
		}
	}
	if at := of("depends on", "thing", "group"); at >= 0 {
		x.dependsOn = []int{at}
	}
	if rapid.Bool().Draw(t, "related") {
		x.deletedWith = of("deleted with", "thing", "group")
	}
	if at := of("replaced with", "thing"); at >= 0 && !v.renames && !things[at].leads { // of two the engine would take one by chance
		things[at].leads = true
		x.replaceWith = []int{at}
	}
	x.trigger = rapid.IntRange(0, 1).Draw(t, "trigger")
	if x.kind == "thing" {
		x.provider, x.first = of("provider", "provider"), rapid.SampledFrom([]*bool{nil, &no, &yes}).Draw(t, "first")
	}
	x.protect, x.retain, x.secret = rapid.IntRange(0, 39).Draw(t, "protect") == 39, rare("retain"), rare("secret")
	x.ignores, x.replaces, x.hides = rare("ignores"), rare("replaces"), rare("hides")
	if v.outside && x.kind == "thing" && rare("imports") {
		x.imports = "i" + x.name
	}
	if v.outside && x.kind == "thing" && rare("reads") {
		x.isRead(t, things)
	}
	return x
}

// isRead has a thing read: for the engine it has neither references, but to its parent and its
// provider, nor options. SDKs have it take the provider of its parent, and the engine does not.
func (x *thing) isRead(t *rapid.T, things []*thing) {
	if x.parent >= 0 && things[x.parent].kind != "group" {
		x.parent = -1
	}
	x.aliases = nil
	x.reads, x.imports = rapid.SampledFrom([]string{"e1", "e2", x.name + "#1"}).Draw(t, "ID"), ""
	x.constants, x.refs, x.dependsOn = map[string]int{"a": 1}, map[string]int{}, nil
	x.deletedWith, x.replaceWith, x.trigger, x.first = -1, nil, 0, nil
	x.protect, x.retain, x.secret, x.ignores, x.replaces, x.hides = false, false, false, false, false, false
}

// changesSides has a thing read that was managed, or the other way round, and imported or not.
func (x *thing) changesSides(t *rapid.T, things []*thing) {
	rare := func(label string) bool { return rapid.IntRange(0, 7).Draw(t, label) == 7 }
	switch {
	case !rare("read"):
	case x.reads == "":
		x.isRead(t, things)
	case rapid.Bool().Draw(t, "another"):
		x.isRead(t, things)
	default:
		x.reads = ""
	}
	if x.reads == "" && rare("imported") {
		x.imports = map[bool]string{true: "i" + x.name}[x.imports == ""]
	}
}

// editTwin returns a program with other values, other names, without some things and with more.
func editTwin(t *rapid.T, old []*thing, v varieties) (things []*thing) {
	keep := func(at int) int {
		if at < 0 || things[at] == nil {
			return -1
		}
		return at
	}
	rare := func(label string) bool { return rapid.IntRange(0, 7).Draw(t, label) == 7 }
	for i, was := range old {
		if was == nil || rare("removed") {
			things = append(things, nil)
			continue
		}
		x := *was
		x.constants, x.refs, x.replaceWith, x.dependsOn = maps.Clone(was.constants), map[string]int{}, nil, nil
		x.parent, x.provider, x.deletedWith = keep(was.parent), keep(was.provider), keep(was.deletedWith)
		for name, at := range was.refs {
			if at = keep(at); at >= 0 {
				x.refs[name] = at
			} else {
				x.constants[name] = 1
			}
		}
		for _, at := range was.replaceWith {
			if keep(at) >= 0 {
				x.replaceWith = append(x.replaceWith, at)
			}
		}
		for _, at := range was.dependsOn {
			if keep(at) >= 0 {
				x.dependsOn = append(x.dependsOn, at)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(x.constants)) {
			x.constants[name] = rapid.IntRange(1, 2).Draw(t, "value")
		}
		if x.protect || rapid.IntRange(0, 39).Draw(t, "unprotected") == 39 {
			x.protect = !x.protect
		}
		if rare("triggered") {
			x.trigger = rapid.IntRange(0, 2).Draw(t, "trigger")
		}
		x.aliases = nil
		if rapid.Bool().Draw(t, "aliases kept") {
			x.aliases = was.aliases
		}
		switch {
		case !v.renames:
			x.aliases = nil
		case rare("renamed"):
			x.name += "x"
			alias := engine.Alias{Name: was.name}
			if rapid.Bool().Draw(t, "by URN") {
				alias = engine.Alias{URN: urnOf(old, i)}
			}
			x.aliases = append(slices.Clone(x.aliases), alias)
		case x.parent != was.parent:
			x.aliases = append(slices.Clone(x.aliases), engine.Alias{Parent: urnOf(old, was.parent)})
		case x.parent >= 0 && rare("orphaned"):
			x.parent = -1
			x.aliases = append(slices.Clone(x.aliases), engine.Alias{Parent: urnOf(old, was.parent)})
		}
		if v.outside && x.kind == "thing" {
			x.changesSides(t, things)
		}
		things = append(things, &x)
	}
	for range rapid.IntRange(0, 2).Draw(t, "more") {
		things = append(things, drawTwin(t, things, len(things), v))
	}
	return things
}

// ours is the program for package engine.
func ours(things []*thing) engine.Program {
	p := engine.Program{Stack: "test", Project: "test"}
	name := func(at int) string {
		if at < 0 {
			return ""
		}
		return things[at].name // its URN has the old name of what a run may not change
	}
	names := func(all []int) (urns []string) {
		for _, at := range all {
			urns = append(urns, name(at))
		}
		return urns
	}
	for _, x := range things {
		if x == nil {
			continue
		}
		g := engine.Goal{
			Type: x.of(), Name: x.name, Component: x.kind == "group", Parent: name(x.parent), Provider: name(x.provider), DeletedWith: name(x.deletedWith),
			ReplaceWith: names(x.replaceWith), DependsOn: names(x.dependsOn), Protect: x.protect, RetainOnDelete: x.retain, DeleteBeforeReplace: x.first,
			ReplacementTrigger: x.triggers(), Aliases: x.aliases, ReadID: x.reads, ImportID: x.imports,
		}
		if x.hides {
			g.HideDiff = []string{"a"}
		}
		x.options(&g.IgnoreChanges, &g.ReplaceOnChanges, &g.AdditionalSecretOutputs)
		g.Compute = func(output func(resource, property string) value.Value) value.Value {
			var members []value.Member
			for name, n := range x.constants {
				members = append(members, value.Field(name, value.Number(float64(n))))
			}
			for name, at := range x.refs {
				members = append(members, value.Field(name, output(things[at].name, "out")))
			}
			return value.Object(members...)
		}
		p.Resources = append(p.Resources, g)
	}
	return p
}

func (x *thing) triggers() value.Value {
	if x.trigger == 0 {
		return value.Null()
	}
	return value.Number(float64(x.trigger))
}

func (x *thing) options(ignores, replaces, secrets *[]string) {
	if x.ignores {
		*ignores = []string{"a"}
	}
	if x.replaces {
		*replaces = []string{"b"}
	}
	if x.secret {
		*secrets = []string{"out"}
	}
}

// theirProgram is the program for Pulumi's engine.
func theirProgram(things []*thing, goesOn bool) registration {
	return func(monitor *deploytest.ResourceMonitor) error {
		made := make([]*deploytest.RegisterResourceResponse, len(things))
		name := func(at int) resource.URN {
			if at < 0 {
				return ""
			}
			return made[at].URN
		}
		for i, x := range things {
			if x == nil {
				continue
			}
			o := deploytest.ResourceOptions{
				ImportID: resource.ID(x.imports), Parent: name(x.parent), DeletedWith: name(x.deletedWith), Protect: &x.protect, RetainOnDelete: &x.retain, DeleteBeforeReplace: x.first,
				Inputs: resource.PropertyMap{}, PropertyDeps: map[resource.PropertyKey][]resource.URN{}, AliasSpecs: true, SupportsResultReporting: goesOn,
			}
			if x.trigger > 0 {
				o.ReplacementTrigger = resource.NewProperty(float64(x.trigger))
			}
			if by := x.providedBy(things); by >= 0 {
				o.Provider = string(made[by].URN) + "::" + string(made[by].ID)
				if made[by].ID == "" {
					o.Provider += plugin.UnknownStringValue
				}
			}
			for _, at := range x.replaceWith {
				o.ReplaceWith = append(o.ReplaceWith, name(at))
			}
			for _, at := range x.dependsOn {
				o.Dependencies = append(o.Dependencies, name(at))
			}
			var secrets []string
			x.options(&o.IgnoreChanges, &o.ReplaceOnChanges, &secrets)
			o.AdditionalSecretOutputs = keysOf(secrets)
			for _, a := range x.aliases {
				o.Aliases = append(o.Aliases, aliasOf(a))
			}
			for key, n := range x.constants {
				o.Inputs[resource.PropertyKey(key)] = resource.NewProperty(float64(n))
				o.PropertyDeps[resource.PropertyKey(key)] = nil // without which it depends on all
			}
			for _, key := range slices.Sorted(maps.Keys(x.refs)) {
				at := x.refs[key]
				out, ok := made[at].Outputs["out"]
				if !ok {
					out = resource.MakeComputed(resource.NewProperty(""))
				}
				o.Inputs[resource.PropertyKey(key)] = out
				o.PropertyDeps[resource.PropertyKey(key)] = []resource.URN{name(at)}
				o.Dependencies = append(o.Dependencies, name(at))
			}
			slices.Sort(o.Dependencies)
			o.Dependencies = slices.Compact(o.Dependencies)

			if x.hides {
				o.HideDiffs = []resource.PropertyPath{{"a"}}
			}

			var err error
			if made[i], err = x.registers(monitor, o); err != nil {
				return err
			}
		}
		return nil
	}
}

// providedBy returns the provider that an SDK says a thing has: the engine does not know that of
// what is read.
func (x *thing) providedBy(things []*thing) int {
	if x.provider < 0 && x.kind == "thing" && x.parent >= 0 && things[x.parent].reads != "" {
		return things[x.parent].provider
	}
	return x.provider
}

func (x *thing) registers(monitor *deploytest.ResourceMonitor, o deploytest.ResourceOptions) (*deploytest.RegisterResourceResponse, error) {
	if x.reads == "" {
		return monitor.RegisterResource(tokens.Type(x.of()), x.name, x.kind != "group", o)
	}
	urn, outputs, err := monitor.ReadResource(tokens.Type(x.of()), x.name, resource.ID(x.reads), o.Parent, o.Inputs, o.Provider, "", "", nil, "", "")
	return &deploytest.RegisterResourceResponse{URN: urn, ID: resource.ID(x.reads), Outputs: outputs}, err
}

func aliasOf(a engine.Alias) *pulumirpc.Alias {
	if a.URN != "" {
		return &pulumirpc.Alias{Alias: &pulumirpc.Alias_Urn{Urn: a.URN}}
	}
	spec := &pulumirpc.Alias_Spec{Name: a.Name, Type: a.Type, Stack: a.Stack, Project: a.Project}
	if a.Parent != "" {
		spec.Parent = &pulumirpc.Alias_Spec_ParentUrn{ParentUrn: a.Parent}
	} else if a.NoParent {
		spec.Parent = &pulumirpc.Alias_Spec_NoParent{NoParent: true}
	}
	return &pulumirpc.Alias{Alias: &pulumirpc.Alias_Spec_{Spec: spec}}
}

// recounted prints a state, with numbers in the place of the IDs of providers.
func recounted(all []state.Resource) string {
	ids := map[string]string{}
	for _, r := range all {
		if providers.IsProviderType(tokens.Type(r.Type)) {
			ids[r.URN+"::"+r.ID] = fmt.Sprint("provider ", len(ids))
		}
	}
	var b strings.Builder
	for _, r := range all {
		id := r.ID
		if providers.IsProviderType(tokens.Type(r.Type)) {
			id = ids[r.URN+"::"+r.ID]
		}
		fmt.Fprintf(&b, "%s %s in %s by %s", short(r.URN), id, short(r.Parent), ids[r.Provider])
		depends := ""
		for _, name := range slices.Sorted(maps.Keys(r.PropertyDependencies)) {
			if urns := r.PropertyDependencies[name]; len(urns) > 0 {
				depends += fmt.Sprint(name, urns)
			}
		}
		dependencies := slices.Sorted(slices.Values(r.Dependencies))
		fmt.Fprint(&b, r.Custom, r.Delete, r.PendingReplacement, r.External, r.Protect, r.RetainOnDelete, r.Taint, r.RefreshBeforeUpdate, " ", short(r.DeletedWith),
			r.ReplaceWith, r.Aliases, dependencies, depends, r.IgnoreChanges, r.ReplaceOnChanges, r.AdditionalSecretOutputs, r.HideDiff, r.ImportID, len(r.InitErrors))
		fmt.Fprintln(&b, " ", fuzz.GoSource(r.ReplacementTrigger), fuzz.GoSource(orEmpty(r.Inputs)), fuzz.GoSource(orEmpty(r.Outputs)))
	}
	return b.String()
}

// arranged sorts the lines of a list that the engine may have in any order: those of refreshes,
// with which a run begins, and of deletions, with which it ends.
func arranged(lines []string) string {
	isOf := func(line string, words ...string) bool {
		word, _, _ := strings.Cut(line, " ")
		return slices.Contains(words, word)
	}
	first := 0
	for first < len(lines) && isOf(lines[first], "refresh", "Read", "Diff") {
		first++
	}
	last := len(lines)
	for last > first && isOf(lines[last-1], "delete", "delete-replaced", "remove-pending-replace", "discard", "discard-replaced", "Delete") {
		last--
	}
	slices.Sort(lines[:first])
	slices.Sort(lines[last:])
	return strings.Join(lines, "\n")
}

// isRenamed reports whether something of the state has another name in a program.
func (p *pair) isRenamed(things []*thing, urn string) bool {
	for i, x := range things {
		if x != nil && len(x.aliases) > 0 && urnOf(things, i) == urn {
			return false
		}
	}
	return slices.ContainsFunc(things, func(x *thing) bool { return x != nil && len(x.aliases) > 0 })
}

// withoutLastDiffs returns calls without those of Diff that are after all that register something.
func withoutLastDiffs(calls []string) []string {
	at := len(calls)
	for at > 0 && !strings.HasPrefix(calls[at-1], "C") && !strings.HasPrefix(calls[at-1], "Update ") {
		at--
	}
	isDiff := func(call string) bool { return strings.HasPrefix(call, "Diff ") }
	return slices.Concat(calls[:at], slices.DeleteFunc(slices.Clone(calls[at:]), isDiff))
}

// differing returns the lines from the first that differs on.
func differing(a, b string) (string, string) {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for len(x) > 0 && len(y) > 0 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	return strings.Join(x, "\n"), strings.Join(y, "\n")
}

// printed is a program.
func printed(things []*thing) string {
	var b strings.Builder
	for i, x := range things {
		if x != nil {
			fmt.Fprintf(&b, "%d: %+v\n", i, *x)
		}
	}
	return b.String()
}

// notDone is what a run has left out after an error, by URN.
type notDone struct {
	failed, skipped map[string]bool
	kept            map[string]bool // for the sake of what failed, where neither of both in the state refers to the other
	refer           map[string]string
}

// sees reports whether an action leaves out what the engine does not: to delete what something needs
// that was skipped, and to replace something whose dependents it cannot delete first.
func (l *notDone) sees(a engine.Action, err error) bool {
	if err != nil {
		l.failed[a.URN], l.refer[a.URN] = true, refers(a.Old)
	}
	if a.Op != "skip" {
		return false
	}
	isNeeded := a.Why == decide.BecauseNeeded
	is := func(u string) bool { return l.failed[u] || (!isNeeded && l.skipped[u]) }
	other := slices.ContainsFunc(a.Causes, func(u string) bool { return !is(u) })
	if isNeeded {
		l.failed[a.URN], l.kept[short(a.URN)] = true, !strings.Contains(l.refer[a.Causes[0]], a.URN)
	} else {
		l.skipped[a.URN], l.kept[short(a.URN)] = true, a.Old.URN != "" && !strings.Contains(refers(a.Old), a.Causes[0])
	}
	return other
}

func refers(of state.Resource) string {
	return fmt.Sprint(of.Provider, of.Parent, of.DeletedWith, of.Dependencies, of.PropertyDependencies, of.ReplaceWith)
}

// without leaves out that the engine deletes what is kept: it does if that is deleted at the same time
// as what failed, or to be replaced by what depends on that.
func (l *notDone) without(steps []string) []string {
	return slices.DeleteFunc(slices.Clone(steps), func(step string) bool {
		op, urn, _ := strings.Cut(step, " ")
		return l.kept[urn] && strings.HasPrefix(op, "delete")
	})
}

// pair is a stack on both sides.
type pair struct {
	r        *inProcess
	snapshot *deploy.Snapshot
	theirs   *side
	stack    *engine.Stack
	ours     *ourSide
	limited  bool
}

func newPair(t *testing.T) *pair {
	t.Helper()
	theirs := &side{made: map[string]int{}}
	p := &pair{r: &inProcess{t: t}, theirs: theirs, ours: &ourSide{side: &side{made: map[string]int{}}}}
	p.r.provider = theirs.provider()
	p.stack = &engine.Stack{Launch: func(context.Context, engine.Plugin) (rpc.Provider, error) { return p.ours, nil }}
	return p
}

// bugs are errors with which the engine ends where package engine goes on: docs/engine.md.
var bugs = map[string]string{
	"it looks for the provider of what is deleted":                "could not find provider",
	"what it left as it is for another is registered later":       "Duplicate resource URN",
	"it deletes a provider of what stays":                         "validation error: resource",
	"it refuses its own state":                                    "failed to verify snapshot",
	"it waits forever":                                            errWaits.Error(),
	"what is replaced with another is deleted without a provider": "step application failed: unknown provider",
}

// actions begins a run of ours, and gives the options of the engine's run.
func (p *pair) actions(what string, w *world, things []*thing) iter.Seq2[engine.Action, error] {
	program := ours(things)
	program.Replace, p.r.options.ReplaceTargets = w.replaced, deploy.NewUrnTargets(w.replaced)
	o := w.options
	p.stack.Options = o
	p.r.options.Targets, p.r.options.TargetDependents = deploy.NewUrnTargets(o.Targets), o.TargetDependents
	p.r.options.Excludes, p.r.options.ExcludeDependents = deploy.NewUrnTargets(o.Excludes), o.ExcludeDependents
	p.r.options.ContinueOnError = o.ContinueOnError
	switch what {
	case "refresh":
		return p.stack.Refresh(context.Background())
	case "destroy":
		return p.stack.Destroy(context.Background())
	case "preview":
		return p.stack.Preview(context.Background(), program)
	}
	return p.stack.Update(context.Background(), program)
}

// theirSteps returns what the engine did as ours is written. Again means that it left something as
// it is by its old name, after it had a step by its new one.
func (p *pair) theirSteps(steps []pulumiengine.StepEventMetadata, w *world, things []*thing, got []string) (want []string, again bool) {
	for _, s := range steps {
		isLeft := s.Op == deploy.OpReplace || (s.Op == deploy.OpRefresh && (!s.Old.State.Custom || providers.IsProviderType(s.Type) || s.Old.State.PendingReplacement)) // which nothing is done for
		again = again || (len(w.options.Targets)+len(w.options.Excludes) > 0 && s.Op == deploy.OpSame && p.isRenamed(things, string(s.URN)) && !slices.Contains(got, "same "+short(string(s.URN))))
		if !isLeft && !strings.Contains(string(s.URN), "::default") {
			want = append(want, string(s.Op)+" "+short(string(s.URN)))
		}
	}
	return want, again
}

// runs runs both sides, and compares what they do.
//
//nolint:funlen // what is compared, in order, and what of it is not
func (p *pair) runs(t *rapid.T, y *tally, what string, w *world, things []*thing) (goesOn bool) {
	op := map[string]lt.TestOp{"preview": pulumiengine.Update, "update": pulumiengine.Update, "refresh": pulumiengine.Refresh, "destroy": pulumiengine.Destroy}[what]
	for _, r := range p.stack.Resources { // without its parent the engine panics
		delete(w.gone, nameOf(r.Parent))
	}
	was := recounted(p.stack.Resources)
	for _, r := range p.stack.Resources {
		if r.PendingReplacement { // it is deleted, and the engine calls Delete again
			p.theirs.made[deletion(r.URN, r.ID)] = 1
		}
	}
	twoFollow := followedTwice(p.stack.Resources)
	waiting := slices.ContainsFunc(p.stack.Resources, func(r state.Resource) bool { return r.Delete })
	p.theirs.world, p.ours.world, p.theirs.calls, p.ours.calls = w, w, nil, nil
	var got []string
	var failed error
	keeps := false // what waits for its replacement and is imported or read, or a provider that is needed: it has read something, or a component refers to it
	var neededBy []string
	for _, r := range p.stack.Resources {
		if (r.External || !r.Custom) && r.Provider != "" {
			neededBy = append(neededBy, r.Provider[:strings.LastIndex(r.Provider, "::")])
		}
	}
	deletes := false // something first, or a provider that something may still refer to
	needed, left := false, &notDone{failed: map[string]bool{}, skipped: map[string]bool{}, kept: map[string]bool{}, refer: map[string]string{}}
	for a, err := range p.actions(what, w, things) {
		if a.Op != "fail" && a.Op != "skip" && !strings.Contains(a.URN, "::default") {
			got = append(got, string(a.Op)+" "+short(a.URN))
			y.count(string(a.Op))
		}
		needed = left.sees(a, err) || needed
		keeps = keeps || (a.Old.PendingReplacement && (a.Op == "import-replacement" || a.Op == "read-replacement")) ||
			(a.Op == "import" && a.Old.URN != "") || (a.Op == engine.OpCreateReplacement && slices.Contains(neededBy, a.Old.URN))
		deletes = deletes || (a.Op == "delete-replaced" && a.Why != decide.BecauseReplaced) || (a.Op == engine.OpCreateReplacement && strings.Contains(a.URN, "::pulumi:providers:"))
		failed = cmp.Or(err, failed)
		now, _ := p.stack.State()
		sound(t, now)
	}

	if failed != nil && strings.HasSuffix(failed.Error(), "is protected and cannot be deleted") {
		// In an update the engine deletes what it comes to before, and may panic.
		if did := p.r.run(op, clone(p.r.t, p.snapshot), true, theirProgram(things, w.options.ContinueOnError)); did.err == nil {
			t.Fatalf("%s: %v, and the engine does it", what, failed)
		}
		y.count("refused")
		return false
	}

	says := func(text string) bool { return failed != nil && strings.Contains(failed.Error(), text) }
	refused, unsound := says("is no target and not there") || says("and is no target"), says("it is no target, and") || (len(w.options.Excludes) > 0 && says("is no target and not there"))
	if (unsound || needed || deletes) && w.options.ContinueOnError && what != "preview" { // the engine goes on after that, and may hang
		y.count("the engine may hang")
		return false
	}

	if waiting && failed != nil && w.options.ContinueOnError { // of two records of one URN, which one is deleted depends on what was first
		y.count("which of the deletions was first")
		return false
	}

	before := p.snapshot
	if what == "preview" { // which changes what it is given
		before = clone(p.r.t, before)
	}
	did := p.r.run(op, before, what == "preview", theirProgram(things, w.options.ContinueOnError))
	if did.snapshot != nil && what != "preview" {
		p.snapshot = did.snapshot
	}
	want, again := p.theirSteps(did.steps, w, things, got)
	fails := func(about, ours, theirs string) {
		t.Helper()
		if ours != theirs {
			ours, theirs = differing(ours, theirs)
			t.Fatalf("%s of %s:\nours\n%s\nthe engine's\n%s\n\nours %v, the engine's %v\n%+v\n%s\n%+v\nbefore:\n%s", about, what, ours, theirs, failed, did.err, w.options, printed(things), *w, was)
		}
	}
	for why, text := range bugs {
		if did.err != nil && strings.Contains(did.err.Error(), text) {
			y.count("the engine: " + why)
			return false
		}
	}
	switch {
	case again:
		y.count("the engine: what has another name is left as it is")
		return what == "preview" || p.adopts(t, did.snapshot)
	case keeps: // the engine creates it once more, or keeps what was deleted; ours keeps the provider
		y.count("what a read or an import replaces that is deleted, and a provider that is needed and is replaced")
		return what == "preview"
	case unsound: // the engine may go on, and refuses the state then
		y.count("refused, and the engine may go on")
		if what == "update" {
			fails("failure", "true", fmt.Sprint(did.err != nil))
		}
		return what == "preview"
	case needed: // the engine deletes it, or replaces it without what depends on it
		y.count("what something skipped needs")
		fails("failure", "true", fmt.Sprint(did.err != nil))
		return what == "preview"
	case what == "preview" && says(decide.BecauseImportDiffers): // the engine warns
		y.count("previews of imports that would be replaced")
		return true
	case (refused || says("is protected and cannot be replaced")) && what == "preview": // the engine looks for more of it
		fails("failure", "true", fmt.Sprint(did.err != nil))
		y.count("refused previews")
		return true
	}
	if what == "refresh" && w.options.TargetDependents && did.err != nil { // it does not load the providers of dependents
		y.count("the engine: dependents are not refreshed")
		return false
	}
	fails("failure", fmt.Sprint(failed != nil), fmt.Sprint(did.err != nil))
	sorted := func(lines []string) string { return strings.Join(slices.Sorted(slices.Values(lines)), "\n") }
	isLimited := len(w.options.Targets)+len(w.options.Excludes) > 0
	if (isLimited || twoFollow) && arranged(got) != arranged(want) && sorted(got) == sorted(want) {
		y.count("the engine: dependencies are left as they are, or deleted with another, in an order of chance")
		return false
	}
	if rest := left.without(want); len(rest) < len(want) && arranged(rest) == arranged(got) {
		y.count("the engine: what is kept for what failed is deleted")
		return false
	}
	fails("steps", arranged(got), arranged(want))
	ours, theirs := p.ours.calls, p.theirs.calls
	if len(w.options.Targets) > 0 && what != "refresh" { // the engine asks Diff about what depends on targets, and does not mind the answer
		ours, theirs = withoutLastDiffs(ours), withoutLastDiffs(theirs)
	}
	if refused { // after the engine has asked
		y.count("refused updates")
	} else {
		fails("calls", arranged(ours), arranged(theirs))
	}
	if what == "preview" {
		return true
	}
	made := p.written(t)
	switch {
	case misnamed(made):
		y.count("the engine: what waits for its deletion, and has another name, gives that to what replaced it")
		return false
	case failed != nil && slices.ContainsFunc(got, isRelinquished):
		y.count("the engine: what a read replaces is forgotten")
		return false
	}
	fails("state", recounted(p.stack.Resources), recounted(made))
	return true
}

// followedTwice reports whether two of a state are replaced with the same.
func followedTwice(all []state.Resource) bool {
	var with []string
	for _, r := range all {
		with = append(with, r.ReplaceWith...)
	}
	slices.Sort(with)
	return len(slices.Compact(slices.Clone(with))) < len(with)
}

// misnamed reports whether the URN of something is not that of a child of its parent.
func misnamed(all []state.Resource) bool {
	return slices.ContainsFunc(all, func(r state.Resource) bool {
		begin := "urn:pulumi:test::test::"
		if r.Parent != "" {
			begin = r.Parent[:strings.LastIndex(r.Parent, "::")] + "$"
		}
		return !r.Delete && !strings.HasPrefix(r.URN, begin+r.Type+"::")
	})
}

func isRelinquished(step string) bool { return strings.HasPrefix(step, "read-replacement ") }

// replaces marks a resource to be replaced, in the state or for a run.
func (p *pair) replaces(t *rapid.T, w *world) {
	if len(p.stack.Resources) == 0 || rapid.IntRange(0, 3).Draw(t, "replace") < 3 {
		return
	}
	at := rapid.IntRange(0, len(p.stack.Resources)-1).Draw(t, "replaced")
	if r := &p.stack.Resources[at]; rapid.Bool().Draw(t, "taint") {
		r.Taint, p.snapshot.Resources[at].Taint = true, true
	} else {
		w.replaced = []string{r.URN}
	}
}

// isBetween reports whether the provider of something waits for its deletion, since it was replaced
// in a run that failed. The engine then asks DiffConfig about the provider that replaced it, and may
// leave the resource where the new one does not see it; package engine asks about the one it has.
func (p *pair) isBetween() bool {
	waits := map[string]bool{}
	for _, r := range p.stack.Resources {
		waits[r.URN+"::"+r.ID] = r.Delete && providers.IsProviderType(tokens.Type(r.Type))
	}
	return slices.ContainsFunc(p.stack.Resources, func(r state.Resource) bool { return !r.Delete && waits[r.Provider] })
}

// previews reports whether a run has a preview. If something waits for its deletion, the engine may
// delete its provider before it, and then refuses the state, which it does not see in a preview.
func (p *pair) previews(n int) bool {
	return n > 0 && !slices.ContainsFunc(p.stack.Resources, func(r state.Resource) bool { return r.Delete })
}

// written is what the engine writes.
func (p *pair) written(t *rapid.T) []state.Resource {
	made := *p.snapshot
	made.SecretsManager = engineCrypter{&crypter{}}
	return parsed(t, engineExports(t, &made, true), &crypter{})
}

// adopts has ours go on from what the engine made where it does otherwise, if that is sound.
func (p *pair) adopts(t *rapid.T, made *deploy.Snapshot) bool {
	if made == nil {
		return false
	}
	p.stack.Resources, p.stack.Pending, p.ours.made = p.written(t), nil, maps.Clone(p.theirs.made)
	ids := map[string]bool{}
	for i := range p.stack.Resources {
		r := &p.stack.Resources[i]
		r.Inputs, r.Outputs = orEmpty(r.Inputs), orEmpty(r.Outputs)
		if ids[r.ID] && r.ID != "" && !providers.IsProviderType(tokens.Type(r.Type)) { // it is there by both names
			return false
		}
		ids[r.ID] = true
	}
	return true
}

// limits draws what a run may change, and whether it continues on errors.
func (p *pair) limits(t *rapid.T, what string, w *world, things []*thing) {
	if !p.limited {
		return
	}
	isSettled := !slices.ContainsFunc(p.stack.Resources, func(r state.Resource) bool { return r.Delete || r.PendingReplacement }) &&
		!slices.ContainsFunc(things, func(x *thing) bool { return x != nil && len(x.aliases) > 0 })
	w.options.ContinueOnError = rapid.IntRange(0, 3).Draw(t, "continue") == 3 && (isSettled || what != "update") // else the engine may hang after it refuses its state
	isFirst := func(x *thing) bool { return x != nil && x.first == &yes }
	deletesFirst := slices.ContainsFunc(things, isFirst)
	for _, r := range w.diffs {
		deletesFirst = deletesFirst || r.DeleteBeforeReplace
	}
	for _, x := range things {
		if x == nil || !w.options.ContinueOnError || rapid.IntRange(0, 7).Draw(t, "fails") < 7 {
			continue
		}
		if what == "refresh" {
			w.fails["Read "+x.name] = true
		}
		if what == "destroy" || !deletesFirst { // else the engine waits forever for what is not created then
			w.fails["Delete "+x.name] = true
		}
	}

	isDeclared := func(r state.Resource) bool {
		return slices.ContainsFunc(things, func(x *thing) bool { return x != nil && x.name == nameOf(r.URN) })
	}
	undeclared := slices.ContainsFunc(p.stack.Resources, func(r state.Resource) bool { return r.Type != ownType && !isDeclared(r) })
	if rapid.IntRange(0, 2).Draw(t, "limited") < 2 || (w.options.ContinueOnError && what == "update" && undeclared) { // else the engine may panic
		return
	}
	urns := []string{"**::r1*", "urn:pulumi:test::test::pkg:index:Thing::*"}
	for _, r := range p.stack.Resources {
		urns = append(urns, r.URN)
	}
	for i, x := range things {
		if x != nil && what == "update" {
			urns = append(urns, urnOf(things, i))
		}
	}
	names := rapid.SliceOfN(rapid.SampledFrom(urns), 1, 3).Draw(t, "names")
	if dependents := rapid.Bool().Draw(t, "dependents"); rapid.Bool().Draw(t, "targets") || !isSettled { // the engine looks at one of several with a URN that is excluded
		w.options.Targets, w.options.TargetDependents = names, dependents
	} else {
		w.options.Excludes, w.options.ExcludeDependents = names, dependents
	}
}

// drawWorld draws what providers answer.
func drawWorld(t *rapid.T, things []*thing) *world {
	w := &world{diffs: map[string]provider.Response{}, fails: map[string]bool{}, wants: map[string]bool{}, gone: map[string]bool{}}
	rare := func(label string) bool { return rapid.IntRange(0, 15).Draw(t, label) == 15 }
	for _, x := range things {
		if x == nil {
			continue
		}
		r := provider.Response{Changes: rapid.SampledFrom([]rpc.DiffChanges{rpc.DiffNone, rpc.DiffSome, rpc.DiffSome, rpc.DiffUnknown}).Draw(t, "changes")}
		if r.Changes == rpc.DiffSome && rapid.Bool().Draw(t, "replaces") {
			r.Replaces, r.DeleteBeforeReplace = []string{"a"}, rapid.Bool().Draw(t, "delete first")
		}
		w.diffs[x.name] = r
		for _, method := range []string{"Create", "Update"} {
			if rare(method + " fails") {
				w.fails[method+" "+x.name] = true
			}
		}
		w.wants[x.name], w.gone[x.name] = rare("wants"), rare("gone")
	}
	return w
}

// TestTwins holds what package engine does with whole programs against the engine.
func TestTwins(t *testing.T) { holdTwins(t, false) }

var limited = flag.Bool("limited", false, "hold limited runs too")

// TestLimitedTwins is TestTwins with targets, excludes, and runs that continue on errors, of which
// docs/notes/engine.md says what is known to differ. Few others differ.
func TestLimitedTwins(t *testing.T) {
	if !*limited {
		t.Skip("without -limited")
	}
	holdTwins(t, true)
}

func holdTwins(t *testing.T, limited bool) {
	t.Helper()
	var y tally
	rapid.Check(t, func(rt *rapid.T) {
		p, v := newPair(t), varieties{renames: rapid.Bool().Draw(rt, "renames"), outside: !limited}
		p.limited = limited
		var things []*thing
		for range rapid.IntRange(1, 12).Draw(rt, "resources") {
			things = append(things, drawTwin(rt, things, len(things), v))
		}
		for n := range 3 {
			if n > 0 {
				things = editTwin(rt, things, v)
			}
			if n > 0 && rapid.IntRange(0, 3).Draw(rt, "refresh") == 3 {
				w := drawWorld(rt, things)
				p.limits(rt, "refresh", w, things)
				if !p.runs(rt, &y, "refresh", w, things) {
					return
				}
			}
			if p.isBetween() {
				y.count("between two providers")
				return
			}
			w := drawWorld(rt, things)
			p.replaces(rt, w)
			p.limits(rt, "update", w, things)
			if (p.previews(n) && !p.runs(rt, &y, "preview", w, things)) || !p.runs(rt, &y, "update", w, things) {
				return
			}
		}
		w := drawWorld(rt, things)
		p.limits(rt, "destroy", w, things)
		p.runs(rt, &y, "destroy", w, things)
	})
	y.log(t)
}
