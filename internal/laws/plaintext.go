package laws

import (
	"regexp"
	"slices"
	"strings"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/trees"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Law06NoPlaintext is the law that a canary planted in a secret, anywhere, on either side of a
// change or on both, is in no text that any exported function or method makes of
// the values, their parts, their changes, or of errors about them; but for
// those whose name or documentation says that they give out plaintext.
func Law06NoPlaintext(t *rapid.T) {
	c := fuzz.NewCanary(rapid.Uint64Range(0, 999).Draw(t, "canary"))
	pair := fuzz.ObjectPairs(fuzz.Options{Nodes: 12, Sealed: fuzz.Without}).Draw(t, "pair")
	at := rapid.SampledFrom(fuzz.Places()).Draw(t, "place")
	old, now := pair.Old, pair.New
	p := rapid.SampledFrom(trees.Paths(old)).Draw(t, "path")

	side := rapid.IntRange(0, 2).Draw(t, "side")
	if side != 1 {
		old, _ = c.Plant(old, p, at)
	}

	if side != 0 {
		p = rapid.SampledFrom(trees.Paths(now)).Draw(t, "path in new")
		now, _ = c.Plant(now, p, rapid.SampledFrom(fuzz.Places()).Draw(t, "place in new"))
	}

	log(t, "old", old)
	log(t, "new", now)

	// What the caller gives (patterns, texts) is not secret.
	s := newScene(old, now, p, drawPath(t, old), fuzz.Sets(trees.Paths(pair.Old)...).Draw(t, "set"), "some.text[0]", 1)
	listen(t, c, s, append(probes(), probe{name: "cmp.Diff", run: compareSides}))
}

// Law06BecomesSecret is the law that a value that becomes secret, or ceases to be, is masked on
// both sides of the change, in every text that is made of the change.
func Law06BecomesSecret(t *rapid.T) {
	c := fuzz.NewCanary(rapid.Uint64Range(0, 999).Draw(t, "canary"))
	bag := drawValue(t, fuzz.Objects(fuzz.Options{Nodes: 8, Sealed: fuzz.Without}), "bag")
	p := rapid.SampledFrom(trees.Paths(bag)).Draw(t, "path")
	at := rapid.SampledFrom(fuzz.Places()).Draw(t, "place")

	old, _ := bag.With(p, c.Show(at))
	now, _ := bag.With(p, rapid.SampledFrom([]value.Value{
		c.Hide(at), c.Hide(fuzz.InString), value.Secret(value.Null()), value.Secret(value.Object()),
	}).Draw(t, "secret"))

	if rapid.Bool().Draw(t, "ceases") {
		old, now = now, old
	}

	log(t, "old", old)
	log(t, "new", now)

	// What is made of one side alone may show the side that is not secret.
	var ofChanges []probe

	for _, p := range probes() {
		switch p.name {
		case "diff.Apply", "diff/ignore.Changes", "diff.Change.Old", "diff.Change.New", "diff.Merge", "diff.Conflict.Base", "diff.Conflict.Left", "diff.Conflict.Right":
		case "diff.Aligned", "diff.Keyed", "diff.Positional", "diff.Set": // see Law06ArraysBecomeSecret
		default:
			if strings.HasPrefix(p.name, "diff.") {
				ofChanges = append(ofChanges, p)
			}
		}
	}

	s := newScene(old, now, p, p, path.NewSet(p.Pattern()), "text", 1)
	s.byIndex = true // see Law06ArraysBecomeSecret
	listen(t, c, s, ofChanges)
}

func drawPath(t *rapid.T, v value.Value) path.Path { return placesIn(v).Draw(t, "another path") }

// probesATry is how many probes a try of a law calls, so that a native execution is
// short: many scenes, each with few of the probes, find more than few scenes with many.
const probesATry = 4

// drawProbes draws a few probes that follow each other in the list.
func drawProbes(t *rapid.T, all []probe) []probe {
	first := rapid.IntRange(0, len(all)-1).Draw(t, "first probe")
	few := make([]probe, 0, probesATry)

	for i := range min(probesATry, len(all)) {
		few = append(few, all[(first+i)%len(all)])
	}

	return few
}

// listen calls a few of the probes, and looks for the canary in what they say.
func listen(t *rapid.T, c fuzz.Canary, s *scene, all []probe) {
	s.listened = true

	for _, p := range drawProbes(t, all) {
		if p.why != "" {
			continue
		}

		if err := c.Check(s.hear(p)); err != nil {
			t.Fatalf("%s shows %v", p.name, err)
		}
	}
}

// compareSides says what go-cmp says of the two sides: it reads unexported fields where
// texts are equal, as those of secrets are.
func compareSides(s *scene) {
	mixed := append(slices.Clone(s.parts[len(s.parts)/2:]), s.parts[:len(s.parts)/2]...)
	inverted := diff.Between(s.w, s.v, diff.Options{})
	address := regexp.MustCompile(`0x[0-9a-f]{6,}`) // of a pointer, which may read as a digest by chance

	for _, text := range []string{
		cmp.Diff(s.v, s.w), cmp.Diff(s.parts, mixed), cmp.Diff(s.d, inverted),
		cmp.Diff(s.shown, slices.Concat(s.shown[len(s.shown)/2:], []path.Shown{path.Show(s.p, 0)})),
	} {
		s.say(address.ReplaceAllString(text, "@"))
	}
}
