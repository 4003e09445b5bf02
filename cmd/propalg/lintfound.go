package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/provider/check"
)

// How much a lint keeps: whatever a log holds, it is told of in bounded memory.
const (
	mostFindings = 10_000   // different ones
	mostExamples = 3        // places in logs, of each
	mostText     = 2_000    // bytes of a name or a path
	mostTexts    = 16 << 20 // bytes of all of them
)

// findingKey is what makes two findings one that is there twice.
type findingKey struct{ subject, call, code, in, at string }

// finding is one thing that lint has to say, and how often it was so.
type finding struct {
	findingKey
	severity check.Severity
	advice   string
	count    int
	examples []exampleJSON
}

// findings are those of a lint.
type findings struct {
	rows map[findingKey]*finding
	size int                    // bytes of the texts in rows
	more map[check.Severity]int // beyond those in rows
}

func (x *exchange) add(k findingKey, severity check.Severity, advice string) {
	if severity < x.least {
		return
	}
	k.subject, k.in, k.at = x.subject, short(k.in), short(k.at)
	k.subject = short(k.subject)
	example := exampleJSON{Log: x.log, Line: x.line, URN: short(x.urn)}
	f := x.found.rows[k]
	if f == nil {
		advice = short(advice)
		if len(x.found.rows) == mostFindings || !x.found.fits(k.subject, k.call, k.code, k.in, k.at, advice) {
			x.found.more[severity]++
			return
		}
		f = &finding{findingKey: k, severity: severity, advice: advice}
		x.found.rows[k] = f
	}
	f.count++
	if len(f.examples) < mostExamples && x.found.fits(example.URN) {
		f.examples = append(f.examples, example)
	}
}

// fits reports whether there is room for some texts, which is taken by that.
func (f *findings) fits(texts ...string) bool {
	size := f.size
	for _, text := range texts {
		size += len(text)
	}
	if size > mostTexts {
		return false
	}
	f.size = size
	return true
}

// short is a text that is worth keeping, in memory of its own.
func short(text string) string {
	if len(text) > mostText {
		text = strings.ToValidUTF8(text[:mostText], "") + "…"
	}
	return strings.Clone(text)
}

// sorted are the findings by type, errors first.
func (f *findings) sorted() []*finding {
	return slices.SortedFunc(maps.Values(f.rows), func(a, b *finding) int {
		return cmp.Or(
			cmp.Compare(a.subject, b.subject), cmp.Compare(b.severity, a.severity),
			cmp.Compare(a.call, b.call), cmp.Compare(a.code, b.code), cmp.Compare(a.in, b.in), cmp.Compare(a.at, b.at),
		)
	})
}

// The JSON of lint, which docs describe.
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
		Errors   int `json:"errors"` // with how often each is there
		Warnings int `json:"warnings"`
		Notes    int `json:"notes"`
		More     int `json:"more,omitempty"` // of these, not listed
	}
	lintJSON struct {
		Types   []subjectJSON   `json:"types"`
		Calls   callsJSON       `json:"calls"`
		Summary lintSummaryJSON `json:"summary"`
	}
)

func (l *linter) summary() lintSummaryJSON {
	more := l.found.more
	s := lintSummaryJSON{Errors: more[check.SeverityError], Warnings: more[check.SeverityWarning], Notes: more[check.SeverityNote]}
	s.More = s.Errors + s.Warnings + s.Notes
	for _, f := range l.found.rows {
		switch f.severity {
		case check.SeverityError:
			s.Errors += f.count
		case check.SeverityWarning:
			s.Warnings += f.count
		case check.SeverityNote:
			s.Notes += f.count
		}
	}
	return s
}

func (l *linter) document() lintJSON {
	doc := lintJSON{Types: []subjectJSON{}, Calls: l.calls, Summary: l.summary()}
	doc.Calls.Unfinished = l.unfinished()
	for _, f := range l.found.sorted() {
		last := len(doc.Types) - 1
		if last < 0 || doc.Types[last].Type != f.subject {
			doc.Types = append(doc.Types, subjectJSON{Type: f.subject})
			last++
		}
		doc.Types[last].Findings = append(doc.Types[last].Findings, findingJSON{
			Severity: f.severity.String(), Call: f.call, Code: f.code, In: f.in, At: f.at,
			Advice: f.advice, Count: f.count, Examples: f.examples,
		})
	}
	return doc
}

// writeText writes the findings for people: by type, each with what to do, which
// is broken to fit into a number of columns, if that is not 0.
func (l *linter) writeText(w io.Writer, colour render.Colour, columns int) error {
	var text []byte
	line := func(level int, spans ...render.Span) {
		text = append(render.Line{Level: level, Spans: spans}.AppendText(text, colour), '\n')
	}
	last := ""
	for i, f := range l.found.sorted() {
		if i == 0 || f.subject != last {
			last = f.subject
			line(0, render.Span{Text: cmp.Or(plain(f.subject), "(no type)"), Style: render.StyleKey})
		}
		style := render.StyleNote
		switch f.severity {
		case check.SeverityError:
			style = render.StyleOld
		case check.SeverityWarning:
			style = render.StyleUnknown
		case check.SeverityNote:
		}
		line(1, render.Span{Text: f.severity.String(), Style: style}, render.Span{Text: " " + f.title()})
		for _, text := range broken(plain(f.advice), columns-len("          ")) {
			line(2, render.Span{Text: text})
		}
		line(2, render.Span{Text: f.places(), Style: render.StyleNote})
	}
	s := l.summary()
	text = fmt.Appendf(text, "Calls: %d checked, %d of them failed. Findings: %s, %s, %s", l.calls.Checked, l.calls.Failed, counted(s.Errors, "error"), counted(s.Warnings, "warning"), counted(s.Notes, "note"))
	if s.More > 0 {
		text = fmt.Appendf(text, ", %d of them not listed", s.More)
	}
	_, err := w.Write(append(text, '\n'))
	return err
}

// broken is a text in lines of a number of characters at most, where the words are
// not longer; one line, if no more than a word or two would fit.
func broken(text string, columns int) []string {
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

// title is where a finding is, and its code.
func (f *finding) title() string {
	return strings.Join(slices.DeleteFunc([]string{f.call, plain(f.in), plain(f.at), f.code}, func(s string) bool { return s == "" }), ": ")
}

// places says where in the logs a finding is.
func (f *finding) places() string {
	all := make([]string, 0, mostExamples)
	for _, e := range f.examples {
		place := fmt.Sprintf("%s:%d", plain(e.Log), e.Line)
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
