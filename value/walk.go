package value

import (
	"fmt"
	"iter"
	"slices"

	"github.com/propalg/propalg/path"
)

// Walk iterates over the value and everything in it: parents before what is in
// them, elements by index, members in key order. Entries of archives and the ID
// of a reference are no values of the walk: no path names them. It needs memory
// for the depth, not for the size.
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
func Find(v Value, set *path.Set) iter.Seq[*Cursor] {
	return func(yield func(*Cursor) bool) {
		var m matcher

		for c := range v.Walk() {
			state := m.enter(c, set)
			if !state.Touches() {
				c.SkipBelow()
			}

			if state.Ends() && !yield(c) {
				return
			}
		}
	}
}

// Cursor is a place in a [Value.Walk] or a [Transform]. It is valid during its step
// only: the next step changes it. The Values and Paths it gives out may be kept.
type Cursor struct {
	above                  []walkFrame // the containers above value, outermost first
	value                  Value
	skip, removed, dropped bool
}

type walkFrame struct {
	at    Value // as handed out
	child int   // the one on the way to value
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

// Depth returns how many steps the value is below the root.
func (c *Cursor) Depth() int { return len(c.above) }

// Step returns the last step of the path, and false at the root.
func (c *Cursor) Step() (path.Step, bool) {
	if len(c.above) == 0 {
		return path.Step{}, false
	}
	return c.above[len(c.above)-1].step(), true
}

func (f *walkFrame) step() path.Step { return f.at.step(f.child) }

// Path returns the path of the value. It is built by this call, in time and
// memory that grow with the depth. Below a secret its keys are secret too: show
// [Cursor.Shown] instead.
func (c *Cursor) Path() path.Path {
	steps := make([]path.Step, len(c.above))
	for i := range c.above {
		steps[i] = c.above[i].step()
	}
	return path.Of(steps...)
}

// Shown returns the path as texts may show it, cut at the outermost secret.
func (c *Cursor) Shown() path.Shown { return path.Show(c.Path(), c.outermost()) }

// outermost returns how many steps below the root the outermost secret is, -1 for none.
func (c *Cursor) outermost() int {
	i := slices.IndexFunc(c.above, func(f walkFrame) bool { return f.at.IsSecret() })
	if i < 0 && c.value.IsSecret() {
		return len(c.above)
	}

	return i
}

// SkipBelow makes the walk, or a [Transformer], skip everything in this value.
func (c *Cursor) SkipBelow() { c.skip = true }

// Remove makes a [Transformer] remove the member or element; what the function returns
// is not used. In a walk it does nothing.
func (c *Cursor) Remove() { c.removed = true }

// DropMarks makes a [Transformer] drop the marks of the value: what the function returns
// has its own only. In a walk it does nothing.
func (c *Cursor) DropMarks() { c.dropped = true }

// String describes the place for people: the path as it may be shown, and the
// value, masked.
func (c *Cursor) String() string { return c.Shown().String() + ": " + c.value.String() }

// GoString is what %#v shows: the same.
func (c *Cursor) GoString() string { return "value.Cursor{" + c.String() + "}" }

// Format writes the same for every verb.
func (c *Cursor) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(c.String())) }
