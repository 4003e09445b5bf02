// Package rulebook reads what users say of resources and no schema says, as propalg test and
// propalg lint take it.
package rulebook

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/equality"
	"github.com/propalg/propalg/internal/gate"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// Book has what the user says of resources: for each pattern of tokens, in the order of
// the patterns, so that those of flags, for "*", come first.
type Book struct {
	patterns []string
	rules    map[string]*Rules
}

// Rules are what a schema does not say of a resource or a function.
type Rules struct {
	Set, WriteOnly, Replaces, Quiet []path.Pattern
	Same                            []equality.Rule
	Inputs                          []value.Value
	Skip                            string // why it is not tested; empty: it is

	fix map[string]value.Value
}

// JSON is an entry of a file of rules.
type JSON struct {
	Set       []string                   `json:"set"`
	WriteOnly []string                   `json:"writeOnly"`
	Replaces  []string                   `json:"replaces"`
	Quiet     []string                   `json:"quiet"`
	Same      map[string]string          `json:"same"`
	Fix       map[string]json.RawMessage `json:"fix"`
	Inputs    []json.RawMessage          `json:"inputs"`
	Skip      string                     `json:"skip"`
}

// At returns the rules of a pattern of tokens, to be added to.
func (b *Book) At(pattern string) *Rules {
	if b.rules == nil {
		b.rules = map[string]*Rules{}
	}
	if b.rules[pattern] == nil {
		b.rules[pattern] = &Rules{fix: map[string]value.Value{}}
		b.patterns = append(b.patterns, pattern)
		slices.Sort(b.patterns)
	}
	return b.rules[pattern]
}

// Of returns the rules of a token, of all patterns that it has.
func (b *Book) Of(token string) Rules {
	all := Rules{fix: map[string]value.Value{}}
	for _, pattern := range b.patterns {
		if !gate.Matches(pattern, token) {
			continue
		}
		r := b.rules[pattern]
		all.Set, all.WriteOnly = append(all.Set, r.Set...), append(all.WriteOnly, r.WriteOnly...)
		all.Replaces, all.Quiet = append(all.Replaces, r.Replaces...), append(all.Quiet, r.Quiet...)
		all.Same, all.Inputs = append(all.Same, r.Same...), append(all.Inputs, r.Inputs...)
		maps.Copy(all.fix, r.fix)
		all.Skip = cmp.Or(all.Skip, r.Skip)
	}
	return all
}

// Tokens are the tokens for which there are inputs, so that no schema is needed.
func (b *Book) Tokens() (all []string) {
	for _, pattern := range b.patterns {
		if len(b.rules[pattern].Inputs) > 0 && !strings.Contains(pattern, "*") {
			all = append(all, pattern)
		}
	}
	return all
}

// Read adds the rules of a file: an object with rules for each token, which may have *.
func (b *Book) Read(text []byte) error {
	var all map[string]JSON
	if err := readJSON(text, &all); err != nil {
		return err
	}
	for _, token := range slices.Sorted(maps.Keys(all)) {
		if err := b.At(token).Add(all[token]); err != nil {
			return fmt.Errorf("%s: %w", token, err)
		}
	}
	return nil
}

// ReadInputs adds the inputs of a file: an object with a list of bags for each token.
func (b *Book) ReadInputs(text []byte) error {
	var all map[string][]json.RawMessage
	if err := readJSON(text, &all); err != nil {
		return err
	}
	for _, token := range slices.Sorted(maps.Keys(all)) {
		if err := b.At(token).Add(JSON{Inputs: all[token]}); err != nil {
			return fmt.Errorf("%s: %w", token, err)
		}
	}
	return nil
}

func readJSON(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// Add adds what is said of a resource.
func (s *Rules) Add(from JSON) error {
	for _, list := range []struct {
		to    *[]path.Pattern
		texts []string
	}{{&s.Set, from.Set}, {&s.WriteOnly, from.WriteOnly}, {&s.Replaces, from.Replaces}, {&s.Quiet, from.Quiet}} {
		for _, text := range list.texts {
			p, err := path.ParsePattern(text)
			if err != nil {
				return err
			}
			*list.to = append(*list.to, p)
		}
	}
	for _, text := range slices.Sorted(maps.Keys(from.Same)) {
		rule, err := sameRule(text, from.Same[text])
		if err != nil {
			return err
		}
		s.Same = append(s.Same, rule)
	}
	for name, text := range from.Fix {
		v, err := codec.DecodeJSONValue(text, codec.Options{})
		if err != nil {
			return fmt.Errorf("fix: %s: %w", name, err)
		}
		s.fix[name] = v
	}
	for i, text := range from.Inputs {
		v, err := codec.DecodeJSON(text, codec.Options{})
		if err != nil {
			return fmt.Errorf("inputs: %d: %w", i, err)
		}
		s.Inputs = append(s.Inputs, v)
	}
	s.Skip = cmp.Or(s.Skip, from.Skip)
	return nil
}

// sameRule is the rule of a pattern for spellings that mean the same.
func sameRule(pattern, form string) (equality.Rule, error) {
	p, err := path.ParsePattern(pattern)
	if err != nil {
		return equality.Rule{}, err
	}
	rule := equality.Rule{Pattern: p}
	switch form {
	case "fold":
		rule.Form = equality.FoldCase
	case "json":
		rule.Form = equality.JSONText
	case "number":
		rule.Form = equality.NumberText
	case "bool":
		rule.Form = equality.BoolText
	case "space":
		rule.Form = equality.TrimSpace
	case "empty":
		rule.Empty = true
	default:
		return rule, fmt.Errorf("%s: expected fold, json, number, bool, space or empty, found %q", pattern, form)
	}
	_, err = equality.NewRules(rule)
	return rule, err
}

// FixedPlaces are those of the values that are fixed.
func (s Rules) FixedPlaces() (places []path.Pattern) {
	for name := range s.fix {
		places = append(places, path.Of(path.Key(name)).Pattern())
	}
	return places
}

// Fixed returns a bag with the values that are fixed.
func (s Rules) Fixed(bag value.Value) value.Value {
	for name, v := range s.fix {
		bag, _ = bag.WithField(name, v)
	}
	return bag
}

// Compared says what counts as a change: what patterns and the rules for arrays and texts say.
func (s Rules) Compared(replaces []path.Pattern, texts ...equality.Rule) provider.Differ {
	d := provider.Differ{ReplaceOn: path.NewSet(slices.Concat(replaces, s.Replaces)...)}
	for _, pattern := range s.Set {
		d.ArrayRules = append(d.ArrayRules, diff.ArrayRule{Pattern: pattern, Match: diff.Unordered()})
	}
	if texts = slices.Concat(texts, s.Same); len(texts) > 0 {
		d.Equality = equality.MustRules(texts...) // Add refuses what it would
	}
	return d
}
