package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// manyResources is a stack export with n resources, named f0 and so on.
func manyResources(n int) string {
	rows := make([]string, n)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"urn":"urn:pulumi:a::b::c:d:e::f%d","type":"c:d:e","inputs":{"x":%q}}`, i, strings.Repeat("y", 200))
	}
	return `{"version":3,"deployment":{"resources":[` + strings.Join(rows, ",") + `]}}`
}

// TestEditsAtOnce: of the edits of one file at the same time, each that says it is done is
// in the file, and each other one exits with 2 and says why.
func TestEditsAtOnce(t *testing.T) {
	const n = 8
	dir := writeFiles(t, map[string]string{"s.json": manyResources(3000), "bag.json": `{}`})
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../s.json", filepath.Join(dir, "sub", "link.json")); err != nil {
		t.Skip(err)
	}
	args := func(i int) []string {
		urn := fmt.Sprintf("urn:pulumi:a::b::c:d:e::f%d", i)
		switch i % 4 {
		case 0:
			return []string{"state", "mv", "s.json", urn, fmt.Sprintf("g%d", i)}
		case 1:
			return []string{"state", "set", "s.json", urn, "x", fmt.Sprintf(`"::g%d"`, i)}
		case 2:
			return []string{"state", "mv", "-o", "sub/link.json", "./s.json", urn, fmt.Sprintf("g%d", i)}
		default:
			return []string{"state", "set", "sub/link.json", urn, "x", fmt.Sprintf(`"::g%d"`, i)}
		}
	}
	got := atOnce(t, dir, n, args)
	text := readFile(t, dir, "s.json")
	for i, r := range got {
		switch there := strings.Contains(text, fmt.Sprintf(`::g%d"`, i)); {
		case r.code == 0 && !there:
			t.Errorf("%q says %q, and the file has nothing of it", args(i), r.stdout)
		case r.code == 2 && (there || !strings.Contains(r.stderr, "another")):
			t.Errorf("%q: %+v, and in the file: %v", args(i), r, there)
		case r.code != 0 && r.code != 2:
			t.Errorf("%q: %+v", args(i), r)
		}
	}
	noneLeft(t, dir, "bag.json", "s.json", "sub")
}

// TestBagsAtOnce: commands that write onto a bag which they read lose no edit either.
func TestBagsAtOnce(t *testing.T) {
	const n = 8
	files := map[string]string{"bag.json": `{}`, "empty.json": `{}`}
	for i := range n {
		files[fmt.Sprintf("%d.json", i)] = fmt.Sprintf(`{"k%d":%d}`, i, i)
	}
	dir := writeFiles(t, files)
	got := atOnce(t, dir, n, func(i int) []string {
		return []string{"merge", "--out", "bag.json", "empty.json", "bag.json", fmt.Sprintf("%d.json", i)}
	})
	text := readFile(t, dir, "bag.json")
	for i, r := range got {
		if there := strings.Contains(text, fmt.Sprintf(`"k%d"`, i)); r.code == 0 && !there || r.code == 2 && there || r.code == 1 {
			t.Errorf("merge %d: %+v, and in the file: %v: %s", i, r, there, text)
		}
	}
}

// atOnce starts n processes, and returns what they did.
func atOnce(t *testing.T, dir string, n int, args func(i int) []string) []result {
	t.Helper()
	bin := binary(t)
	all := make([]result, n)
	var wait sync.WaitGroup
	for i := range n {
		wait.Go(func() { all[i] = propalg(t, bin, dir, "", args(i)...) })
	}
	wait.Wait()
	return all
}

// noneLeft checks the names in a folder.
func noneLeft(t *testing.T, dir string, want ...string) {
	t.Helper()
	all, err := os.ReadDir(dir)
	var names []string
	for _, f := range all {
		names = append(names, f.Name())
	}
	if err != nil || strings.Join(names, " ") != strings.Join(want, " ") {
		t.Errorf("the folder has %q, %v, want %q", names, err, want)
	}
}

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
		if got := propalg(t, binary(t), dir, "", "ignore", "--out", "a.json", "a.json", "b.json", "x"); got.code != 0 {
			t.Errorf("%+v", got)
		}
	}
	if got := end(`{"k":1}`); got.code != 0 || !strings.Contains(readFile(t, dir, "out.json"), `"k"`) {
		t.Errorf("the other one: %+v", got)
	}
	noneLeft(t, dir, ".propalg-LY56SWDZMF5YM7AKA5BTGRQIUO", ".propalg-rules", "a.json", "b.json", "out.json")
}
