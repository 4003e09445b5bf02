package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// finding is something that a target found.
type finding struct {
	Why    string `json:"why"`             // one line
	Input  string `json:"input,omitempty"` // the file of the input that fails
	Report string `json:"report"`          // the file of what the target said, and how to run it again
}

// finding keeps what a turn found, if it did: the input is taken out of the
// package's folder, made small, with a report of it.
func (c *campaign) finding(ctx context.Context, t target, end ended) (f finding, ok bool) {
	if end.ranOut() && !end.late {
		return f, false
	}

	failed := end.failed || end.input != "" || end.seed != "" || end.late
	if !failed && (end.err == nil || ctx.Err() != nil) {
		return f, false
	}

	name, input := "", []byte(nil)

	if end.input != "" {
		name, input = takeInput(t, end.input)
		if small, said, ok := c.minimized(ctx, t, name, input); ok {
			name, input, end.output = filepath.Base(said.input), small, said.output
		}
	}

	f.Why = why(end)

	if err := c.writeFinding(t, &f, name, input, end); err != nil {
		c.fail("a finding of "+t.id(), err)
	}

	return f, true
}

// takeInput reads a failing input and removes it from the package's folder,
// with the folders that are empty then.
func takeInput(t target, file string) (name string, input []byte) {
	file = filepath.Join(t.dir, filepath.FromSlash(file))

	input, err := os.ReadFile(file)
	if err != nil {
		return "", nil
	}

	for range 4 { // the file, TARGET, fuzz, testdata: a folder with something in it stays
		if os.Remove(file) != nil {
			break
		}

		file = filepath.Dir(file)
	}

	return nameOf(input), input
}

// nameOf is a name for an input, as short as go's.
func nameOf(input []byte) string {
	sum := sha256.Sum256(input)

	return hex.EncodeToString(sum[:8])
}

// minimized runs a target with a corpus of one failing input and more time for
// making it small. An input that does not fail again is left as it is.
func (c *campaign) minimized(ctx context.Context, t target, name string, input []byte) (small []byte, end ended, ok bool) {
	if c.minimize == 0 || len(input) == 0 {
		return nil, end, false
	}

	folder, err := os.MkdirTemp(c.dir, "minimize")
	if err != nil {
		return nil, end, false
	}

	defer os.RemoveAll(folder) //nolint:errcheck // a folder that is left does no harm

	if err := writeFile(filepath.Join(folder, t.name, name), input); err != nil {
		return nil, end, false
	}

	j := job{target: t, corpus: folder, length: c.minimize + minTurn, minimize: c.minimize.String(), workers: 1}

	end = j.do(ctx)
	if end.input == "" {
		return nil, end, false
	}

	name, small = takeInput(t, end.input)
	end.input = name

	return small, end, len(small) > 0
}

// why is the line of the output that says what is wrong, shortened: what rapid
// says of a law that failed, or the first line that says something.
func why(end ended) string {
	if end.late {
		return "did not end, and was stopped"
	}

	const drawn = "[rapid] draw "

	first := ""

	for line := range strings.Lines(end.output) {
		line = strings.TrimSpace(line)
		if _, said, ok := strings.Cut(line, "[rapid] failed: "); ok {
			return shortened(said)
		}

		isNoise := slices.ContainsFunc([]string{"--- FAIL:", "fuzz: ", "warning:"}, func(prefix string) bool { return strings.HasPrefix(line, prefix) })
		if first == "" && line != "" && line != "FAIL" && line != "PASS" && !isNoise && !strings.Contains(line, drawn) {
			first = line
		}
	}

	switch {
	case first != "":
		return shortened(first)
	case end.err != nil:
		return end.err.Error()
	}

	return "failed and said nothing"
}

func shortened(line string) string {
	const most = 160
	if len(line) > most {
		return strings.ToValidUTF8(line[:most], "") + "..."
	}

	return line
}

// writeFinding writes the input and the report.
func (c *campaign) writeFinding(t target, f *finding, name string, input []byte, end ended) error {
	folder := filepath.Join(c.dir, "findings", filepath.FromSlash(t.folder), t.name)

	var again string

	switch {
	case len(input) > 0:
		f.Input = filepath.Join(folder, name)
		again = fmt.Sprintf("Copy the input to %s/testdata/fuzz/%s/%s, which makes it a regression test, and run in %s\n\n\tgo test -run '^%s$/^%s$' .\n",
			t.folder, t.name, name, t.folder, t.name, name)

		if err := writeFile(f.Input, input); err != nil {
			return err
		}
	case end.seed != "":
		name = "seed"
		again = fmt.Sprintf("Run in %s\n\n\tgo test -run '^%s$' .\n", t.folder, strings.ReplaceAll(end.seed, "/", "$/^"))
	default:
		name = "output"
		again = fmt.Sprintf("Run in %s\n\n\tgo test -run '^$' -fuzz '^%s$' .\n", t.folder, t.name)
	}

	f.Report = filepath.Join(folder, name+".txt")
	report := fmt.Sprintf("%s: %s\n\n%s\nIt said:\n\n%s", t.id(), f.Why, again, end.output)

	if len(input) > 0 {
		report += fmt.Sprintf("\nThe input:\n\n%s", input)
	}

	return writeFile(f.Report, []byte(report))
}

// retryFindings puts what a target found in the past into its corpus, the whole
// of which is run before anything else, and returns the names.
func (c *campaign) retryFindings(t target) []string {
	folder := filepath.Join(c.dir, "findings", filepath.FromSlash(t.folder), t.name)

	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil // there are none
	}

	var names []string

	for _, entry := range entries {
		if filepath.Ext(entry.Name()) == ".txt" || entry.IsDir() {
			continue
		}

		input, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err == nil {
			err = writeFile(filepath.Join(c.corpusOf(t), entry.Name()), input)
		}

		if err == nil {
			names = append(names, entry.Name())
		}
	}

	return names
}

// moveFixed moves findings to where those are that fail no more; reports that
// have no input go with them. It returns the names.
func (c *campaign) moveFixed(t target, names []string) []string {
	tail := filepath.Join(filepath.FromSlash(t.folder), t.name)
	from, to := filepath.Join(c.dir, "findings", tail), filepath.Join(c.dir, "fixed", tail)

	var moved []string

	for _, name := range append(names, "seed", "output") {
		for _, file := range []string{name, name + ".txt"} {
			_, err := os.Stat(filepath.Join(from, file))
			if err == nil {
				err = os.MkdirAll(to, folderMode)
			}

			if err == nil {
				err = os.Rename(filepath.Join(from, file), filepath.Join(to, file))
			}

			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				c.fail("moving a finding of "+t.id(), err)
			}

			if err == nil && file == name+".txt" {
				moved = append(moved, name)
			}
		}
	}

	return moved
}

// writeFile writes a file as a whole or not at all, and makes its folder.
func writeFile(file string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), folderMode); err != nil {
		return err
	}

	part := fmt.Sprintf("%s.%d.part", file, time.Now().UnixNano())
	if err := os.WriteFile(part, data, fileMode); err != nil {
		return err
	}

	return os.Rename(part, file)
}
