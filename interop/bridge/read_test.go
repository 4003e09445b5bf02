package bridge_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pulumi/pulumi-terraform-bridge/v3/pkg/tfbridge"
	shim "github.com/pulumi/pulumi-terraform-bridge/v3/pkg/tfshim"
	tf "github.com/pulumi/pulumi-terraform-bridge/v3/pkg/tfshim/schema"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/interop/pulumi"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
)

// field is a property of a resource, as both schemas have it.
type field struct {
	name     string
	kind     string  // string, number, map, list, blocks or block
	computed bool    // and no input
	fields   []field // of blocks
}

// drawFields draws a schema.
func drawFields(t *rapid.T, depth int) (all []field) {
	kinds := []string{"string", "string", "number", "map", "list"}
	if depth > 0 {
		kinds = append(kinds, "blocks", "block")
	}
	for i := range rapid.IntRange(1, 4).Draw(t, "fields") {
		f := field{name: "f" + strconv.Itoa(i), kind: rapid.SampledFrom(kinds).Draw(t, "kind")}
		f.computed = rapid.IntRange(0, 3).Draw(t, "computed") == 3
		if strings.HasPrefix(f.kind, "block") {
			f.fields = drawFields(t, depth-1)
		}
		all = append(all, f)
	}
	return all
}

// terraform returns the schema of fields for the bridge.
func terraform(fields []field) tf.SchemaMap {
	all := tf.SchemaMap{}
	for _, f := range fields {
		s := &tf.Schema{Optional: !f.computed, Computed: f.computed}
		text := (&tf.Schema{Type: shim.TypeString}).Shim()
		switch f.kind {
		case "string":
			s.Type = shim.TypeString
		case "number":
			s.Type = shim.TypeFloat
		case "map":
			s.Type, s.Elem = shim.TypeMap, text
		case "list":
			s.Type, s.Elem = shim.TypeList, text
		case "blocks":
			s.Type, s.Elem = shim.TypeList, (&tf.Resource{Schema: terraform(f.fields)}).Shim()
		case "block":
			s.Type, s.MaxItems, s.Elem = shim.TypeList, 1, (&tf.Resource{Schema: terraform(f.fields)}).Shim()
		}
		all[f.name] = s.Shim()
	}
	return all
}

// packaged returns the package schema of fields; types gets those of blocks.
func packaged(fields []field, inputs bool, name string, types map[string]any) map[string]any {
	properties := map[string]any{}
	for _, f := range fields {
		if inputs && f.computed {
			continue
		}
		text, of := map[string]any{"type": "string"}, map[string]any{"type": f.kind}
		switch f.kind {
		case "map":
			of = map[string]any{"type": "object", "additionalProperties": text}
		case "list":
			of = map[string]any{"type": "array", "items": text}
		case "blocks", "block":
			token := "demo:index:" + name + f.name
			types[token] = map[string]any{"type": "object", "properties": packaged(f.fields, inputs, name+f.name, types)}
			of = map[string]any{"$ref": "#/types/" + token}
			if f.kind == "blocks" {
				of = map[string]any{"type": "array", "items": of}
			}
		}
		properties[f.name] = of
	}
	return properties
}

// differ returns the Differ for a resource with fields.
func differ(t *rapid.T, fields []field) provider.Differ {
	types := map[string]any{}
	text, err := json.Marshal(map[string]any{"name": "demo", "types": types, "resources": map[string]any{"demo:index:R": map[string]any{
		"inputProperties": packaged(fields, true, "In", types), "properties": packaged(fields, false, "Out", types),
	}}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := schema.Read(text, schema.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, _ := p.Resource("demo:index:R")
	d, err := provider.FromSchema(r)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// rarely is true once in so many times.
func rarely(t *rapid.T, what string, n int) bool { return rapid.IntRange(1, n).Draw(t, what) == n }

// drawState draws a value of a field of the state, whole.
func drawState(t *rapid.T, f field) value.Value {
	text := func() value.Value {
		return value.String(rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "text"))
	}
	switch f.kind {
	case "number":
		return value.Number(float64(rapid.IntRange(1, 9).Draw(t, "number")))
	case "map":
		var members []value.Member
		for i := range rapid.IntRange(0, 3).Draw(t, "entries") {
			members = append(members, value.Field("k"+strconv.Itoa(i), text()))
		}
		return value.Object(members...)
	case "list":
		var elems []value.Value
		for range rapid.IntRange(0, 3).Draw(t, "elements") {
			elems = append(elems, text())
		}
		return value.Array(elems...)
	case "blocks":
		var elems []value.Value
		for range rapid.IntRange(0, 2).Draw(t, "blocks") {
			elems = append(elems, drawStates(t, f.fields))
		}
		return value.Array(elems...)
	case "block":
		return drawStates(t, f.fields)
	}
	return text()
}

func drawStates(t *rapid.T, fields []field) value.Value {
	var members []value.Member
	for _, f := range fields {
		members = append(members, value.Field(f.name, drawState(t, f)))
	}
	return value.Object(members...)
}

// inputsOfState returns what a program may have said for a state: without what is computed, and
// without some of what is optional. Now and then it has another spelling, or is write-only.
func inputsOfState(t *rapid.T, fields []field, state value.Value) (inputs, without value.Value) {
	without = state
	var members []value.Member
	for _, f := range fields {
		v, ok := state.Lookup(f.name)
		if !ok || f.computed || rarely(t, "left out", 4) {
			continue
		}
		switch {
		case f.kind == "block":
			var rest value.Value
			v, rest = inputsOfState(t, f.fields, v)
			without, _ = without.WithField(f.name, rest)
		case f.kind == "blocks":
			var ins, rests []value.Value
			for _, e := range v.Elems() {
				in, rest := inputsOfState(t, f.fields, e)
				ins, rests = append(ins, in), append(rests, rest)
			}
			v = value.Array(ins...)
			without, _ = without.WithField(f.name, value.Array(rests...))
		case f.kind == "string" && rarely(t, "spelling", 5):
			s, _ := v.AsString()
			v = value.String(strings.ToUpper(s))
		case f.kind == "string" && rarely(t, "write-only", 8):
			without, _ = without.Without(path.Of(path.Key(f.name)))
		}
		members = append(members, value.Field(f.name, v))
	}
	return value.Object(members...), without
}

// drifted returns a state in which somebody changed values, entries, elements and properties.
func drifted(t *rapid.T, fields []field, state value.Value) value.Value {
	for _, f := range fields {
		v, ok := state.Lookup(f.name)
		switch {
		case !ok:
			continue
		case f.kind == "block":
			v = drifted(t, f.fields, v)
		case f.kind == "blocks":
			var elems []value.Value
			for _, e := range v.Elems() {
				if !rarely(t, "removed", 6) {
					elems = append(elems, drifted(t, f.fields, e))
				}
			}
			if rarely(t, "added", 4) {
				elems = append(elems, drawStates(t, f.fields))
			}
			v = value.Array(elems...)
		case rarely(t, "changed", 3):
			v = drawState(t, f)
		}
		state, _ = state.WithField(f.name, v)
	}
	return state
}

// theirInputs returns what the bridge makes of a state.
func theirInputs(t *rapid.T, oldInputs, state value.Value, fields []field, isRefresh bool) value.Value {
	in, err := pulumi.ToPropertyMap(oldInputs)
	if err != nil {
		t.Fatal(err)
	}
	outs, err := pulumi.ToPropertyMap(state)
	if err != nil {
		t.Fatal(err)
	}
	got, err := tfbridge.ExtractInputsFromOutputs(in, outs, terraform(fields), nil, isRefresh)
	if err != nil {
		t.Fatal(err)
	}
	v, err := pulumi.FromPropertyMap(got)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// inputsPart returns what are inputs of a state, by the schema.
func inputsPart(fields []field, v value.Value) value.Value {
	var members []value.Member
	for key, x := range v.Members() {
		f := fields[slices.IndexFunc(fields, func(f field) bool { return f.name == key })]
		switch {
		case f.computed:
			continue
		case f.kind == "block":
			x = inputsPart(f.fields, x)
		case f.kind == "blocks":
			var elems []value.Value
			for _, e := range x.Elems() {
				elems = append(elems, inputsPart(f.fields, e))
			}
			x = value.Array(elems...)
		}
		members = append(members, value.Field(key, x))
	}
	return value.Object(members...)
}

// TestRead draws schemas, resources and what somebody changes outside: ReadInputs returns what the
// bridge does in a refresh, or something that is explained, and better.
//
//	go test -run Read -v -rapid.checks=100000
func TestRead(t *testing.T) {
	counts := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		fields := drawFields(t, 2)
		oldInputs, oldState := inputsOfState(t, fields, drawStates(t, fields))
		newState := drifted(t, fields, oldState)
		ours, err := differ(t, fields).ReadInputs(oldInputs, oldState, newState)
		if err != nil {
			t.Fatal(err)
		}
		theirs := theirInputs(t, oldInputs, newState, fields, true)
		old, now := inputsPart(fields, oldState), inputsPart(fields, newState)
		if !inputsPart(fields, ours).Identical(ours) {
			t.Fatalf("%v has what is no input", ours)
		}

		counts["resources"]++
		d := diff.Between(theirs, ours, diff.Options{Relation: value.Strict})
		if d.Empty() {
			counts["both the same"]++
		}
		for c := range d.Changes() {
			why := better(c.Path(), oldInputs, old, now, ours)
			if why == "" {
				t.Fatalf("%v of %v: inputs %v, state %v => %v: the bridge has %v", c, ours, oldInputs, oldState, newState, theirs)
			}
			counts[why]++
		}
	})
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%7d %s", counts[name], name)
	}
}

// better returns why what the bridge has at a place is not what the states mean, of which only
// inputs are given, or "".
func better(p path.Path, oldInputs, oldState, newState, ours value.Value) string {
	in, wasInput := oldInputs.At(p)
	old, was := oldState.At(p)
	now, is := newState.At(p)
	got, has := ours.At(p)
	switch {
	case was == is && (!was || old.Equal(now)): // then the input stays as it is
		switch {
		case has != wasInput || (has && !got.Identical(in)):
			return ""
		case !was:
			return "the bridge drops what no state has, such as a password"
		}
		return "the bridge takes the spelling of a state that did not change"
	case !wasInput && has && is && got.Equal(now):
		return "the bridge leaves out what came outside"
	}
	return ""
}

// TestImport: of a state alone, both take what the schema calls inputs.
func TestImport(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fields := drawFields(t, 2)
		state := drawStates(t, fields)
		ours, err := differ(t, fields).ReadInputs(value.Null(), value.Null(), state)
		if err != nil {
			t.Fatal(err)
		}
		theirs := theirInputs(t, value.Object(), state, fields, false)
		if !ours.Identical(inputsPart(fields, state)) {
			t.Fatalf("%v of %v", ours, state)
		}
		for c := range diff.Between(theirs, ours, diff.Options{Relation: value.Strict}).Leaves() {
			last, _ := c.Path().Last()
			key, _ := last.AsKey()
			got, has := ours.At(c.Path())
			isNote := !has && key == "__defaults"
			if !isNote && (!has || !isZero(got)) {
				t.Fatalf("%v of %v: the bridge has %v", c, state, theirs)
			}
		}
	})
}

// isZero reports whether the bridge leaves a value out of an import, since it is most often the
// default.
func isZero(v value.Value) bool {
	for _, x := range v.Members() {
		if !isZero(x) {
			return false
		}
	}
	return v.Kind() == value.KindObject || (v.Kind() == value.KindArray && v.Len() == 0)
}
