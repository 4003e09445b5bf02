package main

import (
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
		if got := parse(row.text); got != row.want {
			t.Errorf("row %d, %s:\n got %+v\nwant %+v", i, row.name, got, row.want)
		}
	}
}

// TestExcerpt: the beginning and the end of what a target says are printed.
func TestExcerpt(t *testing.T) {
	long := "first\nfuzz: elapsed: 1s, x\n" + strings.Repeat("x", 4*outputPart) + "\nlast\n"

	text := string(excerpt([]byte(long)))
	if !strings.HasPrefix(text, "first\nxx") || !strings.HasSuffix(text, "\nlast\n") || !strings.Contains(text, "\n[...]\n") || len(text) > 3*outputPart {
		t.Errorf("%d bytes: %.20q ... %q", len(text), text, text[len(text)-20:])
	}
}

// TestFound: a target whose time ran out found nothing, unless there is an input, or
// it did not end by itself; one that was interrupted did not either.
func TestFound(t *testing.T) {
	err := errors.New("exit status 1")
	over := progress{failed: true, expired: true}
	input, seed := over, over
	input.input, seed.seed = "testdata/fuzz/FuzzFine/1", "FuzzFine/seed#0"

	for i, row := range []struct {
		progress          progress
		err               error
		late, interrupted bool
		want              bool
	}{
		{over, err, false, false, false},
		{input, err, false, false, true},
		{seed, err, false, false, true},
		{over, err, true, false, true},
		{progress{failed: true}, err, false, false, true},
		{progress{}, err, false, false, true},
		{progress{}, err, false, true, false},
		{progress{}, nil, false, false, false},
	} {
		if got := found(row.progress, row.err, row.late, row.interrupted); got != row.want {
			t.Errorf("row %d: %v", i, got)
		}
	}
}
