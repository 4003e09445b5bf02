package engine

import (
	"iter"
	"slices"

	"github.com/propalg/propalg/codec/state"
)

// relation is how a resource refers to another.
type relation byte

const (
	asDependency relation = iota
	asParent
	asProvider
)

// references returns what a resource refers to by URN, some of it more than once.
func references(of *state.Resource) iter.Seq2[string, relation] {
	return func(yield func(string, relation) bool) {
		if (of.Provider != "" && !yield(providerOf(of.Provider), asProvider)) || (of.Parent != "" && !yield(of.Parent, asParent)) {
			return
		}
		all := func(urns []string) bool {
			for _, u := range urns {
				if !yield(u, asDependency) {
					return false
				}
			}
			return true
		}
		if !all(of.Dependencies) {
			return
		}
		for _, urns := range of.PropertyDependencies {
			if !all(urns) {
				return
			}
		}
		_ = (of.DeletedWith == "" || yield(of.DeletedWith, asDependency)) && all(of.ReplaceWith)
	}
}

// refersTo reports whether an entry refers to one of some URNs.
func refersTo(e *entry, those map[string]bool) bool {
	for u := range references(&e.Resource) {
		if those[u] {
			return true
		}
	}
	return false
}

// lacking returns what a resource refers to that the state does not have as it should be.
func (r *run) lacking(of *state.Resource, is func(*outcome) bool) (urns []string) {
	if !r.lacks {
		return nil
	}
	for u := range references(of) {
		if o := r.states[u]; o != nil && is(o) && !slices.Contains(urns, u) {
			urns = append(urns, u)
		}
	}
	slices.Sort(urns)
	return urns
}

func (o *outcome) isSkipped() bool { return o.skipped }
func (o *outcome) isMissing() bool { return o.missing }
func (o *outcome) isAbsent() bool  { return o.skipped || o.missing }
