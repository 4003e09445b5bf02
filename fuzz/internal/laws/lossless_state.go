package laws

import (
	"errors"
	"slices"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/sample"
	"github.com/propalg/propalg/internal/test/trees"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/value"
)

// Law13LosslessState is the law that what is written as state files hold it reads
// back to an Identical value: with the contents of secrets as plaintext at once, as
// ciphertext when it was opened; sealed secrets as the ciphertext that they are. State
// files have no place for dependencies, which are refused, and for hints.
func Law13LosslessState(t *rapid.T) {
	drawn := drawValue(t, rapid.OneOf(fuzz.Values(fuzz.Options{}), fuzz.Values(fuzz.Options{Style: fuzz.Hostile})), "v")
	v := stated(drawn)
	causes := unwritableInState(v)
	if _, err := state.EncodeBags([]value.Value{drawn}, nil, codec.Options{}); drawn.ContainsDependencies() && err == nil {
		t.Fatalf("written with dependencies")
	}

	lock := &locker{}
	plain, err := state.EncodeBags([]value.Value{v}, nil, codec.Options{})
	locked, lockErr := state.EncodeBags([]value.Value{v}, lock, codec.Options{})
	if err != nil || lockErr != nil {
		for _, err := range []error{err, lockErr} {
			if !slices.ContainsFunc(causes, func(cause error) bool { return errors.Is(err, cause) }) {
				t.Fatalf("%v; what is wrong is %v", err, causes)
			}
		}
		return
	}
	if len(causes) > 0 {
		t.Fatalf("written as %s, although %v", plain, causes)
	}

	back, err := codec.DecodeJSONValue(plain[0], codec.Options{Form: codec.FormState})
	if err != nil || !back.Identical(unprovided(v)) {
		t.Fatalf("written as %s, and read back as %s, %v", plain, fuzz.GoSource(back), err)
	}

	back, err = codec.DecodeJSONValue(locked[0], codec.Options{Form: codec.FormState})
	if err != nil {
		t.Fatalf("written as %s: %v", locked, err)
	}
	if slices.ContainsFunc(trees.Places(v), func(p trees.Place) bool { return p.Value.Kind() == value.KindSealed }) {
		return // the key that sealed it is not known
	}
	if opened, err := state.DecryptBags([]value.Value{back}, lock, codec.Options{}); err != nil || !opened[0].Identical(v) {
		t.Fatalf("written as %s, and opened as %s, %v", locked, fuzz.GoSource(opened[0]), err)
	}
}

// unwritableInState lists why a value without dependencies has no text in a state
// file: numbers have one there, and sealed secrets outside of others.
func unwritableInState(v value.Value) []error {
	const most = 8 // secrets inside one another

	causes := slices.DeleteFunc(unwritableBut(v, []string{sample.SentinelString}), func(cause error) bool {
		return errors.Is(cause, codec.ErrNumber) || errors.Is(cause, codec.ErrSealed)
	})
	for _, p := range trees.Places(v) {
		if p.Value.Kind() == value.KindSealed && p.BelowSecret {
			causes = append(causes, codec.ErrSealed)
		}
	}
	if secretsDown(v) > most {
		causes = append(causes, codec.ErrDepth)
	}
	return causes
}

// secretsDown counts the secrets inside one another, where there are most.
func secretsDown(v value.Value) int {
	most := 0
	for _, c := range trees.Children(v) {
		most = max(most, secretsDown(c.Value))
	}
	if trees.Own(v).OwnSecret() {
		most++
	}

	return most
}

// unprovided is v with the provider of every sealed secret gone, which the
// document says and a bag does not.
func unprovided(v value.Value) value.Value {
	if s, ok := v.AsSealed(); ok {
		return trees.WithMarks(value.Sealed{Ciphertext: s.Ciphertext}.Value(), v)
	}

	children := trees.Children(v)
	for i := range children {
		children[i].Value = unprovided(children[i].Value)
	}
	return trees.Rebuild(v, children)
}
