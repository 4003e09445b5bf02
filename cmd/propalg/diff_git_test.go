package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// gitRepository is a folder, and what runs git in it.
type gitRepository struct {
	dir string
	run func(args ...string) (out string, code int)
}

// repository makes a repository of git with a stack and a bag that changed, one that
// was added and one that was deleted.
func repository(t *testing.T) gitRepository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	dir := t.TempDir()
	git := func(args ...string) (string, int) {
		c := exec.Command("git", args...)
		c.Dir = dir
		c.Env = append(os.Environ(), "HOME="+dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com",
			"PATH="+filepath.Dir(binary(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, _ := c.CombinedOutput()
		return string(out), c.ProcessState.ExitCode()
	}
	write := func(files map[string]string) {
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	stack := func(port string) string {
		return `{"version":3,"deployment":{"resources":[{"urn":"urn:pulumi:dev::shop::a:b:C::web","type":"a:b:C","custom":true,"id":"i","inputs":{"port":` + port + `,"s":{` + signature + `,"plaintext":"\"xSECRETx` + port + `\""}}}]}}`
	}
	write(map[string]string{"dev.stack.json": stack("80"), "bag.stack.json": `{"a":1,` + "\n" + strings.Repeat("\n", 60) + `"b":2}`, "old.stack.json": stack("1"), ".gitattributes": "*.stack.json diff=propalg\n", "text": "one\n"})
	must := func(args ...string) {
		if out, code := git(args...); code != 0 {
			t.Fatalf("git %q: %s", args, out)
		}
	}
	must("init", "-q", "-b", "main")
	must("config", "diff.renames", "false")
	must("add", ".")
	must("commit", "-q", "-m", "first")
	write(map[string]string{"dev.stack.json": stack("443"), "bag.stack.json": `{"a":2,` + "\n" + strings.Repeat("\n", 60) + `"b":2}`, "new.stack.json": stack("2"), "text": "two\n"})
	must("rm", "-q", "old.stack.json")
	must("add", ".")
	return gitRepository{dir, git}
}

// TestGitExternalDiff: git runs the tool for the files with the attribute, and for others
// its own diff.
func TestGitExternalDiff(t *testing.T) {
	git := repository(t)
	git.run("config", "diff.propalg.command", "propalg diff")
	out, code := git.run("diff", "--cached")
	for _, want := range []string{
		"propalg diff bag.stack.json\n~ a: 1 => 2\n", "propalg diff dev.stack.json\n~ a:b:C \"web\"\n", "~ port: 80 => 443\n", "[secret] => [secret]", "-one\n+two\n",
		"propalg diff new.stack.json\n+ a:b:C \"web\"\n", "propalg diff old.stack.json\n- a:b:C \"web\"\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in", want)
		}
	}
	if code != 0 || strings.Contains(out, "xSECRETx") || t.Failed() {
		t.Errorf("exit %d:\n%s", code, out)
	}
	git.run("config", "diff.propalg.command", "propalg diff -o markdown --label new=now")
	if out, code := git.run("diff", "--cached", "dev.stack.json"); code != 0 || !strings.HasPrefix(out, "### `a/dev.stack.json` → `now`\n") {
		t.Errorf("exit %d:\n%s", code, out)
	}
	git.run("config", "diff.propalg.command", "propalg diff --all --only inputs") // for bags too
	if out, code := git.run("diff", "--cached"); code != 0 || !strings.Contains(out, "propalg diff bag.stack.json\n~ a: 1 => 2\n") {
		t.Errorf("flags for stacks: exit %d:\n%s", code, out)
	}
	git.run("mv", "bag.stack.json", "other.stack.json")
	git.run("config", "diff.propalg.command", "propalg diff -o markdown")
	if out, code := git.run("diff", "--cached", "-M", "HEAD", "--", "bag.stack.json", "other.stack.json"); code != 0 || !strings.Contains(out, "### `a/bag.stack.json` → `b/other.stack.json`\n") {
		t.Errorf("renamed: exit %d:\n%s", code, out)
	}
}

// TestGitBroken: git goes on after a file that cannot be read, which is named, and after a
// resource that cannot; not if that would leave a result half written.
func TestGitBroken(t *testing.T) {
	git := repository(t)
	git.run("config", "diff.propalg.command", "propalg diff")
	for name, text := range map[string]string{
		"bag.stack.json": `{"a":` + "\n!",
		"dev.stack.json": `{"version":3,"deployment":{"resources":[{"urn":"urn:pulumi:dev::shop::a:b:C::odd","type":"a:b:C","inputs":7},{"urn":"urn:pulumi:dev::shop::a:b:C::web","type":"a:b:C","custom":true,"id":"i"}]}}`,
	} {
		if err := os.WriteFile(filepath.Join(git.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, code := git.run("diff", "HEAD")
	for _, want := range []string{"propalg diff: bag.stack.json: ", "line 2, column 1", "C::odd: inputs", "- port: 80\n", "propalg diff new.stack.json\n+ a:b:C \"web\"\n", "-one\n+two\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in", want)
		}
	}
	if code != 0 || strings.Contains(out, "xSECRETx") || strings.Contains(out, "died") || t.Failed() {
		t.Errorf("exit %d:\n%s", code, out)
	}
	git.run("config", "diff.propalg.command", "propalg diff --out result")
	if out, code := git.run("diff", "HEAD"); code == 0 || !strings.Contains(out, "died") {
		t.Errorf("exit %d:\n%s", code, out)
	}
	if _, err := os.Stat(filepath.Join(git.dir, "result")); err == nil {
		t.Error("a result of a file that cannot be read")
	}
}

// TestGitExternalForAll: with diff.external git runs the tool for every file.
func TestGitExternalForAll(t *testing.T) {
	git := repository(t)
	out, code := git.run("-c", "diff.external=propalg diff", "diff", "--cached", "dev.stack.json")
	if code != 0 || !strings.HasPrefix(out, "propalg diff dev.stack.json\n~ a:b:C") {
		t.Errorf("exit %d:\n%s", code, out)
	}
	if out, code := git.run("-c", "diff.external=propalg diff", "diff", "--cached", "text"); code != 0 || !strings.Contains(out, "propalg diff: text: ") {
		t.Errorf("a file that is no JSON: exit %d:\n%s", code, out)
	}
}

// TestGitDifftool: the tool as a difftool, whose exit code git does not mind.
func TestGitDifftool(t *testing.T) {
	git := repository(t)
	git.run("config", "difftool.propalg.cmd", `propalg diff "$LOCAL" "$REMOTE"`)
	out, code := git.run("difftool", "--tool", "propalg", "--no-prompt", "--cached", "--", "*.stack.json")
	for _, want := range []string{"~ a: 1 => 2\n", "~ port: 80 => 443\n", "+ a:b:C \"web\"\n", "- a:b:C \"web\"\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in", want)
		}
	}
	if code != 0 || strings.Contains(out, "xSECRETx") || t.Failed() {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

// TestGitTextconv: the list of resources as what git compares.
func TestGitTextconv(t *testing.T) {
	git := repository(t)
	git.run("config", "diff.propalg.textconv", "propalg state ls")
	out, code := git.run("diff", "--cached", "--", "new.stack.json", "old.stack.json")
	if code != 0 || (!strings.Contains(out, "\n+a:b:C") && !strings.Contains(out, "\n+")) || strings.Contains(out, "xSECRETx") || strings.Contains(out, `"deployment"`) {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

// TestGitArguments: other numbers of arguments are usage errors.
func TestGitArguments(t *testing.T) {
	for _, n := range []int{3, 4, 5, 6, 8, 10} {
		args := append([]string{"diff"}, strings.Fields(strings.Repeat("x ", n))...)
		if got := propalg(t, ".", "", args...); got.code != 2 || !strings.Contains(got.stderr, "expected [OLD] NEW, got ") {
			t.Errorf("%d arguments: %+v", n, got)
		}
	}
}
