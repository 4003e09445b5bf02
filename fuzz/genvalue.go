package fuzz

import (
	"github.com/propalg/propalg/internal/test/hostile"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/internal/test/sample"

	"github.com/propalg/propalg/value"
)

// Style selects how simple, hostile or realistic generated values are.
type Style uint8

// The styles of generated values.
const (
	Mixed    Style = iota // small values, hostile parts now and then
	Plain                 // short plain texts, small numbers, few keys: good to shrink to and to read
	Hostile               // as many hostile parts as fit
	RealLike              // property bags such as providers have: an object with a median of 9 nodes
)

// Options limit the values that a generator makes. The zero Options allow everything; for a
// provider that refuses secrets, set NoSecrets.
type Options struct {
	Style          Style
	NoSecrets      bool
	NoUnknowns     bool // unknowns, and unknown IDs of references
	NoDependencies bool
	NoReferences   bool
	NoAssets       bool // assets and archives
	NoSealed       bool
	// Nodes is roughly the largest number of values in a generated one, itself included.
	// 0 means 28.
	Nodes int
	// Depth is the largest number of containers nested in each other. 0 means 5.
	Depth int
}

const (
	defaultNodes = 28
	defaultDepth = 5
)

// Values generates values of every kind that the options allow. They shrink to null.
func Values(o Options) *rapid.Generator[value.Value] {
	if o.Style == RealLike {
		return realBags(o)
	}
	return rapid.Custom(func(t *rapid.T) value.Value { return newMaker(t, o).any() })
}

// Objects generates objects, such as property bags. They shrink to the empty object.
func Objects(o Options) *rapid.Generator[value.Value] {
	if o.Style == RealLike {
		return realBags(o)
	}

	return rapid.Custom(func(t *rapid.T) value.Value {
		m := newMaker(t, o)
		return m.marked(m.object(o.depth(), m.size()))
	})
}

func (o Options) depth() int {
	if o.Depth == 0 {
		return defaultDepth
	}
	return o.Depth
}

// maker makes values out of a stream of draws.
type maker struct {
	t *rapid.T
	o Options
}

func newMaker(t *rapid.T, o Options) *maker { return &maker{t, o} }

// size is how many nodes to make.
func (m *maker) size() int {
	most := m.o.Nodes
	if most == 0 {
		most = defaultNodes
	}
	return rapid.IntRange(1, most).Draw(m.t, "size")
}

func (m *maker) chance(n int, label string) bool {
	return rapid.IntRange(0, n-1).Draw(m.t, label) == n-1
}

// any makes a value of a drawn size.
func (m *maker) any() value.Value { return m.value(m.o.depth(), m.size()) }

// value makes a value of about size nodes, with no more than depth containers in
// one another.
func (m *maker) value(depth, size int) value.Value {
	kinds := m.scalars()
	switch {
	case depth > 0 && size > 1:
		kinds = []value.Kind{value.KindObject, value.KindArray, value.KindObject}
	case depth > 0:
		kinds = append(kinds, value.KindArray, value.KindObject) // empty ones
	}

	return m.marked(m.of(rapid.SampledFrom(kinds).Draw(m.t, "kind"), depth, size))
}

func (m *maker) scalars() []value.Kind {
	kinds := []value.Kind{value.KindNull, value.KindBool, value.KindNumber, value.KindString, value.KindNumber, value.KindString}
	if !m.o.NoUnknowns {
		kinds = append(kinds, value.KindUnknown)
	}
	if !m.o.NoAssets {
		kinds = append(kinds, value.KindAsset, value.KindArchive)
	}
	if !m.o.NoReferences {
		kinds = append(kinds, value.KindResourceReference)
	}
	if !m.o.NoSealed && !m.o.NoSecrets {
		kinds = append(kinds, value.KindSealed)
	}

	return kinds
}

func (m *maker) of(k value.Kind, depth, size int) value.Value {
	switch k {
	case value.KindNull:
	case value.KindBool:
		return value.Bool(rapid.Bool().Draw(m.t, "bool"))
	case value.KindNumber:
		return value.Number(m.number())
	case value.KindString:
		return value.String(m.text())
	case value.KindArray:
		return m.array(depth, size)
	case value.KindObject:
		return m.object(depth, size)
	case value.KindAsset:
		return m.asset()
	case value.KindArchive:
		return m.archive(2)
	case value.KindResourceReference:
		return m.reference().Value()
	case value.KindUnknown:
		return value.UnknownOf(rapid.SampledFrom(hints()).Draw(m.t, "hint"))
	case value.KindSealed:
		return value.Sealed{Ciphertext: m.word(), Provider: rapid.SampledFrom([]string{"", "passphrase"}).Draw(m.t, "provider")}.Value()
	}

	return value.Null()
}

func hints() []value.Kind {
	return []value.Kind{
		value.KindString, value.KindBool, value.KindNumber, value.KindArray,
		value.KindObject, value.KindAsset, value.KindArchive,
	}
}

// marked puts marks on a value now and then.
func (m *maker) marked(v value.Value) value.Value {
	if !m.o.NoDependencies && m.chance(12, "depends") {
		v = v.WithDependencies(rapid.SliceOfN(m.urns(), 1, 3).Draw(m.t, "dependencies")...)
	}
	if !m.o.NoSecrets && m.chance(8, "secret") {
		v = value.Secret(v)
	}

	return v
}

func (m *maker) urns() *rapid.Generator[string] {
	if m.o.Style == Plain {
		return rapid.SampledFrom(urnExamples()[:2])
	}
	return rapid.OneOf(rapid.SampledFrom(urnExamples()), rapid.SampledFrom([]string{"", "no urn", "\xff", sample.SentinelString}))
}

func (m *maker) array(depth, size int) value.Value {
	elem := func(inner *maker, share int) value.Value { return inner.value(depth-1, share) }
	return value.Array(children(m, size-1, elem)...)
}

func (m *maker) object(depth, size int) value.Value {
	member := func(inner *maker, share int) value.Member {
		return value.Member{Key: inner.key(), Value: inner.value(depth-1, share)}
	}
	return value.Object(children(m, size-1, member)...)
}

// children divides n nodes among one to six children. Each is drawn by itself, so
// that shrinking can leave any of them out.
func children[C any](m *maker, n int, one func(inner *maker, share int) C) []C {
	const most = 6

	n = max(0, n)
	left := n
	child := rapid.Custom(func(t *rapid.T) C {
		share := rapid.IntRange(1, max(1, left)).Draw(t, "share")
		left -= share
		return one(newMaker(t, m.o), share)
	})
	return rapid.SliceOfN(child, min(1, n), min(most, n)).Draw(m.t, "children")
}

func (m *maker) key() string {
	switch m.o.Style {
	case Plain:
		return plainKeys().Draw(m.t, "key")
	case Hostile:
		return hostileKeys().Draw(m.t, "key")
	case Mixed, RealLike:
	}

	return rapid.OneOf(plainKeys(), plainKeys(), plainKeys(), keys()).Draw(m.t, "key")
}

// word is a short text without any meaning.
func (m *maker) word() string {
	return rapid.SampledFrom([]string{"x", "y", "z", "lorem", "ipsum"}).Draw(m.t, "word")
}

func (m *maker) text() string {
	odd := 4
	switch m.o.Style {
	case Plain:
		return m.word()
	case Hostile:
		odd = 1
	case Mixed, RealLike:
	}
	if odd == 1 || m.chance(odd, "odd text") {
		return rapid.OneOf(rapid.SampledFrom(hostile.ShortStrings()), looseTexts()).Draw(m.t, "text")
	}

	return m.word()
}

func (m *maker) number() float64 {
	small := rapid.Custom(func(t *rapid.T) float64 { return float64(rapid.IntRange(-3, 3).Draw(t, "integer")) })
	switch m.o.Style {
	case Plain:
		return small.Draw(m.t, "number")
	case Hostile:
		return rapid.OneOf(rapid.SampledFrom(hostile.Numbers()), rapid.Float64()).Draw(m.t, "number")
	case Mixed, RealLike:
	}

	return rapid.OneOf(small, rapid.SampledFrom(hostile.Numbers()), rapid.Float64()).Draw(m.t, "number")
}
