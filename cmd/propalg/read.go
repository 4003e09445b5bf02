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
	text   string       // of a bag
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
		if in.bag, err = codec.DecodeJSONBagText(text, opts); err != nil {
			err = foreign(text, err)
		}
		in.text = text
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.name, err)
	}
	return in, nil
}

// foreign is an error about a text that cannot be read as what was wanted. Where
// it is something else that engines write, the error says what.
func foreign(text string, err error) error {
	_, other := state.ParseText(text, state.Options{})
	if e := (*state.Error)(nil); errors.As(other, &e) && errors.Is(e, state.ErrShape) && e.Found != "" {
		return fmt.Errorf("neither a property bag nor a stack: found %s", e.Found)
	}
	return err
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
	_, err := io.CopyN(&text, from, inMemory)
	if err == nil { // there may be more, of which there may be no end
		if err := hopeless(text.String()); err != nil {
			return "", err
		}
		err = readRest(&text, from)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return "", reason(err)
	}
	return text.String(), notUTF8(text.String())
}

// notUTF8 is the error for a file that begins as texts of other encodings do: what
// Windows writes often, and what a syntax error at the first byte does not explain.
func notUTF8(begin string) error {
	if len(begin) < 3 {
		return nil
	}
	switch {
	case begin[:3] == "\xef\xbb\xbf":
		return errors.New("the file begins with a byte order mark; it has to be UTF-8 without one")
	case begin[:2] == "\xff\xfe", begin[:2] == "\xfe\xff", begin[:2] == "{\x00", begin[:2] == "\x00{":
		return errors.New("the file is UTF-16, as the > of Windows PowerShell writes it; it has to be UTF-8")
	}
	return nil
}

// noObject is the error for the beginning of a large file that is not read further,
// since nothing that comes could make it a bag or a stack.
func noObject(begin string) error {
	start := strings.TrimLeft(begin, " \t\r\n")
	if start == "" || start[0] == '{' || start[0] == '[' { // of which the decoder says what is wrong
		return nil
	}
	return fmt.Errorf("offset %d: syntax error: no JSON object begins there", len(begin)-len(start))
}

// hopeless is the error for the beginning of a large file in which something is
// wrong already. What is only cut off is not.
func hopeless(begin string) error {
	if err := noObject(begin); err != nil {
		return err
	}
	var err error
	offset, longest := int64(-1), int64(len(begin)-longestCut)
	o := codec.Options{Numbers: codec.RoundInexact}
	if state.LooksText(begin) {
		_, err = state.ParseText(begin, state.Options{Codec: o})
		if e := (*state.Error)(nil); errors.As(err, &e) {
			offset = e.Offset
		}
	} else {
		_, err = codec.DecodeJSONBagText(begin, o)
		if e := (*codec.Error)(nil); errors.As(err, &e) {
			offset = int64(e.Offset)
		}
	}
	if offset < 0 || offset >= longest {
		return nil
	}
	return foreign(begin, err)
}

// longestCut is longer than what can be cut off in the middle of it, and wrong
// only by that: a pair of escapes.
const longestCut = 16

// mostWhole is how many bytes a file may have that is read as a whole: there are
// inputs that have no end.
const mostWhole = 512 << 20

// readRest reads the rest of a file, of which so much was read.
func readRest(to *strings.Builder, from io.Reader) error {
	left := int64(mostWhole - to.Len())
	n, err := io.CopyN(to, from, left+1)
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case err == nil && n > left:
		return fmt.Errorf("the file is longer than %d MiB, which is too much to be read as a whole", mostWhole>>20)
	}
	return err
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

// report writes to standard error what there is to say, as one document.
func (inv *invocation) report(document any) error {
	inv.progress.end()
	if err := inv.written.Flush(); err != nil {
		return err
	}
	return writeJSON(inv.err, document)
}

// say writes a line of message to standard error.
func (inv *invocation) say(format string, args ...any) {
	inv.progress.end()
	if inv.written.Flush() != nil { // in the order of the two on a terminal
		return // of what went wrong there is one line, at the end
	}
	_, _ = fmt.Fprintf(inv.err, "propalg %s: %s\n", inv.name, oneLine(fmt.Errorf(format, args...)))
}
