package main_test

import (
	"strings"
	"testing"
)

// TestSecretOutputs: outputs that a resource lists as secret are masked in every form of
// diff and of state show, and shown with --show-secrets.
func TestSecretOutputs(t *testing.T) {
	with := func(name, outputs string) string {
		return `{"urn":"urn:pulumi:dev::shop::a:b:C::` + name + `","type":"a:b:C","custom":true,"id":"i-` + name + `","additionalSecretOutputs":["pw","o"],"outputs":` + outputs + `}`
	}
	stack := func(pending string, resources ...string) string {
		return `{"version":3,"deployment":{"pending_operations":[{"type":"updating","resource":` + pending + `}],"resources":[` + strings.Join(resources, ",") + `]}}`
	}
	dir := writeFiles(t, map[string]string{
		"old.json": stack(with("p", `{"pw":"canary1"}`), with("a", `{"pw":"canary1","o":{"canary":1.2345678901234567891}}`), with("gone", `{"pw":"canary"}`)),
		"new.json": stack(with("p", `{"pw":"canary2"}`), with("a", `{"pw":"canary2","o":{"canary":[1.2345678901234567892]}}`), with("came", `{"o":["canary"]}`)),
	})
	runs := [][]string{
		{"diff", "-o", "text"},
		{"diff", "-o", "json"},
		{"diff", "-o", "html"},
		{"diff", "-o", "markdown"},
		{"diff", "--arrays", "positional"},
		{"state", "show", "-o", "text"},
		{"state", "show", "-o", "json"},
		{"state", "show", "--only", "outputs"},
		{"state", "show", "--only", "outputs", "-o", "text"},
	}
	for _, args := range runs {
		if args[0] == "diff" {
			args = append(args, "old.json", "new.json")
		} else {
			args = append(args, "old.json", "a")
		}
		got := propalg(t, dir, "", args...)
		if got.code == 2 || strings.Contains(got.stdout+got.stderr, "canary") || (!strings.Contains(got.stdout, "[secret]") && !strings.Contains(got.stdout, "masked")) {
			t.Errorf("%v: exit %d\n%s%s", args, got.code, got.stdout, got.stderr)
		}
		if got := propalg(t, dir, "", append(args, "--show-secrets")...); !strings.Contains(got.stdout, "canary") {
			t.Errorf("%v --show-secrets: exit %d\n%s%s", args, got.code, got.stdout, got.stderr)
		}
	}
	if got := propalg(t, dir, "", "state", "ls", "--holds", "canary", "old.json"); got.code != 1 || got.stdout != "" {
		t.Errorf("%+v", got)
	}
}

// TestMaskedHint: a file with masked secrets is refused with the flag that helps, once.
func TestMaskedHint(t *testing.T) {
	dir := writeFiles(t, map[string]string{"old.json": `{"a":1}`, "masked.json": `{"a":{` + signature + `,"masked":true},"b":{` + signature + `,"masked":true}}`})
	for _, args := range []string{"diff old.json masked.json", "merge old.json old.json masked.json", "ignore old.json masked.json a", "path get masked.json a"} {
		if got := propalg(t, dir, "", strings.Fields(args)...); got.code != 2 || strings.Count(got.stderr, "--show-secrets") != 1 {
			t.Errorf("%s: %+v", args, got)
		}
	}
}

// TestStatsOfSecretOutputs: the size of what a resource lists as secret is that of a mask,
// whatever it is, and it counts as one secret.
func TestStatsOfSecretOutputs(t *testing.T) {
	with := func(pw string) string {
		return `{"version":3,"deployment":{"resources":[{"urn":"urn:pulumi:dev::shop::a:b:C::a","type":"a:b:C","custom":true,"id":"i","additionalSecretOutputs":["pw"],"outputs":{"pw":` + pw + `}}]}}`
	}
	dir := writeFiles(t, map[string]string{"old.json": with(`"c"              `), "new.json": with(`[{"c":["a","n"]}]`)})
	for _, form := range []string{"text", "json"} {
		old := propalg(t, dir, "", "state", "stats", "-o", form, "old.json")
		if now := propalg(t, dir, "", "state", "stats", "-o", form, "new.json"); old != now || old.code != 0 {
			t.Errorf("%s\nand %s", old.stdout, now.stdout)
		}
		if want := map[string]string{"text": "1 secret (0", "json": `"secrets":1`}[form]; !strings.Contains(old.stdout, want) {
			t.Errorf("expected %s in %s", want, old.stdout)
		}
	}
}

// TestRoundedInSecret: what is said of rounded numbers does not tell how many are in a
// secret.
func TestRoundedInSecret(t *testing.T) {
	with := func(numbers string) string {
		return `{"a":1.2345678901234567891,"s":{` + signature + `,"plaintext":"[` + numbers + `]"}}`
	}
	for _, args := range []string{"diff bag.json none.json", "merge bag.json bag.json bag.json", "ignore bag.json bag.json a", "ignore -o json bag.json bag.json a"} {
		var got [2]result
		for i, numbers := range []string{"1.2345678901234567891", "1.2345678901234567891,1.2345678901234567892,1.2345678901234567893"} {
			dir := writeFiles(t, map[string]string{"bag.json": with(numbers), "none.json": "{}"})
			got[i] = propalg(t, dir, "", strings.Fields(args)...)
		}
		if got[0] != got[1] || !strings.Contains(got[0].stdout+got[0].stderr, "s[secret]") {
			t.Errorf("%s: with one number %+v\nwith three %+v", args, got[0], got[1])
		}
	}
}
