package bench_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/bench"
	"github.com/propalg/propalg/value"
)

// The kernels do what they say, under names of their own, again and again.
func TestKernels(t *testing.T) {
	var names []string
	for _, k := range bench.Kernels() {
		names = append(names, k.Name)
		work, err := k.Make()
		if err != nil {
			t.Errorf("%s: %v", k.Name, err)
			continue
		}
		for range 2 {
			if err := work(); err != nil {
				t.Errorf("%s: %v", k.Name, err)
			}
		}
	}
	if slices.Sort(names); len(slices.Compact(names)) != len(bench.Kernels()) || len(names) < 30 {
		t.Errorf("%d names: %q", len(names), names)
	}
}

// The kernels of growing size work, tried on the small sizes; bench/gate counts all.
func TestScaleKernels(t *testing.T) {
	tried := 0
	for _, k := range bench.ScaleKernels() {
		if !strings.HasSuffix(k.Name, " 100") && !strings.HasSuffix(k.Name, " 1000") && k.Name != "decode-deep 10000" { // of several towers
			continue
		}
		tried++
		work, err := k.Make()
		if err == nil {
			err = work()
		}
		if err != nil {
			t.Errorf("%s: %v", k.Name, err)
		}
	}
	if want := len(bench.ScaleKernels())*2/5 + 1; tried != want {
		t.Errorf("tried %d kernels, wanted %d", tried, want)
	}
}

// BenchmarkKernel runs every hot path.
func BenchmarkKernel(b *testing.B) {
	for _, k := range bench.Kernels() {
		work, err := k.Make()
		if err != nil {
			b.Fatal(err)
		}
		bench.Compare(b, bench.Side{Name: k.Name, Do: work})
	}
}

// BenchmarkKept weighs a large bag.
func BenchmarkKept(b *testing.B) {
	bench.Kept(b, "bag", func() (value.Value, error) { return bench.Bag(bench.Huge), nil })
}
