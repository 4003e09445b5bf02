//go:build hostile && linux

package main_test

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const (
	largeCount = 200_000 // resources, which take 100 MB
	largeEvery = 100     // one in so many differs
)

// writeLarge writes a stack export; of the new one every hundredth resource is
// another, of which every seventh is missing.
func writeLarge(t *testing.T, name string, isNew bool) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	const above = "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev"
	fmt.Fprintf(w, `{"version":3,"deployment":{"manifest":{"time":"2026-01-01T00:00:00Z","magic":"m"},"secrets_providers":{"type":"passphrase","state":{"salt":"v1:x"}},`+
		`"resources":[{"urn":%q,"custom":false,"type":"pulumi:pulumi:Stack"}`, above)
	for i := range largeCount {
		size := i % 97
		if isNew && i%largeEvery == 0 {
			if size += 100; i%(7*largeEvery) == 0 {
				continue
			}
		}
		bag := fmt.Sprintf(`{"ami":"ami-0%07d","instanceType":"t3.medium","ports":[80,443,%d],"securityGroups":["sg-%06d"],"tags":{"Name":"web-%d","env":"dev"}}`, i%5000, size, i%999, i)
		fmt.Fprintf(w, ",\n"+`{"urn":"urn:pulumi:dev::shop::aws:ec2/instance:Instance::web-%d","custom":true,"id":"i-%08x","type":"aws:ec2/instance:Instance","inputs":%s,"outputs":%s,"parent":%q}`,
			i, i*7919, bag, bag, above)
	}
	_, _ = w.WriteString("]}}")
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestHostileStacks compares two stacks of 100 MB and 200,000 resources, of which
// 1 % differ: in 400 MB of memory at the peak, and in 5 seconds of two processors
// (10 of processor time: the clock on the wall depends on who else is there).
func TestHostileStacks(t *testing.T) {
	dir := t.TempDir()
	old, now := filepath.Join(dir, "old.json"), filepath.Join(dir, "new.json")
	writeLarge(t, old, false)
	writeLarge(t, now, true)
	begin := time.Now()
	for _, name := range []string{old, now} {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(sha256.New(), f); err != nil {
			t.Fatal(err)
		}
		_ = f.Close()
	}
	t.Logf("to read and hash both: %v", time.Since(begin).Round(time.Millisecond))
	run := measuring(t)
	for _, form := range []string{"text", "json", "html"} {
		got := run("diff", "-o", form, old, now)
		t.Logf("%s: %v of processors, peak %d MB, %d KB of output", form, got.cpu.Round(time.Millisecond), got.peak>>20, len(got.stdout)>>10)
		if got.code != 1 || got.stderr != "" {
			t.Errorf("%s: exit %d, %q", form, got.code, got.stderr)
		}
		if got.cpu > 10*time.Second || got.peak > 400<<20 {
			t.Errorf("%s: too much: %v, peak %d MB", form, got.cpu, got.peak>>20)
		}
		want := map[string]string{
			"text": "Resources: 0 created, 286 deleted, 1714 updated, 198001 the same\n", "json": `"summary":{"create":0,"delete":286,"update":1714,"same":198001}}` + "\n",
			"html": "</html>\n",
		}[form]
		if !strings.HasSuffix(got.stdout, want) {
			t.Errorf("%s: ends with %.100q", form, got.stdout[max(0, len(got.stdout)-100):])
		}
	}
}

// TestHostileCheck checks a stack of 200,000 resources: in 120 MB of memory at the peak, of
// which their URNs and IDs are the most.
func TestHostileCheck(t *testing.T) {
	name := filepath.Join(t.TempDir(), "stack.json")
	writeLarge(t, name, false)
	run := measuring(t)
	stats, got := run("state", "stats", name), run("state", "check", name)
	t.Logf("%v of processors, state stats %v, peak %d MB", got.cpu.Round(time.Millisecond), stats.cpu.Round(time.Millisecond), got.peak>>20)
	if got.code != 1 || got.stderr != "" || !strings.HasSuffix(got.stdout, "Findings: 1 error, 0 warnings, 0 notes\n") {
		t.Errorf("exit %d, %q, %.1000q", got.code, got.stderr, got.stdout)
	}
	if got.peak > 120<<20 {
		t.Errorf("too much: peak %d MB", got.peak>>20)
	}
}

// TestHostileLists: the commands that look at one stack hold one resource at a time, and
// take less than 80 MB for one of 100 MB.
func TestHostileLists(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.json")
	writeLarge(t, file, false)
	run := measuring(t)
	const last = "urn:pulumi:dev::shop::aws:ec2/instance:Instance::web-199999"
	for _, args := range [][]string{
		{"ls", file},
		{"ls", "--holds", "sg-000007", file},
		{"ls", "--where", "id=i-00001eef", file},
		{"stats", file},
		{"show", file, last},
		{"show", file, "web-199999"},
		{"scrub", "--out", file + ".shown", file},
	} {
		got := run(append([]string{"state"}, args...)...)
		t.Logf("%s: %v of processors, peak %d MB, %d KB of output", args[0], got.cpu.Round(time.Millisecond), got.peak>>20, len(got.stdout)>>10)
		if got.code != 0 || got.stdout == "" || got.stderr != "" || got.peak > 80<<20 {
			t.Errorf("%q: exit %d, %s, peak %d MB", args, got.code, got.stderr, got.peak>>20)
		}
	}
}
