package laws_test

import (
	"encoding/json"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/equality"
	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/asset"
	"github.com/propalg/propalg/value/bind"
)

// unread are pointers to those types of data that encoding/json would fill with
// nothing, and not say so: each has an UnmarshalJSON that does.
func unread() map[string]any {
	all := map[string]any{}

	for _, m := range rpc.All() {
		all["codec/rpc."+reflect.TypeOf(m).Elem().Name()] = m
	}

	for _, x := range []any{
		new(value.Value), new(value.Member), new(value.Asset), new(value.Archive), new(value.ID), new(path.Shown), new(path.Step),
		new(path.Set), new(path.Path), new(path.Pattern), new(urn.URN), new(diff.Diff), new(equality.Rules), new(diff.Change), new(diff.Conflict), new(ignore.Mismatch), new(diff.Place), new(diff.Record), new(diff.Inside), new(provider.Comparison),
		new(diff.Match), new(patch.Patch), new(state.File), new(state.Field), new(codec.Rounded), new(asset.List), new(asset.Entry), new(rpc.LoggedCall),
		new(bind.Output[string]),
	} {
		t := reflect.TypeOf(x).Elem()
		name, _, _ := strings.Cut(t.Name(), "[")
		all[strings.TrimPrefix(t.PkgPath(), module)+"."+name] = x
	}

	return all
}

// machinery are types that are not data.
var machinery = []string{
	"path.State", "value.Builder", "value.Children", "value.Cursor", "value/asset.Blob", "value/asset.Files",
	"schema.Package", "schema.Resource", "schema.Function", "schema.Type", "schema.Property",
	"diff.Builder", "codec/state.Comparison", "codec/state.Reader", "provider/check.Session",
}

// TestJSONIsNotSwallowed: what encoding/json would read as nothing, without an error,
// is an error that names what reads it.
func TestJSONIsNotSwallowed(t *testing.T) {
	table := unread()

	for name, x := range table {
		for _, text := range []string{`{}`, `{"a":1,"name":"x","id":"x"}`, `[]`, `1`, `null`} {
			err := json.Unmarshal([]byte(text), x)
			_, own := x.(json.Unmarshaler)

			if own && (err == nil || !strings.Contains(err.Error(), "use ")) || !own && err == nil && text != `null` {
				t.Errorf("%s: %s: %v", name, text, err)
			}
		}

		if _, text := x.(interface{ UnmarshalText(text []byte) error }); text {
			continue
		}

		if err := json.Unmarshal([]byte(`"x"`), x); err == nil {
			t.Errorf("%s: a string is nothing", name)
		}
	}

	var embedded struct {
		V value.Value `json:"v"`
		D *diff.Diff  `json:"d"`
	}
	if err := json.Unmarshal([]byte(`{"v":{"a":1}}`), &embedded); err == nil || !strings.Contains(err.Error(), "codec.DecodeJSON") {
		t.Errorf("a field: %v", err)
	}

	if err := json.Unmarshal([]byte(`{"d":{"a":1}}`), &embedded); err == nil || !strings.Contains(err.Error(), "patch.Unmarshal") {
		t.Errorf("behind a pointer: %v", err)
	}

	for name := range swallowing(t) {
		if table[name] == nil && !slices.Contains(machinery, name) {
			t.Errorf("%s is read by encoding/json as nothing, and is not in the table above", name)
		}
	}
}

// swallowing are the exported structs with a text for people and those that have
// nothing but unexported fields.
func swallowing(t *testing.T) map[string]bool {
	t.Helper()

	found := map[string]bool{}

	eachExported(t, func(name string, object types.Object) {
		named, ok := object.(*types.TypeName)
		if !ok || named.IsAlias() {
			return
		}

		s, ok := named.Type().Underlying().(*types.Struct)
		if !ok || s.NumFields() == 0 {
			return
		}

		hidden := true
		for f := range s.Fields() {
			hidden = hidden && !f.Exported()
		}

		methods := types.NewMethodSet(types.NewPointer(named.Type()))
		if hidden || methods.Lookup(nil, "MarshalJSON") != nil || methods.Lookup(nil, "MarshalText") != nil {
			found[name+"."+named.Name()] = true
		}
	})

	if len(found) < 60 {
		t.Errorf("only %d types seen: %q", len(found), slices.Sorted(maps.Keys(found)))
	}

	return found
}
