package main

import (
	"fmt"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
)

// alike are the resources of a stack that a text may name, in the order of the file, of which
// no properties are read.
type alike []state.Entry

// resources returns what is known of the resources.
func (a alike) resources() (all []*state.Resource) {
	for _, e := range a {
		all = append(all, &state.Resource{URN: e.URN, ID: e.ID, Delete: e.Delete, Number: e.Number})
	}
	return all
}

// called returns the resources that have a name as edits have it: a URN, or that and ID, or
// else the one at a position among those with a URN.
func (a alike) called(name string) (found alike) {
	base, place := positioned(name)
	var same alike
	for _, e := range a {
		if e.URN == name || e.URN+"::"+e.ID == name {
			found = append(found, e)
		}
		if e.URN == base {
			same = append(same, e)
		}
	}

	var n int
	if _, err := fmt.Sscanf(place, "#%d", &n); found == nil && err == nil && n <= len(same) {
		return same[n-1 : n]
	}
	return found
}

// pick returns the resource that a text names, and what there is to say about others with its
// URN. The text is as edits have it, or a name or ID, or else a part of a URN; a position may
// follow. Of several with one URN it is the live one, and the first of several of these.
func pick(in *input.Source, text string) (r state.Resource, note string, err error) {
	base, place := positioned(text)
	var all alike
	reader := state.NewReader(in.Reader(), state.Options{})
	for e, err := range reader.Entries() {
		if err != nil {
			return r, "", in.Place(err)
		}
		if strings.Contains(e.URN, base) || e.ID == text || e.ID == base || (strings.HasPrefix(text, e.URN) && e.URN+"::"+e.ID == text) {
			all = append(all, e)
		}
	}

	found, name := all.called(text), text
	if found == nil {
		var one *state.Resource
		var failed error
		name, one, failed = named(all.resources(), text)
		if failed != nil && place != "" {
			name, _, failed = named(all.resources(), base)
			name += place
		}
		if failed != nil {
			return r, "", failed
		}
		found = all.called(name)
		if one != nil {
			found = alike{all.numbered(one.Number)}
		}
	}
	if len(found) == 0 {
		return r, "", absentError{"no resource is named " + clipped(name)}
	}

	first, live := found.first()
	r, err = state.Internal.Reread(first, in.Reader(),
		state.Options{Codec: codec.Options{RoundNumbers: true, Provider: reader.Document().Provider()}})
	if err != nil {
		return r, "", in.Place(err)
	}
	if live > 1 {
		note = fmt.Sprintf("%s: %d resources have this URN, which engines refuse; #1, #2 and so on after it name each", printable.Text(r.URN), live)
	}
	return r, note, nil
}

func (a alike) numbered(n int) (e state.Entry) {
	for _, each := range a {
		if each.Number == n {
			e = each
		}
	}
	return e
}

// first returns the first live resource or, if there is none, the first, and the number of
// live ones.
func (a alike) first() (found state.Entry, live int) {
	for i, e := range a {
		if i == 0 || (found.Delete && !e.Delete) {
			found = e
		}
		if !e.Delete {
			live++
		}
	}
	return found, live
}
