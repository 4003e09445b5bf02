package state_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/value"
)

// document is what the standard library makes of a state file, whatever wraps it.
type document struct {
	Deployment *deployment
	Checkpoint *struct{ Latest *deployment }
	Latest     *deployment
}

type deployment struct{ Resources []map[string]json.RawMessage }

func (d *document) resources() []map[string]json.RawMessage {
	switch {
	case d.Deployment != nil:
		return d.Deployment.Resources
	case d.Checkpoint != nil:
		return d.Checkpoint.Latest.Resources
	}
	return d.Latest.Resources
}

// files reads the real state files, or skips.
func files(t testing.TB) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob("../../../shared/data/state-files/*.json")
	if err != nil || len(names) == 0 {
		t.Skip("no real state files here: ", err)
	}
	found := map[string][]byte{}
	for _, name := range names {
		if found[name], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// The ten real files are read, and what comes out of them is what the standard
// library finds there.
func TestRealFiles(t *testing.T) {
	found := files(t)
	if len(found) != 10 {
		t.Errorf("%d files", len(found))
	}
	for name, data := range found {
		name = filepath.Base(name)
		if !state.IsState(data) {
			t.Errorf("%s does not look like a state file", name)
		}
		var doc document
		if err := json.Unmarshal(data, &doc); err != nil {
			t.Fatal(err)
		}
		want := doc.resources()
		got := all(t, parse(t, string(data)))
		if len(got) != len(want) {
			t.Errorf("%s: %d resources of %d", name, len(got), len(want))
			continue
		}
		for i, r := range got {
			compare(t, name, r, want[i])
		}
	}
}

// revealed are the texts of secret strings.
func revealed(secrets []value.Value) []string {
	var texts []string
	for _, s := range secrets {
		text, _ := s.AsString()
		texts = append(texts, text)
	}
	return texts
}

func compare(t *testing.T, name string, r state.Resource, want map[string]json.RawMessage) {
	t.Helper()
	known := map[string]any{
		"urn": r.URN, "type": r.Type, "id": r.ID, "custom": r.Custom, "delete": r.Delete, "external": r.External, "protect": r.Protect,
		"parent": r.Parent, "provider": r.Provider, "dependencies": r.Dependencies, "propertyDependencies": r.PropertyDependencies,
		"initErrors": revealed(r.InitErrors), "aliases": r.Aliases, "taint": r.Taint, "pendingReplacement": r.PendingReplacement,
		"retainOnDelete": r.RetainOnDelete, "refreshBeforeUpdate": r.RefreshBeforeUpdate, "importID": r.ImportID, "deletedWith": r.DeletedWith,
		"viewOf": r.ViewOf, "replaceWith": r.ReplaceWith, "ignoreChanges": r.IgnoreChanges, "replaceOnChanges": r.ReplaceOnChanges,
		"hideDiff": r.HideDiff, "additionalSecretOutputs": r.AdditionalSecretOutputs, "resourceHooks": r.ResourceHooks,
		"customTimeouts": r.CustomTimeouts, "created": r.Created, "modified": r.Modified, "sourcePosition": r.SourcePosition,
	}
	bags := map[string]value.Value{"inputs": r.Inputs, "outputs": r.Outputs}
	extra := map[string]string{}
	for _, f := range r.Extra {
		extra[f.Name] = f.RevealText()
	}
	for k, raw := range want {
		if bag, ok := bags[k]; ok {
			direct, err := codec.DecodeJSON(raw, codec.Options{})
			if err != nil || direct.Len() != bag.Len() || direct.ContainsSecret() != bag.ContainsSecret() {
				t.Errorf("%s: %s: %s differ: %v", name, r.URN, k, err)
			}
		} else if k == "stackTrace" {
			var frames []struct{ SourcePosition string }
			positions := []string{}
			err := json.Unmarshal(raw, &frames)
			for _, f := range frames {
				positions = append(positions, f.SourcePosition)
			}
			if err != nil || !cmp.Equal(positions, r.StackTrace, cmpopts.EquateEmpty()) {
				t.Errorf("%s: %s: %s is %v, %v", name, r.URN, k, r.StackTrace, err)
			}
		} else if v, ok := known[k]; ok {
			into := reflect.New(reflect.TypeOf(v))
			if err := json.Unmarshal(raw, into.Interface()); err != nil || !cmp.Equal(into.Elem().Interface(), v, cmpopts.EquateEmpty()) {
				t.Errorf("%s: %s: %s is %v, %v", name, r.URN, k, v, err)
			}
		} else if extra[k] != string(raw) {
			t.Errorf("%s: %s: %s was not kept", name, r.URN, k)
		}
	}
	n := len(extra)
	for k := range want {
		if _, ok := known[k]; ok || k == "stackTrace" {
			n++
		}
		if _, ok := bags[k]; ok {
			n++
		}
	}
	if n != len(want) {
		t.Errorf("%s: %s: %d members of %d", name, r.URN, n, len(want))
	}
}
