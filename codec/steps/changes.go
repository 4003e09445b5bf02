package steps

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/internal/scan"
)

// Change is what an update does to a resource, and what differs in it then. If the step
// failed or did not end, it is what the step was to do.
type Change struct {
	// Op is the operation, as a person would say it: of a refresh what it found if the whole
	// run is one, OpReplace for all steps of a replacement, OpDelete for a resource that an
	// earlier update replaced, and OpDiscard for OpRemovePendingReplace.
	Op   Op
	Step *Step // of a replacement, the one that sums it up
	state.ResourceDiff
}

// Changes iterates over what the update does to resources: it is [Reader.Steps] with a
// replacement as one change, compared by [Step.Compare]. If base is not nil, the resources
// before are those of that stack. One of them that cannot be read is reported to
// [state.CompareOptions.Unreadable], and taken as the step has it; without that function it is
// an error. An error of the iteration comes after all changes before it.
func (r *Reader) Changes(base *Stack, o state.CompareOptions) iter.Seq2[*Change, error] {
	return func(yield func(*Change, error) bool) {
		c := changes{base: base.open(), options: &o, isReplaced: map[life]bool{}, parts: map[life][]*Step{}}
		var failed error
		for s, err := range r.Steps() {
			if err != nil {
				failed = err
				break
			}
			if op := c.happens(s); op != "" && !c.yield(s, op, yield) {
				return
			}
		}

		for _, s := range c.rest() {
			op := OpReplace
			if s.New == nil { // what an earlier update left
				op = OpDelete
			}
			if !c.yield(s, op, yield) {
				return
			}
		}
		if failed != nil {
			yield(nil, failed)
		}
	}
}

type changes struct {
	base       *stack
	options    *state.CompareOptions
	isReplaced map[life]bool
	parts      map[life][]*Step // of replacements that no step has summed up yet
}

// life names a resource: one URN has several in the course of an update.
type life struct {
	urn, id string // before the step
	isNew   bool   // nothing is known before
}

func lifeOf(s *Step) life {
	if s.Old == nil {
		return life{urn: s.URN, isNew: true}
	}
	return life{urn: s.Old.URN, id: s.Old.ID}
}

// isPart reports whether a step is a part of a replacement, and neither failed nor was
// interrupted.
func (s *Step) isPart() bool { return s.Op.IsPart() && s.Status <= Done }

// happens returns what a step does to a resource, which is empty if another step sums it up.
func (c *changes) happens(s *Step) Op {
	who := lifeOf(s)
	switch {
	case s.isPart():
		if !c.isReplaced[who] {
			c.parts[who] = append(c.parts[who], s)
		}
		return ""
	case s.Op == OpReplace:
		for _, each := range []life{who, {urn: s.URN, isNew: true}} {
			c.isReplaced[each] = true
			delete(c.parts, each)
		}
	case s.Op == OpRemovePendingReplace:
		return OpDiscard
	}
	return cmp.Or(s.Found, s.Op)
}

// rest returns the parts of replacements that no step sums up.
func (c *changes) rest() []*Step {
	all := slices.Concat(slices.Collect(maps.Values(c.parts))...)
	slices.SortFunc(all, func(a, b *Step) int { return a.Number - b.Number })
	return all
}

func (c *changes) yield(s *Step, op Op, yield func(*Change, error) bool) bool {
	before, err := c.base.take(s)
	if err != nil {
		err = fmt.Errorf("%s: %w", scan.Line(cmp.Or(c.options.OldName, "old")), err)
	}
	switch {
	case err == nil:
	case c.options.Unreadable == nil:
		yield(nil, err)
		return false
	default: // the step says what was before, too
		c.options.Unreadable(state.Entry{}, err)
	}
	return yield(&Change{op, s, s.Compare(before, *c.options)}, nil)
}
