package path_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/path"
)

// A path of many steps, packed in pieces, is the one that is made step by step, and
// its parts are those of the steps.
func TestLongPaths(t *testing.T) {
	for _, long := range []int{0, 1, 7, 8, 9, 30, 31, 32, 100, 508, 509, 510, 511, 512, 600, 70000} {
		for _, n := range []int{1, 2, 15, 16, 17, 60, 300} {
			var steps []path.Step
			want := path.Path{}
			for i := range n {
				name := strings.Repeat("k", (i*7)%40)
				switch {
				case i == n/2:
					name = strings.Repeat("x", long)
				case i%5 == 3:
					steps, want = append(steps, path.Index(i*1000)), want.Elem(i*1000)
					continue
				}
				steps, want = append(steps, path.Key(name)), want.Member(name)
			}
			got := path.Of(steps...)
			if got != want || path.Of().Member("a").Append(steps...) != path.Of().Member("a").Join(want) {
				t.Fatalf("a key of %d bytes in %d steps: not the path step by step", long, n)
			}
			if first := got.Prefix(1); first != path.Of(steps[0]) || got.Prefix(0) != path.Of() || got.Prefix(n) != got {
				t.Fatalf("a key of %d bytes in %d steps: a prefix is not that of the steps", long, n)
			}
		}
	}
}

// The Pulumi text of each key alone, and behind another one, is what a look at its
// bytes, one by one, says: bare when they are words, else in quotes.
func TestPulumiTextByBytes(t *testing.T) {
	for n := range 40 {
		for at := range n {
			for _, c := range "/09:@AZ[^_`az{\x00\x7f \u0100" {
				name := strings.Repeat("a", at) + string(c) + strings.Repeat("Z", n-at-1)
				text := `["` + name + `"]`
				dotted := text
				if c == '_' || ('0' <= c && c <= '9') || ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') {
					text, dotted = name, "."+name
				}
				if got, err := path.Of(path.Key(name)).Pulumi(); got != text || err != nil {
					t.Fatalf("%q: key %q, %v", name, got, err)
				}
				if got, err := path.Of(path.Key("b"), path.Key(name)).Pulumi(); got != "b"+dotted || err != nil {
					t.Fatalf("%q behind another key: %q, %v", name, got, err)
				}
			}
		}
	}
}

// Cut goes down as Steps does, over keys whose heads have one byte and more.
func TestCut(t *testing.T) {
	p := path.Path{}
	for _, n := range []int{0, 1, 30, 31, 32, 33, 127, 128, 5000} {
		p = p.Member(strings.Repeat("k", n)).Elem(n).Elem(path.MaxIndex)
	}
	var steps []path.Step
	for s, below, ok := p.Cut(); ok; s, below, ok = below.Cut() {
		steps = append(steps, s)
	}
	if !slices.Equal(steps, slices.Collect(p.Steps())) || path.Of(steps...) != p {
		t.Errorf("cut into %v", steps)
	}
	pattern := path.PatternOf(path.Any()).Append(steps...).Append(path.Any())
	var cells []path.Step
	for s, below, ok := pattern.Cut(); ok; s, below, ok = below.Cut() {
		cells = append(cells, s)
	}
	if !slices.Equal(cells, slices.Collect(pattern.Steps())) || path.PatternOf(cells...) != pattern {
		t.Errorf("cut into %v", cells)
	}
}
