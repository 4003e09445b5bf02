package main

import (
	"cmp"
	"slices"
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

// failureOf returns nil for an update that succeeded. The name is that of the file, where
// there are two.
func failureOf(u *update, name string) *failure {
	run := u.reader.Run()
	isCut := run.Truncated || u.isCut()
	if !run.Failed() && !isCut {
		return nil
	}

	x := &failure{Errors: []errorJSON{}}
	for _, d := range run.Diagnostics {
		message := strings.TrimPrefix(d.Message, "error: ")
		if d.Severity == "error" && !isTitle(message) {
			x.add(d.URN, message)
		}
	}
	for _, v := range run.Violations {
		if v.Level == "mandatory" {
			x.add(v.URN, "policy "+v.Policy+": "+v.Message)
		}
	}
	x.Title = x.titleOf(run, name)
	if run.Failed() && len(x.Errors) == 0 { // some programs print what is wrong, of which the engine makes no error
		for _, d := range run.Diagnostics {
			if d.Severity == "info#err" {
				x.add(d.URN, d.Message)
			}
		}
	}
	return x
}

// isTitle reports whether an error says no more than the title does, as "update failed".
func isTitle(message string) bool {
	what, isFailed := strings.CutSuffix(message, " failed")
	return isFailed && slices.Contains([]string{"update", "preview", "refresh", "destroy", "import"}, what)
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

func (x *failure) titleOf(run *steps.Run, name string) string {
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
	}{{len(x.Errors) + x.More, "error"}, {run.Failures, "failed operation"}, {run.Unfinished, "unfinished operation"}} {
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
