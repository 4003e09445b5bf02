package laws

import (
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/probe"
	"github.com/propalg/propalg/internal/test/trees"
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
	pair := fuzz.ObjectPairs(fuzz.Options{Nodes: 12, NoSealed: true}).Draw(t, "pair")
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
	s := probe.Scene{
		Old: old, New: now, Paths: []path.Path{path.MustParse("a.b"), path.MustParse("k[0]")}, Set: fuzz.Internal.Sets(trees.Paths(pair.Old)...).Draw(t, "set"),
		Texts: []string{"some.text[0]"}, Index: 1, Match: Matches().Draw(t, "match"),
	}
	calls := s.Prober(rapid.Uint64().Draw(t, "choices"))
	listen(t, c, calls)
	callSome(t, calls, probe.Functions(""))
}

// Law06BecomesSecret is the law that a value that becomes secret, or ceases to be, is masked on
// both sides of the change, in every text that is made of the change.
func Law06BecomesSecret(t *rapid.T) {
	c := fuzz.NewCanary(rapid.Uint64Range(0, 999).Draw(t, "canary"))
	bag := drawValue(t, fuzz.Objects(fuzz.Options{Nodes: 8, NoSealed: true}), "bag")
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

	calledOn(t, c, diff.Between(old, now, diff.Options{}))
}

// calledOn looks for the canary in what is made of a diff, but for its sides.
func calledOn(t *rapid.T, c fuzz.Canary, d diff.Diff) {
	s := probe.Scene{Old: value.Null(), New: value.Bool(true), Texts: []string{"text"}, Paths: []path.Path{path.MustParse("a")}, More: []any{d, d.Invert()}}
	p := s.Prober(rapid.Uint64().Draw(t, "choices"))
	p.Shows = []string{ // they give one side of a change, which may be the one in clear
		"diff.Diff.Apply", "diff.Diff.Rebase", "diff.Diff.RebaseWithoutBase", "diff.Merge", "diff.Change.Old", "diff.Change.New", "diff.Conflict.Base", "diff.Conflict.Left", "diff.Conflict.Right",
		"codec/patch.JSONPatch", // which is a request with the new side
	}
	listen(t, c, p)
	callSome(t, p, probe.Functions("diff.", "diff/render.", "codec/patch."))
}

func drawPath(t *rapid.T, v value.Value) path.Path { return placesIn(v).Draw(t, "another path") }

// listen makes a test fail if a text has the canary in it.
func listen(t *rapid.T, c fuzz.Canary, p *probe.Prober) {
	p.Printers = nil // which TestPrintersKeepSecrets tries
	p.Heard = func(name, text string) {
		if err := c.Check(text); err != nil {
			t.Fatalf("%s shows %v", name, err)
		}
	}
}
