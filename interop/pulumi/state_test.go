package pulumi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
	sdk "github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/value"
)

// filled sets every field of the SDK's type, so that none is left out of its JSON,
// and returns how many fields it had to set by hand.
func filled(v reflect.Value, n *int) {
	*n++
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(time.Date(2026, 1, *n%28+1, 0, 0, 0, 5000, time.UTC)))
		return
	case sdk.PropertyPath:
		v.Set(reflect.ValueOf(sdk.PropertyPath{"a", *n, "b"}))
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString(fmt.Sprint("text", *n))
	case reflect.Float64:
		v.SetFloat(float64(*n) + 0.5)
	case reflect.Interface:
		v.Set(reflect.ValueOf(fmt.Sprint("any", *n)))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		filled(v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		filled(v.Index(0), n)
		filled(v.Index(1), n)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range 2 {
			key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			filled(key, n)
			filled(elem, n)
			v.SetMapIndex(key, elem)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			filled(v.Field(i), n)
		}
	default:
		panic("a field of a kind that this test does not know: " + v.Type().String())
	}
}

// sameJSON compares what two values are as JSON, where an absent value, null, an
// empty list and an empty object are one.
func sameJSON(t *testing.T, where string, ours, theirs any) {
	t.Helper()
	texts := [2]string{}
	for i, v := range []any{ours, theirs} {
		data, err := json.Marshal(v)
		var plain any
		if err == nil {
			err = json.Unmarshal(data, &plain)
		}
		if err != nil {
			t.Fatal(where, err)
		}
		data, _ = json.Marshal(settled(plain)) // it was JSON
		texts[i] = string(data)
	}
	if texts[0] != texts[1] {
		t.Errorf("%s: %.200s, and the SDK reads %.200s", where, texts[0], texts[1])
	}
}

// settled is JSON without members that are absent.
func settled(v any) any {
	switch v := v.(type) {
	case []any:
		if len(v) == 0 {
			return nil
		}
	case map[string]any:
		for key, each := range v {
			if v[key] = settled(each); v[key] == nil {
				v[key] = []any{} // a property of which it is said that it depends on nothing
			}
		}
		if len(v) == 0 {
			return nil
		}
	}
	return v
}

// sameValue compares a value with the JSON that the SDK keeps of it.
func sameValue(t *testing.T, where, provider string, ours value.Value, theirs any) {
	t.Helper()
	data, err := json.Marshal(theirs)
	if err != nil {
		t.Fatal(where, err)
	}
	read, err := codec.DecodeJSONValue(data, codec.Options{Provider: provider})
	if err != nil || !read.Identical(ours) {
		t.Errorf("%s: %v is %v to the SDK, %v", where, ours, read, err)
	}
}

// sameResource compares a resource with the SDK's, field by field: fields have the
// same names.
func sameResource(t *testing.T, where, provider string, ours state.Resource, theirs apitype.ResourceV3) {
	t.Helper()
	for _, f := range ours.Extra {
		if f.Name != "defaults" { // of the first version of states
			t.Errorf("%s: the field %s of the SDK is not known", where, f.Name)
		}
	}
	a, b := reflect.ValueOf(ours), reflect.ValueOf(theirs)
	for i := range b.NumField() {
		name := b.Type().Field(i).Name
		field := a.FieldByName(name)
		if !field.IsValid() {
			t.Errorf("%s: the field %s of the SDK is not there", where, name)
			continue
		}
		our, their := field.Interface(), b.Field(i).Interface()
		switch name {
		case "InitErrors":
			var texts []string
			for _, v := range ours.InitErrors {
				text, _ := v.AsString()
				texts = append(texts, text)
			}
			our = texts
		case "Inputs", "Outputs", "ReplacementTrigger":
			sameValue(t, where+": "+name, provider, field.Interface().(value.Value), their)
			continue
		case "StackTrace": // of frames that have nothing but a position
			if reflect.TypeFor[apitype.StackFrameV1]().NumField() != 1 {
				t.Errorf("the SDK's frames have more than a position")
			}
			var positions []string
			for _, frame := range theirs.StackTrace {
				positions = append(positions, frame.SourcePosition)
			}
			their = positions
		case "CustomTimeouts":
			var timeouts sdk.CustomTimeouts
			if theirs.CustomTimeouts != nil {
				timeouts = *theirs.CustomTimeouts
			}
			if b := reflect.ValueOf(timeouts); b.NumField() != reflect.TypeFor[state.CustomTimeouts]().NumField() {
				t.Errorf("the SDK's timeouts have %d fields", b.NumField())
			}
			our, their = sdk.CustomTimeouts(ours.CustomTimeouts), timeouts
		case "Created", "Modified":
			var moment time.Time
			if at, ok := their.(*time.Time); ok && at != nil {
				moment = *at
			}
			their = moment
		}
		sameJSON(t, where+": "+name, our, their)
	}
}

// TestStateFields: every field of the SDK's resources, with a value of its own, is
// read, and is what it is there.
func TestStateFields(t *testing.T) {
	var theirs apitype.ResourceV3
	n := 0
	filled(reflect.ValueOf(&theirs).Elem(), &n)
	data, err := json.Marshal(apitype.DeploymentV3{Resources: []apitype.ResourceV3{theirs}})
	if err != nil {
		t.Fatal(err)
	}
	file, err := state.Parse(data, state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for r, err := range file.Resources() {
		if err != nil {
			t.Fatal(err)
		}
		sameResource(t, "filled", "", r, theirs)
	}
}

// TestStateDeployment does that for what surrounds the resources. Snippets and
// extensions are kept as they stand.
func TestStateDeployment(t *testing.T) {
	var known []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[apitype.DeploymentV3]()) {
		known = append(known, f.Name)
	}
	if want := []string{"Manifest", "SecretsProviders", "Resources", "PendingOperations", "Metadata", "Snippets", "Extensions"}; !slices.Equal(known, want) {
		t.Errorf("the SDK's deployments have the fields %v", known)
	}
	var theirs apitype.DeploymentV3
	n := 0
	filled(reflect.ValueOf(&theirs.Manifest).Elem(), &n)
	filled(reflect.ValueOf(&theirs.PendingOperations).Elem(), &n)
	filled(reflect.ValueOf(&theirs.Metadata).Elem(), &n)
	data, err := json.Marshal(theirs)
	if err != nil {
		t.Fatal(err)
	}
	file, err := state.Parse([]byte(`{"version":3,"deployment":`+string(data)+`}`), state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sameDeployment(t, "filled", file, theirs)
}

func sameDeployment(t *testing.T, where string, file *state.File, theirs apitype.DeploymentV3) {
	t.Helper()
	manifest, err := file.Manifest()
	if err != nil {
		t.Fatal(where, err)
	}
	a, b := reflect.ValueOf(manifest), reflect.ValueOf(theirs.Manifest)
	for i := range b.NumField() {
		name := b.Type().Field(i).Name
		if name == "Plugins" {
			if len(manifest.Plugins) != len(theirs.Manifest.Plugins) {
				t.Errorf("%s: %d plugins", where, len(manifest.Plugins))
				continue
			}
			for i, p := range theirs.Manifest.Plugins {
				sameJSON(t, where+": plugin", manifest.Plugins[i], struct{ Name, Path, Type, Version any }{p.Name, p.Path, p.Type, p.Version})
				if reflect.TypeOf(p).NumField() != 4 {
					t.Error("the SDK's plugins have other fields")
				}
			}
			continue
		}
		sameJSON(t, where+": manifest: "+name, a.FieldByName(name).Interface(), b.Field(i).Interface())
	}
	broken, ok, err := file.IntegrityError()
	if their := theirs.Metadata.IntegrityErrorMetadata; err != nil || ok != (their != nil) {
		t.Errorf("%s: error of integrity: %v, %v", where, ok, err)
	} else if ok {
		sameJSON(t, where+": integrity", []any{broken.Version, plain(t, broken.Command), plain(t, broken.Error), plain(t, broken.EnvVars)},
			[]any{their.Version, their.Command, their.Error, their.EnvVars})
		if reflect.TypeOf(*their).NumField() != 4 {
			t.Error("the SDK's errors of integrity have other fields")
		}
	}
	i := 0
	for op, err := range file.PendingOperations() {
		if err != nil || i >= len(theirs.PendingOperations) {
			t.Fatal(where, i, err)
		}
		sameJSON(t, where+": operation", op.Type, theirs.PendingOperations[i].Type)
		sameResource(t, where+": operation", file.Provider(), op.Resource, theirs.PendingOperations[i].Resource)
		i++
	}
	if i != len(theirs.PendingOperations) {
		t.Errorf("%s: %d operations", where, i)
	}
}

// plain is a value without its marks, as JSON.
func plain(t *testing.T, v value.Value) json.RawMessage {
	t.Helper()
	data, err := codec.AppendJSONValue(nil, v, codec.Options{Secrets: codec.Lower})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestStateFiles reads real deployments as the SDK reads them.
func TestStateFiles(t *testing.T) {
	names, err := filepath.Glob("../../../shared/data/state-files/*.json")
	if err != nil || len(names) == 0 {
		t.Skip("no real state files here: ", err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var whole struct {
			Deployment *apitype.DeploymentV3
			Checkpoint *struct{ Latest *apitype.DeploymentV3 }
			Latest     *apitype.DeploymentV3
		}
		if err := json.NewDecoder(bytes.NewReader(data)).Decode(&whole); err != nil {
			t.Fatal(name, err)
		}
		theirs := whole.Deployment
		switch {
		case whole.Checkpoint != nil:
			theirs = whole.Checkpoint.Latest
		case whole.Latest != nil:
			theirs = whole.Latest
		}
		file, err := state.Parse(data, state.Options{})
		if err != nil {
			t.Fatal(name, err)
		}
		name = strings.TrimSuffix(filepath.Base(name), "__stack.json")
		sameDeployment(t, name, file, *theirs)
		i := 0
		for r, err := range file.Resources() {
			if err != nil || i >= len(theirs.Resources) {
				t.Fatal(name, i, err)
			}
			if file.Shape() == "old checkpoint" { // which the engine migrates; see TestVersions in stack
				r.PropertyDependencies = nil
			}
			sameResource(t, name+": "+r.URN, file.Provider(), r, theirs.Resources[i])
			i++
		}
		if i != len(theirs.Resources) {
			t.Errorf("%s: %d resources of %d", name, i, len(theirs.Resources))
		}
	}
}
