package provider

import (
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Unmatched returns the patterns in Equality, ReplaceOn, ArrayRules and Ignored, in this
// order, that match nothing on any side. Such a pattern may be misspelt, or name a
// property that is not set.
func (d Differ) Unmatched(s Sides) []path.Pattern {
	var all, found []path.Pattern
	for _, set := range []*path.Set{d.Equality.Patterns(), d.ReplaceOn} {
		for _, p := range set.Patterns() {
			all = append(all, p)
		}
	}
	for _, rule := range d.ArrayRules {
		all = append(all, rule.Pattern)
	}
	all = append(all, d.Ignored...)

	set := path.NewSet(all...)
	matched := make([]bool, len(all))
	var note func(v value.Value, at path.Matcher)
	note = func(v value.Value, at path.Matcher) { // no path is built: a key may be long, and hold much
		for i := range at.Matched() {
			matched[i] = true
		}
		if !at.MayMatchBelow() {
			return
		}

		for i, e := range v.Elems() {
			note(e, at.Next(path.Index(i)))
		}
		for k, m := range v.Members() {
			note(m, at.Next(path.Key(k)))
		}
	}
	for _, side := range []value.Value{s.OldInputs, s.OldState, s.News} {
		note(side, set.Matcher())
	}

	for i, p := range all {
		if !matched[i] {
			found = append(found, p)
		}
	}
	return found
}
