package path_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/path"
)

// Covers agrees with the patterns one by one: for sets of all shapes, nodes with few
// edges and many, labels, ends and wildcards below each other, and keys that are
// empty, long, not UTF-8, or of equal rank.
func TestCoversIsAnyCovers(t *testing.T) {
	pool := []path.Step{path.Key(""), path.Key("a"), path.Key("\xff\x80"), path.Index(0), path.Index(31), path.Index(32), path.Index(300), path.Key("*")}
	for n := 2; n < 36; n += 3 {
		pool = append(pool, path.Key(strings.Repeat("k", n)), path.Key(strings.Repeat("k", n/2)+"z"+strings.Repeat("k", n-n/2-1)))
	}
	pool = append(pool, path.Key(strings.Repeat("k", 14+256)), path.Key(strings.Repeat("k", 40)))
	r := rand.New(rand.NewPCG(1, 2))
	step := func(of int) path.Step { return pool[r.IntN(min(of, len(pool)))] }
	for round := range 300 {
		of, wild := 2+r.IntN(len(pool)), round%4
		// In some sets all begin alike, so that a node has a label and many edges below it.
		var above path.Path
		for range r.IntN(4) * (round % 2) {
			above = above.Append(step(of))
		}
		var patterns []path.Pattern
		for range 1 + r.IntN(120) {
			var steps []path.PatternStep
			for range 1 + r.IntN(4) {
				s := path.Exactly(step(of))
				if wild > 0 && r.IntN(8*wild) == 0 {
					s = path.Any()
				}
				steps = append(steps, s)
			}
			patterns = append(patterns, above.Pattern().Join(path.PatternOf(steps...)))
		}
		set := path.NewSet(patterns...)
		for range 300 {
			p := above
			if r.IntN(8) == 0 {
				p = path.Root()
			}
			for range r.IntN(6) {
				p = p.Append(step(of + 2))
			}
			want := slices.ContainsFunc(patterns, func(q path.Pattern) bool { return q.Covers(p) })
			if set.Covers(p) != want {
				t.Fatalf("round %d, %d patterns: %q is covered: %v, wanted %v", round, len(patterns), p, !want, want)
			}
		}
	}
}
