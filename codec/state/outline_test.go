package state_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/value"
	"pgregory.net/rapid"
)

// memberTexts are members of a resource, right and wrong.
func memberTexts() []string {
	return []string{
		`"inputs":{"a":1,"b":[{"c":"x"}],"d":{}}`, `"outputs":{"b":1,"a":"y"}`, `"inputs":{"a":1,"a":2}`, `"outputs":{"x":{"a":1,"b":2,"a":3}}`,
		`"inputs":{"a":1e400}`, `"outputs":{"a":9007199254740993,"b":0.1}`, `"inputs":{"s":` + sealed("c") + `}`, `"outputs":{"` + codec.SignatureKey + `":"?"}`,
		`"inputs":null`, `"inputs":[]`, `"outputs":7`, `"inputs":{"\u0061":1,"a":2}`, `"in\u0070uts":{}`, `"inputs":{}`, `"outputs":{"__defaults":[]}`,
		`"dependencies":["a","b"]`, `"dependencies":[]`, `"dependencies":null`, `"dependencies":["a",1]`, `"dependencies":[["a"]]`, `"dependencies":{}`,
		`"propertyDependencies":{"a":["x"],"b":[]}`, `"propertyDependencies":{"a":["x","y"],"a":[]}`, `"propertyDependencies":{"a":null}`,
		`"propertyDependencies":{"a":"x"}`, `"propertyDependencies":{"b":[],"a":["x"]}`, `"propertyDependencies":{"a":[],"b":{}}`, `"propertyDependencies":[]`,
		`"aliases":["urn:x"]`, `"aliases":7`, `"protect":true`, `"newer":{"a":1}`, `"newer":{"a":1,"a":1}`, `"type":"a:b:C"`, `"id":3`, `"replacementTrigger":{"b":1,"b":2}`,
	}
}

// outlines reads a file as who needs the bags of some resources; nil needs whole ones.
func outlines(text string, o state.Options, needs func(r *state.Resource, _ string) bool) (all []state.Resource, errs []string) {
	for got, err := range state.Internal.Resources(state.NewReader(strings.NewReader(text), o), needs) {
		if err != nil {
			errs = append(errs, err.Error())
			continue
		}
		all = append(all, got)
	}
	return all, errs
}

// TestOutline: an outline is what the whole resource says, with the same errors; and what has to
// be reported of numbers is there.
func TestOutline(t *testing.T) {
	plain := exportWith("", named("a", ""), `{"urn":"u","inputs":{"a":1,"b":[{"c":"x"}]},"dependencies":["a"],"custom":true}`)
	if outlinesAgree(t, plain, state.Options{}) != 1 {
		t.Error("no outline was read")
	}
	rapid.Check(t, func(t *rapid.T) {
		members := rapid.SliceOfN(rapid.SampledFrom(memberTexts()), 0, 5).Draw(t, "members")
		text := exportWith("", named("a", ""), `{"urn":"u",`+strings.Join(append(members, `"custom":true`), ",")+`}`, named("b", ""))
		o := state.Options{Codec: codec.Options{
			RoundNumbers: rapid.Bool().Draw(t, "rounds"), Depth: rapid.SampledFrom([]int{0, 8}).Draw(t, "depth"),
			Internal: rapid.SampledFrom([]codec.Policy{codec.Keep, codec.Reject}).Draw(t, "internal"),
		}}
		outlinesAgree(t, text, o)
	})
}

// outlinesAgree holds outlines to whole resources, and returns how many are without properties.
func outlinesAgree(t interface{ Fatalf(string, ...any) }, text string, o state.Options) (without int) {
	want, wantErrs := outlines(text, o, nil)
	for _, needs := range []func(*state.Resource, string) bool{
		func(*state.Resource, string) bool { return true },
		func(r *state.Resource, _ string) bool { return r != nil },
	} {
		with, errs := outlines(text, o, needs)
		if !slices.Equal(errs, wantErrs) || len(with) != len(want) {
			t.Fatalf("%q: %q, want %q", text, errs, wantErrs)
		}
		for i, r := range with {
			if !r.Inputs.Identical(want[i].Inputs) || !r.Outputs.Identical(want[i].Outputs) ||
				len(r.InputsReport.Rounded) != len(want[i].InputsReport.Rounded) || len(r.OutputsReport.Rounded) != len(want[i].OutputsReport.Rounded) {
				t.Fatalf("%q: %+v, want %+v", text, r, want[i])
			}
		}
	}
	got, errs := outlines(text, o, func(*state.Resource, string) bool { return false })
	if !slices.Equal(errs, wantErrs) || len(got) != len(want) {
		t.Fatalf("%q: %q, want %q", text, errs, wantErrs)
	}

	for i, r := range got {
		if r.Inputs.IsNull() && !want[i].Inputs.IsNull() {
			without++
		}
		if len(r.InputsReport.Rounded) != len(want[i].InputsReport.Rounded) || len(r.OutputsReport.Rounded) != len(want[i].OutputsReport.Rounded) {
			t.Fatalf("%q: rounded numbers are lost", text)
		}
		for _, each := range []*state.Resource{&r, &want[i]} {
			each.Inputs, each.Outputs, each.Dependencies, each.PropertyDependencies, each.Extra = value.Null(), value.Null(), nil, nil, nil
			each.InputsReport, each.OutputsReport = codec.Report{}, codec.Report{}
		}
		if !same(r, want[i]) {
			t.Fatalf("%q: %+v, want %+v", text, r, want[i])
		}
	}
	return without
}
