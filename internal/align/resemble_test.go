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

// bestPairs is the greatest sum of an order-preserving pairing, and the pairing that
// takes the earliest element of the shorter side, with its earliest partner, and so on.
func bestPairs(rows [][]int, n, m int) []align.Pair {
	if n > m {
		turned := make([][]int, m)
		for j := range turned {
			for i := range n {
				turned[j] = append(turned[j], rows[i][j])
			}
		}

		pairs := bestPairs(turned, m, n)
		for k, p := range pairs {
			pairs[k] = align.Pair{Old: p.New, New: p.Old}
		}

		return pairs
	}

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

		got := align.Resemble(n, m, similarity, n*m)
		if want := bestPairs(rows, n, m); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}

		if calls != n*m {
			t.Fatalf("%d calls for %d by %d", calls, n, m)
		}

		calls = 0
		budget := rapid.IntRange(0, n*m).Draw(t, "budget")

		for _, pairs := range [][]align.Pair{
			align.Resemble(n, m, similarity, budget/2),
			align.ResembleAny(n, m, similarity, budget/2),
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
		if used[p.Old] || p.New <= last || rows[p.Old][p.New] <= 0 {
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

		got := align.ResembleAny(n, m, func(i, j int) int { return rows[i][j] }, n*m)
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

// TestResembleWithin is on the best sum among what was compared, with any budget.
func TestResembleWithin(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n, m := rapid.IntRange(1, 9).Draw(t, "n"), rapid.IntRange(1, 9).Draw(t, "m")
		rows := table(t, n, m)

		compared := make([][]int, n)
		for i := range compared {
			compared[i] = make([]int, m)
		}

		got := align.Resemble(n, m, func(i, j int) int {
			compared[i][j] = rows[i][j]

			return rows[i][j]
		}, rapid.IntRange(1, n*m).Draw(t, "budget"))

		if want := bestPairs(compared, n, m); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v of %v", got, want, compared)
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

	for _, f := range []func(n, m int, similarity func(i, j int) int, budget int) []align.Pair{
		align.Resemble, align.ResembleAny,
	} {
		if got := f(10_000, 10_000, same, 50_000); len(got) != 10_000 {
			t.Errorf("%d pairs on the diagonal", len(got))
		}

		if got := f(10_000, 9_000, same, 100); len(got) > 100 || len(got) == 0 || got[0] != (align.Pair{}) {
			t.Errorf("%d pairs with a small budget", len(got))
		}

		if f(0, 5, nil, 9) != nil || f(5, 0, nil, 9) != nil || f(5, 5, nil, 0) != nil || f(-1, -1, nil, -1) != nil {
			t.Error("pairs of nothing, or without a budget")
		}
	}
}
