package laws

import (
	"slices"

	"github.com/propalg/propalg/internal/test/hostile"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/probe"
	"github.com/propalg/propalg/internal/test/sample"
	"github.com/propalg/propalg/internal/test/trees"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/urn"
)

// Law09Total is the law that no exported function or method panics or hangs, whatever it is
// given: hostile values, keys, texts, indexes, kinds, relations, options, nil and
// zero values of every type.
func Law09Total(t *rapid.T) {
	pair := drawPair(t, fuzz.Pairs(fuzz.Options{Style: fuzz.Hostile, Nodes: 10}))
	s := probe.Scene{
		Old: pair.Old, New: pair.New, Paths: []path.Path{drawPath(t, pair.Old), rapid.OneOf(fuzz.Paths(), placesIn(pair.New)).Draw(t, "q")},
		Set: fuzz.Internal.Sets(trees.Paths(pair.Old)...).Draw(t, "set"), Texts: []string{parserTexts().Draw(t, "text")},
		Index: rapid.SampledFrom(hostile.Indexes()).Draw(t, "index"), Match: Matches().Draw(t, "match"),
	}
	p := s.Prober(rapid.Uint64().Draw(t, "choices"))
	p.Printers = nil

	callSome(t, p, probe.Functions(""))
}

// parserTexts generates texts for parsers: of JSON, paths, URNs and state files, most of
// them damaged. They shrink to the empty text.
func parserTexts() *rapid.Generator[string] {
	hostile := slices.DeleteFunc(hostile.Strings(), func(s string) bool { return len(s) > 64 })
	return rapid.OneOf(anyTexts(), rapid.SampledFrom(hostile), jsonTexts(), rapid.Map(fuzz.URNs(), urn.URN.String),
		rapid.Map(fuzz.Paths(), path.Path.String), rapid.Map(jsonTexts(), func(text string) string { return sample.StackExport(text) }))
}

// anyTexts generates short texts, UTF-8 or not.
func anyTexts() *rapid.Generator[string] {
	bytes := rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 6), func(b []byte) string { return string(b) })
	return rapid.OneOf(rapid.StringN(0, 6, -1), bytes)
}

// jsonTexts generates texts of JSON: the wire form of values, in any layout, with
// and without damage, and [hostile.Texts]. They shrink to the empty text.
func jsonTexts() *rapid.Generator[string] {
	const depth = 64

	good := rapid.Custom(func(t *rapid.T) string { return probe.Encode(fuzz.Values(fuzz.Options{}).Draw(t, "value")) })
	bad := rapid.Custom(func(t *rapid.T) string {
		return rapid.SampledFrom(probe.Damaged(good.Draw(t, "text"))).Draw(t, "damaged")
	})
	return rapid.OneOf(rapid.SampledFrom(hostile.Texts(depth)), good, bad, rapid.Custom(func(t *rapid.T) string {
		return "[" + numberTexts().Draw(t, "number") + "]"
	}))
}
