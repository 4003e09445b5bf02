package fuzz

import (
	"errors"
	"slices"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/value"
)

// Law13LosslessState is the law that what is written as state files hold it reads
// back to an Identical value: with the contents of secrets as plaintext at once,
// as ciphertext when it was opened; sealed secrets as the ciphertext that they
// are. It is refused for the causes that EncodeJSON has, but for sealed secrets.
func Law13LosslessState(t *rapid.T) {
	v := drawValue(t, rapid.OneOf(Values(Options{}), Values(Options{Style: Hostile})), "v")
	causes := slices.DeleteFunc(unwritable(v), func(cause error) bool { return errors.Is(cause, codec.ErrSealed) })
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

	back, err := codec.DecodeJSON(plain[0], codec.Options{})
	if err != nil || !back.Identical(unprovided(v)) {
		t.Fatalf("written as %s, and read back as %s, %v", plain, GoSource(back), err)
	}

	back, err = codec.DecodeJSON(locked[0], codec.Options{})
	if err != nil {
		t.Fatalf("written as %s: %v", locked, err)
	}

	if slices.ContainsFunc(places(v), func(p place) bool { return p.v.Kind() == value.KindSealed }) {
		return // it was sealed with a key that nobody has
	}

	if opened, err := state.OpenBags([]value.Value{back}, lock, codec.Options{}); err != nil || !opened[0].Identical(v) {
		t.Fatalf("written as %s, and opened as %s, %v", locked, GoSource(opened[0]), err)
	}
}

// unprovided is v with the provider of every sealed secret gone, which the
// document says and a bag does not.
func unprovided(v value.Value) value.Value {
	if s, ok := v.AsSealed(); ok {
		return remarked(value.Sealed{Ciphertext: s.Ciphertext}.Value(), v)
	}

	children := kids(v)
	for i := range children {
		children[i].v = unprovided(children[i].v)
	}

	return rebuilt(v, children)
}
