package main_test

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// anotherStack returns a state as the same program would have made it in another stack and
// account: with other IDs of resources, accounts and generated suffixes, each the same wherever
// it stands.
func anotherStack(text, from string) string {
	text = regexp.MustCompile(`\b`+regexp.QuoteMeta(from)+`\b`).ReplaceAllString(text, "elsewhere")
	fresh := func(id, digits string) string {
		sum := sha256.Sum256([]byte(id))
		at := 0
		return strings.Map(func(r rune) rune {
			if !strings.ContainsRune(digits, r) {
				return r
			}
			at++
			return rune(digits[int(sum[at%len(sum)])%len(digits)])
		}, id)
	}
	for kind, digits := range map[string]string{
		`\b[0-9A-F]{32}\b`: "0123456789ABCDEF", `-[0-9a-f]{7}\b`: "0123456789abcdef",
		`\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b`: "0123456789abcdef",
	} {
		text = regexp.MustCompile(kind).ReplaceAllStringFunc(text, func(id string) string { return fresh(id, digits) })
	}
	for _, found := range regexp.MustCompile(`:(\d{12}):`).FindAllStringSubmatch(text, -1) {
		text = strings.ReplaceAll(text, found[1], fresh(found[1], "0123456789"))
	}
	for _, found := range regexp.MustCompile(`"id": ?"([a-z]+-0[0-9a-f]{16})"`).FindAllStringSubmatch(text, -1) {
		text = strings.ReplaceAll(text, found[1], found[1][:strings.IndexByte(found[1], '-')+1]+fresh(found[1], "0123456789abcdef")[strings.IndexByte(found[1], '-')+1:])
	}
	return text
}

// TestDiffAcrossRealStacks: of a real stack and the same program in another stack and account,
// nothing differs, and a change is found alone.
func TestDiffAcrossRealStacks(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/data/state-files/*.json")
	if len(files) == 0 {
		t.Skip("no ../shared/data/state-files beside the repository")
	}
	const size = `"maxSize": 2`
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		first := regexp.MustCompile(`urn:pulumi:([^:]+)::`).FindSubmatch(text)
		if first == nil {
			continue
		}
		other := anotherStack(string(text), string(first[1]))
		dir := writeFiles(t, map[string]string{"old.json": string(text), "same.json": other, "new.json": strings.ReplaceAll(other, size, `"maxSize": 7`)})
		if got := propalg(t, dir, "", "diff", "--match", "stack", "old.json", "same.json"); !strings.Contains(got.stdout, "Resources: 0 created, 0 deleted, 0 updated, ") {
			t.Errorf("%s: exit %d, %s\n%.3000s", filepath.Base(file), got.code, got.stderr, got.stdout)
		}
		n := strings.Count(string(text), size)
		if n == 0 {
			continue
		}
		got := propalg(t, dir, "", "diff", "--match", "stack", "old.json", "new.json")
		t.Logf("%s: %d places, %d lines\n%s", filepath.Base(file), n, strings.Count(got.stdout, "\n"), got.stdout)
		if got.code != 1 || strings.Count(got.stdout, "\n") > 25 {
			t.Errorf("exit %d, %d lines", got.code, strings.Count(got.stdout, "\n"))
		}
	}
}

// TestDiffAcrossNames: names of resources may have the name of the stack in them.
func TestDiffAcrossNames(t *testing.T) {
	stack := func(name, size string) string {
		return `{"version":3,"deployment":{"resources":[{"urn":"urn:pulumi:` + name + `::p::a:b:C::assets-` + name + `","type":"a:b:C","custom":true,"id":"assets-` + name +
			`","inputs":{"size":` + size + `}},{"urn":"urn:pulumi:` + name + `::p::a:b:C::dev","type":"a:b:C","custom":true,"id":"x"}]}}`
	}
	dir := writeFiles(t, map[string]string{"dev.json": stack("dev", "1"), "prod.json": stack("prod", "2")})
	const want = "~ a:b:C \"assets-prod\"\n    [urn=urn:pulumi:prod::p::a:b:C::assets-prod]\n    inputs:\n        ~ size: 1 => 2\nResources: 0 created, 0 deleted, 1 updated, 1 the same\n"
	if got := propalg(t, dir, "", "diff", "--match", "stack", "dev.json", "prod.json"); got.code != 1 || !strings.HasPrefix(got.stdout, want) {
		t.Errorf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}
