package main_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestLintStreams: a log of 40 MB, through a pipe, takes no more memory than a
// small one.
func TestLintStreams(t *testing.T) {
	const size, most = 40 << 20, 64 << 20
	one := entry("Diff", `"olds":{"a":1},"oldInputs":{"a":1},"news":{"a":2,"b":["`+strings.Repeat("x", 4000)+`"]}`, `"changes":"DIFF_NONE"`, "")
	peak, out := lintPeak(t, func(w io.Writer) error {
		_, err := io.WriteString(w, strings.Repeat(one, size/len(one)))
		return err
	})
	if !strings.Contains(out, "notes") {
		t.Fatal(out)
	}
	t.Logf("peak %d MB for %d MB", peak>>20, size>>20)
	if peak > most {
		t.Errorf("peak %d MB for a log of %d MB", peak>>20, size>>20)
	}
}

// lintPeak lints what is written, and returns the peak of its memory while it waits for
// more, in bytes, and what it printed.
func lintPeak(t *testing.T, write func(io.Writer) error) (peak int64, out string) {
	t.Helper()
	c := exec.Command(binary(t), "lint", "-")
	var text strings.Builder
	c.Stdout, c.Stderr = &text, &text
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	err = write(in)
	peak = peakOf(t, c.Process.Pid)
	_ = in.Close()
	_ = c.Wait()
	if err != nil || c.ProcessState.ExitCode() != 1 {
		t.Fatalf("%v: exit %d: %.300s", err, c.ProcessState.ExitCode(), text.String())
	}
	return peak, text.String()
}

// TestLintProgress: a lint that takes longer than a second reports on a terminal how
// far it is, and removes the line before it writes anything else.
func TestLintProgress(t *testing.T) {
	script, err := exec.LookPath("script")
	if err != nil {
		t.Skip("no script(1), which makes a terminal")
	}
	log := entry("Diff", `"olds":{"a":1},"oldInputs":{"a":1},"news":{"a":2}`, `"changes":"DIFF_NONE"`, "")
	// run runs a command that reads the log from the pipe "log", under a terminal. Until
	// the terminal shows the text until, or for a second if that is empty, the log goes on; then it ends with
	// last.
	run := func(command, until, last string) string {
		dir := t.TempDir()
		pipe := filepath.Join(dir, "log")
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
		c := exec.Command(script, "-qefc", command, "/dev/null")
		c.Dir, c.Env = dir, append(os.Environ(), "TOOL="+binary(t))
		shown, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		in, err := os.OpenFile(pipe, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := in.WriteString(log); err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		one := make([]byte, 1)
		for !strings.Contains(out.String(), until) {
			if _, err := io.ReadFull(shown, one); err != nil {
				t.Fatalf("%q ended after %q: %v", command, out.String(), err)
			}
			out.Write(one)
		}
		if until == "" {
			time.Sleep(1300 * time.Millisecond) // that nothing is shown can only be waited for
		}
		if _, err := in.WriteString(last); err != nil {
			t.Fatal(err)
		}
		_ = in.Close()
		rest, _ := io.ReadAll(shown)
		_ = c.Wait()
		return out.String() + string(rest)
	}
	const reading = "\rpropalg lint: working, "
	line, after, ok := strings.Cut(run(`"$TOOL" lint log >/dev/null`, reading, `{"cut`), " \r")
	if !strings.HasPrefix(line, reading) || !ok || !strings.HasPrefix(after, "propalg lint: log: ") {
		t.Errorf("it shows %q, then %q", line, after)
	}
	if shown := run(`"$TOOL" lint log`, reading, ""); !strings.HasPrefix(shown, reading) || !strings.Contains(shown, " \r  a:b:C") {
		t.Errorf("before the result it shows %q", shown)
	}
	if shown := run(`"$TOOL" lint log 2>&1 >/dev/null | cat`, "", ""); shown != "" {
		t.Errorf("in a pipe it shows %q", shown)
	}
}

// peakOf is the most memory that a process had, in bytes. (What wait tells also
// counts what its parent had when it was started.)
func peakOf(t *testing.T, pid int) (bytes int64) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, after, found := strings.Cut(string(text), "VmHWM:")
	if err != nil || !found {
		t.Skip("no /proc here that tells")
	}
	if _, err := fmt.Sscanf(after, "%d kB", &bytes); err != nil {
		t.Fatal(err)
	}
	return bytes << 10
}

// TestLintDeep: of a bag that has something wrong at each of many levels, lint keeps
// what it prints.
func TestLintDeep(t *testing.T) {
	const levels, most = 3300, 200 << 20
	open := `{"` + strings.Repeat("k", 1000) + `":`
	deep := `{"method":"/pulumirpc.ResourceProvider/Create","request":{"urn":"u","properties":` + strings.Repeat(open, levels) + "1" +
		strings.Repeat(`,"u":"04da6b54-80e4-46f7-96ec-b56ff0331ba9"}`, levels) + "}}\n"
	peak, out := lintPeak(t, func(w io.Writer) error { // more than pipes and buffers hold, so that the first line is done with
		_, err := io.WriteString(w, deep+strings.Repeat(`{"method":"none"}`+"\n", 30_000))
		return err
	})
	if !strings.Contains(out, " errors, 0 warnings") || len(out) > 1<<20 {
		t.Errorf("%.300s", out)
	}
	t.Logf("peak %d MB", peak>>20)
	if peak > most {
		t.Errorf("peak %d MB for a line of %d MB", peak>>20, len(deep)>>20)
	}
}

// TestLintLongNames: what lint lists is bounded in bytes, and what it remembers of
// refreshed resources does not grow with their names.
func TestLintLongNames(t *testing.T) {
	var log strings.Builder
	for i := range 6_000 {
		urn := fmt.Sprintf("urn:pulumi:s::p::a:b:C%d%s::n", i, strings.Repeat("x", 2_000))
		log.WriteString(`{"method":"/pulumirpc.ResourceProvider/Delete","request":{"urn":"` + urn + `","properties":{"u":"04da6b54-80e4-46f7-96ec-b56ff0331ba9"}},"response":{}}` + "\n")
	}
	l, got := lintJSON(t, ".", log.String(), "-")
	if l.Summary.Errors != 6_000 || l.Summary.More == 0 || len(got.stdout) > 20<<20 || len(l.Types)+l.Summary.More != 6_000 {
		t.Errorf("%+v, %d types, %d bytes", l.Summary, len(l.Types), len(got.stdout))
	}
}
