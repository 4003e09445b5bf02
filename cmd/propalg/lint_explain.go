package main

import (
	"fmt"
	"iter"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/provider/check"
)

// explainCode writes what the code of a finding means, or what all of them do.
func (inv *invocation) explainCode(code string, rules iter.Seq[check.Rule]) (int, error) {
	var text []byte
	var codes []string
	for r := range rules {
		codes = append(codes, r.Code)
		if code != r.Code && code != "all" {
			continue
		}
		text = appendLine(text, inv.ansi(), 0, render.Span{Text: r.Severity.String(), Style: styleOf(r.Severity)}, render.Span{Text: " " + r.Code})
		for _, line := range wrapped(r.Advice, inv.columns-len("      ")) {
			text = appendLine(text, inv.ansi(), 1, render.Span{Text: line})
		}
	}
	if text == nil {
		return 0, usageError{fmt.Sprintf("no finding has the code %q%s; --explain all lists the codes", clipped(code), meant(code, codes, ""))}
	}

	_, err := inv.out.Write(text)
	return exitSame, err
}

func codesOf(rules iter.Seq[check.Rule]) (codes []string) {
	for r := range rules {
		codes = append(codes, r.Code)
	}
	return codes
}

// explain writes what a provider answered to a call of Diff that the user asked
// about. Calls that cannot be decoded are findings, and not explained.
func (inv *invocation) explain(l *linter, log string, c check.Checked) error {
	asked, isDiff := c.Request.(*rpc.DiffRequest)
	answer, isAnswer := c.Response.(*rpc.DiffResponse)
	if !isDiff || !isAnswer || !strings.Contains(c.URN, l.explain) {
		return nil
	}

	sides, err := provider.SidesOf(asked)
	if err != nil {
		return nil //nolint:nilerr // the sides of a decoded request are objects
	}
	l.explained++
	r := provider.ResponseOf(answer)
	title := fmt.Sprintf("%s:%d %s %s %s", printable.Text(log), c.Call.Line, shortMethod(c.Call), printable.Text(c.Subject), nameOf(c.URN))
	return inv.explainAnswer(title, sides, r)
}

// explainAnswer writes a response to Diff with the values that it names, and what in
// it replaces the resource.
func (inv *invocation) explainAnswer(title string, sides provider.Sides, r provider.Response) error {
	answer := check.ReadResponse(r, sides)
	o := render.Options{Indent: 1, Width: inv.valueWidth(), ReplaceOn: answer.Replacing, Documents: jsonDocument}

	text := fmt.Appendf(nil, "%s: %s", title, r.Changes)
	if r.Replace() {
		text = append(text, ", the resource is replaced"...)
	}
	text = append(text, '\n')
	if answer.Replacing.Len() == 0 && r.Replace() {
		text = append(text, "    the answer names no property that would be the reason\n"...)
	}
	var body []byte
	for l := range render.Lines(answer.Diff, o) {
		body = inv.layout().appendLine(body, l)
	}
	if len(body) == 0 && r.Changes == rpc.DiffSome {
		body = []byte("    the arguments of Diff show no change that it names\n")
	}
	_, err := inv.out.Write(append(append(text, body...), '\n'))
	return err
}
