package diff

import (
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/value"
)

// state is what is known of a place on one side. The zero state has no value.
type state struct {
	value.Value
	is presence
}

type presence uint8

const (
	missing presence = iota
	null             // the value is a null that counts as missing
	unsure           // there is a value, but only what changes in it is known
	present
)

func stateOf(v value.Value) state { return state{v, present} }

func oldState(n *difftree.Node) state {
	return stateBy(n.Old, n.Facts.Has(difftree.HasOld), n.Added())
}

func newState(n *difftree.Node) state {
	return stateBy(n.New, n.Facts.Has(difftree.HasNew), n.Removed())
}

func stateBy(v value.Value, has, none bool) state {
	switch {
	case has && none:
		return state{v, null}
	case has:
		return stateOf(v)
	case none:
		return state{}
	}

	return state{is: unsure}
}

// counts reports whether there is a value that does not count as missing.
func (s state) counts() bool { return s.is >= unsure }

// there reports whether there is a value that is known.
func (s state) there() bool { return s.is == present }

func (s state) isContainer() bool { return s.there() && s.Kind().IsContainer() }

// hasKind reports whether the state is a known container of a kind.
func (s state) hasKind(k value.Kind) bool { return s.there() && s.Kind() == k }

func (s state) member(key string) state {
	if v, ok := s.Lookup(key); ok {
		return stateOf(v)
	}
	return state{}
}

func (s state) elem(i int) state {
	if i < s.Len() {
		return stateOf(s.Elem(i))
	}
	return state{}
}

// child returns what is known of a child whose own state is given, from the state of its
// container: its value, or the null that counts as missing.
func (s state) child(kind value.Kind, key string, index int, own state) state {
	if !s.hasKind(kind) || own.there() {
		return own
	}
	known := s.elem(index)
	if kind == value.KindObject {
		known = s.member(key)
	}
	switch {
	case own.is == unsure && known.there():
		return known
	case !own.counts() && kind == value.KindObject && known.IsNull():
		known.is = min(known.is, null)
		return known
	}

	return own
}
