package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/propalg/propalg/internal/rulebook"
	"github.com/propalg/propalg/provider/check"
)

// tested runs the command on a provider of hostile_test.go.
func tested(t *testing.T, mode string, args ...string) (code int, out, messages string) {
	t.Helper()
	return testedUntil(t.Context(), t, mode, args...)
}

func testedUntil(ctx context.Context, t *testing.T, mode string, args ...string) (code int, out, messages string) {
	t.Helper()
	t.Setenv(modeEnv, mode)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var to, said bytes.Buffer
	code = run(ctx, append([]string{self, "--env", modeEnv, "--env", storeEnv}, args...), &to, &said)
	return code, to.String(), said.String()
}

// document returns the report of a run that reaches its end.
func document(t *testing.T, mode string, args ...string) reportJSON {
	t.Helper()
	code, out, messages := tested(t, mode, append(args, "-o", "json")...)
	var doc reportJSON
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatalf("%d: %v: %s%s", code, err, out, messages)
	}
	for _, s := range doc.Subjects {
		for _, f := range s.Findings {
			if !slices.ContainsFunc(slices.Collect(rulebook.Codes()), func(r check.Rule) bool { return r.Code == f.Code }) {
				t.Errorf("nothing explains the code %q", f.Code)
			}
		}
	}
	if (code == exitFindings) != (len(found(doc)) > 0) || messages != "" {
		t.Errorf("exit code %d for %q, and messages %q", code, found(doc), messages)
	}
	return doc
}

// found lists the findings: call, code and place.
func found(doc reportJSON) (all []string) {
	for _, s := range doc.Subjects {
		for _, f := range s.Findings {
			all = append(all, strings.TrimSpace(f.Call+" "+f.Code+" "+f.At))
		}
	}
	return all
}

// TestRight: a provider without mistakes has no findings, and it is said what was tested.
func TestRight(t *testing.T) {
	doc := document(t, "right", "--functions", "*")
	if got := found(doc); got != nil {
		t.Errorf("findings: %q", got)
	}
	if doc.Provider.Name != "x" || doc.Provider.Version != "1.2.3" || doc.Summary.Resources != 1 || doc.Summary.Functions != 1 {
		t.Errorf("%+v %+v", doc.Provider, doc.Summary)
	}
	reached := strings.Join(doc.Subjects[0].Reached, "\n")
	for _, want := range []string{"Check ", "Diff ", "Create ", "Update ", "previews ", "diffs with unknowns ", "replacements ", "secrets in inputs "} {
		if !strings.Contains(reached, want) {
			t.Errorf("%q is not reached: %s", want, reached)
		}
	}
	for _, not := range []string{"Read ", "Delete "} {
		if strings.Contains(reached, not) {
			t.Errorf("%q without --live: %s", not, reached)
		}
	}
	if missed := strings.Join(doc.Subjects[0].Missed, "\n"); !strings.Contains(missed, "without --live") {
		t.Errorf("missed: %s", missed)
	}
}

// TestAllFindings: two mistakes are two findings, with calls and a program that show them.
func TestAllFindings(t *testing.T) {
	doc := document(t, "two-mistakes")
	if got, want := found(doc), []string{"Diff unreported password", "Diff unreported size"}; !slices.Equal(got, want) {
		t.Fatalf("%q, not %q", got, want)
	}
	f := doc.Subjects[0].Findings[1]
	last := f.Calls[len(f.Calls)-1]
	var request struct{ OldInputs, News map[string]any }
	if err := json.Unmarshal(last.Request, &request); err != nil || last.Method != "Diff" || request.OldInputs["size"] == request.News["size"] {
		t.Errorf("%v: the last call does not show it: %s", err, last.Request)
	}
	if !strings.Contains(f.Program, "type: x:index:Thing\n") || !strings.Contains(f.Program, "# then: ") || !slices.Contains(f.Commands, "pulumi preview --diff") {
		t.Errorf("program %s, commands %q", f.Program, f.Commands)
	}

	_, text, _ := tested(t, "two-mistakes")
	for _, want := range []string{"x:index:Thing\n", "  warning Diff: size: unreported\n", " shows it: Diff {", "Findings: 0 errors, 2 warnings, 0 notes\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// TestHostile: whatever a provider does, there is a clear finding, in bounded time.
func TestHostile(t *testing.T) {
	for _, row := range []struct {
		mode, want, advice string
		args               []string
	}{
		{"panics", "Check crash", "Check ends the provider; it wrote: panic: nil map, token", nil},
		{"hangs", "Check hang", "Check does not return within 500ms (--timeout)", []string{"--timeout", "500ms"}},
		{"large", "Create too-large", "the response of Create has more than 16 MiB", nil},
		{"liar", "Update schema-mismatch path", "", nil},
		{"half", "Configure handshake-differs", "", nil},
		{"not-json", "GetSchema schema-wrong", "", nil},
	} {
		start := time.Now()
		doc := document(t, row.mode, append(row.args, "--tries", "30", "--functions", "*")...)
		if time.Since(start) > 30*time.Second {
			t.Errorf("%s takes %v", row.mode, time.Since(start))
		}
		got := found(doc)
		if row.mode == "liar" && !slices.Contains(got, "Invoke schema-mismatch twice") {
			t.Errorf("%q: nothing about Invoke", got)
		}
		if !slices.Contains(got, row.want) {
			t.Errorf("%s: no %q among %q", row.mode, row.want, got)
			continue
		}
		for _, s := range doc.Subjects {
			for _, f := range s.Findings {
				if f.Call+" "+f.Code == row.want && !strings.Contains(f.Advice, row.advice) {
					t.Errorf("%s: %q, not %q", row.mode, f.Advice, row.advice)
				}
			}
		}
	}
}

// TestReachesNothing: what a provider refuses is said, and is no finding.
func TestReachesNothing(t *testing.T) {
	for mode, want := range map[string]string{
		"refuses":      ": grpc: Check: Unknown: not licensed",
		"refuses-most": ": name: zone not found",
		"floods":       "without --live",
		"no-schema":    "",
	} {
		doc := document(t, mode, "--tries", "30")
		if got := found(doc); got != nil {
			t.Errorf("%s: %q", mode, got)
		}
		if len(doc.Subjects) != map[bool]int{true: 1, false: 0}[want != ""] {
			t.Errorf("%s: %d subjects", mode, len(doc.Subjects))
		}
		for _, s := range doc.Subjects {
			if missed := strings.Join(s.Missed, "\n"); !strings.Contains(missed, want) {
				t.Errorf("%s: missed %q, not %q", mode, missed, want)
			}
		}
	}
}

// TestDoesNotStart: a provider that does not start is bad usage, and one line says why.
func TestDoesNotStart(t *testing.T) {
	code, out, messages := tested(t, "ends")
	if code != exitBad || out != "" || !strings.Contains(messages, "the provider does not start: ") || !strings.Contains(messages, "it wrote: no licence") || strings.Count(messages, "\n") != 1 {
		t.Errorf("%d %q %q", code, out, messages)
	}
	for _, row := range []struct{ want, args string }{
		{"no such file", "/nowhere/at/all"},
		{"expected PROGRAM or --attach, found 0 arguments", ""},
		{"found 2 arguments", "a b"},
		{"flag provided but not defined", "--nothing"},
		{"a folder needs a file PulumiPlugin.yaml", t.TempDir()},
		{"expected fold, json, number", "--same name=up x"},
		{"no variable NO_SUCH_VARIABLE", "--config token=$NO_SUCH_VARIABLE x"},
	} {
		var to, said bytes.Buffer
		code := run(t.Context(), strings.Fields(row.args), &to, &said)
		if code != exitBad || to.Len() > 0 || !strings.Contains(said.String(), row.want) || strings.Count(said.String(), "\n") != 1 {
			t.Errorf("%s: %d %q %q", row.args, code, to.String(), said.String())
		}
	}
}

// TestManyResources: each of a thousand resources gets some of the time.
func TestManyResources(t *testing.T) {
	doc := document(t, "many", "--time", "3s")
	if doc.Summary.Resources != 1000 || len(doc.Subjects) != 1000 {
		t.Fatalf("%+v", doc.Summary)
	}
	for _, s := range doc.Subjects {
		if len(s.Reached) == 0 {
			t.Fatalf("%s: nothing was called: %q", s.Type, s.Missed)
		}
	}
	doc = document(t, "many", "--time", "1ms")
	if last := doc.Subjects[999]; len(last.Reached) > 0 || !strings.Contains(strings.Join(last.Missed, "\n"), "its time was over") {
		t.Errorf("after ten times the time: %+v", last)
	}
	doc = document(t, "many", "--resource", "x:index:Thing1*9", "--tries", "3")
	if doc.Summary.Resources != 11 {
		t.Errorf("%d resources", doc.Summary.Resources)
	}
}

// TestSecrets: no secret of the configuration is in any output, whatever the provider does.
func TestSecrets(t *testing.T) {
	const secret = `hunter"22 ü`
	t.Setenv("SOME_TOKEN", secret)
	log := filepath.Join(t.TempDir(), "log.json")
	for _, mode := range []string{"tells", "panics", "tells-at-once"} {
		for _, form := range []string{"text", "json"} {
			_, out, messages := tested(t, mode, "--config", "token=$SOME_TOKEN", "--log", log, "-o", form, "--tries", "30")
			text, err := os.ReadFile(log)
			if err != nil {
				t.Fatal(err)
			}
			all := out + messages + string(text)
			if strings.Contains(all, "hunter") || strings.Contains(all, "22 ü") || !strings.Contains(all, masked) {
				t.Errorf("%s, %s: the secret is shown, or nothing is masked:\n%.2000s", mode, form, all)
			}
			for c, err := range check.Log(bytes.NewReader(text), check.LogOptions{}) {
				if err != nil {
					t.Fatalf("%v %v", c, err)
				}
			}
		}
	}
}

// TestSecretsOfInputs: what the schema calls secret in --inputs and --fix is in no output either.
func TestSecretsOfInputs(t *testing.T) {
	inputs := filepath.Join(t.TempDir(), "inputs.json")
	if err := os.WriteFile(inputs, []byte(`{"x:index:Thing": [{"name": "first", "password": "hunter-one"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--inputs", inputs}, {"--fix", "password=hunter-two"}} {
		for _, form := range []string{"text", "json", "github", "junit"} {
			folder := t.TempDir()
			_, out, messages := tested(t, "quotes", append(args, "-o", form, "--tries", "30", "--repro", folder, "--log", filepath.Join(folder, "log"))...)
			all := out + messages
			err := filepath.WalkDir(folder, func(name string, f fs.DirEntry, err error) error {
				if err != nil || f.IsDir() {
					return err
				}
				text, err := os.ReadFile(name)
				all += string(text)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(all, "hunter") || !strings.Contains(all, masked) {
				t.Errorf("%s, %s: the secret is shown, or nothing is masked:\n%.2000s", args, form, all)
			}
		}
	}
}

// TestEnvironment: without --live the provider gets no variable but those that are named.
func TestEnvironment(t *testing.T) {
	t.Setenv("AWS_SECRET_ACCESS_KEY", "x")
	t.Setenv("NAMED", "y")
	p := &plugin{home: "/tmp/home", env: []string{"NAMED", "MISSING"}}
	want := []string{"PATH=" + os.Getenv("PATH"), "HOME=/tmp/home", "TMPDIR=/tmp/home", "NAMED=y"}
	if got := p.environment(false); !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
}
