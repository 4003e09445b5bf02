package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/value"
)

// echo is a provider whose cloud is what the state says.
type echo struct {
	rpc.Unimplemented
	configured map[string]int // by URN
	deleted    []string
}

func (e *echo) Configure(_ context.Context, r *rpc.ConfigureRequest) (*rpc.ConfigureResponse, error) {
	e.configured[*r.URN]++
	return &rpc.ConfigureResponse{AcceptSecrets: true, AcceptResources: true}, nil
}

func (e *echo) Read(_ context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
	return &rpc.ReadResponse{ID: r.ID, Inputs: r.Inputs, Properties: r.Properties}, nil
}

func (e *echo) Diff(context.Context, *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	return &rpc.DiffResponse{Changes: rpc.DiffNone}, nil
}

func (e *echo) Delete(_ context.Context, r *rpc.DeleteRequest) (*rpc.Empty, error) {
	e.deleted = append(e.deleted, r.URN)
	return &rpc.Empty{}, nil
}

func (e *echo) stack(resources ...state.Resource) *engine.Stack {
	e.configured = map[string]int{}
	return &engine.Stack{Resources: resources, Launch: func(context.Context, engine.Plugin) (rpc.Provider, error) { return e, nil }}
}

// TestRecordedStates refreshes and destroys recorded states. Nothing changes in a refresh, and
// all that is managed is deleted once, after what depends on it.
func TestRecordedStates(t *testing.T) {
	files, err := filepath.Glob("../../shared/data/state-files/*.json")
	if err != nil || len(files) == 0 {
		t.Skip("no recorded states here: ", err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			repaired, err := state.Repair(bytes.NewReader(text), state.RepairOptions{})
			if err != nil {
				t.Fatal(err)
			}
			var sorted bytes.Buffer // as those of old engines are not
			if _, err := repaired.WriteTo(&sorted); err != nil {
				t.Fatal(err)
			}
			file, err := state.Parse(sorted.Bytes(), state.Options{Codec: codec.Options{RoundNumbers: true}})
			if err != nil {
				t.Fatal(err)
			}
			resources := []state.Resource{}
			managed, lacking := 0, 0
			for r, err := range file.Resources() {
				if err != nil {
					t.Fatal(err)
				}
				resources = append(resources, r)
				if r.Custom && !strings.HasPrefix(r.Type, "pulumi:providers:") {
					managed++
					if r.Provider == "" {
						lacking++
					}
				}
			}

			e := &echo{}
			s := e.stack(slices.Clone(resources)...)
			for a, err := range s.Refresh(t.Context()) {
				if err != nil || a.Op != "refresh" || a.Why != "nothing changed" {
					t.Fatal(a, err)
				}
			}
			made := len(s.Resources) - len(resources)
			if (made > 0) != (lacking > 0) || made > lacking {
				t.Errorf("%d providers for %d resources without one", made, lacking)
			}
			for i, r := range s.Resources[made:] {
				if was := resources[i]; r.URN != was.URN || r.ID != was.ID || !r.Inputs.Identical(was.Inputs) || (was.Provider != "" && r.Provider != was.Provider) {
					t.Errorf("%s is not as it was", was.URN)
				}
			}

			for a, err := range s.Destroy(t.Context()) {
				if err != nil {
					t.Fatal(a, err)
				}
				left, _ := s.State()
				if at := slices.IndexFunc(left, func(r state.Resource) bool { return r.Parent == a.URN || slices.Contains(r.Dependencies, a.URN) }); at >= 0 && a.Op == "delete" {
					t.Errorf("%s is deleted before %s", a.URN, left[at].URN)
				}
			}
			if len(s.Resources) != 0 || len(e.deleted) != managed {
				t.Errorf("%d of %d deleted, %d left", len(e.deleted), managed, len(s.Resources))
			}
		})
	}
}

// oldOne is a resource of an old state.
func oldOne(typ, name string) state.Resource {
	return state.Resource{URN: "urn:pulumi:dev::shop::" + typ + "::" + name, Type: typ, ID: name, Custom: true, Inputs: value.Object(), Outputs: value.Object()}
}

// TestDefaultProvidersOfOldStates gives resources without a provider the default one.
func TestDefaultProvidersOfOldStates(t *testing.T) {
	const head = "urn:pulumi:dev::shop::"
	one := oldOne
	component := one("a:index:Group", "group")
	component.Custom, component.ID = false, ""
	named := one("b:index:Thing", "named")
	own := one("pulumi:providers:b", "own")
	named.Provider = own.URN + "::own"
	waits := one("pulumi:providers:a", "default")
	waits.Delete = true

	e := &echo{}
	s := e.stack(component, one("a:index:Thing", "x"), own, named, one("b:index:Thing", "y"), one("a:index:Thing", "z"), waits)
	for range 2 { // the state has them after the first
		for a, err := range s.Refresh(t.Context()) {
			if err != nil {
				t.Fatal(a, err)
			}
		}
		var got []string
		for _, r := range s.Resources {
			of := ""
			if at := slices.IndexFunc(s.Resources, func(p state.Resource) bool { return r.Provider == p.URN+"::"+p.ID }); at >= 0 {
				of = " of " + s.Resources[at].URN[len(head):]
			}
			got = append(got, r.URN[len(head):]+of)
		}
		want := []string{
			"pulumi:providers:a::default", "pulumi:providers:b::default", "a:index:Group::group", "a:index:Thing::x of pulumi:providers:a::default",
			"pulumi:providers:b::own", "b:index:Thing::named of pulumi:providers:b::own", "b:index:Thing::y of pulumi:providers:b::default",
			"a:index:Thing::z of pulumi:providers:a::default", "pulumi:providers:a::default",
		}
		if !slices.Equal(got, want) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

// TestUpdateOfOldStates configures the default providers that old states get by the program, and
// has them as its own. It refuses what engines do.
func TestUpdateOfOldStates(t *testing.T) {
	one, e := oldOne, &echo{}
	version := value.Object(value.Field("version", value.String("1.2.3")))
	for name, row := range map[string]struct {
		defaults value.Value
		want     string
	}{
		"without a version": {value.Object(value.Field("region", value.String("x"))), "same default; same x"},
		"with one":          {version, "create default_1_2_3; same x; delete default"},
		"without any":       {value.Null(), "same default; same x"},
	} {
		s := e.stack(one("a:index:Thing", "x"))
		p := engine.Program{Stack: "dev", Project: "shop", Resources: []engine.Goal{{Type: "a:index:Thing", Name: "x"}}, Defaults: map[string]value.Value{"a": row.defaults}}
		var got []string
		for a, err := range s.Update(t.Context(), p) {
			if err != nil {
				t.Fatal(a, err)
			}
			got = append(got, fmt.Sprint(a.Op, " ", a.URN[strings.LastIndex(a.URN, ":")+1:]))
		}
		if text := strings.Join(got, "; "); text != row.want {
			t.Errorf("%s: %s, want %s", name, text, row.want)
		}
	}

	broken := one("a:index:Thing", "x")
	broken.URN = "x"
	other := one("pulumi:providers:a", "default")
	for want, resources := range map[string][]state.Resource{
		"the state has another": {one("a:index:Thing", "x"), other},
		"default provider: ":    {broken},
	} {
		s := e.stack(resources...)
		for _, err := range s.Refresh(t.Context()) {
			if err == nil || !strings.Contains(err.Error(), want) || len(s.Resources) != 0 {
				t.Errorf("%v, want %s", err, want)
			}
		}
		if len(s.Resources) != len(resources) {
			t.Errorf("%d resources", len(s.Resources))
		}
	}
}
