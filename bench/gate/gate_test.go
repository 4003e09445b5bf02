package main

import (
	"archive/tar"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// around are n samples above a center by up to a share: most of them by little, as
// the shortest of many turns are.
func around(rng *rand.Rand, center, share float64, n int) []float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = center * (1 + share*math.Pow(rng.Float64(), 3))
	}
	return all
}

// Both signals find 10 % and raise no alarm where nothing changed, over a thousand
// drawn comparisons, with the noise that each has.
func TestJudge(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		m     meter
		noise float64 // from the smallest to the largest sample
	}{{counting(), 0.015}, {timing(), 0.25}} {
		var missed, alarms, unseen int
		for range 1000 {
			base := around(rng, 1e6, c.noise, c.m.rounds)
			if !c.m.judge("k", base, around(rng, 1.1e6, c.noise, c.m.rounds)).slower {
				missed++
			}
			if c.m.judge("k", base, around(rng, 1e6, c.noise, c.m.rounds)).slower {
				alarms++
			}
			if !c.m.judge("k", base, around(rng, 0.9e6, c.noise, c.m.rounds)).faster {
				unseen++
			}
		}
		t.Logf("%s: %d missed, %d alarms, %d unseen of 1000", c.m.name, missed, alarms, unseen)
		if missed > 100 || unseen > 100 || alarms > 0 {
			t.Errorf("%s: %d of 1000 slowdowns missed, %d improvements unseen, %d false alarms", c.m.name, missed, unseen, alarms)
		}
	}
}

func TestReport(t *testing.T) {
	m := counting()
	same := m.judge("same", []float64{100, 100, 101, 100}, []float64{100, 100, 100, 101})
	worse := m.judge("worse", []float64{100, 100, 101, 100}, []float64{110, 111, 110, 110})
	better := m.judge("better", []float64{100, 100, 101, 100}, []float64{90, 91, 90, 90})
	allowed := worse
	allowed.name, allowed.allowed = "wanted", true
	for _, c := range []struct {
		all    []comparison
		slower bool
		wanted []string
	}{
		{[]comparison{same}, false, []string{"ok: 0 of 1 kernels slower by 2 % or more", "1 kernels the same: +0.0 % … +0.0 % instructions"}},
		{[]comparison{same, better, worse}, true, []string{"SLOWER: 1 of 3", "worse", "+10.0 %", "better", "-10.0 %"}},
		{[]comparison{allowed}, false, []string{"ok: 0 of 1", "1 allowed", "slower, allowed"}},
	} {
		var out bytes.Buffer
		err := report(&out, m, c.all, false, time.Second)
		if errors.Is(err, errSlower) != c.slower || err != nil && !c.slower {
			t.Errorf("%v\n%s", err, &out)
		}
		for _, text := range c.wanted {
			if !strings.Contains(out.String(), text) {
				t.Errorf("%q is not in\n%s", text, &out)
			}
		}
	}
}

func TestRounds(t *testing.T) {
	for _, c := range []struct {
		m      meter
		fewest int
	}{{counting(), 4}, {timing(), 5}} {
		if n := c.m.fewestRounds(); n != c.fewest || n > c.m.rounds {
			t.Errorf("%s: %d rounds, not %d; the default is %d", c.m.name, n, c.fewest, c.m.rounds)
		}
	}
	for _, rounds := range []string{"-1", "4"} {
		err := run([]string{"compare", "-signal", "time", "-rounds", rounds}, io.Discard, io.Discard)
		if !errors.Is(err, errRounds) || !strings.HasSuffix(err.Error(), ": "+rounds+" with the signal time; at least 5 can") {
			t.Errorf("-rounds %s: %v", rounds, err)
		}
	}
}

const sampleResults = `commit: abc
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
BenchmarkRow/size-100/propalg-2 100 1000 ns/op
BenchmarkRow/size-100/floor-2 100 100 ns/op
BenchmarkRow/size-1000/propalg-2 100 20000 ns/op
BenchmarkRow/size-1000/floor-2 100 700 ns/op
pkg: github.com/propalg/propalg/interop/pulumi
BenchmarkRow/urn/propalg-2 100 12 ns/op 0 B/op 0 allocs/op
BenchmarkRow/urn/sdk-2 100 105 ns/op 1640 B/op 4 allocs/op
BenchmarkRow/size-1000/sdk-2 100 900000 ns/op
`

func TestTable(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"results": sampleResults, "readme": "above\n" + tableBegin + "\nold\n" + tableEnd + "\nbelow\n",
		"page":    "top\n" + tableBegin + "\n" + tableEnd + "\n",
		"targets": "# a remark\nurn: parse a URN\n\tsdk 8 6 readme\n\tnobody 1 1\n\tfast 0 1\nkept-one: memory\n\tsdk-new 3.3 5\n",
		"lacks":   "# a remark\nurn sdk: check this, do that\nkept sdk-new: forget\n", "machines/b.txt": "# B, go1.25\nurn sdk 7\n",
		"machines/a-cpu-more.txt": "# this machine, which is not another\nurn sdk 70\n",
	}
	for name, text := range files {
		if err := write(filepath.Join(dir, name), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	var out, log bytes.Buffer
	args := []string{"table", "-targets", in("targets"), "-lacks", in("lacks"), "-machines", in("machines")}
	err := run(append(args, "-save", "-doc", in("readme"), "-readme", in("page"), "-svg", in("svg"), in("results")), &out, &log)
	if !errors.Is(err, errSlower) || !strings.Contains(log.String(), "memory, sdk-new: 4.0×, floor 5.0×") {
		t.Errorf("%v: %s", err, &log)
	}
	for _, line := range []string{
		"| parse a URN | 11 ns | sdk | 100 ns | 9.1× | 8.7× – 9.5× | 7.0× | 8.0× ✓ | 0 : 4 | 0 : 1.64 kB | check this, do that |",
		"|  | 1 ns | fast | 2 ns | 2.0× | 2.0× |  |  | 0 : 0 | – : – |  |",
		"| memory | 1 MB | sdk-new | 4 MB | 4.0× | 4.0× |  | 3.3× ✓ | – : – | – : – | forget |",
		"Medians of 2 interleaved rounds, a <cpu> & more, ", ", go1.26, commit abc.\nThe other machine: B, go1.25.\n",
	} {
		if !strings.Contains(out.String(), line) {
			t.Errorf("%q is not in\n%s", line, &out)
		}
	}
	readme, err := os.ReadFile(in("readme"))
	if want := "above\n" + tableBegin + "\n" + out.String() + tableEnd + "\nbelow\n"; err != nil || string(readme) != want {
		t.Errorf("%v\n%s", err, readme)
	}
	page, err := os.ReadFile(in("page"))
	if want := "| parse a URN | 11 ns | sdk | 100 ns | 9.1× | 0 : 4 | 0 : 1.64 kB |\n"; err != nil || !strings.Contains(string(page), want) || strings.Contains(string(page), "memory") {
		t.Errorf("%v\n%s", err, page)
	}
	saved, err := os.ReadFile(in("machines/a-cpu-more.txt"))
	if want := "# a <cpu> & more, go1.26, commit abc\nurn sdk 9.09\nurn fast 2\nkept-one sdk-new 4\n"; err != nil || string(saved) != want {
		t.Errorf("%v\n%s", err, saved)
	}
	svg, err := os.ReadFile(in("svg"))
	if err != nil {
		t.Fatal(err)
	}
	circles := 0
	for tokens := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := tokens.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "circle" {
			circles++
		}
	}
	if circles != 5 {
		t.Errorf("%d points in the plot, not 5:\n%s", circles, svg)
	}
	for _, want := range []string{">1,000<", ">100ns<", ">1µs<", "Pulumi SDK, 1000 nodes: 900 ns a node"} {
		if !strings.Contains(string(svg), want) {
			t.Errorf("%q is not in the plot:\n%s", want, svg)
		}
	}
	if err := run(append(args, "-doc", in("targets"), in("results")), io.Discard, io.Discard); !errors.Is(err, errMarkers) {
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
		if p.floor <= 0 || p.target != 0 && p.floor > p.target {
			t.Errorf("%s, %s: floor %v, target %v", p.row, p.name, p.floor, p.target)
		}
	}
}

func TestUnpack(t *testing.T) {
	pack := func(name string) *bytes.Buffer {
		var packed bytes.Buffer
		w := tar.NewWriter(&packed)
		if err := w.WriteHeader(&tar.Header{Name: name, Size: 2, Mode: 0o644, Typeflag: tar.TypeReg}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte("hi")); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return &packed
	}
	dir := t.TempDir()
	if err := unpack(pack("a/b"), dir); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "a", "b")); err != nil || string(text) != "hi" {
		t.Error(string(text), err)
	}
	if err := unpack(pack("../x"), dir); !errors.Is(err, errEscape) {
		t.Error(err)
	}
}

func TestCommands(t *testing.T) {
	for _, args := range [][]string{nil, {"nothing"}} {
		if err := run(args, io.Discard, io.Discard); !errors.Is(err, errUsage) {
			t.Errorf("%q: %v", args, err)
		}
	}
	if err := run([]string{"compare", "-signal", "guess"}, io.Discard, io.Discard); !errors.Is(err, errSignal) {
		t.Error(err)
	}
}
