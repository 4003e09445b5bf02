package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
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
	"github.com/propalg/propalg/value"
)

// update is the steps of an update, which say what happens to each resource.
type update struct {
	name    string
	reader  *steps.Reader
	base    *base             // the stack that it begins with; nil: what the steps say
	parents map[string]string // of all resources, by URN
	stopped error             // what ended the steps early, with the name of the file
}

func newUpdate(s *input.Source, read io.Reader) *update {
	reader := steps.NewReader(read, state.Options{Codec: codec.Options{RoundNumbers: true}})
	return &update{name: s.Name, reader: reader, parents: map[string]string{}}
}

// steps iterates over the steps. Where they end early, those before count; it is an error
// only if there are none.
func (u *update) steps(yield func(*steps.Step, error) bool) {
	for s, err := range u.reader.Steps() {
		if err != nil {
			u.stopped = fmt.Errorf("%s: %w", u.name, err)
			if e := (*steps.Error)(nil); errors.As(err, &e) && e.Steps == 0 {
				yield(nil, u.stopped)
			}
			return
		}
		for _, r := range []*state.Resource{s.Old, s.New} {
			if r != nil && !u.base.has(r.URN) {
				u.parents[strings.Clone(r.URN)] = strings.Clone(r.Parent)
			}
		}
		if !yield(s, nil) {
			return
		}
	}
}

// isCut reports whether the steps end before the update does.
func (u *update) isCut() bool {
	return errors.Is(u.stopped, steps.ErrTruncated) || errors.Is(u.stopped, steps.ErrSecondRun)
}

// happens returns what a step does to a resource, as a report says it. Of the steps of a
// replacement, it is empty for all but the one that sums them up.
func happens(s *steps.Step) ops.Op {
	switch s.Status {
	case steps.Failed:
		return ops.Failed
	case steps.Unfinished:
		return ops.Unfinished
	case steps.Planned, steps.Done:
	}

	parts := []steps.Op{steps.OpCreateReplacement, steps.OpReadReplacement, steps.OpImportReplacement, steps.OpDeleteReplaced, steps.OpDiscardReplaced}
	if slices.Contains(parts, s.Op) {
		return ""
	}
	if s.Op == steps.OpRemovePendingReplace {
		return ops.Discard
	}
	return ops.Op(cmp.Or(s.Found, s.Op)) // they have the same names
}

// life names a resource: one URN has several in the course of an update.
type life struct {
	urn, id string // before the step
	isNew   bool   // nothing is known before
}

func lifeOf(s *steps.Step) life {
	if s.Old == nil {
		return life{urn: s.URN, isNew: true}
	}
	return life{urn: s.Old.URN, id: s.Old.ID}
}

// rows iterates over the resources, one for each step; the steps of a replacement are one.
func (u *update) rows(o *state.CompareOptions) iter.Seq2[*row, error] {
	return func(yield func(*row, error) bool) {
		isReplaced, parts := map[life]bool{}, map[life][]*steps.Step{}
		for s, err := range u.steps {
			if err != nil {
				yield(nil, err)
				return
			}
			op := happens(s)
			switch {
			case op == "":
				if !isReplaced[lifeOf(s)] {
					parts[lifeOf(s)] = append(parts[lifeOf(s)], s)
				}
				continue
			case s.Op == steps.OpReplace:
				for _, each := range []life{lifeOf(s), {urn: s.URN, isNew: true}} {
					isReplaced[each] = true
					delete(parts, each)
				}
			}
			if !yield(u.row(s, op, o), nil) {
				return
			}
		}

		// Of these there is no step that sums them up.
		rest := slices.Concat(slices.Collect(maps.Values(parts))...)
		slices.SortFunc(rest, func(a, b *steps.Step) int { return a.Number - b.Number })
		for _, s := range rest {
			op := ops.Replace
			if s.New == nil { // what an earlier update left
				op = ops.Delete
			}
			if !yield(u.row(s, op, o), nil) {
				return
			}
		}
	}
}

// row compares the resource before a step with the one after it.
func (u *update) row(s *steps.Step, op ops.Op, o *state.CompareOptions) *row {
	base, err := u.base.take(s)
	if err != nil { // the step says what was before, too
		o.Unreadable(state.Entry{}, err)
	}
	return &row{ResourceDiff: s.Compare(base, *o), op: op, step: s}
}

// base is the stack that an update begins with.
type base struct {
	name    string
	file    io.ReaderAt
	options state.Options
	entries []*entryOf
	byID    map[identity][]*entryOf
	live    map[string][]*entryOf // by URN
	known   map[string]string     // parents, by URN
	made    map[string]bool       // URNs of resources that steps make
	missing int                   // steps of resources that it does not have
	renamed int                   // likewise, in plans, which do not say what they rename
}

// entryOf is a resource of the stack.
type entryOf struct {
	state.Entry
	isTaken bool // by a step
}

type identity struct {
	urn, id   string
	isDeleted bool
}

func newBase(s *input.Source) (*base, error) {
	b := &base{
		name: s.Name, file: s.Stack, byID: map[identity][]*entryOf{}, live: map[string][]*entryOf{},
		known: map[string]string{}, made: map[string]bool{},
	}
	b.options.Codec.RoundNumbers = true
	r := state.NewReader(io.NewSectionReader(s.Stack, 0, s.Size), b.options)
	for e, err := range r.Entries() {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, input.AtPlace(s.Stack, err))
		}
		one, who := &entryOf{Entry: e}, identity{e.URN, e.ID, e.Delete}
		b.entries = append(b.entries, one)
		b.byID[who] = append(b.byID[who], one)
		if !e.Delete {
			b.live[e.URN] = append(b.live[e.URN], one)
		}
		b.known[e.URN] = e.Parent
	}
	if provider := r.Document().Provider(); provider != "" {
		b.options.Codec.Provider = provider
	}
	return b, nil
}

// has reports whether the stack has a resource with a URN.
func (b *base) has(urn string) bool {
	if b == nil {
		return false
	}
	_, isKnown := b.known[urn]
	return isKnown
}

// untouched returns the number of resources that no step has taken, of those that engines
// count.
func (b *base) untouched() (n int) {
	if b == nil {
		return 0
	}
	for _, e := range b.entries {
		_, isCounted := (&steps.Step{Op: steps.OpSame, URN: e.URN, Logical: true}).Counted()
		if isCounted && !e.isTaken && !b.made[e.URN] { // one that is made, and not taken away before, is gone already
			n++
		}
	}
	return max(0, n-b.renamed)
}

// take takes the resource that a step begins with out of the stack: that with its URN and
// ID, or else a live one. It returns nil if there is none.
func (b *base) take(s *steps.Step) (*state.Resource, error) {
	switch {
	case b == nil:
		return nil, nil //nolint:nilnil // there is none
	case s.Old == nil:
		b.made[strings.Clone(s.URN)] = true // the step's own keeps its text in memory
		return nil, nil                     //nolint:nilnil // there is none
	}
	entry := b.find(s)
	if entry == nil {
		b.lack(s)
		return nil, nil //nolint:nilnil // there is none
	}
	entry.isTaken = true
	if s.Old == s.New {
		return s.Old, nil // nothing changes
	}
	r, err := state.Internal.Reread(entry.Entry, b.file, b.options)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.name, err)
	}
	return &r, nil
}

// find returns the resource that a step begins with, or nil. Each is passed over once at most.
func (b *base) find(s *steps.Step) *entryOf {
	first := func(list []*entryOf) []*entryOf {
		for len(list) > 0 && list[0].isTaken {
			list = list[1:]
		}
		return list
	}
	for _, isDeleted := range []bool{s.Old.Delete, !s.Old.Delete} {
		who := identity{s.Old.URN, s.Old.ID, isDeleted}
		if b.byID[who] = first(b.byID[who]); len(b.byID[who]) > 0 {
			return b.byID[who][0]
		}
	}
	if s.Pending {
		return nil
	}
	if b.live[s.Old.URN] = first(b.live[s.Old.URN]); len(b.live[s.Old.URN]) > 0 {
		return b.live[s.Old.URN][0]
	}
	return nil
}

// lack counts a step of a resource that the stack does not have.
func (b *base) lack(s *steps.Step) {
	// An update of other resources does not create one, and that is the same then; one that
	// a plan imports has an ID.
	isNew := s.Op == steps.OpSame || (s.InputsPartial && s.Old.ID != "")
	switch {
	case b.has(s.Old.URN) || b.made[s.Old.URN]:
	case !isNew:
		b.missing++
	case s.Op == steps.OpSame && s.InputsPartial:
		b.renamed++
	}
}

// after is the resources that the steps of an update lead to.
type after struct {
	*update
	deleted map[string]bool // URNs without the name of the stack
	byURN   map[string]*steps.Step
}

// readAfter reads all steps, and applies them in the order in which they begin.
func readAfter(u *update) (*after, error) {
	var all []*steps.Step
	for s, err := range u.steps {
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	slices.SortStableFunc(all, func(a, b *steps.Step) int { return a.Number - b.Number })

	x := &after{update: u, byURN: map[string]*steps.Step{}, deleted: map[string]bool{}}
	for _, s := range all {
		taken, put := s.Effect()
		switch {
		case s.Status > steps.Done:
			put = s.Old
		case s.Op == steps.OpReplace:
			put = s.New
		}
		if taken != nil && !s.Pending && (put == nil || put.URN != taken.URN) && happens(s) != "" {
			delete(x.byURN, taken.URN)
			x.deleted[inStack(taken.URN)] = put == nil
		}
		if put == nil {
			continue
		}
		if known := x.byURN[put.URN]; s.Op != steps.OpReplace || known == nil || happens(known) != "" {
			x.byURN[put.URN] = s
		}
		x.deleted[inStack(put.URN)] = false
	}
	return x, nil
}

// inStack returns a URN without the name of the stack.
func inStack(urn string) string {
	_, rest, _ := strings.Cut(urn, "::")
	return rest
}

// resources iterates over the resources.
func (x *after) resources(withOps bool) iter.Seq2[state.Resource, error] {
	return func(yield func(state.Resource, error) bool) {
		all := slices.SortedFunc(maps.Values(x.byURN), func(a, b *steps.Step) int { return a.Number - b.Number })
		for _, s := range all {
			own := *cmp.Or(s.New, s.Old)
			if s.Status > steps.Done {
				own = *s.Old
			}
			if withOps {
				op := strconv.Quote(string(cmp.Or(happens(s), ops.Replace)))
				own.Extra = append(own.Extra[:len(own.Extra):len(own.Extra)], state.Internal.Field("operation", op, 0))
			}
			if !yield(own, nil) {
				return
			}
		}
	}
}

// step returns the step that a resource is from, or nil.
func (x *after) step(r *state.Resource) *steps.Step {
	if x == nil {
		return nil
	}
	return x.byURN[r.URN]
}

// has reports whether a resource is in any of the steps.
func (x *after) has(urn string) bool {
	_, isKnown := x.deleted[inStack(urn)]
	return isKnown
}

// sumUp notes how the steps of an update ended, and counts what they do not have.
func (f *diffFlags) sumUp(u *update, count *tally) {
	run := u.reader.Run()
	said, made := run.Changes[steps.OpSame], run.Counts[steps.OpSame]
	isLeftOut := (run.Format == "preview" || made == 0) && said > made && u.stopped == nil
	if isLeftOut && f.showsAll() && (u.base == nil || !run.Failed()) {
		count.counts[ops.Same] += said - made
	} else { // of an update that failed, also those that it did not reach
		count.counts[ops.Same] += u.base.untouched()
	}
	if u.base != nil && u.base.missing > 0 {
		f.note("%s does not have %s of %s: it is not the state that the update begins with", u.base.name, printable.Counted(u.base.missing, "resource"), u.name)
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
	switch {
	case s.update != nil:
		return failureOf(s.update, "")
	case s.olds != nil && s.news != nil:
		return cmp.Or(failureOf(s.news.update, s.news.name), failureOf(s.olds.update, s.olds.name))
	case s.olds != nil:
		return failureOf(s.olds.update, "")
	case s.news != nil:
		return failureOf(s.news.update, "")
	}
	return nil
}

// settle takes into account what the steps of an update do not say: resources that are not
// in them stay as they are, and what is not known yet does not count as a change.
func (s *stacks) settle(d *state.ResourceDiff) {
	if s.olds == nil && s.news == nil {
		return
	}
	d.LeftOut = 0 // times, which change with each update
	switch {
	case d.Old != nil && d.New != nil:
		old, now := s.olds.step(d.Old), s.news.step(d.New)
		s.olds.leaveOut(d, d.Old, old, now)
		s.news.leaveOut(d, d.New, now, old)
	case s.isUnlike:
	case d.New == nil && s.olds == nil && !s.news.deleted[inStack(d.Old.URN)]:
		*d = state.ResourceDiff{Old: d.Old, New: d.Old}
	case d.Old == nil && s.news == nil && !s.olds.has(d.New.URN):
		*d = state.ResourceDiff{Old: d.New, New: d.New}
	}
}

// leaveOut leaves out of a comparison what the resource of one side cannot have, which is
// from a step. The other side may be from a step as well.
func (x *after) leaveOut(d *state.ResourceDiff, r *state.Resource, step, other *steps.Step) {
	if step == nil {
		return
	}
	if step.InputsPartial && (other == nil || !other.InputsPartial) {
		d.Inputs.Diff, _ = d.Inputs.Diff.Split(absent(&d.Inputs, r.Inputs))
	}
	if step.OutputsPartial && (other == nil || !other.OutputsPartial || r.Outputs.Len() == 0) {
		d.Outputs.Diff, _ = d.Outputs.Diff.Split(absent(&d.Outputs, r.Outputs))
	}

	var lacked []path.Pattern
	for key := range d.Metadata.New.Members() {
		if x.reader.Run().Lacks(key) || (key == "id" && r.ID == "") {
			lacked = append(lacked, path.PatternOf(path.Key(key)))
		}
	}
	d.Metadata.Diff, _ = d.Metadata.Diff.Split(path.NewSet(lacked...))
}

// absent returns the members of a part that one side lacks.
func absent(p *state.PartDiff, side value.Value) *path.Set {
	var found []path.Pattern
	for _, v := range []value.Value{p.Old, p.New} {
		for key := range v.Members() {
			if _, ok := side.Lookup(key); !ok {
				found = append(found, path.PatternOf(path.Key(key)))
			}
		}
	}
	return path.NewSet(found...)
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
