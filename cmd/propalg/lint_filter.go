package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/internal/gate"
)

// gating is the gate of a command, with the files of its flags.
type gating struct {
	gate.Gate
	suppressFile, baselineFile, writeFile string
	codes                                 []string // that findings have
}

// suppressionMeant returns a question for a line that suppresses nothing: a URN or a type has
// colons, and a finding the code of a rule.
func suppressionMeant(s gate.Suppression, codes []string) string {
	if s.Resource != "" && !strings.ContainsAny(s.Resource, ":*") {
		return " (did you mean *::" + s.Resource + "?)"
	}
	if slices.Contains(codes, s.Code) {
		return ""
	}

	return meant(s.Code, codes, "")
}

// writeBaseline writes the findings of a report, in an order that does not depend on
// that in which they were found.
func (inv *invocation) writeBaseline(r *findings) error {
	if more := r.summary().More; more > 0 {
		return fmt.Errorf("%s: %d findings are too many for a baseline", inv.outName, len(r.rows)+more)
	}

	all := make([]gate.Key, 0, len(r.rows))
	for k := range r.rows {
		all = append(all, k.Key)
	}
	text, n, err := gate.Lines(all) // once, if they are of several files
	if err == nil {
		_, err = inv.out.Write(text)
	}
	if err != nil {
		return err
	}

	inv.say("%s written to the baseline", printable.Counted(n, "finding"))
	return nil
}

func (g *gating) addTo(inv *invocation, codes []string) {
	g.codes = codes
	inv.flags.StringVar(&g.suppressFile, "suppress", "", "leave out the findings that this `file` names: a code a line, and then a URN or a type, with * for any text; # begins a comment")
	inv.flags.StringVar(&g.baselineFile, "baseline", "", "leave out the findings that this `file` has, which --write-baseline wrote")
	inv.flags.Var((*outName)(&g.writeFile), "write-baseline", "write the findings to this `file` instead of reporting them")
}

// begin begins to write the baseline, which is all that is written then.
func (g *gating) begin(inv *invocation) error {
	if !inv.isSet("write-baseline") {
		return nil
	}
	for _, name := range []string{"o", "out", "explain", "baseline"} {
		if inv.isSet(name) {
			return usageError{"--write-baseline writes all findings there and reports nothing; leave " + dashed(name) + " out"}
		}
	}

	inv.outName = g.writeFile
	if err := inv.beginFile(); err != nil {
		return err
	}
	if info, err := os.Stat(g.writeFile); err == nil && info.Mode().IsRegular() {
		if err := (&gating{baselineFile: g.writeFile}).read(); err != nil {
			return fmt.Errorf("%w; a file that is no baseline is not replaced by one", err)
		}
	}
	return nil
}

// read reads the files of the flags.
func (g *gating) read() (failed error) {
	for _, f := range []struct {
		name string
		read func(name, text string) error
	}{{g.suppressFile, g.Suppress}, {g.baselineFile, g.Baseline}} {
		if f.name == "" {
			continue
		}
		text, err := os.ReadFile(f.name)
		if err == nil {
			err = f.read(f.name, string(text))
		} else {
			err = fmt.Errorf("%s: %w", f.name, input.Reason(err))
		}
		failed = errors.Join(failed, err)
	}
	return failed
}

// noteGate reports what the files name and was not found, which can be taken out.
func (inv *invocation) noteGate(g *gating) {
	for _, s := range g.Unused() {
		inv.say("%s suppresses nothing%s", s.Place, suppressionMeant(s, g.codes))
	}
	if n := g.Missing(); n > 0 {
		inv.say("the baseline has %s that %s not found; --write-baseline writes a new one", printable.Counted(n, "finding"), map[bool]string{true: "was", false: "were"}[n == 1])
	}
}
