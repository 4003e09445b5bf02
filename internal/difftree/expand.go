package difftree

import (
	"github.com/propalg/propalg/value"
)

// Expand returns a branch with the children of the container that was added or removed
// at s, or nil if the value is not a container or is empty.
func (s Place) Expand() *Branch {
	n := s.Node()
	v, rest := n.New, HasNew
	switch n.Op {
	case OpAdd, OpInsert:
	case OpDelete, OpRemove:
		v, rest = n.Old, HasOld
	case OpUpdate, OpMove:
		return nil
	}
	if v.Len() == 0 {
		return nil
	}

	b := &Branch{Up: s.In, At: s.At, Kind: v.Kind(), Rules: s.In.Rules, Secret: s.In.Secret || v.IsSecret()}
	b.Nodes = make([]Node, 0, v.Len())
	leaf := func(key string, i int, x value.Value, verdict value.Verdict) {
		l := Node{
			Key: key, OldIndex: ClampIndex(i), NewIndex: ClampIndex(i), Op: n.Op,
			Facts: IsChange | ValueChanged | rest, Verdict: b.Rules.ResultOf(verdict),
		}
		if rest == HasOld {
			l.Old = x
		} else {
			l.New = x
		}
		b.Nodes = append(b.Nodes, l)
	}
	for i, x := range v.Elems() {
		leaf("", i, x, value.Changed)
	}
	for k, x := range v.Members() {
		if !b.Rules.Absent(x, v.IsSecret()) {
			leaf(k, 0, x, value.Internal.Alone(b.Rules.Relation, x))
		}
	}

	if len(b.Nodes) == 0 {
		return nil
	}
	return b
}
