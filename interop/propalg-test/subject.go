package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/schema"
)

// subject is a resource, a function or the provider itself, with what its test found.
type subject struct {
	kind     string // "resource", "function" or "provider"
	token    string
	inputs   *schema.Type // nil: not known
	state    *schema.Type
	findings []fuzz.Finding
	counts   counts
	starts   int    // of the provider, after it crashed or hung
	stopped  string // why its test ended early
	skipped  string // why it was not tested
	missed   string // what else was not, and why
}

// finding is an error of the provider that is about no place.
func finding(code, advice string) check.Finding {
	return check.Finding{Severity: check.SeverityError, Code: code, Entry: -1, Advice: advice}
}

func (s *subject) add(method string, f check.Finding) { s.addCalls(method, f, nil) }

// addCalls adds a finding, one for each code, method and place. All elements of an array are one
// place, and so are all members of a map.
func (s *subject) addCalls(method string, f check.Finding, calls []fuzz.Call) {
	for _, known := range s.findings {
		if known.Code == f.Code && known.Method == method && known.In == f.In && s.place(known.Finding) == s.place(f) {
			return
		}
	}
	s.findings = append(s.findings, fuzz.Finding{Finding: f, Method: method, Calls: calls})
}

// sort sorts the findings: errors first, then by method, code and place.
func (s *subject) sort() {
	slices.SortStableFunc(s.findings, func(a, b fuzz.Finding) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(a.Method, b.Method), cmp.Compare(a.Code, b.Code), cmp.Compare(a.At.String(), b.At.String()))
	})
}

// place is the place of a finding, with * for elements and for what users name.
func (s *subject) place(f check.Finding) string {
	t := s.inputs
	if strings.HasSuffix(f.In, "properties") {
		t = s.state
	}
	var names []string
	for step := range f.At.Path().Steps() {
		key, isKey := step.AsKey()
		switch {
		case t != nil && t.Kind() == schema.KindObject:
			p, _ := t.Property(key)
			t = p.Type()
		case t != nil && (t.Kind() == schema.KindArray || t.Kind() == schema.KindMap):
			key, t = "*", t.Elem()
		case !isKey:
			key = "*"
		}
		names = append(names, key)
	}
	return strings.Join(names, "\x00")
}
