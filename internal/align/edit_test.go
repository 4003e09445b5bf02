package align_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// shapes are sequences to edit.
func shapes() map[string]func(n int) []int32 {
	return map[string]func(n int) []int32{
		"distinct":   ascending,
		"all equal":  func(n int) []int32 { return make([]int32, n) },
		"two":        func(n int) []int32 { return randomly(source(3), n, 2) },
		"duplicates": func(n int) []int32 { return randomly(source(4), n, max(1, n/3)) },
		"runs":       func(n int) []int32 { return blocks(n, 7) },
	}
}

// TestOneEdit is on every single insertion, removal, replacement and move in
// arrays of up to 200 elements.
func TestOneEdit(t *testing.T) {
	t.Parallel()

	for name, shape := range shapes() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			for _, n := range []int{1, 2, 3, 5, 20, 63, 64, 65, 200} {
				a := shape(n)
				everyEdit(t, a, max(1, n/25))
			}
		})
	}
}

// everyEdit makes each edit of a sequence at every place, and moves from every
// stride-th place to every other.
func everyEdit(t *testing.T, a []int32, stride int) {
	t.Helper()

	n := len(a)
	fresh, known := int32(n+1), a[n/2]

	for i := range n + 1 {
		atMost(t, a, slices.Insert(slices.Clone(a), i, fresh), 1)
		atMost(t, a, slices.Insert(slices.Clone(a), i, known), 1)

		if i == n {
			break
		}

		without := slices.Delete(slices.Clone(a), i, i+1)
		atMost(t, a, without, 1)

		for _, s := range []int32{fresh, known} {
			b := slices.Clone(a)
			b[i] = s
			atMost(t, a, b, 2)
		}

		if i%stride == 0 {
			for j := range without {
				atMost(t, a, slices.Insert(slices.Clone(without), j, a[i]), 1)
			}
		}
	}
}

// atMost is on the weight of an edit that is known to weigh so much or less.
func atMost(t *testing.T, a, b []int32, most int) {
	t.Helper()

	s := aligned(a, b)
	check(t, a, b, s)

	got := weight(s, len(a), len(b))
	if got > most {
		t.Fatalf("weight %d, want at most %d, of %v\nagainst %v", got, most, a, b)
	}

	if got == most && most == 1 && len(a) == len(b) && moves(s) != 1 {
		t.Fatalf("%d moves, want 1: %+v", moves(s), s)
	}
}

func moves(pairs []pair) int {
	count := 0

	for _, p := range pairs {
		if p.Moved {
			count++
		}
	}

	return count
}

// TestOneMoveOfMany checks that one element that moved is one move at any size, also
// where it has thousands of equals.
func TestOneMoveOfMany(t *testing.T) {
	t.Parallel()

	all := shapes()
	all["periodic"] = func(n int) []int32 { return periodic(n, 2) }
	all["fibonacci"] = fibonacci

	for name, shape := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			for _, n := range []int{3_000, 30_000} {
				a := shape(n)

				for _, row := range [][2]int{{0, n - 1}, {n - 1, 0}, {n / 3, n - 5}, {n - 2, n / 4}} {
					without := slices.Delete(slices.Clone(a), row[0], row[0]+1)
					atMost(t, a, slices.Insert(without, row[1], a[row[0]]), 1)
				}
			}
		})
	}
}

// TestFewEditsOfMany checks that twenty edits far apart give a script with no more
// weight than the edits, at any size and with any symbols.
func TestFewEditsOfMany(t *testing.T) {
	t.Parallel()

	for name, shape := range shapes() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			for _, n := range []int{1_000, 3_000, 30_000, 300_000} {
				a := shape(n)
				b := edited(a, 20)
				s := aligned(a, b)
				check(t, a, b, s)

				if got := weight(s, len(a), len(b)); got > 40 {
					t.Errorf("%d elements: weight %d, more than the edits", n, got)
				}
			}
		})
	}
}

// TestPermutation is on sequences without duplicates, which are exact at any size:
// random ones, and such that somebody made by hand.
func TestPermutation(t *testing.T) {
	t.Parallel()

	const n = 30_000

	a := ascending(n)
	random := slices.Clone(a)
	source(1).Shuffle(n, func(i, j int) { random[i], random[j] = random[j], random[i] })

	for _, row := range []struct {
		name  string
		b     []int32
		moves int
	}{
		{"rotated by one", rotated(a, 1), 1},
		{"rotated by one, back", rotated(a, n-1), 1},
		{"rotated by ten", rotated(a, 10), 10},
		{"reversed", reversed(a), n - 1},
		{"random", random, n - lcsOfMany(a, random)},
	} {
		s := aligned(a, row.b)
		check(t, a, row.b, s)

		if got := moves(s); got != row.moves || weight(s, n, n) != row.moves {
			t.Errorf("%s: %d moves, weight %d, want %d", row.name, got, weight(s, n, n), row.moves)
		}
	}
}

// TestScript shows scripts in full: which of equals has no partner, and which of
// neighbours moves.
func TestScript(t *testing.T) {
	t.Parallel()

	for k, row := range []struct {
		name     string
		old, new []int32
		want     []run
	}{
		{"nothing", nil, nil, nil},
		{"old only", []int32{1}, nil, nil},
		{"new only", nil, []int32{1}, nil},
		{"equal", []int32{4, 5, 4}, []int32{4, 5, 4}, []run{{0, 0, 3, false}}},
		{"nothing in common", []int32{1, 2}, []int32{3, 4}, nil},
		{"one inserted in the middle", []int32{1, 2}, []int32{1, 3, 2}, []run{{0, 0, 1, false}, {1, 2, 1, false}}},
		{"an equal at the end of a run", []int32{1, 7, 7, 2}, []int32{1, 7, 7, 7, 2}, []run{{0, 0, 3, false}, {3, 4, 1, false}}},
		{"an equal less", []int32{3, 5, 7, 7, 7, 2, 8}, []int32{4, 5, 7, 7, 2, 9}, []run{{1, 1, 3, false}, {5, 4, 1, false}}},
		{"an equal less beside a gap", []int32{3, 7, 7, 7, 2, 8}, []int32{4, 7, 7, 2, 9}, []run{{1, 1, 2, false}, {4, 3, 1, false}}},
		{"the earlier of two", []int32{1, 2, 3, 2, 3, 8, 6}, []int32{9, 3, 8, 7}, []run{{2, 1, 1, false}, {5, 2, 1, false}}},
		{"the first of two blocks stays", []int32{1, 6, 5, 6, 5, 2, 3}, []int32{3, 8, 6, 5, 4}, []run{{6, 0, 1, true}, {1, 2, 2, false}}},
		{"runs that slide", []int32{5, 1, 2, 6}, []int32{5, 1, 2, 1, 2, 6}, []run{{0, 0, 3, false}, {3, 5, 1, false}}},
		{"neighbours change places", []int32{1, 2}, []int32{2, 1}, []run{{1, 0, 1, true}, {0, 1, 1, false}}},
		{
			"neighbours among equals",
			[]int32{9, 1, 2, 9},
			[]int32{9, 2, 1, 9},
			[]run{{0, 0, 1, false}, {2, 1, 1, true}, {1, 2, 1, false}, {3, 3, 1, false}},
		},
		{"the first to the end", []int32{1, 2, 3}, []int32{2, 3, 1}, []run{{1, 0, 2, false}, {0, 2, 1, true}}},
		{"the last to the front", []int32{1, 2, 3}, []int32{3, 1, 2}, []run{{2, 0, 1, true}, {0, 1, 2, false}}},
		{"a block moves as one", []int32{1, 2, 3, 4, 5}, []int32{4, 5, 1, 2, 3}, []run{{3, 0, 2, true}, {0, 2, 3, false}}},
	} {
		if got := runs(aligned(row.old, row.new)); !slices.Equal(got, row.want) {
			t.Errorf("row %d, %s: %+v, want %+v", k, row.name, got, row.want)
		}
	}
}

// TestSlide is on gaps of any shape: no gap could go further down.
func TestSlide(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		symbol := rapid.Int32Range(0, 2)
		a := rapid.SliceOfN(symbol, 0, 30).Draw(t, "old")
		b := rapid.SliceOfN(symbol, 0, 30).Draw(t, "new")
		a, b = append(a, 7), append(b, 8) // no common end

		pairs := aligned(a, b)
		partner := make([]bool, len(b))

		for _, p := range pairs {
			partner[p.New] = !p.Moved
		}

		for lo := 0; lo < len(b); lo++ {
			hi := lo
			for hi < len(b) && !partner[hi] {
				hi++
			}

			if lo < hi && hi < len(b) && b[lo] == b[hi] {
				t.Fatalf("the gap at [%d:%d] could go down, of %v against %v: %+v", lo, hi, a, b, pairs)
			}

			lo = hi
		}
	})
}
