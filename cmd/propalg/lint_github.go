package main

import (
	"cmp"
	"io"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/internal/gate"
)

// writeGitHub writes findings as commands of GitHub's workflows, which make them annotations:
// one for each finding, at its first example.
func writeGitHub(w io.Writer, all []*finding) error {
	var b strings.Builder
	for _, f := range all {
		file, line := "", 0
		if len(f.examples) > 0 {
			file, line = printable.Text(f.examples[0].Log), f.examples[0].Line
		}
		text := f.title() + "\n" + printable.Text(f.advice) + "\n" + f.places()
		b.WriteString(gate.Annotation(f.severity.String(), file, line, cmp.Or(printable.Text(f.Subject), "(no type)"), text))
	}

	_, err := io.WriteString(w, b.String())
	return err
}
