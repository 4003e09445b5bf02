package align_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/internal/align"
)

// table draws how similar each pair is.
func table(t *rapid.T, n, m int) [][]int {
	rows := make([][]int, n)
	for i := range rows {
		rows[i] = rapid.SliceOfN(rapid.IntRange(-1, 4), m, m).Draw(t, "row")
	}

	return rows
}

// bestPairs is the greatest sum of an order-preserving pairing, and the pairing
// that takes the earliest old element, with its earliest partner, and so on.
func bestPairs(rows [][]int, n, m int) []align.Pair {
	best := make([][]int, n+1)
	for i := range best {
		best[i] = make([]int, m+1)
	}

	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			best[i][j] = max(best[i+1][j], best[i][j+1])
			if s := rows[i][j]; s > 0 {
				best[i][j] = max(best[i][j], s+best[i+1][j+1])
			}
		}
	}

	var pairs []align.Pair

	for i, from := 0, 0; i < n; i++ {
		for j := from; j < m; j++ {
			if s := rows[i][j]; s > 0 && s+best[i+1][j+1] == best[i][from] {
				pairs = append(pairs, align.Pair{Old: int32(i), New: int32(j)})
				from = j + 1

				break
			}
		}
	}

	return pairs
}

func TestResemble(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n, m := rapid.IntRange(0, 9).Draw(t, "n"), rapid.IntRange(0, 9).Draw(t, "m")
		rows := table(t, n, m)
		calls := 0
		similarity := func(i, j int) int { calls++; return rows[i][j] }

		var work align.Work

		got := align.Resemble(n, m, similarity, n*m, &work)
		if want := bestPairs(rows, n, m); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}

		if calls != n*m || work.Compared != calls {
			t.Fatalf("%d calls, %d counted, for %d by %d", calls, work.Compared, n, m)
		}

		calls = 0
		budget := rapid.IntRange(0, n*m).Draw(t, "budget")

		for _, pairs := range [][]align.Pair{
			align.Resemble(n, m, similarity, budget/2, nil),
			align.ResembleAny(n, m, similarity, budget/2, nil),
		} {
			checkPairs(t, rows, pairs)
		}

		if calls > budget {
			t.Fatalf("%d calls with a budget of %d", calls, budget)
		}
	})
}

// checkPairs is on what holds for every budget.
func checkPairs(t *rapid.T, rows [][]int, pairs []align.Pair) {
	used := map[int32]bool{}
	last := int32(-1)

	for _, p := range pairs {
		if used[p.Old] || p.New <= last || p.Moved || rows[p.Old][p.New] <= 0 {
			t.Fatalf("pair %+v is wrong among %v", p, pairs)
		}

		used[p.Old], last = true, p.New
	}
}

// TestResembleAny is on the most similar pair first, and so on.
func TestResembleAny(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n, m := rapid.IntRange(0, 9).Draw(t, "n"), rapid.IntRange(0, 9).Draw(t, "m")
		rows := table(t, n, m)

		got := align.ResembleAny(n, m, func(i, j int) int { return rows[i][j] }, n*m, nil)
		checkPairs(t, rows, got)

		var want []align.Pair

		for worth := 4; worth > 0; worth-- {
			for i := range n {
				for j := range m {
					free := !slices.ContainsFunc(want, func(p align.Pair) bool { return p.Old == int32(i) || p.New == int32(j) })
					if rows[i][j] == worth && free {
						want = append(want, align.Pair{Old: int32(i), New: int32(j)})
					}
				}
			}
		}

		slices.SortFunc(want, func(a, b align.Pair) int { return int(a.New) - int(b.New) })

		if !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

// TestResembleBand is on what is compared past the budget: what stands at about
// the same place.
func TestResembleBand(t *testing.T) {
	t.Parallel()

	same := func(i, j int) int {
		if i == j {
			return 1
		}

		return 0
	}

	for _, f := range []func(n, m int, similarity func(i, j int) int, budget int, work *align.Work) []align.Pair{
		align.Resemble, align.ResembleAny,
	} {
		var work align.Work

		if got := f(10_000, 10_000, same, 50_000, &work); len(got) != 10_000 || work.Total() > 2_000_000 {
			t.Errorf("%d pairs on the diagonal, work %+v", len(got), work)
		}

		if got := f(10_000, 9_000, same, 100, nil); len(got) > 100 || len(got) == 0 || got[0] != (align.Pair{}) {
			t.Errorf("%d pairs with a small budget", len(got))
		}

		if got := f(3, 2, func(int, int) int { return int(^uint(0) >> 1) }, 6, nil); len(got) != 2 {
			t.Errorf("%v of what is as similar as can be", got)
		}

		if f(0, 5, nil, 9, nil) != nil || f(5, 0, nil, 9, nil) != nil || f(5, 5, nil, 0, nil) != nil || f(-1, -1, nil, -1, nil) != nil {
			t.Error("pairs of nothing, or without a budget")
		}
	}
}
