package fuzz

import (
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

func (m *maker) asset() value.Value {
	switch rapid.IntRange(0, 3).Draw(m.t, "source") {
	case 0:
		return value.TextAsset(m.text())
	case 1:
		return m.hashedAsset(value.FileAsset(m.fileName()))
	case 2:
		return m.hashedAsset(value.URIAsset("https://example.com/" + m.word()))
	}

	return value.TextAsset("").WithHash(m.hash()).DropContent()
}

func (m *maker) hashedAsset(a value.Value) value.Value {
	if m.chance(2, "hashed") {
		return a.WithHash(m.hash())
	}
	return a
}

func (m *maker) fileName() string {
	return rapid.SampledFrom([]string{"a.txt", "./dir/b", "/etc/x", "", "..", "a\x00b", "\u202e"}).Draw(m.t, "file")
}

func (m *maker) archive(depth int) value.Value {
	a := m.bareArchive(depth)
	if m.chance(3, "hashed") {
		a = a.WithHash(m.hash())
	}
	return a
}

func (m *maker) bareArchive(depth int) value.Value {
	switch rapid.IntRange(0, 3).Draw(m.t, "source") {
	case 1:
		return value.FileArchive(m.fileName())
	case 2:
		return value.URIArchive("https://example.com/" + m.word() + ".zip")
	case 3:
		return value.FileArchive("").WithHash(m.hash()).DropContent()
	}

	var entries []value.Member
	for range rapid.IntRange(0, 3).Draw(m.t, "entries") {
		entry := m.asset()
		if depth > 0 && m.chance(4, "nested") {
			entry = m.archive(depth - 1)
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
		if !m.o.NoUnknowns {
			r.ID = value.UnknownID()
		}
	}

	if m.chance(3, "details") {
		r.PackageVersion, r.Name, r.Type = "1.2.3", m.word(), rapid.SampledFrom([]string{"", "a:b:C"}).Draw(m.t, "type")
	}
	return r
}
