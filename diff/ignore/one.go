package ignore

import (
	"strings"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// ignoreOne applies a pattern that is the only one to do something, if it has no
// wildcard but at its end and meets nothing unusual: that is nearly all there is of
// ignoreChanges. It then makes one edit at most, of a value as it is, which needs
// neither stack nor draft. Where it is not done, nothing has happened.
func ignoreOne(old, now value.Value, mode Mode, p path.Pattern) (made value.Value, matched int, done bool) {
	o, n := old, now
	for step, below, ok := p.Cut(); ok; step, below, ok = below.Cut() {
		form := mode.form(n)
		if !form.container() || mode.form(o) != form {
			return now, 0, false
		}
		last := below.IsRoot()
		s, exact := step.Step()
		if !exact {
			if last {
				return ignoreChildren(now, o, n, p)
			}
			return now, 0, false
		}
		name, isKey := s.Key()
		i, _ := s.Index()
		switch {
		case isKey != (form == formObject):
			return now, 0, true // what neither has
		case !isKey && last:
			return ignoreElem(now, o, n, p)
		case !isKey && i < o.Len() && i < n.Len():
			o, n = o.Elem(i), n.Elem(i)
			continue
		case !isKey:
			return now, 0, false // a mismatch
		}
		nextOld, inOld := o.Lookup(name)
		if last && inOld {
			at, _ := p.Path()
			made, _ = now.With(at, nextOld) // its container is there
			return made, 1, true
		}
		nextNow, inNow := n.Lookup(name)
		switch {
		case !inOld && !inNow:
			return now, 0, true
		case last:
			at, _ := p.Path()
			made, _ = now.Without(at)
			return made, 1, true
		case !inNow:
			return now, 0, false // a mismatch
		}
		o, n = nextOld, nextNow
	}
	return now, 0, false
}

// ignoreElem is ignoreOne of a pattern that ends in an index, at two arrays.
func ignoreElem(now, o, n value.Value, p path.Pattern) (made value.Value, matched int, done bool) {
	at, _ := p.Path()
	s, _ := at.Last()
	i, _ := s.Index()
	switch {
	case i >= o.Len() && i >= n.Len():
		return now, 0, true
	case i >= o.Len() || i >= n.Len():
		return now, 0, false // a mismatch
	}
	made, _ = now.With(at, o.Elem(i))
	return made, 1, true
}

// ignoreChildren is ignoreOne of a pattern that ends in a wildcard, at two containers
// of one kind: where they have no marks, new's becomes old's.
func ignoreChildren(now, o, n value.Value, p path.Pattern) (made value.Value, matched int, done bool) {
	array := o.Kind() == value.KindArray
	switch {
	case o.IsSecret() || n.IsSecret() || o.HasDependencies() || n.HasDependencies():
		return now, 0, false
	case array && o.Len() != n.Len():
		return now, 0, false // a mismatch
	case o.Len()+n.Len() == 0:
		return now, 0, true
	}
	matched = o.Len()
	if !array {
		matched += n.Len() - keysInBoth(o, n)
	}
	var few [4]path.Step
	way := few[:0]
	for step, below, _ := p.Cut(); !below.IsRoot(); step, below, _ = below.Cut() {
		s, _ := step.Step()
		way = append(way, s)
	}
	made, _ = now.With(path.Of(way...), o)
	return made, matched, true
}

// keysInBoth is how many keys two objects have in common.
func keysInBoth(v, w value.Value) (both int) {
	vs, ws := v.Children(), w.Children()
	for i, j := 0, 0; i < vs.Len() && j < ws.Len(); {
		k, _ := vs.At(i)
		l, _ := ws.At(j)
		switch order := strings.Compare(k, l); {
		case order < 0:
			i++
		case order > 0:
			j++
		default:
			both, i, j = both+1, i+1, j+1
		}
	}
	return both
}
