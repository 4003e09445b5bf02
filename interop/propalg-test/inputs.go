package main

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/rulebook"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
)

// inputs generates what programs say of a resource: what its schema allows, and the user's
// inputs with some of it changed. What the schema calls secret is marked, as SDKs mark it.
func (t *tester) inputs(r *schema.Resource, rules rulebook.Rules) *rapid.Generator[value.Value] {
	for _, v := range append(slices.Clone(rules.Inputs), value.Object()) {
		t.mask.addSecrets(r.Inputs().MarkSecrets(rules.Fixed(v)))
	}

	var all []*rapid.Generator[value.Value]
	if len(r.Inputs().Names()) > 0 || len(rules.Inputs) == 0 {
		even := t.options()
		even.NoSecrets = true // marked says what is secret
		odd := even
		odd.Style = fuzz.RealLike
		plain := fuzz.OfType(r.Inputs(), even)
		all = append(all, plain, plain, fuzz.OfType(r.Inputs(), odd))
	}
	if len(rules.Inputs) > 0 { // the user knows better than the schema
		varied := t.varied(rules.Inputs, r)
		all = append(all[:min(len(all), 1)], varied, varied, varied)
	}
	return rapid.Map(rapid.OneOf(all...), func(v value.Value) value.Value {
		v = rules.Fixed(tame(v))
		if t.found.secrets {
			v = rules.Fixed(t.marked(r.Inputs().MarkSecrets(v)))
		}
		return v
	})
}

// marked marks some members as secrets, the same ones in all inputs of a try: a provider need
// not tell a secret from the same value in clear.
func (t *tester) marked(v value.Value) value.Value {
	const oneOf = 6
	for name, m := range v.Members() {
		h := fnv.New32a()
		_, _ = fmt.Fprintf(h, "%d %s", t.try, name)
		if h.Sum32()%oneOf == 0 && !m.ContainsSecret() {
			v, _ = v.WithField(name, value.Secret(m))
		}
	}
	return v
}

// varied generates inputs of the user's with one thing changed in most of them: a member is left
// out, not known, or that of other inputs, or a text, a number or a boolean is another one.
func (t *tester) varied(seeds []value.Value, r *schema.Resource) *rapid.Generator[value.Value] {
	return rapid.Custom(func(d *rapid.T) value.Value {
		v := rapid.SampledFrom(seeds).Draw(d, "seed")
		var places []path.Path
		for c := range v.Walk() {
			if c.Depth() > 0 {
				places = append(places, c.Path())
			}
		}
		if len(places) == 0 {
			return v
		}
		at := rapid.SampledFrom(places).Draw(d, "place")
		now, _ := v.At(at)
		switch rapid.IntRange(0, 4).Draw(d, "change") {
		case 0:
			return v
		case 1:
			if isRequired(r, at) {
				return v
			}
			v, _ = v.Without(at)
		case 2:
			v, _ = v.With(at, value.Unknown().WithMarksOf(now))
		case 3:
			other, _ := rapid.SampledFrom(seeds).Draw(d, "other seed").At(at)
			if !other.IsNull() {
				v, _ = v.With(at, other)
			}
		default:
			v, _ = v.With(at, another(d, now))
		}
		return v
	})
}

// isRequired reports whether a place is a required input.
func isRequired(r *schema.Resource, at path.Path) bool {
	step, below, _ := at.Cut()
	name, _ := step.AsKey()
	property, _ := r.Inputs().Property(name)
	return below.IsRoot() && property.Required()
}

// another is a value of the same kind, if it is a text, a number or a boolean.
func another(d *rapid.T, v value.Value) value.Value {
	to := v
	if text, ok := v.AsString(); ok {
		to = value.String(text + rapid.StringMatching(`[a-z]`).Draw(d, "letter"))
	}
	if n, ok := v.AsNumber(); ok {
		to = value.Number(n + float64(rapid.IntRange(1, 2).Draw(d, "more")))
	}
	if b, ok := v.AsBool(); ok {
		to = value.Bool(!b)
	}
	return to.WithMarksOf(v)
}

// parsed is the value of a flag: JSON, or else a text.
func parsed(text string) value.Value {
	v, err := codec.DecodeJSONValue(text, codec.Options{})
	if err != nil || strings.TrimSpace(text) == "" {
		return value.String(text)
	}
	return v
}

// plainJSON returns a value as JSON, without marks. SECRETS ARE IN IT.
func plainJSON(v value.Value) []byte {
	text, err := codec.AppendJSONValue(nil, v, codec.Options{Secrets: codec.Lower, Outputs: codec.Lower, Unknowns: codec.Lower, References: codec.Lower})
	if err != nil {
		return nil
	}
	return text
}
