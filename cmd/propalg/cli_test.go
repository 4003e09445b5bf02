package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// signature begins a secret in wire form.
const signature = `"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270"`

// helped is what the tool itself says of a command.
type helped struct {
	name    string
	flags   []string // names, without dashes
	forms   []string // of -o; nil: the command has no such flag
	colour  bool
	example string
}

// allCommands are those of the overview, so that a command that is added is in
// the tests of all commands.
func allCommands(t *testing.T) []helped {
	t.Helper()
	var all []helped
	for _, line := range strings.Split(propalg(t, ".", "", "help").stdout, "\n") {
		found := regexp.MustCompile(`^  ([a-z]+(?: [a-z]+)?)(?: [A-Z\[].*|  .*)`).FindStringSubmatch(line)
		if found == nil {
			continue
		}
		c := helped{name: found[1]}
		text := propalg(t, ".", "", append(strings.Fields(c.name), "--help")...).stdout
		for _, f := range regexp.MustCompile(`(?m)^  --?([a-z-]+)`).FindAllStringSubmatch(text, -1) {
			c.flags = append(c.flags, f[1])
		}
		if o := regexp.MustCompile("(?s)\n  -o form\n.*?: ([a-z ]*)").FindStringSubmatch(text); o != nil {
			c.forms = strings.Split(strings.TrimSpace(o[1]), " or ")
		}
		c.colour = strings.Contains(text, "\n  --color when\n")
		_, after, _ := strings.Cut(text, "\nExample:\n  ")
		c.example = strings.TrimSuffix(after, "\n")
		all = append(all, c)
	}
	if len(all) < 15 {
		t.Fatalf("only %d commands in the overview: %v", len(all), all)
	}
	return all
}

// sampleDir is a folder with files of the names that the examples use.
func sampleDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	const stack = `{"version":3,"deployment":{"manifest":{"time":"2024-01-01T00:00:00Z"},"resources":[{"urn":"urn:pulumi:dev::shop::aws:s3/bucketV2:BucketV2::assets","type":"aws:s3/bucketV2:BucketV2","custom":true}]}}`
	log := `{"method":"/pulumirpc.ResourceProvider/Diff","request":{},"response":{},"progress":"response_completed"}` + "\n"
	for name, text := range map[string]string{
		"before.json": `{"tags":{"a":"1"},"rules":[{"port":1}]}`, "after.json": `{"tags":{"a":"2"},"rules":[{"port":2}]}`,
		"base.json": `{"a":1,"b":[1]}`, "mine.json": `{"a":2,"b":[1]}`, "theirs.json": `{"a":1,"b":[1,2]}`,
		"log.txt":      log,
		"stack.json":   stack,
		"pending.json": strings.Replace(stack, `}]`, `}],"pending_operations":[{"type":"creating","resource":{"urn":"urn:pulumi:dev::shop::a:b:C::logs","type":"a:b:C","custom":true}}]`, 1),
		"dev.json":     stack, "prod.json": `{"version":3,"deployment":{"resources":[{"urn":"urn:pulumi:prod::shop::pulumi:pulumi:Stack::shop-prod","type":"pulumi:pulumi:Stack"}]}}`,
		"pulumi": "#!/bin/sh\ncase $1 in stack) cat stack.json;; *) cat log.txt > \"$PULUMI_DEBUG_GRPC\";; esac\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil { //nolint:gosec // one of them is run
			t.Fatal(err)
		}
	}
	return dir
}

// TestExamplesRun: every command has an example in its help, it calls that
// command, and it runs unchanged.
func TestExamplesRun(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		t.Skip("the examples are for a shell")
	}
	dir := sampleDir(t)
	for _, c := range allCommands(t) {
		if !strings.Contains(c.example, "propalg "+c.name+" ") && c.example != "propalg "+c.name {
			t.Errorf("%s: the example is %q", c.name, c.example)
			continue
		}
		shell := exec.Command("sh", "-c", "set -e\n"+c.example)
		shell.Dir = dir
		shell.Env = append(os.Environ(), "PATH="+filepath.Dir(binary(t))+string(os.PathListSeparator)+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, err := shell.CombinedOutput()
		if code := shell.ProcessState.ExitCode(); (code != 0 && code != 1) || len(out) == 0 || strings.Contains(string(out), "--help") {
			t.Errorf("%s: %v: %s", c.example, err, out)
		}
	}
}

// use is a way to call a command: FILE arguments name files of the test.
type use struct {
	command string
	args    []string
}

// uses has each command at least once; a test fails for one that has none.
func uses() []use {
	return []use{
		{"diff", []string{"old.json", "new.json"}},
		{"diff", []string{"--arrays", "aligned", "old.json", "new.json"}},
		{"diff", []string{"--detailed", "--replace-on", "s.*", "old.json", "new.json"}},
		{"diff", []string{"--replace-on", "b.*", "--resource", "n", "--op", "replace,update", "stack1.json", "stack2.json"}},
		{"diff", []string{"stack1.json", "stack2.json"}},
		{"apply", []string{"old.json", "patch.json"}},
		{"merge", []string{"old.json", "new.json", "third.json"}},
		{"merge", []string{"--arrays", "set", "new.json", "old.json", "third.json"}},
		{"ignore", []string{"old.json", "new.json", "s.*", "a[*]", "t"}},
		{"lint", []string{"log.json", "log2.json"}},
		{"lint", []string{"--explain", "C::n", "log.json", "log2.json"}},
		{"state ls", []string{"stack1.json"}},
		{"state ls", []string{"--holds", "e", "stack2.json"}},
		{"state ls", []string{"--type", "a:*", "--where", "id=*", "stack1.json", "stack2.json"}},
		{"state show", []string{"stack1.json", "urn:pulumi:dev::shop::a:b:C::n"}},
		{"state show", []string{"stack2.json", "n"}},
		{"state show", []string{"--only", "inputs", "stack2.json", "n"}},
		{"state show", []string{"--only", "outputs", "stack1.json", "n"}},
		{"state check", []string{"stack1.json"}},
		{"state stats", []string{"stack1.json"}},
		{"state stats", []string{"--all", "stack1.json", "stack2.json"}},
		{"state drift", []string{"stack1.json", "stack2.json"}},
		{"plan destroy", []string{"stack1.json"}},
		{"plan replace", []string{"stack2.json", "n"}},
		{"state log", []string{"n", "a", "stack1.json", "stack2.json"}},
		{"state log", []string{"--in", "outputs", "--by-time", "n", "a", "stack2.json", "stack1.json"}},
		{"state mv", []string{"--out", "out.json", "stack1.json", "urn:pulumi:dev::shop::a:b:C::n", "m"}},
		{"state mv", []string{"--out", "out.json", "--stack", "--properties", "stack2.json", "dev", "prod"}},
		{"state move", []string{"--dry-run", "stack1.json", "stack3.json", "n"}},
		{"state rm", []string{"--out", "out.json", "--deeper", "3", "stack2.json", "urn:pulumi:dev::shop::a:b:C::n"}},
		{"state set", []string{"--out", "out.json", "stack1.json", "urn:pulumi:dev::shop::a:b:C::n", "c", `"other"`}},
		{"state set", []string{"--out", "out.json", "--secret", "stack2.json", "urn:pulumi:dev::shop::a:b:C::n", "d"}},
		{"state set", []string{"--out", "out.json", "--taint", "stack1.json", "n"}},
		{"state set", []string{"--out", "out.json", "--secret", "--schema", "schema.json", "--all", "stack1.json"}},
		{"state protect", []string{"--out", "out.json", "stack1.json", "n"}},
		{"state unprotect", []string{"--out", "out.json", "--all", "stack2.json"}},
		{"state repair", []string{"--out", "out.json", "stack1.json"}},
		{"state adopt", []string{"--out", "out.json", "pending.json", "pending", "i"}},
		{"state scrub", []string{"--out", "out.json", "stack2.json"}},
		{"path parse", []string{"a.b", `c["d"]`, "e["}},
		{"path get", []string{"old.json", "s", "*", "t[*]", "u"}},
		{"path match", []string{"a.*", "--", "a.b", "c", "d["}},
		{"urn parse", []string{"urn:pulumi:dev::shop::a:b:C::n", "x"}},
		{"urn check", []string{"urn:pulumi:dev::shop::a:b:C::n", "x"}},
		{"urn build", []string{"--stack", "s", "urn:pulumi:dev::shop::a:b:C::n"}},
		{"version", nil},
		{"completion", []string{"bash"}},
	}
}

// everyUse calls f with every use of every command, in all its forms.
func everyUse(t *testing.T, f func(u use, args []string)) {
	t.Helper()
	all := allCommands(t)
	for _, c := range all {
		found := false
		for _, u := range uses() {
			if u.command != c.name {
				continue
			}
			found = true
			forms := c.forms
			if len(forms) == 0 {
				forms = []string{""}
			}
			for _, form := range forms {
				if ((form == "html" || form == "markdown") && slices.Contains(u.args, "--detailed")) || ((form == "json" || form == "github") && slices.Contains(u.args, "--explain")) {
					continue // that is JSON, that is text
				}
				args := strings.Fields(u.command)
				if form != "" {
					args = append(args, "-o", form)
				}
				if c.colour && form != "json" {
					args = append(args, "--color", "always")
				}
				f(u, append(args, u.args...))
			}
		}
		if !found {
			t.Errorf("%q is in no row of uses()", c.name)
		}
	}
	for _, u := range uses() {
		if !slices.ContainsFunc(all, func(c helped) bool { return c.name == u.command }) {
			t.Errorf("%q is no command", u.command)
		}
	}
}

// canary is what no output may hold.
const canary = "xCANARYx"

// canaryFiles are files whose secrets hold canaries: as values, as keys, in
// arrays, on one side of a change, as plaintext of a state, in a log that an
// engine wrote.
func canaryFiles() map[string]string {
	s := func(contents string) string { return `{` + signature + `,"value":` + contents + `}` }
	plaintext := func(contents string) string { return fmt.Sprintf(`{%s,"plaintext":%q}`, signature, contents) }
	stack := func(v string) string {
		return `{"version":3,"deployment":{"manifest":{"time":"2024-01-01T00:00:00Z"},"secrets_providers":{"type":"passphrase","state":{"salt":"` + canary + `"}},"resources":[` +
			`{"urn":"urn:pulumi:dev::shop::a:b:C::n","type":"a:b:C","id":"i","custom":true,"initErrors":["` + canary + strconv.Itoa(len(v)) + `"],"inputs":` + v + `,"outputs":{"out":` + plaintext(`"`+canary+`"`) + `,"big":12345678901234567891}}]}}`
	}
	call := func(method, request, response, more string) string {
		text := `{"method":"/pulumirpc.ResourceProvider/` + method + `","request":` + request
		if response != "" {
			text += `,"response":` + response
		}
		return text + more + `,"progress":"response_completed"}` + "\n"
	}
	const urn = `"urn":"urn:pulumi:dev::shop::a:b:C::n","type":"a:b:C"`
	in, out := `{"s":`+s(`{"`+canary+`":1,"b":[1]}`)+`,"t":1,"u":1.2345678901234567891}`, `{"s":`+s(`{"`+canary+`":2}`)+`}`
	entries := `"detailedDiff":{"s.` + canary + `":{"kind":"UPDATE","inputDiff":true},"s.` + canary + `[":{},"s[\"` + canary + `\"].b":{"kind":"ADD"},"s.b[0]":{"kind":"DELETE","inputDiff":true}}`
	return map[string]string{
		"old.json":    `{"a":[1,` + s(`"`+canary+`"`) + `,3],"s":` + s(`{"`+canary+`":1,"n":1.2345678901234567891}`) + `,"t":{"k":"plain"},"n":1.2345678901234567891}`,
		"new.json":    `{"a":[0,1,` + s(`"`+canary+`2"`) + `],"s":` + s(`{"`+canary+`":2}`) + `,"t":` + s(`{"k":"`+canary+`"}`) + `,"n":1.2345678901234567892}`,
		"third.json":  `{"a":[1,` + s(`"`+canary+`3"`) + `],"s":` + plaintext(`{"`+canary+`":3}`) + `,"t":{"k":"other"}}`,
		"patch.json":  `{"propalg":"diff/1","diff":{"members":{"s":{"op":"update","old":` + s(`{"`+canary+`":1,"n":1}`) + `,"new":` + s(`"`+canary+`"`) + `}}}}`,
		"stack1.json": stack(`{"a":` + s(`"`+canary+`"`) + `,"b":` + plaintext(`{"`+canary+`":"e"}`) + `,"c":"e"}`),
		"pending.json": strings.Replace(stack(`{}`), `"resources"`, `"pending_operations":[{"type":"creating","resource":{"urn":"urn:pulumi:dev::shop::a:b:C::pending","type":"a:b:C","custom":true,"inputs":{"a":`+
			plaintext(`"`+canary+`"`)+`},"initErrors":["`+canary+`"]}}],"resources"`, 1),
		"stack2.json": stack(`{"b":` + plaintext(`{"`+canary+`":2}`) + `,"c":` + s(`"`+canary+`e"`) + `,"d":"e"}`),
		"stack3.json": `{"version":3,"deployment":{"resources":[{"urn":"urn:pulumi:prod::shop::a:b:C::m","type":"a:b:C"}]}}`,
		"schema.json": `{"name":"a","resources":{"a:b:C":{"properties":{"c":{"type":"string","secret":true}}}}}`,
		"log.json": call("Diff", `{`+urn+`,"olds":`+in+`,"news":`+out+`,"oldInputs":`+in+`}`, `{"changes":"DIFF_SOME","diffs":["s.`+canary+`"],"replaces":["s[\"`+canary+`\"]"],`+entries+`}`, "") +
			call("Check", `{`+urn+`,"olds":`+in+`,"news":`+in+`}`, `{"inputs":{"s":`+s(`{"`+canary+`":"04da6b54-80e4-46f7-96ec-b56ff0331ba9"}`)+`}}`, "") +
			call("Create", `{`+urn+`,"properties":{"s":`+s(`{"`+canary+`":[{"4dabf18193072939515e22adb298388d":"9","k":"`+canary+`"}]}`)+`}}`, "", `,"errors":["`+canary+`"]`) +
			call("Configure", `{"variables":{"a:config:b":"`+canary+`"},"args":{"b":`+s(`"`+canary+`"`)+`}}`, `{}`, ""),
		"log2.json": call("Update", `{"id":"i",`+urn+`,"olds":`+in+`,"news":`+in+`}`, `{"properties":{"id":`+s(`"`+canary+`"`)+`}}`, "") +
			call("Invoke", `{"tok":"a:b:c","args":`+in+`}`, `{"return":`+in+`}`, ""),
	}
}

func writeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestNoSecretInAnyOutput plants canaries in all files, and runs every command in
// every form, on files that are whole and on files that are damaged behind the
// secret (law 6).
func TestNoSecretInAnyOutput(t *testing.T) {
	files := canaryFiles()
	dirs := map[string]string{"whole": writeFiles(t, files)}
	for name, damage := range map[string]func(string) string{
		"cut":     func(s string) string { return s[:len(s)*4/5] },
		"tail":    func(s string) string { return strings.TrimSuffix(s, "\n") + `"` + canary + "\n" },
		"doubled": func(s string) string { return strings.Replace(s, `"value":`, `"value":1,"value":`, 1) },
		"unknown": func(s string) string {
			return strings.Replace(s, "1b47061264138c4ac30d75fd1eb44270", canary[:0]+"00000000", 1)
		},
	} {
		damaged := map[string]string{}
		for file, text := range files {
			damaged[file] = damage(text)
		}
		dirs[name] = writeFiles(t, damaged)
	}
	runs, worked := 0, 0
	everyUse(t, func(u use, args []string) {
		for name, dir := range dirs {
			got := propalg(t, dir, "", args...)
			runs++
			if name == "whole" && got.code != 2 {
				worked++
			}
			if name == "whole" && got.code == 2 && !strings.HasPrefix(u.command, "path ") && !strings.HasPrefix(u.command, "urn ") && u.command != "apply" {
				t.Errorf("%q: %s", args, got.stderr)
			}
			if strings.Contains(got.stdout+got.stderr, canary) {
				t.Errorf("%s: %q shows a secret:\n%s%s", name, args, got.stdout, got.stderr)
			}
		}
	})
	if worked < 25 || runs < 100 {
		t.Errorf("%d runs, %d of them good", runs, worked)
	}
	// And the test can fail.
	if got := propalg(t, dirs["whole"], "", "diff", "--show-secrets", "old.json", "new.json"); !strings.Contains(got.stdout, canary) {
		t.Errorf("--show-secrets shows none: %s%s", got.stdout, got.stderr)
	}
}

// evil is text that does something to terminals: escape sequences of 7 and of 8
// bits, control characters, what turns the direction of text.
const evil = "e\x1b[31m\x1b]0;t\x07\u009b2J\x7f\r\b\u202e\u2066\u200f\u2028v"

// TestNothingMovesTheTerminal: whatever files and arguments hold, text has no
// character in it but printable ones and ends of lines, colours aside.
func TestNothingMovesTheTerminal(t *testing.T) {
	quoted := strings.NewReplacer("\x1b", `\u001b`, "\x07", `\u0007`, "\r", `\r`, "\b", `\b`, "\u2028", `\u2028`).Replace(evil)
	files := canaryFiles()
	for name, text := range files {
		text = strings.NewReplacer(canary, quoted, `"plain"`, `"`+quoted+`"`, `{"k":`, `{"`+quoted+`":`, "shop::a:b:C", "shop::a:"+quoted+":C", `"type":"a:b:C"`, `"type":"a:`+quoted+`:C"`, `C::n"`, "C::n"+quoted+`"`, `"id":"i"`, `"id":"`+quoted+`"`).Replace(text)
		files[name] = strings.NewReplacer(signature+`,"value":{`, `"plainly":{`, `"s":{`, `"s`+quoted+`":{`).Replace(text)
	}
	dir := writeFiles(t, files)
	cut := map[string]string{}
	for name, text := range files {
		cut[name] = text[:len(text)*3/4]
	}
	dirs := []string{dir, writeFiles(t, cut), t.TempDir()}
	colours := regexp.MustCompile("\x1b\\[[0-9;]*m")
	check := func(args []string, got result) {
		for _, text := range []string{got.stdout, got.stderr} {
			text = colours.ReplaceAllString(text, "")
			if i := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }); i >= 0 {
				t.Errorf("%q: %q", args, text[max(0, i-60):min(len(text), i+60)])
			}
		}
	}
	shown := 0
	everyUse(t, func(_ use, args []string) {
		if slices.Contains(args, "html") {
			return
		}
		for _, dir := range dirs {
			got := propalg(t, dir, "", args...)
			check(args, got)
			if strings.Contains(got.stdout, `\x1b[31m`) || strings.Contains(got.stdout, `\u001b[31m`) {
				shown++
			}
			bad := slices.Clone(args)
			for i := 2; i < len(bad); i++ {
				bad[i] = strings.ReplaceAll(bad[i], "a", evil) // names of files, paths, URNs, flags
				check(bad, propalg(t, dir, "", bad...))
				bad[i] = args[i]
			}
		}
	})
	check(nil, propalg(t, dir, "", evil))
	check(nil, propalg(t, dir, "", "diff", "--"+strings.Map(func(r rune) rune {
		if r == 0 {
			return -1
		}
		return r
	}, evil)))
	if shown < 5 {
		t.Errorf("the text was seen in %d outputs only", shown)
	}
}
