package stack_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/pkg/v3/resource/edit"
	"github.com/pulumi/pulumi/pkg/v3/resource/stack"
	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
	"github.com/pulumi/pulumi/sdk/v3/go/common/encoding"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/value"
)

// difference is an entry of docs/differences.md about state files: what either side
// makes of the same input, as a text.
type difference struct {
	name         string
	theirs, ours string
	wantTheirs   string
	wantOurs     string
}

// read is what both sides make of the text of a bag.
func read(name, text, wantTheirs, wantOurs string) difference {
	text = strings.NewReplacer(
		`K:`, `"`+codec.SignatureKey+`":`, "!secret", `"`+sigSecret+`"`, "!asset", `"`+sigAsset+`"`, "!reference", `"`+sigReference+`"`,
		"!output", `"`+sigOutput+`"`, "!unknown", `"`+anyText+`"`,
	).Replace(text)
	return difference{name, outcome(engineReads([]byte(text), &crypter{})), outcome(weRead([]byte(text), &crypter{})), wantTheirs, wantOurs}
}

func outcome(v value.Value, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	return v.String()
}

// wrote is what both sides read of what is written here, or why nothing is.
func wrote(name string, v value.Value, o codec.Options, wantTheirs, wantOurs string) difference {
	d := difference{name: name, wantTheirs: wantTheirs, wantOurs: wantOurs}
	texts, err := state.EncodeBags([]value.Value{value.Object(value.Member{Key: "a", Value: v})}, nil, o)
	if err != nil {
		d.theirs, d.ours = "none", "error: "+err.Error()
		return d
	}
	d.theirs, d.ours = outcome(engineReads(texts[0], &crypter{})), outcome(weRead(texts[0], &crypter{}))
	return d
}

// Exports with a resource that something refers to that engines do not look at when it is
// deleted.
const (
	viewed = `{"version":3,"deployment":{"resources":[{"urn":"urn:pulumi:s::p::a:b:C::a","type":"a:b:C"},` +
		`{"urn":"urn:pulumi:s::p::a:b:C::v","type":"a:b:C","viewOf":"urn:pulumi:s::p::a:b:C::a"}]}}`
	operated = `{"version":3,"deployment":{"resources":[{"urn":"urn:pulumi:s::p::a:b:C::a","type":"a:b:C"}],` +
		`"pending_operations":[{"resource":{"urn":"urn:pulumi:s::p::a:b:C::n","type":"a:b:C","parent":"urn:pulumi:s::p::a:b:C::a"},"type":"creating"}]}}`
)

// engineDeletes says what the engine makes of the deletion of the first resource.
func engineDeletes(text string) string {
	var export apitype.UntypedDeployment
	if err := json.Unmarshal([]byte(text), &export); err != nil {
		return err.Error()
	}

	made, err := stack.DeserializeUntypedDeployment(context.Background(), &export, engineCrypter{&crypter{}})
	if err == nil {
		err = edit.DeleteResource(made, made.Resources[0], nil, false)
	}

	if err == nil {
		err = made.VerifyIntegrity()
	}

	return fmt.Sprint(err)
}

// deleted is the error of the same here.
func deleted(text string) error {
	_, err := state.Rewrite(strings.NewReader(text), io.Discard, state.Edits{Delete: []string{"urn:pulumi:s::p::a:b:C::a"}})

	return err
}

// streamed is the error of reading a stream.
func streamed(text string) error {
	for _, err := range state.NewReader(strings.NewReader(text), state.Options{}).Resources() {
		if err != nil {
			return err
		}
	}

	return nil
}

func differences() []difference {
	deep := value.Secret(value.Number(1))
	for range 8 {
		deep = value.Secret(value.Array(deep))
	}
	late := `{"checkpoint": {"latest": {"resources": [{"urn": "u"}]}}, "version": 2}`
	_, _, _, lateTheirs := stack.UnmarshalVersionedCheckpointToLatestCheckpoint(encoding.JSON, []byte(late))
	later := `{"version": 4, "features": ["later"], "checkpoint": {"latest": {"resources": []}}}`
	_, _, _, laterTheirs := stack.UnmarshalVersionedCheckpointToLatestCheckpoint(encoding.JSON, []byte(later))
	laterFile, _ := state.Parse(later, state.Options{})
	_, laterOurs := state.Rewrite(strings.NewReader(later), io.Discard, state.Edits{})
	_, rounded := codec.DecodeJSONValue([]byte(`9007199254740993`), codec.Options{Form: codec.FormState})
	return []difference{
		wrote("dependencies-in-a-state-file", value.Number(1).WithDependencies("u"), codec.Options{}, "none", "error: state: bag 0: codec: encode json: a: rejected by policy: expected a value without dependencies (state files have none; outputs can be lowered), found output"),
		wrote("hint-of-an-unknown-in-a-state-file", value.UnknownOf(value.KindNumber), codec.Options{}, "{a: [unknown]}", "{a: [unknown]}"),
		wrote("sealed-inside-a-secret", value.Secret(value.Array(value.Sealed{Ciphertext: "c"}.Value())), codec.Options{}, "none", "error: state: bag 0: codec: encode json: a[secret]: sealed secret: expected a decrypted secret, since it is inside another"),
		wrote("secrets-nine-deep", deep, codec.Options{}, "none", "error: state: bag 0: codec: encode json: a[secret]: nested beyond the limit: expected fewer nested secrets"),
		read("empty-ciphertext", `{"a": {K: !asset, "text": "t", "more": {K: !secret, "ciphertext": ""}}}`, "error: malformed secret value: exactly one of `ciphertext` or `plaintext` must be supplied", "{a: asset(text:e3b98a4)}"),
		read("secret-with-a-value-in-a-state-file", `{"a": {K: !secret, "value": 1}}`, "error: malformed secret value: exactly one of `ciphertext` or `plaintext` must be supplied", "{a: [secret]}"),
		read("output-in-a-state-file", `{"a": {K: !output, "value": 1}}`, "error: unrecognized signature '"+sigOutput+"' in property map", "{a: 1}"),
		read("id-that-is-an-unknown", `{"a": {K: !reference, "urn": "u", "id": !unknown}}`, "error: malformed resource reference: id must be a string", `{a: reference("u", id: [unknown])}`),
		read("secret-in-a-member-that-is-ignored", `{"a": {K: !asset, "text": "t", "more": {K: !secret, "ciphertext": "none"}}}`, "error: decrypting secret value: no ciphertext", "{a: asset(text:e3b98a4)}"),
		read("names-that-stand-twice", `{"a": 1, "a": 2}`, "{a: 2}", "error: codec: decode json: offset 9: duplicate member name"),
		read("text-of-a-state-file-that-is-not-utf8", "{\"a\": \"\xff\"}", "{a: \"\uFFFD\"}", "error: codec: decode json: a: offset 7: not UTF-8"),
		read("number-beyond-the-doubles", `{"a": 1e400}`, "error: json: cannot unmarshal number 1e400 into Go value of type float64", "{a: Infinity}"),
		{"number-that-is-rounded", outcome(engineReads([]byte(`{"a": 9007199254740993}`), &crypter{})), fmt.Sprint(rounded), "{a: 9007199254740992}", "codec: decode json: offset 0: number cannot be held exactly"},
		{"version-after-the-resources", fmt.Sprint(lateTheirs), fmt.Sprint(streamed(late)), "<nil>", "state: offset 69, after 1 resource: version: unknown version: expected a version below 3 before the resources, which are read by it"},
		{"features-that-are-not-known", fmt.Sprint(laterTheirs), fmt.Sprint(laterFile.UnknownFeatures(), laterOurs), "this stack's deployment needs support for the following features: later", "[later] state: features: cannot edit: it needs later, which this package does not know"},
		{"deleting-what-a-view-names", engineDeletes(viewed), fmt.Sprint(deleted(viewed)), "<nil>", "state: offset 91, after 1 resource: urn:pulumi:s::p::a:b:C::v: viewOf: cannot edit: refers to urn:pulumi:s::p::a:b:C::a, which is deleted"},
		{"deleting-what-a-pending-operation-names", engineDeletes(operated), fmt.Sprint(deleted(operated)), "<nil>", "state: offset 126, after 0 resources: urn:pulumi:s::p::a:b:C::n: parent: cannot edit: refers to urn:pulumi:s::p::a:b:C::a, which is deleted"},
	}
}

// TestDifferences reproduces every entry of docs/differences.md about state files, and
// that page has an entry for each of these.
func TestDifferences(t *testing.T) {
	page, err := os.ReadFile("../../../docs/differences.md")
	if err != nil {
		t.Fatal(err)
	}
	section := regexp.MustCompile(`(?s)\n## State files\n.*?\n## `).FindString(string(page))
	names := map[string]bool{}
	for _, d := range differences() {
		names[d.name] = true
		if d.theirs != d.wantTheirs || d.ours != d.wantOurs {
			t.Errorf("%s:\nthe engine: %s\nwant        %s\nwe:   %s\nwant  %s", d.name, d.theirs, d.wantTheirs, d.ours, d.wantOurs)
		}
		if !strings.Contains(section, "\n### "+d.name+"\n") {
			t.Errorf("docs/differences.md lacks %q", d.name)
		}
	}
	for _, m := range regexp.MustCompile("(?m)^### ([a-z0-9-]+)$").FindAllStringSubmatch(section, -1) {
		if !names[m[1]] {
			t.Errorf("docs/differences.md has %q, which nothing reproduces", m[1])
		}
	}
}
