package main_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// reading is how a command takes one file among its arguments, and what kind of
// file that has to be: "bag", "stack", "log" or "patch".
type reading struct {
	command string
	args    string // FILE is the file; the others are good
	kind    string
}

// readings has each file that a command reads.
func readings() []reading {
	return []reading{
		{"diff", "FILE bag.json", "bag"},
		{"diff", "bag.json FILE", "bag"},
		{"diff", "stack.json FILE", "stack"},
		{"diff", "--promised FILE bag.json bag.json", "bag"},
		{"diff", "--promised bag.json bag.json FILE", "bag"},
		{"apply", "FILE patch.json", "bag"},
		{"apply", "bag.json FILE", "patch"},
		{"merge", "FILE bag.json bag.json", "bag"},
		{"merge", "bag.json FILE bag.json", "bag"},
		{"merge", "bag.json bag.json FILE", "bag"},
		{"ignore", "FILE bag.json a", "bag"},
		{"ignore", "bag.json FILE a", "bag"},
		{"lint", "FILE", "log"},
		{"lint", "log.json FILE", "log"},
		{"state ls", "FILE", "stack"},
		{"state show", "FILE n", "stack"},
		{"state check", "FILE", "stack"},
		{"state stats", "FILE", "stack"},
		{"state drift", "FILE", "stack"},
		{"state log", "n a FILE", "stack"},
		{"plan destroy", "FILE", "stack"},
		{"plan replace", "FILE n", "stack"},
		{"state mv", "--out out FILE urn:pulumi:a::b::c::n m", "stack"},
		{"state rm", "--out out FILE urn:pulumi:a::b::c::n", "stack"},
		{"state set", "--out out FILE urn:pulumi:a::b::c::n a 2", "stack"},
		{"state repair", "--out out FILE", "stack"},
		{"state adopt", "--out out FILE urn:pulumi:a::b::c::p i", "pending"},
		{"state scrub", "--out out FILE", "stack"},
		{"state move", "--dry-run FILE other.json urn:pulumi:a::b::c::n", "stack"},
		{"state move", "--dry-run other.json FILE urn:pulumi:other::b::c::m", "stack"},
		{"state protect", "--out out FILE urn:pulumi:a::b::c::n", "stack"},
		{"state unprotect", "--out out --all FILE", "stack"},
		{"path get", "FILE a", "bag"},
	}
}

// noFiles are the commands that read none.
func noFiles() []string {
	return []string{"path parse", "path match", "urn parse", "urn check", "urn build", "completion", "version"}
}

// goodFiles has a file of each kind.
func goodFiles() map[string]string {
	const stack = `{"version":3,"deployment":{"manifest":{"time":"2024-01-01T00:00:00Z"},"resources":[{"urn":"urn:pulumi:a::b::c::n","type":"c","inputs":{"a":1}}]}}`
	const log = `{"method":"/pulumirpc.ResourceProvider/Diff","request":{},"response":{}}` + "\n"
	pending := strings.Replace(stack, `"resources"`, `"pending_operations":[{"type":"creating","resource":{"urn":"urn:pulumi:a::b::c::p","type":"c","custom":true}}],"resources"`, 1)
	return map[string]string{"pending": pending, "bag": `{"a":1}`, "stack": stack, "log": log, "patch": `{"propalg":"diff/1"}`}
}

// badFile is what a file holds that no command takes, and what is said of it.
type badFile struct{ text, said string }

func badFiles() map[string]badFile {
	return map[string]badFile{
		"nowhere.json":  {"", "no such file"},
		"empty.json":    {"", ""},
		"binary.json":   {"\x7fELF\x02\x01\x01\x00\x00\xff\xfe\n\n", "syntax error"},
		"hello.json":    {"hello", "syntax error"},
		"number.json":   {"1", ""},
		"array.json":    {"[1]\n", ""},
		"cut.json":      {"{\"a\":[1,2\n", ""},
		"unclosed.json": {strings.Repeat("[", 1_000_000) + "\n", ""},
		"deep.json":     {`{"a":` + strings.Repeat("[", 1_000_000) + strings.Repeat("]", 1_000_000) + "}\n", ""},
		"deeper.json":   {strings.Repeat(`{"deployment":`, 100_000) + "1" + strings.Repeat("}", 100_000) + "\n", ""},
		"twice.json":    {`{"a":1,"a":2,"method":"a","method":"b","propalg":1,"propalg":2}` + "\n", ""},
		"utf16.json":    {"\xff\xfe{\x00}\x00\n\x00", "UTF-16"},
		"utf16be.json":  {"\xfe\xff\x00{\x00}\x00\n", "UTF-16"},
		"bare16.json":   {"{\x00}\x00\n\x00", "UTF-16"},
		"bare16be.json": {"\x00{\x00}\x00\n", "UTF-16"},
		"version.json":  {`{"version":99,"deployment":{"resources":[]}}` + "\n", ""},
		"folder":        {"", "is a directory"},
	}
}

// TestEveryCommandOnBadFiles gives every command every bad file in every place:
// one short line that names the file, nothing on standard output, exit code 2.
// From standard input, all the same.
func TestEveryCommandOnBadFiles(t *testing.T) {
	good, bad := goodFiles(), badFiles()
	files := map[string]string{"other.json": strings.Replace(good["stack"], "urn:pulumi:a::b::c::n", "urn:pulumi:other::b::c::m", 1)}
	for name, text := range good {
		files[name+".json"] = text
	}
	for name, b := range bad {
		files[name] = b.text
	}
	delete(files, "nowhere.json")
	delete(files, "folder")
	dir := writeFiles(t, files)
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	internal := regexp.MustCompile(`(^|: )(codec|state|rpc|patch|path|urn|schema|value|diff|decode|decode json|read log): `)
	for _, r := range readings() {
		seen[r.command] = true
		with := func(file, stdin string) result {
			return propalg(t, dir, stdin, strings.Fields(r.command+" "+strings.Replace(r.args, "FILE", file, 1))...)
		}
		quiet := r.command != "ignore" // which reports on its patterns there
		if got := with(r.kind+".json", ""); got.code != 0 || (quiet && got.stderr != "") {
			t.Errorf("%v: exit %d, %s", r, got.code, got.stderr)
		}
		isPiped := r.command != "state move" // of which both files are replaced
		if got := with("-", good[r.kind]); isPiped && (got.code != 0 || (quiet && got.stderr != "")) {
			t.Errorf("%v from standard input: exit %d, %s", r, got.code, got.stderr)
		}
		for name, b := range bad {
			got := with(name, "")
			if got.code != 2 || !strings.Contains(got.stderr, name+": ") || !strings.Contains(got.stderr, b.said) {
				t.Errorf("%v: %s: exit %d, %q", r, name, got.code, got.stderr)
			}
			if strings.Count(got.stderr, "\n") != 1 || got.stdout != "" || len(got.stderr) > 500 {
				t.Errorf("%v: %s: not one short line of error: %q and %q", r, name, got.stderr, got.stdout)
			}
			if said := strings.TrimPrefix(got.stderr, "propalg "+r.command+": "); internal.MatchString(said) {
				t.Errorf("%v: %s: named a package or an operation of the library: %q", r, name, said)
			}
			if !isPiped || name == "nowhere.json" || name == "folder" || len(b.text) > 1000 {
				continue
			}
			if piped := with("-", b.text); piped.code != 2 || piped.stderr != strings.Replace(got.stderr, name+": ", "stdin: ", 1) {
				t.Errorf("%v: %s piped: exit %d, %q", r, name, piped.code, piped.stderr)
			}
		}
		if n := strings.Count(r.args, ".json"); n > 0 {
			if got := propalg(t, dir, "", strings.Fields(r.command+" "+regexpFiles(r.args))...); got.code != 2 || !strings.Contains(got.stderr, "standard input") {
				t.Errorf("%v: standard input for all: exit %d, %q", r, got.code, got.stderr)
			}
		}
	}
	for _, name := range noFiles() {
		seen[name] = true
	}
	for _, c := range allCommands(t) {
		if !seen[c.name] {
			t.Errorf("%q is in no row of readings(), and not in noFiles()", c.name)
		}
	}
}

// regexpFiles has standard input for every file.
func regexpFiles(args string) string {
	words := strings.Fields(args)
	for i, w := range words {
		if w == "FILE" || strings.HasSuffix(w, ".json") {
			words[i] = "-"
		}
	}
	return strings.Join(words, " ")
}

// TestSmallToolsExit is the table of the commands that read no files.
func TestSmallToolsExit(t *testing.T) {
	const pet = "urn:pulumi:dev::shop::random:index:Pet::cat"
	dir := writeFiles(t, map[string]string{"bag.json": `{"a":{"b":[1,{"c":2}]},"s":{` + signature + `,"value":{"k":"v"}}}`})
	for _, c := range []struct {
		args           []string
		code           int
		stdout, stderr string // parts of it; empty: it is empty
	}{
		{[]string{"path", "get", "bag.json", "a.b[0]"}, 0, "1\n", ""},
		{[]string{"path", "get", "bag.json", "a.b[*].c"}, 0, "a.b[1].c: 2\n", ""},
		{[]string{"path", "get", "bag.json", "s"}, 0, "[secret]\n", ""},
		{[]string{"path", "get", "bag.json", "s.k"}, 0, "[secret]\n", ""},
		{[]string{"path", "get", "--show-secrets", "bag.json", "s.k"}, 0, `"v"`, ""},
		{[]string{"path", "get", "bag.json", "s.*"}, 0, "s[secret]: [secret]\n", ""},
		{[]string{"path", "get", "-o", "json", "bag.json", "a.b[1]", "x"}, 1, `{"path":"a.b[1]","at":"a.b[1]","found":true,"value":{"c":2}}` + "\n" + `{"path":"x","found":false}` + "\n", ""},
		{[]string{"path", "get", "bag.json", "x"}, 1, "", "nothing is at x"},
		{[]string{"path", "get", "bag.json", "x["}, 2, "", `propalg path get: "x[": offset 2: `},
		{[]string{"path", "get", "--dialect", "canonical", "bag.json", "a..b"}, 2, "", "path"},
		{[]string{"path", "get", "bag.json"}, 2, "", "expected FILE PATH"},
		{[]string{"path", "match", "tags.*", "tags.a"}, 0, "tags.a: matches tags[*]\n", ""},
		{[]string{"path", "match", "a", "b.*", "--", "a", "a.x", "b.c", "b", "z"}, 1, "a: matches a\na.x: is below a match of a\nb.c: matches b[*]\nb: is above possible matches of b[*]\nz: no pattern applies to it\n", ""},
		{[]string{"path", "match", "-o", "json", "a", "--", "a", "z"}, 1, `{"path":"a","relation":"matches","pattern":"a"}` + "\n" + `{"path":"z","relation":"none","pattern":null}` + "\n", ""},
		{[]string{"path", "match", "-o", "json", "a", "a["}, 2, `{"path":"a[","error":`, ""},
		{[]string{"path", "match", "a"}, 2, "", "PATH"},
		{[]string{"path", "match", "a", "--"}, 2, "", "PATH"},
		{[]string{"path", "match", "--", "a", "b"}, 2, "", "patterns, then --"},
		{[]string{"path", "match", "a[", "b"}, 2, "", "path"},
		{[]string{"urn", "check", pet}, 0, "published grammar\n", ""},
		{[]string{"urn", "check", "urn:pulumi:dev::shop::aws:s3/bucketV2:BucketV2::assets"}, 0, "engines accept it, but it is not of the published grammar", ""},
		{[]string{"urn", "check", "-o", "json", "urn:pulumi:a::b::c/d::e"}, 0, `"valid":true,"spec":false,"offset":18,"specError":"outside the URN specification: `, ""},
		{[]string{"urn", "check", "--spec", "urn:pulumi:a::b::c/d::e"}, 1, "not of the published grammar", ""},
		{[]string{"urn", "check", "--spec", "urn:pulumi:s::p::a:b:C$d:e:F$g:T::n"}, 1, "one parent type at most", ""},
		{[]string{"urn", "check", "--spec", "urn:pulumi:s::p:::pkg:T::n"}, 0, "published grammar\n", ""},
		{[]string{"urn", "check", "--spec", "x", pet}, 2, "published grammar\n", "not a URN"},
		{[]string{"urn", "check", "-o", "json", "x", pet}, 2, `{"urn":"x","valid":false,"spec":false,"error":`, ""},
		{[]string{"urn", "build", "--stack", "prod", pet}, 0, "urn:pulumi:prod::shop::random:index:Pet::cat\n", ""},
		{[]string{"urn", "build", "--stack", "a", "--project", "b", "--type", "c:d:E", "--name", "f", "--parent", "g", "--parent", "h"}, 0, "urn:pulumi:a::b::g$h$c:d:E::f\n", ""},
		{[]string{"urn", "build", "--parent", "", "urn:pulumi:a::b::g$h$c:d:E::f"}, 0, "urn:pulumi:a::b::c:d:E::f\n", ""},
		{[]string{"urn", "build", "-o", "json", "--name", "x", pet}, 0, `"name":"x"`, ""},
		{[]string{"urn", "build", "--stack", "a"}, 2, "", "expected --stack, --project, --type and --name"},
		{[]string{"urn", "build", "--stack", "a::b", pet}, 2, "", "urn build: invalid part of a URN: stack: "},
		{[]string{"urn", "build", "x"}, 2, "", "urn build: not a URN: prefix: "},
		{[]string{"urn", "build", pet, pet}, 2, "", "expected [URN]"},
		{[]string{"lint", "--severity", "grave", "bag.json"}, 2, "", "note or warning or error"},
		{[]string{"diff", "--label", "old=a", "bag.json", "bag.json"}, 2, "", "--label is for -o html and -o markdown"},
		{[]string{"diff", "--label", "old=a", "-o", "json", "bag.json", "bag.json"}, 2, "", "--label is for -o html and -o markdown"},
		{[]string{"diff", "--help"}, 0, "60,000 bytes", ""},
		{[]string{"merge", "bag.json", "bag.json"}, 2, "", "expected BASE LEFT RIGHT"},
		{[]string{"state"}, 2, "", "second word"},
		{[]string{"state", "drop"}, 2, "", "state has ls, "},
	} {
		got := propalg(t, dir, "", c.args...)
		has := func(text, part string) bool { return strings.Contains(text, part) && (part != "" || text == "") }
		if got.code != c.code || !has(got.stdout, c.stdout) || !has(got.stderr, c.stderr) {
			t.Errorf("%q: exit %d, want %d\nstdout %q\n  want %q\nstderr %q\n  want %q", c.args, got.code, c.code, got.stdout, c.stdout, got.stderr, c.stderr)
		}
	}
}

// TestBrokenPipeEverywhere: a reader that has seen enough is not an error to talk
// about, for no command.
func TestBrokenPipeEverywhere(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		t.Skip("no pipes of that kind here")
	}
	dir := writeFiles(t, canaryFiles())
	everyUse(t, func(_ use, args []string) {
		whole := propalg(t, dir, "", args...)
		if whole.stdout == "" {
			return
		}
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		c := exec.Command(binary(t), args...)
		c.Dir, c.Stdout = dir, w
		var stderr bytes.Buffer
		c.Stderr = &stderr
		_ = c.Run() // ends by a signal or an exit code, as the platform has it
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if c.ProcessState.ExitCode() == 0 || !strings.HasPrefix(whole.stderr, stderr.String()) {
			t.Errorf("%q: exit %d, stderr %q", args, c.ProcessState.ExitCode(), stderr.String())
		}
	})
}

// TestNothing: the empty file that git names for what does not exist is an empty stack, or
// an empty bag, and no other empty file is.
func TestNothing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("git names /dev/null there too, which is no file")
	}
	dir := writeFiles(t, map[string]string{"stack.json": goodFiles()["stack"], "bag.json": `{"a":1}`, "empty.json": ""})
	for args, want := range map[string]string{
		"/dev/null stack.json":         "Resources: 1 created, 0 deleted",
		"stack.json /dev/null":         "Resources: 0 created, 1 deleted",
		"/dev/null bag.json":           "+ a: 1",
		"bag.json /dev/null":           "- a: 1",
		"-o json /dev/null -":          `"change":"create"`,
		"-o html /dev/null -":          "created",
		"/dev/null /dev/null":          "0 updated, 0 the same",
		"empty.json stack.json":        "",
		"stack.json empty.json":        "",
		"--detailed bag.json bag.json": "DIFF_NONE",
	} {
		got := propalg(t, dir, goodFiles()["stack"], append([]string{"diff"}, strings.Fields(args)...)...)
		if (want == "" && (got.code != 2 || !strings.Contains(got.stderr, "the file is empty"))) || !strings.Contains(got.stdout, want) || (want != "" && got.stderr != "") {
			t.Errorf("%s: exit %d\n%s%s", args, got.code, got.stdout, got.stderr)
		}
	}
	if got := propalg(t, dir, "", "merge", "/dev/null", "bag.json", "/dev/null"); got.stdout != "{\"a\":1}\n" {
		t.Errorf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}

// TestBrokenFiles: files that are cut off, blank or compressed otherwise are errors that
// say so, for every way to read.
func TestBrokenFiles(t *testing.T) {
	whole := packed(t, strings.Repeat(goodFiles()["stack"], 2))
	log := strings.Repeat(entry("Check", `"news":{}`, `"inputs":{}`, ""), 50)
	files := map[string]string{
		"blank.json": " \n\t\r\n ", "blanks.json": strings.Repeat(" \n", 2_000), "stack.json": goodFiles()["stack"],
		"a.xz": "\xfd7zXZ\x00\x00\x04", "a.zst": "\x28\xb5\x2f\xfd\x04", "a.bz2": "BZh91AY",
		"stack.gz": whole[:len(whole)-9], "begin.gz": whole[:5], "log.gz": packed(t, log)[:60],
	}
	dir := writeFiles(t, files)
	for args, want := range map[string]string{
		"lint blank.json":             "lint: blank.json: the file is empty",
		"lint blanks.json":            "lint: blanks.json: the file is empty",
		"diff blank.json stack.json":  "diff: blank.json: the file is empty",
		"state ls blank.json":         "state ls: blank.json: the file is empty",
		"diff a.xz stack.json":        "diff: a.xz: the file is compressed by xz; only gzip is read",
		"state ls a.zst":              "state ls: a.zst: the file is compressed by zstd; only gzip is read",
		"lint a.bz2":                  "lint: a.bz2: the file is compressed by bzip2; only gzip is read",
		"diff stack.gz stack.json":    "diff: stack.gz: the file is cut off",
		"state ls stack.gz":           "state ls: stack.gz: the file is cut off",
		"state rm --pending stack.gz": "state rm: stack.gz: the file is cut off",
		"state ls begin.gz":           "state ls: begin.gz: gzip: the file is cut off",
		"lint log.gz":                 "lint: log.gz: the file is cut off",
	} {
		got := propalg(t, dir, "", strings.Fields(args)...)
		if got.code != 2 || got.stdout != "" || !strings.HasPrefix(got.stderr, "propalg ") || !strings.HasSuffix(got.stderr, want+"\n") || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: exit %d\n%s%s\nwant %s", args, got.code, got.stdout, got.stderr, want)
		}
	}
}

// TestStateLsGoesOn: a malformed resource does not hide the others.
func TestStateLsGoesOn(t *testing.T) {
	stack := `{"version":3,"deployment":{"resources":[{"urn":"urn:pulumi:a::b::c::n","type":"c","inputs":{"4dabf18193072939515e22adb298388d":"?"}},
{"urn":"urn:pulumi:a::b::c::m","type":"c"}]}}`
	for _, args := range []string{"state ls -", "state ls -o json -"} {
		got := propalg(t, t.TempDir(), stack, strings.Fields(args)...)
		if got.code != 2 || (!strings.Contains(got.stdout, "m\"") && !strings.Contains(got.stdout, "c::m")) || strings.Count(got.stderr, "\n") != 1 ||
			!strings.HasPrefix(got.stderr, "propalg state ls: stdin: line 1, column 92: offset 91, after 0 resources: urn:pulumi:a::b::c::n: inputs: ") {
			t.Errorf("%s: exit %d\n%s%s", args, got.code, got.stdout, got.stderr)
		}
	}
}
