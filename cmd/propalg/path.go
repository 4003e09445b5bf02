package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// refused is what path and urn commands write for an argument that does not parse.
type refused struct {
	Text   *string `json:"text,omitempty"` // one of these is the argument
	Path   *string `json:"path,omitempty"`
	URN    *string `json:"urn,omitempty"`
	Error  string  `json:"error"`
	Offset int     `json:"offset"`
}

// refuse reports an argument that does not parse: as JSON among the others, as text on
// standard error.
func (inv *invocation) refuse(err error, row refused) error {
	if !inv.isJSON() {
		inv.say("%w", err)
		return nil
	}

	row.Error, row.Offset = plain(err), offsetIn(err)
	return printable.WriteJSON(inv.out, row)
}

// each parses each of some arguments, and shows those that parse.
func each[T any](inv *invocation, args []string, parse func(string) (T, error), row func(string) refused, show func(string, T) error) (int, error) {
	code := exitSame
	for _, text := range args {
		parsed, err := parse(text)
		if err == nil {
			err = show(text, parsed)
		} else {
			code = exitBad
			err = inv.refuse(err, row(text))
		}

		if err != nil {
			return 0, err
		}
	}
	return code, nil
}

// offsetIn returns the offset of an error in a path or a URN.
func offsetIn(err error) int {
	if e := (*path.Error)(nil); errors.As(err, &e) {
		return e.Offset
	}
	if e := (*urn.Error)(nil); errors.As(err, &e) {
		return e.Offset
	}

	return 0
}

// patternParser returns the parser of the dialect that a flag names.
func (c *choice) patternParser() func(string) (path.Pattern, error) {
	if c.value == "pulumi" {
		return parsePattern
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

type stepJSON struct {
	Key      *string `json:"key,omitempty"`
	Index    *int    `json:"index,omitempty"`
	Any      bool    `json:"any,omitempty"`
	AnyDepth bool    `json:"anyDepth,omitempty"`
}

type pathJSON struct {
	Text      string     `json:"text"`
	Steps     []stepJSON `json:"steps"`
	Canonical string     `json:"canonical"`
	Pulumi    *string    `json:"pulumi"`
}

func runPathParse(inv *invocation) (int, error) {
	inv.output("text", "json")
	dialect := inv.dialect("canonical", "pulumi")
	if err := inv.parse(1, -1); err != nil {
		return 0, err
	}

	return each(inv, inv.args, dialect.patternParser(), func(text string) refused { return refused{Text: &text} }, inv.showPath)
}

func (inv *invocation) showPath(text string, p path.Pattern) error {
	row := pathJSON{Text: text, Steps: []stepJSON{}, Canonical: p.String()}
	if pulumi, err := p.Pulumi(); err == nil {
		row.Pulumi = &pulumi
	}
	for each := range p.Steps() {
		row.Steps = append(row.Steps, stepRow(each))
	}

	return inv.show(row, row.line)
}

func (row pathJSON) line() string {
	line := []byte(printable.Text(row.Canonical))
	for _, s := range row.Steps {
		switch {
		case s.AnyDepth:
			line = append(line, "  any depth"...)
		case s.Any:
			line = append(line, "  any"...)
		case s.Index != nil:
			line = fmt.Appendf(line, "  index %d", *s.Index)
		default:
			line = append(append(line, "  key "...), value.String(*s.Key).String()...)
		}
	}
	return string(line)
}

func stepRow(s path.Step) stepJSON {
	if s.IsWildcard() || s.IsAnyDepth() {
		return stepJSON{Any: s.IsWildcard(), AnyDepth: s.IsAnyDepth()}
	}
	if i, ok := s.AsIndex(); ok {
		return stepJSON{Index: &i}
	}

	k, _ := s.AsKey()
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
	inv.output("text", "json")
	dialect := inv.dialect("pulumi", "canonical")
	inv.flags.BoolVar(&inv.reveal, "show-secrets", false, "show secrets in clear")
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
		for c := range f.Bag.Find(path.NewSet(p)) {
			n++
			if err := inv.showPlace(p, texts[i], c.Shown(), c.Value()); err != nil {
				return 0, fmt.Errorf("%s: %w", f.Name, err)
			}
		}
		if n > 0 {
			continue
		}
		code = exitDifferent
		if !inv.isJSON() {
			inv.say("%s: nothing is at %v", f.Name, p)
		} else if err := printable.WriteJSON(inv.out, placeJSON{Path: texts[i]}); err != nil {
			return 0, err
		}
	}

	inv.noteRounded(f.Name, &f.Report)
	return code, nil
}

func (inv *invocation) showPlace(p path.Pattern, text string, at path.Shown, v value.Value) error {
	var data []byte
	if inv.isJSON() || inv.reveal { // not for text, which can show infinities
		var err error
		if data, err = dataOf(v, inv.reveal); err != nil {
			return fmt.Errorf("%v: %w", at, err)
		}
	}

	where := at.String()
	if inv.reveal {
		where = at.RevealPath().String()
	}
	if inv.isJSON() {
		return printable.WriteJSON(inv.out, placeJSON{Path: text, At: &where, Found: true, Value: data})
	}

	shown := v.String()
	if inv.reveal {
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
	inv.output("text", "json")
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
	related := exitSame
	code, err := each(inv, inv.args[cut:], parse, func(text string) refused { return refused{Path: &text} }, func(text string, p path.Path) error {
		row, said := relate(list, text, p)
		if row.Relation != "matches" && row.Relation != "below" {
			related = exitDifferent
		}
		return inv.show(row, func() string { return printable.Text(text) + ": " + said })
	})
	return max(code, related), err
}

// relate returns the closest relation of a path to any of the patterns, with the first
// pattern with that relation, and what to say of it.
func relate(list []path.Pattern, text string, p path.Path) (row relationJSON, said string) {
	for _, r := range []struct {
		name, said string
		is         func(path.Pattern) bool
	}{
		{"matches", "matches ", func(x path.Pattern) bool { return x.Matches(p) }},
		{"below", "is below a match of ", func(x path.Pattern) bool { return x.Covers(p) }},
		{"above", "is above possible matches of ", func(x path.Pattern) bool { return x.Touches(p) }},
	} {
		if i := slices.IndexFunc(list, r.is); i >= 0 {
			pattern := list[i].String()
			return relationJSON{text, r.name, &pattern}, r.said + printable.Text(pattern)
		}
	}

	return relationJSON{Path: text, Relation: "none"}, "no pattern applies to it"
}
