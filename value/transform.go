package value

import (
	"slices"
	"sync"

	"github.com/propalg/propalg/path"
)

// Transform returns v rebuilt by f from its leaves up.
//
// f is called for every value in v, with members and elements before their container.
// It returns the replacement, or [Cursor.Value] to keep the value. Transform is
// [Transformer.Apply] with f as After. It panics if f is nil.
func (v Value) Transform(f func(c *Cursor) (Value, error)) (Value, error) {
	if f == nil {
		panic("value: Transform with a nil function")
	}
	return Transformer{After: f}.Apply(v)
}

// Transformer is a pair of functions that rebuild a value. Either of them may be nil.
//
// Before is called for a value before everything in it, and its result is visited.
// After is called after everything in it, with the rebuilt container. Both return the
// replacement of the value. If Before calls [Cursor.SkipBelow], nothing in its result
// is visited, and After is not called.
type Transformer struct {
	Before, After func(c *Cursor) (Value, error)

	// Archives makes the functions visit the entries of literal archives too. The place
	// of an entry is that of the archive. An archive keeps its hash even if entries
	// change.
	Archives bool
}

// Apply returns v with values replaced by what the functions of t return for them. To
// remove a member or element, a function calls [Cursor.Remove].
//
// Marks are kept: a rebuilt container has the marks of the original one, and a replacement
// has those of the value that it replaces in addition to its own, unless
// [Cursor.DropMarks] is called. A value that is secret because of a container above it
// does not get a mark of its own. Unknowns and sealed secrets are leaves. Unchanged parts
// share memory with v; if nothing changes, v is returned and nothing is allocated.
//
// The error is an [*Error] with the place. It wraps the error that a function returned,
// [ErrRoot] if the root was removed, [ErrDepth] if the result exceeds [MaxDepth], and
// [ErrKind] or [ErrMarks] for an entry that an archive cannot hold.
func (t Transformer) Apply(v Value) (Value, error) {
	e, _ := edits.Get().(*editor)
	e.by = t
	made, kept, err := e.transform(v, Value{})
	if err == nil && !kept {
		err = e.fail(ErrRoot)
	}
	above := e.above
	if cap(above) > mostKept {
		above = nil
	}
	clear(above[:cap(above)])
	*e = editor{Cursor: Cursor{above: above}}
	edits.Put(e)

	if err != nil {
		return Value{}, err
	}
	return made, nil
}

// A cursor keeps room for mostKept levels between calls.
const mostKept = 64

// edits holds cursors for the next call, so that a transform that changes nothing
// allocates nothing.
var edits = sync.Pool{New: func() any { return new(editor) }} //nolint:gochecknoglobals // the one pool of the package

type editor struct {
	Cursor

	by Transformer
}

// transform returns what takes the place of v, a part of a container, and whether
// there is such a value.
func (e *editor) transform(v, container Value) (w Value, kept bool, err error) {
	v, kept, err = e.call(e.by.Before, v, container)
	if err != nil || !kept || e.skip {
		return v, kept, err
	}

	v, err = e.below(v)
	if err != nil {
		return Value{}, false, err
	}
	return e.call(e.by.After, v, container)
}

func (e *editor) call(f func(*Cursor) (Value, error), v, container Value) (w Value, kept bool, err error) {
	e.value, e.skip, e.removed, e.dropped = v, false, false, false
	if f == nil {
		return v, true, nil
	}

	w, err = f(&e.Cursor)
	switch {
	case err != nil:
		return Value{}, false, e.fail(err)
	case e.removed:
		return Value{}, false, nil
	case w.is(&v):
		return v, true, nil
	case e.Depth()+w.Depth() > MaxDepth:
		return Value{}, false, e.fail(ErrDepth)
	}

	if !e.dropped {
		w = w.WithMarksOf(v)
	}
	return w.AsPartOf(container), true, nil
}

func (e *editor) below(v Value) (Value, error) {
	switch {
	case v.Len() > 0:
		e.above = append(e.above, walkFrame{at: v})
		made, err := v.rebuilt(func(i int, child Value) (Value, bool, error) {
			e.above[len(e.above)-1].child = i
			return e.transform(child, v)
		})
		e.above = e.above[:len(e.above)-1]
		return made, err
	case v.kind == KindArchive && e.by.Archives:
		return e.entries(v)
	}

	return v, nil
}

func (e *editor) entries(v Value) (Value, error) {
	entries, err := rebuiltAll(v.archive().entries, (*Member).value, v.IsSecret(), func(_ int, entry Value) (Value, bool, error) {
		return e.transform(entry, v)
	})
	if err != nil || entries == nil {
		return v, err
	}
	made, refused := v.withEntries(entries)
	if refused != nil {
		refused.Op, refused.At = opTransform, e.Shown()
		return Value{}, refused
	}

	return made, nil
}

const opTransform = "transform"

// fail returns the error for this place.
func (e *editor) fail(cause error) error {
	return &Error{Op: opTransform, At: e.Shown(), err: cause}
}

// Update returns v with the values that a set of patterns matches replaced by f, from
// the leaves up; see [Transformer.Apply]. It panics if f is nil.
func (v Value) Update(set *path.Set, f func(c *Cursor) (Value, error)) (Value, error) {
	if f == nil {
		panic("value: Update with a nil function")
	}

	m := matcher{states: make([]path.Matcher, 0, fewAbove)}
	t := Transformer{
		Before: func(c *Cursor) (Value, error) {
			if !m.enter(c, set).MayMatchBelow() {
				c.SkipBelow()
			}

			return c.value, nil
		},
		After: func(c *Cursor) (Value, error) {
			if !m.states[c.Depth()].Matches() {
				return c.value, nil
			}
			return f(c)
		},
	}
	return t.Apply(v)
}

type matcher struct {
	states []path.Matcher // of the place and of those above it
}

// enter returns the state at the place of c, of which the parent was entered before.
func (m *matcher) enter(c *Cursor, set *path.Set) path.Matcher {
	state := set.Matcher()
	if step, ok := c.Step(); ok {
		state = m.states[c.Depth()-1].Next(step)
	}
	m.states = append(m.states[:c.Depth()], state)
	return state
}

// replacement returns what takes the place of child i of a container, and whether it
// is kept at all.
type replacement func(i int, child Value) (w Value, kept bool, err error)

// rebuilt returns an array or object with its children replaced and with its marks. If
// nothing changes it is v itself.
func (v Value) rebuilt(f replacement) (Value, error) {
	switch v.kind {
	case KindArray:
		elems, err := rebuiltAll(v.elems(), (*Value).itself, v.IsSecret(), f)
		if err != nil || elems == nil {
			return v, err
		}
		return makeArray(elems).WithMarksOf(v), nil
	case KindObject:
		members, err := rebuiltAll(v.members(), (*Member).value, v.IsSecret(), f)
		if err != nil || members == nil {
			return v, err
		}
		return makeObject(members).WithMarksOf(v), nil
	case KindNull, KindBool, KindNumber, KindString, KindAsset, KindArchive,
		KindResourceReference, KindUnknown, KindSealed:
	}

	return v, nil
}

// withEntries returns a literal archive with other entries, sorted by name, and with
// its hash and marks.
func (v Value) withEntries(entries []Member) (Value, *Error) {
	a, err := newLiteral(entries)
	if err != nil {
		return Value{}, err
	}
	a.hash = v.archive().hash
	return makeArchive(a).WithMarksOf(v), nil
}

func rebuiltAll[T any](children []T, valueOf func(*T) *Value, secret bool, f replacement) ([]T, error) {
	var own []T
	for i := range children {
		old := valueOf(&children[i])
		w, kept, err := f(i, old.handOut(secret))
		if err != nil {
			return nil, err
		}

		w = w.settleBelow(secret)
		if own == nil {
			if kept && w.is(old) {
				continue
			}

			own = slices.Grow([]T{}, len(children))
			own = append(own, children[:i]...)
		}
		if kept {
			own = append(own, children[i])
			*valueOf(&own[len(own)-1]) = w
		}
	}
	return own, nil
}

func (v *Value) itself() *Value { return v }

func (m *Member) value() *Value { return &m.Value }

func (v *Value) is(w *Value) bool { return v.ptr == w.ptr && v.num == w.num && v.meta == w.meta }
