package steps

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/propalg/propalg/codec/state"
)

// Result is what an update leads to, as far as its steps say: resources that are in none of
// them are not in it.
type Result struct {
	deleted map[string]bool // URNs without the name of the stack
	byURN   map[string]*Step
}

// Result reads all steps, and returns what they lead to, applied in the order in which they
// begin. With an error, which is one of [Reader.Steps], it is what the steps before that lead
// to.
func (r *Reader) Result() (*Result, error) {
	var all []*Step
	var failed error
	for s, err := range r.Steps() {
		if err != nil {
			failed = err
			break
		}
		all = append(all, s)
	}
	slices.SortStableFunc(all, func(a, b *Step) int { return a.Number - b.Number })

	x := &Result{byURN: map[string]*Step{}, deleted: map[string]bool{}}
	for _, s := range all {
		x.apply(s)
	}
	return x, failed
}

func (x *Result) apply(s *Step) {
	taken, put := s.Effect()
	switch {
	case s.Status > Done:
		put = s.Old
	case s.Op == OpReplace:
		put = s.New
	}
	if taken != nil && !s.Pending && (put == nil || put.URN != taken.URN) && !s.isPart() {
		delete(x.byURN, taken.URN)
		x.deleted[inStack(taken.URN)] = put == nil
	}
	if put == nil {
		return
	}
	if known := x.byURN[put.URN]; s.Op != OpReplace || known == nil || !known.isPart() {
		x.byURN[put.URN] = s
	}
	x.deleted[inStack(put.URN)] = false
}

// inStack returns a URN without the name of the stack.
func inStack(urn string) string {
	_, rest, _ := strings.Cut(urn, "::")
	return rest
}

// Resources iterates over the resources, each with the step that it is from, in the order of
// these.
func (x *Result) Resources() iter.Seq2[state.Resource, *Step] {
	return func(yield func(state.Resource, *Step) bool) {
		if x == nil {
			return
		}
		for _, s := range slices.SortedFunc(maps.Values(x.byURN), func(a, b *Step) int { return a.Number - b.Number }) {
			r := *cmp.Or(s.New, s.Old)
			if s.Status > Done {
				r = *s.Old
			}
			if !yield(r, s) {
				return
			}
		}
	}
}

// Step returns the step that the resource with a URN is from, or nil.
func (x *Result) Step(urn string) *Step {
	if x == nil {
		return nil
	}
	return x.byURN[urn]
}

// Deleted reports whether the steps delete the resource with a URN, in whatever stack, and
// whether it is in any of them.
func (x *Result) Deleted(urn string) (isDeleted, isKnown bool) {
	if x == nil {
		return false, false
	}
	isDeleted, isKnown = x.deleted[inStack(urn)]
	return isDeleted, isKnown
}
