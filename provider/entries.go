package provider

import (
	"slices"
	"sync"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// entryPaths is the paths of all entries: their steps, one after the other, and how many
// each has. It goes by value, so that it may begin on the stack.
type entryPaths struct {
	steps   []path.Step
	lengths []int
}

// paths holds the paths of a response with more entries than fewEntries.
type paths struct {
	steps   [2 * manyEntries]path.Step
	lengths [manyEntries]int
}

const manyEntries = 96

var longPaths = sync.Pool{New: func() any { return new(paths) }} //nolint:gochecknoglobals // the one pool of the package (TestLayers)

// giveBack clears the first steps, as many as were used.
func (p *paths) giveBack(steps int) {
	clear(p.steps[:min(steps, len(p.steps))])
	longPaths.Put(p)
}

// fewEntries is how many entries a response may have whose paths are on the stack.
const fewEntries = 16

// add adds an entry. It gets its path and its key once all entries are there.
func (w *responder) add(kind Kind) {
	n := len(w.answer.Detailed)
	w.answer.Detailed = slices.Grow(w.answer.Detailed, 1)[:n+1]
	e := &w.answer.Detailed[n]
	e.Kind, e.InputDiff = kind, w.opts.Side == FromInputs
	w.answer.Changes = Some
}

// entry adds an entry for a spot, where one side has it.
func (w *responder) entry(t entryPaths, s difftree.Place, old bool, kind Kind, replaces bool) entryPaths {
	if replaces {
		kind = kind.WithReplace()
	}
	w.add(kind)
	if w.coarse {
		w.room = s.Steps(w.room[:0], old)
		w.answer.Detailed[len(w.answer.Detailed)-1].Path = path.Of(w.room...)
		w.mixed = true
		return t
	}
	first := len(t.steps)
	for ; s.In.Up != nil; s = s.Container() {
		t.steps = append(t.steps, s.In.Step(s.At, old))
		w.listed += stepWeight(s)
		w.mixed = w.mixed || s.In.Kind == value.KindArray && !isInPlace(s.Node())
	}
	slices.Reverse(t.steps[first:])
	t.lengths = append(t.lengths, len(t.steps)-first)
	return t
}

// label gives the entries their paths, which are parts of one, and their keys.
func (w *responder) label(t entryPaths) {
	rest := path.Of(t.steps...)
	for i := range w.answer.Detailed {
		e := &w.answer.Detailed[i]
		if !w.coarse {
			e.Path = rest.Prefix(t.lengths[i])
			rest, _ = rest.TrimPrefix(e.Path)
		}
		if e.name() {
			continue
		}
		w.mixed = true
		if e.Path.IsRoot() {
			w.answer.HasDetailed = false
		}
	}
}
