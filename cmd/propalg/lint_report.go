package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/provider/check"
)

// How much a report keeps, whatever the logs hold.
const (
	mostFindings = 10_000   // different ones
	mostExamples = 3        // of each
	mostText     = 2_000    // bytes of a name or a path
	mostTexts    = 16 << 20 // bytes of all of them
)

// report gathers the findings of all logs. Equal findings are counted.
type report struct {
	least      check.Severity // of the findings to report
	below      int            // findings of less
	gate       *gate
	rows       map[findingKey]*finding
	size       int                    // bytes of the texts in rows
	more       map[check.Severity]int // findings that are not in rows
	calls      callsJSON
	unfinished map[string]int // by method
}

// findingKey is what equal findings have in common, and a line of a baseline.
type findingKey struct {
	Subject string `json:"type"`
	Call    string `json:"call"`
	Code    string `json:"code"`
	In      string `json:"in"`
	At      string `json:"at"`
}

func (k findingKey) compare(l findingKey) int {
	return cmp.Or(cmp.Compare(k.Subject, l.Subject), cmp.Compare(k.Call, l.Call), cmp.Compare(k.Code, l.Code), cmp.Compare(k.In, l.In), cmp.Compare(k.At, l.At))
}

// finding is a finding, and how often it was made.
type finding struct {
	findingKey
	severity check.Severity
	advice   string
	count    int
	examples []exampleJSON
}

func newReport(least check.Severity, g *gate) *report {
	return &report{least: least, gate: g, rows: map[findingKey]*finding{}, more: map[check.Severity]int{}, unfinished: map[string]int{}}
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

// add adds a finding, or counts it if there is an equal one. A finding without a
// message is the same in every call.
func (r *report) add(log string, c check.Checked, from check.Finding) {
	method := ""
	if from.In != "" {
		method = shortMethod(c.Call)
	}
	k := findingKey{short(c.Subject), method, from.Code, short(from.In), short(from.At.String())}
	if !r.gate.passes(&c, k) { // of any severity: it is found again
		return
	}
	if from.Severity < r.least {
		r.below++
		return
	}

	f := r.rows[k]
	if f == nil {
		f = &finding{findingKey: k, severity: from.Severity, advice: short(from.Advice)}
		if len(r.rows) == mostFindings || !r.fits(k.Subject, k.Call, k.Code, k.In, k.At, f.advice) {
			r.more[from.Severity]++
			return
		}

		r.rows[k] = f
	}
	f.count++
	urn := short(c.URN)
	if len(f.examples) < mostExamples && r.fits(urn) {
		f.examples = append(f.examples, exampleJSON{Log: log, Line: c.Call.Line, URN: urn})
	}
}

// fits takes room for some texts, and reports whether there was enough.
func (r *report) fits(texts ...string) bool {
	size := r.size
	for _, text := range texts {
		size += len(text)
	}
	if size > mostTexts {
		return false
	}

	r.size = size
	return true
}

// short returns the beginning of a text, which does not share its memory.
func short(text string) string {
	return strings.Clone(clip(text, mostText))
}

// sorted returns the findings by subject, errors first.
func (r *report) sorted() []*finding {
	return slices.SortedFunc(maps.Values(r.rows), func(a, b *finding) int {
		return cmp.Or(cmp.Compare(a.Subject, b.Subject), cmp.Compare(b.severity, a.severity), a.compare(b.findingKey))
	})
}

// The JSON of lint; docs/cli.md describes it.
type (
	exampleJSON struct {
		Log  string `json:"log"`
		Line int    `json:"line"`
		URN  string `json:"urn,omitempty"`
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

func (r *report) summary() lintSummaryJSON {
	s := lintSummaryJSON{Suppressed: r.gate.suppressed, Known: r.gate.known}
	for _, n := range r.more {
		s.More += n
	}

	all := maps.Clone(r.more)
	for _, f := range r.rows {
		all[f.severity] += f.count
	}
	s.Errors, s.Warnings, s.Notes = all[check.SeverityError], all[check.SeverityWarning], all[check.SeverityNote]
	return s
}

func (r *report) document() lintJSON {
	doc := lintJSON{Types: []subjectJSON{}, Calls: r.calls, Summary: r.summary()}
	for _, f := range r.sorted() {
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
	for i, f := range r.sorted() {
		if i == 0 || f.Subject != last {
			last = f.Subject
			text = appendLine(text, o.ansi, 0, render.Span{Text: cmp.Or(printable.Text(f.Subject), "(no type)"), Style: render.StyleKey})
		}
		text = f.appendText(text, o)
	}

	s := r.summary()
	text = fmt.Appendf(text, "Calls: %d checked, %d of them failed. Findings: %s, %s, %s",
		r.calls.Checked, r.calls.Failed, printable.Counted(s.Errors, "error"), printable.Counted(s.Warnings, "warning"), printable.Counted(s.Notes, "note"))
	if s.More > 0 {
		text = fmt.Appendf(text, ", %d of them not listed", s.More)
	}
	if r.below > 0 {
		text = fmt.Appendf(text, "; %d not shown (--severity)", r.below)
	}
	if s.Suppressed > 0 {
		text = fmt.Appendf(text, "; %d suppressed", s.Suppressed)
	}
	if s.Known > 0 {
		text = fmt.Appendf(text, "; %d in the baseline", s.Known)
	}
	_, err := w.Write(append(text, '\n'))
	return err
}

func appendLine(text []byte, ansi bool, level int, spans ...render.Span) []byte {
	return append(render.Line{Level: level, Spans: spans}.AppendText(text, ansi), '\n')
}

func styleOf(s check.Severity) render.Style {
	switch s {
	case check.SeverityError:
		return render.StyleOld
	case check.SeverityWarning:
		return render.StyleUnknown
	case check.SeverityNote:
	}

	return render.StyleNote
}

// appendText appends what was found, what to do about it, and where it is.
func (f *finding) appendText(text []byte, o layout) []byte {
	text = appendLine(text, o.ansi, 1, render.Span{Text: f.severity.String(), Style: styleOf(f.severity)}, render.Span{Text: " " + f.title()})
	for _, line := range wrapped(printable.Text(f.advice), o.columns-len("          ")) {
		text = appendLine(text, o.ansi, 2, render.Span{Text: line})
	}
	return appendLine(text, o.ansi, 2, render.Span{Text: f.places(), Style: render.StyleNote})
}

// wrapped breaks a text into lines of at most a number of characters, if no word
// is longer. It does not where only a word or two would fit.
func wrapped(text string, columns int) []string {
	const least = 20
	if columns < least {
		return []string{text}
	}

	var lines []string
	line, width := "", 0
	for word := range strings.SplitSeq(text, " ") {
		n := utf8.RuneCountInString(word)
		if line != "" && width+1+n > columns {
			lines = append(lines, line)
			line, width = "", 0
		}
		if line != "" {
			line += " "
			width++
		}
		line += word
		width += n
	}

	return append(lines, line)
}

// title returns the place of a finding, and its code.
func (f *finding) title() string {
	parts := []string{f.Call, printable.Text(f.In), printable.Text(f.At), f.Code}
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
