package stack_test

import (
	"context"
	"encoding/json"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"testing"

	pkgresource "github.com/pulumi/pulumi/pkg/v3/resource"
	"github.com/pulumi/pulumi/pkg/v3/resource/deploy"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/internal/test/kit"
)

// recordedStates calls visit for every recorded state that is here, with what an engine makes
// of it after a repair, which those of old engines need: and for those of the engine's module.
func recordedStates(t *testing.T, visit func(t *testing.T, all []state.Resource)) {
	t.Helper()
	files, _ := filepath.Glob("../../../../shared/data/state-files/*.json")
	if module := kit.CachedModule("github.com/pulumi/pulumi/pkg/v3@v3.259.0"); module != "" {
		err := filepath.WalkDir(module, func(file string, _ fs.DirEntry, err error) error {
			if text, _ := os.ReadFile(file); filepath.Ext(file) == ".json" && isState(text) {
				files = append(files, file)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}

	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if file, err := state.Parse(text, state.Options{}); err == nil && len(file.UnknownFeatures()) > 0 {
				t.Skip(file.UnknownFeatures())
			}
			if engineRefuses(text) != nil {
				text, _ = mends(t, text, state.RepairOptions{})
			}
			if err := engineRefuses(text); err != nil {
				t.Fatal(err)
			}
			visit(t, parsed(t, text, &crypter{all: true}))
		})
	}
}

// isState reports whether a text is a state with resources.
func isState(text []byte) bool {
	type deployment struct{ Resources []any }
	var of struct {
		Deployment, Latest deployment
		Checkpoint         struct{ Latest deployment }
	}
	return json.Unmarshal(text, &of) == nil && len(of.Deployment.Resources)+len(of.Latest.Resources)+len(of.Checkpoint.Latest.Resources) > 0
}

// sound fails if the engine would not accept a state.
func sound(t failer, all []state.Resource) {
	t.Helper()
	var made []*pkgresource.State
	for _, r := range all {
		depends := map[resource.PropertyKey][]resource.URN{}
		for name, urns := range r.PropertyDependencies {
			depends[resource.PropertyKey(name)] = urnsOf(urns)
		}
		made = append(made, &pkgresource.State{
			URN: resource.URN(r.URN), Type: tokens.Type(r.Type), ID: resource.ID(r.ID), Custom: r.Custom, Delete: r.Delete, PendingReplacement: r.PendingReplacement,
			Parent: resource.URN(r.Parent), Provider: r.Provider, Dependencies: urnsOf(r.Dependencies), PropertyDependencies: depends,
			DeletedWith: resource.URN(r.DeletedWith), ReplaceWith: urnsOf(r.ReplaceWith),
		})
	}
	manifest := deploy.Manifest{}
	manifest.Magic = manifest.NewMagic()
	if err := (&deploy.Snapshot{Manifest: manifest, Resources: made}).VerifyIntegrity(); err != nil {
		t.Fatal(err)
	}
}

func urnsOf(texts []string) (urns []resource.URN) {
	for _, text := range texts {
		urns = append(urns, resource.URN(text))
	}
	return urns
}

// echo is a provider whose cloud is what the state says.
type echo struct {
	fake
	deleted []string
}

func (e *echo) Read(_ context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
	return &rpc.ReadResponse{ID: r.ID, Inputs: r.Inputs, Properties: r.Properties}, nil
}

func (e *echo) Delete(_ context.Context, r *rpc.DeleteRequest) (*rpc.Empty, error) {
	e.deleted = append(e.deleted, r.URN+" "+r.ID)
	return &rpc.Empty{}, nil
}

// TestRecordedStates refreshes and destroys every recorded state. After each action, the
// engine accepts what there is.
func TestRecordedStates(t *testing.T) {
	states, actions := 0, 0
	recordedStates(t, func(t *testing.T, all []state.Resource) {
		t.Helper()
		states++
		e := &echo{}
		s := e.stack(all...)
		s.Launch = func(context.Context, engine.Plugin) (rpc.Provider, error) { return e, nil }
		takes := func(run iter.Seq2[engine.Action, error]) {
			for a, err := range run {
				if err != nil {
					t.Fatal(a, err)
				}
				left, _ := s.State()
				sound(t, left)
				actions++
			}
		}

		takes(s.Refresh(t.Context()))
		var managed []string
		for _, r := range slices.Backward(s.Resources) {
			if r.Custom && !r.External && r.Provider != "" {
				managed = append(managed, r.URN+" "+r.ID)
			}
		}
		takes(s.Destroy(t.Context()))
		if len(s.Resources) > 0 || !slices.Equal(e.deleted, managed) {
			t.Errorf("%d resources are left; deleted %q, want %q", len(s.Resources), e.deleted, managed)
		}
	})
	t.Logf("%d states, %d actions", states, actions)
}
