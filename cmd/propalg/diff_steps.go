package main

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/ops"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/codec/steps"
	"github.com/propalg/propalg/path"
)

// update is the steps of an update: a preview, a plan or an event log.
type update struct {
	name    string
	reader  *steps.Reader
	base    *steps.Stack      // the stack that it begins with; nil: what the steps say
	result  *steps.Result     // what it leads to, where that is compared
	parents map[string]string // of all resources, by URN
	stopped error             // what ended the steps early, with the name of the file
}

func newUpdate(s *input.Source) *update {
	reader := steps.NewReader(s.Reader(), state.Options{Codec: codec.Options{RoundNumbers: true}})
	return &update{name: s.Name, reader: reader, parents: map[string]string{}}
}

// begin reads the stack that the update begins with.
func (u *update) begin(s *input.Source) (err error) {
	u.base, err = steps.NewStack(s.Stack, state.Options{Codec: codec.Options{RoundNumbers: true}})
	if err != nil {
		return fmt.Errorf("%s: %w", s.Name, input.AtPlace(s.Stack, err))
	}
	u.parents = u.base.Parents()
	return nil
}

// stop takes what ended the steps. Where they end early, those before count; it is an error
// only if there are none.
func (u *update) stop(err error) error {
	if err == nil {
		return nil
	}
	u.stopped = fmt.Errorf("%s: %w", u.name, err)
	if e := (*steps.Error)(nil); errors.As(err, &e) && e.Steps == 0 {
		return u.stopped
	}
	return nil
}

// isCut reports whether the steps end before the update does.
func (u *update) isCut() bool {
	return errors.Is(u.stopped, steps.ErrTruncated) || errors.Is(u.stopped, steps.ErrSecondRun)
}

// changes iterates over what the update does.
func (u *update) changes(o state.CompareOptions) iter.Seq2[*steps.Change, error] {
	return func(yield func(*steps.Change, error) bool) {
		for c, err := range u.reader.Changes(u.base, o) {
			if err != nil {
				if err = u.stop(err); err != nil {
					yield(nil, err)
				}
				return
			}
			for _, r := range []*state.Resource{c.Step.Old, c.Step.New} {
				if r != nil && u.parents[r.URN] == "" {
					u.parents[strings.Clone(r.URN)] = strings.Clone(r.Parent)
				}
			}
			if !yield(c, nil) {
				return
			}
		}
	}
}

// opOf returns what a step does, as a report says it.
func opOf(s *steps.Step, op steps.Op) ops.Op {
	switch s.Status {
	case steps.Failed:
		return ops.Failed
	case steps.Unfinished:
		return ops.Unfinished
	case steps.Planned, steps.Done:
	}
	if op.IsPart() {
		return ops.Replace
	}
	return ops.Op(op) // they have the same names
}

// resources iterates over the resources that the update leads to.
func (u *update) resources(withOps bool) iter.Seq2[state.Resource, error] {
	return func(yield func(state.Resource, error) bool) {
		for r, s := range u.result.Resources() {
			if withOps {
				op := strconv.Quote(string(opOf(s, cmp.Or(s.Found, s.Op))))
				r.Extra = append(r.Extra[:len(r.Extra):len(r.Extra)], state.Internal.Field("operation", op, 0))
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

func (u *update) leadsTo() *steps.Result {
	if u == nil {
		return nil
	}
	return u.result
}

// sumUp notes how the steps of an update ended, and counts what they do not have.
func (f *diffFlags) sumUp(u *update, baseName string, count *tally) {
	run := u.reader.Run()
	said, made := run.Changes[steps.OpSame], run.Counts[steps.OpSame]
	isLeftOut := (run.Format == "preview" || made == 0) && said > made && u.stopped == nil
	if isLeftOut && f.showsAll() && (u.base == nil || !run.Failed()) {
		count.counts[ops.Same] += said - made
	} else { // of an update that failed, also those that it did not reach
		count.counts[ops.Same] += u.base.Untouched()
	}
	if n := u.base.Missing(); n > 0 {
		f.note("%s does not have %s of %s: it is not the state that the update begins with", baseName, printable.Counted(n, "resource"), u.name)
	}
	switch {
	case u.isCut():
		f.note("%v", u.stopped)
	case u.stopped != nil:
		f.unreadable = append(f.unreadable, u.stopped)
	}
	if run.Changes == nil || u.stopped != nil {
		return
	}

	count.engine = run.Changes
	for _, op := range slices.Sorted(maps.Keys(run.Changes)) {
		said, made := run.Changes[op], run.Counts[op]
		if said != made && (op != steps.OpSame || !isLeftOut) {
			count.differs = append(count.differs, fmt.Sprintf("%s %d, not %d", printable.Text(string(op)), said, made))
		}
	}
}

// failure returns what there is to say of an update that failed, else nil. If both sides are
// of updates that failed, it is about the new one.
func (s *stacks) failure() *failure {
	areBoth := s.olds != nil && s.news != nil
	for _, u := range []*update{s.update, s.news, s.olds} {
		if x := failureOf(u, areBoth); x != nil {
			return x
		}
	}
	return nil
}

// settle takes into account what the steps of an update do not say. In stacks that URNs do
// not pair, each resource is on one side.
func (s *stacks) settle(d *state.ResourceDiff) {
	if (s.olds != nil || s.news != nil) && (!s.isUnlike || (d.Old != nil && d.New != nil)) {
		steps.Settle(d, s.olds.leadsTo(), s.news.leadsTo())
	}
}

// replacingIn returns the patterns of what replaces a resource: for its inputs those of the
// flag, and the reasons of its step; else nil.
func (f *diffFlags) replacingIn(part string, s *steps.Step) *path.Set {
	switch {
	case part != partInputs:
		return nil
	case s == nil || len(s.Replaces) == 0:
		return f.replacing(partInputs)
	}

	var all []path.Pattern
	for _, p := range f.replacing(partInputs).Patterns() {
		all = append(all, p)
	}
	for _, text := range s.Replaces {
		if p, err := path.ParsePulumiPattern(text); err == nil && !p.IsRoot() {
			all = append(all, p)
		}
	}
	return path.NewSet(all...)
}
