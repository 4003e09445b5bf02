package main_test

import (
	"strings"
	"testing"
)

// TestStateTwins: where resources have one URN, and the same ID or none, each can be shown,
// changed and removed by its position, and a reference to nothing is in no one's way.
func TestStateTwins(t *testing.T) {
	const (
		urn   = "urn:pulumi:dev::shop::a:b:C::"
		first = `{"urn":"` + urn + `a","type":"a:b:C","custom":true,"id":"i","parent":"` + urn + `gone","dependencies":[""]}`
		twin  = `{"urn":"` + urn + `a","type":"a:b:C","custom":true,"id":"i","outputs":{"n":2}}`
		user  = `{"urn":"` + urn + `b","type":"a:b:C","dependencies":["` + urn + `a","` + urn + `gone"]}`
		odd   = `{"urn":"` + urn + `b#1","type":"a:b:C","inputs":{"n":4}}`
		text  = `{"version":3,"deployment":{"resources":[` + first + `,` + twin + `,` + user + `,` + odd + `]}}`
		note  = urn + "a: 2 resources have this URN, which engines refuse; #1, #2 and so on after it name each"
	)
	for args, row := range map[string]struct {
		code        int
		say         string // in the output, in its order
		left, right string // in the file
	}{
		"show FILE " + urn + "a":                   {0, "parent: " + urn + "gone\n    depends on: \"\"\n|" + note, "", ""},
		"show FILE a":                              {0, "parent: " + urn + "gone|" + note, "", ""},
		"show FILE i":                              {0, "parent: " + urn + "gone|" + note, "", ""},
		"show FILE " + urn + "a#2":                 {0, "n: 2\n", "", ""},
		"show FILE a#2":                            {0, "n: 2\n", "", ""},
		"show FILE " + urn + "a#3":                 {2, "no resource is named " + urn + "a#3", "", ""},
		"show FILE a#3":                            {2, "no resource is named " + urn + "a#3", "", ""},
		"show FILE " + urn + "b#1":                 {0, "n: 4\n", "", ""},
		"show FILE b#1":                            {0, "n: 4\n", "", ""},
		"rm FILE " + urn + "a":                     {2, "name one by its position, as " + urn + "a#1 or " + urn + "a#2", "", ""},
		"rm FILE " + urn + "a::i":                  {2, "name one by its position, as " + urn + "a#1 or " + urn + "a#2", "", ""},
		"rm FILE i":                                {2, "name one by its position, as " + urn + "a#1 or " + urn + "a#2", "", ""},
		"rm FILE " + urn + "a#1":                   {0, "1 resource removed", first + ",", ""},
		"rm FILE a#2":                              {0, "1 resource removed|a#2 is " + urn + "a#2", twin + ",", ""},
		"rm FILE a#1 " + urn + "a#2":               {2, "cannot remove " + urn + "a#1 and 1 more: 1 resource depends on it", "", ""},
		"rm FILE b":                                {0, "1 resource removed", user + ",", ""},
		"rm FILE b#1":                              {0, "1 resource removed", "," + odd, ""},
		"set FILE --in outputs " + urn + "a#2 n 3": {0, "1 place changed", `{"n":2}`, `{"n":3}`},
		"set FILE a#2 --secret n":                  {0, "1 place changed", `{"n":2}`, `{"n":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","plaintext":"2"}}`},
		"mv FILE a c":                              {0, "3 places changed", "::a\"", "::c\""},
		"mv FILE --stack dev prod":                 {0, "changed", ":dev:", ":prod:"},
	} {
		dir := writeFiles(t, map[string]string{"stack.json": text})
		got := propalg(t, dir, "", strings.Fields("state "+strings.Replace(args, "FILE", "stack.json", 1))...)
		rest := got.stdout + got.stderr
		for want := range strings.SplitSeq(row.say, "|") {
			_, after, isThere := strings.Cut(rest, want)
			if !isThere {
				t.Errorf("%s: %+v; no %q", args, got, want)
			}
			rest = after
		}
		if got.code != row.code {
			t.Errorf("%s: exit %d, %s%s", args, got.code, got.stdout, got.stderr)
		}
		want := text
		if row.left != "" {
			want = strings.ReplaceAll(text, row.left, row.right)
		}
		if now := readFile(t, dir, "stack.json"); now != want {
			t.Errorf("%s: %s", args, now)
		}
	}
}

// TestStateSetNames: the new parent and provider of a resource may be named like any.
func TestStateSetNames(t *testing.T) {
	const stack = "urn:pulumi:dev::shop::"
	text := `{"version":3,"deployment":{"resources":[{"urn":"` + stack + `pulumi:providers:a::p","type":"pulumi:providers:a","custom":true,"id":"1"},` +
		`{"urn":"` + stack + `a:b:C::up","type":"a:b:C"},{"urn":"` + stack + `a:b:C::x","type":"a:b:C","custom":true,"id":"i"}]}}`
	for args, want := range map[string]string{
		"--parent up":  `"id":"i","parent":"` + stack + `a:b:C::up"`,
		"--provider p": `"id":"i","provider":"` + stack + `pulumi:providers:a::p::1"`,
		"--provider " + stack + "pulumi:providers:a::p":    `"id":"i","provider":"` + stack + `pulumi:providers:a::p::1"`,
		"--provider " + stack + "pulumi:providers:a::p::1": `"id":"i","provider":"` + stack + `pulumi:providers:a::p::1"`,
		"--provider none": "",
	} {
		dir := writeFiles(t, map[string]string{"stack.json": text})
		got := propalg(t, dir, "", append(strings.Fields("state set stack.json x"), strings.Fields(args)...)...)
		now := readFile(t, dir, "stack.json")
		if (got.code == 0) != (want != "") || !strings.Contains(now, want) || (want == "" && now != text) {
			t.Errorf("%s: %+v\n%s", args, got, now)
		}
	}
}
