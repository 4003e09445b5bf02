package diff_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

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

// allocated returns the bytes that a call allocates.
func allocated(call func()) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}

// Law 4: memory grows about as the size does, whatever the elements are. What the
// searches of internal/align try, they keep, so that their work shows in memory as
// well. (bench/gate counts the statements that are executed: TestScale.)
func TestCostOfArrays(t *testing.T) {
	const n = 10_000
	for _, objects := range []bool{false, true} {
		for _, shape := range shapes() {
			sides := map[int][2]value.Value{}
			for _, n := range []int{n / 10, n} {
				x, y := shape.make(n)
				sides[n] = [2]value.Value{items(x, objects), items(y, objects)}
			}

			for _, how := range []diff.Match{diff.Positional(), diff.Aligned(), diff.Keyed(path.MustParse("name")), diff.Unordered(), diff.Auto()} {
				checkGrowth(t, fmt.Sprintf("%v, %s, objects %v", how, shape.name, objects), n, func(n int) float64 {
					return allocated(func() { diff.Between(sides[n][0], sides[n][1], diff.Options{Arrays: how}) })
				})
			}
		}
	}
}

// checkGrowth fails the test if an element costs more than twice what it costs at a tenth
// of the size. (Fewer than a thousand elements cost less, since what is searched is exact.)
func checkGrowth(t *testing.T, name string, n int, cost func(n int) float64) {
	t.Helper()
	few, many := cost(n/10)/float64(n/10), cost(n)/float64(n)
	if many > 2*few+100 {
		t.Errorf("%s: %.1f bytes an element at %d, %.1f at a tenth", name, many, n, few)
	}
}

// Law 4: memory is linear in depth, in every mode.
func TestCostOfDepth(t *testing.T) {
	for _, how := range modes() {
		for name, wrap := range map[string]func(value.Value) value.Value{
			"arrays": func(v value.Value) value.Value { return arr(str("x"), v, num(1)) },
			"lists of objects": func(v value.Value) value.Value {
				return arr(obj("name", str("n"), "list", v), obj("name", str("m")))
			},
		} {
			checkGrowth(t, fmt.Sprintf("%v, %s", how, name), 5_000, func(n int) float64 {
				old, now := str("old"), str("new")
				for range n {
					old, now = wrap(old), wrap(now)
				}
				return allocated(func() {
					if d := diff.Between(old, now, diff.Options{Arrays: how}); d.Len() != 1 {
						t.Fatalf("%v, %s: %d changes", how, name, d.Len())
					}
				})
			})
		}
	}
}
