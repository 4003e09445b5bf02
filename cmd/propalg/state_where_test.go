package main_test

import (
	"strings"
	"testing"
)

// whereText is a stack with two versions of a provider, one of which made nothing.
func whereText() string {
	const at = "urn:pulumi:dev::shop::"
	provider := func(name, inputs string) string {
		return `{"urn":"` + at + `pulumi:providers:aws::` + name + `","id":"1","custom":true,"type":"pulumi:providers:aws","inputs":` + inputs + `}`
	}
	rows := []string{
		`{"urn":"` + at + `pulumi:pulumi:Stack::root","type":"pulumi:pulumi:Stack"}`,
		provider("old", `{"version":"5.43.0"}`), provider("new", `{"version":"6.38.1"}`), provider("idle", `{"version":"6.0.0-beta.1"}`), provider("bare", `{}`),
		`{"urn":"` + at + `x:y:Z::net","type":"x:y:Z","parent":"` + at + `pulumi:pulumi:Stack::root"}`,
		`{"urn":"` + at + `x:y:Z$aws:rds/instance:Instance::db","id":"db-1","custom":true,"type":"aws:rds/instance:Instance","protect":true,"parent":"` + at + `x:y:Z::net","provider":"` + at + `pulumi:providers:aws::old::1"}`,
		`{"urn":"` + at + `aws:s3/bucket:Bucket::logs","id":"logs","custom":true,"type":"aws:s3/bucket:Bucket","parent":"` + at + `pulumi:pulumi:Stack::root","provider":"` + at + `pulumi:providers:aws::new::1"}`,
		`{"urn":"` + at + `aws:s3/bucket:Bucket::lost","id":"lost","custom":true,"type":"aws:s3/bucket:Bucket","retainOnDelete":true,"provider":"` + at + `pulumi:providers:aws::bare::1"}`,
		`{"urn":"` + at + `old:b:C::early","id":"1","custom":true,"type":"old:b:C","parent":"` + at + `x:y:Z::net"}`,
		`{"urn":"` + at + `a:b:C::one","type":"a:b:C","parent":"` + at + `a:b:C::two"}`,
		`{"urn":"` + at + `a:b:C::two","type":"a:b:C","parent":"` + at + `a:b:C::one"}`,
		`{"urn":"` + at + `a:b:C::gone","type":"a:b:C","parent":"` + at + `a:b:C::nobody"}`,
	}
	return `{"version":3,"deployment":{"resources":[` + strings.Join(rows, ",") + `]}}`
}

// TestWhere: which resources the flags of state ls choose.
func TestWhere(t *testing.T) {
	dir := writeFiles(t, map[string]string{"s.json": whereText()})
	for args, want := range map[string]string{
		"--type aws:*":                                "db logs lost",
		"--type aws:rds/* --type x:y:Z":               "net db",
		"--name l*":                                   "logs lost",
		"--name l* --name db --type *Bucket":          "logs lost",
		"--type aws:* --where protect=false":          "logs lost",
		"--where protect=true":                        "db",
		"--where retainOnDelete=true --where id=lost": "lost",
		"--where parent=*::root":                      "net logs",
		"--where parent= --where custom=true":         "old new idle bare lost",
		"--where parent=*":                            "net db logs early one two gone",
		"--where provider=* --where id=*":             "db logs lost",
		"--where id=":                                 "root net one two gone",
		"--where urn=*::root":                         "root",
		"--where type=x:y:Z":                          "net",
		"--provider aws":                              "old new idle bare db logs lost",
		"--provider aws@5":                            "old db",
		"--provider aws@<6":                           "old db",
		"--provider aws@<=6":                          "old new idle db logs",
		"--provider aws@>5":                           "new idle logs",
		"--provider aws@>6":                           "",
		"--provider aws@6.38":                         "new logs",
		"--provider aws@>=6.38.2":                     "",
		"--provider aws@<6.0.0":                       "old idle db",
		"--provider aws@<6 --provider aws@6.38":       "old new db logs",
		"--provider aws@=5.43.0":                      "old db",
		"--provider old":                              "early",
		"--provider old@1":                            "",
		"--provider gcp":                              "",
	} {
		got := propalg(t, dir, "", append(strings.Fields("state ls s.json"), strings.Fields(args)...)...)
		var names []string
		for line := range strings.Lines(got.stdout) {
			_, rest, _ := strings.Cut(line, `"`)
			name, _, _ := strings.Cut(rest, `"`)
			names = append(names, name)
		}
		if strings.Join(names, " ") != want || got.code != map[bool]int{want == "": 1}[true] {
			t.Errorf("%s: %+v, want %s", args, got, want)
		}
		if said := strings.Contains(got.stderr, "s.json: 2 resources not listed, since the file does not say the version"); said != strings.Contains(args, "aws@") {
			t.Errorf("%s: %s", args, got.stderr)
		}
	}

	for args, want := range map[string]string{
		"--where protect":        "expected MEMBER=VALUE, such as protect=false",
		"--where protect=no":     "protect is true or false",
		"--where protected=true": `no member of resources that is true or false, or a text, is called "protected" (did you mean protect?)`,
		"--where inputs=x":       "no member of resources",
		"--provider @6":          "expected the name of a package",
		"--provider aws@":        "expected a version of up to three numbers",
		"--provider aws@6.x":     "expected a version of up to three numbers",
		"--provider aws@1.2.3.4": "expected a version of up to three numbers",
		"--provider aws@6-b":     "expected a version of up to three numbers",
		"--tree -o json":         "--tree is for text",
	} {
		got := propalg(t, dir, "", append(strings.Fields("state ls s.json"), strings.Fields(args)...)...)
		if got.code != 2 || got.stdout != "" || !strings.Contains(got.stderr, want) || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: %+v, want %s", args, got, want)
		}
	}
}

// TestTree: resources stand below their parents, those that have none or are their own
// ancestors are not lost.
func TestTree(t *testing.T) {
	dir := writeFiles(t, map[string]string{"s.json": whereText(), "t.json": whereText()})
	for args, want := range map[string]string{
		"": `pulumi:pulumi:Stack "root"  (component)
  x:y:Z "net"  (component)
    aws:rds/instance:Instance "db"  id "db-1"  (protected)
    old:b:C "early"  id "1"
  aws:s3/bucket:Bucket "logs"  id "logs"
pulumi:providers:aws "old"  id "1"
pulumi:providers:aws "new"  id "1"
pulumi:providers:aws "idle"  id "1"
pulumi:providers:aws "bare"  id "1"
aws:s3/bucket:Bucket "lost"  id "lost"  (retained on deletion)
a:b:C "gone"  (component)
a:b:C "one"  (component)
  a:b:C "two"  (component)
`,
		" --name db --name two": `pulumi:pulumi:Stack "root"  (component)
  x:y:Z "net"  (component)
    aws:rds/instance:Instance "db"  id "db-1"  (protected)
a:b:C "one"  (component)
  a:b:C "two"  (component)
`,
		" --holds 5.43 t.json": `s.json: pulumi:providers:aws "old"  id "1"
s.json:     inputs: version
t.json: pulumi:providers:aws "old"  id "1"
t.json:     inputs: version
`,
	} {
		if got := propalg(t, dir, "", strings.Fields("state ls --tree s.json"+args)...); got.stdout != want || got.code != 0 || got.stderr != "" {
			t.Errorf("%s: %+v, want %s", args, got, want)
		}
	}
}

// TestProviderVersions: stats counts what each version of a provider made.
func TestProviderVersions(t *testing.T) {
	dir := writeFiles(t, map[string]string{"s.json": whereText()})
	const want = `"providers":[{"package":"aws","count":1},{"package":"aws","version":"5.43.0","count":1},{"package":"aws","version":"6.0.0-beta.1","count":0},{"package":"aws","version":"6.38.1","count":1},{"package":"old","count":1}]`
	if got := propalg(t, dir, "", "state", "stats", "-o", "json", "s.json"); !strings.Contains(got.stdout, want) {
		t.Errorf("%s", got.stdout)
	}
	if got := propalg(t, dir, "", "state", "stats", "s.json"); !strings.Contains(got.stdout, "\nproviders       1  aws of no version\n                1  aws 5.43.0\n                0  aws 6.0.0-beta.1\n") {
		t.Errorf("%s", got.stdout)
	}
}
