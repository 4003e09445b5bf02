package main_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestStateLog: each change of a property is a line with the file that has it first.
func TestStateLog(t *testing.T) {
	at := func(day int, resources string) string {
		return fmt.Sprintf(`{"version":3,"deployment":{"manifest":{"time":"2026-01-%02dT00:00:00Z","magic":"","version":""},"resources":[%s]}}`, day, resources)
	}
	one := func(bag string) string {
		return `{"urn":"urn:pulumi:dev::shop::a:b:C::web","type":"a:b:C","custom":true,"id":"i","inputs":` + bag + `,"outputs":{"n":7}}`
	}
	secret := func(text string) string {
		return `{` + signature + `,` + text + `}`
	}
	dir := writeFiles(t, map[string]string{
		"1.json":   at(3, one(`{"n":1,"s":`+secret(`"plaintext":"{\"a\":\"canary1\"}"`)+`,"c":`+secret(`"ciphertext":"v1:a"`)+`}`)),
		"2.json":   at(2, one(`{"n":1,"s":`+secret(`"plaintext":"{\"a\":\"canary2\"}"`)+`,"c":`+secret(`"ciphertext":"v1:b"`)+`}`)),
		"3.json":   at(1, one(`{"n":[1,2],"s":"open"}`)),
		"4.json":   at(4, one(`{}`)),
		"5.json":   at(5, ``),
		"6.json":   at(6, one(`{"n":null}`)),
		"bad.json": `{}`,
	})
	const files = " 1.json 2.json 3.json 4.json 5.json 6.json"
	for args, want := range map[string]result{
		"web n" + files:              {"1.json: 1\n3.json: [1, 2]\n4.json: no such property\n5.json: no such resource\n6.json: null\n", "", 0},
		"--by-time web n" + files:    {"3.json: [1, 2]\n2.json: 1\n4.json: no such property\n5.json: no such resource\n6.json: null\n", "", 0},
		"i s.a" + files:              {"1.json: [secret]\n2.json: [secret]  # changed\n3.json: no such property\n5.json: no such resource\n6.json: no such property\n", "", 0},
		"web c" + files:              {"1.json: [secret]\n3.json: no such property\n5.json: no such resource\n6.json: no such property\n", "propalg state log: 1 file with another ciphertext: whether the secret changed is not known\n", 0},
		"--in outputs web n" + files: {"1.json: 7\n5.json: no such resource\n6.json: 7\n", "", 0},
		"web x 4.json":               {"4.json: no such property\n", "propalg state log: no file has x in the inputs of web\n", 1},
		"web n bad.json 1.json":      {"1.json: 1\n", "propalg state log: bad.json: neither stack export nor checkpoint\n", 2},
		"web n[ 1.json":              {"", "", 2},
		"web n":                      {"", "propalg state log: expected URN PATH FILE…, got 2 of them; try 'propalg state log --help'\n", 2},
		"-o json web n 1.json 4.json 5.json": {`{"file":"1.json","time":"2026-01-03T00:00:00Z","resource":true,"found":true,"value":1}
{"file":"4.json","time":"2026-01-04T00:00:00Z","resource":true,"found":false}
{"file":"5.json","time":"2026-01-05T00:00:00Z","resource":false,"found":false}
`, "", 0},
		"-o json web s.b 1.json": {`{"file":"1.json","time":"2026-01-03T00:00:00Z","resource":true,"found":true,"value":{` + signature + `,"masked":true}}` + "\n", "", 0},
	} {
		got := propalg(t, dir, "", append([]string{"state", "log"}, strings.Fields(args)...)...)
		if strings.Contains(args, "[ ") {
			got.stderr = ""
		}
		if got != want || strings.Contains(got.stdout, "canary") {
			t.Errorf("%s: %+v, want %+v", args, got, want)
		}
	}
}
