package main

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/urn"
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
		found, deleted, failed := named(all.candidates(name), name)
		if err = failed; deleted != nil {
			found = deleted.URN + "::" + deleted.ID
		}
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
		return "", errors.New("the new URN differs in more than its name; --stack and --project rename those, and the type of a resource cannot be changed")
	}
	if now.Name() == "" {
		return "", usageError{"the name in the new URN is empty"}
	}
	return now.Name(), nil
}

// resourcesOf reads the resources of a stack.
func resourcesOf(in *input.Source) iter.Seq2[state.Resource, error] {
	return state.NewReader(io.NewSectionReader(in.Stack, 0, in.Size), state.Options{Codec: codec.Options{RoundNumbers: true}}).Resources()
}

// index is for looking many names up: it has the resources of a stack, without their
// properties, and where those with a name or an ID are.
type index struct {
	all  []*state.Resource
	with map[string][]*state.Resource
}

func indexOf(resources iter.Seq2[state.Resource, error]) (*index, error) {
	x := &index{with: map[string][]*state.Resource{}}
	for r, err := range resources {
		if err != nil {
			return nil, err
		}
		name, row := resourceRow(&r).Name, &state.Resource{URN: r.URN, ID: r.ID, Delete: r.Delete}
		x.all = append(x.all, row)
		x.with[name] = append(x.with[name], row)
		if r.ID != name {
			x.with[r.ID] = append(x.with[r.ID], row)
		}
	}

	return x, nil
}

// candidates returns the resources with a text as name or ID or, if there are none, all:
// they may contain it.
func (x *index) candidates(text string) iter.Seq2[state.Resource, error] {
	found, isKnown := x.with[text]
	if !isKnown {
		found = x.all
	}

	return func(yield func(state.Resource, error) bool) {
		for _, r := range found {
			if !yield(*r, nil) {
				return
			}
		}
	}
}

// refusal returns an error of Rewrite with what to do about it.
func refusal(in *input.Source, e *state.Edits, err error) error {
	at := (*state.Error)(nil)
	if len(e.Delete) == 0 || !errors.As(err, &at) || !errors.Is(err, state.ErrEdit) {
		return err
	}
	if at.Field == "protect" {
		return fmt.Errorf("%w; --protected removes it all the same", err)
	}
	if text := dependents(in, e.Delete); text != "" {
		return errors.New(text)
	}

	return err
}

// dependents says which resources refer to the first that cannot be deleted because of
// that; it is empty if none does.
func dependents(in *input.Source, names []string) string {
	isName := map[string]bool{}
	for _, name := range names {
		isName[name] = true
	}

	gone, stays := map[string]string{}, map[string]bool{} // references to what is deleted, and its name
	for r, err := range resourcesOf(in) {
		if err != nil {
			return ""
		}
		name := r.URN
		if !isName[name] {
			name += "::" + r.ID
		}
		if isName[name] {
			gone[r.URN], gone[r.URN+"::"+r.ID] = name, name
		} else {
			stays[r.URN] = true
		}
	}

	referring := map[string][]string{} // by the name of what is deleted
	for r, err := range resourcesOf(in) {
		if err != nil {
			return ""
		}
		if gone[r.URN+"::"+r.ID] != "" {
			continue
		}
		for name, fields := range references(&r, func(ref string) string {
			if stays[ref] {
				return ""
			}
			return gone[ref]
		}) {
			referring[name] = append(referring[name], printable.Text(r.URN)+" ("+strings.Join(fields, ", ")+")")
		}
	}

	const most = 10
	for _, name := range names {
		list := referring[name]
		if len(list) == 0 {
			continue
		}
		more := ""
		if n := len(list) - most; n > 0 {
			more = fmt.Sprintf(" and %d more", n)
		}
		verb := "refer"
		if len(list) == 1 {
			verb = "refers"
		}
		return fmt.Sprintf("cannot remove %s: %s %s to it: %s%s; remove those too",
			printable.Text(name), counted(len(list), "resource"), verb, strings.Join(list[:min(len(list), most)], ", "), more)
	}

	return ""
}

// references returns the members with which a resource refers to deleted ones, by their
// names. deleted returns the name of what a reference is to.
func references(r *state.Resource, deleted func(string) string) map[string][]string {
	found := map[string][]string{}
	add := func(field string, refs ...string) {
		for _, ref := range refs {
			if name := deleted(ref); name != "" && !slices.Contains(found[name], field) {
				found[name] = append(found[name], field)
			}
		}
	}
	add("parent", r.Parent)
	add("provider", r.Provider)
	add("dependencies", r.Dependencies...)

	for _, refs := range r.PropertyDependencies {
		add("propertyDependencies", refs...)
	}
	add("deletedWith", r.DeletedWith)
	add("replaceWith", r.ReplaceWith...)
	return found
}
