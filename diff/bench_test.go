package diff_test

import (
	"testing"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

func BenchmarkBetween(b *testing.B) {
	for _, c := range []struct {
		name     string
		old, now value.Value
	}{
		{"bag/equal", bag("n"), bag("n")},
		{"bag/one", bag("n"), bag("m")},
		{"wide/equal", wide(10_000, 1, 1), wide(10_000, 1, 1)},
		{"wide/hundredth", wide(10_000, 100, 1), wide(10_000, 100, 2)},
		{"wide/all", wide(10_000, 1, 1), wide(10_000, 1, 2)},
		{"deep/leaf", kit.Nested(10_000, num(1)), kit.Nested(10_000, num(2))},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				diff.Between(c.old, c.now, diff.Options{Relation: value.Engine})
			}
		})
	}
}

func BenchmarkApply(b *testing.B) {
	for _, c := range []struct {
		name     string
		old, now value.Value
	}{
		{"bag/one", bag("n"), bag("m")},
		{"wide/hundredth", wide(10_000, 100, 1), wide(10_000, 100, 2)},
		{"wide/all", wide(10_000, 1, 1), wide(10_000, 1, 2)},
	} {
		d := diff.Between(c.old, c.now, diff.Options{})
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := diff.Apply(c.old, d); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkResponse(b *testing.B) {
	set := patterns("name", "[*].x", "rules[*].port")
	for _, c := range []struct {
		name     string
		old, now value.Value
	}{
		{"bag/one", bag("n"), bag("m")},
		{"wide/all", wide(10_000, 1, 1), wide(10_000, 1, 2)},
	} {
		d := diff.Between(c.old, c.now, diff.Options{Relation: value.Engine})
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				provider.Respond(d, provider.Options{ReplaceOn: set})
			}
		})
	}
}

func BenchmarkInvert(b *testing.B) {
	d := diff.Between(wide(10_000, 1, 1), wide(10_000, 1, 2), diff.Options{})
	b.ReportAllocs()
	for b.Loop() {
		d.Invert()
	}
}
