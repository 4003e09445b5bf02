package e2e_test

import (
	"bufio"
	"debug/buildinfo"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// weight is what a provider's binary costs.
type weight struct {
	bytes   int64
	modules int
	starts  []time.Duration // from its start to its port line
}

// TestWeight weighs the provider beside its twin, which is made with the server
// helpers of Pulumi's SDK: both are stripped, and have the same resource in a
// store of the same kind. Ours also has a component and a function.
func TestWeight(t *testing.T) {
	names := []string{"pulumi-resource-demo", "twin/pulumi-resource-demo"}
	weights := map[string]*weight{}
	for _, name := range names {
		weights[name] = weigh(t, filepath.Join(bin, name))
	}
	for range 15 { // in turns, so that both meet the same machine
		for _, name := range names {
			w := weights[name]
			w.starts = append(w.starts, untilPort(t, filepath.Join(bin, name)))
		}
	}
	for _, name := range names {
		w := weights[name]
		slices.Sort(w.starts)
		t.Logf("%-26s %5.1f MB, %3d modules, %v to the port line (median of %d; %v to %v)", name, float64(w.bytes)/1e6, w.modules,
			w.starts[len(w.starts)/2].Round(time.Millisecond/10), len(w.starts), w.starts[0].Round(time.Millisecond/10), w.starts[len(w.starts)-1].Round(time.Millisecond/10))
	}
	ours, theirs := weights[names[0]], weights[names[1]]
	// About half, with room for what both sides add: at 0.500 a test failed for 50 kB.
	if 20*ours.bytes > 11*theirs.bytes || 2*ours.modules > theirs.modules {
		t.Error("more than 11/20 of the size of its twin, or half of its modules")
	}
}

func weigh(t *testing.T, file string) *weight {
	t.Helper()
	stat, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	info, err := buildinfo.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return &weight{bytes: stat.Size(), modules: len(info.Deps)}
}

// untilPort starts a provider, waits for the line with its port, and ends it.
func untilPort(t *testing.T, file string) time.Duration {
	t.Helper()
	c := exec.Command(file)
	c.Dir = t.TempDir()
	c.Env = []string{"HOME=" + c.Dir, "DEMO_STORE=" + filepath.Join(c.Dir, "store.db")}
	stdout, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	took := time.Since(start)
	if killed := c.Process.Kill(); killed != nil {
		t.Error(killed)
	}
	_ = c.Wait() // it was killed
	if err != nil || len(line) < 2 {
		t.Fatalf("%s: %q, %v", file, line, err)
	}
	return took
}
