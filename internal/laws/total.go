package laws

import (
	"slices"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/sample"
	"github.com/propalg/propalg/internal/trees"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Law09Total is the law that no exported function or method panics or hangs, whatever it is
// given: hostile values, keys, texts, indexes, kinds, relations, options, nil and
// zero values of every type.
func Law09Total(t *rapid.T) {
	pair := drawPair(t, fuzz.Pairs(fuzz.Options{Style: fuzz.Hostile, Nodes: 10}))
	s := newScene(
		pair.Old, pair.New, drawPath(t, pair.Old), rapid.OneOf(fuzz.Paths(), placesIn(pair.New)).Draw(t, "q"),
		fuzz.Sets(trees.Paths(pair.Old)...).Draw(t, "set"), parserTexts().Draw(t, "text"), rapid.SampledFrom(fuzz.HostileIndexes()).Draw(t, "index"),
	)

	last := ""

	defer func() { t.Logf("the last probe was %s", last) }()

	for _, p := range drawProbes(t, probes()) {
		last = p.name
		s.hear(p)
	}
}

// ProbeBig gives every probe a big scene, through a function that calls it.
func ProbeBig(v, w value.Value, p, q path.Path, text string, index int, each func(name string, run func())) {
	s := &scene{v: v, w: w, p: p, q: q, set: path.NewSet(p.Pattern(), q.Pattern()), text: text, index: index, big: true}
	s.prepare()

	for _, p := range probes() {
		each(p.name, func() { s.hear(p) })
	}
}

// ProbeZero gives every probe nothing but zero values, through a function that calls it.
func ProbeZero(each func(name string, run func())) {
	s := newScene(value.Value{}, value.Value{}, path.Path{}, path.Path{}, nil, "", 0)

	for _, p := range probes() {
		each(p.name, func() { s.hear(p) })
	}
}

// parserTexts generates texts for parsers: of JSON, paths, URNs and state files, most of
// them damaged. They shrink to the empty text.
func parserTexts() *rapid.Generator[string] {
	hostile := slices.DeleteFunc(fuzz.HostileStrings(), func(s string) bool { return len(s) > 64 })

	return rapid.OneOf(anyTexts(), rapid.SampledFrom(hostile), jsonTexts(), fuzz.URNTexts(),
		rapid.Map(fuzz.Paths(), path.Path.String), rapid.Map(jsonTexts(), func(text string) string { return sample.StackExport(text) }))
}

// anyTexts generates short texts, UTF-8 or not.
func anyTexts() *rapid.Generator[string] {
	bytes := rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 6), func(b []byte) string { return string(b) })

	return rapid.OneOf(rapid.StringN(0, 6, -1), bytes)
}

// jsonTexts generates texts of JSON: the wire form of values, in any layout, with
// and without damage, and [fuzz.HostileTexts]. They shrink to the empty text.
func jsonTexts() *rapid.Generator[string] {
	const depth = 64

	good := rapid.Custom(func(t *rapid.T) string { return wire(fuzz.Values(fuzz.Options{}).Draw(t, "value")) })
	bad := rapid.Custom(func(t *rapid.T) string { return rapid.SampledFrom(damaged(good.Draw(t, "text"))).Draw(t, "damaged") })

	return rapid.OneOf(rapid.SampledFrom(fuzz.HostileTexts(depth)), good, bad, rapid.Custom(func(t *rapid.T) string {
		return "[" + numberTexts().Draw(t, "number") + "]"
	}))
}
