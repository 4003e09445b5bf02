package laws

import (
	"slices"

	"github.com/propalg/propalg/fuzz"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/value"
)

// Law06ArraysBecomeSecret is the law that an element that becomes secret, or
// something in one, is masked on both sides however the elements of the array are
// matched, wherever it is now, whatever else was added and removed, and also if it
// became an output or got another member.
func Law06ArraysBecomeSecret(t *rapid.T) {
	c := fuzz.NewCanary(rapid.Uint64Range(0, 999).Draw(t, "canary"))
	at := rapid.SampledFrom(fuzz.Places()).Draw(t, "place")
	plain, hidden := c.Show(at), c.Hide(at)
	if rapid.Bool().Draw(t, "in an object") {
		name := value.Member{Key: "name", Value: value.String("p")}
		plain = value.Object(name, value.Member{Key: "word", Value: plain})
		hidden = value.Object(name, value.Member{Key: "word", Value: hidden})
		if rapid.Bool().Draw(t, "edited") {
			hidden = value.Object(name, value.Member{Key: "word", Value: hidden.Field("word")}, value.Member{Key: "more", Value: value.Bool(true)})
		}
	}
	if rapid.Bool().Draw(t, "an output") {
		hidden = hidden.WithDependencies("urn:pulumi:s::p::t::a")
	}

	some := rapid.SliceOfN(fuzz.Internal.Elements(fuzz.Options{Nodes: 4, NoSecrets: true, NoSealed: true}), 0, 6)
	elems := some.Draw(t, "elements")
	now := slices.Clone(elems)
	for range rapid.IntRange(0, 3).Draw(t, "other elements") {
		now = slices.Insert(now, rapid.IntRange(0, len(now)).Draw(t, "at"), fuzz.Internal.Elements(fuzz.Options{Nodes: 4, NoSealed: true}).Draw(t, "element"))
	}
	now = rapid.Permutation(now).Draw(t, "permutation")
	now = slices.Insert(now, rapid.IntRange(0, len(now)).Draw(t, "new place"), hidden)
	elems = slices.Insert(elems, rapid.IntRange(0, len(elems)).Draw(t, "old place"), plain)
	old, changed := value.Array(elems...), value.Array(now...)
	if rapid.Bool().Draw(t, "ceases") {
		old, changed = changed, old
	}
	log(t, "old", old)
	log(t, "new", changed)

	// Index by index, what is elsewhere is another element.
	match := Matches().Filter(func(m diff.Match) bool { return m != diff.Positional() }).Draw(t, "match")
	calledOn(t, c, diff.Between(old, changed, diff.Options{Arrays: match}))
}
