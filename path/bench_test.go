package path_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/propalg/propalg/path"
)

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

func benchTexts() map[string]string {
	return map[string]string{
		"name":   "instanceType",
		"nested": "spec.template.spec.containers[0].env[12].name",
		"quoted": `metadata.annotations["deployment.kubernetes.io/revision"]`,
		"escape": `tags["with \"quotes\""].x`,
	}
}

func BenchmarkParse(b *testing.B) {
	for name, text := range benchTexts() {
		b.Run("canonical/"+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = path.Parse(text)
			}
		})
		b.Run("pulumi/"+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = path.ParsePulumi(text)
			}
		})
	}
	big := `a["` + strings.Repeat("k", 1<<20) + `"]`
	b.Run("canonical/1MiB", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(big)))
		for b.Loop() {
			_, _ = path.Parse(big)
		}
	})
}

func BenchmarkString(b *testing.B) {
	for name, text := range benchTexts() {
		p := path.MustParse(text)
		b.Run("canonical/"+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_ = p.String()
			}
		})
		b.Run("pulumi/"+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = p.Pulumi()
			}
		})
	}
}

func BenchmarkSteps(b *testing.B) {
	p := path.MustParse(benchTexts()["nested"])
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		for s := range p.Steps() {
			if s.IsKey() {
				n++
			}
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	p := path.MustParse("spec.template")
	b.ReportAllocs()
	for b.Loop() {
		_ = p.Key("containers")
	}
}

func BenchmarkParent(b *testing.B) {
	p := path.MustParse(strings.Repeat("a.", 100_000) + "a")
	b.ReportAllocs()
	for b.Loop() {
		_, _ = p.Parent()
	}
}

// One path against more and more patterns: the time stays where it is.
func BenchmarkSet(b *testing.B) {
	for _, n := range []int{1, 100, 10_000} {
		set := path.NewSet(manyPatterns(n)...)
		p := path.MustParse("spec.template.part0.items[0].name.first")
		b.Run("Covers/"+strconv.Itoa(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if !set.Covers(p) {
					b.Fatal("not covered")
				}
			}
		})
		b.Run("Walk/"+strconv.Itoa(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				st := set.Start()
				for s := range p.Steps() {
					st = st.Step(s)
				}
				if !st.Covers() {
					b.Fatal("not covered")
				}
			}
		})
	}
	b.Run("New/10000", func(b *testing.B) {
		patterns := manyPatterns(10_000)
		b.ReportAllocs()
		for b.Loop() {
			_ = path.NewSet(patterns...)
		}
	})
}
