package stack_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/blang/semver"
	pulumiengine "github.com/pulumi/pulumi/pkg/v3/engine"
	lt "github.com/pulumi/pulumi/pkg/v3/engine/lifecycletest/framework"
	"github.com/pulumi/pulumi/pkg/v3/resource/deploy"
	"github.com/pulumi/pulumi/pkg/v3/resource/deploy/deploytest"
	"github.com/pulumi/pulumi/pkg/v3/resource/plugin"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/interop/pulumi"
	"github.com/propalg/propalg/value"
)

// programInputs draws inputs as programs have them.
func programInputs(unknowns bool) *rapid.Generator[value.Value] {
	var at func(levels int) *rapid.Generator[value.Value]
	at = func(levels int) *rapid.Generator[value.Value] {
		return rapid.Custom(func(t *rapid.T) value.Value {
			most := 7
			if levels == 0 {
				most = 4
			}
			switch kind := rapid.IntRange(0, most).Draw(t, "kind"); {
			case kind == 2 && unknowns:
				return value.Unknown()
			case kind == 3:
				return value.Secret(value.Number(float64(rapid.IntRange(1, 2).Draw(t, "secret"))))
			case kind == 4 && unknowns:
				return value.Secret(value.Unknown())
			case kind == 5:
				return value.Null()
			case kind == 6:
				return value.Array(rapid.SliceOfN(at(levels-1), 0, 2).Draw(t, "elements")...)
			case kind == 7:
				return value.ObjectFromMap(rapid.MapOfN(rapid.SampledFrom([]string{"a", "b"}), at(levels-1), 0, 2).Draw(t, "members"))
			default:
				return value.Number(float64(rapid.IntRange(1, 2).Draw(t, "number")))
			}
		})
	}
	return rapid.Custom(func(t *rapid.T) value.Value {
		return value.ObjectFromMap(rapid.MapOfN(rapid.SampledFrom([]string{"a", "b"}), at(2), 1, 2).Draw(t, "inputs"))
	})
}

// planned runs a program under the plan of another one.
func (r *inProcess) planned(t rapid.TB, seen, before *deploy.Snapshot, promised, now registration) error {
	run := func(program registration) lt.TestUpdateOptions {
		loader := deploytest.NewProviderLoader("pkg", semver.MustParse("1.0.0"), func() (plugin.Provider, error) {
			p := r.provider
			return &p, nil
		})
		language := deploytest.NewLanguageRuntimeF(func(_ plugin.RunInfo, monitor *deploytest.ResourceMonitor) error { return program(monitor) })
		return lt.TestUpdateOptions{T: quiet{r.t}, SkipDisplayTests: true, HostF: deploytest.NewPluginHostF(nil, nil, language, nil, nil, loader)}
	}
	options := run(promised)
	options.GeneratePlan = true
	plan, err := lt.TestOp(pulumiengine.Update).Plan(r.plan.GetProject(), r.plan.GetTarget(r.t, seen), options, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	options = run(now)
	options.Plan = plan
	_, err = lt.TestOp(pulumiengine.Update).RunStep(r.plan.GetProject(), r.plan.GetTarget(r.t, before), options, false, nil, nil, "1")
	return err
}

// The reasons for which the engine and Within differ. The engine compares what changes at each
// name of the inputs with what the plan has for that name.
const (
	marked   = "a value that came is secret, and the promised one was not: the engine refuses it"
	leftOut  = "a secret unknown came as nothing: the engine admits that of unknowns that are not secret only"
	drifted  = "the state has changed since the preview: the engine refuses a promised value if it is no longer the same kind of change"
	unsaid   = "the state has changed since the preview, where the plan changes nothing: the engine lets it stay"
	removals = "a promised removal did not come, and nothing else changed: the engine does not look for it"
)

// promise is an update, and what was promised when the inputs were those that the preview saw.
type promise struct{ seen, old, now, promised value.Value }

// difference holds the update to the plan, and says why the engine and Within differ, if they do.
func (r *inProcess) difference(t rapid.TB, p promise) (reason string, refused bool) {
	seen := r.made(withInputs(p.seen))
	before := seen
	isDrifted := !p.seen.Equal(p.old)
	if isDrifted {
		did := r.run(pulumiengine.Update, seen, false, withInputs(p.old))
		if did.err != nil {
			t.Fatal(did.err)
		}
		before = did.snapshot
	}
	err := r.planned(t, seen, before, withInputs(p.promised), withInputs(p.now))
	if err != nil && !strings.Contains(err.Error(), "violates plan: properties changed") {
		t.Fatal(err)
	}

	found := diff.Within(p.old, p.now, p.promised, diff.Options{Relation: value.Engine})
	refused = err != nil
	all := func(is func(diff.Breach) bool) bool {
		return !slices.ContainsFunc(found, func(b diff.Breach) bool { return !is(b) })
	}
	isMissing := all(func(b diff.Breach) bool { return b.Kind() == diff.BreachMissing })
	isRemoval := all(func(b diff.Breach) bool { _, ok := b.Promised(); return !ok && b.Path().Len() == 1 })
	switch {
	case refused == (len(found) > 0):
		return "", refused
	case refused && isDrifted:
		return drifted, true
	case refused && p.marked():
		return marked, true
	case refused && p.leftOut():
		return leftOut, true
	case !refused && isDrifted && isMissing:
		return unsaid, false
	case !refused && isMissing && isRemoval && value.Engine.Equal(p.old, p.now):
		return removals, false
	}
	t.Fatalf("no reason: the engine says %v, %v\nseen %s\nold %s\nnow %s\npromised %s", err, found,
		fuzz.GoSource(p.seen), fuzz.GoSource(p.old), fuzz.GoSource(p.now), fuzz.GoSource(p.promised))
	return "", false
}

func (p promise) marked() bool {
	for c := range p.now.Walk() {
		if promised, ok := p.promised.At(c.Path()); ok && !promised.IsUnknown() && c.Value().IsSecret() && !promised.IsSecret() {
			return true
		}
	}
	return false
}

func (p promise) leftOut() bool {
	for c := range p.promised.Walk() {
		if now, _ := p.now.At(c.Path()); now.IsNull() && c.Value().IsUnknown() && c.Value().IsSecret() {
			return true
		}
	}
	return false
}

// promiseKeeper is a run in which inputs become the state.
func promiseKeeper(t *testing.T) *inProcess {
	t.Helper()
	return &inProcess{t: t, provider: deploytest.Provider{
		CreateF: creates,
		DiffF: func(_ context.Context, q plugin.DiffRequest) (plugin.DiffResult, error) {
			if q.NewInputs.DeepEquals(q.OldInputs) {
				return plugin.DiffResult{Changes: plugin.DiffNone}, nil
			}
			return plugin.DiffResult{Changes: plugin.DiffSome}, nil
		},
	}}
}

// withInputs registers a resource.
func withInputs(inputs value.Value) registration {
	return func(monitor *deploytest.ResourceMonitor) error {
		props, err := pulumi.ToPropertyMap(inputs)
		if err != nil {
			return err
		}
		_, err = monitor.RegisterResource(thingType, "r", true, deploytest.ResourceOptions{Inputs: props})
		return err
	}
}

// TestPromisesOfTheEngine lets the engine hold updates to plans. What it refuses are the
// breaches of the inputs, or there is a reason.
func TestPromisesOfTheEngine(t *testing.T) {
	r, counts := promiseKeeper(t), map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		p := promise{seen: programInputs(false).Draw(t, "seen"), promised: programInputs(true).Draw(t, "promised")}
		p.old, p.now = p.seen, programInputs(false).Draw(t, "now")
		if rapid.Bool().Draw(t, "as promised") {
			p.now = settled(t, p.promised)
		}
		if rapid.IntRange(0, 3).Draw(t, "drifted") == 0 {
			p.old = programInputs(false).Draw(t, "drift")
		}
		reason, refused := r.difference(t, p)
		counts[fmt.Sprint("refused: ", refused, " ", reason)]++
	})
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		t.Log(counts[key], key)
	}
	if counts["refused: true "] < 10 || counts["refused: false "] < 10 {
		t.Error("the two agree too seldom")
	}
}

// TestDifferentPromises has an example of each reason.
func TestDifferentPromises(t *testing.T) {
	r := promiseKeeper(t)
	one, two, hidden := value.Number(1), value.Number(2), value.Secret(value.Unknown())
	a := func(v value.Value) value.Value { return value.Object(value.Field("a", v)) }
	none := value.Object()
	for i, c := range []struct {
		promise
		reason string
		refuse bool
	}{
		{promise{a(one), a(one), a(two), a(two)}, "", false},
		{promise{a(one), a(one), a(two), a(value.Unknown())}, "", false},
		{promise{a(one), a(one), none, a(value.Unknown())}, "", false},
		{promise{a(one), a(one), a(one), a(two)}, "", true},
		{promise{a(one), a(one), a(two), a(one)}, "", true},
		{promise{a(one), a(one), a(two), a(value.Secret(two))}, "", true},
		{promise{a(one), a(one), a(value.Array(one, two)), a(value.Array(value.Unknown()))}, "", true}, // pulumi#13765
		{promise{a(one), a(one), a(value.Secret(two)), a(two)}, marked, true},
		{promise{a(one), a(one), none, a(hidden)}, leftOut, true},
		{promise{a(one), none, a(two), a(two)}, drifted, true},
		{promise{a(one), a(two), a(two), a(one)}, unsaid, false},
		{promise{a(one), a(one), a(one), none}, removals, false},
	} {
		if reason, refused := r.difference(t, c.promise); reason != c.reason || refused != c.refuse {
			t.Errorf("row %d: refused %v, %q", i, refused, reason)
		}
	}
}

// settled fills in unknowns, some with nothing.
func settled(t *rapid.T, v value.Value) value.Value {
	v, err := v.Transform(func(c *value.Cursor) (value.Value, error) {
		if !c.Value().IsUnknown() {
			return c.Value(), nil
		}
		if step, ok := c.Step(); ok && step.IsKey() && rapid.Bool().Draw(t, "nothing") {
			c.Remove()
			return c.Value(), nil
		}
		return value.Number(float64(rapid.IntRange(1, 2).Draw(t, "filling"))), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return v
}
