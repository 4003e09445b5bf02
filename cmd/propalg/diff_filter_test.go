package main_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// filterFiles are two stacks: one resource is updated, one replaced with --replace-on size,
// one created, one deleted, one renamed, one encrypted again, and one the same.
func filterFiles(t *testing.T) string {
	t.Helper()
	resource := func(name, id, inputs string) string {
		return fmt.Sprintf(`{"urn":"urn:pulumi:dev::shop::%s","type":"x","custom":true,"id":%q,"inputs":{%s}}`, name, id, inputs)
	}
	sealed := func(cipher string) string { return `"s":` + fmt.Sprintf(sealedAs, cipher) }
	return writeFiles(t, map[string]string{
		"old.json": `{"version":3,"deployment":{"resources":[` + strings.Join([]string{
			resource("a:b:C::upd", "1", `"n":1`), resource("a:b:C::rep", "2", `"size":1`), resource("a:x:D::del", "3", `"n":1`), resource("a:x:D::was", "4", ""),
			resource("a:x:D::sealed", "5", sealed("1")), resource("a:b:C::same", "6", ""),
		}, ",") + `]}}`,
		"new.json": `{"version":3,"deployment":{"resources":[` + strings.Join([]string{
			resource("a:b:C::upd", "1", `"n":2`), resource("a:b:C::rep", "2", `"size":2`), resource("a:b:C::cre", "7", `"n":1`), resource("a:x:D::is", "4", ""),
			resource("a:x:D::sealed", "5", sealed("2")), resource("a:b:C::same", "6", ""),
		}, ",") + `]}}`,
		"old-bag.json": `{"a":1}`, "new-bag.json": `{"a":2}`,
	})
}

// TestDiffFilter: each form shows the resources that pass, and counts the others; the exit
// code is about those that pass.
func TestDiffFilter(t *testing.T) {
	dir := filterFiles(t)
	all := []string{"upd", "rep", "cre", "is", "del"}
	for flags, want := range map[string]struct {
		shown    string
		filtered int
		code     int
	}{
		"":                               {"upd rep cre is del", 0, 1},
		"--op create":                    {"cre", 5, 1},
		"--op delete,replace":            {"rep del", 4, 1},
		"--op update":                    {"upd is", 3, 1},
		"--op create --op update,delete": {"upd cre is del", 1, 1},
		"--resource upd":                 {"upd", 5, 1},
		"--resource a:b:*":               {"upd rep cre", 3, 1},
		"--resource a:x:D":               {"is del", 3, 1},
		"--resource was":                 {"is", 5, 1},
		"--resource *::dev*":             {"", 6, 0},
		"--resource *:dev::*p":           {"rep", 5, 1},
		"--resource sealed":              {"", 5, 1},
		"--resource same":                {"", 6, 0},
		"--resource a:x:D --op create":   {"", 6, 0},
		"--resource upd --resource del --op delete": {"del", 5, 1},
	} {
		for _, form := range []string{"text", "json", "html", "markdown", "md"} {
			args := append(append([]string{"diff", "--replace-on", "size", "-o", form}, strings.Fields(flags)...), "old.json", "new.json")
			got := propalg(t, dir, "", args...)
			if got.code != want.code {
				t.Errorf("%s as %s: exit %d, want %d", flags, form, got.code, want.code)
			}
			for _, name := range all {
				isShown := strings.Contains(got.stdout, "::"+name) || strings.Contains(got.stdout, "\u200b:"+name)
				if isShown != strings.Contains(" "+want.shown+" ", " "+name+" ") {
					t.Errorf("%s as %s: %s shown: %t\n%s", flags, form, name, isShown, got.stdout)
				}
			}
			var doc stacksJSON
			count := fmt.Sprintf("iltered: %d resources ", want.filtered)
			if want.filtered == 1 {
				count = "iltered: 1 resource "
			}
			switch {
			case form == "json":
				if err := json.Unmarshal([]byte(got.stdout), &doc); err != nil || doc.Summary.Filtered != want.filtered || len(doc.Resources) != len(strings.Fields(want.shown)) {
					t.Errorf("%s: %v, %s", flags, err, got.stdout)
				}
			case strings.Contains(got.stdout, count) != (want.filtered > 0), strings.Contains(got.stdout, "stacks are equal"):
				t.Errorf("%s as %s: not %q\n%s", flags, form, count, got.stdout)
			}
		}
	}
}

// TestDiffFilterRefused: what is not a filter, or has no effect, is reported.
func TestDiffFilterRefused(t *testing.T) {
	dir := filterFiles(t)
	for args, want := range map[string]string{
		"--op updat old.json new.json":                            "discard or same (did you mean update?)",
		"--op create, old.json new.json":                          "expected failed or",
		"--op create old-bag.json new-bag.json":                   "--op is for stacks; these are property bags",
		"--resource x old-bag.json new-bag.json":                  "--resource is for stacks; these are property bags",
		"--match stack old-bag.json new-bag.json":                 "--match is for stacks; these are property bags",
		"--only inputs -o json old-bag.json new-bag.json":         "--only is for stacks; these are property bags",
		"-o json --replace-on a old-bag.json new-bag.json":        "the JSON of two bags does not say what --replace-on matches; that of --detailed does",
		"--resource none* --resource upd --all old.json new.json": "propalg diff: the pattern none* of --resource matches no resource\n",
	} {
		if got := propalg(t, dir, "", append([]string{"diff"}, strings.Fields(args)...)...); !strings.Contains(got.stderr, want) || (got.code == 2) == strings.Contains(args, "none*") {
			t.Errorf("%s: exit %d, %s", args, got.code, got.stderr)
		}
	}
	if got := propalg(t, dir, "", "diff", "-o", "json", "--detailed", "--replace-on", "a", "old-bag.json", "new-bag.json"); got.code != 1 || !strings.Contains(got.stdout, `"replaces":["a"]`) {
		t.Errorf("--detailed: %+v", got)
	}
}

// TestDiffFilterReplacements: two states do not say what is replaced, and that is said.
func TestDiffFilterReplacements(t *testing.T) {
	dir := twoBags(t, `{"a":1}`, `{"a":2}`, `{}`, `{}`)
	for flags, want := range map[string]bool{
		"--op replace": true, "--op delete,replace": true, "--op update": false, "--op replace --replace-on a": false, "": false,
	} {
		got := propalg(t, dir, "", append(strings.Fields("diff old.json new.json"), strings.Fields(flags)...)...)
		if strings.Contains(got.stderr, "states do not say what is replaced") != want || (got.stderr != "" && !want) {
			t.Errorf("%s: %s", flags, got.stderr)
		}
	}
	dir = stepFiles(t)
	for _, args := range []string{"preview.json", "before.json preview.json"} {
		if got := propalg(t, dir, "", append(strings.Fields("diff --op replace"), strings.Fields(args)...)...); got.code == 2 || strings.Contains(got.stderr, "--replace-on") {
			t.Errorf("%s: %+v", args, got)
		}
	}
}

// TestDiffFilterNotes: numbers of resources that are not shown are not noted.
func TestDiffFilterNotes(t *testing.T) {
	dir := twoBags(t, `{"n":12345678901234567891}`, `{"n":1}`, `{}`, `{}`)
	for flags, want := range map[string]bool{"": true, "--resource n": true, "--resource m": false} {
		got := propalg(t, dir, "", append(strings.Fields("diff old.json new.json"), strings.Fields(flags)...)...)
		if strings.Contains(got.stderr, "is rounded") != want {
			t.Errorf("%s: %s", flags, got.stderr)
		}
	}
}
