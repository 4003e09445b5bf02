package fuzz

import (
	"pgregory.net/rapid"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Law09Total is the law that no exported function or method panics or hangs, whatever it is
// given: hostile values, keys, texts, indexes, kinds, relations, options, nil and
// zero values of every type.
func Law09Total(t *rapid.T) {
	pair := drawPair(t, Pairs(Options{Style: Hostile, Nodes: 10}))
	s := newScene(
		pair.Old, pair.New, drawPath(t, pair.Old), rapid.OneOf(Paths(), placesIn(pair.New)).Draw(t, "q"),
		Sets(PathsOf(pair.Old)...).Draw(t, "set"), Texts().Draw(t, "text"), rapid.SampledFrom(HostileIndexes()).Draw(t, "index"),
	)

	last := ""

	defer func() { t.Logf("the last probe was %s", last) }()

	part := rapid.IntRange(0, parts-1).Draw(t, "part of the probes")

	for i, p := range probes() {
		if i%parts == part {
			last = p.name
			s.hear(p)
		}
	}
}

// zeroScene is a scene of nothing but zero values.
func zeroScene() *scene {
	return newScene(value.Value{}, value.Value{}, path.Path{}, path.Path{}, nil, "", 0)
}

// Texts generates texts for parsers: of JSON, paths, URNs and state files, most of
// them damaged. They shrink to the empty text.
func Texts() *rapid.Generator[string] {
	return rapid.OneOf(looseTexts(), rapid.SampledFrom(shortHostileStrings()), JSONTexts(), URNTexts(),
		rapid.Map(Paths(), path.Path.String), rapid.Map(JSONTexts(), func(text string) string { return StackExport(text) }))
}

// JSONTexts generates texts of JSON: the wire form of values, in any layout, with
// and without damage, and [HostileTexts]. They shrink to the empty text.
func JSONTexts() *rapid.Generator[string] {
	const depth = 64

	good := rapid.Custom(func(t *rapid.T) string { return wire(Values(Options{}).Draw(t, "value")) })
	bad := rapid.Custom(func(t *rapid.T) string { return rapid.SampledFrom(damaged(good.Draw(t, "text"))).Draw(t, "damaged") })

	return rapid.OneOf(rapid.SampledFrom(HostileTexts(depth)), good, bad, rapid.Custom(func(t *rapid.T) string {
		return "[" + NumberTexts().Draw(t, "number") + "]"
	}))
}
