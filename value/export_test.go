package value

import (
	"errors"
	"fmt"
	"slices"
)

// Inherited reports whether v was handed out of a secret.
func Inherited(v Value) bool { return v.facts&inherited != 0 }

// Flaw returns what is wrong with the representation of v, a shallow one: deep
// facts and heights that do not sum up, unsorted members or dependencies,
// inherited marks inside containers, content where there is none.
func Flaw(v Value) error {
	want := v.facts & (ownSecret | inherited | boxed)
	if v.facts&ownSecret != 0 {
		want |= deepSecret
	}
	if v.kind == KindUnknown || (v.kind == KindResourceReference && v.reference().ID.IsUnknown()) {
		want |= deepUnknown
	}
	if d := v.deps(); v.facts&boxed != 0 {
		want |= deepDeps
		if len(d) == 0 || !slices.IsSorted(d) || len(slices.Compact(slices.Clone(d))) != len(d) {
			return fmt.Errorf("dependencies %q", d)
		}
	}
	height := uint32(0)
	for i, child := range insides(v) {
		if child.facts&inherited != 0 {
			return fmt.Errorf("child %d has an inherited mark in memory", i)
		}
		if err := Flaw(child); err != nil {
			return fmt.Errorf("child %d: %w", i, err)
		}
		want |= child.facts & deepFacts
		height = max(height, child.height)
	}
	if v.kind.IsContainer() {
		height++
	}
	switch p, n := v.content(); {
	case v.facts != want || v.height != height:
		return fmt.Errorf("%v has facts %b and height %d, want %b and %d", v.kind, v.facts, v.height, want, height)
	case (v.hint != 0) != (v.kind == KindUnknown):
		return fmt.Errorf("%v has the hint %v", v.kind, v.hint)
	case (v.kind == KindNull || v.kind == KindUnknown) && p != nil, v.kind > KindObject && n != 0:
		return fmt.Errorf("%v has stray content", v.kind)
	case v.isBits() && p != nil && n != 0, v.isBits() && v.facts&boxed == 0 && (p != nil) != v.IsSecret():
		return fmt.Errorf("the bits of a %v are in the wrong place", v.kind)
	case v.kind == KindSealed && v.facts&ownSecret == 0:
		return errors.New("a sealed secret is not secret")
	}
	return nil
}

func insides(v Value) []Value {
	switch v.kind {
	case KindArray:
		return v.elems()
	case KindObject:
		var vs []Value
		for i, m := range v.members() {
			if i > 0 && v.members()[i-1].Key >= m.Key {
				return []Value{{meta: meta{facts: inherited}}} // a flaw
			}
			vs = append(vs, m.Value)
		}
		return vs
	default:
		return nil
	}
}
