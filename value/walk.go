package value

import (
	"fmt"
	"iter"
	"slices"

	"github.com/propalg/propalg/path"
)

// Walk iterates over the value and everything in it, containers before their children.
//
// Elements are in the order of indexes, members in the order of keys. Entries of
// archives and IDs of references are not visited, since they have no paths. The memory
// used grows with the depth, not with the size.
func (v Value) Walk() iter.Seq[*Cursor] {
	return func(yield func(*Cursor) bool) {
		c := Cursor{value: v}
		if yield(&c) && !c.skip && v.kind.IsContainer() {
			c.walk(v, yield)
		}
	}
}

// Find iterates over the values in v that a set of patterns matches, in the order of
// [Value.Walk]. A path is built only by [Cursor.Path].
func (v Value) Find(set *path.Set) iter.Seq[*Cursor] {
	return func(yield func(*Cursor) bool) {
		var m matcher

		for c := range v.Walk() {
			state := m.enter(c, set)
			if !state.MayMatchBelow() {
				c.SkipBelow()
			}
			if state.Matches() && !yield(c) {
				return
			}
		}
	}
}

// Cursor is a place in a [Value.Walk] or a [Value.Transform]. It is valid only until the next
// step; Values and Paths that its methods return may be kept.
type Cursor struct {
	above                  []walkFrame // the containers above value, outermost first
	value                  Value
	skip, removed, dropped bool
}

type walkFrame struct {
	at    Value // as returned to callers
	child int   // the index of the child that is, or contains, the value
}

// walk yields everything in a container, and reports whether to go on.
func (c *Cursor) walk(v Value, yield func(*Cursor) bool) bool {
	c.above = append(c.above, walkFrame{at: v})
	depth := len(c.above)
	children := v.Children()
	for i := range children.n {
		c.above[depth-1].child = i
		_, c.value = children.At(i)
		c.skip = false
		if !yield(c) || (!c.skip && c.value.kind.IsContainer() && !c.walk(c.value, yield)) {
			return false
		}
	}

	c.above = c.above[:depth-1]
	return true
}

// Value returns the value at this place, secret if a container above it is.
func (c *Cursor) Value() Value { return c.value }

// Depth returns the number of steps from the root to the value.
func (c *Cursor) Depth() int { return len(c.above) }

// Step returns the last step of the path. At the root, whose path has no steps, it returns
// the zero Step and false.
func (c *Cursor) Step() (path.Step, bool) {
	if len(c.above) == 0 {
		return path.Step{}, false
	}
	return c.above[len(c.above)-1].step(), true
}

func (f *walkFrame) step() path.Step { return f.at.step(f.child) }

// Path returns the path of the value. Each call builds it, in time and memory that grow
// with the depth. Below a secret its keys are secret too; use [Cursor.Shown] for
// display.
func (c *Cursor) Path() path.Path {
	steps := make([]path.Step, len(c.above))
	for i := range c.above {
		steps[i] = c.above[i].step()
	}
	return path.Of(steps...)
}

// Shown returns the path for display, redacted at the outermost secret.
func (c *Cursor) Shown() path.Shown { return path.Show(c.Path(), c.outermost()) }

// outermost returns how many steps below the root the outermost secret is, or -1.
func (c *Cursor) outermost() int {
	i := slices.IndexFunc(c.above, func(f walkFrame) bool { return f.at.IsSecret() })
	if i < 0 && c.value.IsSecret() {
		return len(c.above)
	}
	return i
}

// SkipBelow makes the walk, or a [Transformer], skip everything inside this value.
func (c *Cursor) SkipBelow() { c.skip = true }

// Remove makes a [Transformer] remove the member or element. The function's result is
// then ignored. In a walk Remove does nothing.
func (c *Cursor) Remove() { c.removed = true }

// DropMarks makes a [Transformer] drop the marks of the value. The result of the
// function then has only its own marks. In a walk DropMarks does nothing.
func (c *Cursor) DropMarks() { c.dropped = true }

// Format writes the redacted path and the masked value for every verb.
func (c *Cursor) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "%v: %v", c.Shown(), c.value) }
