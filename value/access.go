package value

import (
	"iter"
	"math"
	"slices"

	"github.com/propalg/propalg/path"
)

// Kind returns the kind of the value.
func (v Value) Kind() Kind { return v.kind }

// IsNull reports whether the value is null (marked or not).
func (v Value) IsNull() bool { return v.kind == KindNull }

// IsUnknown reports whether the value itself is unknown.
func (v Value) IsUnknown() bool { return v.kind == KindUnknown }

// ContainsUnknown reports whether the value, or one inside it, is unknown. A resource
// reference with an unknown ID counts too. It is O(1).
func (v Value) ContainsUnknown() bool { return v.facts&deepUnknown != 0 }

// ContainsSecret reports whether the value or one inside it is secret. It is O(1).
func (v Value) ContainsSecret() bool { return v.facts&(deepSecret|inherited) != 0 }

// ContainsDependencies reports whether the value, or one inside it, has dependencies.
// It is O(1).
func (v Value) ContainsDependencies() bool { return v.facts&deepDeps != 0 }

// Depth returns how many arrays and objects are nested in each other in the value,
// itself included: 0 for a scalar, 1 for [], 2 for [[]]. It is O(1). Nested archives do
// not count.
func (v Value) Depth() int { return int(v.height) }

// Hint returns the kind that an unknown is expected to have, and false for a value that is
// not an unknown.
func (v Value) Hint() (Kind, bool) { return v.hint, v.kind == KindUnknown }

// AsBool returns the content of a boolean, and false for every other kind.
func (v Value) AsBool() (content, ok bool) {
	if v.kind != KindBool {
		return false, false
	}
	return v.number() != 0, true
}

// AsNumber returns the content of a number, and false for every other kind.
func (v Value) AsNumber() (float64, bool) {
	if v.kind != KindNumber {
		return 0, false
	}
	return math.Float64frombits(v.number()), true
}

// AsString returns the content of a string, and false for every other kind.
func (v Value) AsString() (string, bool) {
	if v.kind != KindString {
		return "", false
	}
	return v.str(), true
}

// AsAsset returns the content of an asset, and false for every other kind.
func (v Value) AsAsset() (Asset, bool) {
	if v.kind != KindAsset {
		return Asset{}, false
	}
	return Asset{makeAsset(v.blob())}, true
}

// AsArchive returns the content of an archive, and false for every other kind.
func (v Value) AsArchive() (Archive, bool) {
	if v.kind != KindArchive {
		return Archive{}, false
	}
	return Archive{makeArchive(v.archive())}, true
}

// AsResourceReference returns the content of a resource reference, and false for other
// kinds.
func (v Value) AsResourceReference() (ResourceReference, bool) {
	if v.kind != KindResourceReference {
		return ResourceReference{}, false
	}
	return *v.reference(), true
}

// AsSealed returns the content of a sealed secret, and false for every other kind.
func (v Value) AsSealed() (Sealed, bool) {
	if v.kind != KindSealed {
		return Sealed{}, false
	}
	return *v.sealed(), true
}

// Len returns the number of elements or members, and 0 for other kinds than containers.
func (v Value) Len() int {
	if !v.kind.IsContainer() {
		return 0
	}
	return v.size()
}

// Elem returns element i of an array, or Null if there is no such element.
//
// It never fails, so that calls can be chained with [Value.Field]. An element of a
// secret array is secret; any element of an unknown is that unknown.
func (v Value) Elem(i int) Value {
	switch v.kind {
	case KindArray:
		if es := v.elems(); i >= 0 && i < len(es) {
			return es[i].handOut(v.IsSecret())
		}
	case KindUnknown:
		return v
	case KindNull, KindBool, KindNumber, KindString, KindObject, KindAsset, KindArchive,
		KindResourceReference, KindSealed:
	}

	return Value{}
}

// Field returns a member of an object, or Null if there is no such member.
//
// It never fails, so that calls can be chained with [Value.Elem]. A member of a secret
// object is secret; any member of an unknown is that unknown.
func (v Value) Field(name string) Value {
	f, _ := v.Lookup(name)
	return f
}

// Lookup returns what [Value.Field] does, and whether the member exists. A null member
// exists. An unknown has every member.
func (v Value) Lookup(name string) (Value, bool) {
	switch v.kind {
	case KindObject:
		if m := memberOf(v.members(), name); m != nil {
			return m.handOut(v.IsSecret()), true
		}
	case KindUnknown:
		return v, true
	case KindNull, KindBool, KindNumber, KindString, KindArray, KindAsset, KindArchive,
		KindResourceReference, KindSealed:
	}

	return Value{}, false
}

// Elems iterates over the indexes and elements of an array. Other kinds have none.
// Elements of a secret array are secret.
func (v Value) Elems() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		if v.kind != KindArray {
			return
		}

		secret := v.IsSecret()
		es := v.elems()
		for i := range es {
			if !yield(i, es[i].handOut(secret)) {
				return
			}
		}
	}
}

// Members iterates over the members of an object in bytewise key order. Other kinds
// have none. Members of a secret object are secret.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if v.kind != KindObject {
			return
		}

		secret := v.IsSecret()
		ms := v.members()
		for i := range ms {
			if !yield(ms[i].Key, ms[i].Value.handOut(secret)) {
				return
			}
		}
	}
}

// MemberAt returns member i in key order, and false if there is no such member. With
// [Value.Len] it can iterate over two objects in parallel without closures. A member of
// a secret object is secret.
func (v Value) MemberAt(i int) (key string, member Value, ok bool) {
	if v.kind != KindObject {
		return "", Value{}, false
	}

	ms := v.members()
	if i < 0 || i >= len(ms) {
		return "", Value{}, false
	}
	return ms[i].Key, ms[i].Value.handOut(v.IsSecret()), true
}

// Keys iterates over the keys of an object in bytewise order. Other kinds have none. The
// keys of a secret object are secret too, but a string has no mark: do not show them.
func (v Value) Keys() iter.Seq[string] {
	return func(yield func(string) bool) {
		for k := range v.Members() {
			if !yield(k) {
				return
			}
		}
	}
}

// At returns the value at a path, and whether there is one.
//
// There is none at a missing member, at an index out of range, and below a scalar. A
// value below a secret is secret. Any path below an unknown leads to that unknown, with
// its marks. At allocates nothing.
func (v Value) At(p path.Path) (Value, bool) {
	at, above := &v, facts(0)
	for s, below, ok := p.Cut(); ok; s, below, ok = below.Cut() {
		if at.kind == KindUnknown {
			break
		}
		above |= at.facts
		if name, ok := s.AsKey(); ok && at.kind == KindObject {
			at = memberOf(at.members(), name)
		} else {
			at = at.child(s)
		}
		if at == nil {
			return Value{}, false
		}
	}
	if above&secretness != 0 {
		return v.inherits(p), true
	}

	return *at, true
}

// inherits returns the value at a path below a secret, which must exist. It walks down
// again, since what handOut returns may point into the container, and v has none: a
// pointer that may be to v would move v to the heap, in every At.
func (v Value) inherits(p path.Path) Value {
	in := &v
	for s, below, _ := p.Cut(); ; s, below, _ = below.Cut() {
		if below.IsRoot() || in.child(s).kind == KindUnknown {
			return in.child(s).handOut(true)
		}
		in = in.child(s)
	}
}

// Has reports whether there is a value at a path. A null is a value, and an unknown has
// values at every path below it.
func (v Value) Has(p path.Path) bool {
	_, ok := v.At(p)
	return ok
}

// child returns the value one step below, in the memory of its container, or
// nil.
func (v *Value) child(s path.Step) *Value {
	switch v.kind {
	case KindArray:
		if i, ok := s.AsIndex(); ok && i < v.size() {
			return &v.elems()[i]
		}
	case KindObject:
		if name, ok := s.AsKey(); ok {
			return memberOf(v.members(), name)
		}
	case KindNull, KindBool, KindNumber, KindString, KindAsset, KindArchive,
		KindResourceReference, KindUnknown, KindSealed:
	}

	return nil
}

// DependenciesAt iterates over the URNs that the value at a path depends on, sorted and
// without duplicates.
//
// They are its own dependencies and those of all containers above it, from v down; those of
// a container that v was taken from are not included. If there is no value at the path,
// there are none.
func (v Value) DependenciesAt(p path.Path) iter.Seq[string] {
	return func(yield func(string) bool) {
		at, all, several := &v, v.deps(), false
		for s := range p.Steps() {
			if at.kind == KindUnknown {
				break
			}
			if at = at.child(s); at == nil {
				return
			}
			d := at.deps()
			switch {
			case len(d) == 0:
			case several:
				all = append(all, d...)
			case len(all) > 0:
				all, several = slices.Concat(all, d), true
			default:
				all = d
			}
		}
		if several {
			slices.Sort(all)
			all = slices.Compact(all)
		}
		for _, u := range all {
			if !yield(u) {
				return
			}
		}
	}
}
