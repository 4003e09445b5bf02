package kit

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/value"
)

// DrawItem draws an element as lists have them: a word, or an object with a name.
func DrawItem(t *rapid.T) *Tree {
	word := func() *Tree {
		return &Tree{Leaf: value.String(rapid.SampledFrom([]string{"p", "q", "r", "s", "t"}).Draw(t, "word"))}
	}
	switch rapid.IntRange(0, 5).Draw(t, "item") {
	case 0:
		return DrawTree(t, 1)
	case 1, 2:
		x := &Tree{Kind: value.KindObject, Keys: []string{"name", "size"}, Kids: []*Tree{word(), DrawTree(t, 1)}}
		if rapid.IntRange(0, 5).Draw(t, "list") == 0 {
			x.Keys, x.Kids = append(x.Keys, "list"), append(x.Kids, DrawList(t, 3))
		}
		return x
	}

	return word()
}

// DrawList draws a list with at most so many items.
func DrawList(t *rapid.T, most int) *Tree {
	x := &Tree{Kind: value.KindArray, Secret: rapid.IntRange(0, 9).Draw(t, "secret list") == 0}
	for range rapid.IntRange(0, most).Draw(t, "items") {
		x.Kids = append(x.Kids, DrawItem(t))
	}
	return x
}

// Rearrange is a copy of a list with elements inserted, removed, moved, edited.
func Rearrange(t *rapid.T, x *Tree) *Tree {
	y := x.Clone()
	for range rapid.IntRange(0, 4).Draw(t, "rearrangements") {
		n := len(y.Kids)
		i := rapid.IntRange(0, n).Draw(t, "from")
		op := rapid.IntRange(0, 4).Draw(t, "rearrangement")
		switch {
		case op == 0 || n == 0:
			y.Kids = slices.Insert(y.Kids, i, DrawItem(t))
		case i == n:
		case op == 1:
			y.Kids = slices.Delete(y.Kids, i, i+1)
		case op == 2:
			k := y.Kids[i]
			y.Kids = slices.Insert(slices.Delete(y.Kids, i, i+1), rapid.IntRange(0, n-1).Draw(t, "to"), k)
		case op == 3:
			y.Kids[i] = Edit(t, y.Kids[i])
		default:
			slices.Reverse(y.Kids[i:])
		}
	}

	return y
}

// DrawLists draws two values with lists in them.
func DrawLists(t *rapid.T) (old, now value.Value) {
	if rapid.IntRange(0, 4).Draw(t, "anything") == 0 {
		return DrawPair(t)
	}

	x := DrawList(t, 9)
	y := Rearrange(t, x)
	if rapid.Bool().Draw(t, "inside") {
		return among(x.Value()), among(y.Value())
	}
	return DrawHandedOut(t, x), DrawHandedOut(t, y)
}

// among returns an object with a list and another member.
func among(list value.Value) value.Value {
	return value.Object(value.Member{Key: "list", Value: list}, value.Member{Key: "z", Value: value.Number(1)})
}
