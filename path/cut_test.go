package path_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/path"
)

// Cut goes down as Steps does, over keys whose heads have one byte and more.
func TestCut(t *testing.T) {
	p := path.Root()
	for _, n := range []int{0, 1, 30, 31, 32, 33, 127, 128, 5000} {
		p = p.Key(strings.Repeat("k", n)).Index(n).Index(path.MaxIndex)
	}
	var steps []path.Step
	for s, below, ok := p.Cut(); ok; s, below, ok = below.Cut() {
		steps = append(steps, s)
	}
	if !slices.Equal(steps, slices.Collect(p.Steps())) || path.Of(steps...) != p {
		t.Errorf("cut into %v", steps)
	}
	pattern := path.PatternOf(path.Any()).Join(p.Pattern()).Append(path.Any())
	var cells []path.PatternStep
	for s, below, ok := pattern.Cut(); ok; s, below, ok = below.Cut() {
		cells = append(cells, s)
	}
	if !slices.Equal(cells, slices.Collect(pattern.Steps())) || path.PatternOf(cells...) != pattern {
		t.Errorf("cut into %v", cells)
	}
}
