package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/internal/gate"
	"github.com/propalg/propalg/provider/check"
)

// report gathers the findings of all logs.
type report struct {
	*findings
	calls      callsJSON
	unfinished map[string]int // by method
}

func newReport(least check.Severity, g *gating) *report {
	return &report{findings: newFindings(least, g), unfinished: map[string]int{}}
}

type callCounts struct {
	checked, failed int            // calls that ended, and those of them that failed
	unanswered      int            // those that neither failed nor have a response
	unfinished      map[string]int // calls that started and did not end, by method
}

func (n *callCounts) add(checked check.Checked) {
	c := checked.Call
	method := shortMethod(c)
	if slices.ContainsFunc(checked.Findings, func(f check.Finding) bool { return f.Code == "response-missing" }) {
		n.unanswered++
	}

	switch {
	case c.Started && method != "Cancel": // engines do not wait for its end
		n.unfinished[method]++
	case c.Ended:
		n.unfinished[method] = max(n.unfinished[method]-1, 0)
		n.checked++
		if c.Failed() {
			n.failed++
		}
	}
}

func shortMethod(c rpc.LoggedCall) string { return c.Method[strings.LastIndexByte(c.Method, '/')+1:] }

func (r *report) addCalls(n callCounts) {
	r.calls.Checked += n.checked
	r.calls.Failed += n.failed

	for method, unfinished := range n.unfinished {
		if unfinished > 0 {
			r.calls.Unfinished += unfinished
			r.unfinished[method] += unfinished
		}
	}
}

// add adds a finding of a call. A finding without a message is the same in every call.
func (r *report) add(log string, c check.Checked, from check.Finding) {
	method := ""
	if from.In != "" {
		method = shortMethod(c.Call)
	}
	k := gate.Key{Subject: short(c.Subject), Call: method, Code: from.Code, In: short(from.In), At: short(from.At.String())}
	r.note(rowKey{Key: k}, from.Severity, from.Advice, exampleJSON{Log: log, Line: c.Call.Line, URN: c.URN})
}

// bySubject is the order of findings by subject, errors first.
func bySubject(a, b *finding) int {
	return cmp.Or(cmp.Compare(a.Subject, b.Subject), cmp.Compare(b.severity, a.severity))
}

// The JSON of lint; docs/cli.md describes it.
type (
	exampleJSON struct {
		Log  string `json:"log"`
		Line int    `json:"line"`
		URN  string `json:"urn,omitempty"`

		offset int64 // in a state
	}
	findingJSON struct {
		Severity string        `json:"severity"`
		Call     string        `json:"call,omitempty"`
		Code     string        `json:"code"`
		In       string        `json:"in,omitempty"`
		At       string        `json:"at"`
		Advice   string        `json:"advice"`
		Count    int           `json:"count"`
		Examples []exampleJSON `json:"examples"`
	}
	subjectJSON struct {
		Type     string        `json:"type"`
		Findings []findingJSON `json:"findings"`
	}
	callsJSON struct {
		Checked    int `json:"checked"`
		Failed     int `json:"failed"`
		Unfinished int `json:"unfinished"`
	}
	lintSummaryJSON struct {
		Errors   int `json:"errors"` // each as often as it was made
		Warnings int `json:"warnings"`
		Notes    int `json:"notes"`
		More     int `json:"more,omitempty"` // of these, not listed

		Suppressed int `json:"suppressed,omitempty"` // findings that are not among these
		Known      int `json:"known,omitempty"`      // the same, since a baseline has them
	}
	lintJSON struct {
		Types   []subjectJSON   `json:"types"`
		Calls   callsJSON       `json:"calls"`
		Summary lintSummaryJSON `json:"summary"`
	}
)

func (r *report) document() lintJSON {
	doc := lintJSON{Types: []subjectJSON{}, Calls: r.calls, Summary: r.summary()}
	for _, f := range r.sorted(bySubject) {
		last := len(doc.Types) - 1
		if last < 0 || doc.Types[last].Type != f.Subject {
			doc.Types = append(doc.Types, subjectJSON{Type: f.Subject})
			last++
		}
		doc.Types[last].Findings = append(doc.Types[last].Findings, findingJSON{
			Severity: f.severity.String(), Call: f.Call, Code: f.Code, In: f.In, At: f.At,
			Advice: f.advice, Count: f.count, Examples: f.examples,
		})
	}

	return doc
}

// writeText writes the findings as text, grouped by subject.
func (r *report) writeText(w io.Writer, o layout) error {
	var text []byte

	last := ""
	for i, f := range r.sorted(bySubject) {
		if i == 0 || f.Subject != last {
			last = f.Subject
			text = appendLine(text, o.ansi, 0, render.Span{Text: cmp.Or(printable.Text(f.Subject), "(no type)"), Style: render.StyleKey})
		}
		text = f.appendText(text, o)
	}

	text = fmt.Appendf(text, "Calls: %d checked, %d of them failed. %s", r.calls.Checked, r.calls.Failed, r.totals())
	_, err := w.Write(append(text, '\n'))
	return err
}

// appendText appends what was found, what to do about it, and where it is.
func (f *finding) appendText(text []byte, o layout) []byte {
	text = appendLine(text, o.ansi, 1, render.Span{Text: f.severity.String(), Style: styleOf(f.severity)}, render.Span{Text: " " + f.title()})
	for _, line := range wrapped(printable.Text(f.advice), o.columns-len("          ")) {
		text = appendLine(text, o.ansi, 2, render.Span{Text: line})
	}
	return appendLine(text, o.ansi, 2, render.Span{Text: f.places(), Style: render.StyleNote})
}

// title returns the place of a finding, its code, and what is meant there.
func (f *finding) title() string {
	parts := []string{f.Call, printable.Text(f.URN), printable.Text(f.In), printable.Text(f.At), f.Code, printable.Text(f.Detail)}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ": ")
}

// places returns the places in logs where a finding was made.
func (f *finding) places() string {
	all := make([]string, 0, mostExamples)
	for _, e := range f.examples {
		place := fmt.Sprintf("%s:%d", printable.Text(e.Log), e.Line)
		if e.URN != "" {
			place += " " + nameOf(e.URN)
		}
		all = append(all, place)
	}

	text := strings.Join(all, ", ")
	if more := f.count - len(all); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
