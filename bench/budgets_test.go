package bench_test

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/propalg/propalg/bench"
	"github.com/propalg/propalg/internal/test/race"
)

var update = flag.Bool("update", false, "write testdata/budgets.txt")

const budgetsFile = "testdata/budgets.txt"

// toolchain is what budgets depend on besides the library: Go's minor version and
// the architecture.
func toolchain() string {
	parts := strings.SplitN(runtime.Version(), ".", 3)
	return strings.Join(parts[:min(2, len(parts))], ".") + " " + runtime.GOARCH
}

// budgets are the lines of the file: what is held, by kind and name, and figures.
type budgets struct {
	madeBy string
	lines  map[string][]int64
}

func readBudgets(t *testing.T) budgets {
	t.Helper()
	f, err := os.Open(budgetsFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all := budgets{lines: map[string][]int64{}}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		name, figures, found := strings.Cut(lines.Text(), ": ")
		if by, is := strings.CutPrefix(lines.Text(), "# made by "); is {
			all.madeBy = by
		}
		if !found || strings.HasPrefix(name, "#") {
			continue
		}
		for _, figure := range strings.Fields(figures) {
			n, err := strconv.ParseInt(figure, 10, 64)
			if err != nil {
				t.Fatalf("%s: %q: %v", budgetsFile, lines.Text(), err)
			}
			all.lines[name] = append(all.lines[name], n)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// hold compares what was measured with the file; wording names the figures.
func (b budgets) hold(t *testing.T, name string, wording []string, got []int64) {
	t.Helper()
	held, known := b.lines[name]
	if !known || len(held) != len(got) {
		t.Errorf("%s: %d is in no line of %s: run go test -run Budget ./bench -update", name, got, budgetsFile)
		return
	}
	for i := range got {
		if got[i] > held[i] {
			t.Errorf("%s: %d %s, the budget is %d", name, got[i], wording[i], held[i])
		}
		if got[i] < held[i] {
			t.Logf("%s: %d %s, the budget of %d can shrink", name, got[i], wording[i], held[i])
		}
	}
}

// allocated is what one run of a kernel allocates: of several runs the smallest
// figures, and, for writing budgets, the largest, which differ where Go's maps
// draw their seeds.
func allocated(t *testing.T, k bench.Kernel) (least, most []int64) {
	t.Helper()
	work, err := k.Make()
	if err != nil {
		t.Fatal(err)
	}
	const runs = 6
	var before, after runtime.MemStats
	for i := range runs {
		runtime.ReadMemStats(&before)
		if err := work(); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		got := []int64{int64(after.Mallocs - before.Mallocs), int64(after.TotalAlloc - before.TotalAlloc)}
		switch i {
		case 0: // fills what is kept between runs
		case 1:
			least, most = slices.Clone(got), got
		default:
			for j := range got {
				least[j], most[j] = min(least[j], got[j]), max(most[j], got[j])
			}
		}
	}
	return least, most
}

// What every hot path allocates, in pieces and in bytes, may shrink and not grow.
func TestBudgetAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	if *update {
		writeBudgets(t)
	}
	all := readBudgets(t)
	if all.madeBy != toolchain() {
		t.Skipf("budgets are of %s, this is %s", all.madeBy, toolchain())
	}
	for _, k := range bench.Kernels() {
		least, _ := allocated(t, k)
		all.hold(t, k.Name, []string{"allocations", "bytes"}, least)
	}
}

// What the exported types weigh.
func TestBudgetSizes(t *testing.T) {
	if strconv.IntSize != 64 {
		t.Skip("sizes are of 64 bits")
	}
	all := readBudgets(t)
	for name, size := range sizes() {
		all.hold(t, "sizeof "+name, []string{"bytes"}, []int64{int64(size)})
	}
}

// The file has no line for what was removed.
func TestBudgetLines(t *testing.T) {
	known := sizes()
	for name := range readBudgets(t).lines {
		size, isSize := strings.CutPrefix(name, "sizeof ")
		_, sized := known[size]
		isKernel := slices.ContainsFunc(bench.Kernels(), func(k bench.Kernel) bool { return k.Name == name })
		if (isSize && !sized) || (!isSize && !isKernel) {
			t.Errorf("%s: nothing is called %s", budgetsFile, name)
		}
	}
}

func writeBudgets(t *testing.T) {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "# Exact budgets; see budgets_test.go. Kernels: allocations and bytes of one run.\n# made by %s\n", toolchain())
	known := sizes()
	names := make([]string, 0, len(known))
	for name := range known {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&b, "sizeof %s: %d\n", name, known[name])
	}
	for _, k := range bench.Kernels() {
		_, most := allocated(t, k)
		fmt.Fprintf(&b, "%s: %d %d\n", k.Name, most[0], most[1])
	}
	if err := os.WriteFile(budgetsFile, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
