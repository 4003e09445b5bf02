package main

import (
	"regexp"
	"strconv"
	"strings"
)

// figures are what a fuzzing process says of itself.
type figures struct {
	Executions  int64
	Interesting int // inputs that reached new code
	Corpus      int // inputs in all, seeds among them
}

// progress holds what the lines so far have reported.
type progress struct {
	figures
	gathered bool   // every input of the corpus was run once, and did not fail
	input    string // the failing input that was written, below the package's folder
	seed     string // the failing input that was there before: TARGET/name, as -run takes it
	failed   bool   // a failure was announced, with an input or without
	expired  bool   // nothing but the end of its time was announced as the failure
}

// lines are the patterns of what go's fuzzing writes.
type lines struct{ gathered, execs, written, seed *regexp.Regexp }

func newLines() lines {
	return lines{
		gathered: regexp.MustCompile(`^fuzz: elapsed: \S+, gathering baseline coverage: \d+/(\d+) completed(, now fuzzing)?`),
		execs:    regexp.MustCompile(`^fuzz: elapsed: \S+, execs: (\d+) \(\d+/sec\)(?:, new interesting: (\d+) \(total: (\d+)\))?`),
		written:  regexp.MustCompile(`^\s*Failing input written to (testdata[/\\]fuzz[/\\]\S+)$`),
		seed:     regexp.MustCompile(`^\s*failure while testing seed corpus entry: (\S+)$`),
	}
}

// parse reads what a fuzzing process has written.
func parse(text string) progress {
	var p progress

	l := newLines()
	for line := range strings.Lines(text) {
		p.line(l, strings.TrimSuffix(line, "\n"))
	}

	return p
}

// line takes in one line of output. What it does not know it leaves alone.
func (p *progress) line(l lines, text string) {
	text = strings.TrimRight(text, "\r")

	if m := l.execs.FindStringSubmatch(text); m != nil {
		p.gathered = true
		p.Executions = number(m[1])

		if m[2] != "" {
			p.Interesting, p.Corpus = int(number(m[2])), int(number(m[3]))
		}

		return
	}

	if m := l.gathered.FindStringSubmatch(text); m != nil {
		p.gathered, p.Corpus = m[2] != "", int(number(m[1]))

		return
	}

	if m := l.written.FindStringSubmatch(text); m != nil {
		p.input = strings.ReplaceAll(m[1], `\`, "/")
	}

	if m := l.seed.FindStringSubmatch(text); m != nil {
		p.seed = m[1]
	}

	p.expired = p.failed && strings.TrimSpace(text) == "context deadline exceeded" || p.expired && (text == "FAIL" || text == "")
	p.failed = p.failed || strings.HasPrefix(text, "--- FAIL: Fuzz")
}

// ranOut says whether a failure is none: before Go 1.27 the end of the time may
// come to the workers before it comes to who waits for them, and is taken for their
// error then (go.dev/issue/75804). What fails for a reason leaves an input.
func (p *progress) ranOut() bool { return p.expired && p.input == "" && p.seed == "" }

// number reads digits. More of them than fit are the largest there is.
func number(digits string) int64 {
	n, _ := strconv.ParseInt(digits, 10, 64)

	return n
}
