package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/provider/check"
)

// The JSON of a test; docs/cli.md describes it.
type (
	reportJSON struct {
		Provider providerJSON  `json:"provider"`
		Subjects []subjectJSON `json:"subjects"`
		Summary  summaryJSON   `json:"summary"`
	}
	providerJSON struct {
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
		Seed    int    `json:"seed"`
		Live    bool   `json:"live"`
	}
	subjectJSON struct {
		Kind     string        `json:"kind"`
		Type     string        `json:"type"`
		Findings []findingJSON `json:"findings"`
		Reached  []string      `json:"reached,omitempty"`
		Missed   []string      `json:"missed,omitempty"`
	}
	findingJSON struct {
		Severity string `json:"severity"`
		Call     string `json:"call"`
		Code     string `json:"code"`
		In       string `json:"in,omitempty"`
		At       string `json:"at"`
		Advice   string `json:"advice"`
		reproduction
	}
	summaryJSON struct {
		Resources  int `json:"resources"`
		Functions  int `json:"functions"`
		Errors     int `json:"errors"`
		Warnings   int `json:"warnings"`
		Notes      int `json:"notes"`
		Suppressed int `json:"suppressed,omitempty"`
		Known      int `json:"known,omitempty"` // in the baseline
	}
)

// report returns what the test found, without secrets of the user.
func (t *tester) report() (reportJSON, error) {
	doc := reportJSON{Provider: providerJSON{Name: t.packageName(), Version: t.found.version, Seed: t.o.seed, Live: t.o.live}, Subjects: []subjectJSON{}}
	for _, s := range append([]*subject{t.own}, t.subjects...) {
		switch s.kind {
		case "resource":
			doc.Summary.Resources++
		case "function":
			doc.Summary.Functions++
		}
		one := subjectJSON{Kind: s.kind, Type: s.token, Findings: []findingJSON{}}
		for _, f := range s.findings {
			shown := t.shown(s, f)
			if !t.o.gate.passes(s.token, shown) {
				continue
			}
			one.Findings = append(one.Findings, shown)
			switch f.Severity {
			case check.SeverityError:
				doc.Summary.Errors++
			case check.SeverityWarning:
				doc.Summary.Warnings++
			case check.SeverityNote:
				doc.Summary.Notes++
			}
		}
		one.Reached, one.Missed = t.reached(s)
		if s.kind != "provider" || len(one.Findings) > 0 {
			doc.Subjects = append(doc.Subjects, one)
		}
	}

	doc.Summary.Suppressed, doc.Summary.Known = t.o.gate.Suppressed, t.o.gate.Known

	text, err := json.Marshal(doc)
	if err != nil {
		return doc, err
	}
	var without reportJSON
	err = json.Unmarshal([]byte(t.mask.text(string(text))), &without)
	return without, err
}

func (t *tester) shown(s *subject, f fuzz.Finding) findingJSON {
	return findingJSON{f.Severity.String(), f.Method, f.Code, f.In, f.At.String(), f.Advice, t.reproduction(s, f)}
}

// reached says what was tested of a subject, and what was not and why.
func (t *tester) reached(s *subject) (reached, missed []string) {
	if s.skipped != "" {
		return nil, []string{"not tested: " + s.skipped}
	}

	if s.counts.methods != nil {
		var names []string
		if r, ok := t.schema.Resource(s.token); ok {
			names = slices.Sorted(slices.Values(r.Inputs().Names()))
		}
		reached = s.counts.lines(names)
	}
	missed = s.counts.refusals()
	switch {
	case s.kind != "resource" || t.o.live:
	case s.counts.methods["Construct"] != nil:
		missed = append(missed, "without --live Construct is called in previews only")
	default:
		missed = append(missed, t.withoutLive())
	}
	if s.missed != "" {
		missed = append(missed, s.missed)
	}
	if t.o.live && s.counts.methods["Create"] != nil && s.counts.methods["Update"] == nil {
		missed = append(missed, "Update is not called; --tries 20 reaches most")
	}
	if s.stopped != "" {
		missed = append(missed, "ended early: "+s.stopped)
	}
	return reached, missed
}

func (t *tester) withoutLive() string {
	text := "without --live nothing is created, read, updated or deleted"
	if !t.found.preview {
		text += ", and there are no previews, which the provider does not support"
	}
	return text
}

// text returns the report for people.
func (doc reportJSON) text() string {
	var b strings.Builder
	for _, s := range doc.Subjects {
		fmt.Fprintf(&b, "%s\n", line(s.Type))
		for _, f := range s.Findings {
			fmt.Fprintf(&b, "  %s %s\n      %s\n", f.Severity, f.title(), line(f.Advice))
			if method, request, ok := f.last(); ok {
				fmt.Fprintf(&b, "      call %d of a test shows it: %s %s\n", len(f.Calls), method, cmp.Or(line(request), "(long; -o json and --repro have it)"))
			}
		}
		for _, text := range s.Reached {
			fmt.Fprintf(&b, "  %s\n", line(text))
		}
		for _, text := range s.Missed {
			fmt.Fprintf(&b, "  not reached: %s\n", line(text))
		}
	}
	fmt.Fprintf(&b, "%s of %s: %s, %s. %s\n", doc.Provider.Name, cmp.Or(doc.Provider.Version, "no version"),
		counted(doc.Summary.Resources, "resource"), counted(doc.Summary.Functions, "function"), doc.Summary.text())
	return b.String()
}

func (f findingJSON) title() string {
	parts := []string{f.Call, line(f.In), line(f.At), f.Code}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ": ")
}

func (s summaryJSON) text() string {
	text := fmt.Sprintf("Findings: %s, %s, %s", counted(s.Errors, "error"), counted(s.Warnings, "warning"), counted(s.Notes, "note"))
	if s.Suppressed > 0 {
		text += fmt.Sprintf("; %d suppressed", s.Suppressed)
	}
	if s.Known > 0 {
		text += fmt.Sprintf("; %d in the baseline", s.Known)
	}
	return text
}

func counted(n int, name string) string {
	if n != 1 {
		name += "s"
	}
	return fmt.Sprintf("%d %s", n, name)
}
