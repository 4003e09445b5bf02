package main

import (
	"fmt"
	"unicode/utf8"

	"github.com/propalg/propalg/cmd/propalg/internal/markdown"
	"github.com/propalg/propalg/cmd/propalg/internal/page"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/value"
)

func (inv *invocation) eachForm(f *diffFlags) eachForm {
	switch inv.form.value {
	case "json":
		return &eachJSON{inv: inv, f: f}
	case "html":
		return &eachHTML{inv: inv, f: f}
	case "markdown":
		return &eachMarkdown{inv: inv, f: f}
	}
	return &eachText{inv: inv, f: f}
}

// eachText is the text: each stack that changed, and then a table of them.
type eachText struct {
	inv  *invocation
	f    *diffFlags
	text []byte
}

func (e *eachText) compare(s *stacks, _ *stackDiff) (count *tally, err error) {
	e.text, count, err = e.f.textOf(s)
	return count, err
}

func (e *eachText) add(one *stackDiff) error {
	text := e.text
	e.text = nil
	if one.code == exitSame || text == nil {
		return nil
	}
	_, err := fmt.Fprintf(e.inv.out, "# %s\n%s\n", one.Name, text)
	return err
}

func (e *eachText) end(r *eachReport) error {
	text := e.f.layout.appendWrapped(nil, []string{r.lead() + ": " + r.resources(", ")})
	const longest = 60
	width := 0
	for _, s := range r.stacks {
		width = max(width, min(utf8.RuneCountInString(s.Name), longest))
	}
	for _, s := range r.stacks {
		text = fmt.Appendf(text, "  %-*s  %s\n", width, s.Name, s.Changed(", "))
	}
	_, err := e.inv.out.Write(text)
	return err
}

// eachJSON is an object a stack.
type eachJSON struct {
	inv *invocation
	f   *diffFlags
	row *stacksJSON
}

// stackJSON is the JSON of a stack of --each; docs/cli.md describes it.
type stackJSON struct {
	File  string `json:"file"`
	Error string `json:"error,omitempty"` // why it, or one of its resources, could not be compared
	*stacksJSON
}

func (e *eachJSON) compare(s *stacks, _ *stackDiff) (count *tally, err error) {
	e.row, count, err = e.f.jsonOf(s)
	return count, err
}

func (e *eachJSON) add(one *stackDiff) error {
	row := stackJSON{File: one.file, stacksJSON: e.row}
	e.row = nil
	if one.err != nil {
		row.Error = errorLine(one.err)
	}
	return printable.WriteJSON(e.inv.out, row)
}

func (e *eachJSON) end(*eachReport) error { return nil }

// eachMarkdown is a table of the stacks, and below it what changed in each, as much as there is
// room for.
type eachMarkdown struct {
	inv *invocation
	f   *diffFlags
	of  *markdown.Document
	doc markdown.Stacks
}

func (e *eachMarkdown) compare(s *stacks, _ *stackDiff) (count *tally, err error) {
	e.of, count, err = e.f.markdownOf(s)
	return count, err
}

func (e *eachMarkdown) add(one *stackDiff) error {
	if one.code != exitSame {
		e.doc.Add(&one.Stack, e.of)
	}
	e.of = nil
	return nil
}

func (e *eachMarkdown) end(r *eachReport) error {
	d := &e.doc
	d.Old, d.New = e.f.names(r.inv.args[0], r.inv.args[len(r.inv.args)-1])
	d.Lead = "**" + r.lead() + "** · " + r.resources(" · ") + "."
	if e.f.secrets == value.RevealSecrets {
		d.Lead += " **Secrets are shown in clear.**"
	}
	return d.Write(e.inv.out)
}

// eachHTML is a page on which the resources of each stack are below a row of it.
type eachHTML struct {
	inv  *invocation
	f    *diffFlags
	of   page.Page
	rows []page.Resource
	bad  []string // lines
}

func (e *eachHTML) compare(s *stacks, _ *stackDiff) (count *tally, err error) {
	e.of, count, err = e.f.pageOf(s)
	return count, err
}

func (e *eachHTML) add(one *stackDiff) error {
	of := e.of
	e.of = page.Page{}
	for i, line := range of.Failure {
		if i == 0 {
			line = one.Name + ": " + line
		}
		e.bad = append(e.bad, line)
	}
	if one.err != nil {
		e.bad = append(e.bad, errorLine(one.err))
	}
	if len(of.Resources) == 0 {
		return nil
	}
	e.rows = append(e.rows, page.Resource{URN: one.Name, Name: one.Name, Note: one.Changed(", "), Parts: []page.Part{}})
	for _, r := range of.Resources {
		r.Depth++
		e.rows = append(e.rows, r)
	}
	return nil
}

func (e *eachHTML) end(r *eachReport) error {
	doc := e.f.page(r.inv.args[0], r.inv.args[len(r.inv.args)-1])
	doc.Lead, doc.Resources = r.lead()+": "+r.resources(", ")+".", e.rows
	if len(e.bad) > 0 {
		doc.Failure = append([]string{printable.Counted(r.failed(), "stack") + " failed, or could not be read"}, e.bad...)
	}
	return page.Write(e.inv.out, doc)
}
