package main

import (
	"cmp"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec/steps"
)

// failure is what there is to say of an update that did not succeed, which is said first:
// its resources may look as if nothing had happened.
type failure struct {
	Title  string      `json:"title"`
	Errors []errorJSON `json:"errors"`         // the first ten
	More   int         `json:"more,omitempty"` // errors that are not listed
}

type errorJSON struct {
	URN     string `json:"urn,omitempty"`
	Message string `json:"message"`
}

// failureOf returns nil for no update, and for one that succeeded. It names the file where
// there are two.
func failureOf(u *update, isNamed bool) *failure {
	if u == nil {
		return nil
	}
	run := u.reader.Run()
	if !run.Failed() && !run.Truncated && !u.isCut() {
		return nil
	}

	x := &failure{Errors: []errorJSON{}}
	n := 0
	for _, d := range run.Errors() {
		x.add(d.URN, d.Message)
		if d.Severity == "error" {
			n++
		}
	}
	name := ""
	if isNamed {
		name = u.name
	}
	x.Title = titleOf(run, name, n)
	return x
}

// add lists an error on one line, or counts it if many are listed already.
func (x *failure) add(urn, message string) {
	const listed, longest = 10, 1_000 // characters
	if len(x.Errors) == listed {
		x.More++
		return
	}
	text := []rune(strings.TrimSpace(printable.Line(message)))
	if len(text) > longest {
		text = append(text[:longest], '…')
	}
	x.Errors = append(x.Errors, errorJSON{urn, string(text)})
}

// titleOf says what happened, with the number of errors.
func titleOf(run *steps.Run, name string, errors int) string {
	what := cmp.Or(run.Kind, "update")
	if run.IsPreview {
		what = "preview"
	}
	if name != "" {
		what += " of " + printable.Text(name)
	}

	var counts []string
	for _, each := range []struct {
		n    int
		name string
	}{{errors, "error"}, {run.Failures, "failed operation"}, {run.Unfinished, "unfinished operation"}} {
		if each.n > 0 {
			counts = append(counts, printable.Counted(each.n, each.name))
		}
	}
	title := "The " + what + " failed"
	if !run.Failed() {
		title = "The " + strings.TrimPrefix(run.Format, "event ") + " ends before the " + what + " does"
	}
	if !run.Failed() && run.Format == what {
		title = "The " + what + " is cut off"
	}
	if len(counts) > 0 {
		title += ": " + strings.Join(counts, ", ")
	}
	return title
}

// lines returns the title and the errors, a line each.
func (x *failure) lines() []string {
	if x == nil {
		return nil
	}
	lines := []string{x.Title}
	for _, e := range x.Errors {
		text := e.Message
		if e.URN != "" {
			text = plainName(e.URN) + ": " + text
		}
		lines = append(lines, text)
	}
	if x.More > 0 {
		lines = append(lines, "… "+printable.Thousands(x.More)+" more")
	}

	return lines
}
