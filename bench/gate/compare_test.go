package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// commit makes a folder a repository.
func commit(t *testing.T, dir string) {
	t.Helper()
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull) // no signing, no hooks
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@b.test", "commit", "-q", "-m", "a"}} {
		if _, err := output(dir, "git", args...); err != nil {
			t.Fatal(err)
		}
	}
}

// put writes files, by their names in a folder.
func put(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

// In the repository of a provider, which is a copy of examples, the gate raises no alarm
// where nothing changed, and finds that Diff does a tenth more, which is one request of ten
// done twice.
func TestOutside(t *testing.T) {
	if _, err := exec.LookPath("valgrind"); err != nil {
		t.Skip(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(root+"/examples")); err != nil {
		t.Fatal(err)
	}
	const module = "github.com/propalg/propalg"
	if _, err := output(dir, "go", "mod", "edit", "-replace="+module+"="+root, "-replace="+module+"/interop/grpc="+root+"/interop/grpc"); err != nil {
		t.Fatal(err)
	}
	commit(t, dir)
	t.Chdir(dir)
	gate := func() (string, error) {
		var out, log bytes.Buffer
		err := run([]string{"compare", "-program", "provider/bench/kernels"}, &out, &log)
		t.Log(out.String())
		return out.String(), err
	}

	if said, err := gate(); err != nil || !strings.HasPrefix(said, "ok: 0 of 2 kernels slower") {
		t.Errorf("nothing changed, but: %v\n%s", err, said)
	}

	put(t, dir, map[string]string{"provider/demo/slow.go": `package demo

import (
	"context"

	"github.com/propalg/propalg/codec/rpc"
)

func (p *Provider) Diff(ctx context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	if r.ID == "one#3" {
		again := *r
		if _, err := p.Provider.Diff(ctx, &again); err != nil {
			return nil, err
		}
	}
	return p.Provider.Diff(ctx, r)
}
`})
	said, err := gate()
	if !errors.Is(err, errSlower) || !strings.HasPrefix(said, "SLOWER: 1 of 2 kernels") || !strings.Contains(said, "diff  ") {
		t.Errorf("a tenth more: %v\n%s", err, said)
	}
}

// The base has its own code and the head's kernels, or its own kernels where it does not
// build with those. A module that is replaced by a folder beside the repository is found.
func TestBuildSides(t *testing.T) {
	const kernels = "package main\n\nimport (\n\t\"example.test/a/lib\"\n\t_ \"example.test/beside\"\n)\n\nfunc main() { println(lib.Name, "
	outer := t.TempDir()
	put(t, outer, map[string]string{
		"beside/go.mod": "module example.test/beside\n", "beside/beside.go": "package beside\n",
		"repo/go.mod": "module example.test/a\n\ngo 1.25\n\nrequire example.test/beside v0.0.0\n\n" +
			"replace example.test/beside v0.0.0 => ../beside\n",
		"repo/lib/lib.go": "package lib\n\nconst Name = \"old\"\n", "repo/lib/gone.go": "package lib\n\nconst Gone = 1\n",
		"repo/bench/kernels/main.go": kernels + "\"old kernels\") }\n",
	})
	dir := filepath.Join(outer, "repo")
	commit(t, dir)
	from := source{dir, "bench/kernels", "bench/kernels"}

	for _, c := range []struct{ file, text, base, head, fails string }{
		{"lib/new.go", "package lib\n\nconst New = 2\n", "old old kernels", "old old kernels", ""},
		{"lib/lib.go", "package lib\n\nconst Name = \"new\"\n", "old old kernels", "new old kernels", ""},
		{"lib/gone.go", "package lib\n", "old old kernels", "new old kernels", ""},
		{"bench/kernels/main.go", kernels + "\"new kernels\") }\n", "old new kernels", "new new kernels", ""},
		{"bench/kernels/more.go", "package main\n\nimport \"example.test/a/lib\"\n\nvar _ = lib.New\n", "old old kernels", "new new kernels", ""},
		{"lib/lib.go", "package lib\n", "", "", "head: "},
	} {
		put(t, dir, map[string]string{c.file: c.text})
		built, err := from.buildSides("HEAD", t.TempDir())
		if c.fails != "" {
			if err == nil || !strings.HasPrefix(err.Error(), c.fails) {
				t.Errorf("%s: %v", c.file, err)
			}
			continue
		}
		if err != nil || built.ownKernels != strings.Contains(c.file, "more") {
			t.Fatal(c.file, err, built)
		}
		for program, want := range map[string]string{built.base: c.base, built.head: c.head} {
			if said, err := outputWith(nil, ".", "sh", "-c", program+" 2>&1"); err != nil || strings.TrimSpace(string(said)) != want {
				t.Errorf("%s: %v: %s, not %s", c.file, err, said, want)
			}
		}
	}

	put(t, dir, map[string]string{"lib/lib.go": "package lib\n\nconst Name = 1\n", "other/main.go": "package main\n\nimport \"example.test/a/lib\"\n\nvar _ = lib.New\n\nfunc main() {}\n"})
	_, err := source{dir, "other", "other"}.buildSides("HEAD", t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "base: it does not build with the head's other: ") || !strings.Contains(err.Error(), "nor with its own: ") {
		t.Errorf("a base without kernels: %v", err)
	}
}
