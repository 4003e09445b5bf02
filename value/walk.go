package value

import (
	"fmt"
	"iter"

	"github.com/propalg/propalg/path"
)

// Walk iterates over the value and everything in it: parents before what is in
// them, elements by index, members in key order. Entries of archives and the ID
// of a reference are no values of the walk: no path names them. It needs memory
// for the depth, not for the size, and does not recurse.
func (v Value) Walk() iter.Seq[*Cursor] {
	return func(yield func(*Cursor) bool) {
		c := Cursor{value: v, outermost: -1}
		if v.IsSecret() {
			c.outermost = 0
		}
		for {
			c.skip = false
			if !yield(&c) {
				return
			}
			if !c.skip && c.value.Len() > 0 {
				c.above = append(c.above, walkFrame{at: c.value})
			}
			if !c.advance() {
				return
			}
		}
	}
}

// Cursor is a place in a [Value.Walk]. It is valid during its step only: the
// next step changes it. The Values and Paths it gives out may be kept.
type Cursor struct {
	above     []walkFrame // the containers above value, outermost first
	value     Value
	outermost int // how many steps down the outermost secret is, -1 for none
	skip      bool
}

type walkFrame struct {
	at   Value
	next int // the child to go to next; the one before it is on the way to value
}

// advance goes to the next value, and reports whether there is one.
func (c *Cursor) advance() bool {
	for len(c.above) > 0 {
		top := &c.above[len(c.above)-1]
		if top.next == top.at.Len() {
			c.above = c.above[:len(c.above)-1]
			continue
		}
		var child *Value
		if top.at.kind == KindArray {
			child = &top.at.elems()[top.next]
		} else {
			child = &top.at.members()[top.next].Value
		}
		top.next++
		if c.outermost >= len(c.above) {
			c.outermost = -1 // that one was left
		}
		if c.outermost < 0 && child.facts&ownSecret != 0 {
			c.outermost = len(c.above)
		}
		c.value = child.handOut(c.outermost >= 0 && c.outermost < len(c.above))
		return true
	}
	return false
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

func (f *walkFrame) step() path.Step {
	if f.at.kind == KindArray {
		return path.Index(f.next - 1)
	}
	return path.Key(f.at.members()[f.next-1].Key)
}

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
func (c *Cursor) Shown() path.Shown { return path.Show(c.Path(), c.outermost) }

// SkipBelow makes the walk go on behind everything that is in this value.
func (c *Cursor) SkipBelow() { c.skip = true }

// String describes the place for people: the path as it may be shown, and the
// value, masked.
func (c *Cursor) String() string { return c.Shown().String() + ": " + c.value.String() }

// GoString is what %#v shows: the same.
func (c *Cursor) GoString() string { return "value.Cursor{" + c.String() + "}" }

// Format writes the same for every verb.
func (c *Cursor) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(c.String())) }
