package diff_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// shapes are pairs of arrays that are hard for one way of matching or another.
func shapes() []struct {
	name string
	make func(n int) (old, now []int)
} {
	random := func(n, alphabet int, seed uint64) []int {
		r := rand.New(rand.NewPCG(seed, 1))
		return slices.Collect(func(yield func(int) bool) {
			for range n {
				if !yield(r.IntN(alphabet)) {
					return
				}
			}
		})
	}
	count := func(n, from int) []int {
		all := make([]int, n)
		for i := range all {
			all[i] = from + i
		}
		return all
	}
	return []struct {
		name string
		make func(n int) (old, now []int)
	}{
		{"all equal, one more", func(n int) ([]int, []int) { return make([]int, n), make([]int, n+1) }},
		{"all different", func(n int) ([]int, []int) { return count(n, 0), count(n, n) }},
		{"reversed", func(n int) ([]int, []int) {
			back := count(n, 0)
			slices.Reverse(back)
			return count(n, 0), back
		}},
		{"rotated", func(n int) ([]int, []int) {
			all := count(n, 0)
			return all, append(slices.Clone(all[n/3:]), all[:n/3]...)
		}},
		{"permuted", func(n int) ([]int, []int) { return count(n, 0), rand.New(rand.NewPCG(7, 7)).Perm(n) }},
		{"two words", func(n int) ([]int, []int) { return random(n, 2, 1), random(n, 2, 2) }},
		{"few words", func(n int) ([]int, []int) {
			words := int(math.Sqrt(float64(n)))
			return random(n, words, 1), random(n, words, 2)
		}},
		{"one in front", func(n int) ([]int, []int) { return count(n, 0), append([]int{-1}, count(n, 0)...) }},
		{"shifted", func(n int) ([]int, []int) { return count(n, 0), count(n, n/2) }},
	}
}

// item makes an element of a number, in the two forms that lists have.
func items(numbers []int, objects bool) value.Value {
	elems := make([]value.Value, len(numbers))
	for i, n := range numbers {
		elems[i] = num(float64(n))
		if objects {
			elems[i] = obj("name", num(float64(n)), "size", num(float64(n%3)), "zone", str("a"))
		}
	}
	return arr(elems...)
}

// long: the sizes that a library promises, and not only those that a newcomer
// waits for: go test ./diff -run Cost -long
var long = flag.Bool("long", false, "test the cost of arrays of a million elements")

// Law 4: work grows about as the size does, whatever the elements are.
func TestCostOfArrays(t *testing.T) {
	sizes := []int{100, 1000, 10_000}
	for _, how := range []diff.Match{diff.Positional(), diff.Aligned(), diff.Keyed(path.MustParse("name")), diff.Set()} {
		if *long {
			sizes = []int{1000, 10_000, 100_000, 1_000_000}
		}
		for _, objects := range []bool{false, true} {
			if objects && *long {
				sizes = sizes[:3] // a million objects take gigabytes
			}
			for _, shape := range shapes() {
				checkGrowth(t, fmt.Sprintf("%v, %s, objects %v", how, shape.name, objects), sizes, func(n int) int {
					x, y := shape.make(n)
					_, work := diff.BetweenCounting(items(x, objects), items(y, objects), diff.Options{Arrays: how})
					return work
				})
			}
		}
	}
}

// checkGrowth: from ten thousand to a million the exponent of work is at most 1.12,
// and an element costs at most three times what it costs at a tenth of the size.
func checkGrowth(t *testing.T, name string, sizes []int, work func(n int) int) {
	t.Helper()
	var xs, ys []float64
	last := 0.0
	for _, n := range sizes {
		start := time.Now()
		done := float64(work(n))
		each := done / float64(n)
		if *long { // shown, not tested: machines differ
			t.Logf("%s: %d elements, %.1f steps and %v each", name, n, each, time.Since(start)/time.Duration(n))
		}
		if last > 0 && each > 3*last {
			t.Errorf("%s: %.1f an element at %d, %.1f at a tenth", name, each, n, last)
		}
		last = each
		if n >= 10_000 {
			xs, ys = append(xs, math.Log(float64(n))), append(ys, math.Log(done))
		}
	}
	// At a thousand elements scripts are exact whatever it takes.
	if e := slope(xs, ys); e > 1.12 && sizes[len(sizes)-1] >= 1_000_000 {
		t.Errorf("%s: the exponent of work is %.3f", name, e)
	}
}

func slope(xs, ys []float64) float64 {
	var x, y, xx, xy float64
	for i := range xs {
		x, y = x+xs[i], y+ys[i]
		xx, xy = xx+xs[i]*xs[i], xy+xs[i]*ys[i]
	}
	n := float64(len(xs))
	return (n*xy - x*y) / (n*xx - x*x)
}

// Law 4: work is linear in depth, in every mode.
func TestCostOfDepth(t *testing.T) {
	for _, how := range modes() {
		for name, wrap := range map[string]func(value.Value) value.Value{
			"arrays": func(v value.Value) value.Value { return arr(str("x"), v, num(1)) },
			"lists of objects": func(v value.Value) value.Value {
				return arr(obj("name", str("n"), "list", v), obj("name", str("m")))
			},
		} {
			checkGrowth(t, fmt.Sprintf("%v, %s", how, name), []int{50, 500, 5_000}, func(n int) int {
				old, now := str("old"), str("new")
				for range n {
					old, now = wrap(old), wrap(now)
				}
				d, work := diff.BetweenCounting(old, now, diff.Options{Arrays: how})
				if d.Len() != 1 {
					t.Fatalf("%v, %s: %d changes", how, name, d.Len())
				}
				return work
			})
		}
	}
}
