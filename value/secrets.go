package value

import (
	"iter"
	"slices"

	"github.com/propalg/propalg/path"
)

// SecretPaths iterates over the paths of the outermost secrets in v, in the
// order of [Value.Walk]: none of them is below another. It looks only where
// secrets are. A path is built for each, in time that grows with its depth; there
// is no bound on all of them, since none may be missed.
func SecretPaths(v Value) iter.Seq[path.Path] {
	return func(yield func(path.Path) bool) {
		for c := range v.Walk() {
			switch {
			case c.value.IsSecret():
				if !yield(c.Path()) {
					return
				}
				c.SkipBelow()
			case !c.value.ContainsSecret():
				c.SkipBelow()
			}
		}
	}
}

// MarkSecret returns v with the secret mark on every value that a pattern
// matches, those below a secret included. As a step into an unknown gives that
// unknown, a pattern that goes on below an unknown marks the unknown. Where
// nothing is, and where nothing has such parts, a pattern matches nothing. What
// does not change shares memory with v; marking again changes nothing.
func MarkSecret(v Value, patterns *path.Set) Value {
	var m marking
	m.visit(v, patterns.Start())
	for len(m.stack) > 0 {
		top := &m.stack[len(m.stack)-1]
		i := top.next
		top.next++
		switch {
		case i == top.at.Len():
			m.stack = m.stack[:len(m.stack)-1]
			m.finish(top.made(), top.state, top.elems != nil || top.members != nil)
		case top.at.kind == KindArray:
			m.visit(top.at.elems()[i], top.state.Index(i))
		default:
			member := &top.at.members()[i]
			m.visit(member.Value, top.state.Key(member.Key))
		}
	}
	if m.changed {
		return m.result
	}
	return v
}

// marking is a MarkSecret under way: the containers that are open, and in the
// end the result.
type marking struct {
	stack   []markFrame
	result  Value
	changed bool
}

type markFrame struct {
	at      Value
	state   path.State
	next    int      // the child to visit next
	elems   []Value  // a copy, once one of them has changed
	members []Member // likewise
}

// visit opens a container that patterns go on into, and finishes all else.
func (m *marking) visit(v Value, st path.State) {
	if st.Touches() && v.Len() > 0 {
		m.stack = append(m.stack, markFrame{at: v, state: st})
		return
	}
	m.finish(v, st, false)
}

// finish marks a value whose parts are done, and puts it back into its
// container if it, or something in it, has changed.
func (m *marking) finish(v Value, st path.State, changed bool) {
	if st.Ends() || v.kind == KindUnknown && st.Touches() {
		changed = changed || !v.OwnSecret()
		v = Secret(v)
	}
	if !changed {
		return
	}
	if len(m.stack) == 0 {
		m.result, m.changed = v, true
		return
	}
	m.stack[len(m.stack)-1].set(v)
}

// set replaces the child that was visited last.
func (f *markFrame) set(v Value) {
	if f.at.kind == KindArray {
		if f.elems == nil {
			f.elems = slices.Clone(f.at.elems())
		}
		f.elems[f.next-1] = v
		return
	}
	if f.members == nil {
		f.members = slices.Clone(f.at.members())
	}
	f.members[f.next-1].Value = v
}

// made returns the container with the children that have changed.
func (f *markFrame) made() Value {
	switch {
	case f.elems != nil:
		return f.at.remake(makeArray(f.elems))
	case f.members != nil:
		return f.at.remake(makeObject(f.members))
	}
	return f.at
}
