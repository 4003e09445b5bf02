package schema_test

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	theirs "github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"github.com/pulumi/pulumi/pkg/v3/codegen/testing/utils/rapidresource"
	"github.com/pulumi/pulumi/pkg/v3/codegen/testing/utils/rapidschema"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/interop/pulumi"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
	kit "github.com/propalg/propalg/value/bind"
)

// resourceOfBoth is a resource as both sides read it.
type resourceOfBoth struct {
	ours   *schema.Resource
	theirs *theirs.Resource
}

// resourcesOf returns the resources of a document that both sides accept.
func resourcesOf(v *verdict) []resourceOfBoth {
	if v.err != nil || v.refused != "" {
		return nil
	}

	var all []resourceOfBoth

	for _, r := range v.theirs.Resources {
		if ours, ok := v.ours.Resource(r.Token); ok {
			all = append(all, resourceOfBoth{ours, r})
		}
	}

	return all
}

// realResources returns the resources of all documents at hand, but those with types of
// other packages, at which their generator panics.
func realResources(t *testing.T) []resourceOfBoth {
	t.Helper()

	all := documents(t)
	l := newLoader(all)

	var resources []resourceOfBoth
	for _, d := range all {
		for _, r := range resourcesOf(judge(d.data, true, l)) {
			if !hasExternal(r.ours.Inputs(), map[*schema.Type]bool{}) {
				resources = append(resources, r)
			}
		}
	}

	t.Logf("%d resources", len(resources))

	return resources
}

// hasExternal reports whether a type of another package is in a type.
func hasExternal(t *schema.Type, seen map[*schema.Type]bool) bool {
	if t == nil || seen[t] {
		return false
	}

	seen[t] = true

	for p := range t.Properties() {
		if hasExternal(p.Type(), seen) {
			return true
		}
	}

	for a := range t.Alternatives() {
		if hasExternal(a, seen) {
			return true
		}
	}

	return t.Kind() == schema.KindExternal || hasExternal(t.Elem(), seen)
}

// drawnResource draws a package by Pulumi's generator, and one of its resources.
func drawnResource(t *rapid.T) resourceOfBoth {
	spec, err := rapidschema.Package().Filter(func(p *theirs.Package) bool { return len(p.Resources) > 0 }).Draw(t, "package").MarshalSpec()
	if err != nil {
		t.Fatal(err)
	}

	document, err := json.Marshal(spec)
	if err != nil {
		t.Fatal(err)
	}

	return rapid.SampledFrom(resourcesOf(judge(document, false, newLoader(nil)))).Draw(t, "resource")
}

// TestValues draws values of types on both sides: each is of the type for the other one.
func TestValues(t *testing.T) {
	known := realResources(t)
	counts := map[string]int{}

	rapid.Check(t, func(t *rapid.T) {
		var r resourceOfBoth
		if rapid.Bool().Draw(t, "real") {
			r = rapid.SampledFrom(known).Draw(t, "resource")
		} else {
			r = drawnResource(t)
		}

		v, err := pulumi.FromMap(rapidresource.ResourceInputs(r.theirs).Draw(t, "theirs"))
		if err != nil {
			t.Fatal(err)
		}

		counts["theirs: "+weRefuse(t, r, v)]++

		o := fuzz.Options{NoUnknowns: true, NoSealed: true}
		counts["ours: "+decisions(t, r, fuzz.OfType(r.ours.Inputs(), o).Draw(t, "ours"))]++

		if len(r.ours.Inputs().Names()) > 0 {
			m := fuzz.Mistakes(r.ours.Inputs(), o).Draw(t, "mistake")
			counts[m.What+": "+decisions(t, r, m.Value)]++
		}
	})

	for _, name := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%7d %s", counts[name], name)
	}
}

// decisions compares what both sides make of inputs of a resource.
func decisions(t *rapid.T, r resourceOfBoth, v value.Value) string {
	if v.ContainsUnknown() {
		return "unknowns are of no type for them"
	}

	m, err := pulumi.ToMap(asTheyWant(r.ours.Inputs(), v), pulumi.RefuseHints)
	if err != nil {
		return "the SDK has no form for it"
	}

	if rapidresource.MapStructurallyTyped(m, r.theirs.InputProperties) {
		return weRefuse(t, r, v)
	}

	if r.ours.Inputs().Check(v) != nil {
		return "refused by both"
	}

	t.Fatalf("only they refuse %v of %s", v, describe(r.ours.Inputs()))

	return ""
}

// asTheyWant returns v, a value of a type, without what is right for us only: archives where
// assets are expected, all but JSON within Any, and values of types that are not at hand
// other than strings.
func asTheyWant(t *schema.Type, v value.Value) value.Value {
	switch t.Kind() {
	case schema.KindAsset:
		if v.Kind() == value.KindArchive {
			return value.TextAsset("x").WithMarksOf(v)
		}
	case schema.KindAny:
		return onlyJSON(v)
	case schema.KindExternal:
		return value.String("x")
	case schema.KindUnion:
		for a := range t.Alternatives() {
			if a.Check(v) == nil {
				return asTheyWant(a, v)
			}
		}
	case schema.KindArray:
		if v.Kind() != value.KindArray {
			return v
		}

		var elems []value.Value
		for _, x := range v.Elems() {
			elems = append(elems, asTheyWant(t.Elem(), x))
		}

		return value.Array(elems...).WithMarksOf(v)
	case schema.KindMap, schema.KindObject:
		for key, x := range v.Members() {
			typ := t.Elem()
			if p, ok := t.Property(key); ok {
				typ = p.Type()
			}

			if typ != nil {
				v, _ = v.WithField(key, asTheyWant(typ, x))
			}
		}
	}

	return v
}

// onlyJSON returns v with strings for assets, archives and references.
func onlyJSON(v value.Value) value.Value {
	made, err := v.Transform(func(c *value.Cursor) (value.Value, error) {
		switch v := c.Value(); v.Kind() {
		case value.KindAsset, value.KindArchive, value.KindResourceReference:
			return value.String("x").WithMarksOf(v), nil
		default:
			return v, nil
		}
	})
	if err != nil {
		return v
	}

	return made
}

// weRefuse returns why inputs that are right for them are not for us, if so.
func weRefuse(t *rapid.T, r resourceOfBoth, v value.Value) string {
	var found *kit.Error
	if !errors.As(r.ours.Inputs().Check(v), &found) {
		return "accepted by both"
	}

	why := ""

	for _, p := range found.Problems {
		switch {
		case strings.HasPrefix(p.Want, "a value that selects one of"):
			why = "they do not look at discriminators"
		case strings.HasPrefix(p.Found, "another "):
			why = "they do not look at constants"
		case strings.HasSuffix(p.Found, "with a fraction"):
			why = "an integer is any number for them"
		default:
			t.Fatalf("only we refuse: %v: %v", p, v)
		}
	}

	return why
}

// describe returns the properties of a type with their types.
func describe(t *schema.Type) string {
	var all []string
	for p := range t.Properties() {
		all = append(all, p.Name()+": "+p.Type().String())
	}

	return strings.Join(all, ", ")
}
