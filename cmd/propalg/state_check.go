package main

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/internal/gate"
	"github.com/propalg/propalg/provider/check"
)

func runStateCheck(inv *invocation) (int, error) {
	inv.output("text", "json", "github")
	inv.colour()
	least := inv.severity()
	explain := inv.flags.String("explain", "", "without FILE, explain findings with this `code`; all explains every code")
	var protected []string
	inv.flags.Func("protects", "also find resources that are not protected and whose type matches this `pattern`, with * for any text, such as aws:rds/* (repeatable)", appendTo(&protected))
	var filter gating
	filter.addTo(inv, codesOf(stateRules()))
	inv.file(func() []string {
		files := []string{filter.suppressFile, filter.baselineFile}
		for _, name := range inv.args {
			files = append(files, name)
			below, _, _ := filesIn(name, false) // who reads them says more
			for _, each := range below {
				files = append(files, filepath.Join(name, each))
			}
		}
		return files
	})
	if err := inv.parse(0, -1); err != nil {
		return 0, err
	}
	switch {
	case len(inv.args) == 0 && *explain != "":
		return inv.explainCode(*explain, stateRules())
	case len(inv.args) == 0:
		return 0, inv.wrongNumber()
	case *explain != "":
		return 0, usageError{"--explain is without a file"}
	}

	files, err := inv.stackFiles()
	if err == nil {
		err = filter.begin(inv)
	}
	if err == nil {
		err = filter.read()
	}
	if err != nil {
		return 0, err
	}

	c := stateChecker{findings: newFindings(severityOf(least), &filter), stackFiles: files}
	if len(protected) > 0 {
		c.options.Protects = func(typ string) bool {
			return slices.ContainsFunc(protected, func(pattern string) bool { return gate.Matches(pattern, typ) })
		}
	}
	return inv.checkStates(&c)
}

// stateRules are the rules of states as those of logs are.
func stateRules() iter.Seq[check.Rule] {
	return func(yield func(check.Rule) bool) {
		for r := range state.Rules() {
			if !yield(check.Rule{Code: r.Code, Severity: check.Severity(r.Severity), Advice: r.Advice}) {
				return
			}
		}
	}
}

type stateChecker struct {
	*findings
	stackFiles
	options state.CheckOptions
	checked int // files that were read to their end
}

// errNotAll is the error for a baseline of files that could not all be read.
var errNotAll = errors.New("no baseline is written of files that could not all be read")

// checkStates checks all files, also after one that cannot be read.
func (inv *invocation) checkStates(c *stateChecker) (int, error) {
	code := c.each(inv, func(in *input.Source) error { return inv.checkState(c, in) })
	switch {
	case code != exitSame && inv.isSet("write-baseline"):
		return 0, errNotAll
	case c.checked == 0 && !inv.isJSON():
		return code, nil
	}

	inv.noteGate(c.gate)
	if inv.isSet("write-baseline") {
		return exitSame, inv.writeBaseline(c.findings)
	}
	return max(code, exitIf(len(c.rows) > 0)), inv.reportStates(c)
}

func (inv *invocation) checkState(c *stateChecker, in *input.Source) error {
	file := in.Reader()
	for f, err := range state.Check(file, c.options) {
		if err != nil {
			return in.Place(err)
		}
		k := gate.Key{Subject: short(f.Type), Code: f.Code, At: short(f.At.String()), URN: short(f.Resource()), Detail: short(f.Detail)}
		c.note(rowKey{k, in.Name}, check.Severity(f.Severity), f.Advice, exampleJSON{Log: in.Name, URN: f.URN, offset: f.Offset})
	}
	c.checked++
	return c.findLines(in.Name, file)
}

// findLines finds out in which lines of a file the findings are.
func (r *findings) findLines(name string, file io.Reader) error {
	var all []*exampleJSON
	for k, f := range r.rows {
		if k.file == name {
			for i := range f.examples {
				all = append(all, &f.examples[i])
			}
		}
	}
	slices.SortFunc(all, func(a, b *exampleJSON) int { return cmp.Compare(a.offset, b.offset) })

	text, at, line := bufio.NewReaderSize(file, 64<<10), int64(0), 1
	for _, e := range all {
		for at < e.offset {
			piece, err := text.Peek(int(min(e.offset-at, 64<<10)))
			if len(piece) == 0 {
				return input.Reason(err)
			}
			line += bytes.Count(piece, []byte{'\n'})
			at += int64(len(piece))
			_, _ = text.Discard(len(piece)) // which are there
		}
		e.Line = line
	}
	return nil
}

// The JSON of state check; docs/cli.md describes it.
type (
	stateFindingJSON struct {
		File     string `json:"file"`
		Line     int    `json:"line"`
		Offset   int64  `json:"offset"`
		Severity string `json:"severity"`
		Code     string `json:"code"`
		URN      string `json:"urn,omitempty"`
		Type     string `json:"type,omitempty"`
		At       string `json:"at,omitempty"`
		Detail   string `json:"detail,omitempty"`
		Advice   string `json:"advice"`
		Count    int    `json:"count"`
	}
	stateCheckJSON struct {
		Findings []stateFindingJSON `json:"findings"`
		Files    int                `json:"files"`
		Unread   []unreadJSON       `json:"unread,omitempty"`
		Summary  lintSummaryJSON    `json:"summary"`
	}
)

// byCode is the order of findings by severity, errors first, and by code.
func byCode(a, b *finding) int {
	return cmp.Or(cmp.Compare(b.severity, a.severity), cmp.Compare(a.Code, b.Code), cmp.Compare(a.file, b.file), cmp.Compare(a.offset(), b.offset()))
}

func (f *finding) first() exampleJSON {
	if len(f.examples) == 0 { // there was no room for them
		return exampleJSON{Log: f.file}
	}
	return f.examples[0]
}

func (f *finding) offset() int64 { return f.first().offset }

func (inv *invocation) reportStates(c *stateChecker) error {
	all := c.sorted(byCode)
	switch inv.form.value {
	case "json":
		doc := stateCheckJSON{Findings: []stateFindingJSON{}, Files: c.checked, Unread: c.unread, Summary: c.summary()}
		for _, f := range all {
			doc.Findings = append(doc.Findings, stateFindingJSON{
				File: f.file, Line: f.first().Line, Offset: f.offset(), Severity: f.severity.String(), Code: f.Code,
				URN: f.URN, Type: f.Subject, At: f.At, Detail: f.Detail, Advice: f.advice, Count: f.count,
			})
		}
		return printable.WriteJSON(inv.out, doc)
	case "github":
		return writeGitHub(inv.out, all)
	}

	var text []byte
	last := ""
	for _, f := range all {
		if f.Code != last {
			text = f.appendCode(text, inv.layout())
			last = f.Code
		}
		line := fmt.Sprintf("line %d", f.first().Line)
		if c.isMany {
			line = fmt.Sprintf("%s:%d", printable.Text(f.file), f.first().Line)
		}
		text = appendLine(text, inv.ansi(), 1, render.Span{Text: line + ": " + f.what()})
	}
	_, err := inv.out.Write(fmt.Appendf(text, "%s\n", c.totals()))
	return err
}

// appendCode appends what findings of one code have in common.
func (f *finding) appendCode(text []byte, o layout) []byte {
	text = appendLine(text, o.ansi, 0, render.Span{Text: f.severity.String(), Style: styleOf(f.severity)}, render.Span{Text: " " + f.Code})
	for _, line := range wrapped(printable.Text(f.advice), o.columns-len("      ")) {
		text = appendLine(text, o.ansi, 1, render.Span{Text: line, Style: render.StyleNote})
	}
	return text
}

// what returns which resource a finding in a state is about, the place in it, and what is
// meant there.
func (f *finding) what() string {
	parts := []string{printable.Text(f.URN), printable.Text(f.At), printable.Text(f.Detail)}
	text := strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ": ")
	if f.count > 1 {
		text += fmt.Sprintf(" and %d more", f.count-1)
	}
	return text
}
