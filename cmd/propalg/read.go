package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// input is one file: a property bag or a stack.
type input struct {
	name   string // as the user gave it, "stdin" for "-"
	bag    value.Value
	size   int          // of the text, in bytes
	stack  *state.File  // nil for a bag
	report codec.Report // of a bag
}

// what says what a file was recognised as.
func (in *input) what() string {
	if in.stack != nil {
		return "a " + in.stack.Shape().String()
	}
	return "a property bag"
}

// load reads a file and recognises by its shape what it is.
func (inv *invocation) load(name string) (*input, error) {
	in := &input{name: name}
	text, err := inv.readAll(name)
	if name == "-" {
		in.name = "stdin"
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.name, err)
	}
	if text == "" {
		return nil, fmt.Errorf("%s: the file is empty", in.name)
	}
	in.size = len(text)
	opts := codec.Options{Numbers: codec.RoundInexact}
	if state.LooksText(text) {
		in.stack, err = state.ParseText(text, state.Options{Codec: opts})
	} else {
		opts.Report = &in.report
		in.bag, err = codec.DecodeJSONBagText(text, opts)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.name, err)
	}
	return in, nil
}

// readAll returns the whole text of a file, in memory once.
func (inv *invocation) readAll(name string) (string, error) {
	from, size := inv.in, 0
	if name != "-" {
		f, err := os.Open(name)
		if err == nil {
			defer func() { _ = f.Close() }() // it was only read
			var info os.FileInfo
			if info, err = f.Stat(); err == nil {
				from, size = f, int(info.Size())
			}
		}
		if err != nil {
			return "", reason(err)
		}
	}
	var text strings.Builder
	text.Grow(min(max(size, 0), 1<<30))
	if _, err := io.Copy(&text, from); err != nil {
		return "", reason(err)
	}
	return text.String(), nil
}

// reason is what the system said, without the name of the file, which comes
// before it anyway.
func reason(err error) error {
	if e := (*os.PathError)(nil); errors.As(err, &e) {
		return e.Err
	}
	return err
}

// noteRounded lists on standard error which numbers a double could not hold.
func (inv *invocation) noteRounded(place string, r *codec.Report) {
	for _, each := range roundedNotes(place, r) {
		inv.say("%s", each)
	}
}

// roundedNotes say which numbers a double could not hold. No path goes below what
// is secret in the values that theirs is compared with.
func roundedNotes(place string, r *codec.Report, others ...value.Value) (notes []string) {
	for _, each := range r.Rounded {
		notes = append(notes, fmt.Sprintf("%s: %s: the number is rounded, since a double cannot hold it", place, cutAt(each.At, others)))
	}
	if r.More > 0 {
		notes = append(notes, fmt.Sprintf("%s: %d more numbers are rounded", place, r.More))
	}
	return notes
}

// cutAt is a path as texts may show it when other values have secrets on its way.
func cutAt(at path.Shown, others []value.Value) path.Shown {
	for _, other := range others {
		if n := secretAt(at.Path(), other); n < at.Path().Len() {
			at = path.Show(at.Path(), n)
		}
	}
	return at
}

// secretAt is how many steps of a path lead to the outermost secret, or all.
func secretAt(p path.Path, v value.Value) int {
	n := 0
	for step := range p.Steps() {
		part, ok := partOf(v, step)
		if v.IsSecret() || !ok {
			break
		}
		v = part
		n++
	}
	if v.IsSecret() {
		return n
	}
	return p.Len()
}

// say writes a line of message to standard error.
func (inv *invocation) say(format string, args ...any) {
	_ = inv.written.Flush() // in the order of the two on a terminal; an error stays until the end
	_, _ = fmt.Fprintf(inv.err, "propalg %s: %s\n", inv.name, oneLine(fmt.Errorf(format, args...)))
}
