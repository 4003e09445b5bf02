package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/propalg/propalg/internal/gate"
	"github.com/propalg/propalg/provider/check"
)

// gating is the gate of the report, with the files of its flags.
type gating struct {
	gate.Gate
	suppressFile, baselineFile, writeFile string
	severity                              string
}

// begin reads the files.
func (g *gating) begin() error {
	for _, f := range []struct {
		name string
		read func(name, text string) error
	}{{g.suppressFile, g.Suppress}, {g.baselineFile, g.Baseline}} {
		if f.name == "" {
			continue
		}
		text, err := os.ReadFile(f.name)
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, errors.Unwrap(err))
		}
		if err := f.read(f.name, string(text)); err != nil {
			return err
		}
	}
	return nil
}

// passes reports whether a finding of a resource or function is reported.
func (g *gating) passes(token string, f findingJSON) bool {
	isPassed := g.Passes("", token, f.key(token))
	return isPassed && severityOf(f.Severity) >= severityOf(g.severity)
}

func severityOf(name string) check.Severity {
	for s := check.SeverityNote; s <= check.SeverityError; s++ {
		if s.String() == name {
			return s
		}
	}
	return 0
}

func (f findingJSON) key(token string) gate.Key {
	return gate.Key{Subject: token, Call: f.Call, Code: f.Code, In: f.In, At: f.At}
}

// writeBaseline writes the findings of a report to the file of the flag.
func (g *gating) writeBaseline(doc reportJSON, messages io.Writer) error {
	var keys []gate.Key
	for _, s := range doc.Subjects {
		for _, f := range s.Findings {
			keys = append(keys, f.key(s.Type))
		}
	}
	text, n, err := gate.Lines(keys)
	if err == nil {
		err = os.WriteFile(g.writeFile, text, 0o600)
	}
	if err == nil {
		_, err = fmt.Fprintf(messages, "propalg-test: %s written to the baseline\n", counted(n, "finding"))
	}
	return err
}

// notes says what the files name and was not found, which can be taken out.
func (g *gating) notes() (lines []string) {
	for _, s := range g.Unused() {
		lines = append(lines, s.Place+" suppresses nothing")
	}
	if n := g.Missing(); n > 0 {
		lines = append(lines, "the baseline has "+counted(n, "finding")+" that nothing showed now")
	}
	return lines
}
