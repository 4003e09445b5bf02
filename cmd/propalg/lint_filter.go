package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
)

// gate decides which findings are reported: not those that a file suppresses, nor those
// that a baseline has.
type gate struct {
	suppressFile, baselineFile, writeFile string   // of flags
	codes                                 []string // that findings have

	suppressions []suppression
	baseline     map[findingKey]bool // whether it was found again
	suppressed   int                 // findings
	known        int                 // findings that the baseline has
}

// suppression is a line of a file: a code, and the resources that it is about.
type suppression struct {
	code     string
	resource string // a URN or a type, with * for any text; empty: all
	place    string // of the line
	used     bool
}

func (s *suppression) matches(urn, typ, code string) bool {
	return s.code == code && (s.resource == "" || wildcardMatches(s.resource, urn) || wildcardMatches(s.resource, typ))
}

// wildcardMatches reports whether a pattern, in which * is any text, matches all of a
// text.
func wildcardMatches(pattern, text string) bool {
	first, rest, isWild := strings.Cut(pattern, "*")
	if !isWild {
		return pattern == text
	}
	text, found := strings.CutPrefix(text, first)
	if !found {
		return false
	}

	parts := strings.Split(rest, "*")
	last := parts[len(parts)-1]
	for _, part := range parts[:len(parts)-1] {
		if _, text, found = strings.Cut(text, part); !found {
			return false
		}
	}
	return strings.HasSuffix(text, last)
}

// meant returns a question for a line that suppresses nothing: a URN or a type has colons,
// and a finding the code of a rule.
func (s *suppression) meant(codes []string) string {
	if s.resource != "" && !strings.ContainsAny(s.resource, ":*") {
		return " (did you mean *::" + s.resource + "?)"
	}
	if slices.Contains(codes, s.code) {
		return ""
	}

	return meant(s.code, codes, "")
}

// passes reports whether a finding about a resource is to be reported, and counts it
// otherwise.
func (g *gate) passes(urn, typ string, k findingKey) bool {
	for i := range g.suppressions {
		if s := &g.suppressions[i]; s.matches(urn, typ, k.Code) {
			s.used = true
			g.suppressed++
			return false
		}
	}
	if _, isKnown := g.baseline[k]; isKnown {
		g.baseline[k] = true
		g.known++
		return false
	}

	return true
}

// readSuppressions reads a file with a code a line, and a resource after it: a URN or a
// type. Text after # is a comment.
func (g *gate) readSuppressions(name string) error {
	lines, err := readLines(name)
	if err != nil {
		return err
	}

	for i, line := range lines {
		text, _, _ := strings.Cut(line, "#")
		code, resource, _ := strings.Cut(strings.TrimSpace(text), " ")
		place := fmt.Sprintf("%s:%d", name, i+1)
		if code == "" {
			continue
		}
		if strings.Trim(code, "abcdefghijklmnopqrstuvwxyz-") != "" {
			return fmt.Errorf("%s: expected the code of a finding, and then a URN or a type", place)
		}
		g.suppressions = append(g.suppressions, suppression{code: code, resource: strings.TrimSpace(resource), place: place})
	}
	return nil
}

func (g *gate) readBaseline(name string) error {
	lines, err := readLines(name)
	if err != nil {
		return err
	}
	g.baseline = map[findingKey]bool{}
	for i, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		var row findingKey
		in := json.NewDecoder(strings.NewReader(line))
		in.DisallowUnknownFields()
		if err := in.Decode(&row); err != nil || row.Code == "" {
			return fmt.Errorf("%s:%d: expected a finding, as --write-baseline writes it", name, i+1)
		}
		g.baseline[row] = false
	}

	return nil
}

func readLines(name string) ([]string, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, input.Reason(err))
	}
	return strings.Split(strings.TrimPrefix(string(text), "\ufeff"), "\n"), nil
}

// writeBaseline writes the findings of a report, in an order that does not depend on
// that in which they were found.
func (inv *invocation) writeBaseline(r *findings) error {
	if more := r.summary().More; more > 0 {
		return fmt.Errorf("%s: %d findings are too many for a baseline", inv.outName, len(r.rows)+more)
	}

	all := make([]findingKey, 0, len(r.rows))
	for k := range r.rows {
		all = append(all, k.findingKey)
	}
	slices.SortFunc(all, findingKey.compare)
	keys := slices.Compact(all) // of several files
	for _, k := range keys {
		line, err := json.Marshal(k)
		if err != nil {
			return err
		}
		if _, err := inv.out.Write(append(line, '\n')); err != nil {
			return err
		}
	}

	inv.say("%s written to the baseline", printable.Counted(len(keys), "finding"))
	return nil
}

func (g *gate) addTo(inv *invocation, codes []string) {
	g.codes = codes
	inv.flags.StringVar(&g.suppressFile, "suppress", "", "leave out the findings that this `file` names: a code a line, and then a URN or a type, with * for any text; # begins a comment")
	inv.flags.StringVar(&g.baselineFile, "baseline", "", "leave out the findings that this `file` has, which --write-baseline wrote")
	inv.flags.Var((*outName)(&g.writeFile), "write-baseline", "write the findings to this `file` instead of reporting them")
}

// begin begins to write the baseline, which is all that is written then.
func (g *gate) begin(inv *invocation) error {
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
		if err := (&gate{}).readBaseline(g.writeFile); err != nil {
			return fmt.Errorf("%w; a file that is no baseline is not replaced by one", err)
		}
	}
	return nil
}

// read reads the files of the flags.
func (g *gate) read() (failed error) {
	if g.suppressFile != "" {
		failed = g.readSuppressions(g.suppressFile)
	}
	if g.baselineFile != "" {
		failed = errors.Join(failed, g.readBaseline(g.baselineFile))
	}
	return failed
}

// noteGate reports what the files name and was not found, which can be taken out.
func (inv *invocation) noteGate(g *gate) {
	for _, s := range g.suppressions {
		if !s.used {
			inv.say("%s suppresses nothing%s", s.place, s.meant(g.codes))
		}
	}

	maps.DeleteFunc(g.baseline, func(_ findingKey, found bool) bool { return found })
	if n := len(g.baseline); n > 0 {
		inv.say("the baseline has %s that %s not found; --write-baseline writes a new one", printable.Counted(n, "finding"), map[bool]string{true: "was", false: "were"}[n == 1])
	}
}
