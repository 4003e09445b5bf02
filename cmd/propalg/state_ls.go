package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

type resourceJSON struct {
	File     string     `json:"file,omitempty"` // if there are several
	URN      string     `json:"urn"`
	Type     string     `json:"type"`
	Name     string     `json:"name"`
	ID       string     `json:"id,omitempty"`
	Custom   bool       `json:"custom"`
	Delete   bool       `json:"delete,omitempty"`
	External bool       `json:"external,omitempty"`
	Protect  bool       `json:"protect,omitempty"`
	Taint    bool       `json:"taint,omitempty"`
	Pending  bool       `json:"pendingReplacement,omitempty"`
	Retain   bool       `json:"retainOnDelete,omitempty"`
	Parent   string     `json:"parent,omitempty"`
	Provider string     `json:"provider,omitempty"`
	Holds    []heldJSON `json:"holds,omitempty"` // with --holds
	More     int        `json:"more,omitempty"`  // places that are not listed
}

// heldJSON is a place where a resource has the value that --holds names.
type heldJSON struct {
	Bag string `json:"bag"` // "inputs" or "outputs"; "id" is the ID
	At  string `json:"at"`
}

func runStateLs(inv *invocation) (int, error) {
	inv.output("text", "json")
	l := lister{invocation: inv, search: searcher{left: path.MaxListed}}
	inv.flags.Func("holds", "list only resources whose ID or a property contains this `text`, or with that number, and where; secrets are not searched; all of several have to be there", l.search.add)
	l.filter.addTo(inv, "list")
	inv.flags.BoolVar(&l.isTree, "tree", false, "list resources below their parents, with the ancestors of what is listed")
	if err := inv.parse(1, -1); err != nil {
		return 0, err
	}
	if l.isTree && inv.isJSON() {
		return 0, usageError{"--tree is for text; JSON names the parent of each resource"}
	}
	var err error
	if l.files, err = inv.stackFiles(); err != nil {
		return 0, err
	}

	code := max(l.files.each(inv, l.list), l.code)
	switch {
	case l.listed > 0 || code != exitSame:
		return code, nil
	case l.search.texts != nil:
		inv.say("%sno resource holds the text outside secrets", l.only) // which may be a secret
		return exitDifferent, nil
	case l.filter.isSet():
		inv.say("%sno resource is what the flags say", l.only)
		return exitDifferent, nil
	}
	return code, nil
}

// lister lists the resources of stacks.
type lister struct {
	*invocation
	files  stackFiles
	filter resourceFilter
	search searcher
	isTree bool
	listed int
	code   int
	only   string // what messages begin with if there is one file
}

// list lists the resources of one stack. A resource that cannot be read is named, and the
// others are listed too.
func (l *lister) list(in *input.Source) error {
	if !l.files.isMany {
		l.only = in.Name + ": "
	}
	l.filter.versions, l.filter.unknown = map[string]string{}, 0
	var tree resourceTree
	all, _ := in.Resources(l.needs)
	for r, err := range all {
		if err != nil {
			l.code = exitBad
			l.say("%s: %w", in.Name, in.Place(err))
			continue
		}

		row := resourceRow(&r)
		row.File = l.files.file(in)
		isListed := l.filter.matches(&r, row.Name) && l.search.resource(&r, &row)
		if isListed {
			l.listed++
		}
		switch {
		case l.isTree:
			tree.add(&row, isListed)
		case isListed:
			if err := l.show(&row, func() string { return l.files.named(in, row.text()) }); err != nil {
				return err
			}
		}
	}

	l.filter.sayUnknown(l.invocation, in, "listed")
	for line := range tree.lines() {
		if _, err := io.WriteString(l.out, l.files.named(in, line)+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// needs reports whether the properties of a resource, of which nothing is known at first, are
// looked at.
func (l *lister) needs(r *state.Resource, text string) bool {
	if r != nil {
		return l.filter.needs(r)
	}
	return l.search.texts != nil && l.search.mayHold(text)
}

// searcher finds the resources that have all of some texts.
type searcher struct {
	texts []string
	found []bool // those that the resource has
	left  int    // bytes of paths that may still be listed
}

func (s *searcher) add(text string) error {
	if text == "" {
		return errors.New("the text is empty: each resource holds it")
	}
	s.texts, s.found = append(s.texts, text), append(s.found, false)
	return nil
}

// resource adds the places in a resource to its row, and reports whether it has all texts.
func (s *searcher) resource(r *state.Resource, row *resourceJSON) bool {
	clear(s.found)
	before := s.left
	if s.isHit(func(text string) bool { return strings.Contains(r.ID, text) }) {
		row.Holds = append(row.Holds, heldJSON{Bag: "id"})
	}
	s.bag("inputs", r.Inputs, row)
	s.bag("outputs", r.SecretOutputs(), row)
	hasAll := !slices.Contains(s.found, false)
	if !hasAll {
		s.left = before
	}
	return hasAll
}

// mayHold reports whether a resource may have all texts. It looks for each as encoders write it;
// one that they escape, a number, and where there are unusual escapes, cannot be told from the
// text.
func (s *searcher) mayHold(text string) bool {
	isUnusual := strings.Contains(text, `\u`) || strings.Contains(text, `\/`)
	return !slices.ContainsFunc(s.texts, func(each string) bool {
		_, err := strconv.ParseFloat(each, 64)
		isPlain := err != nil && !strings.ContainsFunc(each, func(c rune) bool { return c < ' ' || c == '"' || c == '\\' })
		return isPlain && !isUnusual && !strings.Contains(text, each)
	})
}

// isHit reports whether there is one of the texts at a place, and notes which.
func (s *searcher) isHit(has func(text string) bool) (isHit bool) {
	for i, text := range s.texts {
		if has(text) {
			s.found[i], isHit = true, true
		}
	}
	return isHit
}

// bag adds the places in a bag where a string contains one of the texts, or a number is it.
// It skips secrets, since a place would reveal what one contains.
func (s *searcher) bag(name string, v value.Value, row *resourceJSON) {
	for at := range v.Walk() {
		part := at.Value()
		if part.IsSecret() {
			at.SkipBelow()
			continue
		}

		text, isText := part.AsString()
		number := ""
		if part.Kind() == value.KindNumber {
			number = part.DropDependencies().String()
		}

		switch {
		case !isText && number == "":
		case !s.isHit(func(each string) bool { return (isText && strings.Contains(text, each)) || number == each }):
		case s.left <= 0:
			row.More++
		default:
			place := at.Shown().String()
			s.left -= len(place)
			row.Holds = append(row.Holds, heldJSON{name, place})
		}
	}
}

func resourceRow(r *state.Resource) resourceJSON {
	row := resourceJSON{
		URN: r.URN, Type: r.Type, ID: r.ID, Custom: r.Custom, Delete: r.Delete,
		External: r.External, Protect: r.Protect, Taint: r.Taint, Pending: r.PendingReplacement, Retain: r.RetainOnDelete,
		Parent: r.Parent, Provider: r.Provider,
	}
	if u, err := urn.Parse(r.URN); err == nil {
		row.Name = u.Name()
	}
	return row
}

// text returns type, name, ID and what is unusual on one line, and the places that were
// found on lines of their own.
func (r *resourceJSON) text() string {
	line := strings.TrimPrefix(printable.Text(r.Type)+" "+value.String(r.Name).String(), " ")
	if r.ID != "" {
		line += "  id " + value.String(r.ID).String()
	}

	for _, f := range []struct {
		on   bool
		name string
	}{
		{!r.Custom, "component"},
		{r.Protect, "protected"},
		{r.External, "external"},
		{r.Delete, "pending deletion"},
		{r.Pending, "pending replacement"},
		{r.Taint, "to be replaced"},
		{r.Retain, "retained on deletion"},
	} {
		if f.on {
			line += "  (" + f.name + ")"
		}
	}

	lines := []string{line}
	for _, h := range r.Holds {
		line := h.Bag + ": " + printable.Text(h.At)
		lines = append(lines, strings.TrimSuffix(line, ": "))
	}
	if r.More > 0 {
		lines = append(lines, fmt.Sprintf("and at %d more places", r.More))
	}
	return strings.Join(lines, "\n    ")
}
