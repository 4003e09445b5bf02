package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/internal/gate"
	"github.com/propalg/propalg/provider/check"
)

// How much a report keeps, whatever the logs hold.
const (
	mostFindings = 10_000   // different ones
	mostExamples = 3        // of each
	mostText     = 2_000    // bytes of a name or a path
	mostTexts    = 16 << 20 // bytes of all of them
)

// findings are those of logs or states. Equal ones are counted.
type findings struct {
	least check.Severity // of the findings to report
	below int            // findings of less
	gate  *gating
	rows  map[rowKey]*finding
	size  int                    // bytes of the texts in rows
	more  map[check.Severity]int // findings that are not in rows
}

// severity adds the flag --severity.
func (inv *invocation) severity() *choice {
	least := newChoice("note", "warning", "error")
	inv.flags.Var(least, "severity", "report findings of this `severity` and above: note, warning or error")
	return least
}

func severityOf(c *choice) check.Severity {
	return check.SeverityNote + check.Severity(slices.Index(c.of, c.value))
}

func newFindings(least check.Severity, g *gating) *findings {
	return &findings{least: least, gate: g, rows: map[rowKey]*finding{}, more: map[check.Severity]int{}}
}

// rowKey is what equal findings of a report have in common: those of states are listed for
// each file.
type rowKey struct {
	gate.Key
	file string
}

// finding is a finding, and how often it was made.
type finding struct {
	rowKey
	severity check.Severity
	advice   string
	count    int
	examples []exampleJSON
}

// note adds a finding, or counts it if there is an equal one. Its example says which resource
// it is about, of the type that is its subject.
func (r *findings) note(k rowKey, s check.Severity, advice string, e exampleJSON) {
	if !r.gate.Passes(e.URN, k.Subject, k.Key) { // of any severity: it is found again
		return
	}
	if s < r.least {
		r.below++
		return
	}

	f := r.rows[k]
	if f == nil {
		f = &finding{rowKey: k, severity: s, advice: short(advice)}
		if len(r.rows) == mostFindings || !r.fits(k.Subject, k.Call, k.Code, k.In, k.At, k.URN, k.Detail, f.advice) {
			r.more[s]++
			return
		}

		r.rows[k] = f
	}
	f.count++
	e.URN = short(e.URN)
	if len(f.examples) < mostExamples && r.fits(e.URN) {
		f.examples = append(f.examples, e)
	}
}

// fits takes room for some texts, and reports whether there was enough.
func (r *findings) fits(texts ...string) bool {
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

// sorted returns the findings in an order, in which equal ones do not depend on that in
// which they were found.
func (r *findings) sorted(order func(a, b *finding) int) []*finding {
	return slices.SortedFunc(maps.Values(r.rows), func(a, b *finding) int {
		return cmp.Or(order(a, b), a.Compare(b.Key), cmp.Compare(a.file, b.file))
	})
}

func (r *findings) summary() lintSummaryJSON {
	s := lintSummaryJSON{Suppressed: r.gate.Suppressed, Known: r.gate.Known}
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

// totals says how many findings there are, and how many are left out.
func (r *findings) totals() string {
	s := r.summary()
	text := fmt.Sprintf("Findings: %s, %s, %s", printable.Counted(s.Errors, "error"), printable.Counted(s.Warnings, "warning"), printable.Counted(s.Notes, "note"))
	if s.More > 0 {
		text += fmt.Sprintf(", %d of them not listed", s.More)
	}
	if r.below > 0 {
		text += fmt.Sprintf("; %d not shown (--severity)", r.below)
	}
	if s.Suppressed > 0 {
		text += fmt.Sprintf("; %d suppressed", s.Suppressed)
	}
	if s.Known > 0 {
		text += fmt.Sprintf("; %d in the baseline", s.Known)
	}
	return text
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
