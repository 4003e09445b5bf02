package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestActionFile: each input that a step uses is declared and documented, each output is
// of a step that there is, and the script has each variable that it is given.
func TestActionFile(t *testing.T) {
	data, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	inputs := section(text, "inputs")
	for _, used := range regexp.MustCompile(`\$\{\{ inputs\.([a-z]+) \}\}`).FindAllStringSubmatch(text, -1) {
		if !slices.Contains(inputs, used[1]) {
			t.Errorf("the input %s is not declared", used[1])
		}
		inputs = slices.DeleteFunc(inputs, func(s string) bool { return s == used[1] })
	}
	if len(inputs) > 0 {
		t.Errorf("the inputs %q are not used", inputs)
	}
	script, err := os.ReadFile("../../.github/action/comment")
	if err != nil {
		t.Fatal(err)
	}
	for _, out := range section(text, "outputs") {
		if !strings.Contains(text, "${{ steps.diff.outputs."+out+" }}") || !regexp.MustCompile(`[' n]`+out+`=%s`).Match(script) {
			t.Errorf("no step has the output %s", out)
		}
	}
	for _, v := range regexp.MustCompile(`(?m)^        (PROPALG_[A-Z]+): `).FindAllStringSubmatch(text, -1) {
		if !strings.Contains(string(script), v[1]) {
			t.Errorf("the script does not use %s", v[1])
		}
	}
	for _, want := range []string{"\n  using: composite\n", "\n      shell: bash\n", "\n    - id: diff\n", `bash "$GITHUB_ACTION_PATH/.github/action/comment"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Contains(text, "\t") || regexp.MustCompile(`run: .*\$\{\{`).MatchString(text) {
		t.Error("a tab, or an input that would be part of a script")
	}
	if _, err := exec.LookPath("shellcheck"); err == nil {
		if out, err := exec.Command("shellcheck", "../../.github/action/comment").CombinedOutput(); err != nil {
			t.Errorf("shellcheck: %v\n%s", err, out)
		}
	}
}

// section returns the names below a member of a YAML file.
func section(text, name string) (names []string) {
	_, after, _ := strings.Cut("\n"+text, "\n"+name+":\n")
	for line := range strings.Lines(after) {
		if line[0] != ' ' {
			break
		}
		if found := regexp.MustCompile(`^  ([a-z]+):\n$`).FindStringSubmatch(line); found != nil {
			names = append(names, found[1])
		}
	}
	return names
}

// fakeGH is a gh that keeps comments as files of the folder $COMMENTS, and their authors
// beside it. Its user is github-actions[bot], or $LOGIN.
const fakeGH = `#!/usr/bin/env bash
set -euo pipefail
echo "$*" >>"$COMMENTS/../calls"
[ -z "${DENIED:-}" ] || { echo "HTTP 403" >&2; exit 1; }
authors=$COMMENTS/../authors
body() { for a in "$@"; do case $a in body=@*) cat "${a#body=@}" ;; esac; done; }
case "$*" in
"api graphql -f query={viewer{login}} --jq .data.viewer.login") echo "${LOGIN:-github-actions[bot]}" ;;
"api --paginate repos/o/r/issues/7/comments --jq .[] | select(.user.login == \""*"\" and (.body | startswith(\""*"\"))) | .id")
	all=$*; marker=${all#*startswith(\"}; marker=${marker%%\"*}
	login=${all#*.user.login == \"}; login=${login%%\"*}
	for f in "$COMMENTS"/*; do
		if [ -e "$f" ] && [ "$(head -n 1 "$f")" = "$marker" ] && [ "$(cat "$authors/$(basename "$f")")" = "$login" ]; then basename "$f"; fi
	done ;;
"api --silent -X POST repos/o/r/issues/7/comments -F body=@"*)
	new=$(($(ls "$COMMENTS" | wc -l) + 100))
	body "$@" >"$COMMENTS/$new"; echo "${LOGIN:-github-actions[bot]}" >"$authors/$new" ;;
"api --silent -X PATCH repos/o/r/issues/comments/"*) body "$@" >"$COMMENTS/$(basename "$5")" ;;
"attestation verify --help") [ -z "${OLD_GH:-}" ] ;;
"attestation verify "*) [ -z "${FORGED:-}" ] || { echo "no attestations found" >&2; exit 1; } ;;
"release download "*)
	printf '#!/bin/sh\necho "release $*"\n' >propalg; chmod +x propalg
	name=propalg_1_$(uname -s | tr '[:upper:]' '[:lower:]')_$(uname -m | sed 's/x86_64/amd64/;s/aarch64/arm64/').tar.gz
	tar -czf "$name" propalg; rm propalg; sha256sum "$name" >checksums.txt ;;
*) echo "unexpected: $*" >&2; exit 9 ;;
esac
`

// workflow runs the script of the action as a workflow does, with a fake of gh.
type workflow struct {
	t                    *testing.T
	dir, files, comments string
	script               string
}

func newWorkflow(t *testing.T) *workflow {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("no bash")
	}
	w := &workflow{t: t, dir: t.TempDir()}
	w.comments = filepath.Join(w.dir, "comments")
	w.files = writeFiles(t, map[string]string{"old.json": manyStack(200, "a"), "new file.json": manyStack(200, "b"), "bag.json": `{"a":1}`, "failed.json": `{"steps":[],"diagnostics":[{"message":"boom","severity":"error"}],"duration":1}`})
	err := os.Mkdir(w.comments, 0o700)
	if err == nil {
		err = os.Mkdir(filepath.Join(w.dir, "authors"), 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(w.dir, "gh"), []byte(fakeGH), 0o700) //nolint:gosec // it is run
	}
	if err == nil {
		w.script, err = filepath.Abs("../../.github/action/comment")
	}
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *workflow) run(env ...string) (out string, code int) {
	w.t.Helper()
	c := exec.Command("bash", w.script)
	c.Dir = w.files
	c.Env = append(os.Environ(), append([]string{
		"PATH=" + w.dir + string(os.PathListSeparator) + filepath.Dir(binary(w.t)) + string(os.PathListSeparator) + os.Getenv("PATH"),
		"COMMENTS=" + w.comments, "RUNNER_TEMP=" + w.t.TempDir(), "GITHUB_REPOSITORY=o/r", "GITHUB_OUTPUT=" + filepath.Join(w.dir, "output"), "GITHUB_STEP_SUMMARY=" + filepath.Join(w.dir, "summary"),
		"PROPALG_OLD=old.json", "PROPALG_NEW=new file.json", "PROPALG_FLAGS=", "PROPALG_ID=dev", "PROPALG_PULL=7",
	}, env...)...)
	text, _ := c.CombinedOutput()
	return string(text), c.ProcessState.ExitCode()
}

// read returns the text of a file in the folder.
func (w *workflow) read(name string) string {
	text, _ := os.ReadFile(filepath.Join(w.dir, name))
	return string(text)
}

// want checks the number of comments, and the beginning of one.
func (w *workflow) want(what string, n int, comment, begin string) {
	w.t.Helper()
	text := w.read(filepath.Join("comments", comment))
	all, err := os.ReadDir(w.comments)
	if err != nil || len(all) != n || !strings.HasPrefix(text, begin) || len(text) > 65_536 {
		w.t.Fatalf("%s: %d comments, %s has %d bytes: %.200s", what, len(all), comment, len(text), text)
	}
}

// TestActionScript: the script makes one comment for each id, and updates it.
func TestActionScript(t *testing.T) {
	w := newWorkflow(t)
	if out, code := w.run("PROPALG_NEW=old.json"); code != 0 {
		t.Fatalf("equal, without a comment: exit %d: %s", code, out)
	}
	w.want("equal, without a comment", 0, "none", "")
	if out, code := w.run("PROPALG_FLAGS=--replace-on name --label old=main"); code != 0 {
		t.Fatalf("exit %d: %s", code, out)
	}
	w.want("first", 1, "100", "<!-- propalg: dev -->\n### `main` → `new file.json`\n\n**40 deleted · 160 replaced · 40 created**")
	w.run()
	w.want("again", 1, "100", "<!-- propalg: dev -->\n### `old.json` → `new file.json`\n")
	w.run("PROPALG_ID=prod")
	w.want("another id", 2, "101", "<!-- propalg: prod -->\n")
	w.run("PROPALG_NEW=old.json")
	if out, code := w.run("PROPALG_OLD=", "PROPALG_NEW=failed.json", "PROPALG_ID=prod"); code != 3 || !strings.Contains(out, "::error::the update failed") {
		t.Errorf("a failed preview: exit %d: %s", code, out)
	}
	w.want("a failed preview", 2, "101", "<!-- propalg: prod -->\n### `failed.json`\n\n> [!CAUTION]\n> **The preview failed: 1 error.**\n\n```text\nboom\n")
	w.want("equal again", 2, "100", "<!-- propalg: dev -->\n### `old.json`\n\n**No resource changed**")
	if got := w.read("output"); !strings.HasPrefix(got, "changed=false\nmarkdown=") || strings.Count(got, "changed=true\n") != 4 {
		t.Errorf("the outputs are %s", got)
	}
	if got := w.read("summary"); !strings.Contains(got, "### `main` →") {
		t.Errorf("the summary is %.200s", got)
	}
}

// TestActionEach: many stacks are one comment, also if some of them cannot be compared, with
// which the step fails.
func TestActionEach(t *testing.T) {
	w := newWorkflow(t)
	if out, code := w.run("PROPALG_OLD=", "PROPALG_NEW=.", "PROPALG_FLAGS=--each"); code != 2 || !strings.Contains(out, "::error::not all could be compared") {
		t.Errorf("exit %d: %s", code, out)
	}
	w.want("each", 1, "100", "<!-- propalg: dev -->\n### `.`\n\n**1 of 4 stacks changed, 1 failed, 3 not compared** · 0 the same.\n\n| | stack | |\n|---|---|---|\n")
	if got := w.read("output"); !strings.HasPrefix(got, "changed=true\n") {
		t.Errorf("the outputs are %s", got)
	}
}

// TestActionAuthor: a comment that somebody else began with the marker is not the action's.
func TestActionAuthor(t *testing.T) {
	w := newWorkflow(t)
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("comments/100", "<!-- propalg: dev -->\nmine")
	write("authors/100", "mallory\n")
	if out, code := w.run(); code != 0 {
		t.Fatalf("exit %d: %s", code, out)
	}
	w.want("first", 2, "101", "<!-- propalg: dev -->\n### `old.json`")
	w.run("PROPALG_NEW=old.json")
	w.want("again", 2, "101", "<!-- propalg: dev -->\n### `old.json`\n")
	w.want("that of others", 2, "100", "<!-- propalg: dev -->\nmine")
	w.run("LOGIN=propalg-app[bot]") // another token
	w.want("of an app", 3, "102", "<!-- propalg: dev -->\n")
	w.run(`LOGIN=x" or true or "`)
	w.want("an odd login", 3, "101", "<!-- propalg: dev -->\n### `old.json` → `new file.json`")

	jq, err := exec.LookPath("jq")
	if err != nil {
		t.Skip("no jq")
	}
	found := regexp.MustCompile(`--jq (\.\[\] .*)`).FindStringSubmatch(w.read("calls"))
	c := exec.Command(jq, found[1])
	c.Stdin = strings.NewReader(`[{"id":1,"user":{"login":"mallory"},"body":"<!-- propalg: dev -->"},{"id":2,"user":{"login":"github-actions[bot]"},"body":"x <!-- propalg: dev -->"},` +
		`{"id":3,"user":{"login":"github-actions[bot]"},"body":"<!-- propalg: dev -->\nx"}]`)
	if out, err := c.CombinedOutput(); string(out) != "3\n" {
		t.Errorf("jq %s: %s, %v", found[1], out, err)
	}
}

// TestActionInstall: the tool is that of the action's own code, or of a release that is
// attested.
func TestActionInstall(t *testing.T) {
	w := newWorkflow(t)
	tools := t.TempDir() // without propalg
	for _, name := range []string{"bash", "go", "uname", "tr", "dirname", "basename", "mkdir", "mktemp", "cat", "head", "sha256sum", "tar", "gzip", "sed", "chmod", "rm", "ls", "wc"} {
		at, err := exec.LookPath(name)
		if err == nil {
			err = os.Symlink(at, filepath.Join(tools, name))
		}
		if err != nil {
			t.Skip(err)
		}
	}
	path := "PATH=" + w.dir + string(os.PathListSeparator) + tools
	if out, code := w.run(path, "PROPALG_PULL="); code != 0 || w.read("calls") != "" || !strings.Contains(w.read("summary"), "### `old.json`") {
		t.Errorf("its own code: exit %d: %s, gh %s", code, out, w.read("calls"))
	}
	for version, download := range map[string]string{"v0.1.0": "release download v0.1.0 --repo ", "latest": "release download --repo "} {
		out, code := w.run(path, "PROPALG_VERSION="+version)
		if calls := w.read("calls"); code == 2 || !strings.Contains(calls, download) ||
			!regexp.MustCompile(`(?m)^attestation verify \S*/propalg_1_\S+\.tar\.gz --repo propalg/propalg --signer-workflow propalg/propalg/\.github/workflows/release\.yml$`).MatchString(calls) {
			t.Errorf("%s: exit %d: %s, gh %s", version, code, out, calls)
		}
	}
	if out, code := w.run(path, "PROPALG_VERSION=v0.1.0", "FORGED=1"); code == 0 || !strings.Contains(out, "no attestations found") || strings.Contains(out, "release diff") {
		t.Errorf("a release that is not attested: exit %d: %s", code, out)
	}
	if out, _ := w.run(path, "PROPALG_VERSION=v0.1.0", "OLD_GH=1", "FORGED=1"); !strings.Contains(out, "::warning::this gh cannot verify attestations") || !strings.Contains(out, "release diff") {
		t.Errorf("a gh without attestations: %s", out)
	}
}

// TestWorkflowsPinned: the actions of others are named by commit, no checkout keeps
// credentials, and only the job of a release may write.
func TestWorkflowsPinned(t *testing.T) {
	files, err := filepath.Glob("../../.github/workflows/*.yml")
	if err != nil || len(files) < 4 {
		t.Fatal(files, err)
	}
	for _, name := range append(files, "../../action.yml") {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		for i, step := range strings.Split(text, "- ") {
			use := regexp.MustCompile(`(?m)^ *uses: (.*)$`).FindStringSubmatch(step)
			if len(use) == 0 {
				continue
			}
			if !regexp.MustCompile(`^[\w./-]+@[0-9a-f]{40} # v[0-9.]+$`).MatchString(use[1]) && !strings.HasPrefix(use[1], "./") {
				t.Errorf("%s: step %d: %s is not a commit with its version", name, i, use[1])
			}
			if strings.HasPrefix(use[1], "actions/checkout@") && !strings.Contains(step, "\n          persist-credentials: false\n") {
				t.Errorf("%s: step %d keeps credentials", name, i)
			}
		}
		if writes := regexp.MustCompile(`(?m)^  +[a-z-]+: write`).FindAllString(text, -1); len(writes) > 0 && filepath.Base(name) != "release.yml" {
			t.Errorf("%s: may write: %q", name, writes)
		}
		if regexp.MustCompile(`(?m)^  [a-z-]+: write`).MatchString(text) || (filepath.Base(name) != "action.yml" && !strings.Contains(text, "\npermissions:\n  contents: read\n")) {
			t.Errorf("%s: all jobs may write", name)
		}
		if strings.Contains(text, "pull_request_target") {
			t.Errorf("%s: runs the code of others with permissions", name)
		}
	}
	release, err := os.ReadFile("../../.github/workflows/release.yml")
	if err != nil || !strings.Contains(string(release), "uses: actions/attest-build-provenance@") || !strings.Contains(string(release), "id-token: write") {
		t.Errorf("a release is not attested: %v", err)
	}
}

// TestActionTrouble: without a pull request or the permission there is no comment, and
// bad input is an error.
func TestActionTrouble(t *testing.T) {
	w := newWorkflow(t)
	if out, code := w.run("PROPALG_PULL="); code != 0 || !strings.Contains(out, "not a pull request") || w.read("calls") != "" {
		t.Errorf("no pull request: exit %d: %s", code, out)
	}
	if out, code := w.run("DENIED=1"); code != 0 || !strings.Contains(out, "::warning::") {
		t.Errorf("a fork: exit %d: %s", code, out)
	}
	if out, code := w.run("PROPALG_NEW=bag.json"); code != 2 || !strings.Contains(out, "::error::") || !strings.Contains(out, "bag.json: property bag") {
		t.Errorf("bad input: exit %d: %s", code, out)
	}
	if out, code := w.run(`PROPALG_ID=x" | error`); code != 2 || !strings.Contains(out, "::error::") {
		t.Errorf("a bad id: exit %d: %s", code, out)
	}
}
