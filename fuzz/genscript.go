package fuzz

import (
	"fmt"
	"slices"

	"github.com/propalg/propalg/internal/test/trees"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// script is two values and the list of edits that lead from the first to the second.
//
// A comparison of the two values can be measured against the edits. No edit is at or
// below the path of another, and each changes something, so under [value.Strict], with
// arrays matched by index, there are exactly as many changes as edits, at the same paths.
// Under a laxer Relation there may be fewer.
type script struct {
	Old, New value.Value
	Steps    []scriptStep // in order of their paths
}

// scriptStep is one edit of a [script].
type scriptStep struct {
	At path.Path
	// Op is diff.OpAdd of a member or of an element after the last, diff.OpDelete of
	// a member or of the last element, or diff.OpUpdate.
	Op  diff.Op
	New value.Value // the new value, with its own marks
}

// String returns the step as a line of Go. It shows secrets; see [GoSource].
func (s scriptStep) String() string {
	return fmt.Sprintf("%v %v %s", s.Op, s.At, GoSource(s.New))
}

// scripts generates scripts of up to five steps. They shrink to a script of two nulls and no
// steps.
func scripts(o Options) *rapid.Generator[script] {
	return rapid.Custom(func(t *rapid.T) script {
		small := o
		small.Nodes, small.Depth, small.Style = 4, 2, min(o.Style, Hostile)
		w := scripted{maker: newMaker(t, small), script: script{Old: Values(o).Draw(t, "old")}}
		w.New = trees.Copy(w.Old)

		for range rapid.IntRange(0, 5).Draw(t, "steps") {
			w.step()
		}
		slices.SortFunc(w.Steps, func(a, b scriptStep) int { return a.At.Compare(b.At) })
		return w.script
	})
}

type scripted struct {
	*maker
	script
}

// step adds a step, if it finds a place for it.
func (w *scripted) step() {
	at := rapid.SampledFrom(trees.Places(w.New)).Draw(w.t, "place")
	switch rapid.IntRange(0, 3).Draw(w.t, "step") {
	case 0:
		w.update(at, w.other(at.Value))
	case 1:
		w.add(at)

	case 2:
		w.remove(at)
	case 3:
		if !at.BelowSecret && at.Value.Kind() != value.KindSealed && !w.o.NoSecrets {
			w.update(at, editor{w.maker}.toggleSecret(at.Value))
		}
	}
}

// other is a value that differs from v as a whole: not an object from an object,
// nor an array from an array, and not by its marks alone.
func (w *scripted) other(v value.Value) value.Value {
	changed := w.any()
	k := changed.Kind()
	switch {
	case k.IsContainer() && k == v.Kind():
		return value.Number(1)
	case trees.Bare(changed).Equal(trees.Bare(v)):
		return value.Array(v)
	}

	return changed
}

func (w *scripted) update(at trees.Place, v value.Value) {
	w.do(scriptStep{at.At, diff.OpUpdate, v}, func() (value.Value, error) { return w.New.With(at.At, v) })
}

func (w *scripted) add(at trees.Place) {
	var step path.Step
	switch at.Value.Kind() {
	case value.KindObject:
		key := w.key()
		if _, ok := at.Value.Lookup(key); ok {
			return
		}

		step = path.Key(key)
	case value.KindArray:
		step = path.Index(at.Value.Len())
	case value.KindNull, value.KindBool, value.KindNumber, value.KindString, value.KindAsset, value.KindArchive,
		value.KindResourceReference, value.KindUnknown, value.KindSealed:
		return
	}
	p, v := at.At.Append(step), w.any()
	w.do(scriptStep{p, diff.OpAdd, v}, func() (value.Value, error) { return w.New.With(p, v) })
}

func (w *scripted) remove(at trees.Place) {
	last, ok := at.At.Last()
	if !ok {
		return
	}

	parent, _ := at.At.Parent()
	if i, isIndex := last.AsIndex(); isIndex && w.New.Has(parent.Append(path.Index(i+1))) {
		return // all elements after it would have another index
	}
	w.do(scriptStep{At: at.At, Op: diff.OpDelete}, func() (value.Value, error) { return w.New.Without(at.At) })
}

// do makes a step, unless it gets into the way of another.
func (w *scripted) do(s scriptStep, edit func() (value.Value, error)) {
	for _, other := range w.Steps {
		if s.At.HasPrefix(other.At) || other.At.HasPrefix(s.At) {
			return
		}
	}

	edited, err := edit()
	if err != nil {
		panic("fuzz: a step that does not fit: " + err.Error())
	}
	w.New = edited
	w.Steps = append(w.Steps, s)
}
