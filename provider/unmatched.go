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
	for _, p := range append(all, o.Ignored...) {
		if !matches(p, s.OldInputs) && !matches(p, s.OldState) && !matches(p, s.News) {
			found = append(found, p)
		}
	}
	return found
}

// matches reports whether a pattern matches a place in a value.
func matches(p path.Pattern, v value.Value) bool {
	for range value.Find(v, path.NewSet(p)) {
		return true
	}
	return false
}
