// Package draw draws the values that tests of several packages compare, with the
// generators of package fuzz. Only tests import it.
package draw

import (
	"pgregory.net/rapid"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/value"
)

// options are for small values, so that edits meet, and any law is tried often.
func options(depth int) fuzz.Options {
	return fuzz.Options{Style: fuzz.Hostile, Nodes: 12, Depth: depth}
}

// Value draws a value with at most so many containers around one another.
func Value(t *rapid.T, depth int) value.Value {
	return fuzz.Values(options(depth)).Draw(t, "value")
}

// Object draws an object without marks of its own, as property bags are.
func Object(t *rapid.T, depth int) value.Value {
	return fuzz.Objects(options(depth)).Draw(t, "object").DropSecret().DropDependencies()
}

// Edited draws a value that is v edited a few times, or another one.
func Edited(t *rapid.T, v value.Value) value.Value {
	edits := rapid.IntRange(-1, 4).Draw(t, "edits")
	if edits < 0 {
		return Value(t, 4)
	}

	for range edits {
		v = fuzz.Internal.EditOnce(t, v, options(2))
	}
	return v
}

// HandedOut draws whether a value is handed out of a secret.
func HandedOut(t *rapid.T, v value.Value) value.Value {
	if rapid.IntRange(0, 9).Draw(t, "handed out") == 0 {
		return value.Secret(value.Array(v)).Elem(0)
	}
	return v
}

// Pair draws two values, related or not, and handed out of a secret or not.
func Pair(t *rapid.T) (old, now value.Value) {
	old = Value(t, 4)
	now = Edited(t, old)
	return HandedOut(t, old), HandedOut(t, now)
}

// List draws a list with at most so many elements.
func List(t *rapid.T, most int) value.Value {
	list := value.Array(rapid.SliceOfN(fuzz.Internal.Elements(options(2)), 0, most).Draw(t, "elements")...)
	if rapid.IntRange(0, 9).Draw(t, "secret list") == 0 {
		return value.Secret(list)
	}
	return list
}

// Rearranged draws a list with elements inserted, removed, moved and edited.
func Rearranged(t *rapid.T, list value.Value) value.Value {
	for range rapid.IntRange(0, 4).Draw(t, "rearrangements") {
		list = fuzz.Internal.RearrangeOnce(t, list, options(2))
	}
	return list
}

// Lists draws two values with lists in them.
func Lists(t *rapid.T) (old, now value.Value) {
	if rapid.IntRange(0, 4).Draw(t, "anything") == 0 {
		return Pair(t)
	}

	old = List(t, 9)
	now = Rearranged(t, old)
	if rapid.Bool().Draw(t, "inside") {
		z := value.Field("z", value.Number(1))
		return value.Object(value.Field("list", old), z), value.Object(value.Field("list", now), z)
	}
	return HandedOut(t, old), HandedOut(t, now)
}
