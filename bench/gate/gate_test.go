package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReport: a change is one from the threshold on, in either direction.
func TestReport(t *testing.T) {
	for _, c := range []struct {
		all    []comparison
		wanted string
	}{
		{[]comparison{{"flat", 1000, 1019, same}, {"other", 1000, 981, same}}, "ok: 0 of 2 kernels slower by 2 % or more, 0 faster, 0 allowed\n2 kernels the same: -1.9 % … +1.9 % instructions\n"},
		{[]comparison{{"flat", 100, 100, same}, {"better", 100, 90, same}, {"worse", 100, 110, same}}, `SLOWER: 1 of 3 kernels slower by 2 % or more, 1 faster, 0 allowed
  instructions  base  head   change
         worse   100   110  +10.0 %  SLOWER
        better   100    90  -10.0 %  faster
1 kernels the same: +0.0 % … +0.0 % instructions
`},
		{[]comparison{{"wanted", 100, 110, same}}, `ok: 0 of 1 kernels slower by 2 % or more, 0 faster, 1 allowed
  instructions  base  head   change
        wanted   100   110  +10.0 %  slower, allowed
0 kernels the same: +0.0 % … +0.0 % instructions
`},
	} {
		var out bytes.Buffer
		for i := range c.all {
			c.all[i].judge(0.02, regexp.MustCompile("^wanted$"))
		}
		err := report(&out, c.all, 2)
		if errors.Is(err, errSlower) != strings.HasPrefix(c.wanted, "SLOWER") || out.String() != c.wanted {
			t.Errorf("%v\n%s", err, &out)
		}
	}
}

const sampleResults = `commit: abc
goos: linux
goarch: amd64
go: go1.26
pkg: github.com/propalg/propalg/interop/pulumi
cpu: a <cpu> & more
BenchmarkRow/urn/propalg-2 100 10 ns/op 0 B/op 0 allocs/op
BenchmarkRow/urn/sdk-2 100 95 ns/op 1640 B/op 4 allocs/op
BenchmarkRow/kept-one/propalg-2 100 1 ns/op 1000000 kept-B
BenchmarkRow/kept-one/sdk-new-2 100 1 ns/op 4000000 kept-B
pkg: github.com/propalg/propalg/interop/peers
BenchmarkRow/urn/propalg-2 100 1 ns/op 0 allocs/op
BenchmarkRow/urn/fast-2 100 2 ns/op 0 allocs/op
pkg: github.com/propalg/propalg/interop/pulumi
BenchmarkRow/urn/propalg-2 100 12 ns/op 0 B/op 0 allocs/op
BenchmarkRow/urn/sdk-2 100 105 ns/op 1640 B/op 4 allocs/op
`

func TestTable(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	put(t, dir, map[string]string{
		"results":   sampleResults,
		readmeFile:  "above\n" + tableBegin + "\nold\n" + tableEnd + "\nbelow\n",
		pageFile:    "top\n" + tableBegin + "\n" + tableEnd + "\n",
		targetsFile: "# a remark\nurn: parse a URN\n\tsdk 8 6 readme\n\tnobody 1 1\n\tfast 0 1\nkept-one: memory\n\tsdk-new 3.3 5\n",
		lacksFile:   "# a remark\nurn sdk: check this, do that\nkept sdk-new: forget\n",
	})
	var out, log bytes.Buffer
	err := run([]string{"table", "-w", "results"}, &out, &log)
	if !errors.Is(err, errSlower) || !strings.Contains(log.String(), "memory, sdk-new: 4.0×, floor 5.0×") {
		t.Errorf("%v: %s", err, &log)
	}

	full, err := os.ReadFile(pageFile)
	want := "top\n" + tableBegin + `
Medians of 2 interleaved rounds, a <cpu> & more, linux/amd64, go1.26, commit abc.

| work | ours | peer | theirs | factor | lowest – highest | target | allocations, ours : theirs | bytes, ours : theirs | the peer does not |
|---|---|---|---|---|---|---|---|---|---|
| parse a URN | 11 ns | sdk | 100 ns | 9.1× | 8.7× – 9.5× | 8.0× ✓ | 0 : 4 | 0 : 1.64 kB | check this, do that |
|  | 1 ns | fast | 2 ns | 2.0× | 2.0× |  | 0 : 0 | – : – |  |
| memory | 1 MB | sdk-new | 4 MB | 4.0× | 4.0× | 3.3× ✓ | – : – | – : – | forget |
` + tableEnd + "\n"
	if err != nil || string(full) != want || !strings.Contains(want, out.String()) {
		t.Errorf("%v\n%s", err, full)
	}
	short, err := os.ReadFile(readmeFile)
	want = "above\n" + tableBegin + `
| work | ours | peer | theirs | factor | allocations, ours : theirs | bytes, ours : theirs |
|---|---|---|---|---|---|---|
| parse a URN | 11 ns | sdk | 100 ns | 9.1× | 0 : 4 | 0 : 1.64 kB |
` + tableEnd + "\nbelow\n"
	if err != nil || string(short) != want {
		t.Errorf("%v\n%s", err, short)
	}

	if err := replace("results", ""); !errors.Is(err, errMarkers) {
		t.Errorf("a file without markers: %v", err)
	}
}

// The committed targets are rows that the benchmarks have, each with a floor that is
// no higher than its target.
func TestTargets(t *testing.T) {
	f, err := os.Open("targets.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := readTargets(f)
	if err != nil || len(all) < 30 {
		t.Fatal(err, len(all))
	}
	inReadme := 0
	for _, p := range all {
		if p.inReadme {
			inReadme++
		}
	}
	if inReadme != 10 {
		t.Errorf("README.md has %d rows, not 10", inReadme)
	}
	var sources strings.Builder
	for _, pattern := range []string{"../../interop/pulumi/bench*_test.go", "../../interop/peers/*_test.go"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			sources.Write(text)
		}
	}
	for _, p := range all {
		if !strings.Contains(sources.String(), `{"`+p.row+`", `) || !strings.Contains(sources.String(), `"`+p.name+`"`) {
			t.Errorf("no benchmark measures %s, %s", p.row, p.name)
		}
		if p.floor <= 0 || (p.target != 0 && p.floor > p.target) {
			t.Errorf("%s, %s: floor %v, target %v", p.row, p.name, p.floor, p.target)
		}
	}
}

func TestUsage(t *testing.T) {
	if err := run([]string{"nothing"}, io.Discard, io.Discard); !errors.Is(err, errUsage) {
		t.Error(err)
	}
}
