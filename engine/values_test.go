package engine_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

const urnA, urnB = "urn:pulumi:s::p::t::a", "urn:pulumi:s::p::t::b"

func num(f float64) value.Value { return value.Number(f) }

func arr(elems ...value.Value) value.Value { return value.Array(elems...) }

func sec(v value.Value) value.Value { return value.Secret(v) }

func obj(pairs ...any) value.Value {
	var members []value.Member
	for i := 0; i < len(pairs); i += 2 {
		members = append(members, value.Member{Key: pairs[i].(string), Value: pairs[i+1].(value.Value)})
	}

	return value.Object(members...)
}

func patterns(texts ...string) *path.Set {
	var all []path.Pattern
	for _, text := range texts {
		all = append(all, path.MustParsePattern(text))
	}

	return path.NewSet(all...)
}

// sided writes a response with the side of each entry: < state, = inputs.
func sided(r provider.Response) string {
	var parts []string
	for _, e := range r.Detailed {
		side := "<"
		if e.InputDiff {
			side = "="
		}
		parts = append(parts, e.Key+side+e.Kind.String())
	}
	text := strings.Join(parts, " ")
	if !r.HasDetailed {
		text += "no details"
	}
	return text + " | " + r.Changes.String() + " " + strings.Join(r.Diffs, ",") + " | " + strings.Join(r.Replaces, ",")
}

// claimed makes a response of entries "key KIND", with "=" for inputDiff, and of the
// names that go with them.
func claimed(entries ...string) provider.Response {
	r := provider.Response{Changes: provider.Some, HasDetailed: true}
	for _, text := range entries {
		cut := strings.LastIndexAny(text, "=<")
		e := provider.Entry{Key: text[:cut], InputDiff: text[cut] == '='}
		if err := e.Kind.UnmarshalText([]byte(text[cut+1:])); err != nil {
			e.Kind = 99
		}
		r.Detailed = append(r.Detailed, e)
		if p, err := path.ParsePulumi(e.Key); err == nil && !p.IsRoot() {
			first, _ := p.First()
			name, _ := first.Key()
			r.Diffs = append(r.Diffs, name)
			if e.Kind.IsReplace() {
				r.Replaces = append(r.Replaces, name)
			}
		}
	}
	return r
}

// vm is the inputs of an instance, and its state, which also has a url.
func vm(name string, size float64) (inputs, state value.Value) {
	inputs = value.Object(
		value.Member{Key: "name", Value: value.String(name)},
		value.Member{Key: "size", Value: value.Number(size)},
	)
	state, _ = inputs.With(path.MustParse("url"), value.String("https://"+name))
	return inputs, state
}

func printResponse(r provider.Response) {
	fmt.Println(r.Changes, r.Diffs, r.Replaces, r.Stables)
	for _, e := range r.Detailed {
		fmt.Println(" ", e.Key, e.Kind, e.InputDiff)
	}
}

// instance is the provider of the examples. Its url is computed.
type instance struct{}

// Diff is all that a provider has to write. (With codec/rpc: provider.Answer.)
func (instance) Diff(sides provider.Sides) provider.Response {
	return provider.Compare(sides, provider.Options{
		InputNames: []string{"name", "size", "tags"},
	}).Response(provider.Options{
		ReplaceOn: path.NewSet(path.MustParsePattern("name")),
		Stables:   []string{"url"},
	})
}

// detailedRow is a detailed diff that a real provider or engine gave.
type detailedRow struct {
	DetailedDiff    json.RawMessage
	Diffs, Replaces json.RawMessage
	Keys            []string
	Changes         string
	Source          string
}

// response is the row's detailed diff, in whatever spelling.
func (r *detailedRow) response(t *testing.T) provider.Response {
	t.Helper()
	var entries map[string]struct {
		Kind, DiffKind string
		InputDiff      bool
	}
	if err := json.Unmarshal(r.DetailedDiff, &entries); err != nil {
		t.Fatal(err)
	}
	response := provider.Response{Changes: provider.None, HasDetailed: true}
	names, replaced := map[string]bool{}, map[string]bool{}
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		e := entries[key]
		kind := provider.Add // what protobuf leaves out
		if text := e.Kind + e.DiffKind; text != "" {
			var err error
			if kind, err = provider.ParseKind(text); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
		}
		response.Changes = provider.Some
		response.Detailed = append(response.Detailed, provider.Entry{Key: key, Kind: kind, InputDiff: e.InputDiff})
		if p, err := path.ParsePulumi(key); err == nil {
			first, _ := p.First()
			name, _ := first.Key()
			names[name] = true
			if kind.IsReplace() {
				replaced[name] = true
			}
		}
	}
	response.Diffs, response.Replaces = slices.Sorted(maps.Keys(names)), slices.Sorted(maps.Keys(replaced))
	for _, list := range []struct {
		sent json.RawMessage
		to   *[]string
	}{{r.Diffs, &response.Diffs}, {r.Replaces, &response.Replaces}} {
		var sent []string
		if json.Unmarshal(list.sent, &sent) == nil && sent != nil {
			*list.to = sent
		}
	}
	return response
}
