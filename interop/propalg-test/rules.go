package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff/equality"
	"github.com/propalg/propalg/internal/gate"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// rulebook has what the user says of resources: for each pattern of tokens, in the order of
// the patterns, so that those of flags, for "*", come first.
type rulebook struct {
	patterns []string
	rules    map[string]*rules
}

// rules are what a schema does not say of a resource or a function.
type rules struct {
	set, writeOnly, replaces, quiet []path.Pattern
	same                            []equality.Rule
	fix                             map[string]value.Value
	inputs                          []value.Value
	skip                            string // why it is not tested; empty: it is
}

// rulesJSON is an entry of the file that --rules names.
type rulesJSON struct {
	Set       []string                   `json:"set"`
	WriteOnly []string                   `json:"writeOnly"`
	Replaces  []string                   `json:"replaces"`
	Quiet     []string                   `json:"quiet"`
	Same      map[string]string          `json:"same"`
	Fix       map[string]json.RawMessage `json:"fix"`
	Inputs    []json.RawMessage          `json:"inputs"`
	Skip      string                     `json:"skip"`
}

// at returns the rules of a pattern of tokens, to be added to.
func (b *rulebook) at(pattern string) *rules {
	if b.rules == nil {
		b.rules = map[string]*rules{}
	}
	if b.rules[pattern] == nil {
		b.rules[pattern] = &rules{fix: map[string]value.Value{}}
		b.patterns = append(b.patterns, pattern)
		slices.Sort(b.patterns)
	}
	return b.rules[pattern]
}

// of returns the rules of a token, of all patterns that it has.
func (b *rulebook) of(token string) rules {
	all := rules{fix: map[string]value.Value{}}
	for _, pattern := range b.patterns {
		if !gate.Matches(pattern, token) {
			continue
		}
		r := b.rules[pattern]
		all.set, all.writeOnly = append(all.set, r.set...), append(all.writeOnly, r.writeOnly...)
		all.replaces, all.quiet = append(all.replaces, r.replaces...), append(all.quiet, r.quiet...)
		all.same, all.inputs = append(all.same, r.same...), append(all.inputs, r.inputs...)
		maps.Copy(all.fix, r.fix)
		all.skip = cmpOr(all.skip, r.skip)
	}
	return all
}

// tokens are the tokens for which there are inputs, so that no schema is needed.
func (b *rulebook) tokens() (all []string) {
	for _, pattern := range b.patterns {
		if len(b.rules[pattern].inputs) > 0 && !strings.Contains(pattern, "*") {
			all = append(all, pattern)
		}
	}
	return all
}

// read adds the rules of a file: an object with rules for each token, which may have *.
func (b *rulebook) read(name string) error {
	var all map[string]rulesJSON
	if err := readJSON(name, &all); err != nil {
		return err
	}
	for _, token := range slices.Sorted(maps.Keys(all)) {
		if err := b.at(token).add(all[token]); err != nil {
			return fmt.Errorf("%s: %s: %w", name, token, err)
		}
	}
	return nil
}

// readInputs adds the inputs of a file: an object with a list of bags for each token.
func (b *rulebook) readInputs(name string) error {
	var all map[string][]json.RawMessage
	if err := readJSON(name, &all); err != nil {
		return err
	}
	for _, token := range slices.Sorted(maps.Keys(all)) {
		if err := b.at(token).add(rulesJSON{Inputs: all[token]}); err != nil {
			return fmt.Errorf("%s: %s: %w", name, token, err)
		}
	}
	return nil
}

func readJSON(name string, into any) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("%s: %w", name, errors.Unwrap(err))
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func (s *rules) add(from rulesJSON) error {
	for _, list := range []struct {
		to    *[]path.Pattern
		texts []string
	}{{&s.set, from.Set}, {&s.writeOnly, from.WriteOnly}, {&s.replaces, from.Replaces}, {&s.quiet, from.Quiet}} {
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
		s.same = append(s.same, rule)
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
		s.inputs = append(s.inputs, v)
	}
	s.skip = cmpOr(s.skip, from.Skip)
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
	return rule, nil
}

// fixedPlaces are those of the values that are fixed.
func (s rules) fixedPlaces() (places []path.Pattern) {
	for name := range s.fix {
		places = append(places, path.Of(path.Key(name)).Pattern())
	}
	return places
}

// fixed returns a bag with the values that are fixed.
func (s rules) fixed(bag value.Value) value.Value {
	for name, v := range s.fix {
		bag, _ = bag.WithField(name, v)
	}
	return bag
}
