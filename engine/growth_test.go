package engine_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/value"
)

// quick is a provider that does next to nothing: the ID of a resource is its name, and its
// state is its inputs.
type quick struct {
	rpc.Provider
	lost bool // Read finds nothing
}

func (quick) Handshake(context.Context, *rpc.ProviderHandshakeRequest) (*rpc.ProviderHandshakeResponse, error) {
	return &rpc.ProviderHandshakeResponse{AcceptSecrets: true, AcceptResources: true}, nil
}

func (quick) CheckConfig(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	return &rpc.CheckResponse{Inputs: r.News}, nil
}

func (quick) DiffConfig(_ context.Context, _ *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	return &rpc.DiffResponse{Changes: rpc.DiffNone}, nil
}

func (quick) Configure(context.Context, *rpc.ConfigureRequest) (*rpc.ConfigureResponse, error) {
	return &rpc.ConfigureResponse{AcceptSecrets: true}, nil
}

func (quick) Check(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	return &rpc.CheckResponse{Inputs: r.News}, nil
}

// Diff updates another "size", replaces another "name", and deletes first what has another "zone".
func (quick) Diff(_ context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	response := &rpc.DiffResponse{Changes: rpc.DiffNone}
	for _, name := range []string{"size", "name", "zone"} {
		if r.OldInputs.Field(name).Equal(r.News.Field(name)) {
			continue
		}
		response.Changes = rpc.DiffSome
		response.Diffs = append(response.Diffs, name)
		if name != "size" {
			response.Replaces = append(response.Replaces, name)
			response.DeleteBeforeReplace = name == "zone"
		}
	}
	return response, nil
}

func (quick) Create(_ context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	return &rpc.CreateResponse{ID: r.Name, Properties: r.Properties}, nil
}

func (q quick) Read(_ context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
	if q.lost {
		return &rpc.ReadResponse{}, nil
	}
	inputs := r.Inputs
	if inputs.IsNull() {
		inputs = value.Object()
	}
	return &rpc.ReadResponse{ID: r.ID, Inputs: inputs, Properties: inputs}, nil
}

func (quick) Update(_ context.Context, r *rpc.UpdateRequest) (*rpc.UpdateResponse, error) {
	return &rpc.UpdateResponse{Properties: r.News}, nil
}

func (quick) Delete(context.Context, *rpc.DeleteRequest) (*rpc.Empty, error) {
	return &rpc.Empty{}, nil
}

func (quick) Cancel(context.Context, *rpc.Empty) (*rpc.Empty, error) { return &rpc.Empty{}, nil }

func quickStack(lost bool) *engine.Stack {
	return &engine.Stack{Launch: func(context.Context, engine.Plugin) (rpc.Provider, error) { return quick{lost: lost}, nil }}
}

// many returns n resources with one property.
func many(n int, name, text string) []engine.Goal {
	goals := make([]engine.Goal, n)
	for i := range goals {
		goals[i] = engine.Goal{Type: "demo:index:Thing", Name: fmt.Sprint("r", i), Inputs: value.Object(value.Field(name, value.String(text)))}
	}
	return goals
}

// dependent returns a resource, and n others that depend on it.
func dependent(n int, zone string) []engine.Goal {
	goals := append(many(1, "zone", zone), many(n, "", "")[1:]...)
	for i := range goals[1:] {
		goals[i+1].Compute = func(output func(resource, property string) value.Value) value.Value {
			return value.Object(value.Field("zone", output("r0", "zone")))
		}
	}
	return goals
}

// depending returns n resources, and one that depends on all of them.
func depending(n int, zone string) []engine.Goal {
	goals := many(n, "zone", zone)
	last := engine.Goal{Type: "demo:index:Thing", Name: "last"}
	for _, g := range goals {
		last.DependsOn = append(last.DependsOn, g.Name)
	}
	return append(goals, last)
}

// provided returns n providers, each with a resource.
func provided(n int, label string) []engine.Goal {
	var goals []engine.Goal
	for i, g := range many(n, "size", label) {
		p := engine.Goal{Type: "pulumi:providers:demo", Name: fmt.Sprint("p", i), Inputs: value.Object(value.Field("label", value.String(label)))}
		g.Provider = p.Name
		goals = append(goals, p, g)
	}
	return goals
}

// growing is a run whose cost has to grow with the number of resources, and no faster.
type growing struct {
	before []engine.Goal // the program of the run before
	run    func(*engine.Stack) iter.Seq2[engine.Action, error]
}

func grown(n int) map[string]growing {
	ctx := context.Background()
	to := func(goals []engine.Goal) func(*engine.Stack) iter.Seq2[engine.Action, error] {
		return func(s *engine.Stack) iter.Seq2[engine.Action, error] { return s.Update(ctx, of(goals...)) }
	}
	reversed := many(n, "size", "2")
	slices.Reverse(reversed)
	imported := many(n, "size", "1")
	for i := range imported {
		imported[i].ImportID = imported[i].Name
	}
	refresh := func(s *engine.Stack) iter.Seq2[engine.Action, error] { return s.Refresh(ctx) }
	gone := func(s *engine.Stack) iter.Seq2[engine.Action, error] {
		s.Launch = quickStack(true).Launch
		return s.Refresh(ctx)
	}
	return map[string]growing{
		"create": {nil, to(many(n, "size", "1"))},
		"preview": {nil, func(s *engine.Stack) iter.Seq2[engine.Action, error] {
			return s.Preview(ctx, of(many(n, "size", "1")...))
		}},
		"same":                       {many(n, "size", "1"), to(many(n, "size", "1"))},
		"update":                     {many(n, "size", "1"), to(many(n, "size", "2"))},
		"update in another order":    {many(n, "size", "1"), to(reversed)},
		"replace":                    {many(n, "name", "1"), to(many(n, "name", "2"))},
		"replace, deleting first":    {many(n, "zone", "1"), to(many(n, "zone", "2"))},
		"replace with dependents":    {dependent(n, "1"), to(dependent(n, "2"))},
		"replace what one needs":     {depending(n, "1"), to(depending(n, "2"))},
		"delete":                     {many(n, "size", "1"), to(nil)},
		"destroy":                    {dependent(n, "1"), func(s *engine.Stack) iter.Seq2[engine.Action, error] { return s.Destroy(ctx) }},
		"refresh":                    {many(n, "size", "1"), refresh},
		"refresh of what is gone":    {dependent(n, "1"), gone},
		"refresh of what one needed": {depending(n, "1"), gone},
		"import": {many(n, "name", "1"), func(s *engine.Stack) iter.Seq2[engine.Action, error] {
			s.Resources = nil
			return s.Import(ctx, of(imported...))
		}},
		"providers":                 {nil, to(provided(n/2, "1"))},
		"update of providers":       {provided(n/2, "1"), to(provided(n/2, "2"))},
		"refresh of many providers": {provided(n/2, "1"), refresh},
	}
}

// TestGrowth holds that runs take memory and time in proportion to the number of resources.
func TestGrowth(t *testing.T) {
	const few = 1000
	rows := map[int]map[string]growing{few: grown(few), 4 * few: grown(4 * few)}
	for name := range rows[few] {
		t.Run(name, func(t *testing.T) {
			_, large := kit.Grows(t, name, few, func(n int) func() {
				row, before := rows[n][name], quickStack(false)
				taken(t, before.Update(context.Background(), of(row.before...)))
				return func() {
					s := quickStack(false)
					s.Resources = before.Resources
					taken(t, row.run(s))
				}
			})
			if name == "create" && large.Bytes > 4*few*10_000 { // 100,000 take less than a gigabyte
				t.Errorf("%d resources take %d bytes", 4*few, large.Bytes)
			}
		})
	}
}

const firstURN = "urn:pulumi:dev::shop::demo:index:Thing::r0"

// waiting returns a state in which n more records of r0 wait for their deletion, before it.
func waiting(all []state.Resource, n int) []state.Resource {
	at := slices.IndexFunc(all, func(r state.Resource) bool { return r.URN == firstURN })
	old := all[at]
	old.Delete = true
	return slices.Insert(all, at, slices.Repeat([]state.Resource{old}, n)...)
}

// grownWaiting are runs of a state with n resources and as many records of the first that wait for
// their deletion.
func grownWaiting(n int) map[string]growing {
	ctx := context.Background()
	limited := func(o engine.Options, goals ...engine.Goal) func(*engine.Stack) iter.Seq2[engine.Action, error] {
		return func(s *engine.Stack) iter.Seq2[engine.Action, error] {
			s.Options = o
			return s.Update(ctx, of(goals...))
		}
	}
	alone, depend := many(n, "size", "1"), dependent(n, "1")
	chain := dependent(n, "1")
	chain[0].Compute = func(output func(resource, property string) value.Value) value.Value {
		return value.Object(value.Field("zone", output("root", "zone")))
	}
	root := func(zone string) []engine.Goal {
		return append([]engine.Goal{{Type: "demo:index:Thing", Name: "root", Inputs: value.Object(value.Field("zone", value.String(zone)))}}, chain...)
	}
	second := engine.Options{Targets: []string{"urn:pulumi:dev::shop::demo:index:Thing::r1"}}
	return map[string]growing{
		"of a target":          {depend, limited(engine.Options{Targets: []string{firstURN}, TargetDependents: true}, depend[0])},
		"of what is no target": {alone, limited(second, alone[1])},
		"of what is excluded": {depend, func(s *engine.Stack) iter.Seq2[engine.Action, error] {
			s.Options.Excludes = []string{"**"}
			return s.Destroy(ctx)
		}},
		"of what is replaced": {root("1"), limited(engine.Options{}, root("2")...)},
		"on errors":           {depend, limited(engine.Options{ContinueOnError: true}, depend...)},
		"refresh of what is gone": {depend, func(s *engine.Stack) iter.Seq2[engine.Action, error] {
			s.Launch = quickStack(true).Launch
			return s.Refresh(ctx)
		}},
	}
}

// TestGrowthOfWaiting holds the same where one resource has very many records in the state.
func TestGrowthOfWaiting(t *testing.T) {
	const few = 2000
	for name := range grownWaiting(few) {
		t.Run(name, func(t *testing.T) {
			kit.Grows(t, name, few, func(n int) func() {
				row, before := grownWaiting(n)[name], quickStack(false)
				taken(t, before.Update(context.Background(), of(row.before...)))
				all := waiting(before.Resources, n)
				return func() {
					s := quickStack(false)
					s.Resources = slices.Clone(all)
					taken(t, row.run(s))
				}
			})
		})
	}
}

// taken takes all actions of a run, which must succeed.
func taken(t *testing.T, run iter.Seq2[engine.Action, error]) {
	t.Helper()
	for a, err := range run {
		if err != nil {
			t.Fatal(a, err)
		}
	}
}

// TestGrowthOfExplain explains the end of a chain that is as long as the run.
func TestGrowthOfExplain(t *testing.T) {
	chain := func(n int) []engine.Action {
		actions := make([]engine.Action, n)
		for i := range actions {
			actions[i] = engine.Action{URN: fmt.Sprint("u", i), Op: "update", Causes: []string{fmt.Sprint("u", i-1)}}
		}
		return actions
	}
	kit.Grows(t, "Explain", 3_000, func(n int) func() {
		all := chain(n)
		return func() {
			if found := engine.Explain(all, all[n-1].URN); len(found) != n || found[0].URN != "u0" {
				t.Errorf("%d actions", len(found))
			}
		}
	})
}
