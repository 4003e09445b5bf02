package provider

// NOTE: The tree of the diff from the old state to the new one says where something changed, and
// which of their elements belong together. A reader goes through the three values at the nodes
// of that tree only, so that nothing else of the old inputs is touched. Which elements of the
// inputs are which of the old state is another diff, made only where elements are not matched by
// index. What is an input at all is in read_shape.go.

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/arena"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/given"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

var errNoInputs = errors.New("provider: read inputs: no old inputs, and no schema that says which outputs are inputs (see FromSchema)")

// ReadInputs returns the inputs that the new state of a resource means: what a provider's Read
// returns as inputs, beside the state that it has read.
//
// Where the new state equals the old one, under d.Relation and d.Equality, the old inputs stay
// as they are. So what a provider normalizes, fills in or does not return is no drift. Where the
// new state differs, the same change is made on the inputs. Without any difference, the result
// is oldInputs itself.
//
// Nothing comes into the inputs that is no input. If d is from [FromSchema], inputs are the
// properties that the schema has there; an optional one that was left out appears when it
// changes. Otherwise they are the names that the old inputs have at a place; all elements of an
// array have the names that one of them has. Entries that are added to objects outside appear if
// the schema calls them maps, or d.Maps matches them.
//
// Elements of the old inputs are found in the old state, and those in the new state, as d.Arrays
// and d.ArrayRules say. If one is not found in the old state, and the array changed, its inputs
// are those of the new state. In arrays whose order does not matter, a new order is no change.
//
// A value that changed is secret if it is in the old inputs or in one of the states. In an array
// the same place of any other element counts too, and for a new entry of a map that of any other
// entry, since which of them was secret is not known for sure any more.
//
// For an import there are no old inputs: oldInputs is null, and the result is all of the new
// state that the schema calls inputs. Without a schema that is an error, whatever d.InputNames
// has. If newState is null,
// the resource is gone, and the result is null. It is an error if one of the values holds an
// unknown. All other values of whatever kinds have a result.
func (d Differ) ReadInputs(oldInputs, oldState, newState value.Value) (value.Value, error) {
	for _, side := range []struct {
		name  string
		value value.Value
	}{{"old inputs", oldInputs}, {"old state", oldState}, {"new state", newState}} {
		if side.value.ContainsUnknown() {
			return value.Value{}, unknownIn(side.name, side.value)
		}
	}

	switch {
	case protocol.Nothing(newState):
		return value.Value{}, nil
	case protocol.Nothing(oldInputs) && d.resource == nil:
		return value.Value{}, errNoInputs
	}
	r := readers.Get().(*reader) //nolint:errcheck,forcetypeassert // the pool holds nothing else
	defer r.giveBack()
	r.options = d.options()
	r.options.Relation |= value.Engine
	r.rules = difftree.Rules{Relation: r.options.Relation}
	if protocol.Nothing(oldInputs) {
		return r.cut(newState, r.shape(&d, oldInputs, oldState), d.Maps.Matcher()), nil
	}

	oldState = protocol.Present(oldState)
	newState = r.respelled(&d, oldState, newState)
	top, done := diff.Internal.Tracing(oldState, newState, r.options)
	defer done()
	if top == nil {
		return oldInputs, nil
	}
	p := spot{
		in: there(oldInputs), old: there(oldState), now: there(newState), node: top,
		shape: r.shape(&d, oldInputs, oldState), maps: d.Maps.Matcher(),
	}
	found, done := r.found(&d, &p)
	defer done()
	p.found = found.Inside()
	return r.place(p).Value, nil
}

// unknownIn returns the error for a value that holds an unknown.
func unknownIn(side string, v value.Value) error {
	for at := range v.Walk() {
		if x := at.Value(); x.ContainsUnknown() && !x.Kind().IsContainer() {
			if place := at.Shown().String(); place != "" {
				side += ": " + scan.Line(place)
			}
			break
		}
	}
	return fmt.Errorf("provider: read inputs: %s: %w", side, value.ErrUnknown)
}

// reader makes the inputs of a new state.
type reader struct {
	options diff.Options
	rules   difftree.Rules
	shapes  arena.Of[shape]
	edits   []edit // of the objects that are being made, those of inner ones last
	leaf    shape  // of inputs without anything inside, no secrets, and no schema
}

var readers = sync.Pool{New: func() any { return &reader{leaf: shape{input: true}} }} //nolint:gochecknoglobals // keeps memory for shapes

func (r *reader) giveBack() {
	r.options, r.rules = diff.Options{}, difftree.Rules{}
	clear(r.edits)
	if r.edits = r.edits[:0]; cap(r.edits) > manyEntries {
		r.edits = nil
	}
	r.shapes.Wipe()
	readers.Put(r)
}

// side is a value that may be missing.
type side struct {
	value.Value
	there bool
}

func there(v value.Value) side { return side{v, true} }

func (s *side) member(key string) side {
	if s.Kind() != value.KindObject {
		return side{}
	}
	v, ok := s.Lookup(key)
	return side{v, ok}
}

// spot is a place in the three values, at which the states differ.
type spot struct {
	in, old, now side
	node         *difftree.Node   // of the place in the diff of the states
	shape        *shape           // what is an input there
	maps         path.Matcher     // of Differ.Maps
	found        *difftree.Branch // the diff from the inputs to the old state there, or nil
}

// respelled returns the new state in the spelling of the old one. A secret is spelled so too,
// and keeps its mark.
func (r *reader) respelled(d *Differ, old, now value.Value) value.Value {
	o := r.options
	o.Relation |= value.IgnoreSecrets
	return d.Equality.Respell(old, now, o)
}

// found returns the diff from the inputs to what are inputs of the old state, at the names that
// changed, or nil if all elements are surely found by their index, and what ends its use.
func (r *reader) found(d *Differ, p *spot) (top *difftree.Node, done func()) {
	in, old, changed := p.in.Value, p.old.Value, p.node.Below
	if (r.options.Arrays == diff.Positional() && len(r.options.ArrayRules) == 0) || !hasArrays(changed) {
		return nil, func() {}
	}

	if in.Kind() == value.KindObject && old.Kind() == value.KindObject {
		name := func(name string) bool { return changed.Member(name) != nil }
		in, old = protocol.Restrict(in, name), protocol.Restrict(old, name)
	}
	o := r.options
	o.Relation |= value.IgnoreSecrets | value.IgnoreDependencies
	if o.Relation.Equal(in, old) {
		return nil, func() {}
	}
	return diff.Internal.Tracing(in, r.respelled(d, in, r.cut(old, p.shape, p.maps)), o)
}

func hasArrays(b *difftree.Branch) bool {
	if b == nil || b.Kind == value.KindArray {
		return b != nil
	}
	for i := range b.Nodes {
		if hasArrays(b.Nodes[i].Below) {
			return true
		}
	}
	return false
}

// place returns the inputs at a place.
func (r *reader) place(p spot) side {
	in, old, now := p.in.Kind(), p.old.Kind(), p.now.Kind()
	switch {
	case !p.now.there:
		return side{}
	case !p.in.there:
		if p.old.there && !p.changed() {
			return side{}
		}
		return r.taken(p)

	case in == value.KindObject && now == value.KindObject && (old == value.KindObject || !p.old.there):
		return r.object(p)
	case in == value.KindArray && now == value.KindArray && old == value.KindArray:
		return r.array(p)
	}
	return r.whole(p)
}

// whole returns the inputs where the value is not changed in parts.
func (r *reader) whole(p spot) side {
	if p.old.there && !p.changed() {
		return there(p.marked(p.in.Value))
	}
	return r.taken(p)
}

// taken returns the new state, without what is no input. What was secret there, in the inputs
// or in the old state, the shape knows.
func (r *reader) taken(p spot) side {
	return there(r.cut(p.now.Value, p.shape, p.maps).WithMarksOf(p.in.Value))
}

// marked returns v with the marks that the state got.
func (p *spot) marked(v value.Value) value.Value {
	if !p.old.there || p.node.Facts.Has(difftree.SecretChanged|difftree.DependenciesChanged) {
		return v.WithMarksOf(p.now.Value)
	}
	return v
}

// changed reports whether the states differ at the place in more than marks, at an input.
func (p *spot) changed() bool { return changed(p.node, p.shape, p.maps) }

func changed(n *difftree.Node, s *shape, maps path.Matcher) bool {
	switch {
	case s == nil:
		return false
	case n.Below == nil:
		return !n.Facts.Has(difftree.Own) && n.Facts.Has(difftree.ValueChanged)
	}

	for i := range n.Below.Nodes {
		m, below := &n.Below.Nodes[i], s.elem()
		step := n.Below.Step(i, false)
		if key, ok := step.AsKey(); ok {
			below = s.member(key, maps.Matches())
		}
		if (m.Facts.Has(difftree.Moved) && !n.Below.Unordered) || changed(m, below, maps.Next(step)) {
			return true
		}
	}
	return false
}

// object returns the inputs of an object, with the members that changed.
func (r *reader) object(p spot) side {
	from := len(r.edits)
	edit := func(key string, n *difftree.Node, old, now side) {
		m := spot{in: p.in.member(key), old: old, now: now, node: n}
		if m.in.there && !now.Kind().IsContainer() && p.shape.isClear() {
			m.shape = &r.leaf
		} else if m.shape = p.shape.member(key, p.maps.Matches()); m.shape == nil {
			return
		}
		m.maps, m.found = p.maps.Next(path.Key(key)), p.found.Member(key).Inside()
		r.set(key, m.in, r.place(m))
	}

	if !p.old.there {
		for key, v := range p.now.Members() {
			if !r.rules.Absent(v, p.now.IsSecret()) {
				edit(key, nil, side{}, there(v))
			}
		}
	} else if below := p.node.Inside(); below != nil {
		for i := range below.Nodes {
			n := &below.Nodes[i]
			old, now := p.sides(n)
			edit(n.Key, n, old, now)
		}
	}
	return there(p.marked(r.edited(p.in.Value, from)))
}

// sides returns the member of a node in the states. A change has them itself.
func (p *spot) sides(n *difftree.Node) (old, now side) {
	if n.Below != nil {
		return p.old.member(n.Key), p.now.member(n.Key)
	}
	return side{n.Old, n.Facts.Has(difftree.HasOld) && !n.Added()}, side{n.New, n.Facts.Has(difftree.HasNew) && !n.Removed()}
}

// edit is a member of an object that changes.
type edit struct {
	key string
	is  side
}

// set notes a member of the object that is being made. They are set in the order of their keys.
func (r *reader) set(key string, was, is side) {
	if was.there != is.there || (is.there && !value.Internal.SharesMemory(was.Value, is.Value)) {
		r.edits = append(r.edits, edit{key, is})
	}
}

// edited returns an object with the edits that were noted from an index on, and drops these.
func (r *reader) edited(object value.Value, from int) value.Value {
	all := r.edits[from:]
	if len(all) == 0 {
		return object
	}
	keyOf := func(i int) string { return all[i].key }
	made := value.Internal.WithFields(object, object.IsSecret(), len(all), keyOf, func(i int, _ value.Value, _ bool) (value.Value, bool) {
		return all[i].is.Value, all[i].is.there
	})
	clear(all)
	r.edits = r.edits[:from]
	return made.WithMarksOf(object)
}

// array returns an array, and keeps the memory of its elements if no secret mark has to be
// settled.
func array(elems []value.Value) value.Value {
	if slices.ContainsFunc(elems, value.Value.IsSecret) {
		return value.Array(elems...)
	}
	return value.Internal.ArrayOf(given.Away(elems))
}
