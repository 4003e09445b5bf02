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

// refused is what path and urn commands write for an argument that does not parse.
type refused struct {
	Error  string `json:"error"`
	Offset int    `json:"offset"`
}

// refuse reports an argument that does not parse: as JSON among the others, as text on
// standard error.
func (inv *invocation) refuse(form *choice, err error, row any) {
	if form.value == "json" {
		_ = printable.WriteJSON(inv.out, row) // the flush at the end reports the error
		return
	}
	inv.say("%w", err)
}

// patternParser returns the parser of the dialect that a flag names.
func (c *choice) patternParser() func(string) (path.Pattern, error) {
	if c.value == "pulumi" {
		return path.ParsePulumiPattern
	}
	return path.ParsePattern
}

// patternsOf parses patterns in a dialect.
func patternsOf(texts []string, dialect *choice) ([]path.Pattern, error) {
	all := make([]path.Pattern, 0, len(texts))
	for _, text := range texts {
		p, err := dialect.patternParser()(text)
		if err != nil {
			return nil, err
		}

		all = append(all, p)
	}
	return all, nil
}

// pathOffset returns the offset in a path of an error.
func pathOffset(err error) int {
	if e := (*path.Error)(nil); errors.As(err, &e) {
		return e.Offset
	}
	return 0
}

type stepJSON struct {
	Key   *string `json:"key,omitempty"`
	Index *int    `json:"index,omitempty"`
	Any   bool    `json:"any,omitempty"`
}

type pathJSON struct {
	Text      string     `json:"text"`
	Steps     []stepJSON `json:"steps"`
	Canonical string     `json:"canonical"`
	Pulumi    *string    `json:"pulumi"`
}

func runPathParse(inv *invocation) (int, error) {
	form := inv.output("text", "json")
	dialect := inv.dialect("canonical", "pulumi")
	if err := inv.parse(1, -1); err != nil {
		return 0, err
	}

	code := exitSame
	for _, text := range inv.args {
		p, err := dialect.patternParser()(text)
		if err != nil {
			code = exitBad
			inv.refuse(form, err, struct {
				Text string `json:"text"`
				refused
			}{text, refused{plain(err), pathOffset(err)}})
			continue
		}

		if err := inv.showPath(form, text, p); err != nil {
			return 0, err
		}
	}
	return code, nil
}

func (inv *invocation) showPath(form *choice, text string, p path.Pattern) error {
	row := pathJSON{Text: text, Steps: []stepJSON{}, Canonical: p.String()}
	if pulumi, err := p.Pulumi(); err == nil {
		row.Pulumi = &pulumi
	}
	for each := range p.Steps() {
		row.Steps = append(row.Steps, stepRow(each))
	}

	if form.value == "json" {
		return printable.WriteJSON(inv.out, row)
	}

	line := []byte(printable.Text(row.Canonical))
	for _, s := range row.Steps {
		switch {
		case s.Any:
			line = append(line, "  any"...)
		case s.Index != nil:
			line = fmt.Appendf(line, "  index %d", *s.Index)
		default:
			line = append(append(line, "  key "...), value.String(*s.Key).String()...)
		}
	}
	_, err := inv.out.Write(append(line, '\n'))
	return err
}

func stepRow(s path.Step) stepJSON {
	if s.IsWildcard() {
		return stepJSON{Any: true}
	}
	if i, ok := s.Index(); ok {
		return stepJSON{Index: &i}
	}

	k, _ := s.Key()
	return stepJSON{Key: &k}
}

// placeJSON is a place in a bag, and its value.
type placeJSON struct {
	Path  string          `json:"path"` // as the user gave it
	At    *string         `json:"at,omitempty"`
	Found bool            `json:"found"`
	Value json.RawMessage `json:"value,omitempty"`
}

func runPathGet(inv *invocation) (int, error) {
	form := inv.output("text", "json")
	dialect := inv.dialect("pulumi", "canonical")
	reveal := inv.flags.Bool("show-secrets", false, "show secrets in clear")
	if err := inv.parse(2, -1); err != nil {
		return 0, err
	}
	texts := inv.args[1:]
	wanted, err := patternsOf(texts, dialect)
	if err != nil {
		return 0, err
	}

	f, err := inv.bag(inv.args[0])
	if err != nil {
		return 0, err
	}

	code := exitSame
	for i, p := range wanted {
		n := 0
		for at, v := range placesOf(f.Bag, p) {
			n++
			if err := inv.showPlace(form, p, texts[i], at, v, *reveal); err != nil {
				return 0, fmt.Errorf("%s: %w", f.Name, err)
			}
		}
		if n > 0 {
			continue
		}
		code = exitDifferent
		if form.value != "json" {
			inv.say("%s: nothing is at %v", f.Name, p)
		} else if err := printable.WriteJSON(inv.out, placeJSON{Path: texts[i]}); err != nil {
			return 0, err
		}
	}

	inv.noteRounded(f.Name, &f.Report)
	return code, nil
}

// placesOf yields the places that a pattern matches. It skips what the pattern cannot
// match.
func placesOf(v value.Value, p path.Pattern) func(yield func(path.Shown, value.Value) bool) {
	return func(yield func(path.Shown, value.Value) bool) {
		for c := range v.Walk() {
			at := c.Path()
			switch {
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
	if form.value == "json" || reveal { // not for text, which can show infinities
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
	return printable.WriteData(inv.out, []byte(shown))
}

// relationJSON is the relation between a path and patterns.
type relationJSON struct {
	Path     string  `json:"path"`
	Relation string  `json:"relation"` // "matches", "below", "above" or "none"
	Pattern  *string `json:"pattern"`  // the first with that relation
}

func runPathMatch(inv *invocation) (int, error) {
	form := inv.output("text", "json")
	dialect := inv.dialect("pulumi", "canonical")
	after := -1 // the number of arguments after "--"
	if dashes := slices.Index(inv.raw, "--"); dashes >= 0 {
		after = len(inv.raw) - dashes - 1
	}
	if err := inv.parse(2, -1); err != nil {
		return 0, err
	}

	cut := 1
	if after >= 0 {
		cut = len(inv.args) - after
	}
	if cut < 1 || cut == len(inv.args) {
		return 0, usageError{"expected patterns, then --, then paths"}
	}
	list, err := patternsOf(inv.args[:cut], dialect)
	if err != nil {
		return 0, err
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
			}{text, refused{plain(err), pathOffset(err)}})
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

// relate returns the closest relation of a path to any of the patterns, and the first
// pattern with that relation.
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
	said := "no pattern applies to it"
	if i >= 0 {
		name := list[i].String()
		row.Pattern = &name
		said = map[string]string{
			"matches": "matches ", "below": "is below a match of ", "above": "is above possible matches of ",
		}[relation] + printable.Text(name)
	}

	if form.value == "json" {
		return printable.WriteJSON(inv.out, row)
	}
	_, err := fmt.Fprintf(inv.out, "%s: %s\n", printable.Text(text), said)
	return err
}
