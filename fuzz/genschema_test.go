package fuzz_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value/bind"
)

// forms returns the schema with every form of type, and the types of its resources.
func forms(t testing.TB) (thing *schema.Resource, all []*schema.Type) {
	t.Helper()

	document, err := os.ReadFile("../schema/testdata/forms.json")
	if err != nil {
		t.Fatal(err)
	}

	pkg, err := schema.Read(document, schema.Options{})
	if err != nil {
		t.Fatal(err)
	}

	for r := range pkg.Resources() {
		thing = r
		all = append(all, r.Inputs(), r.State())
	}

	return thing, append(all, pkg.Provider().Inputs(), pkg.Config())
}

// TestOfType: what is generated has the type, and defaults and marks do not change that.
func TestOfType(t *testing.T) {
	_, all := forms(t)
	rapid.Check(t, func(t *rapid.T) {
		typ := rapid.SampledFrom(all).Draw(t, "type")
		v := fuzz.OfType(typ, fuzz.Options{}).Draw(t, "value")

		if err := typ.Check(v); err != nil {
			t.Fatal(err)
		}

		marked := typ.MarkSecrets(v)
		if again := typ.MarkSecrets(marked); !again.Identical(marked) || !marked.Reveal().Identical(v.Reveal()) {
			t.Fatalf("marked %v, again %v", marked, again)
		}

		full, err := typ.WithDefaults(v, nil)
		if err != nil {
			t.Fatal(err)
		}

		if again, err := typ.WithDefaults(full, nil); err != nil || !again.Identical(full) || typ.Check(full) != nil {
			t.Fatalf("%v, again %v, %v; %v", full, again, err, typ.Check(full))
		}
	})
}

// TestStateOf: a state has the inputs in it, and the type of states.
func TestStateOf(t *testing.T) {
	thing, _ := forms(t)
	rapid.Check(t, func(t *rapid.T) {
		inputs := fuzz.OfType(thing.Inputs(), fuzz.Options{}).Draw(t, "inputs")
		state := fuzz.StateOf(thing, inputs, fuzz.Options{}).Draw(t, "state")

		if name, there := inputs.Lookup("name"); there && !state.Field("name").Identical(name) {
			t.Fatalf("the name is %v in inputs, %v in state", name, state.Field("name"))
		}

		if err := thing.State().Check(state); err != nil {
			t.Fatal(err)
		}
	})
}

// TestMistakes: each is named at its place, and nothing else is.
func TestMistakes(t *testing.T) {
	_, all := forms(t)

	unions, err := schema.Read([]byte(`{"name": "demo", "config": {"variables": {"a": {"oneOf": [{"type": "boolean"}, {"type": "array", "items": {"type": "boolean"}}]},
		"b": {"type": "boolean", "oneOf": [{"type": "string"}, {"type": "object", "additionalProperties": {"type": "string"}}]}}}}`), schema.Options{})
	if err != nil {
		t.Fatal(err)
	}

	all = append(all, unions.Config())

	rapid.Check(t, func(t *rapid.T) { mistakeIsNamed(t, rapid.SampledFrom(all).Draw(t, "type")) })
}

// TestMistakesOfRealSchemas is TestMistakes for the types of real packages; their valid
// values are right.
func TestMistakesOfRealSchemas(t *testing.T) {
	var all []*schema.Type

	for _, file := range kit.SchemaFiles(t) {
		pkg, err := schema.Read(file.Data, schema.Options{AllowDangling: true})
		if err != nil {
			continue
		}

		for r := range pkg.Resources() {
			all = append(all, r.Inputs(), r.State())
		}
	}

	t.Logf("%d types", len(all))

	all = slices.DeleteFunc(all, func(t *schema.Type) bool { return len(t.Names()) == 0 })

	rapid.Check(t, func(t *rapid.T) {
		typ := rapid.SampledFrom(all).Draw(t, "type")
		if err := typ.Check(fuzz.OfType(typ, fuzz.Options{}).Draw(t, "value")); err != nil {
			t.Fatal(err)
		}

		mistakeIsNamed(t, typ)
	})
}

// mistakeIsNamed draws a value with a mistake, and fails unless that is all that is found.
func mistakeIsNamed(t *rapid.T, typ *schema.Type) {
	m := fuzz.Mistakes(typ, fuzz.Options{}).Draw(t, "mistake")

	var e *bind.Error
	if err := typ.Check(m.Value); !errors.As(err, &e) || len(e.Problems) != 1 || e.Problems[0].At.RevealPath() != m.At {
		t.Fatalf("%s at %v: %v", m.What, m.At, err)
	}
}

// TestCheckKeepsSecrets: no text of what is wrong holds a secret.
func TestCheckKeepsSecrets(t *testing.T) {
	_, all := forms(t)
	rapid.Check(t, func(t *rapid.T) {
		typ := rapid.SampledFrom(all).Draw(t, "type")
		v := fuzz.Mistakes(typ, fuzz.Options{}).Draw(t, "mistake").Value
		canary := fuzz.NewCanary(rapid.Uint64().Draw(t, "canary"))
		at := rapid.SampledFrom(fuzz.Internal.PathsOf(v)).Draw(t, "at")

		v, ok := canary.Plant(v, at, rapid.SampledFrom(fuzz.Places()).Draw(t, "place"))
		if !ok {
			return
		}

		err := typ.Check(v)
		for _, f := range rpc.CheckFailuresOf(v, err) {
			if shown := canary.Check(f.Property + f.Reason); shown != nil {
				t.Fatal(shown)
			}
		}

		if shown := canary.Check(fmt.Sprintf("%v %+v", err, err)); shown != nil {
			t.Fatal(shown)
		}
	})
}

func ExampleMistake() {
	pkg, err := schema.Read([]byte(`{"name": "demo", "resources": {"demo:index:Bucket": {
		"inputProperties": {"name": {"type": "string"}},
		"requiredInputs": ["name"]
	}}}`), schema.Options{})
	if err != nil {
		panic(err)
	}

	bucket, _ := pkg.Resource("demo:index:Bucket")
	m := fuzz.Mistakes(bucket.Inputs(), fuzz.Options{}).Filter(func(m fuzz.Mistake) bool { return m.At == path.MustParse("name") }).Example(0)
	fmt.Println(m.What, bucket.Inputs().Check(m.Value) != nil)
	// Output:
	// missing property true
}
