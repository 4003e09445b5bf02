package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// TestProgressLines: what go's fuzzing writes, line by line, and what is made of it.
func TestProgressLines(t *testing.T) {
	rows := []struct {
		name, text string
		want       progress
	}{
		{"nothing", "", progress{}},
		{"other lines", "warning: starting with empty corpus\nPASS\nok\n", progress{}},
		{"gathering", "fuzz: elapsed: 0s, gathering baseline coverage: 0/192 completed\n", progress{figures: figures{Corpus: 192}}},
		{
			"gathered", "fuzz: elapsed: 0s, gathering baseline coverage: 3/192 completed\n" +
				"fuzz: elapsed: 1s, gathering baseline coverage: 192/192 completed, now fuzzing with 8 workers\n",
			progress{figures: figures{Corpus: 192}, gathered: true},
		},
		{
			"the last counts", "fuzz: elapsed: 3s, execs: 12 (4/sec), new interesting: 1 (total: 5)\n" +
				"fuzz: elapsed: 1m6s, execs: 325017 (108336/sec), new interesting: 11 (total: 202)\n",
			progress{figures: figures{325017, 11, 202}, gathered: true},
		},
		{"without coverage", "fuzz: elapsed: 3s, execs: 99 (33/sec)\n", progress{figures: figures{Executions: 99}, gathered: true}},
		{
			"minimising", "fuzz: minimizing 38-byte failing input file\nfuzz: elapsed: 5s, minimizing\n", progress{},
		},
		{
			"found", "--- FAIL: FuzzBug (0.59s)\n    --- FAIL: FuzzBug (0.00s)\n        a_test.go:4: bad\n    \n" +
				"    Failing input written to testdata/fuzz/FuzzBug/4c7cc18493597f8c\n    To re-run:\n    go test -run=FuzzBug/4c7cc18493597f8c\nFAIL\n",
			progress{input: "testdata/fuzz/FuzzBug/4c7cc18493597f8c", failed: true},
		},
		{"on Windows", "    Failing input written to testdata\\fuzz\\FuzzBug\\4c\r\n", progress{input: "testdata/fuzz/FuzzBug/4c"}},
		{
			"a seed", "failure while testing seed corpus entry: FuzzBug/seed#0\n--- FAIL: FuzzBug (0.01s)\n",
			progress{seed: "FuzzBug/seed#0", failed: true},
		},
		{
			"out of time", "fuzz: elapsed: 40s, execs: 69677 (1740/sec)\n--- FAIL: FuzzFine (40.02s)\n    context deadline exceeded\nFAIL\n",
			progress{figures: figures{Executions: 69677}, gathered: true, failed: true, expired: true},
		},
		{
			"out of time for a reason", "--- FAIL: FuzzBug (40.02s)\n    a_test.go:4: context deadline exceeded\nFAIL\n", progress{failed: true},
		},
		{
			"out of time, and more", "--- FAIL: FuzzBug (40.02s)\n    context deadline exceeded\n    a_test.go:4: bad\nFAIL\n", progress{failed: true},
		},
		{"a target that writes such lines", "x fuzz: elapsed: 3s, execs: 12 (4/sec)\n", progress{}},
		{"more than fits", "fuzz: elapsed: 3s, execs: 99999999999999999999 (1/sec)\n", progress{figures: figures{Executions: 1<<63 - 1}, gathered: true}},
	}

	for i, row := range rows {
		for _, piece := range []int{1, 7, len(row.text) + 1} { // whatever pieces it comes in
			l := &listener{lines: newLines()}

			for rest := []byte(row.text); len(rest) > 0; {
				n := min(piece, len(rest))
				if wrote, err := l.Write(rest[:n]); wrote != n || err != nil {
					t.Fatalf("row %d, %s: wrote %d, %v", i, row.name, wrote, err)
				}

				rest = rest[n:]
			}

			if got := l.all(); got != row.want {
				t.Errorf("row %d, %s, in pieces of %d:\n got %+v\nwant %+v", i, row.name, piece, got, row.want)
			}
		}
	}
}

// TestOutputIsBounded: the beginning and the end of what a target says are kept,
// and the last line even without its end.
func TestOutputIsBounded(t *testing.T) {
	l := &listener{lines: newLines()}
	chunk := bytes.Repeat([]byte("x"), 1000)

	for _, part := range [][]byte{[]byte("first\n"), bytes.Repeat(append(chunk, '\n'), 5000), bytes.Repeat(chunk, 5000), []byte("\nfuzz: elapsed: 1s, x\nlast")} {
		if _, err := l.Write(part); err != nil {
			t.Fatal(err)
		}
	}

	l.all()

	text := l.text()
	if !strings.HasPrefix(text, "first\n") || !strings.HasSuffix(text, "\nlast\n") || !strings.Contains(text, "\n[...]\n") || len(text) > 4*outputPart {
		t.Errorf("%d bytes: %.20q ... %q", len(text), text, text[len(text)-20:])
	}

	if strings.Contains(text, "elapsed") {
		t.Error("progress lines are kept")
	}
}

func TestWhy(t *testing.T) {
	for i, row := range []struct {
		end  ended
		want string
	}{
		{ended{output: "fuzz: minimizing 31-byte failing input file\n--- FAIL: FuzzBug (0.59s)\n    --- FAIL: FuzzBug (0.00s)\n  a_test.go:4: bad\n  more\n"}, "a_test.go:4: bad"},
		{ended{output: "    law10.go:20: [rapid] draw steps: []\n    law.go:62: old := value.Null()\n    value.go:586: [rapid] failed: reads back\n"}, "reads back"},
		{ended{output: "FAIL\n"}, "failed and said nothing"},
		{ended{output: "x", late: true}, "did not end, and was stopped"},
		{ended{output: strings.Repeat("é", 200)}, strings.Repeat("é", 80) + "..."},
	} {
		if got := why(row.end); got != row.want {
			t.Errorf("row %d: %q, want %q", i, got, row.want)
		}
	}
}

// TestOutOfTime: a target whose time ran out found nothing, unless there is an input,
// or it did not end by itself.
func TestOutOfTime(t *testing.T) {
	over := ended{progress: progress{failed: true, expired: true}, err: errors.New("exit status 1")}
	input, seed, late, failed := over, over, over, over
	input.input, seed.seed, late.late, failed.expired = "testdata/fuzz/FuzzFine/1", "FuzzFine/seed#0", true, false

	for name, row := range map[string]struct {
		end  ended
		want bool
	}{"over": {over, false}, "input": {input, true}, "seed": {seed, true}, "late": {late, true}, "failed": {failed, true}} {
		c := &campaign{config: config{dir: t.TempDir()}}
		if _, found := c.finding(t.Context(), target{dir: t.TempDir(), name: "FuzzFine"}, row.end); found != row.want {
			t.Errorf("%s: found is %v", name, found)
		}
	}
}
