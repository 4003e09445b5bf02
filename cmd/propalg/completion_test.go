package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// completeIn returns what a shell offers after some words, of which the last may be
// the beginning of one; no result if the shell is not there.
func completeIn(t *testing.T, shell string, words ...string) (offered []string, ok bool) {
	t.Helper()
	if _, err := exec.LookPath(shell); err != nil {
		return nil, false
	}
	script := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(script, []byte(propalg(t, ".", "", "completion", shell).stdout), 0o600); err != nil {
		t.Fatal(err)
	}
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = "'" + w + "'"
	}
	list := strings.Join(quoted, " ")
	program := map[string]string{
		"bash": `. "$0"; COMP_WORDS=(` + list + `); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _propalg; printf '%s\n' "${COMPREPLY[@]}"; complete -p propalg >/dev/null`,
		"zsh":  `compdef() { :; }; compadd() { shift; print -l -- "${(@M)@:#${words[CURRENT]}*}"; }; _files() { print FILES; }; source "$0"; words=(` + list + `); CURRENT=$#words; _propalg`,
		"fish": `source $argv[1]; complete -C '` + strings.Join(words, " ") + `'`,
	}[shell]
	args := []string{"-c", program, script}
	if shell != "fish" {
		args = append([]string{map[string]string{"bash": "--norc", "zsh": "-f"}[shell]}, args...)
	}
	c := exec.Command(shell, args...)
	c.Dir = t.TempDir()
	c.Env = append(os.Environ(), "HOME="+c.Dir)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v: %s", shell, err, out)
	}
	for line := range strings.Lines(string(out)) {
		word, _, _ := strings.Cut(strings.TrimSpace(line), "\t") // what fish says about it
		if word != "" {
			offered = append(offered, word)
		}
	}
	return offered, true
}

// TestCompletion asks the shells for commands, second words, flags and values.
func TestCompletion(t *testing.T) {
	tried := 0
	for _, shell := range []string{"bash", "zsh", "fish"} {
		for _, row := range []struct {
			words []string
			want  []string // all of them
			not   string
		}{
			{[]string{"propalg", ""}, []string{"apply", "completion", "diff", "ignore", "lint", "merge", "path", "state", "urn", "version"}, "ls"},
			{[]string{"propalg", "d"}, []string{"diff"}, "apply"},
			{[]string{"propalg", "state", ""}, []string{"ls", "show", "stats"}, "diff"},
			{[]string{"propalg", "state", "st"}, []string{"stats"}, "show"},
			{[]string{"propalg", "diff", "--sho"}, []string{"--show-secrets"}, "--hide"},
			{[]string{"propalg", "diff", "-o", "m"}, []string{"markdown"}, "text"},
			{[]string{"propalg", "diff", "--color", ""}, []string{"always", "auto", "never"}, "text"},
			{[]string{"propalg", "diff", "--all", "--color", "n"}, []string{"never"}, "auto"},
			{[]string{"propalg", "state", "show", "--on"}, []string{"--only"}, "--holds"},
			{[]string{"propalg", "state", "show", "--only", "i"}, []string{"inputs"}, "outputs"},
			{[]string{"propalg", "completion", ""}, []string{"bash", "fish", "zsh"}, "diff"},
		} {
			got, ok := completeIn(t, shell, row.words...)
			if !ok {
				continue
			}
			tried++
			for _, want := range row.want {
				if !slices.Contains(got, want) {
					t.Errorf("%s: after %q: %q is not offered, but %q", shell, row.words, want, got)
				}
			}
			if slices.Contains(got, row.not) {
				t.Errorf("%s: after %q: %q is offered", shell, row.words, row.not)
			}
		}
	}
	if tried == 0 {
		t.Skip("no shell here")
	}
	t.Logf("asked %d times", tried)
}

// TestCompletionHasAll: every flag of every command is in every script.
func TestCompletionHasAll(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		got := propalg(t, ".", "", "completion", shell)
		if got.code != 0 || got.stderr != "" {
			t.Fatalf("%s: %+v", shell, got)
		}
		for _, c := range allCommands(t) {
			for _, f := range c.flags {
				dash := "--"
				switch {
				case shell == "fish" && len(f) == 1:
					dash = "-s "
				case shell == "fish":
					dash = "-l "
				case len(f) == 1:
					dash = "-"
				}
				if !regexp.MustCompile(`[ "]` + dash + f + `[ "\n)]`).MatchString(got.stdout) {
					t.Errorf("%s: no %s%s of %s", shell, dash, f, c.name)
				}
			}
		}
	}
}

// TestDidYouMean: misspelt commands, flags and forms are answered with what they may
// mean, and what other tools call -o is understood.
func TestDidYouMean(t *testing.T) {
	for _, row := range []struct{ args, want string }{
		{"dif a b", `no command "dif" (did you mean diff?); try`},
		{"DIFF a b", `(did you mean diff?)`},
		{"state list f", `no command "state list" (did you mean state ls?); state has ls, `},
		{"state stat f", `no command "state stat" (did you mean state stats?)`},
		{"state mov f", `(did you mean state move?)`},
		{"state mvoe f", `(did you mean state move?)`},
		{"state rename f", `no command "state rename" (did you mean state mv?)`},
		{"state delete f", `no command "state delete" (did you mean state rm?)`},
		{"state", "state needs a second word: ls, "},
		{"diff --show-secret a b", "no flag --show-secret (did you mean --show-secrets?)"},
		{"diff --ignor x a b", "(did you mean --ignore?)"},
		{"diff --json a b", "no flag --json (did you mean -o json?)"},
		{"diff --no-color a b", "(did you mean --color never?)"},
		{"diff -o htm a b", "(did you mean html?)"},
		{"diff --output markdwn a b", "(did you mean markdown?)"},
		{"diff --width abc a b", `invalid value "abc" of --width: expected a number`},
		{"diff --frobnicate a b", "no flag --frobnicate; try"},
	} {
		got := propalg(t, ".", "", strings.Fields(row.args)...)
		if got.code != 2 || !strings.Contains(got.stderr, row.want) || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: exit %d, %q, want %q in it", row.args, got.code, got.stderr, row.want)
		}
	}
	for _, args := range []string{"version -ojson", "version --output json", "version --output=json", "version -o=json", "version -o json"} {
		if got := propalg(t, ".", "", strings.Fields(args)...); got.code != 0 || !strings.HasPrefix(got.stdout, "{") {
			t.Errorf("%s: %+v", args, got)
		}
	}
	if got := propalg(t, ".", "", "-v"); got.code != 0 || !strings.HasPrefix(got.stdout, "propalg ") {
		t.Errorf("-v: %+v", got)
	}
}
