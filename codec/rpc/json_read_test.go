package rpc_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
)

// TestJSONForms: the many ways to write one thing, which protojson takes or
// refuses alike.
func TestJSONForms(t *testing.T) {
	p := descriptors(t)
	for name, texts := range map[string][]string{
		"ListRequest": {
			`{"limit":1}`, `{"limit":"1"}`, `{"limit":1e2}`, `{"limit":"1.50e1"}`, `{"limit":10e-1}`, `{"limit":-0}`, `{"limit":1.5}`, `{"limit":null}`,
			`{"limit":9223372036854775807}`, `{"limit":9223372036854775808}`, `{"limit":-9223372036854775808}`, `{"limit":1e18}`, `{"limit":1e19}`,
			`{"limit":0e999999999}`, `{"limit":0.1e-9223372036854775808}`, `{"limit":10e9223372036854775807}`, `{"limit":1e9223372036854775808}`, `{"limit":1e-999999999}`, `{"limit":1e999999999}`, `{"limit":""}`, `{"limit":"1 "}`, `{"limit":"+1"}`, `{"limit":true}`,
			`{"limit":0.000}`, `{"limit":100e-2}`, `{"limit":100e-3}`, `{"limit":01}`, `{"limit":1.}`, `{"page_size":"7","continuationToken":"t"}`,
			`{"query":null}`, `{"query":{}}`, `{"query":{"a":null}}`, `{"query":[]}`, `{"Limit":1}`, `{"limit":"0x1"}`,
		},
		"UpdateRequest": {
			`{"timeout":1}`, `{"timeout":"1.5"}`, `{"timeout":"NaN"}`, `{"timeout":"-Infinity"}`, `{"timeout":"Infinity"}`, `{"timeout":NaN}`, `{"timeout":"1e400"}`,
			`{"timeout":-0}`, `{"timeout":"-0"}`, `{"timeout":" 1"}`, `{"timeout":""}`, `{"timeout":1e-400}`, `{"preview":true}`, `{"preview":1}`, `{"preview":"true"}`,
			`{"oldViews":[{"inputs":{}}]}`, `{"old_views":[null]}`, `{"oldViews":null}`, `{"ignoreChanges":["a"]}`, `{"ignore_changes":["a"]}`, `{"ignoreChanges":"a"}`,
		},
		"CheckRequest": {
			`{"randomSeed":"+/8="}`, `{"randomSeed":"-_8="}`, `{"randomSeed":"-_8"}`, `{"randomSeed":"+/8"}`, `{"randomSeed":"+_8="}`, `{"randomSeed":""}`, `{"randomSeed":"="}`,
			`{"autonaming":{"mode":"ENFORCE"}}`, `{"autonaming":{"mode":2}}`, `{"autonaming":{"mode":"2"}}`, `{"autonaming":{"mode":77}}`, `{"autonaming":{"mode":"enforce"}}`,
			`{"autonaming":{"mode":1e0}}`, `{"autonaming":{"mode":2147483648}}`, `{"autonaming":{"mode":null}}`, `{"autonaming":null}`, `{"autonaming":[]}`,
			`{"urn":"\u00e9\ud83d\ude00"}`, `{"urn":"\ud83d"}`, "{\"urn\":\"\xff\"}", `{"urn":"a","urn":"b"}`, `{"urn":null,"urn":"b"}`, `{"urn":1}`, `{"random_seed":"AA=="}`,
			`null`, `[]`, `"x"`, ``, ` {} `, `{}{}`, `{"urn":"a",}`, `{,}`, `{"unknown":1}`, `{"[a.b]":1}`,
		},
		"Alias": {
			`{"urn":"u"}`, `{"urn":"u","spec":{}}`, `{"urn":"u","spec":null}`, `{"spec":{"parentUrn":"","noParent":null}}`, `{"spec":{"parentUrn":"","noParent":false}}`,
		},
		"DiffResponse": {
			`{"detailedDiff":{"a":{"kind":"UPDATE"}}}`, `{"detailedDiff":{"a":null}}`, `{"detailedDiff":{"a":{},"a":{}}}`, `{"detailedDiff":[]}`, `{"detailedDiff":{"a":{"kind":3,"inputDiff":true}}}`,
		},
		"ConstructRequest": {
			`{"replacementTrigger":null}`, `{"replacementTrigger":[1,{}]}`, `{"replacement_trigger":"x"}`, `{"config":{"a":null}}`, `{"config":{"a":"b"}}`, `{"protect":false}`, `{"protect":null}`,
		},
	} {
		name = "pulumirpc." + name
		for _, text := range texts {
			theirs, ours := p.new(name), rpc.New(name)
			theirErr := protojson.Unmarshal([]byte(text), theirs)
			ourErr := rpc.DecodeJSON([]byte(text), ours, rpc.Options{})
			if (theirErr == nil) != (ourErr == nil) {
				t.Errorf("%s: protojson says %v, we %v", text, theirErr, ourErr)
				continue
			}
			if theirErr != nil {
				continue
			}
			got, err := rpc.Append(nil, ours, rpc.Options{})
			if want := marshal(t, theirs); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: %v: got %q, want %q", text, err, got, want)
			}
		}
	}
}

// TestMutatedJSON: what protojson refuses we refuse, and what it takes we take
// with the same meaning, but for what package codec finds wrong in properties.
func TestMutatedJSON(t *testing.T) {
	p := descriptors(t)
	names := p.names()
	taken, refused, strict := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		for range 20 {
			name := rapid.SampledFrom(names).Draw(t, "name")
			text, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(random(t, p, name, true))
			if err != nil {
				continue
			}
			for range rapid.IntRange(0, 2).Draw(t, "mutations") {
				at := rapid.IntRange(0, len(text)).Draw(t, "at")
				insert := rapid.SampledFrom([]string{"", "", " ", ",", "{", "}", "[", "]", ":", "null", "0", "-", "1e3", ".5", `"`, `\`, "\xff", "_", "a", "true"}).Draw(t, "insert")
				text = slices.Replace(text, at, min(len(text), at+rapid.IntRange(0, 2).Draw(t, "cut")), []byte(insert)...)
			}
			theirs, ours := p.new(name), rpc.New(name)
			theirErr := protojson.Unmarshal(text, theirs)
			ourErr := rpc.DecodeJSON(text, ours, rpc.Options{})
			var inside *codec.Error
			switch {
			case theirErr != nil && ourErr == nil:
				t.Fatalf("%s: protojson refuses %q: %v", name, text, theirErr)
			case theirErr != nil:
				refused++
				continue
			case errors.As(ourErr, &inside) && !errors.Is(ourErr, codec.ErrSyntax):
				strict++
				continue
			case ourErr != nil:
				t.Fatalf("%s: protojson takes %q: %v", name, text, ourErr)
			}
			taken++
			again := rpc.New(name)
			if err := rpc.Decode(marshal(t, theirs), again, rpc.Options{}); err != nil || identical(ours, again) != "" {
				t.Fatalf("%s: %q: %v %s", name, text, err, identical(ours, again))
			}
		}
	})
	t.Logf("%d taken, %d refused, %d refused for their properties", taken, refused, strict)
	if taken == 0 || refused == 0 {
		t.Error("mutations do not reach both sides")
	}
}

// TestDiscardUnknown: unknown names are skipped if the options say so, whatever is below.
func TestDiscardUnknown(t *testing.T) {
	o := rpc.Options{DiscardUnknown: true}
	var m rpc.CheckRequest
	err := rpc.DecodeJSON([]byte(`{"new":{"a":[1,"x",null,{"b":[]}]},"urn":"u","more":1,"autonaming":{"other":2,"mode":"DISABLE"}}`), &m, o)
	want := rpc.CheckRequest{URN: "u", Autonaming: &rpc.AutonamingOptions{Mode: rpc.AutonamingDisable}}
	if err != nil || identical(&m, &want) != "" {
		t.Error(err, identical(&m, &want))
	}
	for _, text := range []string{`{"new":[1,]}`, `{"new"}`, `{"new":` + strings.Repeat("[", 1_000_000) + `}`} {
		if err := rpc.DecodeJSON([]byte(text), &m, o); err == nil {
			t.Errorf("%.20s is taken", text)
		}
	}
}
