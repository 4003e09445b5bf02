package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// noteRounded lists on standard error which numbers a double could not hold. No path in the
// lines goes below a secret of others.
func (inv *invocation) noteRounded(place string, r *codec.Report, others ...value.Value) {
	for _, each := range roundedNotes(place, r, others...) {
		inv.say("%s", each)
	}
}

// roundedNotes say which numbers a double could not hold. No path in them goes below
// a secret of the values that theirs is compared with.
func roundedNotes(place string, r *codec.Report, others ...value.Value) (notes []string) {
	for _, at := range roundedPlaces(r, others) {
		notes = append(notes, fmt.Sprintf("%s: %s: the number is rounded, since a double cannot hold it", place, at))
	}

	if r.More > 0 {
		notes = append(notes, fmt.Sprintf("%s: %d more numbers are rounded", place, r.More))
	}
	return notes
}

// roundedPlaces returns where numbers were rounded. A secret is there once, however many
// numbers are in it.
func roundedPlaces(r *codec.Report, others []value.Value) (all []string) {
	for _, each := range r.Rounded {
		all = append(all, cutAt(each.At, others).String())
	}
	return slices.Compact(all)
}

// cutAt cuts a path at the outermost secret that it leads to in other values.
func cutAt(at path.Shown, others []value.Value) path.Shown {
	for _, other := range others {
		if n := secretAt(at.Path(), other); n < at.Path().Len() {
			at = path.Show(at.Path(), n)
		}
	}
	return at
}

// secretAt returns how many steps of a path lead to the outermost secret in a value;
// all, if none does.
func secretAt(p path.Path, v value.Value) int {
	n := 0
	for step := range p.Steps() {
		child, ok := v.At(path.Of(step))
		if v.IsSecret() || !ok {
			break
		}
		v = child
		n++
	}
	if v.IsSecret() {
		return n
	}

	return p.Len()
}

// show writes a result: a row as JSON, or else its text and a line break.
func (inv *invocation) show(row any, text func() string) error {
	if inv.isJSON() {
		return printable.WriteJSON(inv.out, row)
	}
	_, err := io.WriteString(inv.out, text()+"\n")
	return err
}

// report writes a document to standard error.
func (inv *invocation) report(document any) error {
	inv.progress.end()
	if err := inv.written.Flush(); err != nil {
		return err
	}
	return printable.WriteJSON(inv.err, document)
}

// say writes a line of message to standard error, after what was written to standard
// output before.
func (inv *invocation) say(format string, args ...any) {
	inv.progress.end()
	if inv.written.Flush() != nil {
		return // the command reports that error at its end
	}
	_, _ = fmt.Fprintf(inv.err, "propalg %s: %s\n", inv.name, errorLine(fmt.Errorf(format, args...)))
}

// errorLine returns the text of an error on one line.
func errorLine(err error) string { return printable.Line(plain(err)) }

// plain returns the text of an error without the packages and operations of this module
// that it names, and of those that it wraps: the command is what the user called.
func plain(err error) string {
	text := err.Error()
	var causes []error
	switch e := err.(type) { //nolint:errorlint // each of a chain
	case interface{ Unwrap() []error }:
		causes = e.Unwrap()
	case interface{ Unwrap() error }:
		causes = []error{e.Unwrap()}
	}
	for _, cause := range causes {
		if cause != nil {
			text = strings.Replace(text, cause.Error(), plain(cause), 1)
		}
	}

	name, operation := origin(err)
	if rest, ok := strings.CutPrefix(text, name+": "); ok && name != "" {
		text = strings.TrimPrefix(rest, operation+": ")
	}
	return text
}

// origin returns the name of the package whose error an error is, and the operation that
// failed.
func origin(err error) (name, operation string) {
	switch e := err.(type) { //nolint:errorlint // not of what it wraps
	case *codec.Error:
		return "codec", e.Op
	case *rpc.Error:
		return "rpc", e.Op
	case *patch.Error:
		return "patch", e.Op
	case *diff.Error:
		return "diff", e.Op
	case *value.Error:
		return "value", e.Op
	case *state.Error:
		return "state", ""
	case *path.Error:
		return "path", ""
	case *urn.Error:
		return "urn", ""
	case *schema.Error:
		return "schema", ""
	}

	return "", ""
}

// clip returns at most a number of bytes of a text.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// clipped returns what a message shows of an argument.
func clipped(text string) string { return clip(text, 100) }

// counted returns a number of things.
func counted(n int, name string) string {
	if n != 1 {
		name += "s"
	}
	return strconv.Itoa(n) + " " + name
}
