package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// runIgnore sets properties of one bag back to what they are in another.
func runIgnore(inv *invocation) (int, error) {
	var named patterns
	form := inv.output("text", "json")
	inv.flags.Lookup("o").Usage = "`form` of the report on standard error: text or json"
	rules := newChoice("engine", "corrected")
	inv.flags.Var(rules, "rules", "`whose` rules to go by: those of Pulumi's engine, or the same without its traps: engine or corrected")
	reveal := inv.flags.Bool("show-secrets", false, "write secrets in clear, so that the result can be read again")
	if err := inv.parse(3, -1); err != nil {
		return 0, err
	}
	for _, text := range inv.args[2:] {
		if err := named.Set(text); err != nil {
			return 0, usageError{fmt.Sprintf("pattern %q: %v", text, err)}
		}
	}
	texts := inv.args[2:]
	inv.args = inv.args[:2]
	sides, err := inv.bags()
	if err != nil {
		return 0, err
	}
	mode := ignore.Engine
	if rules.value == "corrected" {
		mode = ignore.Corrected
	}
	ignored := ignore.Changes(sides[0].Bag, sides[1].Bag, named.list, mode)
	if err := writeBag(inv.out, ignored.Value, *reveal); err != nil {
		return 0, ofResult(err)
	}
	if form.value == "json" {
		return exitSame, inv.report(ignoreReport(ignored, texts, sides, *reveal))
	}
	for i, side := range sides {
		for _, each := range roundedNotes(side.Name, &side.Report, others(sides, i)...) {
			inv.say("%s", each)
		}
	}
	for _, p := range ignored.Patterns {
		inv.say("%v", p)
	}
	return exitSame, nil
}

type mismatchJSON struct {
	At  string        `json:"at"`
	Why ignore.Reason `json:"why"`
}

type ignoredJSON struct {
	Pattern  string         `json:"pattern"`
	Matched  int            `json:"matched"`
	Mismatch []mismatchJSON `json:"mismatch"`
	More     int            `json:"more,omitempty"` // of these, not listed
}

type roundedJSON struct {
	File string `json:"file"`
	At   string `json:"at,omitempty"`
	More int    `json:"more,omitempty"` // so many that are not listed
}

type ignoreJSON struct {
	Patterns []ignoredJSON `json:"patterns"`
	Rounded  []roundedJSON `json:"rounded,omitempty"`
}

// ignoreReport is all that there is to say, since standard error is then one
// document.
func ignoreReport(ignored ignore.Result, texts []string, sides []*input.File, reveal bool) ignoreJSON {
	var r ignoreJSON
	left := path.MaxListed
	for i, p := range ignored.Patterns {
		row := ignoredJSON{Pattern: texts[i], Matched: p.Matched, Mismatch: []mismatchJSON{}}
		for n, m := range p.Mismatches {
			if left <= 0 {
				row.More = len(p.Mismatches) - n
				break
			}
			at := m.At().String()
			if reveal {
				at = m.At().RevealPath().String()
			}
			left -= len(at)
			row.Mismatch = append(row.Mismatch, mismatchJSON{at, m.Why()})
		}
		r.Patterns = append(r.Patterns, row)
	}
	for i, side := range sides {
		r.Rounded = append(r.Rounded, roundedRows(side, others(sides, i)...)...)
	}
	return r
}

// writeBag writes a value as data, on one line: secrets masked, unless they are
// to be revealed, and sealed ones, which nobody can read, as ciphertext.
func writeBag(w io.Writer, v value.Value, reveal bool) error {
	text, err := codec.EncodeJSON(v, codec.Options{Form: codec.FormSealed})
	if err == nil && !reveal {
		text, err = masked(v)
	}
	if err != nil {
		return err
	}
	return printable.WriteData(w, text)
}

// ofResult is the error for a result that stands in no JSON: whichever file the
// number came from. What went wrong in writing stays what it is.
func ofResult(err error) error {
	if e := (*codec.Error)(nil); errors.As(err, &e) {
		err = fmt.Errorf("the result: %w", err)
	}
	if errors.Is(err, codec.ErrNumber) {
		err = fmt.Errorf("%w: a number that rounds to an infinity stands in no JSON", err)
	}
	return err
}

// masked is the masked form of a value with the ciphertexts put back: the mask
// stands once for every outermost secret, in their order, and nowhere else, since
// a string has its quotes escaped and no object of a user may have the signature.
func masked(v value.Value) ([]byte, error) {
	o := codec.Options{Form: codec.FormMasked}
	mask, err := codec.EncodeJSON(value.Secret(value.Null()), o)
	if err != nil {
		return nil, err
	}
	text, err := codec.EncodeJSON(v, o)
	if err != nil {
		return nil, err
	}
	var out []byte
	for p := range value.SecretPaths(v) {
		before, after, _ := bytes.Cut(text, mask)
		out, text = append(out, before...), after
		put := mask
		if secret, _ := v.At(p); secret.Kind() == value.KindSealed {
			if put, err = codec.EncodeJSON(secret, codec.Options{Form: codec.FormSealed}); err != nil {
				return nil, err
			}
		}
		out = append(out, put...)
	}
	return append(out, text...), nil
}
