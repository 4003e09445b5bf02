package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// mutant is one change of one file: length bytes at offset become text.
type mutant struct {
	id, pkg, file  string // file is relative to the package
	line, col      int
	kind           string
	offset, length int
	text, before   string
	reserve        bool // drawn only to stand in for one that does not compile
}

func (m mutant) String() string {
	reserve := "drawn"
	if m.reserve {
		reserve = "reserve"
	}
	return strings.Join([]string{
		m.id, m.pkg, m.file, strconv.Itoa(m.line), strconv.Itoa(m.col), m.kind,
		strconv.Itoa(m.offset), strconv.Itoa(m.length), strconv.Quote(m.text), strconv.Quote(m.before), reserve,
	}, "\t")
}

func readMutants(name string) []mutant {
	var all []mutant
	for _, f := range rows(name) {
		if len(f) != 11 {
			fail("%s: %d fields in %q", name, len(f), f)
		}
		m := mutant{id: f[0], pkg: f[1], file: f[2], kind: f[5], reserve: f[10] == "reserve"}
		m.line, m.col = number(f[3]), number(f[4])
		m.offset, m.length = number(f[6]), number(f[7])
		m.text, m.before = unquote(f[8]), unquote(f[9])
		all = append(all, m)
	}
	return all
}

// rows of a tab-separated file; none when there is no such file.
func rows(name string) [][]string {
	file, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer file.Close()
	var all [][]string
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if lines.Text() != "" {
			all = append(all, strings.Split(lines.Text(), "\t"))
		}
	}
	return all
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		fail("%v", err)
	}
	return n
}

func unquote(s string) string {
	t, err := strconv.Unquote(s)
	if err != nil {
		fail("%v: %s", err, s)
	}
	return t
}

// apply gives the changed source, or an error when the file is not what was drawn from.
func (m mutant) apply(source []byte) ([]byte, error) {
	if m.offset+m.length > len(source) || string(source[m.offset:m.offset+m.length]) != m.before {
		return nil, fmt.Errorf("%s/%s:%d:%d is not %q any more: draw again", m.pkg, m.file, m.line, m.col, m.before)
	}
	out := append([]byte(nil), source[:m.offset]...)
	out = append(out, m.text...)
	return append(out, source[m.offset+m.length:]...), nil
}
