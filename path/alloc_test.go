package path_test

import (
	"strings"
	"testing"

	"github.com/propalg/propalg/path"
)

func TestAllocations(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates")
	}
	short, long := "spec.template.containers[0].env[12].name", strings.Repeat(`a.b["c d"][7].`, 5000)+"end"
	escaped := `tags["with \"quotes\" and \\"].x`
	p, q := path.MustParse(short), path.MustParse("spec.template.containers")
	deep := path.MustParse(long)
	r := p.Key("x")
	steps := []path.Step{path.Key("k"), path.Index(1), path.Key(strings.Repeat("k", 1000))}
	pattern := path.MustParsePattern("spec[*].containers[*].env")
	set := path.NewSet(manyPatterns(10_000)...)
	mixed := path.NewSet(path.MustParsePattern("spec[*].containers"), path.MustParsePattern("[*].template[*][*]"), path.MustParsePattern("spec.template.containers[0]"))
	tracker := mixed.Track()
	buf := make([]byte, 0, 1<<20)
	n := 0
	for i, c := range []struct {
		name string
		most float64
		f    func()
	}{
		{"Parse", 1, func() { _, _ = path.Parse(short) }},
		{"Parse long", 1, func() { _, _ = path.Parse(long) }},
		{"Parse escapes", 1, func() { _, _ = path.Parse(escaped) }},
		{"Parse root", 0, func() { _, _ = path.Parse("") }},
		{"ParsePattern", 1, func() { _, _ = path.ParsePattern(short) }},
		{"ParsePulumi", 1, func() { _, _ = path.ParsePulumi(short) }},
		{"ParsePulumi long", 1, func() { _, _ = path.ParsePulumi(long) }},
		{"ParsePulumiPattern", 1, func() { _, _ = path.ParsePulumiPattern("a.*.b[*]") }},
		{"String", 1, func() { n += len(p.String()) }},
		{"Pulumi", 1, func() { s, _ := p.Pulumi(); n += len(s) }},
		{"AppendTo", 0, func() { buf = deep.AppendTo(buf[:0]) }},
		{"Of", 1, func() { n += path.Of(steps...).Len() }},
		{"Append", 1, func() { n += p.Append(steps...).Len() }},
		{"Key", 1, func() { n += p.Key("name").Len() }},
		{"Index", 1, func() { n += p.Index(70_000).Len() }},
		{"Join", 1, func() { n += p.Join(q).Len() }},
		{"Steps", 0, func() {
			for s := range deep.Steps() {
				if s.IsKey() {
					n++
				}
			}
		}},
		{"pattern Steps", 0, func() {
			for s := range pattern.Steps() {
				if s.IsWildcard() {
					n++
				}
			}
		}},
		{"ends", 0, func() {
			parent, _ := deep.Parent()
			last, _ := parent.Last()
			first, _ := deep.First()
			n += last.Compare(first)
		}},
		{"Prefix", 0, func() { n += deep.Prefix(3).Len() }},
		{"HasPrefix", 0, func() {
			if p.HasPrefix(q) {
				n++
			}
		}},
		{"TrimPrefix", 0, func() { s, _ := p.TrimPrefix(q); n += s.Len() }},
		{"Compare", 0, func() { n += p.Compare(q) + r.Compare(p) + deep.Compare(p) }},
		{"Pattern", 0, func() {
			if pattern.Covers(p) && !pattern.Matches(p) && pattern.Touches(q) && p.Pattern() != pattern {
				n++
			}
		}},
		{"Set of many", 0, func() {
			if set.Covers(p) || set.Touches(q) || set.Matches(p) {
				n++
			}
		}},
		{"Set with wildcards", 0, func() {
			if i, ok := mixed.First(p); ok && mixed.Covers(p) && mixed.Touches(q) && mixed.Matches(q) {
				n += i
			}
		}},
		{"State", 0, func() {
			st := mixed.Start().Key("spec").Key("template").Key("containers").Index(0)
			if st.Covers() && st.Ends() && st.Touches() && !st.Dead() {
				n++
			}
			tracker.Mark(st)
			tracker.MarkPath(p)
		}},
		{"Matched", 0, func() {
			for i := range mixed.Start().Key("spec").Key("template").Key("containers").Matched() {
				n += i
			}
		}},
		{"Show", 1, func() { n += path.Show(p, 1).Path().Len() }},
		{"Show all", 0, func() { n += path.Show(p, -1).Path().Len() }},
	} {
		if got := testing.AllocsPerRun(50, c.f); got > c.most {
			t.Errorf("row %d %s: %v allocations, at most %v wanted", i, c.name, got, c.most)
		}
	}
}
