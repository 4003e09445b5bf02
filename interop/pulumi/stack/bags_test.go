package stack_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/pkg/v3/resource/stack"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/sample"
	pulumi "github.com/propalg/propalg/interop/pulumi"
	"github.com/propalg/propalg/value"
)

// alike is the outcome of bags that both sides read, as the same.
const alike = "read alike"

// engineReads is what the engine makes of the text of a bag. A panic is an error.
func engineReads(text []byte, c *crypter) (v value.Value, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	var bag map[string]any
	if err := json.Unmarshal(text, &bag); err != nil {
		return v, err
	}
	props, err := stack.DeserializeProperties(bag, engineCrypter{c})
	if err != nil {
		return v, err
	}
	return pulumi.FromPropertyMap(props)
}

// weRead is what this library makes of it, by way of the reader of state files.
func weRead(text []byte, c *crypter) (value.Value, error) {
	o := codec.Options{Form: codec.FormState, RoundNumbers: true}
	bag, err := codec.DecodeJSON(text, o)
	if err != nil {
		return bag, err
	}
	opened, err := state.DecryptBags([]value.Value{bag}, c, o)
	if err != nil {
		return bag, err
	}
	if c.calls > 1 || (len(c.strange) > 0 && !bag.ContainsSecret()) {
		return bag, fmt.Errorf("%d calls, of %q", c.calls, c.strange)
	}
	return opened[0], nil
}

// What the engine writes is read here as the engine reads it: encrypted and with
// secrets shown.
func TestBagsOfTheEngine(t *testing.T) {
	var y tally
	rapid.Check(t, func(t *rapid.T) {
		props := bags().Draw(t, "bag")
		show := rapid.Bool().Draw(t, "show secrets")
		text := engineWrites(t, props, show)
		var ours, theirs crypter
		want, failed := engineReads(text, &theirs)
		got, err := weRead(text, &ours)
		switch {
		case failed != nil && err != nil: // of assets whose text is that of an unknown
			y.count("written by the engine, refused by both")
		case failed != nil:
			t.Fatalf("%s: the engine does not read it: %v", text, failed)
		case err != nil && namesTwice(text): // keys that are not UTF-8 are written alike
			y.count("names-that-stand-twice")
		case err != nil:
			t.Fatalf("%s: %v", text, err)
		case !same(got, want, &y):
			t.Fatalf("%s\nwe:         %s\nthe engine: %s", text, fuzz.GoSource(got), fuzz.GoSource(want))
		case len(ours.strange)+len(theirs.strange) > 0 || (show && ours.calls > 0):
			t.Fatalf("%s: decrypted %q", text, ours.strange)
		default:
			parts(got, &y)
			y.count(alike)
		}
	})
	y.report(t, alike)
}

// engineWrites is the text of a bag by the engine.
func engineWrites(t *rapid.T, props resource.PropertyMap, show bool) []byte {
	written, err := stack.SerializeProperties(context.Background(), props, engineCrypter{&crypter{}}, show)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(written)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// same compares what both sides read. That the bits of a NaN survive is compared too.
func same(we, engine value.Value, y *tally) bool {
	return view{y}.of(we).Identical(engine) && slices.Equal(notNumbers(we), notNumbers(engine))
}

// notNumbers are the bits of the numbers that are NaN, in order.
func notNumbers(v value.Value) []uint64 {
	var all []uint64
	for c := range v.Walk() {
		if n, ok := c.Value().AsNumber(); ok && math.IsNaN(n) {
			all = append(all, math.Float64bits(n))
		}
	}
	return all
}

// What is written here is read by the engine as what was meant, or was an error
// because state files have no place for it.
func TestBagsForTheEngine(t *testing.T) {
	var y tally
	bags := rapid.OneOf(
		fuzz.Objects(fuzz.Options{NoSealed: true}), fuzz.Objects(fuzz.Options{Style: fuzz.Hostile, NoSealed: true}),
		fuzz.Objects(fuzz.Options{Style: fuzz.RealLike, NoSealed: true}),
		rapid.Custom(func(t *rapid.T) value.Value {
			v, err := pulumi.FromPropertyMap(bags().Draw(t, "bag"))
			if err != nil {
				t.Skip(err)
			}
			return v
		}),
	)
	rapid.Check(t, func(t *rapid.T) {
		bag := bags.Draw(t, "bag").DropSecret().DropDependencies()
		var c crypter
		var e state.Encrypter
		if rapid.Bool().Draw(t, "encrypted") {
			e = &c
		}
		texts, err := state.EncodeBags([]value.Value{bag}, e, codec.Options{})
		if errors.Is(err, codec.ErrPolicy) && bag.ContainsDependencies() {
			y.count("dependencies-in-a-state-file")
			texts, err = state.EncodeBags([]value.Value{bag}, e, codec.Options{Outputs: codec.Lower})
		}
		if err != nil {
			y.count(refusal(t, err))
			return
		}
		if e != nil && bag.ContainsSecret() && strings.Contains(string(texts[0]), sigSecret+`","plaintext":`) {
			t.Fatalf("in clear: %s", texts[0])
		}
		meant := view{&y}.of(bag)
		got, err := engineReads(texts[0], &c)
		if err != nil || !got.Identical(meant) || len(c.strange) > 0 {
			t.Fatalf("%s\nmeant:      %s\nthe engine: %s, %v, decrypted %q", texts[0], fuzz.GoSource(meant), fuzz.GoSource(got), err, c.strange)
		}
		parts(got, &y)
		y.count(alike)
	})
	y.report(t, alike)
}

// refusal is the entry that says why a value is not written.
func refusal(t *rapid.T, err error) string {
	switch {
	case errors.Is(err, codec.ErrUTF8):
		return "key-that-is-not-utf8"
	case errors.Is(err, codec.ErrSentinel):
		return "string-that-reads-as-unknown"
	case errors.Is(err, codec.ErrSignature):
		return "object-with-the-signature-key"
	}
	t.Fatalf("not written: %v", err)
	return ""
}

// parts counts what the bags hold, so that a generator that lost a kind is noticed.
func parts(bag value.Value, y *tally) {
	has := map[string]bool{}
	for c := range bag.Walk() {
		v := c.Value()
		if n, ok := v.AsNumber(); ok && (math.IsNaN(n) || math.IsInf(n, 0)) {
			has["NaN or an infinity"] = true
		}
		s, _ := v.AsString()
		has["a string that is a sentinel"] = has["a string that is a sentinel"] || slices.Contains(sample.Sentinels(), s)
		has["an unknown"] = has["an unknown"] || v.IsUnknown()
		has["a reference"] = has["a reference"] || v.Kind() == value.KindResourceReference
		has["an asset or archive"] = has["an asset or archive"] || v.Kind() == value.KindAsset || v.Kind() == value.KindArchive
		for _, e := range v.DropSecret().Members() {
			has["a secret inside a secret"] = has["a secret inside a secret"] || (v.IsSecret() && e.ContainsSecret())
		}
	}
	for part := range has {
		if has[part] {
			y.count("(bags with " + part + ")")
		}
	}
}
