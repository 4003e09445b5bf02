package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// patternParser is the parser of the dialect that a flag chose.
func (c *choice) patternParser() func(string) (path.Pattern, error) {
	if c.value == "pulumi" {
		return path.ParsePulumiPattern
	}
	return path.ParsePattern
}

// placeJSON is a place in a bag, and what is there.
type placeJSON struct {
	Path  string          `json:"path"` // as it was asked for
	At    *string         `json:"at,omitempty"`
	Found bool            `json:"found"`
	Value json.RawMessage `json:"value,omitempty"`
}

// runPathGet shows what is at places of a bag.
func runPathGet(inv *invocation) (int, error) {
	form := inv.output("text", "json")
	dialect := newChoice("pulumi", "canonical")
	inv.flags.Var(dialect, "dialect", "`name` of the grammar: pulumi or canonical")
	reveal := inv.flags.Bool("show-secrets", false, "show secrets in clear")
	if err := inv.parse(2, -1); err != nil {
		return 0, err
	}
	var asked []path.Pattern
	for _, text := range inv.args[1:] {
		p, err := dialect.patternParser()(text)
		if err != nil {
			return 0, err
		}
		asked = append(asked, p)
	}
	texts := inv.args[1:]
	inv.args = inv.args[:1]
	sides, err := inv.bags()
	if err != nil {
		return 0, err
	}
	code := exitSame
	for i, p := range asked {
		n := 0
		for at, v := range placesOf(sides[0].Bag, p) {
			n++
			if err := inv.showPlace(form, p, texts[i], at, v, *reveal); err != nil {
				return 0, fmt.Errorf("%s: %w", sides[0].Name, err)
			}
		}
		if n > 0 {
			continue
		}
		code = exitDifferent
		if form.value == "json" {
			err = printable.WriteJSON(inv.out, placeJSON{Path: texts[i]})
		} else {
			inv.say("%s: nothing is at %v", sides[0].Name, p)
		}
		if err != nil {
			return 0, err
		}
	}
	inv.noteRounded(sides[0].Name, &sides[0].Report)
	return code, nil
}

// placesOf yields the places that a pattern matches; it goes only where the
// pattern goes.
func placesOf(v value.Value, p path.Pattern) func(yield func(path.Shown, value.Value) bool) {
	return func(yield func(path.Shown, value.Value) bool) {
		for c := range v.Walk() {
			switch at := c.Path(); {
			case p.Matches(at):
				c.SkipBelow()
				if !yield(c.Shown(), c.Value()) {
					return
				}
			case !p.Touches(at):
				c.SkipBelow()
			}
		}
	}
}

func (inv *invocation) showPlace(form *choice, p path.Pattern, text string, at path.Shown, v value.Value, reveal bool) error {
	var data []byte
	if form.value == "json" || reveal { // of which a number that rounds to an infinity is none
		var err error
		if data, err = dataOf(v, reveal); err != nil {
			return fmt.Errorf("%v: %w", at, err)
		}
	}
	where := at.String()
	if reveal {
		where = at.RevealPath().String()
	}
	if form.value == "json" {
		return printable.WriteJSON(inv.out, placeJSON{Path: text, At: &where, Found: true, Value: data})
	}
	shown := v.String()
	if reveal {
		shown = string(data)
	}
	if _, isPath := p.Path(); !isPath {
		shown = printable.Text(where) + ": " + shown
	}
	return printable.WriteData(inv.out, []byte(shown)) // as JSON, or printable anyway
}

// relation is how a path and a pattern stand to each other, as scripts read it.
type relationJSON struct {
	Path     string  `json:"path"`
	Relation string  `json:"relation"` // "matches", "below", "above" or "none"
	Pattern  *string `json:"pattern"`  // the first that stands so to it
}

// runPathMatch says which paths patterns match.
func runPathMatch(inv *invocation) (int, error) {
	form := inv.output("text", "json")
	dialect := newChoice("pulumi", "canonical")
	inv.flags.Var(dialect, "dialect", "`name` of the grammar: pulumi or canonical")
	least := 1
	if cut := slices.Index(inv.raw, "--"); cut >= 0 {
		least = len(inv.raw) - cut - 1 // so many are paths
	}
	if err := inv.parse(2, -1); err != nil {
		return 0, err
	}
	cut := 1
	if slices.Contains(inv.raw, "--") {
		cut = len(inv.args) - least
	}
	if cut < 1 || cut == len(inv.args) {
		return 0, usageError{"wants patterns, then --, then paths"}
	}
	var list []path.Pattern
	for _, text := range inv.args[:cut] {
		p, err := dialect.patternParser()(text)
		if err != nil {
			return 0, err
		}
		list = append(list, p)
	}
	parse := path.Parse
	if dialect.value == "pulumi" {
		parse = path.ParsePulumi
	}
	code := exitSame
	for _, text := range inv.args[cut:] {
		p, err := parse(text)
		if err != nil {
			code = exitBad
			inv.refuse(form, err, struct {
				Path string `json:"path"`
				refused
			}{text, refused{err.Error(), pathOffset(err)}})
			continue
		}
		relation, i := relate(list, p)
		if relation != "matches" && relation != "below" {
			code = max(code, exitDifferent)
		}
		if err := inv.showRelation(form, text, relation, list, i); err != nil {
			return 0, err
		}
	}
	return code, nil
}

// relate is the closest relation of a path to any of the patterns, and the first
// pattern that is so related.
func relate(list []path.Pattern, p path.Path) (relation string, i int) {
	for _, r := range []struct {
		name string
		is   func(path.Pattern) bool
	}{
		{"matches", func(x path.Pattern) bool { return x.Matches(p) }},
		{"below", func(x path.Pattern) bool { return x.Covers(p) }},
		{"above", func(x path.Pattern) bool { return x.Touches(p) }},
	} {
		if i := slices.IndexFunc(list, r.is); i >= 0 {
			return r.name, i
		}
	}
	return "none", -1
}

func (inv *invocation) showRelation(form *choice, text, relation string, list []path.Pattern, i int) error {
	row := relationJSON{Path: text, Relation: relation}
	said := "no pattern is about it"
	if i >= 0 {
		name := list[i].String()
		row.Pattern = &name
		said = map[string]string{
			"matches": "matches ", "below": "is below what matches ", "above": "is above what may match ",
		}[relation] + printable.Text(name)
	}
	if form.value == "json" {
		return printable.WriteJSON(inv.out, row)
	}
	_, err := fmt.Fprintf(inv.out, "%s: %s\n", printable.Text(text), said)
	return err
}

// pathOffset is where a path does not parse.
func pathOffset(err error) int {
	if e := (*path.Error)(nil); errors.As(err, &e) {
		return e.Offset
	}
	return 0
}
