package fuzz_test

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
)

// seeds are those of a number of tries.
func seeds(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// TestFindings: what makes the law fail is among the findings, with the calls that show it, and
// the provider that does as it should has none.
func TestFindings(t *testing.T) {
	all := map[string]mistake{}
	for _, some := range []map[string]mistake{buggyReads(), buggyMarks(), buggyPreviews(), buggyUpdates(), buggyDeletions(), buggyAnswers(), buggyUnknowns(), buggyRuns()} {
		maps.Copy(all, some)
	}
	for name, change := range all {
		p, d := diskProvider()
		want := change(&p, d)
		want, _, _ = strings.Cut(want, ", at ")
		got := p.Findings(seeds(300))
		if !slices.ContainsFunc(got, func(f fuzz.Finding) bool { return isSaid(f, want) && len(f.Calls) > 0 && f.Method != "" }) {
			t.Errorf("%s: no finding %q:\n%s", name, want, listed(got))
		}
	}

	p, _ := diskProvider()
	if got := p.Findings(seeds(300)); got != nil {
		t.Errorf("findings about a provider without mistakes:\n%s", listed(got))
	}
}

func isSaid(f fuzz.Finding, text string) bool {
	return strings.Contains(f.String(), text) || strings.Contains(f.Advice, text)
}

func listed(all []fuzz.Finding) string {
	var b strings.Builder
	for _, f := range all {
		fmt.Fprintf(&b, "%s: %v (%d calls)\n", f.Method, f.Finding, len(f.Calls))
	}
	return b.String()
}

// TestFindingsOfSeveral: two mistakes are two findings, each once, and a method that panics is
// one of them.
func TestFindingsOfSeveral(t *testing.T) {
	p, d := diskProvider()
	p.Inputs = knownDisks()
	p.Read = func(ctx context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
		response, err := d.read(ctx, r)
		if err == nil && response.ID == "" {
			panic("not found")
		}
		return response, err
	}
	p.Diff = func(context.Context, *rpc.DiffRequest) (*rpc.DiffResponse, error) {
		return &rpc.DiffResponse{Changes: rpc.DiffSome}, nil
	}
	var got []string
	for _, f := range p.Findings(seeds(200)) {
		got = append(got, f.Method+" "+f.Code)
	}
	if want := []string{"Diff ignored-reported", "Diff should-replace", "Diff some-while-equal", "Read panic"}; !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
}

// TestGone: a provider that is gone ends the try, and is not blamed for it.
func TestGone(t *testing.T) {
	p, _ := diskProvider()
	calls := 0
	p.Diff = func(context.Context, *rpc.DiffRequest) (*rpc.DiffResponse, error) {
		calls++
		return nil, fmt.Errorf("call: %w", fuzz.ErrGone)
	}
	if got := p.Findings(seeds(100)); got != nil || calls == 0 {
		t.Errorf("%d calls:\n%s", calls, listed(got))
	}
}

// TestOnlyPreviews: nothing is made, read, changed or deleted, and Diff is held to its rules with
// states made of the schema.
func TestOnlyPreviews(t *testing.T) {
	p, d := diskProvider()
	previews, states := map[string]int{}, 0
	p.Inputs, p.Schema, p.OnlyPreviews = nil, diskSchema(t), true
	p.Check = func(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
		return &rpc.CheckResponse{Inputs: p.Schema.Inputs().MarkSecrets(r.News)}, nil
	}
	p.Create = func(_ context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
		if !r.Preview {
			t.Error("Create is called")
		}
		previews["Create"]++
		return &rpc.CreateResponse{Properties: r.Properties}, nil
	}
	p.Update = func(_ context.Context, r *rpc.UpdateRequest) (*rpc.UpdateResponse, error) {
		if !r.Preview {
			t.Error("Update is called")
		}
		previews["Update"]++
		return &rpc.UpdateResponse{Properties: r.News}, nil
	}
	p.Read = func(context.Context, *rpc.ReadRequest) (*rpc.ReadResponse, error) {
		t.Error("Read is called")
		return nil, fuzz.ErrGone
	}
	p.Delete = func(context.Context, *rpc.DeleteRequest) (*rpc.Empty, error) {
		t.Error("Delete is called")
		return nil, fuzz.ErrGone
	}
	forgets := false
	p.Diff = func(ctx context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
		if !r.Olds.Field("path").IsNull() && r.Olds.Field("password").OwnSecret() {
			states++
		}
		own := *r
		if forgets {
			own.News, _ = own.News.WithField("size", own.OldInputs.Field("size"))
		}
		return answering(replacing("name"))(ctx, &own)
	}
	if got := p.Findings(seeds(200)); got != nil || previews["Create"] < 100 || previews["Update"] < 10 || states < 100 || len(d.inputs) > 0 {
		t.Errorf("%v, %d states, %d disks:\n%s", previews, states, len(d.inputs), listed(got))
	}

	forgets = true
	got := p.Findings(seeds(200))
	if !slices.ContainsFunc(got, func(f fuzz.Finding) bool {
		return f.Code == "unreported" && f.At.String() == "size" && f.Method == "Diff"
	}) {
		t.Errorf("no finding:\n%s", listed(got))
	}
	for _, f := range got {
		last, _ := f.Calls[len(f.Calls)-1].Request.(*rpc.DiffRequest)
		if last == nil || last.News.Field("size").Equal(last.OldInputs.Field("size")) || len(f.Calls) > 20 {
			t.Errorf("%v: the last of %d calls does not show it: %v", f.Finding, len(f.Calls), last)
		}
	}
}

// regional is a provider that compares inputs with the state, which has the region eu if the
// program names none. Read returns that as an input. Programs name no region, or the given one.
func regional(t *testing.T, region string) fuzz.Provider {
	t.Helper()
	read, err := schema.Read([]byte(`{"name":"cloud","resources":{"cloud:index:Disk":{
		"inputProperties":{"name":{"type":"string"},"region":{"type":"string"}},"requiredInputs":["name"],
		"properties":{"name":{"type":"string"},"region":{"type":"string"}},"required":["name","region"]}}}`), schema.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, _ := read.Resource("cloud:index:Disk")

	whole := func(inputs value.Value) value.Value {
		if inputs.Field("region").IsNull() {
			inputs, _ = inputs.WithField("region", value.String("eu"))
		}
		return inputs
	}
	made := map[string]value.Value{}
	return fuzz.Provider{
		Schema: r, SupportsPreview: true,
		Inputs: rapid.SampledFrom([]value.Value{
			value.Object(value.Field("name", value.String("a"))),
			value.Object(value.Field("name", value.String("a")), value.Field("region", value.String(region))),
		}),
		Diff: func(_ context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
			removed := region == "eu" && r.News.Field("region").IsNull() && !r.OldInputs.Field("region").IsNull()
			if r.Olds.Equal(whole(r.News)) && !removed {
				return &rpc.DiffResponse{Changes: rpc.DiffNone}, nil
			}
			answer, err := provider.Differ{}.Answer(r)
			if err == nil {
				answer.Changes = rpc.DiffSome // even if only the state differs
			}
			return answer, err
		},
		Create: func(_ context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
			response := &rpc.CreateResponse{Properties: whole(r.Properties)}
			if !r.Preview {
				response.ID = "one"
				made[response.ID] = response.Properties
			}
			return response, nil
		},
		Read: func(_ context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
			return &rpc.ReadResponse{ID: r.ID, Inputs: made[r.ID], Properties: made[r.ID]}, nil
		},
	}
}

// TestDefaults: a default is no difference, neither in a state that is made up nor among the inputs
// that Read returns, as long as Diff does not say so, nor if a program comes to name it.
func TestDefaults(t *testing.T) {
	for _, region := range []string{"eu", "us"} {
		p := regional(t, region)
		p.OnlyPreviews = true
		if got := p.Findings(seeds(100)); got != nil {
			t.Errorf("%s, only previews:\n%s", region, listed(got))
		}
	}

	p := regional(t, "us")
	if got := p.Findings(seeds(100)); got != nil {
		t.Errorf("findings:\n%s", listed(got))
	}
	p.Diff = answering(provider.Differ{})
	if got := p.Findings(seeds(100)); !slices.ContainsFunc(got, func(f fuzz.Finding) bool { return f.Code == "inputs-drift" }) {
		t.Errorf("a default that Diff reports is no finding:\n%s", listed(got))
	}
}

// TestSets: an element that is unknown may be anywhere in a set when it is known.
func TestSets(t *testing.T) {
	sorted := func(inputs value.Value) value.Value {
		if inputs.Field("tags").IsUnknown() {
			return inputs
		}
		var tags []value.Value
		for _, tag := range inputs.Field("tags").Elems() {
			tags = append(tags, tag)
		}
		slices.SortStableFunc(tags, func(a, b value.Value) int {
			x, _ := a.AsString()
			y, _ := b.AsString() // "" of an unknown
			return strings.Compare(x, y)
		})
		return value.Object(value.Field("tags", value.Array(tags...)))
	}
	p := fuzz.Provider{
		SupportsPreview: true,
		Inputs:          rapid.Just(value.Object(value.Field("tags", value.Array(value.String("c"), value.String("a"), value.String("b"))))),
		Create: func(_ context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
			return &rpc.CreateResponse{ID: "one", Properties: sorted(r.Properties)}, nil
		},
	}
	if got := p.Findings(seeds(100)); got != nil {
		t.Errorf("findings:\n%s", listed(got))
	}
}
