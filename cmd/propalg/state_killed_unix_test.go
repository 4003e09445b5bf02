//go:build unix

package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// waiting starts a command that has read its files but the pipe "fifo", which it makes. The
// command ends when it gets a text from there.
func waiting(t *testing.T, dir string, args ...string) (c *exec.Cmd, end func(text string) result) {
	t.Helper()
	if out, err := exec.Command("mkfifo", filepath.Join(dir, "fifo")).CombinedOutput(); err != nil {
		t.Skipf("mkfifo: %v: %s", err, out)
	}
	c = exec.Command(binary(t), args...)
	c.Dir = dir
	var stdout, stderr strings.Builder
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	var in *os.File
	for in == nil { // as long as nobody reads
		time.Sleep(time.Millisecond)
		in, _ = os.OpenFile(filepath.Join(dir, "fifo"), os.O_WRONLY|syscall.O_NONBLOCK, 0)
	}
	return c, func(text string) result {
		_, _ = in.WriteString(text) // if the command was killed, that fails
		_ = in.Close()
		_ = c.Wait()
		_ = os.Remove(filepath.Join(dir, "fifo"))
		return result{stdout.String(), stderr.String(), c.ProcessState.ExitCode()}
	}
}

// TestChangedMeanwhile: a file that another program changes while it is edited stays as
// that program left it.
func TestChangedMeanwhile(t *testing.T) {
	dir := writeFiles(t, map[string]string{"bag.json": `{"a":1}`})
	_, end := waiting(t, dir, "merge", "--out", "bag.json", "bag.json", "bag.json", "fifo")
	if err := os.WriteFile(filepath.Join(dir, "bag.json"), []byte(`{"a":9}`), 0o600); err != nil {
		t.Fatal(err)
	}
	got := end(`{"a":1,"b":2}`)
	if text := readFile(t, dir, "bag.json"); text != `{"a":9}` || got.code != 2 || got.stdout != "" ||
		got.stderr != "propalg merge: bag.json: another program changed the file while it was edited; it is left as that program wrote it\n" {
		t.Errorf("%+v, and the file has %s", got, text)
	}
	noneLeft(t, dir, "bag.json")
}

// TestLeftByKill: what a killed command leaves is removed by the next one that writes into
// the folder, and what another one is writing is not.
func TestLeftByKill(t *testing.T) {
	dir := writeFiles(t, map[string]string{"a.json": `{"pw":"canary"}`, "b.json": `{}`})
	for _, out := range []string{"a.json", "new.json"} { // the second one removes what the first one left
		dead, end := waiting(t, dir, "merge", "--out", out, "b.json", "a.json", "fifo")
		if err := dead.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		end("")
		if left, _ := filepath.Glob(filepath.Join(dir, ".propalg-*")); len(left) != 1 {
			t.Errorf("after a kill there is %q", left)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, ".propalg-rules"), []byte("of the user"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, ".propalg-LY56SWDZMF5YM7AKA5BTGRQIUO"), 0o700); err != nil {
		t.Fatal(err)
	}

	_, end := waiting(t, dir, "merge", "--out", "out.json", "b.json", "b.json", "fifo")
	for range 2 {
		if got := propalg(t, dir, "", "ignore", "--out", "a.json", "a.json", "b.json", "x"); got.code != 0 {
			t.Errorf("%+v", got)
		}
	}
	if got := end(`{"k":1}`); got.code != 0 || !strings.Contains(readFile(t, dir, "out.json"), `"k"`) {
		t.Errorf("the other one: %+v", got)
	}
	noneLeft(t, dir, ".propalg-LY56SWDZMF5YM7AKA5BTGRQIUO", ".propalg-rules", "a.json", "b.json", "out.json")
}
