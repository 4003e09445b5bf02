package main

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// resolve makes the resources that edits name those that the names stand for, and says
// which these are. A text that begins as a URN does is one.
func resolve(in *input.Source, e *state.Edits) (notes []string, err error) {
	known := map[string]bool{} // notes
	read := sync.OnceValues(func() (*index, error) { return indexOf(resourcesOf(in)) })
	find := func(name string) string {
		if err != nil || strings.HasPrefix(name, urn.Prefix) {
			return name
		}

		all, failed := read()
		if err = failed; err != nil {
			return name
		}
		base, place := positioned(name)
		if place != "" && (len(all.with[name]) > 0 || all.has(name)) {
			base, place = name, ""
		}
		found, one, failed := named(all.candidates(base), base)
		if err = failed; one != nil && place == "" && (one.Delete || all.number[one.URN] > 1) {
			found += "::" + one.ID
		}
		found += place
		if note := clipped(name) + " is " + found; !known[note] {
			known[note] = true
			notes = append(notes, note)
		}
		return found
	}
	for i, name := range e.Delete {
		e.Delete[i] = find(name)
	}
	for i := range e.Properties { // of one resource
		e.Properties[i].Resource = find(e.Properties[i].Resource)
	}

	for i := range e.Members {
		m := &e.Members[i]
		m.Resource = find(m.Resource)
		if to, _ := m.Value.AsString(); to != "" && (m.Name == "parent" || m.Name == "provider") {
			m.Value = value.String(find(to))
		}
		if m.Name == "provider" && err == nil {
			err = identify(m, read)
		}
	}

	retyped := map[string]string{}
	for of, typ := range e.Retype {
		retyped[find(of)] = typ
	}
	e.Retype = retyped

	renamed := map[string]string{}
	for from, to := range e.Rename {
		from = find(from)
		if err == nil {
			renamed[from], err = newName(from, to)
		}
	}

	e.Rename = renamed
	return notes, err
}

// identify adds the ID to the URN of a provider.
func identify(m *state.MemberEdit, read func() (*index, error)) error {
	all, err := read()
	if err != nil {
		return err
	}
	to, _ := m.Value.AsString()
	m.Value = value.String(all.provider(to))
	return nil
}

// positioned returns a name without the position after it, such as #2, and that.
func positioned(name string) (base, place string) {
	i := strings.LastIndexByte(name, '#')
	if i < 0 {
		return name, ""
	}
	if n, err := strconv.Atoi(name[i+1:]); err != nil || n < 1 {
		return name, ""
	}
	return name[:i], name[i:]
}

// numbersOf returns which resources have one of the names that edits use, by their numbers.
func numbersOf(in *input.Source, names ...string) map[int]string {
	all := map[int]string{}
	found, _ := state.Numbers(in.Reader(), names...) // Rewrite says more
	for name, numbers := range found {
		for _, n := range numbers {
			all[n] = name
		}
	}
	return all
}

// newName returns the new name of a resource, which is given alone or in a URN that
// differs in nothing else.
func newName(from, to string) (string, error) {
	if !strings.HasPrefix(to, urn.Prefix) {
		return to, nil
	}
	old, err := urn.Parse(from)
	if err != nil {
		return "", err
	}

	now, err := urn.Parse(to)
	if err != nil {
		return "", err
	}
	if strings.TrimSuffix(from, old.Name()) != strings.TrimSuffix(to, now.Name()) {
		return "", errors.New("the new URN differs in more than its name; --stack and --project rename those, and 'propalg state set --type' changes the type")
	}
	if now.Name() == "" {
		return "", usageError{"the name in the new URN is empty"}
	}
	return now.Name(), nil
}

// resourcesOf reads the resources of a stack.
func resourcesOf(in *input.Source) iter.Seq2[state.Resource, error] {
	return state.NewReader(in.Reader(), state.Options{Codec: codec.Options{RoundNumbers: true}}).Resources()
}

// index is for looking many names up: it has the resources of a stack, without their
// properties, and where those with a name or an ID are.
type index struct {
	all    []*state.Resource
	with   map[string][]*state.Resource
	number map[string]int // of resources with a URN
}

func indexOf(resources iter.Seq2[state.Resource, error]) (*index, error) {
	x := &index{with: map[string][]*state.Resource{}, number: map[string]int{}}
	for r, err := range resources {
		if err != nil {
			return nil, err
		}
		name, row := resourceRow(&r).Name, &state.Resource{URN: r.URN, ID: r.ID, Delete: r.Delete}
		x.number[r.URN]++
		x.all = append(x.all, row)
		x.with[name] = append(x.with[name], row)
		if r.ID != name {
			x.with[r.ID] = append(x.with[r.ID], row)
		}
	}

	return x, nil
}

// has reports whether a URN has the text in it.
func (x *index) has(text string) bool {
	return slices.ContainsFunc(x.all, func(r *state.Resource) bool { return strings.Contains(r.URN, text) })
}

// provider returns the reference to the provider with a URN, if there is one.
func (x *index) provider(urn string) string {
	for _, r := range x.all {
		if r.URN == urn && r.ID != "" && !r.Delete {
			return urn + "::" + r.ID
		}
	}
	return urn
}

// candidates returns the resources with a text as name or ID or, if there are none, all:
// they may contain it.
func (x *index) candidates(text string) []*state.Resource {
	if found, isKnown := x.with[text]; isKnown {
		return found
	}
	return x.all
}

// named returns the URN of the resource that a text names, and the resource itself if its ID
// is the text.
func named(all []*state.Resource, text string) (urn string, one *state.Resource, err error) {
	c := candidatesFor(all, text)
	if n := len(c.identified); n > 0 && len(c.named) == 0 && (n == 1 || (c.identified[0].Delete && c.identified[0].URN == c.identified[n-1].URN)) {
		return c.identified[0].URN, c.identified[0], nil
	}
	for _, r := range c.identified {
		c.named = append(c.named, r.URN)
	}

	for _, list := range [][]string{c.named, c.containing} {
		urns := distinct(list)
		switch {
		case len(urns) == 1:
			return urns[0], nil, nil
		case len(urns) > 1:
			return "", nil, ambiguous(text, urns)
		}
	}

	return "", nil, absentError{fmt.Sprintf("no resource has %q in its URN; 'propalg state ls' lists them", clipped(text))}
}

// absentError is the error for a name that no resource has.
type absentError struct{ text string }

func (e absentError) Error() string { return e.text }

// candidates are the resources that a text may name.
type candidates struct {
	named      []string          // URNs of resources with this name
	identified []*state.Resource // others with this ID
	containing []string          // URNs of others that contain the text
}

// distinct returns the texts of a list, each once.
func distinct(list []string) []string {
	has := map[string]bool{}
	return slices.DeleteFunc(list, func(text string) bool {
		isRepeated := has[text]
		has[text] = true
		return isRepeated
	})
}

func candidatesFor(all []*state.Resource, text string) (c candidates) {
	for _, r := range all {
		switch {
		case text != "" && resourceRow(r).Name == text:
			c.named = append(c.named, r.URN)
		case text != "" && (r.ID == text || r.URN+"::"+r.ID == text):
			c.identified = append(c.identified, r)
		case strings.Contains(r.URN, text):
			c.containing = append(c.containing, r.URN)
		}
	}

	return c
}

func ambiguous(text string, urns []string) error {
	const most = 3
	list := strings.Join(urns[:min(len(urns), most)], ", ")
	if len(urns) > most {
		list += ", …"
	}
	return fmt.Errorf("%d resources have %q in name, ID or URN, say more of it: %s", len(urns), clipped(text), list)
}
