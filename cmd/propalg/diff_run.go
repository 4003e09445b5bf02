package main

import (
	"fmt"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec/steps"
)

// failure is what there is to say of an update that did not succeed, which is said first:
// its resources may look as if nothing had happened.
type failure struct {
	title  string
	errors []errorJSON
	more   int // errors that are not listed
}

type errorJSON struct {
	URN     string `json:"urn,omitempty"`
	Message string `json:"message"`
}

// failureOf returns nil for an update that succeeded, or of which nothing is known.
func failureOf(run *steps.Run) *failure {
	const listed, longest = 10, 1_000
	if run == nil || (!run.Failed() && !run.Truncated) {
		return nil
	}

	x := &failure{}
	for _, d := range run.Diagnostics {
		switch {
		case d.Severity != "error":
		case len(x.errors) == listed:
			x.more++
		default:
			text := []rune(strings.TrimPrefix(strings.TrimSpace(printable.Line(d.Message)), "error: "))
			if len(text) > longest {
				text = append(text[:longest], '…')
			}
			x.errors = append(x.errors, errorJSON{d.URN, string(text)})
		}
	}
	for _, v := range run.Violations {
		if v.Level == "mandatory" {
			x.errors = append(x.errors, errorJSON{v.URN, printable.Line("policy " + v.Policy + ": " + v.Message)})
		}
	}
	x.title = x.titleOf(run)
	return x
}

func (x *failure) titleOf(run *steps.Run) string {
	what := run.Kind
	if run.IsPreview || what == "" {
		what = "preview"
		if !run.IsPreview {
			what = "update"
		}
	}

	var counts []string
	for _, each := range []struct {
		n    int
		name string
	}{{len(x.errors) + x.more, "error"}, {run.Failures, "failed operation"}, {run.Unfinished, "unfinished operation"}} {
		if each.n > 0 {
			counts = append(counts, counted(each.n, each.name))
		}
	}
	title := "The " + what + " failed"
	if !run.Failed() {
		title = "The log ends before the " + what + " does"
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
	lines := []string{x.title}
	for _, e := range x.errors {
		text := e.Message
		if e.URN != "" {
			text = plainName(e.URN) + ": " + text
		}
		lines = append(lines, text)
	}
	if x.more > 0 {
		lines = append(lines, fmt.Sprintf("… %d more", x.more))
	}

	return lines
}
