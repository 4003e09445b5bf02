package provider

// NOTE: An element of the new state is an input by this way, from right to left:
//
//	inputs     a   b           c        found: which element of the old state each one is
//	old state  a'  b'  d       c'       the diff of the states: which one of the new state
//	new state  a'  b"  d   e   -
//	result     a   b*      e            b* is b with the change; d was never an input

import (
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// array returns the inputs of an array. They are in the order of the old inputs, new ones behind
// the one that precedes them in the new state; if elements moved in the state, in its order.
func (r *reader) array(p *spot) side {
	inputs, ok := p.inputs()
	if !ok {
		return r.whole(p)
	}

	below := p.node.Inside()
	a := arrayReader{spot: p, behind: make([][]value.Value, p.in.Len()+1), kept: make([]side, p.in.Len())}
	for j, partner := range below.Partners(p.old.Len(), p.now.Len()) {
		e := spot{now: there(p.now.Elem(j)), node: partner.Node, shape: p.shape.elem(), maps: p.maps.Next(path.Index(j))}
		at := -1
		if partner.At >= 0 {
			e.old, at = there(p.old.Elem(partner.At)), inputs[partner.At].At
		}
		if at >= 0 {
			e.in, e.found = there(p.in.Elem(at)), inputs[partner.At].Node.Inside()
		}
		a.add(at, r.element(&e))
	}
	return there(p.marked(a.finish(below)))
}

// inputs returns the partners in the inputs of the elements of the old state, and false if an
// element of the inputs is not in the old state.
func (p *spot) inputs() ([]difftree.Partner, bool) {
	n, m := p.in.Len(), p.old.Len()
	if b := p.found; b != nil && (b.Kind != value.KindArray || b.OldLen() != n || b.NewLen() != m) {
		return nil, false // a rule of equality hid what the old state has
	}

	all, count := p.found.Partners(n, m), 0
	for _, partner := range all {
		if partner.At >= 0 {
			count++
		}
	}
	return all, count == n
}

// element returns the inputs of an element of the new state.
func (r *reader) element(e *spot) side {
	n := e.node
	if e.old.there && (n == nil || (n.Op == difftree.OpMove && n.Below == nil && !n.Facts.Has(difftree.Own))) {
		return e.in
	}
	return r.place(e)
}

// arrayReader gathers the elements of an array.
type arrayReader struct {
	*spot
	kept    []side          // the old inputs, by their indexes
	behind  [][]value.Value // what comes behind each of them; the first is what comes before all
	inOrder []value.Value   // all of them, in the order of the new state
	last    int             // so many of behind come before the next element
}

// add adds the next element of the new state, and its index in the old inputs, or a negative one.
func (a *arrayReader) add(at int, v side) {
	if !v.there {
		return
	}

	x := difftree.NotInherited(v.Value, a.in.IsSecret())
	a.inOrder = append(a.inOrder, x)
	if at < 0 {
		a.behind[a.last] = append(a.behind[a.last], x)
		return
	}
	a.last = at + 1
	a.kept[at] = side{x, true}
}

func (a *arrayReader) finish(b *difftree.Branch) value.Value {
	elems := append(make([]value.Value, 0, len(a.inOrder)), a.behind[0]...)
	for i, v := range a.kept {
		if v.there {
			elems = append(elems, v.Value)
		}
		elems = append(elems, a.behind[i+1]...)
	}
	if hasMoves(b) {
		elems = a.inOrder
	}
	same := len(elems) == a.in.Len()
	for i := 0; same && i < len(elems); i++ {
		same = value.Internal.SharesMemory(elems[i], difftree.NotInherited(a.in.Elem(i), a.in.IsSecret()))
	}
	if same {
		return a.in.Value
	}
	return value.Array(elems...).WithMarksOf(a.in.Value)
}

// hasMoves reports whether elements moved in an array whose order matters.
func hasMoves(b *difftree.Branch) bool {
	if b == nil || b.Unordered {
		return false
	}
	for i := range b.Nodes {
		if b.Nodes[i].Facts.Has(difftree.Moved) {
			return true
		}
	}
	return false
}
