package main

import (
	"fmt"
	"strconv"

	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// noteRounded lists on standard error which numbers a double could not hold.
func (inv *invocation) noteRounded(place string, r *codec.Report) {
	for _, each := range roundedNotes(place, r) {
		inv.say("%s", each)
	}
}

// roundedNotes say which numbers a double could not hold. No path in them goes below
// a secret of the values that theirs is compared with.
func roundedNotes(place string, r *codec.Report, others ...value.Value) (notes []string) {
	for _, each := range r.Rounded {
		notes = append(notes, fmt.Sprintf("%s: %s: the number is rounded, since a double cannot hold it", place, cutAt(each.At, others)))
	}

	if r.More > 0 {
		notes = append(notes, fmt.Sprintf("%s: %d more numbers are rounded", place, r.More))
	}

	return notes
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

	_, _ = fmt.Fprintf(inv.err, "propalg %s: %s\n", inv.name, printable.Line(fmt.Errorf(format, args...)))
}

// counted returns a number of things.
func counted(n int, name string) string { return noun(n, strconv.Itoa(n), name) }

// many is counted for documents: with commas.
func many(n int, name string) string { return noun(n, printable.Thousands(n), name) }

func noun(n int, digits, name string) string {
	if n == 1 {
		return digits + " " + name
	}

	return digits + " " + name + "s"
}
