package schema_test

import (
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

// Any text is read or refused, and what is read can be looked at.
func FuzzRead(f *testing.F) {
	for _, row := range allWrong() {
		f.Add([]byte(whole(row.document)), true)
	}

	for _, document := range accepted() {
		f.Add([]byte(whole(document)), false)
	}

	f.Fuzz(func(t *testing.T, document []byte, dangling bool) {
		p, err := schema.Read(document, schema.Options{AllowDangling: dangling})
		if err != nil {
			if err.Error() == "" || p != nil {
				t.Errorf("%v, %q", p, err)
			}

			return
		}

		again, err := schema.FromValue(p.Document(), schema.Options{AllowDangling: dangling})
		if err != nil || again.Name() != p.Name() {
			t.Errorf("read again: %v", err)
		}

		for r := range p.Resources() {
			look(r.Inputs())
			look(r.State())
			look(r.StateInputs())
			r.Outputs()
		}

		for fn := range p.Functions() {
			look(fn.Inputs())
			look(fn.Outputs())
		}

		for x := range p.Types() {
			look(x)
		}
	})
}

// look calls the methods of a type and of its properties.
func look(t *schema.Type) {
	_ = t.String()

	for p := range t.Properties() {
		p.Const()
		p.Default()
		p.Environment()

		for a := range p.Type().Alternatives() {
			_ = a.String()
		}
	}
}

// mostFuzzed is how long a document and a value of FuzzCheck are, in bytes. Go's fuzzer tries
// to shorten what it finds, in a time that grows with the square of the length, and counts
// nothing meanwhile: with all forms of types in one document it did nothing else.
const mostFuzzed = 1000

// Any value is checked by any type. With what is wrong mended, nothing is wrong; the marks
// do not matter; and the texts are the same for another value with the same mistakes.
func FuzzCheck(f *testing.F) {
	for _, row := range smallForms(f) {
		f.Add(row.document, row.text)
	}

	f.Fuzz(func(t *testing.T, document []byte, text string) {
		if len(document) > mostFuzzed || len(text) > mostFuzzed {
			return
		}

		p, err := schema.Read(document, schema.Options{AllowDangling: true})
		if err != nil {
			return
		}

		v, err := codec.DecodeJSONValue(text, codec.Options{RoundNumbers: true})
		if err != nil {
			return
		}

		types := []*schema.Type{p.Config(), p.Provider().Inputs()}
		for r := range p.Resources() {
			types = append(types, r.Inputs(), r.State())
		}

		constants := constants(p.Document())
		for _, typ := range types[:min(len(types), 10)] {
			checkLaws(t, typ, v, constants)
		}
	})
}

// TestCheckLaws: what FuzzCheck tests, on values of a type, with and without mistakes.
func TestCheckLaws(t *testing.T) {
	document, err := os.ReadFile("testdata/forms.json")
	if err != nil {
		t.Fatal(err)
	}

	thing := forms(t)
	constants := constants(read(t, string(document), schema.Options{}).Document())

	rapid.Check(t, func(t *rapid.T) {
		typ := rapid.SampledFrom([]*schema.Type{thing.Inputs(), thing.State()}).Draw(t, "type")

		v := rapid.OneOf(
			fuzz.OfType(typ, fuzz.Options{}),
			rapid.Map(fuzz.Mistakes(typ, fuzz.Options{}), func(m fuzz.Mistake) value.Value { return m.Value }),
			fuzz.Objects(fuzz.Options{}),
		).Draw(t, "value")

		checkLaws(t, typ, v, constants)
	})
}

// failer is the part of [testing.T] and [rapid.T] that is needed.
type failer interface {
	Helper()
	Errorf(format string, args ...any)
}

// checkLaws checks what holds of any type and any value. The constants are those of the
// type's schema.
func checkLaws(t failer, typ *schema.Type, v value.Value, constants map[any]bool) {
	t.Helper()

	err := typ.Check(v)
	if again := typ.Check(otherContent(v, constants)); (err == nil) != (again == nil) || (err != nil && err.Error() != again.Error()) {
		t.Errorf("a text shows content:\n%v\n%v", err, again)
	}

	if err := typ.Check(mended(t, typ, v)); err != nil {
		t.Errorf("mended: %v", err)
	}

	for _, other := range []value.Value{v.Reveal(), v.DropDependencies()} {
		if again := typ.Check(other); !sameProblems(err, again) {
			t.Errorf("marks matter:\n%v\n%v", err, again)
		}
	}

	marked := typ.MarkSecrets(v)
	if !typ.MarkSecrets(marked).Identical(marked) || !marked.Reveal().Identical(v.Reveal()) {
		t.Errorf("secrets are not marked once, or something else is changed: %v", marked)
	}

	full, _ := typ.WithDefaults(v, nil)
	if again, _ := typ.WithDefaults(full, nil); !again.Identical(full) {
		t.Errorf("defaults of defaults: %v, %v", full, again)
	}
}

// seed is a schema, and a value as text.
type seed struct {
	document []byte
	text     string
}

// smallForms returns a schema for each property of the schema with every form of type, that
// has this property only, and the types that it needs: each with values, and some with
// mistakes.
func smallForms(tb testing.TB) []seed {
	tb.Helper()

	text, err := os.ReadFile("testdata/forms.json")
	if err != nil {
		tb.Fatal(err)
	}

	all, err := codec.DecodeJSONValue(text, codec.Options{})
	if err != nil {
		tb.Fatal(err)
	}

	var seeds []seed

	for name, property := range all.Field("resources").Field("forms:index:Thing").Field("inputProperties").Members() {
		seeds = append(seeds, valuesOf(tb, smallForm(all, name, property))...)
	}

	for _, document := range accepted() {
		seeds = append(seeds, valuesOf(tb, []byte(whole(document)))...)
	}

	if len(seeds) < 100 {
		tb.Errorf("%d seeds", len(seeds))
	}

	return seeds
}

// smallForm returns a schema with one property, and the types that it needs of all.
func smallForm(all value.Value, name string, property value.Value) []byte {
	types := map[string]value.Value{}

	var need func(doc value.Value)
	need = func(doc value.Value) {
		for c := range doc.Walk() {
			ref, _ := c.Value().AsString()
			token, _ := strings.CutPrefix(ref, "#/types/")

			if found := all.Field("types").Field(token); !found.IsNull() && types[token].IsNull() {
				types[token] = found
				need(found)
			}
		}
	}
	need(property)

	resource := value.Object(value.Field("inputProperties", value.Object(value.Field(name, property))))

	text, err := codec.AppendJSONValue(nil, value.Object(
		value.Field("name", value.String("forms")), value.Field("types", value.ObjectFromMap(types)),
		value.Field("resources", value.Object(value.Field("forms:index:Thing", resource))),
	), codec.Options{})
	if err != nil {
		panic(err)
	}

	return text
}

// valuesOf returns values of the resources of a schema, unless it or they are long.
func valuesOf(tb testing.TB, document []byte) []seed {
	tb.Helper()

	p, err := schema.Read(document, schema.Options{AllowDangling: true})
	if err != nil {
		tb.Fatal(err)
	}

	var seeds []seed

	for r := range p.Resources() {
		for i := range 4 {
			values := []value.Value{fuzz.OfType(r.Inputs(), fuzz.Options{}).Example(i)}
			if len(r.Inputs().Names()) > 0 {
				values = append(values, fuzz.Mistakes(r.Inputs(), fuzz.Options{}).Example(i).Value)
			}

			for _, v := range values {
				text, err := codec.AppendJSONValue(nil, v, codec.Options{})
				if err == nil && len(document) <= mostFuzzed && len(text) <= mostFuzzed {
					seeds = append(seeds, seed{document, string(text)})
				}
			}
		}
	}

	return seeds
}

// mended returns v with an unknown wherever something is wrong: that is right for any type.
func mended(t failer, typ *schema.Type, v value.Value) value.Value {
	t.Helper()

	for range 100 { // not everything is listed at once
		var found *bind.Error
		if !errors.As(typ.Check(v), &found) {
			break
		}

		for _, p := range slices.Backward(found.Problems) {
			at := p.At.RevealPath()

			var err error
			if p.Found == "a property that is not in the schema" {
				v, err = v.Without(at)
			} else {
				v, err = v.With(at, value.Unknown())
			}

			if err != nil {
				t.Errorf("%v: %v", p, err)
				return v
			}
		}
	}

	return v
}

// constants returns all texts, keys and numbers of a document.
func constants(document value.Value) map[any]bool {
	all := map[any]bool{}

	for c := range document.Walk() {
		if text, ok := c.Value().AsString(); ok {
			all[text] = true
		}

		if step, ok := c.Step(); ok {
			if key, ok := step.AsKey(); ok {
				all[key] = true
			}
		}

		if number, ok := c.Value().AsNumber(); ok {
			all[number] = true
		}
	}

	return all
}

// otherContent returns v with other texts and numbers, except constants.
func otherContent(v value.Value, constants map[any]bool) value.Value {
	other, err := v.Transform(func(c *value.Cursor) (value.Value, error) {
		v := c.Value()

		if text, ok := v.AsString(); ok && !constants[text] && !constants[text+"other"] {
			return value.String(text + "other"), nil
		}

		if number, ok := v.AsNumber(); ok && number == math.Trunc(number) && !constants[number] && !constants[number+2] {
			return value.Number(number + 2), nil
		}

		return v, nil
	})
	if err != nil {
		return v
	}

	return other
}

// sameProblems reports whether the same is wrong, at the same places.
func sameProblems(a, b error) bool {
	var first, second *bind.Error
	errors.As(a, &first)
	errors.As(b, &second)

	if first == nil || second == nil {
		return first == second
	}

	return slices.EqualFunc(first.Problems, second.Problems, func(p, q bind.Problem) bool {
		return p.At.RevealPath().Equal(q.At.RevealPath())
	})
}
