package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"sync/atomic"

	"github.com/propalg/propalg/cmd/propalg/internal/digits"
	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/value"
)

// stacks are two stacks that are being compared.
type stacks struct {
	*state.Comparison
	oldName, newName string
}

// compareStacks indexes two stacks.
func (inv *invocation) compareStacks(old, now *input.Source, f *diffFlags) (*stacks, error) {
	var read atomic.Int64

	inv.progress.report(func() string { return percentOf(read.Load(), max(old.Size+now.Size, 1)) })
	defer inv.progress.report(func() string { return "comparing" })

	c, err := state.Compare(countingAt{old.Stack, &read}, countingAt{now.Stack, &read}, state.CompareOptions{
		OldName: old.Name, NewName: now.Name, Codec: codec.Options{RoundNumbers: true},
		Diff: f.options(value.Strict), Ignore: f.ignore.set(), Times: f.all,
	})

	return &stacks{c, old.Name, now.Name}, err
}

// countingAt counts the bytes that are read.
type countingAt struct {
	file io.ReaderAt
	n    *atomic.Int64
}

// ReadAt reads from the file.
func (c countingAt) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.file.ReadAt(p, at)
	c.n.Add(int64(n))

	return n, err
}

// unlike is the error for a bag and a stack.
func unlike(before, after *input.Source) error {
	var texts [2]string

	for i, s := range [2]*input.Source{before, after} {
		shape, err := s.Shape()
		if err != nil {
			return err
		}

		texts[i] = s.Name + " is a " + shape
	}

	return errors.New(texts[0] + ", " + texts[1])
}

// section is a part of a resource or of a deployment, with the numbers that differ
// in digits beyond those of doubles.
type section struct {
	name string // "state", "inputs" or "outputs"; empty: of a deployment
	*state.PartDiff
	exact   digits.Diff
	outcome state.Outcome
}

// section compares the digits of a part. Flags are about properties, and not about
// metadata.
func (f *diffFlags) section(name string, p *state.PartDiff) section {
	how := f
	if name != "inputs" && name != "outputs" {
		how = &diffFlags{comparing: comparing{arrayFlags: arrayFlags{arrays: newChoice("positional")}}}
	}

	s := section{name: name, PartDiff: p, outcome: p.Outcome()}
	s.exact = how.exact(p.Diff, digits.Side{Value: p.Old, Report: &p.OldReport}, digits.Side{Value: p.New, Report: &p.NewReport})

	if len(s.exact.Hidden) > 0 || (f.sealed && s.outcome == state.Resealed) {
		s.outcome = state.Updated
	}

	return s
}

// sections compares the digits of a resource. The outcome takes them into account.
func (f *diffFlags) sections(d *state.ResourceDiff) (all []section, outcome state.Outcome) {
	all = []section{f.section("inputs", &d.Inputs), f.section("outputs", &d.Outputs)}
	if d.Outcome == state.Created || d.Outcome == state.Deleted {
		return all, d.Outcome
	}

	all = slices.Insert(all, 0, f.section("state", &d.Metadata))

	return all, max(all[0].outcome, all[1].outcome, all[2].outcome)
}

// deployment compares what two stacks say apart from their resources.
func (f *diffFlags) deployment(s *stacks) (section, error) {
	p, err := s.Deployment()

	return f.section("", &p), err
}

// resources iterates over the resources that may differ, and notes which numbers in
// them were rounded: first those of the old stack, in its order.
func (f *diffFlags) resources(s *stacks) iter.Seq2[*state.ResourceDiff, error] {
	return func(yield func(*state.ResourceDiff, error) bool) {
		var before, after []resourceNotes

		earlier := f.notes
		f.notes = nil

		for d, err := range s.Resources() {
			before = appendRounded(before, s.oldName, d.Old, d.New)
			after = appendRounded(after, s.newName, d.New, d.Old)

			if !yield(&d, err) {
				return
			}
		}

		slices.SortFunc(before, func(a, b resourceNotes) int { return cmp.Compare(a.number, b.number) })

		for _, each := range slices.Concat(before, after) {
			earlier = append(earlier, each.texts...)
		}

		f.notes = append(earlier, f.notes...)
	}
}

// resourceNotes say which numbers of a resource were rounded.
type resourceNotes struct {
	number int // of the resource
	texts  []string
}

// appendRounded appends the notes about a resource, if it is not nil. No path in them
// goes below a secret of the other one.
func appendRounded(to []resourceNotes, file string, r, other *state.Resource) []resourceNotes {
	if r == nil {
		return to
	}

	if other == nil {
		other = &state.Resource{}
	}

	place := fmt.Sprintf("%s: %s: ", file, r.URN)
	texts := slices.Concat(
		roundedNotes(place+"inputs", &r.InputsReport, other.Inputs),
		roundedNotes(place+"outputs", &r.OutputsReport, other.Outputs),
		roundedNotes(place+"replacementTrigger", &r.ReplacementTriggerReport, other.ReplacementTrigger))

	if len(texts) == 0 {
		return to
	}

	return append(to, resourceNotes{r.Number, texts})
}

// part is a section that differs, as lines.
type part struct {
	name    string
	lines   []render.Line
	changes int
}

// parts returns the sections that differ, as lines.
func (f *diffFlags) parts(sections []section, indent int) (parts []part) {
	for _, s := range sections {
		o := f.text(indent)

		switch s.name {
		case "inputs":
			o.ReplaceOn = f.replaceOn
		case "outputs":
		default:
			o.HideDiffs = nil
		}

		if lines := append(slices.Collect(render.Lines(s.Diff, o)), s.exact.Lines(o)...); len(lines) > 0 {
			parts = append(parts, part{s.name, lines, s.Diff.Len() + len(s.exact.Hidden)})
		}
	}

	return parts
}
