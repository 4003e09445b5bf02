package align_test

import (
	"flag"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/internal/align"
	"github.com/propalg/propalg/internal/test/race"
)

// long: ten times as many elements, in .ci/run: go test ./internal/align -run Cost -long
var long = flag.Bool("long", false, "align sequences of 100,000 elements")

// family makes two sequences of about n elements.
type family struct {
	name string
	make func(n int) (a, b []int32)
}

func families() []family {
	root := func(n int) int { return int(math.Sqrt(float64(n))) }
	out := []family{
		{"equal", func(n int) (a, b []int32) { return ascending(n), ascending(n) }},
		{"all the same", func(n int) (a, b []int32) { return make([]int32, n), make([]int32, n) }},
		{"all the same, more", func(n int) (a, b []int32) { return make([]int32, n), make([]int32, n+n/3) }},
		{"all different", func(n int) (a, b []int32) { return ascending(2 * n)[:n], ascending(2 * n)[n:] }},
		{"front insertion", func(n int) (a, b []int32) {
			return ascending(n), slices.Concat([]int32{int32(n)}, ascending(n))
		}},
		{"random permutation", func(n int) (a, b []int32) {
			b = ascending(n)
			source(1).Shuffle(n, func(i, j int) { b[i], b[j] = b[j], b[i] })

			return ascending(n), b
		}},
		{"half unique", func(n int) (a, b []int32) {
			a, b = randomly(source(1), n, 2), randomly(source(2), n, 2)
			for i := 0; i < n; i += 2 {
				a[i], b[i] = int32(i+2), int32(i+2)
			}

			return a, b
		}},
	}

	for _, kind := range []struct {
		name     string
		alphabet func(n int) int
	}{
		{"2 symbols", func(int) int { return 2 }},
		{"4 symbols", func(int) int { return 4 }},
		{"50 symbols", func(int) int { return 50 }},
		{"sqrt n symbols", root},
		{"n/4 symbols", func(n int) int { return n / 4 }},
		{"distinct", nil},
	} {
		base := func(n int) []int32 {
			if kind.alphabet == nil {
				return ascending(n)
			}

			return randomly(source(5), n, kind.alphabet(n))
		}
		add := func(name string, f func(a []int32) []int32) {
			out = append(out, family{name + ", " + kind.name, func(n int) (a, b []int32) { return base(n), f(base(n)) }})
		}

		add("reversed", reversed)
		add("rotated", func(a []int32) []int32 { return rotated(a, len(a)/4) })
		add("shifted", func(a []int32) []int32 { return slices.Concat(a[len(a)/10:], a[:len(a)/10]) })
		add("blocks swapped", func(a []int32) []int32 {
			n := len(a)

			return slices.Concat(a[:n/8], a[n/2:n*3/4], a[n/4:n/2], a[n/8:n/4], a[n*3/4:])
		})
		add("twenty edits", func(a []int32) []int32 { return edited(a, 20) })
		add("every tenth edited", func(a []int32) []int32 { return edited(a, len(a)/10) })
		add("every third edited", func(a []int32) []int32 { return edited(a, len(a)/3) })

		if kind.alphabet != nil {
			out = append(out, family{"independent, " + kind.name, func(n int) (a, b []int32) {
				return randomly(source(1), n, kind.alphabet(n)), randomly(source(2), n, kind.alphabet(n))
			}})
		}
	}

	return append(out, repetitive()...)
}

// repetitive are families with much of the same and little in common.
func repetitive() []family {
	return []family{
		{"unrelated fibonacci", func(n int) (a, b []int32) { return fibonacci(n), reversed(fibonacci(n + 7)) }},
		{"period 2 against 3", func(n int) (a, b []int32) { return periodic(n, 2), periodic(n, 3) }},
		{"blocks of one symbol", func(n int) (a, b []int32) { return blocks(n, 3), blocks(n, 5) }},
		{"short against long", func(n int) (a, b []int32) { return randomly(source(1), n/20, 4), randomly(source(2), n, 4) }},
		{"long against short", func(n int) (a, b []int32) { return randomly(source(1), n, 4), randomly(source(2), n/20, 4) }},
	}
}

// edited replaces, drops or doubles so many elements, spread evenly.
func edited(a []int32, edits int) []int32 {
	var b []int32

	r := source(9)
	every := max(1, len(a)/edits)

	for i, x := range a {
		if i%every != every/2 {
			b = append(b, x)

			continue
		}

		switch r.IntN(3) {
		case 0:
			b = append(b, a[r.IntN(len(a))])
		case 1:
			b = append(b, x, a[r.IntN(len(a))])
		}
	}

	return b
}

func fibonacci(n int) []int32 {
	a, b := []int32{0}, []int32{0, 1}
	for len(b) < n {
		a, b = b, slices.Concat(b, a)
	}

	return b[:n]
}

func periodic(n, period int) []int32 {
	out := make([]int32, n)
	for i := range out {
		if i%period == 0 {
			out[i] = 1
		}
	}

	return out
}

func blocks(n, k int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i * k / n % 2)
	}

	return out
}

// TestCost checks that the memory for an element does not grow with the number of
// elements, other than by a logarithm. What Align searches it keeps, so that its work
// shows there. (bench/gate counts statements, too.) It is not parallel to others, whose
// memory would be counted.
func TestCost(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}

	for _, f := range families() {
		var each []int

		most := 10_000
		if *long && !strings.Contains(f.name, "edited") {
			most = 100_000
		}

		for n := 100; n <= most; n *= 10 {
			a, b := f.make(n)

			var before, after runtime.MemStats

			runtime.ReadMemStats(&before)

			align.Align(a, b)

			runtime.ReadMemStats(&after)

			each = append(each, int(after.TotalAlloc-before.TotalAlloc)/n)

			// Up to maxEdits all edits are searched, which is most for a thousand elements.
			if last := each[len(each)-1]; last > 2_600 || (n > 1_000 && last > 500) {
				t.Errorf("%s: %d elements take %d bytes each", f.name, n, last)

				break
			}

			if n <= 10_000 {
				check(t, a, b, aligned(a, b))
			}
		}

		t.Logf("%s: %d bytes for an element", f.name, each)
	}
}

// TestAllocations is on how little is allocated beside the result when only one end
// differs.
func TestAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}

	a := ascending(100_000)

	for _, row := range []struct {
		name       string
		older, new []int32
	}{
		{"equal sequences", a, a},
		{"a shorter sequence", a, a[:99_000]},
		{"an insertion", a, slices.Insert(slices.Clone(a), 50_000, 7)},
	} {
		if got := testing.AllocsPerRun(10, func() { align.Align(row.older, row.new) }); got != 2 {
			t.Errorf("%v allocations for %s, want 2: the results", got, row.name)
		}
	}

	if got := testing.AllocsPerRun(10, func() { align.Align(a, nil) }); got != 0 {
		t.Errorf("%v allocations for an empty sequence, want none", got)
	}
}
