package main

import (
	"slices"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
)

// The parts of a resource of a stack. Patterns that begin with one of these names are
// about that part.
const (
	partInputs  = "inputs"
	partOutputs = "outputs"
	partState   = "state"

	partDeployment = "deployment"
)

// isMetadata reports whether a part has no properties.
func isMetadata(part string) bool { return part == partState || part == partDeployment }

// scoped is a repeatable flag of patterns of properties, which may begin with the name of
// a part. It knows which of them matched something.
type scoped struct {
	patterns

	hits   []bool
	scopes map[string]*scope // by part
}

// scope is the patterns that are about one part.
type scope struct {
	set  *path.Set
	from []int  // of each pattern, its index in hits
	hits []bool // shared by all scopes of a flag
}

// in returns the patterns for a part; "" is a property bag.
func (s *scoped) in(part string) *scope {
	if found := s.scopes[part]; found != nil {
		return found
	}
	if s.scopes == nil {
		s.scopes, s.hits = map[string]*scope{}, make([]bool, len(s.list))
	}

	of := &scope{hits: s.hits}
	var list []path.Pattern
	for i, p := range s.list {
		if !isMetadata(part) {
			list, of.from = append(list, p), append(of.from, i)
		}
		if first, below, ok := p.Cut(); ok && part != "" && first.Equal(path.Key(part)) {
			list, of.from = append(list, below), append(of.from, i)
		}
	}
	if len(list) > 0 {
		of.set = path.NewSet(list...)
	}

	s.scopes[part] = of
	return of
}

// matched notes which patterns match changes, and reports whether any does.
func (s *scope) matched(d diff.Diff) bool {
	if s.set.Len() == 0 {
		return false
	}

	found := false
	for c := range d.Changes() {
		for _, i := range c.Which(s.set) {
			s.hits[s.from[i]], found = true, true
		}
	}
	return found
}

// covers reports whether a pattern matches a path or one above it, and notes which.
func (s *scope) covers(p path.Path) bool {
	if s.set.Len() == 0 || !s.set.Covers(p) {
		return false
	}
	for i, pattern := range s.set.Patterns() {
		if path.NewSet(pattern).Covers(p) {
			s.hits[s.from[i]] = true
		}
	}
	return true
}

// cut returns a diff without the changes that the patterns match.
func (s *scope) cut(d diff.Diff) diff.Diff {
	rest, matched := d.Split(s.set)
	s.matched(matched)
	return rest
}

// unmatched returns the patterns that matched nothing.
func (s *scoped) unmatched() []path.Pattern {
	s.in("")
	i := -1
	return slices.DeleteFunc(slices.Clone(s.list), func(path.Pattern) bool {
		i++
		return s.hits[i]
	})
}
