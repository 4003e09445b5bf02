package schema

import (
	"errors"

	"github.com/propalg/propalg/path"
)

// ErrPlaces is returned by [Resource.Secrets] and [Resource.ReplaceOn] if there are too
// many places to list.
var ErrPlaces = errors.New("schema: too many places")

// Secrets returns the patterns of all properties of the inputs and the state that the
// schema calls secret. A recursive type is followed until it recurs; [Type.MarkSecrets]
// has no such limit. It returns [ErrPlaces] if there are too many to list.
func (r *Resource) Secrets() ([]path.Pattern, error) {
	return r.places(isSecret)
}

// ReplaceOn returns the patterns of all properties of the inputs and the state whose
// change makes the provider or the engine replace the resource. A recursive type is
// followed until it recurs. It returns [ErrPlaces] if there are too many to list.
func (r *Resource) ReplaceOn() ([]path.Pattern, error) {
	return r.places(replaceOnChanges | willReplaceOnChanges)
}

func (r *Resource) places(of facts) ([]path.Pattern, error) {
	l := lister{of: of, seen: map[path.Pattern]bool{}, leads: map[*Type]bool{}}
	for _, t := range []*Type{r.inputs, r.state} {
		l.reach(t)
		l.list(t)
	}

	if l.tooMany() {
		return nil, ErrPlaces
	}
	return l.all, nil
}

// mostVisits is how many types a lister goes through.
const mostVisits = 1 << 17

// lister lists the places of properties.
type lister struct {
	of     facts
	all    []path.Pattern
	seen   map[path.Pattern]bool
	leads  map[*Type]bool // to such a property; false while that is not known
	at     []path.Step
	size   int // bytes of the names in at
	open   map[*Type]bool
	visits int
	listed int // bytes of the places
}

// tooMany reports whether there are more places than are listed.
func (l *lister) tooMany() bool { return l.visits > mostVisits || l.listed > path.MaxListed }

// children runs f for each type that is part of a type.
func (t *Type) children(f func(step path.Step, p *Property, child *Type)) {
	if t == nil {
		return
	}

	if t.elem != nil && (t.kind == KindArray || t.kind == KindMap) {
		f(path.Any(), nil, t.elem)
	}
	for i := range t.properties {
		f(path.Key(t.properties[i].name), &t.properties[i], t.properties[i].typ)
	}
}

// reach finds the types from which a property can be reached: without that, listing would
// walk through all that a schema can be unfolded to.
func (l *lister) reach(root *Type) {
	above := map[*Type][]*Type{}
	var found, all []*Type
	seen := map[*Type]bool{root: true}
	for all = append(all, root); len(all) > 0; {
		t := all[len(all)-1]
		all = all[:len(all)-1]
		below := func(child *Type) {
			above[child] = append(above[child], t)
			if !seen[child] {
				seen[child] = true
				all = append(all, child)
			}
		}
		t.children(func(_ path.Step, p *Property, child *Type) {
			if p != nil && p.is&l.of != 0 {
				found = append(found, t)
			}
			below(child)
		})

		for a := range t.Alternatives() {
			below(a)
		}
	}

	for len(found) > 0 {
		t := found[len(found)-1]
		found = found[:len(found)-1]
		if !l.leads[t] {
			l.leads[t] = true
			found = append(found, above[t]...)
		}
	}
}

// list lists the places below a type.
func (l *lister) list(t *Type) {
	if l.visits++; l.tooMany() || !l.leads[t] || l.open[t] {
		return
	}
	if l.open == nil {
		l.open = map[*Type]bool{}
	}
	l.open[t] = true

	t.children(func(step path.Step, p *Property, child *Type) {
		name, _ := step.AsKey()
		size := len(name) + 1
		l.at, l.size = append(l.at, step), l.size+size
		if p == nil || p.is&l.of == 0 {
			l.list(child)
		} else {
			l.place()
		}

		l.at, l.size = l.at[:len(l.at)-1], l.size-size
	})
	for a := range t.Alternatives() {
		l.list(a)
	}
	delete(l.open, t)
}

// place lists the place of a property.
func (l *lister) place() {
	if l.listed += l.size; l.tooMany() {
		return
	}

	if at := path.PatternOf(l.at...); !l.seen[at] {
		l.seen[at] = true
		l.all = append(l.all, at)
	}
}
