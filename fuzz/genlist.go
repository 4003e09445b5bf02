package fuzz

import (
	"slices"

	"github.com/propalg/propalg/internal/test/trees"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/value"
)

// ListPairs generates pairs of lists, sometimes as a member of an object, whose elements
// are those of [Elements]. From the old one to the new, elements are inserted, removed, moved
// and changed.
//
// The pairs shrink to two empty arrays.
func ListPairs(o Options) *rapid.Generator[Pair] {
	return rapid.Custom(func(t *rapid.T) Pair {
		old := listOf(t, rapid.SliceOfN(elements(o), 0, 8).Draw(t, "elements"))
		now := trees.Copy(old)
		n := rapid.IntRange(0, 5).Draw(t, "edits")

		for range n {
			now = rearrangeOnce(t, now, o)
		}
		if rapid.Bool().Draw(t, "in a bag") {
			old = value.Object(value.Member{Key: "list", Value: old}, value.Member{Key: "z", Value: value.Number(1)})
			now = value.Object(value.Member{Key: "list", Value: now}, value.Member{Key: "z", Value: value.Number(1)})
		}
		return Pair{Old: old, New: now, Edits: n}
	})
}

// listOf is an array, now and then a secret one.
func listOf(t *rapid.T, elems []value.Value) value.Value {
	const rarely = 5
	if rapid.IntRange(0, rarely).Draw(t, "secret list") == rarely {
		return value.Secret(value.Array(elems...))
	}
	return value.Array(elems...)
}

// elements generates elements of lists: words, small values, objects with a name.
//
// There are few words, so that lists have equal elements. Elements shrink to a word.
func elements(o Options) *rapid.Generator[value.Value] {
	word := rapid.Map(rapid.SampledFrom([]string{"p", "q", "r", "s", "t"}), value.String)
	small := o
	small.Nodes, small.Depth = 4, 2

	return rapid.OneOf(word, word, Values(small), rapid.Custom(func(t *rapid.T) value.Value {
		return value.Object(
			value.Member{Key: "name", Value: word.Draw(t, "name")},
			value.Member{Key: "size", Value: Values(small).Draw(t, "size")},
			value.Member{Key: "zone", Value: word.Draw(t, "zone")},
		)
	}))
}

// rearrangeOnce returns a list with an element inserted, removed, moved, edited or marked, or
// with a part of it turned around, as t draws it. It returns any other value as it is.
func rearrangeOnce(t *rapid.T, list value.Value, o Options) value.Value {
	if list.Kind() != value.KindArray {
		return list
	}

	children := trees.Children(list)
	n := len(children)
	i := rapid.IntRange(0, n).Draw(t, "from")
	op := rapid.IntRange(0, 5).Draw(t, "rearrangement")
	switch {
	case op == 0 || n == 0:
		children = slices.Insert(children, i, trees.Child{Value: elements(o).Draw(t, "element")})
	case i == n:
		return list

	case op == 1:
		children = slices.Delete(children, i, i+1)
	case op == 2:
		moved := children[i]
		children = slices.Insert(slices.Delete(children, i, i+1), rapid.IntRange(0, n-1).Draw(t, "to"), moved)
	case op == 3:
		children[i].Value = editOnce(t, children[i].Value, o)
	case op == 4 && !o.NoSecrets:
		children[i].Value = editor{newMaker(t, o)}.toggleSecret(children[i].Value) // in a secret list it means the same
	default:
		slices.Reverse(children[i:])
	}

	return trees.Rebuild(list, children)
}
