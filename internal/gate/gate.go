// Package gate decides which findings a command reports: not those that a file suppresses, nor
// those that a baseline has.
package gate

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Key is what equal findings have in common, and a line of a baseline.
type Key struct {
	Subject string `json:"type"`
	Call    string `json:"call"`
	Code    string `json:"code"`
	In      string `json:"in"`
	At      string `json:"at"`
	URN     string `json:"urn,omitempty"` // of states
	Detail  string `json:"detail,omitempty"`
}

// Compare compares two keys field by field.
func (k Key) Compare(l Key) int {
	return cmp.Or(cmp.Compare(k.Subject, l.Subject), cmp.Compare(k.Call, l.Call), cmp.Compare(k.Code, l.Code), cmp.Compare(k.In, l.In),
		cmp.Compare(k.At, l.At), cmp.Compare(k.URN, l.URN), cmp.Compare(k.Detail, l.Detail))
}

// Gate has what files leave out. The zero Gate lets everything pass.
type Gate struct {
	Suppressed int // findings
	Known      int // findings that the baseline has

	suppressions []Suppression
	baseline     map[Key]bool // whether it was found again
}

// Suppression is a line of a file: a code, and the resources that it is about.
type Suppression struct {
	Code     string
	Resource string // a URN or a type, with * for any text; empty: all
	Place    string // of the line

	used bool
}

func (s *Suppression) matches(urn, typ, code string) bool {
	return s.Code == code && (s.Resource == "" || Matches(s.Resource, urn) || Matches(s.Resource, typ))
}

// Matches reports whether a pattern, in which * is any text, matches all of a text.
func Matches(pattern, text string) bool {
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

// Passes reports whether a finding about a resource is to be reported, and counts it
// otherwise.
func (g *Gate) Passes(urn, typ string, k Key) bool {
	for i := range g.suppressions {
		if s := &g.suppressions[i]; s.matches(urn, typ, k.Code) {
			s.used = true
			g.Suppressed++
			return false
		}
	}
	if _, isKnown := g.baseline[k]; isKnown {
		g.baseline[k] = true
		g.Known++
		return false
	}

	return true
}

// Suppress reads the text of a file with a code a line, and a resource after it: a URN or a
// type. Text after # is a comment. Errors begin with the name.
func (g *Gate) Suppress(name, text string) error {
	for i, line := range lines(text) {
		text, _, _ := strings.Cut(line, "#")
		code, resource, _ := strings.Cut(strings.TrimSpace(text), " ")
		place := fmt.Sprintf("%s:%d", name, i+1)
		if code == "" {
			continue
		}
		if strings.Trim(code, "abcdefghijklmnopqrstuvwxyz-") != "" {
			return fmt.Errorf("%s: expected the code of a finding, and then a URN or a type", place)
		}
		g.suppressions = append(g.suppressions, Suppression{Code: code, Resource: strings.TrimSpace(resource), Place: place})
	}
	return nil
}

// Baseline reads the text of a file that Lines returned. Errors begin with the name.
func (g *Gate) Baseline(name, text string) error {
	g.baseline = map[Key]bool{}
	for i, line := range lines(text) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		var row Key
		in := json.NewDecoder(strings.NewReader(line))
		in.DisallowUnknownFields()
		if err := in.Decode(&row); err != nil || row.Code == "" {
			return fmt.Errorf("%s:%d: expected a finding, as --write-baseline writes it", name, i+1)
		}
		g.baseline[row] = false
	}

	return nil
}

func lines(text string) []string {
	return strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n")
}

// Unused returns the lines that suppressed nothing.
func (g *Gate) Unused() (all []Suppression) {
	for _, s := range g.suppressions {
		if !s.used {
			all = append(all, s)
		}
	}
	return all
}

// Missing returns how many findings the baseline has that were not found.
func (g *Gate) Missing() (n int) {
	for _, found := range g.baseline {
		if !found {
			n++
		}
	}
	return n
}

// Lines returns the text of a baseline, in an order that does not depend on that of the keys,
// and how many lines it has.
func Lines(keys []Key) (text []byte, n int, err error) {
	keys = slices.Compact(slices.SortedFunc(slices.Values(keys), Key.Compare))
	for _, k := range keys {
		line, err := json.Marshal(k)
		if err != nil {
			return nil, 0, err
		}
		text = append(append(text, line...), '\n')
	}
	return text, len(keys), nil
}
