package main_test

import (
	"os"
	"strings"
	"testing"
)

// TestStateRepair: a state is written if nothing is lost, or somebody agreed; what is lost is
// in a file beside it.
func TestStateRepair(t *testing.T) {
	const (
		urn    = "urn:pulumi:dev::shop::a:b:C::"
		ref    = "urn:pulumi:dev::shop::pulumi:providers:a::p::"
		begin  = `{"version":3,"deployment":{"resources":[` + "\n "
		end    = "\n]}}\n"
		a      = `{"urn":"` + urn + `a","type":"a:b:C","custom":true,"id":"1"}`
		twin   = `{"urn":"` + urn + `a","type":"a:b:C","custom":true,"id":"2","inputs":{"s":"canary"}}`
		onA    = `{"urn":"` + urn + `b","type":"a:b:C","dependencies":["` + urn + `a"]}`
		onGone = `{"urn":"` + urn + `c","type":"a:b:C","deletedWith":"` + urn + `gone"}`
		whole  = `{"urn":"` + urn + `c","type":"a:b:C"}`
		p      = `{"urn":"urn:pulumi:dev::shop::pulumi:providers:a::p","type":"pulumi:providers:a","custom":true,"id":"1"}`
		onP    = `{"urn":"` + urn + `d","type":"a:b:C","custom":true,"id":"1","provider":"` + ref + `1"}`
		onNone = `{"urn":"` + urn + `d","type":"a:b:C","custom":true,"id":"1","provider":"` + ref + `0"}`
		gone   = `{"urn":"` + urn + `c","record":1,"at":"deletedWith","to":"` + urn + `gone"}`
	)
	dropped := func(resources, references string) string {
		return strings.ReplaceAll(`{"resources":[`+resources+"\n],\"references\":["+references+"\n]}\n", "[{", "[\n{")
	}
	for name, row := range map[string]struct {
		args, old, now, beside string
		code                   int
		says                   string
	}{
		"sound":                  {"", a + onA, a + onA, "", 0, "stack.json: nothing to repair\n"},
		"order":                  {"", onA + a, a + onA, "", 0, "~ " + urn + "a: before " + urn + "b\nstack.json: 1 change made\n"},
		"order dry":              {"--dry-run", onA + a, onA + a, "", 1, "stack.json: not written: 1 change to make, 0 with a loss\n"},
		"lossy":                  {"", onGone + p, onGone + p, "", 1, "- " + urn + "c: deletedWith: " + urn + "gone\nstack.json: not written, since 1 of 1 change would be a loss; --yes permits that\n"},
		"agreed":                 {"--yes", onGone + p, whole + p, dropped("", gone), 0, "stack.json: 1 change made; what was dropped is in stack.json.dropped.json\n"},
		"twins":                  {"--yes", a + onA + twin, a + onA + twin, "", 1, "keep one of them: --keep '" + urn + "a#2', or another position\nstack.json: not written: 1 fault left, in the lines with !\n"},
		"keep":                   {"--keep a#2", a + onA + twin, twin + onA, dropped(a, ""), 0, "- " + urn + "a#1: the record\n~ " + urn + "a#2: before " + urn + "b\nstack.json: 2 changes made; what"},
		"keep part":              {"--keep hop::a:b:C::a#2", a + onA + twin, twin + onA, dropped(a, ""), 0, "hop::a:b:C::a#2 is " + urn + "a#2\n"},
		"keep ID":                {"--keep 1", a + onA + twin, a + onA, dropped(twin, ""), 0, "what was dropped is in"},
		"keep, and more is lost": {"--keep a#1", a + twin + onGone, a + twin + onGone, "", 1, "not written, since 2 of 2 changes would be a loss"},
		"keep none":              {"--keep b", a + onA + twin, a + onA + twin, "", 2, urn + "b is the only one that is not pending deletion"},
		"no provider":            {"", p + onNone, p + onNone, "", 1, "or refer to another one: --provider '" + ref + "0=" + ref + "1'\n"},
		"no providers":           {"", onNone + strings.ReplaceAll(onNone, "::d", "::e"), onNone + strings.ReplaceAll(onNone, "::d", "::e"), "", 1, "or refer to another one (2 resources): --provider '" + ref + "0=NEW'\nstack.json: not written: 2 faults left"},
		"provider":               {"--provider " + ref + "0=" + ref + "1", p + onNone, p + onP, "", 0, "~ " + urn + "d: provider: " + ref + "0 => " + ref + "1\nstack.json: 1 change made\n"},
		"provider of none":       {"--provider " + ref + "9=" + ref + "1", p + onNone, p + onNone, "", 2, "no record lacks the provider " + ref + "9"},
		"provider malformed":     {"--provider x", p, p, "", 2, "expected OLD=NEW"},
		"stdin":                  {"- --yes", "", "", "", 2, "name a file with --out"},
	} {
		text := func(records string) string { return begin + strings.ReplaceAll(records, "}{", "},\n {") + end }
		dir := writeFiles(t, map[string]string{"stack.json": text(row.old)})
		args := append([]string{"state", "repair"}, strings.Fields(row.args)...)
		if row.old != "" {
			args = append(args, "stack.json")
		}
		got := propalg(t, dir, "", args...)
		if got.code != row.code || !strings.Contains(got.stdout+got.stderr, row.says) || strings.Contains(got.stdout+got.stderr, "canary") {
			t.Errorf("%s: exit %d, not %d: %s%s; no %q", name, got.code, row.code, got.stdout, got.stderr, row.says)
		}
		if now := readFile(t, dir, "stack.json"); now != text(row.now) {
			t.Errorf("%s: it is now %s", name, now)
		}
		beside := ""
		if _, err := os.Stat(dir + "/stack.json.dropped.json"); err == nil {
			beside = readFile(t, dir, "stack.json.dropped.json")
		}
		if beside != row.beside {
			t.Errorf("%s: dropped is %s, not %s", name, beside, row.beside)
		}
	}
}

// TestStateRepairBeside: what is lost takes the place of no other file.
func TestStateRepairBeside(t *testing.T) {
	const (
		lossy = `{"version":3,"deployment":{"resources":[{"urn":"urn:pulumi:a::b::c:d:e::f","type":"c:d:e","deletedWith":"urn:pulumi:a::b::c:d:e::g"}]}}`
		whole = `{"version":3,"deployment":{"resources":[{"urn":"urn:pulumi:a::b::c:d:e::f","type":"c:d:e"}]}}`
	)
	dir := writeFiles(t, map[string]string{"stack.json": lossy, "stack.json.dropped.json": "mine"})
	got := propalg(t, dir, "", "state", "repair", "--yes", "stack.json")
	if got.code != 2 || !strings.Contains(got.stderr, "stack.json.dropped.json is there already") || readFile(t, dir, "stack.json") != lossy || readFile(t, dir, "stack.json.dropped.json") != "mine" {
		t.Errorf("another file is there: %+v", got)
	}
	got = propalg(t, dir, "", "state", "repair", "--yes", "stack.json", "--out", "new.json")
	if got.code != 0 || readFile(t, dir, "stack.json") != lossy || readFile(t, dir, "new.json") != whole || !strings.Contains(readFile(t, dir, "new.json.dropped.json"), `::g"}`) {
		t.Errorf("into another file: %+v", got)
	}
}

// TestStateDryRun: an edit that is only tried says what it would change or why it cannot, and
// changes nothing.
func TestStateDryRun(t *testing.T) {
	for args, want := range map[string]string{
		"mv --dry-run stack.json " + bucketURN + " files":  "stack.json: 2 places would be changed\n",
		"rm --dry-run --pending stack.json":                "stack.json: 1 pending operation would be removed\n",
		"rm --dry-run --pending -":                         "-: 1 pending operation would be removed\n",
		"rm --dry-run stack.json " + bucketURN:             "1 resource depends on it",
		"set --dry-run stack.json " + bucketURN + " a.b 3": "stack.json: 1 place would be changed\n",
	} {
		dir := writeFiles(t, map[string]string{"stack.json": bucketText})
		got := propalg(t, dir, bucketText, strings.Fields("state "+args)...)
		if all, _ := os.ReadDir(dir); !strings.Contains(got.stdout+got.stderr, want) || readFile(t, dir, "stack.json") != bucketText || len(all) > 1 {
			t.Errorf("%s: %+v", args, got)
		}
	}
}
