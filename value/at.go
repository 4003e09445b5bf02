package value

import (
	"iter"
	"slices"

	"github.com/propalg/propalg/path"
)

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
		if name, ok := s.Key(); ok && at.kind == KindObject {
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

// inherits is At of a place below a secret, which is there. It goes down once more,
// since what is handed out may lead into the container it is in, and v is in none: a
// pointer that may be to v would move it to the heap, in every At.
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
		if i, ok := s.Index(); ok && i < v.size() {
			return &v.elems()[i]
		}
	case KindObject:
		if name, ok := s.Key(); ok {
			return memberOf(v.members(), name)
		}
	case KindNull, KindBool, KindNumber, KindString, KindAsset, KindArchive,
		KindResourceReference, KindUnknown, KindSealed:
	}
	return nil
}

// DependenciesAt iterates over the URNs that the value at a path depends on, sorted.
//
// They are its own dependencies and those of all containers above it in v, without
// duplicates. Containers that v was taken from are not known. If there is no value at
// the path, there are no dependencies.
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
			switch d := at.deps(); {
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
