package pulumi_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/interop/pulumi/internal/differential"
	"github.com/propalg/propalg/value"
)

// difference is one entry of docs/differences.md: what either side makes of the
// same input, as a text.
type difference struct {
	name         string
	theirs, ours func() string
	wantTheirs   string
	wantOurs     string
}

// TestDifferences reproduces every entry of docs/differences.md, in the SDK and
// here, and that page has an entry for each of these. Those about state files are for
// the module in stack.
func TestDifferences(t *testing.T) {
	var all []difference
	for _, some := range [][]difference{
		readDifferences(), secretDifferences(), referenceDifferences(), blobDifferences(),
		writeDifferences(), unsendableDifferences(), valueDifferences(), pathDifferences(), editDifferences(),
		modelEditDifferences(), modelEqualityDifferences(), modelMarkDifferences(), betweenModelsDifferences(), modelPathDifferences(),
		urnDifferences(), answerDifferences(), policyDifferences(), markDifferences(),
	} {
		all = append(all, some...)
	}
	names := map[string]bool{}
	for _, d := range all {
		names[d.name] = true
		t.Run(d.name, func(t *testing.T) {
			if got := caught(d.theirs); got != d.wantTheirs {
				t.Errorf("the SDK: %s\nwant     %s", got, d.wantTheirs)
			}
			if got := caught(d.ours); got != d.wantOurs {
				t.Errorf("we:   %s\nwant  %s", got, d.wantOurs)
			}
		})
	}
	page, err := os.ReadFile("../../docs/differences.md")
	if err != nil {
		t.Fatal(err)
	}
	page = regexp.MustCompile(`(?s)\n## State files\n.*?\n## `).ReplaceAll(page, []byte("\n## "))
	written := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^### ([a-z0-9-]+)$").FindAllStringSubmatch(string(page), -1) {
		written[m[1]] = true
		if !names[m[1]] {
			t.Errorf("docs/differences.md has %q, which nothing reproduces", m[1])
		}
	}
	for name := range names {
		if !written[name] {
			t.Errorf("docs/differences.md lacks %q", name)
		}
	}
}

// caught is what f returns, or that it panicked.
func caught(f func() string) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = "panic"
		}
	}()
	return f()
}

// expand writes the signatures of a text in full: K is their key, !secret and so
// on the signatures.
func expand(text string) string {
	return strings.NewReplacer(
		`K:`, `"`+codec.SignatureKey+`":`,
		"!secret", `"1b47061264138c4ac30d75fd1eb44270"`,
		"!asset", `"c44067f5952c0a294b673a41bacd8c17"`,
		"!archive", `"0def7320c3a5731c473e5ecbe6d01bc7"`,
		"!reference", `"5cf8f73096256a8f31e491e813e4eb8e"`,
		"!output", `"d0e6a833031e9bbcd3f4e8bde6ca49a4"`,
		"!unknown", `"04da6b54-80e4-46f7-96ec-b56ff0331ba9"`,
	).Replace(text)
}

func message(text string) *structpb.Struct {
	m := new(structpb.Struct)
	if err := protojson.Unmarshal([]byte(expand(text)), m); err != nil {
		panic(err)
	}
	return m
}

// sdkReads shows what the SDK makes of a bag.
func sdkReads(text string, show func(resource.PropertyMap) string) func() string {
	m := message(text)
	return func() string {
		props, err := plugin.UnmarshalProperties(m, differential.Keep())
		if err != nil {
			return "error: " + err.Error()
		}
		return show(props)
	}
}

// weRead shows what we make of a bag.
func weRead(text string, show func(value.Value) string) func() string {
	m := message(text)
	return func() string {
		v, err := codec.FromMessage(m, codec.Options{})
		if err != nil {
			return "error: " + err.Error()
		}
		return show(v)
	}
}

// wrote shows a bag as JSON, always alike.
func wrote(m *structpb.Struct, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	v, err := codec.FromMessage(m, codec.Options{})
	if err != nil {
		return "unreadable: " + err.Error()
	}
	return shown(v)
}

func shown(v value.Value) string { return v.String() }

// a is the member of that name.
func a(show func(resource.PropertyValue) string) func(resource.PropertyMap) string {
	return func(props resource.PropertyMap) string { return show(props["a"]) }
}

// growth shows how many more allocations twice the depth takes.
func growth(read func(*structpb.Struct)) func() string {
	return func() string {
		var allocs [2]float64
		for i, depth := range []int{200, 400} {
			m := &structpb.Struct{}
			for range depth {
				m = &structpb.Struct{Fields: map[string]*structpb.Value{"a": structpb.NewStructValue(m)}}
			}
			allocs[i] = testing.AllocsPerRun(1, func() { read(m) })
		}
		if allocs[1] <= 2*allocs[0] {
			return "linear at most"
		}
		return fmt.Sprintf("%.0f times the allocations", allocs[1]/allocs[0])
	}
}

func readDifferences() []difference {
	return []difference{
		{
			"value-without-kind",
			func() string {
				_, err := plugin.UnmarshalProperties(&structpb.Struct{Fields: map[string]*structpb.Value{"a": {}}}, differential.Keep())
				return fmt.Sprint(err)
			},
			func() string {
				_, err := codec.Decode([]byte{0x0a, 3, 0x0a, 1, 'a'}, codec.Options{})
				return err.Error()
			},
			"panic", "codec: decode protobuf: a: wrong kind: expected a kind of value, found none",
		},
		{
			"signature-on-the-bag",
			sdkReads(`{K: !secret, "value": {}}`, func(p resource.PropertyMap) string { return fmt.Sprint(len(p), " plain members") }),
			weRead(`{K: !secret, "value": {}}`, func(v value.Value) string { return fmt.Sprint("secret: ", v.IsSecret(), ", members: ", v.Len()) }),
			"2 plain members", "secret: true, members: 0",
		},
		{
			"cost-of-depth", growth(func(m *structpb.Struct) { _, _ = differential.SDK(m) }),
			growth(func(m *structpb.Struct) { _, _ = codec.FromMessage(m, codec.Options{}) }),
			"4 times the allocations", "linear at most",
		},
		{
			"order-of-dependencies",
			sdkReads(`{"a": {K: !output, "value": 1, "dependencies": ["x", "y"]}, "b": {K: !output, "value": 1, "dependencies": ["y", "x", "y"]}}`,
				func(p resource.PropertyMap) string { return fmt.Sprint("equal: ", p["a"].DeepEquals(p["b"])) }),
			weRead(`{"a": {K: !output, "value": 1, "dependencies": ["x", "y"]}, "b": {K: !output, "value": 1, "dependencies": ["y", "x", "y"]}}`,
				func(v value.Value) string { return fmt.Sprint("equal: ", v.Field("a").Equal(v.Field("b"))) }),
			"equal: false", "equal: true",
		},
	}
}

func secretDifferences() []difference {
	secretDepth := func(p resource.PropertyValue) string {
		n := 0
		for ; p.IsSecret(); n++ {
			p = p.SecretValue().Element
		}
		return fmt.Sprint(n, " marks")
	}
	return []difference{
		{
			"sealed-secret",
			sdkReads(`{"a": {K: !secret, "ciphertext": "AAAA"}}`, nil),
			weRead(`{"a": {K: !secret, "ciphertext": "AAAA"}}`, func(v value.Value) string { return v.Field("a").Kind().String() }),
			`error: malformed RPC secret: missing value for "a"`, "sealed secret",
		},
		{
			"secret-with-two-contents",
			sdkReads(`{"a": {K: !secret, "value": 1, "ciphertext": "AAAA"}}`, a(secretDepth)),
			weRead(`{"a": {K: !secret, "value": 1, "ciphertext": "AAAA"}}`, shown),
			"1 marks", "error: codec: from structpb: a: malformed or reserved signature: expected one of value, ciphertext, plaintext, found value and ciphertext",
		},
		{
			"secret-in-a-secret",
			sdkReads(`{"a": {K: !secret, "value": {K: !secret, "value": 1}}}`, a(secretDepth)),
			weRead(`{"a": {K: !secret, "value": {K: !secret, "value": 1}}}`, func(v value.Value) string { return fmt.Sprint(v.Field("a").Identical(value.Secret(value.Number(1)))) }),
			"2 marks", "true",
		},
		{
			"secret-in-an-error",
			sdkReads(`{"a": {K: {K: !secret, "value": "hunter2"}}}`, nil),
			weRead(`{"a": {K: {K: !secret, "value": "hunter2"}}}`, shown),
			`error: unrecognized signature '&{{hunter2}}' in property map for "a"`,
			"error: codec: from structpb: a: malformed or reserved signature: expected string as signature, found secret string",
		},
	}
}

func referenceDifferences() []difference {
	return []difference{
		{
			"output-that-adds-nothing",
			sdkReads(`{"a": {K: !reference, "urn": {K: !output, "value": "u"}}}`, nil),
			weRead(`{"a": {K: !reference, "urn": {K: !output, "value": "u"}}}`, func(v value.Value) string { return v.Field("a").Kind().String() }),
			`error: malformed resource reference for "a": urn not a string`, "resource reference",
		},
		{
			"id-with-marks",
			sdkReads(`{"a": {K: !reference, "urn": "u", "id": {K: !output, "value": "i", "secret": true}}}`, a(func(p resource.PropertyValue) string {
				return "plain ID " + p.ResourceReferenceValue().ID.StringValue()
			})),
			weRead(`{"a": {K: !reference, "urn": "u", "id": {K: !output, "value": "i", "secret": true}}}`, shown),
			"plain ID i", "error: codec: from structpb: a: malformed or reserved signature: expected string as id, found secret string",
		},
		{
			"made-up-name-and-type",
			sdkReads(`{"a": {K: !reference, "urn": "urn:pulumi:s::p::t:m:T::n"}}`, a(func(p resource.PropertyValue) string {
				return p.ResourceReferenceValue().Name + " " + p.ResourceReferenceValue().Type
			})),
			weRead(`{"a": {K: !reference, "urn": "urn:pulumi:s::p::t:m:T::n"}}`, func(v value.Value) string {
				r, _ := v.Field("a").AsResourceReference()
				return r.Name + " " + r.Type
			}),
			"n t:m:T", " ",
		},
	}
}

func blobDifferences() []difference {
	asset := func(p resource.PropertyValue) string { return fmt.Sprintf("%+v", *p.AssetValue()) }
	return []difference{
		{
			"two-sources",
			sdkReads(`{"a": {K: !archive, "uri": "u", "path": "p"}}`, a(func(p resource.PropertyValue) string {
				return fmt.Sprintf("path %q, uri %q", p.ArchiveValue().Path, p.ArchiveValue().URI)
			})),
			weRead(`{"a": {K: !archive, "uri": "u", "path": "p"}}`, shown),
			`path "p", uri ""`, "error: codec: from structpb: a: malformed or reserved signature: expected one source, found path and uri",
		},
		{
			"empty-source",
			sdkReads(`{"a": {K: !asset, "path": ""}}`, a(asset)),
			weRead(`{"a": {K: !asset, "path": ""}}`, func(v value.Value) string {
				f, _ := v.Field("a").AsAsset()
				return f.Source().String()
			}),
			"{Sig:c44067f5952c0a294b673a41bacd8c17 Hash: Text: Path: URI:}", "file",
		},
		{
			"text-asset-without-hash",
			sdkReads(`{"a": {K: !asset, "text": "t"}}`, a(func(p resource.PropertyValue) string { return fmt.Sprintf("hash %q", p.AssetValue().Hash) })),
			weRead(`{"a": {K: !asset, "text": "t"}}`, func(v value.Value) string {
				f, _ := v.Field("a").AsAsset()
				hash, _ := f.Hash()
				return fmt.Sprintf("hash %q", hash)
			}),
			`hash ""`, `hash "e3b98a4da31a127d4bde6e43033f66ba274cab0eb7eb1c70ec41402bf6273dd8"`,
		},
		{
			"elided-archive",
			sdkReads(`{"a": {K: !archive, "hash": "abc"}}`, a(func(p resource.PropertyValue) string {
				return fmt.Sprint("literal: ", p.ArchiveValue().Assets != nil)
			})),
			weRead(`{"a": {K: !archive, "hash": "abc"}}`, func(v value.Value) string {
				f, _ := v.Field("a").AsArchive()
				return f.Source().String()
			}),
			"literal: true", "elided",
		},
	}
}
