package kit

import (
	"math"
	"slices"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/value"
)

// Tree is a value as tests make and edit it: where its marks are is plain to see,
// redundant ones below a secret among them.
type Tree struct {
	Kind         value.Kind // array, object, or any other for a leaf
	Leaf         value.Value
	Keys         []string
	Kids         []*Tree
	Secret       bool
	Dependencies []string
}

// Value makes the value.
func (x *Tree) Value() value.Value {
	v := x.Leaf
	if x.Kind == value.KindArray {
		elems := make([]value.Value, len(x.Kids))
		for i, k := range x.Kids {
			elems[i] = k.Value()
		}

		v = value.Array(elems...)
	}
	if x.Kind == value.KindObject {
		members := make([]value.Member, len(x.Kids))
		for i, k := range x.Kids {
			members[i] = value.Member{Key: x.Keys[i], Value: k.Value()}
		}
		v = value.Object(members...)
	}
	v = v.WithDependencies(x.Dependencies...)
	if x.Secret {
		v = value.Secret(v)
	}
	return v
}

// Clone copies the tree.
func (x *Tree) Clone() *Tree {
	y := *x
	y.Keys, y.Dependencies, y.Kids = slices.Clone(x.Keys), slices.Clone(x.Dependencies), nil
	for _, k := range x.Kids {
		y.Kids = append(y.Kids, k.Clone())
	}
	return &y
}

// Keys returns odd keys among common ones; short, so that trees collide.
func Keys() []string {
	return []string{"a", "b", "c", "a", "b", "", "*", `\`, `"`, "x.y[", `x.y\`, "\xff", "\x00", "[0]"}
}

// DependencyURNs returns the dependencies that trees are drawn with.
func DependencyURNs() []string {
	return []string{"urn:pulumi:s::p::t::a", "urn:pulumi:s::p::t::b", "no urn"}
}

// Leaves returns values of every kind that is not a container.
func Leaves() []value.Value {
	ref := func(id value.ID, version string) value.Value {
		return value.ResourceReference{URN: "urn:pulumi:s::p::t::r", ID: id, PackageVersion: version}.Value()
	}
	literal, _ := value.LiteralArchive(value.Member{Key: "f", Value: value.FileAsset("x").Value()})
	hashed, _ := value.LiteralArchive(value.Member{Key: "f", Value: value.TextAsset("x").Value()})
	return []value.Value{
		{},
		{},
		value.Bool(true), value.Bool(false),
		value.Number(0), value.Number(math.Copysign(0, -1)), value.Number(1), value.Number(math.NaN()), value.Number(math.Inf(1)), value.Number(1 << 53),
		value.String(""), value.String("x"), value.String("\xff"), value.String("04da6b54-80e4-46f7-96ec-b56ff0331ba9"),
		value.Unknown(), value.Unknown(), value.UnknownOf(value.KindArray),
		value.TextAsset("x").Value(), value.FileAsset("x").Value(), value.FileAsset("x").WithHash("00").Value(),
		literal.Value(), hashed.Value(), value.FileArchive("d").Value(), value.ElidedArchive("00").Value(),
		ref(value.KnownID("i"), ""), ref(value.KnownID("j"), ""), ref(value.KnownID("i"), "1.0"),
		ref(value.UnknownID(), ""), ref(value.ID{}, ""),
		value.Sealed{Ciphertext: "c"}.Value(), value.Sealed{Ciphertext: "d"}.Value(),
	}
}

// DrawTree draws a tree, no deeper than this.
func DrawTree(t *rapid.T, depth int) *Tree {
	x := &Tree{}
	marks := rapid.IntRange(0, 15).Draw(t, "marks")
	x.Secret = marks >= 12
	if marks == 11 || marks == 12 {
		x.Dependencies = rapid.SliceOfNDistinct(rapid.SampledFrom(DependencyURNs()), 1, 2, rapid.ID).Draw(t, "deps")
	}

	kind := rapid.IntRange(0, 9).Draw(t, "kind")
	switch {
	case depth == 0 || kind < 4:
		x.Leaf = rapid.SampledFrom(Leaves()).Draw(t, "leaf")
		x.Kind = value.KindNull
	case kind < 6:
		x.Kind = value.KindArray
		for range rapid.IntRange(0, 3).Draw(t, "elements") {
			x.Kids = append(x.Kids, DrawTree(t, depth-1))
		}
	default:
		marked := *x
		x = DrawObject(t, depth)
		x.Secret, x.Dependencies = marked.Secret, marked.Dependencies
	}
	return x
}

// DrawObject draws an object without marks of its own, as property bags are, no deeper
// than this.
func DrawObject(t *rapid.T, depth int) *Tree {
	x := &Tree{Kind: value.KindObject}
	x.Keys = rapid.SliceOfNDistinct(rapid.SampledFrom(Keys()), 0, 4, rapid.ID).Draw(t, "keys")
	for range x.Keys {
		x.Kids = append(x.Kids, DrawTree(t, depth-1))
	}
	return x
}

// Edit returns a copy of x with something changed at some place.
func Edit(t *rapid.T, x *Tree) *Tree {
	y := x.Clone()
	at := y
	for len(at.Kids) > 0 && rapid.IntRange(0, 3).Draw(t, "deeper") > 0 {
		at = at.Kids[rapid.IntRange(0, len(at.Kids)-1).Draw(t, "child")]
	}
	switch rapid.IntRange(0, 7).Draw(t, "edit") {
	case 0:
		*at = *DrawTree(t, 2)
	case 1:
		at.Secret = !at.Secret
	case 2:
		at.Dependencies = rapid.SliceOfNDistinct(rapid.SampledFrom(DependencyURNs()), 0, 2, rapid.ID).Draw(t, "deps")
	case 3:
		at.Kind, at.Kids, at.Keys, at.Leaf = value.KindNull, nil, nil, value.Null()
	case 4:
		at.Kind, at.Kids, at.Keys, at.Leaf = value.KindNull, nil, nil, value.Unknown()
	default:
		at.grow(t)
	}

	return y
}

// grow adds or takes away a child, or, of a leaf, changes the content.
func (x *Tree) grow(t *rapid.T) {
	n := len(x.Kids)
	switch {
	case x.Kind == value.KindNull:
		x.Leaf = rapid.SampledFrom(Leaves()).Draw(t, "leaf")
	case n > 0 && rapid.Bool().Draw(t, "less"):
		i := n - 1
		if x.Kind == value.KindObject {
			i = rapid.IntRange(0, n-1).Draw(t, "child")
			x.Keys = slices.Delete(x.Keys, i, i+1)
		}
		x.Kids = slices.Delete(x.Kids, i, i+1)
	default:
		x.Kids = append(x.Kids, DrawTree(t, 1))
		if x.Kind == value.KindObject {
			x.Keys = append(x.Keys, rapid.SampledFrom(Keys()).Draw(t, "key"))
		}
	}
}

// DrawPair draws two values, related or not, and handed out of a secret or not.
func DrawPair(t *rapid.T) (old, now value.Value) {
	x := DrawTree(t, 4)
	y := DrawEdits(t, x)
	return DrawHandedOut(t, x), DrawHandedOut(t, y)
}

// DrawEdits draws a tree that is x edited a few times, or another one.
func DrawEdits(t *rapid.T, x *Tree) *Tree {
	edits := rapid.IntRange(-1, 4).Draw(t, "edits")
	if edits < 0 {
		return DrawTree(t, 4)
	}

	y := x.Clone()
	for range edits {
		y = Edit(t, y)
	}
	return y
}

// DrawHandedOut draws whether the value of x is handed out of a secret.
func DrawHandedOut(t *rapid.T, x *Tree) value.Value {
	v := x.Value()
	if rapid.IntRange(0, 9).Draw(t, "handed out") == 0 {
		return value.Secret(value.Array(v)).Elem(0)
	}
	return v
}

// Relations returns all of them.
func Relations() []value.Relation {
	all := make([]value.Relation, 16)
	for i := range all {
		all[i] = value.Relation(i) //nolint:gosec // below 16
	}
	return all
}
