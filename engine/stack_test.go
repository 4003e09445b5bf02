package engine_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/internal/decide"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/internal/test/cloud"
	"github.com/propalg/propalg/value"
)

// canary is in every secret of the generated programs, and of what their cloud says of
// failures.
const canary = "canary-hunter2"

// thing is a resource of a generated program.
type thing struct {
	kind      string         // "thing", "component" or "provider"
	constants map[string]int // values of inputs, by name
	refs      map[string]int // inputs that are outputs of earlier things, by name
	dependsOn []int
	parent    int   // -1: none
	provider  int   // -1: the default one
	first     *bool // deleteBeforeReplace
	ignores   bool
	replaces  bool
	isSecret  bool
	hides     bool // additionalSecretOutputs
	trigger   int  // 0: none
	with      int  // with which it is replaced; -1: none
	renamed   int  // how often it was
	retains   bool
	deleted   int    // with which it is deleted; -1: none
	reads     string // the ID of what is read, if it is not managed
	imports   bool
}

// outside are the IDs of what the cloud has before the stack.
var outside = []string{"outside 1", "outside 2"}

// drawThings draws a program: things that refer to earlier ones.
func drawThings(t *rapid.T) []*thing {
	n := rapid.IntRange(1, rapid.SampledFrom([]int{3, 8, 30}).Draw(t, "most")).Draw(t, "resources")
	things := make([]*thing, n)
	for i := range things {
		things[i] = drawThing(t, things[:i])
	}
	return things
}

func drawThing(t *rapid.T, earlier []*thing) *thing {
	of := func(kinds ...string) []int {
		all := []int{-1}
		for i, e := range earlier {
			if slices.Contains(kinds, e.kind) {
				all = append(all, i)
			}
		}
		return all
	}
	x := &thing{
		kind:      rapid.SampledFrom([]string{"thing", "thing", "thing", "thing", "thing", "component", "provider"}).Draw(t, "kind"),
		constants: map[string]int{}, refs: map[string]int{}, parent: -1, provider: -1, with: -1, deleted: -1,
	}
	rare := func(label string) bool { return rapid.IntRange(0, 5).Draw(t, label) == 5 }
	names := []string{"name", "zone", "size", "note"}
	switch x.kind {
	case "provider":
		names = []string{"region", "label"}
	case "component":
		names = []string{"size"}
	default:
		x.parent = rapid.SampledFrom(of("component")).Draw(t, "parent")
		x.provider = rapid.SampledFrom(of("provider")).Draw(t, "provider")
		x.first = rapid.SampledFrom([]*bool{nil, &no, &yes}).Draw(t, "first")
		x.with, x.trigger = rapid.SampledFrom(append(of("thing"), -1, -1)).Draw(t, "with"), rapid.IntRange(0, 1).Draw(t, "trigger")
		x.ignores, x.replaces, x.retains = rare("ignores"), rare("replaces"), rare("retains")
		x.deleted = rapid.SampledFrom(append(of("thing", "component"), -1, -1)).Draw(t, "deleted with")
		switch {
		case rare("reads"):
			x.reads, x.provider, names = rapid.SampledFrom(outside).Draw(t, "ID"), -1, nil
		case rare("imports"): // what is imported cannot be replaced
			x.imports, x.provider, x.with, x.trigger, x.replaces, names = true, -1, -1, 0, false, []string{"size", "note"}
		}
	}
	x.isSecret, x.hides = rapid.Bool().Draw(t, "secret"), rapid.Bool().Draw(t, "hides")
	for _, name := range names {
		at := rapid.SampledFrom(of("thing")).Draw(t, name)
		switch {
		case at >= 0 && rapid.Bool().Draw(t, "refers"):
			x.refs[name] = at
		case rapid.Bool().Draw(t, "has "+name):
			x.constants[name] = rapid.IntRange(1, 3).Draw(t, "value")
		}
	}
	if at := rapid.SampledFrom(of("thing", "component")).Draw(t, "depends on"); at >= 0 {
		x.dependsOn = []int{at}
	}
	return x
}

// edit returns the program with other values, without some things, and with others.
func edit(t *rapid.T, things []*thing) []*thing {
	var edited []*thing
	at := map[int]int{-1: -1}
	for i, old := range things {
		if old == nil {
			edited = append(edited, nil)
			continue
		}
		x := *old
		isLost := func(j int) bool { _, ok := at[j]; return !ok }
		x.refs, x.constants, x.dependsOn = map[string]int{}, maps.Clone(old.constants), nil
		for name, j := range old.refs {
			if isLost(j) {
				x.constants[name] = 1
			} else {
				x.refs[name] = at[j]
			}
		}
		for _, j := range old.dependsOn {
			if !isLost(j) {
				x.dependsOn = append(x.dependsOn, at[j])
			}
		}
		if isLost(old.parent) || isLost(old.provider) || rapid.IntRange(0, 5).Draw(t, "removed") == 5 {
			edited = append(edited, nil) // keeps the names of the others
			continue
		}
		x.parent, x.provider, x.with, x.deleted = at[old.parent], at[old.provider], -1, -1
		if !isLost(old.with) {
			x.with = at[old.with]
		}
		if !isLost(old.deleted) {
			x.deleted = at[old.deleted]
		}
		if x.kind == "thing" && !x.imports && x.provider < 0 && rapid.IntRange(0, 5).Draw(t, "reads") == 5 {
			x.reads, x.refs = rapid.SampledFrom(append([]string{""}, outside...)).Draw(t, "ID"), map[string]int{}
		}
		// Engines do not replace what a provider has made that is renamed and replaced.
		if x.kind != "provider" && rapid.IntRange(0, 5).Draw(t, "renamed") == 5 {
			x.renamed++
		}
		if rapid.IntRange(0, 5).Draw(t, "retains") == 5 {
			x.retains = !x.retains
		}
		if x.trigger > 0 && rapid.IntRange(0, 5).Draw(t, "triggered") == 5 {
			x.trigger++
		}
		for _, name := range slices.Sorted(maps.Keys(x.constants)) {
			if rapid.IntRange(0, 3).Draw(t, "changed") == 3 {
				x.constants[name] = rapid.IntRange(1, 3).Draw(t, "value")
			}
		}
		at[i] = len(edited)
		edited = append(edited, &x)
	}
	return edited
}

func nameOf(i int) string { return fmt.Sprintf("r%d", i) }

// idOf returns the ID by which a thing is imported.
func idOf(i int) string { return fmt.Sprintf("imported %d", i) }

// program returns things as a program.
func program(things []*thing) engine.Program {
	p := engine.Program{Stack: "dev", Project: "shop", Defaults: map[string]value.Value{
		"demo": value.Object(value.Field("label", value.Secret(value.String(canary)))),
	}}
	nameOf := func(i int) string { return nameOf(i) + strings.Repeat("x", things[i].renamed) }
	for i, x := range things {
		if x == nil {
			continue
		}
		g := engine.Goal{Type: "demo:index:Thing", Name: nameOf(i), DeleteBeforeReplace: x.first}
		for n := range x.renamed {
			g.Aliases = append(g.Aliases, engine.Alias{Name: g.Name[:len(g.Name)-1-n]})
		}
		if g.RetainOnDelete, g.ReadID = x.retains, x.reads; x.imports {
			g.ImportID = idOf(i)
		}
		if x.deleted >= 0 {
			g.DeletedWith = nameOf(x.deleted)
		}
		if x.with >= 0 {
			g.ReplaceWith = []string{nameOf(x.with)}
		}
		if x.trigger > 0 {
			g.ReplacementTrigger = value.Number(float64(x.trigger))
		}
		switch x.kind {
		case "component":
			g.Type, g.Component = "demo:index:Group", true
		case "provider":
			g.Type = "pulumi:providers:demo"
		}
		if x.parent >= 0 {
			g.Parent = nameOf(x.parent)
		}
		if x.provider >= 0 {
			g.Provider = nameOf(x.provider)
		}
		for _, j := range x.dependsOn {
			g.DependsOn = append(g.DependsOn, nameOf(j))
		}
		if x.hides {
			g.AdditionalSecretOutputs = []string{"arn", "id"}
		}
		if x.ignores {
			g.IgnoreChanges = []string{"size"}
		}
		if x.replaces {
			g.ReplaceOnChanges = []string{"note"}
		}
		g.Compute = func(output func(resource, property string) value.Value) value.Value {
			var members []value.Member
			for name, v := range x.constants {
				member := value.String(fmt.Sprint(name, "-", v))
				if name == "size" {
					member = value.Number(float64(v))
				}
				if x.isSecret && (name == "note" || name == "label") {
					member = value.Secret(value.String(fmt.Sprint(canary, v)))
				}
				members = append(members, value.Field(name, member))
			}
			for name, j := range x.refs {
				members = append(members, value.Field(name, output(nameOf(j), map[string]string{"note": "revision"}[name]+map[bool]string{true: "arn"}[name != "note"])))
			}
			return value.Object(members...)
		}
		p.Resources = append(p.Resources, g)
	}
	return p
}

// world is a stack and the cloud that it is in.
type world struct {
	t     *rapid.T
	cloud *cloud.Cloud
	kept  map[string]bool // the names of what may stay in the cloud
	engine.Stack
}

func newWorld(t *rapid.T) *world {
	w := &world{t: t, cloud: &cloud.Cloud{Records: map[string]cloud.Record{}}, kept: map[string]bool{}}
	there := cloud.Record{Inputs: value.Object(value.Field("size", value.Number(1)), value.Field("tier", value.String("free")))}
	for _, id := range outside {
		w.cloud.Records[id] = there
	}
	for i := range 30 {
		w.cloud.Records[idOf(i)] = there
	}
	w.Launch = func(context.Context, engine.Plugin) (rpc.Provider, error) { return w.cloud.New(), nil }
	return w
}

// program returns things as a program, and notes what of them may stay in the cloud.
func (w *world) program(things []*thing) engine.Program {
	for i, x := range things {
		if x != nil && (x.retains || x.deleted >= 0) {
			w.kept[nameOf(i)] = true
		}
	}
	return program(things)
}

// do does a run that must succeed, and holds every action against what has to be true of
// each.
func (w *world) do(run iter.Seq2[engine.Action, error]) []engine.Action {
	actions, err := w.try(run, -1)
	if err != nil {
		w.t.Fatalf("the run fails: %v", err)
	}
	return actions
}

// errKilled is the error of a run that was left.
var errKilled = errors.New("killed")

// try does a run, and leaves it after a number of actions.
func (w *world) try(run iter.Seq2[engine.Action, error], most int) (actions []engine.Action, failed error) {
	for a, err := range run {
		if err != nil {
			failed = err
		}
		actions = append(actions, a)
		w.holds(a, err)
		if len(actions) == most {
			return actions, errKilled
		}
	}
	return actions, failed
}

// holds fails if the state is not one that engines accept, or if a text shows a secret.
func (w *world) holds(a engine.Action, err error) {
	for _, text := range []string{a.String(), fmt.Sprint(err), fmt.Sprintf("%+v %#v", a, a), fmt.Sprint(a.Calls)} {
		if strings.Contains(text, canary) {
			w.t.Fatalf("a secret is shown: %s", text)
		}
	}
	resources, pending := w.State()
	seen, references := map[string]bool{}, map[string]bool{}
	for _, r := range resources {
		needs := append(slices.Clone(r.Dependencies), append(r.ReplaceWith, r.Parent, r.DeletedWith)...)
		for _, urns := range r.PropertyDependencies {
			needs = append(needs, urns...)
		}
		for _, u := range needs {
			if u != "" && !seen[u] {
				w.t.Fatalf("after %v, %s is before %s, on which it depends", a, r.URN, u)
			}
		}
		if r.Provider != "" && !references[r.Provider] && !r.PendingReplacement {
			w.t.Fatalf("after %v, %s has no provider %s before it", a, r.URN, r.Provider)
		}
		if r.Custom && r.ID == "" {
			w.t.Fatalf("after %v, %s has no ID", a, r.URN)
		}
		if seen[r.URN] && !r.Delete {
			w.t.Fatalf("after %v, %s is there twice", a, r.URN)
		}
		seen[r.URN], references[r.URN+"::"+r.ID] = true, true
	}
	if len(pending) > 0 && a.Op != "pending" {
		w.t.Fatalf("after %v, operations are pending", a)
	}
}

// settled fails if the cloud does not have what the state has, or if another update would
// do something.
func (w *world) settled(p engine.Program) {
	for _, r := range w.Resources {
		if r.Delete || r.PendingReplacement || len(r.InitErrors) > 0 {
			w.t.Fatalf("%s is not done", r.URN)
		}
		if r.Type == "demo:index:Thing" && !r.External {
			if record, ok := w.cloud.Records[r.ID]; !ok || !record.Inputs.Equal(r.Inputs) {
				w.t.Fatalf("%s is not in the cloud as it is in the state", r.URN)
			}
		}
	}
	w.loses("an update")
	before := w.normal()
	for _, a := range w.do(w.Update(context.Background(), p)) {
		if a.Op != engine.OpSame && a.Op != "read" && (a.Op != "refresh" || a.Why != decide.BecauseSame) {
			w.t.Fatalf("a second update: %v", a)
		}
	}
	for _, a := range w.do(w.Refresh(context.Background())) {
		if a.Why != decide.BecauseSame {
			w.t.Fatalf("a refresh: %v", a)
		}
	}
	equal(w.t, "another update and a refresh", before, w.normal())
}

// loses fails if the cloud has what the stack has made, and neither manages nor left there.
func (w *world) loses(what string) {
	for id, record := range w.cloud.Records {
		isManaged := slices.ContainsFunc(w.Resources, func(r state.Resource) bool { return r.ID == id && !r.External })
		name := record.URN[strings.LastIndex(record.URN, ":")+1:]
		if !isManaged && record.URN != "" && !w.kept[strings.TrimRight(name, "x")] {
			w.t.Fatalf("%s loses %s, %s", what, id, record.URN)
		}
	}
}

// normal returns the state as lines without the IDs, which depend on what failed.
func (w *world) normal() []string {
	var lines []string
	var ids []string
	for _, r := range w.Resources {
		if r.Custom {
			ids = append(ids, r.ID, "ID of "+r.URN)
		}
	}
	replaced := strings.NewReplacer(ids...)
	for _, r := range w.Resources {
		if r.External { // a refresh writes those that it reads
			r.Inputs, r.RefreshBeforeUpdate = value.Null(), false
		}
		texts, err := state.EncodeBags([]value.Value{r.Inputs, r.Outputs}, nil, codec.Options{})
		if err != nil {
			w.t.Fatal(err)
		}
		lines = append(lines, replaced.Replace(fmt.Sprint(r.URN, r.ID, r.Parent, r.Provider, r.Dependencies, r.PropertyDependencies, r.Protect, r.External, r.RefreshBeforeUpdate,
			r.RetainOnDelete, r.DeletedWith, r.ReplaceWith, r.ImportID, r.IgnoreChanges, r.ReplaceOnChanges, string(texts[0]), string(texts[1]))))
	}
	return lines
}

// equal fails if two states differ, with the first line that does.
func equal(t *rapid.T, what string, want, got []string) {
	for i := range max(len(want), len(got)) {
		if i >= len(want) || i >= len(got) || want[i] != got[i] {
			t.Fatalf("%s: %d and %d resources\n%s\n%s", what, len(want), len(got), strings.Join(want[min(i, len(want)):min(i+1, len(want))], ""), strings.Join(got[min(i, len(got)):min(i+1, len(got))], ""))
		}
	}
}

// rank orders operations by how much they do.
var rank = map[engine.Op]int{"same": 0, "update": 1, "create": 2, "delete": 2, "create-replacement": 2, "delete-replaced": 2, "remove-pending-replace": 2, "import": 2, "read-replacement": 2, "discard": 2, "discard-replaced": 2}

// TestPreviews holds that an update does what its preview foretells, or less, since more is
// known.
func TestPreviews(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		things := drawThings(t)
		for range 3 {
			p := w.program(things)
			before, calls := slices.Clone(w.Resources), len(w.cloud.Records)
			foretold := map[string][]engine.Op{}
			most, isOpen := map[string]int{}, false
			for _, a := range w.do(w.Preview(context.Background(), p)) {
				foretold[a.URN] = append(foretold[a.URN], a.Op)
				most[a.URN] = max(most[a.URN], rank[a.Op])
				isOpen = isOpen || a.Why == decide.BecauseUnavailable // engines warn that it may be another step
			}
			if len(before) != len(w.Resources) || len(w.cloud.Records) != calls {
				t.Fatal("a preview has changed something")
			}
			for _, a := range w.do(w.Update(context.Background(), p)) {
				isForetold := slices.Contains(foretold[a.URN], a.Op) || (a.Op == engine.OpDelete && slices.Contains(foretold[a.URN], "delete-replaced"))
				if isOpen {
					continue
				}
				if rank[a.Op] > most[a.URN] || (rank[a.Op] == 2 && !isForetold) {
					t.Fatalf("foretold %v, done %v", foretold[a.URN], a)
				}
			}
			w.settled(p)
			things = edit(t, things)
		}
	})
}

// TestDestroy holds that nothing is left, and that what depends on something is deleted
// before it.
func TestDestroy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		things := drawThings(t)
		w.do(w.Update(context.Background(), w.program(things)))
		w.ordered(w.Update(context.Background(), w.program(edit(t, things))))
		w.ordered(w.Destroy(context.Background()))
		if len(w.Resources) != 0 {
			t.Fatalf("left: %v", w.Resources)
		}
		w.loses("a destruction")
	})
}

// ordered does a run, and fails if it deletes for good what something in the state
// depends on.
func (w *world) ordered(run iter.Seq2[engine.Action, error]) {
	for a, err := range run {
		if err != nil {
			w.t.Fatal(err)
		}
		if a.Op != engine.OpDelete {
			continue
		}
		resources, _ := w.State()
		for _, r := range resources {
			if slices.Contains(r.Dependencies, a.URN) || r.Parent == a.URN || strings.HasPrefix(r.Provider, a.URN+"::") {
				w.t.Fatalf("%v, on which %s depends", a, r.URN)
			}
		}
	}
}

// TestCrashes holds that any number of crashes between actions, and of calls that fail, each
// followed by another run, end in the state of a run without.
func TestCrashes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, plain := newWorld(t), newWorld(t)
		wants := rapid.Bool().Draw(t, "refresh before updates")
		w.cloud.Wants, plain.cloud.Wants = wants, wants
		first := drawThings(t)
		for _, x := range first {
			x.ignores = false // the state would depend on what was there before
		}
		second := edit(t, first)
		for _, things := range [][]*thing{first, second} {
			p := w.program(things)
			plain.do(plain.Update(context.Background(), p))
			for range rapid.IntRange(0, 4).Draw(t, "crashes") {
				w.crash(p)
			}
			if rapid.Bool().Draw(t, "refresh") {
				w.do(w.Refresh(context.Background()))
			}
		}
		p := program(second)
		w.do(w.Update(context.Background(), p))
		equal(t, "without and with crashes", plain.normal(), w.normal())
		w.settled(p)
	})
}

// crash does a run that is left after some actions, or in which a call fails.
func (w *world) crash(p engine.Program) {
	at, secret := rapid.IntRange(1, 60).Draw(w.t, "crash at"), canary
	w.Options.ContinueOnError = rapid.Bool().Draw(w.t, "continue on error")
	if names := rapid.SampledFrom([]string{"", "", "**::r0*", "**::r1*", "**::r2*", "**Thing::*"}).Draw(w.t, "limited to"); names != "" {
		dependents := rapid.Bool().Draw(w.t, "with dependents")
		if rapid.Bool().Draw(w.t, "targets") {
			w.Options.Targets, w.Options.TargetDependents = []string{names}, dependents
		} else {
			w.Options.Excludes, w.Options.ExcludeDependents = []string{names}, dependents
		}
	}
	defer func() { w.Options = engine.Options{} }()
	run := w.Update(context.Background(), p)
	imports := slices.ContainsFunc(p.Resources, func(g engine.Goal) bool { return g.ImportID != "" }) // which are not there after it
	if rapid.IntRange(0, 5).Draw(w.t, "destroy") == 5 && !imports {
		run, secret = w.Destroy(context.Background()), "" // which knows no secrets but those of the state
	}
	if rapid.Bool().Draw(w.t, "a call fails") {
		begin := w.cloud.Calls
		w.cloud.Fail = func(method, u string) error {
			if w.cloud.Calls-begin >= at {
				w.cloud.Fail = nil
				return fmt.Errorf("%s of %s fails for %s", method, u, secret)
			}
			return nil
		}
		at = -1
	}
	_, _ = w.try(run, at)
	w.cloud.Fail = nil
}
