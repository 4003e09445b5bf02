package diff

import (
	"fmt"
	"iter"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Place is a node in the tree of a diff: a change, a container with changes inside, or
// both.
//
// It is for code that writes diffs in other formats; [Builder] reads them back. The
// zero Place is not a node.
type Place struct {
	at    difftree.Handle
	depth int
}

// Places iterates over all places of the diff in path order: the root first, and every
// container before the changes inside it.
func (d Diff) Places() iter.Seq[Place] {
	return func(yield func(Place) bool) {
		s, depth := d.root(), 0
		for s.In != nil {
			if !yield(Place{s.Handle(), depth}) {
				return
			}
			if below := s.Node().Below; below != nil {
				s, depth = below.Child(0), depth+1
				continue
			}
			for s.In != nil && s.At+1 == len(s.In.Nodes) {
				s, depth = s.Container(), depth-1
			}
			s.At++
		}
	}
}

// Depth returns the number of containers above the place.
func (p Place) Depth() int { return p.depth }

// Change returns the change at the place, and false if there is none: at a container
// that only has changes inside, and at an element that moved in an unordered array.
func (p Place) Change() (Change, bool) {
	if !nodeOf(p.at).Facts.Has(difftree.IsChange) {
		return Change{}, false
	}
	return Change{p.at}, true
}

// Shown returns the path of the place for display, like [Change.Shown]. Each call
// builds it.
func (p Place) Shown() path.Shown { return Change{p.at}.Shown() }

// Record returns the record of the place, without the changes inside it. Below a secret its
// Key is empty, and [Record.RevealKey] has it; use [Place.Shown] for display.
func (p Place) Record() Record {
	n := nodeOf(p.at)
	r := Record{
		Key: n.Key, OldAt: n.OldAt(), NewAt: n.NewAt(), Op: Op(n.Op), Old: n.Old, New: n.New, Verdict: n.Verdict,
		Moved: n.Facts.Has(difftree.Moved), OverNull: (n.Added() || n.Removed()) && n.Facts.Has(difftree.HasOld) && n.Facts.Has(difftree.HasNew),
	}
	if n.Facts.Has(difftree.Own) {
		r.Own = ownOf(n.Facts)
	}
	if in := p.at.In.Open(); in != nil && in.Secret {
		r.Key, r.hidden = "", veil.Hide(&n.Key)
	}

	return r
}

// Inside describes the container at the place, if there are changes inside it. Otherwise it
// returns false.
func (p Place) Inside() (Inside, bool) {
	b := nodeOf(p.at).Below
	if b == nil {
		return Inside{}, false
	}
	return Inside{Kind: b.Kind, OldLen: b.OldLen(), NewLen: b.NewLen(), Unordered: b.Unordered, Secret: b.Secret}, true
}

// Record is the description of one place in a diff. Op, and the container of the place,
// determine which of its fields are used.
type Record struct {
	// Key is the key of a member. That of a record that [Place.Record] returns is empty
	// below a secret, where keys are secret too; see [Record.RevealKey].
	Key string
	// OldAt and NewAt are the indexes of an element in the old and in the new array. They
	// are equal in arrays that are compared index by index. In other arrays, OldAt of an
	// added element is one more than the old index of the nearest element before it that
	// is on both sides and did not move, or 0 if there is none. NewAt of a removed element
	// is one more than the new index of such an element, or 0.
	OldAt, NewAt int
	// Op is the operation, or 0 for a container that only has changes inside. In an
	// unordered array OpMove does not count as a change.
	Op Op
	// Old and New are the values of the sides that Op has: both for OpUpdate and
	// OpMove.
	Old, New value.Value
	// OverNull reports whether the other side of an OpAdd or OpDelete is a null that
	// counts as missing.
	OverNull bool
	// Moved reports whether the element moved among the others. Op need not be OpMove,
	// as when the element was also updated.
	Moved bool
	// Own is the set of changes of a container itself: of its dependencies, order or
	// length. If it is not zero, the record changes nothing else of the container;
	// changes of its contents are records of their own.
	Own Own
	// Verdict is the verdict of the change. A Builder only uses [value.Maybe], for a
	// pair of elements that was matched by guess; it determines all others itself.
	Verdict value.Verdict

	hidden veil.Pointer[string] // below a secret the key, which printers of any kind must not see
}

// RevealKey returns the key of a member, also below a secret. For an element it returns "".
func (r Record) RevealKey() string {
	if key := r.hidden.Open(); key != nil {
		return *key
	}
	return r.Key
}

// String returns one line such as `update size: 1 => 2`. Secrets are masked, long values are
// cut, and of a container the kind and size are shown; a record below a secret is "[secret]".
func (r Record) String() string {
	inherits := func(v value.Value) bool { return v.IsSecret() && !v.OwnSecret() }
	if r.hidden.Open() != nil || inherits(r.Old) || inherits(r.New) {
		return veil.SecretText
	}

	text, place := "inside", ""
	if r.Op != 0 {
		text = r.Op.String()
	}
	switch {
	case r.Key != "":
		place = shownPlace(path.Of(path.Key(r.Key)))
	case r.OldAt != r.NewAt:
		place = fmt.Sprintf("[%d] => [%d]", r.OldAt, r.NewAt)
	case r.NewAt != 0:
		place = fmt.Sprintf("[%d]", r.NewAt)
	}
	if place != "" {
		text += " " + place
	}
	if r.Op != 0 {
		text += ": " + r.sides()
	}
	return text
}

// sides returns the text of the values. Neither is shown if one is secret. Of a container
// only the kind and size are shown, since a place in it may be secret on the other side.
func (r *Record) sides() string {
	show := func(v value.Value) string {
		switch {
		case r.Old.IsSecret() || r.New.IsSecret():
			return veil.SecretText
		case v.Kind().IsContainer():
			return outlined(v)
		}
		return cutText(v.String())
	}
	switch r.Op {
	case OpAdd, OpInsert:
		return show(r.New)
	case OpDelete, OpRemove:
		return show(r.Old)
	case OpUpdate, OpMove:
	}

	return show(r.Old) + " => " + show(r.New)
}

// Format writes [Record.String] for every verb. Flags, width and precision have no effect.
func (r Record) Format(s fmt.State, _ rune) { _, _ = s.Write([]byte(r.String())) }

// MarshalText returns the text of [Record.String], for encoding/json and log/slog. It
// cannot be read back; package codec/patch has a form that can.
func (r Record) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// Own is a set of changes of a container itself, not of its contents: of its
// dependencies, order or length. Combine them with |.
type Own uint8

// The changes of a container itself.
const (
	OwnDependencies Own = 1 << iota // its dependencies
	OwnOrder                        // the order of elements of an unordered array
	OwnLength                       // the length of an array whose elements were matched by guess
)

func ownOf(f difftree.Facts) Own {
	var o Own
	if f.Has(difftree.DependenciesChanged) {
		o |= OwnDependencies
	}
	if f.Has(difftree.OrderChanged) {
		o |= OwnOrder
	}
	if f.Has(difftree.ValueChanged) {
		o |= OwnLength
	}
	return o
}

func (o Own) facts() difftree.Facts {
	f := difftree.Own
	if o&OwnDependencies != 0 {
		f |= difftree.DependenciesChanged
	}
	if o&OwnOrder != 0 {
		f |= difftree.OrderChanged
	}
	if o&OwnLength != 0 {
		f |= difftree.ValueChanged
	}
	return f
}

// Inside describes a container in which something changed.
type Inside struct {
	Kind           value.Kind // array or object
	OldLen, NewLen int        // of an array
	Unordered      bool       // moves are reported for the array, not for its elements
	Secret         bool       // the contents are secret on either side
}

// String returns a text such as "array of 2 => 3". Of secret contents it shows nothing.
func (i Inside) String() string {
	switch {
	case i.Secret:
		return veil.SecretText
	case i.Kind == value.KindArray:
		return fmt.Sprintf("array of %d => %d", i.OldLen, i.NewLen)
	}
	return i.Kind.String()
}

// Format writes [Inside.String] for every verb. Flags, width and precision have no effect.
func (i Inside) Format(s fmt.State, _ rune) { _, _ = s.Write([]byte(i.String())) }

// MarshalText returns the text of [Inside.String], for encoding/json and log/slog.
func (i Inside) MarshalText() ([]byte, error) { return []byte(i.String()), nil }

// Unknowns returns the option under which the diff was made.
func (d Diff) Unknowns() Unknowns { return Unknowns(d.rules.Unknowns) }
