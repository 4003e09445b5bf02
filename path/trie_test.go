package path_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/propalg/propalg/path"
)

// Keys of all lengths, that differ in one byte or in length only, under nodes with
// few edges and with many: each is found, and none else.
func TestSetEdges(t *testing.T) {
	for _, many := range []int{1, 3, 4, 9, 40} {
		for length := range 40 {
			names := make([]string, 0, many)
			for i := range many {
				name := []byte(strings.Repeat("k", length+i/26))
				if length > 0 {
					name[i%length] = byte('a' + i%26)
				}
				names = append(names, string(name))
			}
			checkEdges(t, names)
		}
	}
}

func checkEdges(t *testing.T, names []string) {
	t.Helper()
	var patterns []path.Pattern
	for _, name := range names {
		patterns = append(patterns, path.Of(path.Key(name)).Pattern())
	}
	patterns = append(patterns, path.Of(path.Index(7)).Pattern())
	set := path.NewSet(patterns...)
	for _, name := range names {
		for _, other := range []string{name, name + "k", strings.Replace(name, "k", "q", 1), name[:len(name)/2]} {
			p, want := path.Of(path.Key(other)), slices.Contains(names, other)
			if set.Covers(p) != want || set.Covers(p.Member("below it")) != want || set.At(p.Member("x")).Matches() || set.Matcher().Next(path.Key(other)).Matches() != want {
				t.Fatalf("%d keys: %q: covered %v, wanted %v", len(names), other, set.Covers(p), want)
			}
		}
	}
	if !set.Covers(path.Of(path.Index(7))) || set.Covers(path.Of(path.Index(8))) {
		t.Errorf("%d keys: wrong of an index", len(names))
	}
}

// More ways to go than wait without allocation, and the last of them is right.
func TestCoversManyWays(t *testing.T) {
	const depth = 12
	var patterns []path.Pattern
	for i := range depth {
		deep := path.PatternOf()
		for j := range depth {
			step := path.Key("a")
			if j == i {
				step = path.Any()
			}
			deep = deep.Append(step)
		}
		patterns = append(patterns, deep.Append(path.Key("z"+strconv.Itoa(i))))
	}
	set := path.NewSet(patterns...)
	long := path.MustParse(strings.Repeat("a.", depth-1) + "a")
	for i := range depth + 1 {
		p := long.Member("z" + strconv.Itoa(i))
		want := slices.ContainsFunc(patterns, func(q path.Pattern) bool { return q.Covers(p) })
		if set.Covers(p) != want || want != (i < depth) || set.Covers(long) {
			t.Errorf("%v: covered %v, wanted %v", p, set.Covers(p), want)
		}
	}
}

// A key of 256 bytes more than another, with the same ends, is not taken for it, and
// a key with the mark of an index is not taken for that.
func TestSetLongEdges(t *testing.T) {
	const zeros = "\x00\x00\x00\x00"
	steps := []path.Step{
		path.Key("p"), path.Key("q"), path.Key("r"), path.Key(""),
		path.Key("abc" + zeros + strings.Repeat("x", 241) + "\x01\x00\x00" + zeros),
		path.Key("abcdef\x07" + strings.Repeat("x", 248) + "\x18abcdef"),
	}
	asked := []path.Step{path.Index(0x636261fc - 1), path.Index(255), path.Key("abcdef")}
	for n := 7; n <= 14; n++ {
		short := "abcdefghijklmn"[:n]
		steps = append(steps, path.Key(short[:7]+strings.Repeat("x", 256+n-14)+short[n-7:]))
		asked = append(asked, path.Key(short))
	}
	patterns := make([]path.Pattern, len(steps))
	for i, s := range steps {
		patterns[i] = path.PatternOf(s)
	}
	set := path.NewSet(patterns...)
	for _, s := range asked {
		if p := path.Of(s); set.Covers(p) || set.At(p).Matches() || set.Matcher().Next(s).Matches() {
			t.Errorf("%q is taken for a long key", p)
		}
	}
	for _, s := range steps {
		if p := path.Of(s); !set.Covers(p) || !set.Matcher().Next(s).Matches() {
			t.Errorf("%.40q is not found", p)
		}
	}
}

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
			var steps []path.Step
			for range 1 + r.IntN(4) {
				s := step(of)
				if wild > 0 && r.IntN(8*wild) == 0 {
					s = path.Any()
				}
				steps = append(steps, s)
			}
			patterns = append(patterns, above.Pattern().Append(steps...))
		}
		set := path.NewSet(patterns...)
		for range 300 {
			p := above
			if r.IntN(8) == 0 {
				p = path.Path{}
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
