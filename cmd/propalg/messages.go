package main

import (
	"fmt"
	"io"
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
		operation, _, _ = strings.Cut(e.Op, ": ") // which one of a document it is stays
		return "patch", operation
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
