package main_test

import (
	"bytes"
	"errors"
	"os/exec"
	"strings"
	"testing"
)

// endless is a text again and again, up to a number of bytes that no command should
// want.
type endless struct {
	text string
	at   int
	left int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left -= len(p); e.left < 0 {
		return 0, errors.New("nobody stopped reading")
	}
	for i := range p {
		p[i] = e.text[e.at]
		e.at = (e.at + 1) % len(e.text)
	}
	return len(p), nil
}

// TestEndless: what is wrong at the beginning of an input is found there, however
// long the input goes on.
func TestEndless(t *testing.T) {
	dir := writeFiles(t, map[string]string{"bag.json": "{}"})
	for _, row := range []struct{ text, args, want string }{
		{`{"a":` + "\n", "diff - bag.json", "nested beyond"},
		{`{"a":` + "\n", "state ls -", "nested beyond"},
		{`{"a":` + "\n", "apply - bag.json", "nested beyond"},
		{`{"a":1},`, "diff bag.json -", "expected end of input"},
		{`{"a":x`, "merge bag.json - bag.json", "expected value"},
		{`{"a":` + "\n", "lint -", "not a log of calls"},
		{"\x00", "lint -", "line 1"},
	} {
		c := exec.Command(binary(t), strings.Fields(row.args)...)
		c.Dir = dir
		var out bytes.Buffer
		in := &endless{text: row.text, left: 100 << 20}
		c.Stdin, c.Stdout, c.Stderr = in, &out, &out
		_ = c.Run()
		if c.ProcessState.ExitCode() != 2 || !strings.Contains(out.String(), row.want) || in.left < 0 {
			t.Errorf("%q: %s: exit %d: %.300s", row.text, row.args, c.ProcessState.ExitCode(), out.String())
		}
	}
}
