package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/provider/check"
)

// writeGitHub writes findings as commands of GitHub's workflows, which make them annotations:
// one for each finding, at its first example.
func writeGitHub(w io.Writer, all []*finding) error {
	var b strings.Builder
	for _, f := range all {
		place := ""
		if len(f.examples) > 0 {
			place = fmt.Sprintf("file=%s,line=%d,", property(printable.Text(f.examples[0].Log)), f.examples[0].Line)
		}
		text := f.title() + "\n" + printable.Text(f.advice) + "\n" + f.places()
		fmt.Fprintf(&b, "::%s %stitle=%s::%s\n", annotation(f.severity), place,
			property(cmp.Or(printable.Text(f.Subject), "(no type)")), data(text))
	}

	_, err := io.WriteString(w, b.String())
	return err
}

func annotation(s check.Severity) string {
	if s == check.SeverityNote {
		return "notice"
	}
	return s.String()
}

// data escapes the text of a workflow command, of which a line is one.
func data(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

// property escapes a value before the text, which a comma or a colon would end.
func property(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(text))
}
