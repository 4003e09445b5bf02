package path_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/path"
)

// allocRow is a call and the most that it may allocate.
type allocRow struct {
	name string
	most float64
	call func() int // what it returns keeps the call from being left out
}

func checkAllocations(t *testing.T, rows []allocRow) {
	t.Helper()
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	n := 0
	for i, row := range rows {
		if got := testing.AllocsPerRun(50, func() { n += row.call() }); got > row.most {
			t.Errorf("row %d %s: %v allocations, at most %v wanted", i, row.name, got, row.most)
		}
	}
}

const (
	allocShort   = "spec.template.containers[0].env[12].name"
	allocEscaped = `tags["with \"quotes\" and \\"].x`
)

// allocLong is a text that fits in no scratch.
func allocLong() string { return strings.Repeat(`a.b["c d"][7].`, 5000) + "end" }

func TestTextAllocations(t *testing.T) {
	long := allocLong()
	p := path.MustParse(allocShort)
	canonical := func(text string) func() int {
		return func() int { p, _ := path.Parse(text); return len(text) - p.Len() }
	}
	pulumi := func(text string) func() int {
		return func() int { p, _ := path.ParsePulumi(text); return len(text) - p.Len() }
	}
	checkAllocations(t, []allocRow{
		{"Parse", 1, canonical(allocShort)},
		{"Parse long", 1, canonical(long)},
		{"Parse escapes", 1, canonical(allocEscaped)},
		{"Parse long escapes", 1, canonical(allocEscaped + strings.Repeat(".a", 100))},
		{"Parse root", 0, canonical("")},
		{"ParsePulumi", 1, pulumi(allocShort)},
		{"ParsePulumi long", 1, pulumi(long)},
		{"ParsePattern", 1, func() int { p, _ := path.ParsePattern("a[*].b"); return count(p.IsRoot()) }},
		{"ParsePulumiPattern", 1, func() int { p, _ := path.ParsePulumiPattern("a.*.b[*]"); return count(p.IsRoot()) }},
		{"String", 1, func() int { return len(p.String()) }},
		{"Pulumi", 1, func() int { s, _ := p.Pulumi(); return len(s) }},
		{"Show", 1, func() int { return path.Show(p, 1).Path().Len() }},
		{"Show all", 0, func() int { return path.Show(p, -1).Path().Len() }},
	})
}

func TestPathAllocations(t *testing.T) {
	p, q, deep := path.MustParse(allocShort), path.MustParse("spec.template.containers"), path.MustParse(allocLong())
	again := path.MustParse(allocLong())
	steps := []path.Step{path.Key("k"), path.Index(1), path.Key(strings.Repeat("k", 1000))}
	pattern := path.MustParsePattern("spec[*].containers[*].env")
	checkAllocations(t, []allocRow{
		{"Of", 1, func() int { return path.Of(steps...).Len() }},
		{"Append", 1, func() int { return p.Append(steps...).Len() }},
		{"Key", 1, func() int { return p.Member("name").Len() }},
		{"Index", 1, func() int { return p.Elem(70_000).Len() }},
		{"Join", 1, func() int { return p.Join(q).Len() }},
		{"Steps", 0, func() int {
			n := 0
			for s := range deep.Steps() {
				i, _ := s.AsIndex()
				n += i
			}
			return n
		}},
		{"steps of a pattern", 0, func() int {
			n := 0
			for s := range pattern.Steps() {
				if s.IsWildcard() {
					n++
				}
			}
			return n
		}},
		{"ends", 0, func() int {
			parent, _ := deep.Parent()
			last, _ := parent.Last()
			first, _, _ := deep.Cut()
			return last.Compare(first)
		}},
		{"Prefix", 0, func() int { return deep.Prefix(3).Len() }},
		{"HasPrefix", 0, func() int { return count(p.HasPrefix(q)) }},
		{"TrimPrefix", 0, func() int { s, _ := p.TrimPrefix(q); return s.Len() }},
		{"Compare", 0, func() int { return p.Compare(q) + deep.Compare(p) + deep.Compare(again) }},
		{"Pattern", 0, func() int {
			return count(pattern.Covers(p), pattern.Matches(p), pattern.Touches(q), p.Pattern() == pattern)
		}},
	})
}

// count is how many are true.
func count(facts ...bool) int {
	n := 0
	for _, fact := range facts {
		if fact {
			n++
		}
	}
	return n
}

func TestSetAllocations(t *testing.T) {
	p, q := path.MustParse(allocShort), path.MustParse("spec.template.containers")
	many := path.NewSet(manyPatterns(10_000)...)
	mixed := path.NewSet(path.MustParsePattern("spec[*].containers"), path.MustParsePattern("[*].template[*][*]"), path.MustParsePattern("spec.template.containers[0]"))
	checkAllocations(t, []allocRow{
		{"Set of many", 0, func() int { return count(many.Covers(p), many.At(q).MayMatchBelow(), many.At(p).Matches()) }},
		{"Set with wildcards", 0, func() int { return count(mixed.Covers(p), mixed.At(q).MayMatchBelow(), mixed.At(q).Matches()) }},
		{"Matcher", 0, func() int {
			st := mixed.Matcher().Next(path.Key("spec")).Next(path.Key("template")).Next(path.Key("containers")).Next(path.Index(0))
			return count(st.MatchesAbove(), st.Matches(), st.MayMatchBelow())
		}},
		{"Matched", 0, func() int {
			n := 0
			for i := range mixed.Matcher().Next(path.Key("spec")).Next(path.Key("template")).Next(path.Key("containers")).Matched() {
				n += i
			}
			return n
		}},
	})
}

// manyPatterns is n different patterns, one in eight with a wildcard.
func manyPatterns(n int) []path.Pattern {
	patterns := make([]path.Pattern, n)
	for i := range patterns {
		text := fmt.Sprintf("spec.template.part%d.items[%d].name", i, i%7)
		if i%8 == 0 {
			text = fmt.Sprintf("spec[*].part%d.items[*].name", i)
		}
		patterns[i] = path.MustParsePattern(text)
	}
	return patterns
}
