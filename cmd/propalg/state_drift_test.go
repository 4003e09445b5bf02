package main_test

import (
	"strings"
	"testing"
)

// driftStack is a stack of resources whose outputs are not what their inputs set.
func driftStack() string {
	one := func(name, more, inputs, outputs string) string {
		return `{"urn":"urn:pulumi:dev::shop::aws:s3/bucket:Bucket::` + name + `","type":"aws:s3/bucket:Bucket","custom":true,"id":"i-` + name + `"` + more + `,"inputs":` + inputs + `,"outputs":` + outputs + `}`
	}
	secret := func(text string) string { return `{` + signature + `,"plaintext":"\"` + text + `\""}` }
	return `{"version":3,"deployment":{"resources":[` + strings.Join([]string{
		one("same", "", `{"a":1,"gone":1}`, `{"a":1,"b":2}`),
		one("web", "", `{"tags":{"env":"dev"},"acl":"private"}`, `{"tags":{"env":"prod","by":"hand"},"acl":"private"}`),
		one("db", "", `{"pw":`+secret("canary1")+`,"size":1}`, `{"pw":`+secret("canary2")+`,"size":2}`),
		one("old", `,"delete":true`, `{"a":1}`, `{"a":2}`),
		one("sealed", "", `{"pw":{`+signature+`,"ciphertext":"v1:a"}}`, `{"pw":{`+signature+`,"ciphertext":"v1:b"}}`),
		`{"urn":"urn:pulumi:dev::shop::my:C:C::c","type":"my:C:C","inputs":{"a":1},"outputs":{"a":2}}`,
	}, ",") + `]}}`
}

// TestStateDrift: each resource whose outputs differ from what its inputs set is listed, with the
// places, and no secret.
func TestStateDrift(t *testing.T) {
	dir := writeFiles(t, map[string]string{"s.json": driftStack(), "clean.json": stackHaving(t, `a/1{"n":1}`), "bag.json": `{}`})
	const (
		web = `~ aws:s3/bucket:Bucket "web"
    [urn=urn:pulumi:dev::shop::aws:s3/bucket:Bucket::web]
    ~ tags: {
        ~ env: "dev" => "prod"
      }
`
		db = `~ aws:s3/bucket:Bucket "db"
    [urn=urn:pulumi:dev::shop::aws:s3/bucket:Bucket::db]
    ~ pw  : [secret] => [secret]
    ~ size: 1 => 2
`
		not = "; not compared: 1 input that outputs do not have, 1 value that cannot be compared, such as encrypted secrets\n"
	)
	for args, want := range map[string]result{
		"s.json":                     {web + db + "Resources: 2 differ from their inputs, 2 the same" + not, "", 1},
		"--ignore tags.env s.json":   {db + "Resources: 1 differ from their inputs, 3 the same" + not, "", 1},
		"--name web s.json":          {web + "Resources: 1 differ from their inputs, 0 the same\n", "", 1},
		"clean.json":                 {"Resources: 0 differ from their inputs, 1 the same\n", "", 0},
		"--where id=none clean.json": {"Resources: 0 differ from their inputs, 0 the same\n", "", 0},
		"clean.json bag.json":        {"Resources: 0 differ from their inputs, 1 the same\n", "propalg state drift: bag.json: neither stack export nor checkpoint\n", 2},
		"--ignore x clean.json":      {"Resources: 0 differ from their inputs, 1 the same\n", "propalg state drift: the pattern x of --ignore matches no change\n", 0},
		"-o json s.json": {`{"urn":"urn:pulumi:dev::shop::aws:s3/bucket:Bucket::web","type":"aws:s3/bucket:Bucket","name":"web","id":"i-web","changes":[{"at":"tags.env","input":"dev","output":"prod"}]}
{"urn":"urn:pulumi:dev::shop::aws:s3/bucket:Bucket::db","type":"aws:s3/bucket:Bucket","name":"db","id":"i-db","changes":[{"at":"pw","secret":true},{"at":"size","input":1,"output":2}]}
`, "", 1},
	} {
		if got := propalg(t, dir, "", append([]string{"state", "drift"}, strings.Fields(args)...)...); got != want || strings.Contains(got.stdout, "canary") {
			t.Errorf("%s: %+v, want %+v", args, got, want)
		}
	}
	got := propalg(t, dir, "", "state", "drift", "s.json", "clean.json")
	for _, line := range strings.Split(strings.TrimSuffix(got.stdout, "\n"), "\n")[:10] {
		if !strings.HasPrefix(line, "s.json: ") && !strings.HasPrefix(line, "Resources: ") {
			t.Errorf("no file in %q", line)
		}
	}
}
