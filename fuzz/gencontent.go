package fuzz

import (
	"fmt"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/value"
)

// hash is one of few, so that two assets have one in common now and then.
func (m *maker) hash() string {
	return rapid.SampledFrom([]string{
		"2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
		"486ea46224d1bb4fb680f34f7c9ad96a8f24ec88be73ea8e5a6c65260e9cb8a7",
		"00", // no hash at all, but kept as sent
	}).Draw(m.t, "hash")
}

func (m *maker) asset() value.Asset {
	switch rapid.IntRange(0, 3).Draw(m.t, "source") {
	case 0:
		return value.TextAsset(m.text())
	case 1:
		return m.hashedAsset(value.FileAsset(m.fileName()))
	case 2:
		return m.hashedAsset(value.URIAsset("https://example.com/" + m.word()))
	}

	return value.ElidedAsset(m.hash())
}

func (m *maker) hashedAsset(a value.Asset) value.Asset {
	if m.chance(2, "hashed") {
		return a.WithHash(m.hash())
	}

	return a
}

func (m *maker) fileName() string {
	return rapid.SampledFrom([]string{"a.txt", "./dir/b", "/etc/x", "", "..", "a\x00b", "\u202e"}).Draw(m.t, "file")
}

func (m *maker) archive(depth int) value.Archive {
	a := m.bareArchive(depth)
	if m.chance(3, "hashed") {
		a = a.WithHash(m.hash())
	}

	return a
}

func (m *maker) bareArchive(depth int) value.Archive {
	switch rapid.IntRange(0, 3).Draw(m.t, "source") {
	case 1:
		return value.FileArchive(m.fileName())
	case 2:
		return value.URIArchive("https://example.com/" + m.word() + ".zip")
	case 3:
		return value.ElidedArchive(m.hash())
	}

	var entries []value.Member

	for range rapid.IntRange(0, 3).Draw(m.t, "entries") {
		entry := m.asset().Value()
		if depth > 0 && m.chance(4, "nested") {
			entry = m.archive(depth - 1).Value()
		}

		entries = append(entries, value.Member{Key: m.key(), Value: entry})
	}

	a, err := value.LiteralArchive(entries...)
	if err != nil {
		panic("fuzz: the generator made entries that no archive takes: " + err.Error())
	}

	return a
}

func (m *maker) reference() value.ResourceReference {
	r := value.ResourceReference{URN: m.urns().Draw(m.t, "URN")}

	switch rapid.IntRange(0, 2).Draw(m.t, "ID") {
	case 1:
		r.ID = value.KnownID(m.word())
	case 2:
		if m.o.Unknowns == With {
			r.ID = value.UnknownID()
		}
	}

	if m.chance(3, "details") {
		r.PackageVersion, r.Name, r.Type = "1.2.3", m.word(), rapid.SampledFrom([]string{"", "a:b:C"}).Draw(m.t, "type")
	}

	return r
}

// realBags are objects such as real resources have: camel-case names, mostly
// strings, some tags, an array, a nested object; a median of 9 nodes. In 100 bags
// some 4 hold a secret, 10 an unknown.
func realBags(o Options) *rapid.Generator[value.Value] {
	return rapid.Custom(func(t *rapid.T) value.Value {
		m := newMaker(t, o)
		size := rapid.SampledFrom([]int{1, 3, 5, 7, 8, 9, 9, 10, 11, 13, 16, 22, 30, 45, 73}).Draw(t, "nodes")

		return m.realObject(3, size)
	})
}

func (m *maker) realObject(depth, size int) value.Value {
	var members []value.Member

	for left := size - 1; left > 0; {
		name := rapid.OneOf(realKeys(), rapid.StringMatching(`[a-z]{3,8}([A-Z][a-z]{2,6}){0,2}`)).Draw(m.t, "name")
		v, used := m.realValue(depth-1, left)
		members = append(members, value.Member{Key: name, Value: v})
		left -= used
	}

	return value.Object(members...)
}

// realValue makes a value and says how many nodes it took.
func (m *maker) realValue(depth, left int) (v value.Value, used int) {
	choice := rapid.SampledFrom(realChoices()).Draw(m.t, "what")
	nested := depth > 0 && left > 1

	switch {
	case choice == value.KindObject && nested, choice == value.KindArray && nested:
		used = rapid.IntRange(1, left).Draw(m.t, "used")
		if choice == value.KindArray {
			return m.realArray(depth, used), used
		}

		return m.realObject(depth, used), used
	case choice == value.KindBool:
		return value.Bool(rapid.Bool().Draw(m.t, "bool")), 1
	case choice == value.KindNumber:
		return value.Number(float64(rapid.IntRange(0, 65535).Draw(m.t, "number"))), 1
	case choice == value.KindNull:
		return value.Null(), 1
	case choice == value.KindUnknown:
		return m.realRarity(), 1
	}

	return value.String(m.realText()), 1
}

// realChoices are kinds as often as real bags have them; the unknown stands for
// what is rare.
func realChoices() []value.Kind {
	return []value.Kind{
		value.KindString, value.KindBool, value.KindNumber, value.KindObject, value.KindArray, value.KindUnknown,
		value.KindString, value.KindString, value.KindString, value.KindString, value.KindNull, value.KindObject,
		value.KindString, value.KindBool, value.KindString, value.KindString, value.KindNumber, value.KindString,
		value.KindString, value.KindArray, value.KindString, value.KindString, value.KindString, value.KindString,
	}
}

func (m *maker) realRarity() value.Value {
	switch choice := rapid.IntRange(0, 9).Draw(m.t, "rarity"); {
	case choice < 5 && m.o.Unknowns == With:
		return value.Unknown()
	case choice < 7 && m.o.Secrets == With:
		return value.Secret(value.String(m.realText()))
	case choice == 9:
		return m.realOddity()
	}

	return value.String("")
}

func (m *maker) realOddity() value.Value {
	switch {
	case m.o.References == With && m.chance(2, "reference"):
		return m.reference().Value()
	case m.o.Assets == With:
		return m.archive(1).Value()
	}

	return value.Object()
}

func (m *maker) realArray(depth, size int) value.Value {
	var elems []value.Value

	for left := size - 1; left > 0; {
		v, used := m.realValue(depth-1, left)
		elems = append(elems, v)
		left -= used
	}

	return value.Array(elems...)
}

func (m *maker) realText() string {
	n := rapid.IntRange(0, 9999).Draw(m.t, "text")

	switch n % 4 {
	case 0:
		return fmt.Sprintf("arn:aws:s3:::bucket-%04d", n)
	case 1:
		return fmt.Sprintf("name-%04x", n)
	case 2:
		return "us-west-2"
	}

	return fmt.Sprintf(`{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Sid":"%d"}]}`, n)
}
