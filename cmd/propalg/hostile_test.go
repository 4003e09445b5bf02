//go:build hostile && linux

package main_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// hostileInput is a file, or the argument of a small tool, that means harm.
type hostileInput struct {
	name string
	file func(path string) error // nil: no file
	args []string                // FILE is the file
	code int
	want string // in what it says
	per  int64  // bytes of memory for a byte of input; 0 means 8
}

// filled writes a file piece by piece, so that the test stays small itself.
func filled(head, piece string, times int, tail string) func(string) error {
	return func(name string) error {
		f, err := os.Create(name)
		if err != nil {
			return err
		}
		_, err = f.WriteString(head)
		block := strings.Repeat(piece, 1+(1<<20)/len(piece))
		for left := times * len(piece); left > 0 && err == nil; left -= len(block) {
			_, err = f.WriteString(block[:min(left, len(block))])
		}
		if err == nil {
			_, err = f.WriteString(tail)
		}
		return errors.Join(err, f.Close())
	}
}

func hostileInputs() []hostileInput {
	against := func(name string) []string { return []string{"diff", "../../testdata/bags/old.json", name} }
	one := against("FILE")
	cut := func(bytes int64) func(string) error {
		return func(name string) error {
			whole, err := os.ReadFile("../../testdata/samples/before.json")
			if err != nil {
				return err
			}
			return os.WriteFile(name, whole[:min(bytes, int64(len(whole))-2)], 0o600)
		}
	}
	return []hostileInput{
		{"depth 10^6, arrays", filled(`{"a":`, "[", 1_000_000, strings.Repeat("]", 1_000_000)+"}"), one, 2, "nested beyond the limit", 0},
		{"depth 10^6, objects", filled("", `{"a":`, 1_000_000, "1"+strings.Repeat("}", 1_000_000)), one, 2, "nested beyond the limit", 0},
		{"depth 10^6, never closed", filled("", "[", 1_000_000, ""), one, 2, "nested beyond the limit", 0},
		{"20 MB of brackets", filled("", "[", 20_000_000, ""), one, 2, "nested beyond the limit", 0},
		{"200 MB string", filled(`{"a":"`, "x", 200_000_000, `"}`), one, 1, "199999880 bytes", 0},
		{"200 MB string of escapes", filled(`{"a":"`, `\n`, 100_000_000, `"}`), one, 1, "bytes", 0},
		{"200 MB string against itself", filled(`{"a":"`, "x", 200_000_000, `"}`), []string{"diff", "FILE", "FILE"}, 0, "", 0},
		{"200 MB string in a stack", filled(`{"version":3,"deployment":{"resources":[{"urn":"urn:pulumi:a::b::c::d","type":"c","inputs":{"a":"`, "x", 200_000_000, `"}}]}}`), []string{"state", "ls", "FILE"}, 0, `c "d"`, 0},
		{"200 MB string in a stack that is to be destroyed", filled(`{"version":3,"deployment":{"resources":[{"urn":"urn:pulumi:a::b::c::d","type":"c","inputs":{"a":"`, "x", 200_000_000, `"}}]}}`), []string{"plan", "destroy", "FILE"}, 0, `delete c "d"`, 0},
		{"200 MB string never closed", filled(`{"a":"`, "x", 200_000_000, ""), one, 2, "syntax error", 0},
		{"10^6 digits", filled(`{"a":`, "1", 1_000_000, "}"), one, 1, "a", 0},
		{"exponent of 10^6 digits", filled(`{"a":1e`, "9", 1_000_000, "}"), one, 1, "a", 0},
		{"10^6 members", filled(`{"x":0`, `,"":0`, 1_000_000, "}"), one, 2, "duplicate member name", 64},
		{"10^6 elements", filled(`{"a":[0`, ",0", 1_000_000, "]}"), one, 1, "… 99", 64},
		{"1 MiB key", filled(`{"`, "k", 1<<20, `":1}`), one, 1, "…", 0},
		{"truncated state", cut(5000), []string{"state", "stats", "FILE"}, 2, "offset", 0},
		{"truncated state, one brace short", cut(1 << 40), []string{"state", "stats", "FILE"}, 2, "offset", 0},
		{"binary file", filled("\x7fELF\x02\x01\x01\x00", "\x00\xff\x13", 1000, ""), one, 2, "offset 0", 0},
		{"20 MB of nothing", filled("", "\x00", 20_000_000, ""), one, 2, "offset 0", 0},
		{"a device without end", nil, against("/dev/zero"), 2, "offset 0", 0},
		{"a stack on a device without end", nil, []string{"state", "ls", "/dev/zero"}, 2, "offset 0", 0},
		{"a log on a device without end", nil, []string{"lint", "/dev/zero"}, 2, "line 1", 0},
		{"empty file", filled("", "x", 0, ""), one, 2, "the file is empty", 0},
		{"a directory", nil, against("."), 2, "is a directory", 0},
		{"a missing file", nil, against("nowhere.json"), 2, "no such file", 0},
		{"log of 50000 calls of as many types", logOfTypes(50_000), []string{"lint", "FILE"}, 1, "not listed", 0},
		{"log with a line of 100 MB", filled(`{"method":"/pulumirpc.ResourceProvider/Diff","request":{"news":{"a":"`, "x", 100_000_000, "\"}},\"response\":{}}\n"), []string{"lint", "FILE"}, 0, "1 checked", 0},
		{"log, depth 10^6", filled(`{"method":"/pulumirpc.ResourceProvider/Diff","request":{"news":{"a":`, "[", 1_000_000, strings.Repeat("]", 1_000_000)+"}}}\n"), []string{"lint", "FILE"}, 1, "unreadable", 0},
		{"log, depth 10^6, never closed", filled(`{"method":"/pulumirpc.ResourceProvider/Diff","request":`, "[", 1_000_000, "\n"), []string{"lint", "FILE"}, 2, "line 1", 64},
		{"10^6 elements, all of them asked for", filled(`{"a":[0`, ",0", 1_000_000, "]}"), []string{"path", "get", "FILE", "a[*]"}, 0, "a[999999]: 0", 64},
		{"10^6 elements merged", filled(`{"a":[0`, ",0", 1_000_000, "]}"), []string{"merge", "../../testdata/bags/old.json", "../../testdata/bags/new.json", "FILE"}, 1, "conflict", 64},
		{"index of 2^62", nil, []string{"path", "parse", "a[4611686018427387904]"}, 2, "index", 0},
		{"index of 50000000", nil, []string{"path", "parse", "a[50000000]"}, 0, "index 50000000", 0},
		{"replacement below index 50000000", nil, []string{"diff", "--replace-on", "ports[50000000]", "../../testdata/bags/old.json", "../../testdata/bags/new.json"}, 1, "name", 0},
		{"key of 100 KiB as argument", nil, []string{"path", "parse", strings.Repeat("k", 100<<10)}, 0, "kkk", 0},
		{"40000 wildcards as argument", nil, []string{"path", "parse", strings.Repeat("[*]", 40_000)}, 0, "any  any", 0},
	}
}

// logOfTypes is a log with a finding for each of many types.
func logOfTypes(n int) func(string) error {
	return func(name string) error {
		f, err := os.Create(name)
		if err != nil {
			return err
		}
		b := bufio.NewWriter(f)
		for i := range n {
			fmt.Fprintf(b, `{"method":"/pulumirpc.ResourceProvider/Diff","request":{"type":"t%d","oldInputs":{"a":1},"news":{"a":2}},"response":{"changes":"DIFF_NONE"}}`+"\n", i)
		}
		return errors.Join(b.Flush(), f.Close())
	}
}

// TestHostile runs the real tool on each: one line of error or a right answer,
// in 5 seconds of a processor, with a peak of 8 times the input and 64 MB. (Where one or two bytes
// are a value, which takes 24 to 64, it is more.) The limit is 10 seconds, since
// processors differ: the same program took 3.8 and 5.2 on two machines.
func TestHostile(t *testing.T) {
	run := measuring(t)
	for _, h := range hostileInputs() {
		t.Run(h.name, func(t *testing.T) {
			file, size := filepath.Join(t.TempDir(), "in.json"), int64(0)
			if h.file != nil {
				if err := h.file(file); err != nil {
					t.Fatal(err)
				}
				info, err := os.Stat(file)
				if err != nil {
					t.Fatal(err)
				}
				size = info.Size()
			}
			var args []string
			for _, a := range h.args {
				args = append(args, strings.ReplaceAll(a, "FILE", file))
				if a != "FILE" || len(args) < 3 {
					continue
				}
				size *= int64(strings.Count(strings.Join(h.args, " "), "FILE"))
			}
			got := run(args...)
			said := got.stdout + got.stderr
			first, _, _ := strings.Cut(strings.ReplaceAll(said, file, "FILE"), "\n")
			if len(first) > 150 {
				first = first[:150] + "…"
			}
			t.Logf("exit %d, %v, input %d KB, peak %d MB: %s", got.code, got.cpu.Round(time.Millisecond), size>>10, got.peak>>20, first)
			if got.code != h.code || !strings.Contains(said, h.want) {
				t.Errorf("exit %d, want %d, and %q in what it says", got.code, h.code, h.want)
			}
			if lines := strings.Count(got.stderr, "\n"); h.code == 2 && (lines != 1 || got.stdout != "") {
				t.Errorf("not one line of error: %d lines, %d bytes of output", lines, len(got.stdout))
			}
			if got.cpu > 10*time.Second || got.peak > max(8, h.per)*size+64<<20 {
				t.Errorf("too much: %v, peak %d MB for %d KB", got.cpu, got.peak>>20, size>>10)
			}
		})
	}
}
