package main

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// outside is a repository of somebody's provider, with kernels of its own: a copy of
// examples, committed.
func outside(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull) // no signing, no hooks
	dir := t.TempDir()
	if err := copyTree(root+"/examples", dir); err != nil {
		t.Fatal(err)
	}
	const module = "github.com/propalg/propalg"
	for _, command := range [][]string{
		{"go", "mod", "edit", "-replace=" + module + "=" + root, "-replace=" + module + "/interop/grpc=" + root + "/interop/grpc"},
		{"git", "init", "-q"},
		{"git", "add", "."},
		{"git", "-c", "user.name=a", "-c", "user.email=a@b.test", "commit", "-q", "-m", "a provider"},
	} {
		if _, err := output(dir, command[0], command[1:]...); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// edit replaces a text that is in a file once.
func edit(t *testing.T, name, old, now string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil || bytes.Count(text, []byte(old)) != 1 {
		t.Fatalf("%s: not once: %s: %v", name, old, err)
	}
	if err := write(name, bytes.Replace(text, []byte(old), []byte(now), 1)); err != nil {
		t.Fatal(err)
	}
}

// In the repository of a provider, the gate raises no alarm where nothing changed, and
// finds that Diff does a tenth more, which is one request of ten done twice.
func TestOutside(t *testing.T) {
	if _, err := choose("counts"); err != nil {
		t.Skip("only counts do not depend on the load: ", err)
	}
	dir := outside(t)
	gate := func() (string, error) {
		var out, log bytes.Buffer
		err := run([]string{"compare", "-base", "HEAD", "-head", dir, "-program", "provider/bench/kernels"}, &out, &log)
		t.Log(out.String())
		return out.String(), err
	}

	if said, err := gate(); err != nil || !strings.HasPrefix(said, "ok: 0 of 2 kernels slower") {
		t.Errorf("nothing changed, but: %v\n%s", err, said)
	}

	const begin = "(_ context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {\n"
	edit(t, dir+"/provider/demo/record.go", begin, begin+`	if r.ID == "one#3" {
		again := *r
		again.ID = ""
		if _, err := p.Diff(context.Background(), &again); err != nil {
			return nil, err
		}
	}
`)
	said, err := gate()
	if !errors.Is(err, errSlower) || !strings.HasPrefix(said, "SLOWER: 1 of 2 kernels") || !strings.Contains(said, " diff  ") {
		t.Errorf("a tenth more: %v\n%s", err, said)
	}
}

// A base that has no kernels, and does not build with the head's, is named as such.
func TestBaseWithoutKernels(t *testing.T) {
	dir := t.TempDir()
	base, head := filepath.Join(dir, "base"), filepath.Join(dir, "head")
	for name, text := range map[string]string{
		"base/go.mod": "module example.test/a\n", "head/go.mod": "module example.test/a\n",
		"head/lib/lib.go":            "package lib\n",
		"head/bench/kernels/main.go": "package main\n\nimport _ \"example.test/a/lib\"\n\nfunc main() {}\n",
	} {
		if err := write(filepath.Join(dir, name), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	err := run([]string{"compare", "-base", base, "-head", head}, &bytes.Buffer{}, &bytes.Buffer{})
	if err == nil || !strings.Contains(err.Error(), "base: it has no bench/kernels, and does not build with the head's: ") {
		t.Error(err)
	}
}

// A module that is replaced by a folder beside the repository is found from the copy of the
// base too.
func TestRelativeReplacement(t *testing.T) {
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"lib/go.mod": "module example.test/lib\n", "lib/lib.go": "package lib\n",
		"repo/go.mod": "module example.test/a\n\ngo 1.25\n\nrequire (\n\texample.test/lib v0.0.0\n\texample.test/own v0.0.0\n)\n\n" +
			"replace (\n\texample.test/lib v0.0.0 => ../lib\n\texample.test/own => ./own\n)\n",
		"repo/own/go.mod": "module example.test/own\n", "repo/own/own.go": "package own\n",
		"repo/bench/kernels/main.go": "package main\n\nimport (\n\t_ \"example.test/lib\"\n\t_ \"example.test/own\"\n)\n\nfunc main() {}\n",
	} {
		if err := write(filepath.Join(dir, name), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	repo := filepath.Join(dir, "repo")
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@b.test", "commit", "-q", "-m", "a"}} {
		if _, err := output(repo, "git", args...); err != nil {
			t.Fatal(err)
		}
	}
	if err := copyTree(repo, filepath.Join(dir, "before")); err != nil {
		t.Fatal(err)
	}
	kernels := source{"bench/kernels", "bench/kernels"}
	for _, base := range []string{"HEAD", filepath.Join(dir, "before")} {
		if _, err := kernels.buildSides(repo, base, repo, t.TempDir()); err != nil {
			t.Errorf("base %s: %v", base, err)
		}
	}
	for _, name := range []string{"repo", "before"} {
		if text, _ := os.ReadFile(filepath.Join(dir, name, "go.mod")); !strings.Contains(string(text), " => ../lib") {
			t.Errorf("the go.mod of %s is now %s", name, text)
		}
	}
}

// All flags that the guide names are known. (Its program is held by TestGuides of the root.)
func TestGuide(t *testing.T) {
	guide, err := os.ReadFile("../../docs/guides/benchmarks.md")
	if err != nil {
		t.Fatal(err)
	}
	var known bytes.Buffer
	if err := run([]string{"compare", "-h"}, &known, &known); !errors.Is(err, flag.ErrHelp) {
		t.Fatal(err)
	}
	flags := regexp.MustCompile("`-([a-z]+) ").FindAllStringSubmatch(string(guide), -1)
	for _, f := range flags {
		if !strings.Contains(known.String(), "  -"+f[1]+" ") {
			t.Errorf("the guide names -%s, which is not a flag", f[1])
		}
	}
	if len(flags) < 8 {
		t.Errorf("only %d flags seen", len(flags))
	}
}
