package diff_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/value"
)

// tree is a value as tests make and edit it: where marks stand is plain to see,
// redundant ones below a secret among them.
type tree struct {
	kind   value.Kind // array, object, or any other for a leaf
	leaf   value.Value
	keys   []string
	kids   []*tree
	secret bool
	deps   []string
}

func (x *tree) value() value.Value {
	v := x.leaf
	if x.kind == value.KindArray {
		elems := make([]value.Value, len(x.kids))
		for i, k := range x.kids {
			elems[i] = k.value()
		}
		v = value.Array(elems...)
	}
	if x.kind == value.KindObject {
		members := make([]value.Member, len(x.kids))
		for i, k := range x.kids {
			members[i] = value.Member{Key: x.keys[i], Value: k.value()}
		}
		v = value.Object(members...)
	}
	v = v.WithDependencies(x.deps...)
	if x.secret {
		v = value.Secret(v)
	}
	return v
}

func (x *tree) clone() *tree {
	y := *x
	y.keys, y.deps, y.kids = slices.Clone(x.keys), slices.Clone(x.deps), nil
	for _, k := range x.kids {
		y.kids = append(y.kids, k.clone())
	}
	return &y
}

// keyPool has odd keys among common ones; short, so that trees collide.
var keyPool = []string{"a", "b", "c", "a", "b", "", "*", `\`, `"`, "x.y[", `x.y\`, "\xff", "\x00", "[0]"}

var depPool = []string{"urn:pulumi:s::p::t::a", "urn:pulumi:s::p::t::b", "no urn"}

func leafPool() []value.Value {
	ref := func(id value.ID, version string) value.Value {
		return value.ResourceReference{URN: "urn:pulumi:s::p::t::r", ID: id, PackageVersion: version}.Value()
	}
	literal, _ := value.LiteralArchive(value.Member{Key: "f", Value: value.FileAsset("x").Value()})
	hashed, _ := value.LiteralArchive(value.Member{Key: "f", Value: value.TextAsset("x").Value()})
	return []value.Value{
		{},
		{},
		value.Bool(true), value.Bool(false),
		num(0), num(math.Copysign(0, -1)), num(1), num(math.NaN()), num(math.Inf(1)), num(1 << 53),
		str(""), str("x"), str("\xff"), str("04da6b54-80e4-46f7-96ec-b56ff0331ba9"),
		value.Unknown(), value.Unknown(), value.UnknownOf(value.KindArray),
		value.TextAsset("x").Value(), value.FileAsset("x").Value(), value.FileAsset("x").WithHash("00").Value(),
		literal.Value(), hashed.Value(), value.FileArchive("d").Value(), value.ElidedArchive("00").Value(),
		ref(value.KnownID("i"), ""), ref(value.KnownID("j"), ""), ref(value.KnownID("i"), "1.0"),
		ref(value.UnknownID(), ""), ref(value.NoID(), ""),
		value.Sealed{Ciphertext: "c"}.Value(), value.Sealed{Ciphertext: "d"}.Value(),
	}
}

// drawTree draws a tree, no deeper than this.
func drawTree(t *rapid.T, depth int) *tree {
	x := &tree{}
	marks := rapid.IntRange(0, 15).Draw(t, "marks")
	x.secret = marks >= 12
	if marks == 11 || marks == 12 {
		x.deps = rapid.SliceOfNDistinct(rapid.SampledFrom(depPool), 1, 2, rapid.ID).Draw(t, "deps")
	}
	switch kind := rapid.IntRange(0, 9).Draw(t, "kind"); {
	case depth == 0 || kind < 4:
		x.leaf = rapid.SampledFrom(leafPool()).Draw(t, "leaf")
		x.kind = value.KindNull
	case kind < 6:
		x.kind = value.KindArray
		for range rapid.IntRange(0, 3).Draw(t, "elements") {
			x.kids = append(x.kids, drawTree(t, depth-1))
		}
	default:
		x.kind = value.KindObject
		x.keys = rapid.SliceOfNDistinct(rapid.SampledFrom(keyPool), 0, 4, rapid.ID).Draw(t, "keys")
		for range x.keys {
			x.kids = append(x.kids, drawTree(t, depth-1))
		}
	}
	return x
}

// edited is a copy of x with something changed at some place.
func edited(t *rapid.T, x *tree) *tree {
	y := x.clone()
	at := y
	for len(at.kids) > 0 && rapid.IntRange(0, 3).Draw(t, "deeper") > 0 {
		at = at.kids[rapid.IntRange(0, len(at.kids)-1).Draw(t, "child")]
	}
	switch rapid.IntRange(0, 7).Draw(t, "edit") {
	case 0:
		*at = *drawTree(t, 2)
	case 1:
		at.secret = !at.secret
	case 2:
		at.deps = rapid.SliceOfNDistinct(rapid.SampledFrom(depPool), 0, 2, rapid.ID).Draw(t, "deps")
	case 3:
		at.kind, at.kids, at.keys, at.leaf = value.KindNull, nil, nil, value.Null()
	case 4:
		at.kind, at.kids, at.keys, at.leaf = value.KindNull, nil, nil, value.Unknown()
	default:
		at.grow(t)
	}
	return y
}

// grow adds or takes away a child, or, of a leaf, changes the content.
func (x *tree) grow(t *rapid.T) {
	n := len(x.kids)
	switch {
	case x.kind == value.KindNull:
		x.leaf = rapid.SampledFrom(leafPool()).Draw(t, "leaf")
	case n > 0 && rapid.Bool().Draw(t, "less"):
		i := n - 1
		if x.kind == value.KindObject {
			i = rapid.IntRange(0, n-1).Draw(t, "child")
			x.keys = slices.Delete(x.keys, i, i+1)
		}
		x.kids = slices.Delete(x.kids, i, i+1)
	default:
		x.kids = append(x.kids, drawTree(t, 1))
		if x.kind == value.KindObject {
			x.keys = append(x.keys, rapid.SampledFrom(keyPool).Draw(t, "key"))
		}
	}
}

// drawPair draws two values, related or not, and handed out of a secret or not.
func drawPair(t *rapid.T) (old, now value.Value) {
	x := drawTree(t, 4)
	y := drawEdits(t, x)
	return drawHanded(t, x), drawHanded(t, y)
}

func drawEdits(t *rapid.T, x *tree) *tree {
	edits := rapid.IntRange(-1, 4).Draw(t, "edits")
	if edits < 0 {
		return drawTree(t, 4)
	}
	y := x.clone()
	for range edits {
		y = edited(t, y)
	}
	return y
}

func drawHanded(t *rapid.T, x *tree) value.Value {
	v := x.value()
	if rapid.IntRange(0, 9).Draw(t, "handed out") == 0 {
		return value.Secret(value.Array(v)).Elem(0)
	}
	return v
}

// relations are all of them.
func relations() []value.Relation {
	all := make([]value.Relation, 16)
	for i := range all {
		all[i] = value.Relation(i) //nolint:gosec // below 16
	}
	return all
}

func TestRelationsAreAll(t *testing.T) {
	all := value.NullAsMissing | value.IgnoreSecrets | value.IgnoreDependencies | value.IgnoreReferenceDetails
	if all != relations()[15] {
		t.Fatalf("the relations are %#x, not the sixteen that are tested", uint16(all))
	}
}
