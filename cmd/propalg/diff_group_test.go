package main_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestDiffAlike: resources that change alike are one, in which each is named, and a new
// version of a provider is a line; default providers are last.
func TestDiffAlike(t *testing.T) {
	const urn = "urn:pulumi:s::p::"
	stack := func(version, tag string) string {
		var all []string
		add := func(kind, name, more string) {
			all = append(all, `{"urn":"`+urn+kind+"::"+name+`","type":"`+kind+`"`+more+`}`)
		}
		provider := urn + "pulumi:providers:aws::default_" + version
		add("pulumi:providers:aws", "default_"+version, `,"id":"`+version+`"`)
		for i := range 5 {
			add("t:i:R", fmt.Sprintf("r%d", i), `,"provider":"`+provider+`::x","inputs":{"n":1,"tag":"`+tag+`"}`)
		}
		add("t:i:Other", "o", `,"provider":"`+provider+`::x","inputs":{"n":2,"tag":"`+tag+`"}`)
		add("t:i:R", "lonely", `,"inputs":{"b":"`+tag+`"}`)
		add("t:i:R", "only", `,"provider":"`+provider+`::x"`)
		add("t:i:R", "hidden", `,"inputs":{"pw":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","plaintext":"\"canary`+tag+`\""}}`)
		return `{"version":3,"deployment":{"resources":[` + strings.Join(all, ",") + `]}}`
	}
	dir := writeFiles(t, map[string]string{"old.json": stack("6_38_0", "a"), "new.json": stack("6_56_1", "b")})

	text := propalg(t, dir, "", "diff", "old.json", "new.json").stdout
	for _, want := range []string{
		"~ 6 resources\n", "[urn=" + urn + "t:i:R::r4]\n", "[urn=" + urn + "t:i:Other::o]\n    inputs:\n        ~ tag: \"a\" => \"b\"\n",
		"Provider aws 6.38.0 → 6.56.1: 7 resources\n", "Resources: 1 created, 1 deleted, 9 updated, 0 the same\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, `"only"`) || strings.Count(text, "~ tag") != 1 || strings.Contains(text, "canary") || strings.Index(text, "providers:aws") < strings.Index(text, "hidden") {
		t.Error(text)
	}
	if text = propalg(t, dir, "", "diff", "--all", "old.json", "new.json").stdout; !strings.Contains(text, `t:i:R "only"`) || strings.Contains(text, "Provider aws") {
		t.Errorf("with --all:\n%s", text)
	}

	if text = propalg(t, dir, "", "diff", "--ignore", "state.provider", "old.json", "new.json").stdout; strings.Contains(text, "Provider aws") {
		t.Errorf("what is ignored is said:\n%s", text)
	}

	text = propalg(t, dir, "", "diff", "-o", "markdown", "old.json", "new.json").stdout
	for _, want := range []string{"9 updated", "| `6 resources` | updated: `tag` |", "`" + urn + "t:i:R::r3`\n", "Provider aws 6.38.0 → 6.56.1: 7 resources."} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "…") || strings.Contains(text, "Left out") {
		t.Errorf("something is left out:\n%s", text)
	}
	if text = propalg(t, dir, "", "diff", "-o", "html", "old.json", "new.json").stdout; strings.Count(text, "like 5 others") != 6 {
		t.Errorf("%d are like others", strings.Count(text, "like 5 others"))
	}
	if text = propalg(t, dir, "", "diff", "-o", "json", "old.json", "new.json").stdout; strings.Count(text, `"change":"update"`) != 9 {
		t.Error(text)
	}
}
