package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// broken is a stack whose second resource has a parent that is missing, and the first a
// provider that is malformed.
const broken = `{"version":3,"deployment":{"resources":[
  {"urn":"urn:pulumi:dev::shop::a:b:DB::one","type":"a:b:DB","custom":true,"id":"1","provider":"p"},
  {"urn":"urn:pulumi:dev::shop::a:b:C::two","type":"a:b:C","custom":true,"id":"2","parent":"urn:pulumi:dev::shop::a:b:C::x","dependencies":[""]}
]}}`

const sound = `{"version":3,"deployment":{"resources":[{"urn":"urn:pulumi:dev::shop::a:b:DB::one","type":"a:b:DB","custom":true,"id":"1"}]}}`

// TestStateCheck checks one file and several, in all forms, and gates what is found.
func TestStateCheck(t *testing.T) {
	dir := writeFiles(t, map[string]string{
		"broken.json": broken, "sound.json": sound, "bag.json": `{"a":1}`, "cut.json": broken[:len(broken)-2],
		"rules": "parent-missing *::two\n", "wrong": "parent-mising *\n",
	})
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "folder", "broken.json"), []byte(broken), 0o600); err != nil {
		t.Fatal(err)
	}
	const malformed, missing, empty = "urn:pulumi:dev::shop::a:b:DB::one: provider: p\n", "urn:pulumi:dev::shop::a:b:C::two: parent: urn:pulumi:dev::shop::a:b:C::x\n", "urn:pulumi:dev::shop::a:b:C::two: dependencies[0]\n"
	for _, row := range []struct {
		args   string
		code   int
		out    []string // parts of the standard output
		stderr string   // a part of it; empty: it is
	}{
		{"sound.json", 0, []string{"Findings: 0 errors, 0 warnings, 0 notes\n"}, ""},
		{"broken.json", 1, []string{"error parent-missing\n", "no record has this URN", "line 3: " + missing, "line 2: " + malformed, "warning dependency-empty\n", "line 3: " + empty, "Findings: 2 errors, 1 warning, 0 notes\n"}, ""},
		{"sound.json broken.json", 1, []string{"broken.json:3: " + missing, "broken.json:2: " + malformed}, ""},
		{"folder", 1, []string{filepath.Join("folder", "broken.json") + ":3: " + missing}, ""},
		{"--severity error broken.json", 1, []string{"Findings: 2 errors, 0 warnings, 0 notes; 1 not shown (--severity)\n"}, ""},
		{"--suppress rules broken.json", 1, []string{"Findings: 1 error, 1 warning, 0 notes; 1 suppressed\n"}, ""},
		{"--suppress wrong sound.json", 0, nil, "wrong:1 suppresses nothing (did you mean parent-missing?)\n"},
		{"--protects a:b:D* sound.json", 1, []string{"warning unprotected\n", "line 1: urn:pulumi:dev::shop::a:b:DB::one\n"}, ""},
		{"--protects a:b:D --protects x* sound.json", 0, nil, ""},
		{"bag.json", 2, nil, "bag.json: neither stack export nor checkpoint\n"},
		{"bag.json broken.json cut.json", 2, []string{"broken.json:3: " + missing}, "cut.json: line 4, column 2: "},
		{"", 2, nil, "expected FILE…"},
		{"--explain all", 0, []string{"error parent-missing\n", "note provider-unused\n"}, ""},
		{"--explain parent-order", 0, []string{"error parent-order\n"}, ""},
		{"--explain parent-ordr", 2, nil, "(did you mean parent-order?)"},
		{"--explain all sound.json", 2, nil, "--explain is without a file"},
		{"- -", 2, nil, "standard input"},
		{"-o json broken.json", 1, []string{`{"file":"broken.json","line":3,"offset":144,"severity":"error","code":"parent-missing","urn":"urn:pulumi:dev::shop::a:b:C::two","type":"a:b:C","at":"parent","detail":"urn:pulumi:dev::shop::a:b:C::x","advice":"no record has this URN; restore the record, or take the reference out","count":1}`, `"files":1,"summary":{"errors":2,"warnings":1,"notes":0}`}, ""},
		{"-o github broken.json", 1, []string{"::error file=broken.json,line=3,title=a%3Ab%3AC::urn:pulumi:dev::shop::a:b:C::two: parent: parent-missing: urn:pulumi:dev::shop::a:b:C::x%0A", "::warning file=broken.json,line=3,"}, ""},
	} {
		got := propalg(t, dir, broken, append([]string{"state", "check"}, strings.Fields(row.args)...)...)
		if got.code != row.code || (row.stderr == "") != (got.stderr == "") || !strings.Contains(got.stderr, row.stderr) {
			t.Errorf("%s: exit %d, %q", row.args, got.code, got.stderr)
		}
		for _, part := range row.out {
			if !strings.Contains(got.stdout, part) {
				t.Errorf("%s: no %q in\n%s", row.args, part, got.stdout)
			}
		}
	}
}

// TestStateCheckBaseline leaves out what was found before, in whatever file.
func TestStateCheckBaseline(t *testing.T) {
	dir := writeFiles(t, map[string]string{"broken.json": broken, "same.json": broken, "cut.json": broken[:9]})
	check := func(args ...string) result {
		return propalg(t, dir, broken, append([]string{"state", "check"}, args...)...)
	}

	if got := check("--write-baseline", "known", "broken.json", "same.json"); got != (result{stderr: "propalg state check: 3 findings written to the baseline\n"}) {
		t.Fatalf("%+v", got)
	}
	if got := check("--baseline", "known", "-"); got.code != 0 || got.stderr != "" || !strings.Contains(got.stdout, "0 notes; 3 in the baseline\n") {
		t.Errorf("%+v", got)
	}
	if got := check("--write-baseline", "none", "broken.json", "cut.json"); got.code != 2 || got.stdout != "" {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(filepath.Join(dir, "none")); err == nil {
		t.Error("a baseline was written of files that could not all be read")
	}
}
