package fuzz

import (
	"fmt"
	"strings"

	"github.com/propalg/propalg/internal/test/trees"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/value"
)

// depthOfReal is how many containers are in one another at most; in the wild there
// are bags of 14, rarely.
const depthOfReal = 5

// realBags are objects such as real resources have: camel-case names, mostly
// texts, some tags, an array, a nested object; a median of 9 nodes and 340 bytes,
// of a hundred bags one with more than 73 nodes. Of a hundred 4 hold a secret, 10
// an unknown, 2 or 3 a reference; of five hundred one holds an asset or archive.
func realBags(o Options) *rapid.Generator[value.Value] {
	return rapid.Custom(func(t *rapid.T) value.Value {
		m := newMaker(t, o)
		// Two lists of members: with one there would be too many small bags and big ones.
		bag := value.Object(append(rapid.SliceOf(m.realMember(depthOfReal)).Draw(t, "members"), rapid.SliceOfN(m.realMember(depthOfReal), 0, 6).Draw(t, "more")...)...)

		for _, r := range m.rarities() {
			if m.even(r.bits) >= 1<<r.bits-r.of {
				bag = m.rare(bag, r.make)
			}
		}
		return bag
	})
}

// even draws a number of so many bits, all of them equally likely, unlike those
// of rapid.IntRange. It shrinks to 0.
func (m *maker) even(bits int) int {
	n := 0
	for range bits {
		n *= 2
		if rapid.Bool().Draw(m.t, "bit") {
			n++
		}
	}

	return n
}

// rarity is what few bags have: of of 1<<bits.
type rarity struct {
	of, bits int
	make     func() value.Value
}

func (m *maker) rarities() []rarity {
	var all []rarity
	add := func(none bool, of, bits int, what func() value.Value) {
		if !none {
			all = append(all, rarity{of, bits, what})
		}
	}
	add(m.o.NoUnknowns, 13, 7, value.Unknown)
	add(m.o.NoSecrets, 5, 7, func() value.Value { return value.Secret(m.realSecret()) })
	add(m.o.NoReferences, 13, 9, m.realReference)
	add(m.o.NoAssets, 1, 9, m.realAsset)

	return all
}

// rare puts something in the place of a member or element of a bag, or adds it.
func (m *maker) rare(bag value.Value, what func() value.Value) value.Value {
	all := trees.Places(bag)
	if len(all) == 1 {
		return value.Object(value.Member{Key: realNames()[0], Value: what()})
	}
	at := all[rapid.IntRange(1, len(all)-1).Draw(m.t, "place")].At
	return trees.Replace(bag, at, func(value.Value) value.Value { return what() })
}

// realSecret makes what is in a secret: a text, or about as often an object or, rarely,
// an array with something in it.
func (m *maker) realSecret() value.Value {
	const depth = 3
	switch m.even(4) {
	case 15:
		return value.Array(rapid.SliceOfN(rapid.Custom(func(t *rapid.T) value.Value {
			return newMaker(t, m.o).realValue(depth - 1)
		}), 1, 4).Draw(m.t, "secret elements")...)
	case 7, 8, 9, 10, 11, 12, 13, 14:
		return value.Object(rapid.SliceOfN(m.realMember(depth), 1, 6).Draw(m.t, "secret members")...)
	}

	return value.String(m.realText())
}

func (m *maker) realReference() value.Value {
	return value.ResourceReference{URN: urnExamples()[1], ID: value.KnownID(fmt.Sprintf("i-%04x", m.even(8)))}.Value()
}

func (m *maker) realAsset() value.Value {
	if rapid.Bool().Draw(m.t, "archive") {
		return value.FileArchive("./dist").WithHash(m.hash())
	}
	return value.TextAsset(m.realText())
}

// realMember generates members, each by itself, so that shrinking can leave any of
// them out.
func (m *maker) realMember(depth int) *rapid.Generator[value.Member] {
	return rapid.Custom(func(t *rapid.T) value.Member {
		inner := newMaker(t, m.o)
		return value.Member{Key: inner.realName(), Value: inner.realValue(depth - 1)}
	})
}

func (m *maker) realObject(depth int) value.Value {
	return value.Object(rapid.SliceOfN(m.realMember(depth), 0, 8).Draw(m.t, "members")...)
}

func (m *maker) realArray(depth int) value.Value {
	elem := rapid.Custom(func(t *rapid.T) value.Value { return newMaker(t, m.o).realValue(depth - 1) })
	return value.Array(rapid.SliceOfN(elem, 0, 8).Draw(m.t, "elements")...)
}

func (m *maker) realName() string {
	suffixes := []string{"", "Id", "Name", "Type", "Config", "Enabled", "Arn", "Spec"}
	return realNames()[m.even(4)] + suffixes[m.even(3)]
}

func realNames() []string {
	return []string{
		"name", "tags", "role", "region", "bucket", "policy", "instance", "subnet", "vpc", "metadata",
		"spec", "labels", "kubernetes.io/cluster", "port", "env", "value",
	}
}

func (m *maker) realValue(depth int) value.Value {
	choice := realChoices()[m.even(5)]
	switch {
	case choice == value.KindArray && depth > 0:
		return m.realArray(depth)
	case choice == value.KindObject && depth > 0:
		return m.realObject(depth)
	case choice == value.KindBool:
		return value.Bool(rapid.Bool().Draw(m.t, "bool"))
	case choice == value.KindNumber:
		return value.Number(float64(rapid.IntRange(0, 65535).Draw(m.t, "number")))
	case choice == value.KindNull:
		return value.Null()
	}

	return value.String(m.realText())
}

// realChoices are kinds as often as real bags have them.
func realChoices() []value.Kind {
	kinds := []value.Kind{
		value.KindString, value.KindBool, value.KindBool, value.KindBool, value.KindBool, value.KindNumber, value.KindNumber, value.KindNumber,
		value.KindNull, value.KindObject, value.KindObject, value.KindArray, value.KindArray,
	}
	for len(kinds) < 32 {
		kinds = append(kinds, value.KindString)
	}

	return kinds
}

func (m *maker) realText() string {
	n := rapid.IntRange(0, 9999).Draw(m.t, "text")
	if m.even(6) == 63 { // a script, a certificate
		return strings.Repeat("echo installing\n", 8+m.even(7))
	}

	switch m.even(3) {
	case 0, 1:
		return fmt.Sprintf("name-of-a-thing-%04x", n)
	case 2:
		return "us-west-2"
	case 3, 4:
		return fmt.Sprintf("arn:aws:s3:::bucket-%04d", n)
	case 5:
		return ""
	case 6:
		return fmt.Sprintf("arn:aws:iam::123456789012:role/service-role/build-%04d", n)
	}
	return fmt.Sprintf(`{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Sid":"%d"}]}`, n)
}
