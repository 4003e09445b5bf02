package provider

// NOTE: An element of the new state is an input by this way, from right to left:
//
//	inputs     a   b           c        found: which element of the old state each one is
//	old state  a'  b'  d       c'       the diff of the states: which one of the new state
//	new state  a'  b"  d   e   -
//	result     a   b*      e            b* is b with the change; d was never an input

import (
	"slices"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// array returns the inputs of an array. They are in the order of the old inputs, new ones behind
// the one that precedes them in the new state; if elements moved in the state, in its order.
func (r *reader) array(p spot) side {
	inputs, ok := p.inputs()
	if !ok {
		return r.whole(p)
	}

	below := p.node.Inside()
	items, front := make([]item, 0, p.now.Len()), -1
	for j, partner := range below.Partners(p.old.Len(), p.now.Len()) {
		e := spot{now: there(p.now.Elem(j)), node: partner.Node, shape: p.shape.elem(), maps: p.maps.Next(path.Index(j))}
		at := -1
		if partner.At >= 0 {
			e.old, at = there(p.old.Elem(partner.At)), inputs[partner.At].At
		}
		if at >= 0 {
			e.in, e.found = there(p.in.Elem(at)), inputs[partner.At].Node.Inside()
		}
		v := r.element(e)
		if !v.there {
			continue
		}
		if at >= 0 {
			front = at
		}
		items = append(items, item{v.Value, front, at})
	}

	if !hasMoves(below) {
		slices.SortStableFunc(items, func(a, b item) int { return a.behind - b.behind })
	}
	return there(p.marked(p.arrayOf(items)))
}

// item is an element of the result.
type item struct {
	value.Value
	behind int // the index in the old inputs of this element or, if it is new, of that before it
	at     int // its own index there, or a negative one
}

// arrayOf returns the old inputs with other elements.
func (p *spot) arrayOf(items []item) value.Value {
	same := len(items) == p.in.Len()
	for i := 0; same && i < len(items); i++ {
		same = items[i].at == i && value.Internal.SharesMemory(items[i].Value, p.in.Elem(i))
	}
	if same {
		return p.in.Value
	}

	elems := make([]value.Value, len(items))
	for i := range items {
		elems[i] = difftree.NotInherited(items[i].Value, p.in.IsSecret())
	}
	return array(elems).WithMarksOf(p.in.Value)
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
func (r *reader) element(e spot) side {
	n := e.node
	if e.old.there && (n == nil || (n.Op == difftree.OpMove && n.Below == nil && !n.Facts.Has(difftree.Own))) {
		return e.in
	}
	return r.place(e)
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
