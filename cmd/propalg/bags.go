package main

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

func (inv *invocation) bag(name string) (*input.File, error) {
	f, err := input.Load(name, inv.in)
	if err == nil && f.Stack != nil {
		err = fmt.Errorf("%s is a %s; %s is for property bags, which 'propalg state show --only inputs' makes of its resources", f.Name, f.Stack.Shape(), inv.name)
	}
	return f, err
}

func (inv *invocation) bags() ([]*input.File, error) {
	if err := inv.onceStdin(); err != nil {
		return nil, err
	}
	all := make([]*input.File, 0, len(inv.args))
	for _, name := range inv.args {
		f, err := inv.bag(name)
		if err != nil {
			return nil, err
		}

		all = append(all, f)
	}
	return all, nil
}

// writeBag writes a bag as data on one line, and none as an empty one. A number that JSON cannot represent is
// an error in a masked secret too.
func (inv *invocation) writeBag(v value.Value) error {
	if v.IsNull() {
		v = value.Object()
	}
	text, err := dataOf(v, true)
	if err == nil && !inv.reveal {
		text, err = dataOf(v, false)
	}
	if err != nil {
		return err
	}

	return printable.WriteData(inv.out, text)
}

// writeResult writes a bag as data, and returns how many secrets are masked in it: none
// may be in an input.
func (inv *invocation) writeResult(v value.Value) (masked int, err error) {
	if !inv.reveal {
		for p := range v.SecretPaths() {
			if secret, _ := v.At(p); secret.Kind() != value.KindSealed {
				masked++
			}
		}
	}

	if masked > 0 && inv.outFile != nil && inv.isInput(inv.outName) {
		return 0, fmt.Errorf("%s is an input of the command and would lose %s; --show-secrets writes secrets in clear", inv.outName, printable.Counted(masked, "secret"))
	}
	return masked, ofResult(inv.writeBag(v))
}

// noteMasked says that a result has no secrets in clear.
func (inv *invocation) noteMasked(n int) {
	if n > 0 {
		inv.say("%s masked; --show-secrets writes secrets in clear", printable.Counted(n, "secret"))
	}
}

// ofResult returns the error for a result that JSON cannot represent, whichever file
// the number is from. Errors of writing stay as they are.
func ofResult(err error) error {
	if e := (*codec.Error)(nil); errors.As(err, &e) {
		err = fmt.Errorf("the result: %w", err)
	}
	if errors.Is(err, codec.ErrNumber) {
		err = fmt.Errorf("%w: JSON has no number that rounds to an infinity", err)
	}

	return err
}

// dataOf returns a value as data: secrets masked, unless they are to be revealed, and
// sealed ones, which cannot be read, as ciphertext.
func dataOf(v value.Value, reveal bool) ([]byte, error) {
	if reveal {
		return codec.AppendJSONValue(nil, v, codec.Options{Form: codec.FormSealed})
	}
	return masked(v)
}

// masked returns the masked form of a value with ciphertexts in their places. The
// mask is there once for each outermost secret, in their order, and nowhere else: a
// string has its quotes escaped, and no other object may have the signature.
func masked(v value.Value) ([]byte, error) {
	o := codec.Options{Form: codec.FormMasked}
	mask, err := codec.AppendJSONValue(nil, value.Secret(value.Null()), o)
	if err != nil {
		return nil, err
	}

	text, err := codec.AppendJSONValue(nil, v, o)
	if err != nil {
		return nil, err
	}

	var out []byte
	for p := range v.SecretPaths() {
		before, after, _ := bytes.Cut(text, mask)
		out, text = append(out, before...), after
		put := mask
		if secret, _ := v.At(p); secret.Kind() == value.KindSealed {
			if put, err = codec.AppendJSONValue(nil, secret, codec.Options{Form: codec.FormSealed}); err != nil {
				return nil, err
			}
		}
		out = append(out, put...)
	}
	return append(out, text...), nil
}
