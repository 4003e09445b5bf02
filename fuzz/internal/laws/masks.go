package laws

import (
	"fmt"
	"slices"
	"strings"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/trees"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Law08MaskedAtLeaf is the law that a secret leaf masks itself and nothing else, in the texts
// of values and of diffs; and whether a change is one of value, of secretness or of
// dependencies is distinguished, each alone.
func Law08MaskedAtLeaf(t *rapid.T) {
	shape := drawValue(t, fuzz.Objects(fuzz.Options{
		Style: fuzz.Plain, NoSecrets: true, NoUnknowns: true, NoDependencies: true, NoReferences: true, NoAssets: true,
	}), "shape")
	old, leaves := named(shape, "was")
	now, _ := named(shape, "is")
	if len(leaves) == 0 {
		t.Skip("no leaves")
	}
	secret := rapid.SampledFrom(leaves).Draw(t, "secret leaf")
	one, two := trees.Replace(old, secret, value.Secret), trees.Replace(now, secret, value.Secret)
	masked, err := codec.AppendJSONValue(nil, one, codec.Options{Form: codec.FormMasked})
	if err != nil {
		t.Fatal(err)
	}

	plain, _ := one.MarshalJSON()
	d := diff.Between(one, two, diff.Options{})
	text := render.Text(d, render.Options{})
	for i, leaf := range leaves {
		was, is := fmt.Sprintf("was%03d", i), fmt.Sprintf("is%03d", i)
		for _, shown := range []string{one.String(), one.GoString(), string(plain), string(masked), text} {
			if strings.Contains(shown, was) == (leaf == secret) {
				t.Fatalf("the leaf %s at %v, when %v is secret:\n%s", was, leaf, secret, shown)
			}
		}
		if strings.Contains(text, is) == (leaf == secret) {
			t.Fatalf("the leaf %s at %v, when %v is secret:\n%s", is, leaf, secret, text)
		}
	}

	checkToldApart(t, old, secret)
}

// named replaces the leaves of a value by texts that are nowhere else.
func named(v value.Value, prefix string) (value.Value, []path.Path) {
	var leaves []path.Path
	for _, p := range trees.Places(v) {
		if !p.Value.Kind().IsContainer() {
			name := fmt.Sprintf("%s%03d", prefix, len(leaves))
			v = trees.Replace(v, p.At, func(value.Value) value.Value { return value.String(name) })
			leaves = append(leaves, p.At)
		}
	}

	return v, leaves
}

// checkToldApart makes one change of one sort, and looks what it is said to be.
func checkToldApart(t *rapid.T, v value.Value, at path.Path) {
	for _, one := range []struct {
		name                     string
		value, secret, dependent bool
		change                   func(value.Value) value.Value
	}{
		{"value", true, false, false, func(value.Value) value.Value { return value.String("another") }},
		{"secretness", false, true, false, value.Secret},
		{"dependencies", false, false, true, func(v value.Value) value.Value { return v.WithDependencies("u") }},
		{"value and secretness", true, true, false, func(v value.Value) value.Value { return value.Secret(value.Array(v)) }},
		{"all", true, true, true, func(value.Value) value.Value { return value.Secret(value.Null()).WithDependencies("u") }},
	} {
		for _, back := range []bool{false, true} {
			d := diff.Between(v, trees.Replace(v, at, one.change), diff.Options{})
			if back {
				d = d.Invert()
			}
			changes := slices.Collect(d.Changes())
			if len(changes) != 1 || changes[0].Path() != at {
				t.Fatalf("a change of %s at %v is reported as %v", one.name, at, d)
			}

			c := changes[0]
			if c.ValueChanged() != one.value || c.SecretChanged() != one.secret || c.DependenciesChanged() != one.dependent {
				t.Fatalf("a change of %s is reported as value %v, secretness %v, dependencies %v",
					one.name, c.ValueChanged(), c.SecretChanged(), c.DependenciesChanged())
			}

			if d.String() == "" {
				t.Fatalf("a change of %s is shown as nothing", one.name)
			}
		}
	}
}
