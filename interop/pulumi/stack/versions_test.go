package stack_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/pkg/v3/resource/stack"
	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
	"github.com/pulumi/pulumi/sdk/v3/go/common/encoding"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/state"
)

// TestVersions: resources and pending operations of every version, in exports and
// checkpoints, are what the engine migrates them to. Members that a version does not have
// are drawn too, and of any kind where the version does not look at them.
func TestVersions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		version := rapid.IntRange(0, 4).Draw(t, "version")
		isExport := version > 0 && rapid.Bool().Draw(t, "export")
		resources := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string { return drawMembers(t, version) }), 0, 3).Draw(t, "resources")
		deployment := `{"manifest":{"time":"2020-01-01T00:00:00Z","magic":"","version":""},"resources":[` + strings.Join(resources, ",") + `]`

		if len(resources) > 0 && rapid.Bool().Draw(t, "pending") {
			deployment += `,"pending_operations":[{"type":"creating","resource":` + resources[0] + `}]`
		}

		head := `{"version":` + strconv.Itoa(version) + `,`
		text := head + `"checkpoint":{"stack":"s","latest":` + deployment + `}}}`

		switch {
		case version == 0:
			text = `{"stack":"s","latest":` + deployment + `}}`
		case isExport:
			text = head + `"deployment":` + deployment + `}}`
		}

		compareVersions(t, text, engineMigrates(t, text, isExport))
	})
}

// drawMembers draws the text of a resource.
func drawMembers(t *rapid.T, version int) string {
	urns := rapid.SampledFrom([]string{`"urn:pulumi:s::p::a:b:C::x"`, `"urn:pulumi:s::p::a:b:C::y"`})
	list := rapid.Custom(func(t *rapid.T) string {
		return "[" + strings.Join(rapid.SliceOfN(urns, 0, 2).Draw(t, "list"), ",") + "]"
	})
	bags := rapid.SampledFrom([]string{`{}`, `{"a":1}`, `{"a":1,"__defaults":["b"],"b":null}`, `null`})
	flags := rapid.SampledFrom([]string{"true", "false"})
	members := []string{`"urn":` + urns.Draw(t, "urn"), `"type":"a:b:C"`}

	for _, m := range []struct {
		name  string
		since int
		text  *rapid.Generator[string]
	}{
		{"custom", 0, flags},
		{"delete", 0, flags},
		{"id", 0, rapid.Just(`"i"`)},
		{"inputs", 0, bags},
		{"outputs", 0, bags},
		{"parent", 0, urns},
		{"protect", 0, flags},
		{"dependencies", 0, list},
		{"initErrors", 0, rapid.Just(`["e"]`)},
		{"external", 2, flags},
		{"provider", 2, rapid.Just(`"urn:pulumi:s::p::pulumi:providers:q::q::1"`)},
		{"propertyDependencies", 3, rapid.Just(`{"z":["urn:pulumi:s::p::a:b:C::x"]}`)},
		{"pendingReplacement", 3, flags},
		{"aliases", 3, list},
		{"additionalSecretOutputs", 3, rapid.Just(`["o"]`)},
		{"retainOnDelete", 3, flags},
		{"deletedWith", 3, urns},
		{"importID", 3, rapid.Just(`"j"`)},
		{"ignoreChanges", 3, rapid.Just(`["a"]`)},
		{"viewOf", 3, urns},
		{"taint", 3, flags},
		{"refreshBeforeUpdate", 3, flags},
		{"replaceWith", 3, list},
	} {
		if !rapid.Bool().Draw(t, m.name) {
			continue
		}

		value := m.text.Draw(t, m.name)
		if version < m.since && rapid.Bool().Draw(t, "other") {
			value = rapid.SampledFrom([]string{`7`, `{"a":[]}`, `[null]`}).Draw(t, "odd")
		}

		members = append(members, `"`+m.name+`":`+value)
	}

	return "{" + strings.Join(members, ",") + "}"
}

// engineMigrates returns what the engine reads.
func engineMigrates(t failer, text string, isExport bool) *apitype.DeploymentV3 {
	t.Helper()

	if !isExport {
		checkpoint, _, _, err := stack.UnmarshalVersionedCheckpointToLatestCheckpoint(encoding.JSON, []byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}

		return checkpoint.Latest
	}

	var export apitype.UntypedDeployment
	if err := json.Unmarshal([]byte(text), &export); err != nil {
		t.Fatal(err)
	}

	made, err := stack.UnmarshalUntypedDeployment(context.Background(), &export)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}

	return made
}

// compareVersions compares what this package reads, in a file and in a stream.
func compareVersions(t failer, text string, engine *apitype.DeploymentV3) {
	t.Helper()

	file, err := state.Parse(text, state.Options{})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}

	n := 0

	for r, err := range file.Resources() {
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}

		sameResource(t, text, r, engine.Resources[n])

		n++
	}

	streamed := 0

	for r, err := range state.NewReader(strings.NewReader(text), state.Options{}).Resources() {
		if err != nil {
			t.Fatalf("%s: as a stream: %v", text, err)
		}

		sameResource(t, text, r, engine.Resources[streamed])

		streamed++
	}

	operations := 0

	for op, err := range file.PendingOperations() {
		if err != nil || operations >= len(engine.PendingOperations) {
			t.Fatalf("%s: operation %d: %v", text, operations, err)
		}

		sameResource(t, text, op.Resource, engine.PendingOperations[operations].Resource)

		operations++
	}

	if n != len(engine.Resources) || streamed != n || operations != len(engine.PendingOperations) {
		t.Fatalf("%s: %d resources, %d as a stream, %d operations", text, n, streamed, operations)
	}
}

// sameResource compares the members that migration changes, and some that it keeps.
func sameResource(t failer, text string, ours state.Resource, engine apitype.ResourceV3) {
	t.Helper()

	type row struct {
		flags     [8]bool
		texts     [8]string
		lists     [5]string
		inputs    int
		dependsOn map[string]string
	}
	urns := func(all []resource.URN) string {
		texts := make([]string, len(all))
		for i, u := range all {
			texts[i] = string(u)
		}

		return strings.Join(texts, " ")
	}
	got := row{
		[8]bool{ours.Custom, ours.Delete, ours.External, ours.Protect, ours.PendingReplacement, ours.RetainOnDelete, ours.Taint, ours.RefreshBeforeUpdate},
		[8]string{ours.URN, ours.ID, ours.Type, ours.Parent, ours.Provider, ours.DeletedWith, ours.ImportID, ours.ViewOf},
		[5]string{strings.Join(ours.Dependencies, " "), strings.Join(ours.Aliases, " "), strings.Join(ours.AdditionalSecretOutputs, " "), strings.Join(ours.IgnoreChanges, " "), strings.Join(ours.ReplaceWith, " ")},
		ours.Inputs.Len(),
		map[string]string{},
	}
	want := row{
		[8]bool{engine.Custom, engine.Delete, engine.External, engine.Protect, engine.PendingReplacement, engine.RetainOnDelete, engine.Taint, engine.RefreshBeforeUpdate},
		[8]string{string(engine.URN), string(engine.ID), string(engine.Type), string(engine.Parent), engine.Provider, string(engine.DeletedWith), string(engine.ImportID), string(engine.ViewOf)},
		[5]string{urns(engine.Dependencies), urns(engine.Aliases), "", strings.Join(engine.IgnoreChanges, " "), urns(engine.ReplaceWith)},
		len(engine.Inputs),
		map[string]string{},
	}

	for name, list := range ours.PropertyDependencies {
		got.dependsOn[name] = strings.Join(list, " ")
	}

	for name, list := range engine.PropertyDependencies {
		want.dependsOn[string(name)] = urns(list)
	}

	secrets := make([]string, len(engine.AdditionalSecretOutputs))
	for i, key := range engine.AdditionalSecretOutputs {
		secrets[i] = string(key)
	}

	want.lists[2] = strings.Join(secrets, " ")

	if !reflect.DeepEqual(got, want) || len(ours.InitErrors) != len(engine.InitErrors) || !slices.Equal(got.lists[:], want.lists[:]) {
		t.Fatalf("%s:\nwe:         %+v\nthe engine: %+v", text, got, want)
	}
}

// TestVersionsOfEngine: the checkpoints of every version that the engine's own tests have
// are read as it reads them, and it refuses those with unknown features.
func TestVersionsOfEngine(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/pulumi/pulumi/pkg/v3").Output()
	if err != nil {
		t.Fatal(err)
	}

	names, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "resource", "stack", "testdata", "checkpoint-*.json"))
	if err != nil || len(names) < 5 {
		t.Fatalf("%d files, %v", len(names), err)
	}

	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}

		file, err := state.Parse(data, state.Options{})
		if err != nil {
			t.Errorf("%s: %v", filepath.Base(name), err)
			continue
		}

		_, _, _, err = stack.UnmarshalVersionedCheckpointToLatestCheckpoint(encoding.JSON, data)
		if unknown := file.UnknownFeatures(); (err != nil) != (len(unknown) > 0) {
			t.Errorf("%s: %v, and unknown are %q", filepath.Base(name), err, unknown)
		}

		if err == nil {
			compareVersions(t, string(data), engineMigrates(t, string(data), false))
		}
	}
}
