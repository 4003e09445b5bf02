package state_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/value"
)

// documents wraps the members of a deployment in every shape.
func documents(members string) map[string]string {
	return map[string]string{
		"export":     `{"version":3,"deployment":{` + members + `}}`,
		"checkpoint": `{"version":3,"checkpoint":{"stack":"s","latest":{` + members + `}}}`,
		"old":        `{"target":"t","latest":{` + members + `}}`,
		"bare":       `{` + members + `,"resources":[]}`,
	}
}

// read reads a document in both ways.
func read(t *testing.T, text string) map[string]*state.File {
	t.Helper()
	r := state.NewReader(strings.NewReader(text), state.Options{})
	for _, err := range r.Resources() {
		if err != nil {
			t.Fatal(err)
		}
	}
	return map[string]*state.File{"whole": parse(t, text), "stream": r.Document()}
}

func TestManifest(t *testing.T) {
	want := state.Manifest{
		Time: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Magic: "m", Version: "v3.259.0",
		Plugins: []state.Plugin{{Name: "aws", Path: "/p", Type: "resource", Version: "6.1.0"}, {Name: "nodejs", Type: "language"}},
	}
	for shape, text := range documents(`"manifest":{"time":"2026-01-01T00:00:00Z","magic":"m","version":"v3.259.0","later":1,
		"plugins":[{"name":"aws","path":"/p","type":"resource","version":"6.1.0"},{"name":"nodejs","type":"language","version":null}]}`) {
		for way, file := range read(t, text) {
			got, err := file.Manifest()
			if d := cmp.Diff(want, got); d != "" || err != nil {
				t.Errorf("%s, %s: %v, -want +got:\n%s", shape, way, err, d)
			}
		}
	}
	for _, file := range []*state.File{nil, parse(t, `{"version":3,"deployment":{"manifest":null}}`), parse(t, `{"version":3,"deployment":{}}`)} {
		if got, err := file.Manifest(); err != nil || !cmp.Equal(got, state.Manifest{}) {
			t.Errorf("%v, %v", got, err)
		}
	}
}

func TestDocumentMalformed(t *testing.T) {
	for _, row := range []struct{ at, members, want string }{
		{here(), `"manifest":[]`, "manifest: malformed field: expected object, found array"},
		{here(), `"manifest":{"time":"now"}`, "manifest: malformed field: expected time"},
		{here(), `"manifest":{"plugins":{}}`, "manifest: malformed field: expected array of plugins, found object"},
		{here(), `"manifest":{"plugins":[{"version":1}]}`, "manifest: malformed field: expected string, found number"},
		{here(), `"metadata":1`, "metadata: malformed field: expected object, found number"},
		{here(), `"metadata":{"integrity_error":{"env_vars":{"A":1}}}`, "metadata: malformed field: expected string, found number"},
		{here(), `"pending_operations":{}`, "pending_operations: malformed field: expected array of operations, found object"},
		{here(), `"pending_operations":[1]`, "pending_operations: malformed field: expected object, found number"},
		{here(), `"pending_operations":[{"type":"creating"}]`, "pending_operations: malformed field: expected object with a resource"},
		{here(), `"pending_operations":[{"resource":{"urn":1}}]`, "urn: malformed field: expected string, found number"},
		{here(), `"pending_operations":[{"resource":{"urn":"u","inputs":{"a":{` + asSecret + `}}}}]`, "inputs: "},
	} {
		text := `{"version":3,"deployment":{"resources":[` + resource + `],` + row.members + `}}`
		for way, file := range read(t, text) {
			_, manifest := file.Manifest()
			_, _, metadata := file.IntegrityError()
			errs := []error{manifest, metadata}
			for _, err := range file.PendingOperations() {
				errs = append(errs, err)
			}
			err := errors.Join(errs...)
			var e *state.Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), row.want) || e.Offset <= int64(strings.Index(text, row.members)) || (!strings.Contains(err.Error(), "after 1 resource") && !strings.Contains(row.members, `"resource"`)) {
				t.Errorf("%s, %s: %v", row.at, way, err)
			}
		}
	}
}

func TestIntegrityError(t *testing.T) {
	text := `"metadata":{"integrity_error":{"version":"v1","command":"up --config k=canary","error":"canary","env_vars":{"PULUMI_X":"canary"}}}`
	want := state.IntegrityError{
		Version: "v1", Command: value.Secret(value.String("up --config k=canary")), Error: value.Secret(value.String("canary")),
		EnvVars: value.Object(value.Member{Key: "PULUMI_X", Value: value.Secret(value.String("canary"))}),
	}
	for shape, text := range documents(text) {
		for way, file := range read(t, text) {
			got, ok, err := file.IntegrityError()
			if d := cmp.Diff(want, got); d != "" || !ok || err != nil {
				t.Errorf("%s, %s: %v, %v, -want +got:\n%s", shape, way, ok, err, d)
			}
			if shown := fmt.Sprintf("%v %+v %#v", got, got, got); strings.Contains(shown, "canary") {
				t.Errorf("shown: %s", shown)
			}
		}
	}
	for _, text := range []string{`{"version":3,"deployment":{}}`, `{"version":3,"deployment":{"metadata":null}}`, `{"version":3,"deployment":{"metadata":{"integrity_error":null}}}`} {
		if got, ok, err := parse(t, text).IntegrityError(); ok || err != nil || !cmp.Equal(got, state.IntegrityError{}) {
			t.Errorf("%s: %v, %v, %v", text, got, ok, err)
		}
	}
}

func TestPendingOperations(t *testing.T) {
	members := `"pending_operations":[{"type":"creating","resource":{"urn":"u","inputs":{"a":1}}},{"resource":{"urn":"v","later":1},"type":"deleting"}]`
	want := []state.Operation{
		{Type: "creating", Resource: state.Resource{URN: "u", Inputs: value.Object(value.Member{Key: "a", Value: value.Number(1)})}},
		{Type: "deleting", Resource: state.Resource{URN: "v", Number: 1}},
	}
	for shape, text := range documents(members) {
		if shape == "old" {
			continue // of version 1, which has none
		}
		for way, file := range read(t, text) {
			var got []state.Operation
			for op, err := range file.PendingOperations() {
				if err != nil {
					t.Fatal(err)
				}
				if at := op.Resource.Offset; !strings.HasPrefix(text[at:], `{"urn":"`+op.Resource.URN+`"`) {
					t.Errorf("%s, %s: offset %d", shape, way, at)
				}
				got = append(got, op)
			}
			if d := cmp.Diff(want, got, cmpopts.IgnoreFields(state.Resource{}, "Offset", "Extra"), cmpopts.IgnoreUnexported(codec.Report{})); d != "" {
				t.Errorf("%s, %s: -want +got:\n%s", shape, way, d)
			}
			n := 0
			for range file.PendingOperations() {
				n++
				break
			}
			if n != 1 {
				t.Errorf("%s, %s: %d operations before the stop", shape, way, n)
			}
		}
	}
	for range (*state.File)(nil).PendingOperations() {
		t.Error("an operation of nothing")
	}
}

// TestOpenEverywhere opens the secrets of all that a file holds, in one call.
func TestOpenEverywhere(t *testing.T) {
	secret := func(c string) string { return `{` + asSecret + `,"ciphertext":"` + c + `"}` }
	file := parse(t, `{"version":3,"deployment":{"resources":[{"urn":"u","inputs":{"a":`+secret("1")+`},"replacementTrigger":[`+secret("2")+`]}],
		"pending_operations":[{"type":"updating","resource":{"urn":"u","outputs":{"a":`+secret("3")+`},"replacementTrigger":`+secret("4")+`}}]}}`)
	calls := 0
	opened, err := file.Decrypt(decrypting(func(texts []string) ([]string, error) { calls++; return texts, nil }))
	if err != nil || calls != 1 {
		t.Fatal(calls, err)
	}
	number := func(n float64) value.Value { return value.Secret(value.Number(n)) }
	for r, err := range opened.Resources() {
		if err != nil || !r.Inputs.Field("a").Identical(number(1)) || !r.ReplacementTrigger.Identical(value.Array(number(2))) {
			t.Errorf("%v, %v, %v", r.Inputs, r.ReplacementTrigger, err)
		}
	}
	for op, err := range opened.PendingOperations() {
		if r := op.Resource; err != nil || !r.Outputs.Field("a").Identical(number(3)) || !r.ReplacementTrigger.Identical(number(4)) {
			t.Errorf("%v, %v, %v", r.Outputs, r.ReplacementTrigger, err)
		}
	}
	r := state.NewReader(strings.NewReader(""), state.Options{})
	batch, err := r.Decrypt(all(t, file), decrypting(func(texts []string) ([]string, error) { return texts, nil }))
	if err != nil || !batch[0].ReplacementTrigger.Identical(value.Array(number(2))) {
		t.Errorf("%v, %v", batch, err)
	}
}

// decrypting is a Decrypter of one function.
type decrypting func([]string) ([]string, error)

func (d decrypting) Decrypt(ciphertexts []string) ([]string, error) { return d(ciphertexts) }
