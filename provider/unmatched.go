package provider

import (
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Unmatched returns the patterns in Equality, ReplaceOn, ArrayRules and Ignored, in this
// order, that match nothing on any side. Such a pattern may be misspelt, or name a
// property that is not set.
func (o *Options) Unmatched(s Sides) []path.Pattern {
	var all, found []path.Pattern
	for _, set := range []*path.Set{o.Equality.Patterns(), o.ReplaceOn} {
		for _, p := range set.Patterns() {
			all = append(all, p)
		}
	}
	for _, rule := range o.ArrayRules {
		all = append(all, rule.Pattern)
	}
	all = append(all, o.Ignored...)

	set := path.NewSet(all...)
	matched := make([]bool, len(all))
	for _, side := range []value.Value{s.OldInputs, s.OldState, s.News} {
		for c := range value.Find(side, set) {
			for i := range set.At(c.Path()).Matched() {
				matched[i] = true
			}
		}
	}

	for i, p := range all {
		if !matched[i] {
			found = append(found, p)
		}
	}
	return found
}
