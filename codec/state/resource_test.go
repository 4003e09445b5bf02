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

func TestResource(t *testing.T) {
	got := only(t, `{"urn":"`+urnA+`","custom":true,"delete":true,"id":"i\u0064","type":"aws:s3/bucket:Bucket",
		"inputs":{"bucket":"b"}, "outputs" : {"bucket":"b","arn":"x"},"parent":"P","protect":true,"external":true,
		"dependencies":["D1","D\u0032"],"initErrors":["failed"],"provider":"V::i","propertyDependencies":{"a":null,"b":[],"c":["D1"]},
		"aliases":["A"],"created":"2024-01-01T00:00:00Z","customTimeouts":{ "create" : 1 },"\u006eew":[1]}`)
	want := state.Resource{
		URN: urnA, Type: "aws:s3/bucket:Bucket", ID: "id", Custom: true, Delete: true, External: true, Protect: true, Parent: "P", Provider: "V::i",
		Dependencies: []string{"D1", "D2"}, PropertyDependencies: map[string][]string{"a": nil, "b": nil, "c": {"D1"}},
		InitErrors: []value.Value{value.Secret(value.String("failed"))}, Aliases: []string{"A"}, Offset: 40,
		Created: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC), CustomTimeouts: state.CustomTimeouts{Create: 1},
		Inputs:  value.Object(value.Member{Key: "bucket", Value: value.String("b")}),
		Outputs: value.Object(value.Member{Key: "bucket", Value: value.String("b")}, value.Member{Key: "arn", Value: value.String("x")}),
	}
	if d := cmp.Diff(want, got, cmpopts.IgnoreFields(state.Resource{}, "Extra"), cmpopts.IgnoreUnexported(codec.Report{})); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if got := fields(got.Extra); got != `new=[1];` {
		t.Errorf("extra: %s", got)
	}
}

// TestResourceOptions reads what says how an engine treats a resource.
func TestResourceOptions(t *testing.T) {
	got := only(t, `{"urn":"u","taint":true,"pendingReplacement":true,"retainOnDelete":true,"refreshBeforeUpdate":true,
		"importID":"i","deletedWith":"D","viewOf":"V","extensionRef":"e","snippetID":"s","replaceWith":["R"],"ignoreChanges":["a[*]"],
		"replaceOnChanges":["b"],"hideDiff":["c.d"],"additionalSecretOutputs":["o"],"resourceHooks":{"BeforeCreate":["h"],"OnError":null},
		"customTimeouts":{"create":1.5,"update":2,"delete":3,"read":4,"later":null},"replacementTrigger":[1,{`+asSecret+`,"plaintext":"2"}],
		"created":"2024-01-01T00:00:00Z","modified":"2024-01-01T00:00:00.5+01:00","sourcePosition":"project:///a.ts#1,2",
		"stackTrace":[{"sourcePosition":"p"},{},{"sourcePosition":"q"}]}`)
	want := state.Resource{
		URN: "u", Taint: true, PendingReplacement: true, RetainOnDelete: true, RefreshBeforeUpdate: true,
		ImportID: "i", DeletedWith: "D", ViewOf: "V", ExtensionRef: "e", SnippetID: "s", ReplaceWith: []string{"R"}, IgnoreChanges: []string{"a[*]"},
		ReplaceOnChanges: []string{"b"}, HideDiff: []string{"c.d"}, AdditionalSecretOutputs: []string{"o"},
		ResourceHooks:  map[string][]string{"BeforeCreate": {"h"}, "OnError": nil},
		CustomTimeouts: state.CustomTimeouts{Create: 1.5, Update: 2, Delete: 3, Read: 4}, ReplacementTrigger: value.Array(value.Number(1), value.Secret(value.Number(2))),
		Created: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC), Modified: time.Date(2023, 12, 31, 23, 0, 0, 5e8, time.UTC), SourcePosition: "project:///a.ts#1,2",
		StackTrace: []string{"p", "", "q"}, Offset: 40,
	}
	if d := cmp.Diff(want, got, cmpopts.IgnoreUnexported(codec.Report{})); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func TestResourceOptionsMalformed(t *testing.T) {
	for _, row := range []struct{ at, member, want string }{
		{here(), `"taint":1`, "taint: malformed field: expected bool, found number"},
		{here(), `"hideDiff":[["a"]]`, "hideDiff: malformed field: expected array of strings, found array"},
		{here(), `"resourceHooks":["h"]`, "resourceHooks: malformed field: expected object of arrays of strings, found array"},
		{here(), `"resourceHooks":{"a":[],"a":[]}`, "resourceHooks: duplicate member name"},
		{here(), `"customTimeouts":{"create":"1m"}`, "customTimeouts: malformed field: expected number of seconds, found string"},
		{here(), `"customTimeouts":{"read":1e400}`, "customTimeouts: malformed field: expected number of seconds, found number"},
		{here(), `"created":"yesterday"`, "created: malformed field: expected time in the form of RFC 3339, found string"},
		{here(), `"modified":1`, "modified: malformed field: expected time in the form of RFC 3339, found number"},
		{here(), `"stackTrace":{}`, "stackTrace: malformed field: expected array of frames, found object"},
		{here(), `"stackTrace":["f"]`, "stackTrace: malformed field: expected object, found string"},
		{here(), `"stackTrace":[{"sourcePosition":{}}]`, "stackTrace: malformed field: expected string, found object"},
		{here(), `"replacementTrigger":{` + asSecret + `}`, "replacementTrigger: "},
	} {
		for _, err := range parse(t, export(`{"urn":"u",`+row.member+`}`)).Resources() {
			var e *state.Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), row.want) || e.Offset < 40 {
				t.Errorf("%s: %v", row.at, err)
			}
		}
	}
}

func TestResourceNulls(t *testing.T) {
	got := only(t, `{"urn":"u","id":null,"custom":null,"dependencies":null,"propertyDependencies":null,"inputs":null,"aliases":null,"x":null}`)
	if got.ID != "" || got.Custom || got.Dependencies != nil || got.PropertyDependencies != nil || !got.Inputs.IsNull() || !got.Outputs.IsNull() {
		t.Errorf("got %+v", got)
	}
	if got := fields(got.Extra); got != `x=null;` {
		t.Errorf("extra: %s", got)
	}
	if empty := only(t, `{"urn":"u","inputs":{}}`); empty.Inputs.Kind() != value.KindObject {
		t.Error("empty inputs are absent")
	}
}

// A file and its fields may hold secrets: printing does not show them.
func TestNothingIsPrinted(t *testing.T) {
	f := parse(t, export(`{"urn":"u","inputs":{"a":{`+asSecret+`,"plaintext":"\"xyzzy\""}}}`))
	holder := struct{ file *state.File }{f}
	if text := fmt.Sprintf("%v %+v %#v %v %+v %#v", f, f, f, *f, *f, holder); strings.Contains(text, "xyzzy") {
		t.Errorf("shown: %s", text)
	}
	r := only(t, `{"urn":"u","pending":{`+asSecret+`,"plaintext":"xyzzy"},"inputs":{"a":{`+asSecret+`,"plaintext":"\"xyzzy\""}}}`)
	if text := fmt.Sprintf("%v %+v %#v", r, r, r); strings.Contains(text, "xyzzy") {
		t.Errorf("shown: %s", text)
	}
	if (state.Field{}).RevealText() != "null" {
		t.Error("the zero Field has no text")
	}
}

func TestRounded(t *testing.T) {
	text := export(`{"urn":"u","inputs":{"a":[9007199254740993]},"outputs":{"b":{` + asSecret + `,"plaintext":"{\"k\":1e400}"}}}`)
	var unused codec.Report
	f, err := state.Parse([]byte(text), state.Options{Codec: codec.Options{RoundNumbers: true, Report: &unused}})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // each iteration stands alone
		r := all(t, f)[0]
		in, out := r.InputsReport.Rounded, r.OutputsReport.Rounded
		if len(in) != 1 || in[0].At.String() != "a[0]" || in[0].RevealText() != "9007199254740993" {
			t.Errorf("inputs: %v", in)
		}
		if len(out) != 1 || out[0].At.String() != "b[secret]" || !out[0].Secret {
			t.Errorf("outputs: %v", out)
		}
	}
	if len(unused.Rounded) != 0 {
		t.Error("the caller's report was used")
	}
}

// Who stops early is not asked again.
func TestIterationStops(t *testing.T) {
	n := 0
	for range parse(t, export(resource, resource, `{"urn":1}`)).Resources() {
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("%d resources", n)
	}
}

// A trigger is no bag: lowering internal properties leaves all of its members.
func TestTriggerHasNoInternalProperties(t *testing.T) {
	f, err := state.Parse(`{"version":3,"deployment":{"manifest":{},"resources":[{"urn":"urn:pulumi:s::p::t:m:R::n",
		"type":"t:m:R","outputs":{"__x":1},"replacementTrigger":{"__k":1}}]}}`,
		state.Options{Codec: codec.Options{Internal: codec.Lower}})
	if err != nil {
		t.Fatal(err)
	}
	want := value.Object(value.Member{Key: "__k", Value: value.Number(1)})
	for r, err := range f.Resources() {
		if err != nil || !r.ReplacementTrigger.Identical(want) || r.Outputs.Len() != 0 {
			t.Errorf("%v %v %v", r.ReplacementTrigger, r.Outputs, err)
		}
	}
}
