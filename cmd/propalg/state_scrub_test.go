package main_test

import (
	"os"
	"strings"
	"testing"
)

// TestStateScrub: the secrets of a state are in neither the file that is written nor what is
// said; the state itself stays, unless it is named.
func TestStateScrub(t *testing.T) {
	const (
		urn    = "urn:pulumi:dev::shop::a:b:C::"
		secret = `{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270",`
		begin  = `{"version":3,"deployment":{"secrets_providers":{"type":"passphrase","state":{"salt":"canary42"}},"resources":[`
		plain  = `{"urn":"` + urn + `a","type":"a:b:C","custom":true,"id":"1","inputs":{"s":` + secret + `"plaintext":"\"canary42\""},"c":"x canary42"}}`
		sealed = `{"urn":"` + urn + `b","type":"a:b:C","custom":true,"id":"2","inputs":{"s":` + secret + `"ciphertext":"canary42"}}}`
		named  = `{"urn":"` + urn + `canary42","type":"a:b:C","custom":true,"id":"3"}`
		says   = "- secrets_providers\n[scrubbed 1] " + urn + "a: inputs.s\n[scrubbed 2] " + urn + "a: inputs.c\n"
	)
	for name, row := range map[string]struct {
		args, records string
		code          int
		says          string
	}{
		"plain":   {"stack.json --out out.json", plain, 0, says + "out.json: 3 places replaced\n"},
		"sealed":  {"stack.json --out out.json", plain + "," + sealed, 0, "the texts of 1 encrypted secret are not looked for elsewhere; 'pulumi stack export --show-secrets' has them\n"},
		"left":    {"stack.json --out out.json", plain + "," + named, 1, says + "! resources[1].urn\nout.json: 3 places replaced; 1 place left with the text of a secret, in the lines with !\n"},
		"itself":  {"stack.json --out stack.json", plain, 0, "stack.json: 3 places replaced\n"},
		"dry":     {"stack.json --dry-run", plain, 0, "stack.json: not written: 3 places to replace\n"},
		"no out":  {"stack.json", plain, 2, "name the file to write with --out; try"},
		"stdout":  {"stack.json --out -", plain, 2, "stacks are not written to standard output"},
		"a form":  {"stack.json --out json", plain, 2, "it is a form"},
		"cut off": {"stack.json --out out.json", plain + "]}", 2, "stack.json: offset"},
	} {
		text := begin + row.records + "]}}\n"
		if name == "cut off" {
			text = begin + row.records
		}
		dir := writeFiles(t, map[string]string{"stack.json": text})
		got := propalg(t, dir, "", append([]string{"state", "scrub"}, strings.Fields(row.args)...)...)
		if got.code != row.code || !strings.Contains(got.stdout+got.stderr, row.says) || strings.Contains(got.stdout+got.stderr, "canary") {
			t.Errorf("%s: exit %d, not %d: %s%s", name, got.code, row.code, got.stdout, got.stderr)
		}
		if name != "itself" && readFile(t, dir, "stack.json") != text {
			t.Errorf("%s: the file changed", name)
		}
		out := "stack.json"
		if _, err := os.Stat(dir + "/out.json"); err == nil {
			out = "out.json"
		}
		wants := name == "itself" || (strings.Contains(row.args, "out.json") && row.code < 2)
		if wants != (out == "out.json" || name == "itself") {
			t.Errorf("%s: written is %s", name, out)
		}
		if now := readFile(t, dir, out); wants && strings.Count(now, "canary42") != strings.Count(row.says, "!")/2 {
			t.Errorf("%s: %s", name, now)
		}
		if !wants {
			continue
		}
		for _, args := range [][]string{{"state", "check", out}, {"diff", "--match", "stack", out, out}, {"state", "show", out, "a"}} {
			if got := propalg(t, dir, "", args...); got.code != 0 {
				t.Errorf("%s: %s: exit %d: %s%s", name, args, got.code, got.stdout, got.stderr)
			}
		}
	}
}
