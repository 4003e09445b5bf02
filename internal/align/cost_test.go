package align_test

import (
	"flag"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/internal/align"
)

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

// long: the size that the library promises, and not only that of every day.
var long = flag.Bool("long", false, "count the work on sequences of a million elements too")

// growing are the families that -long follows up to 10^6 elements: those that show
// the most work, and those that the specification names. The others stop at 10^5,
// and all at 10^4 where time is short.
func growing(name string) bool {
	for _, part := range []string{"edit", "4 symbols", "50 symbols", "n/4", "period", "half", "one symbol", "short", "fibonacci"} {
		if strings.Contains(name, part) && name != "independent, 4 symbols" {
			return false
		}
	}

	return true
}

// TestCost checks how counted work grows: an exponent of at most 1.12 from 10^4 to
// 10^6 elements, and at no size more than six times the work for an element that
// there is at a tenth of it, nor more than two hundred.
func TestCost(t *testing.T) {
	t.Parallel()

	for _, f := range families() {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()

			var each []float64

			most := 100_000

			switch {
			case raceDetector || testing.Short():
				most = 10_000
			case *long && growing(f.name):
				most = 1_000_000
			}

			for n := 100; n <= most; n *= 10 {
				a, b := f.make(n)

				var work align.Work

				s := align.Align(a, b, &work)
				check(t, a, b, s)

				each = append(each, float64(work.Total())/float64(n))

				if k := len(each) - 1; k > 0 && (each[k] > 6*each[k-1] || each[k] > 200) {
					t.Errorf("%d elements take %.1f each, a tenth of them %.1f", n, each[k], each[k-1])
				}
			}

			if len(each) == 5 {
				if got := 1 + math.Log10(each[4]/each[2])/2; got > 1.12 {
					t.Errorf("exponent %.3f", got)
				}
			}

			t.Logf("%s: %.1f for an element", f.name, each)
		})
	}
}
