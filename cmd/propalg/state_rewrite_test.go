package main_test

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	bucketURN  = "urn:pulumi:dev::shop::aws:s3/bucketV2:BucketV2::assets"
	bucketText = `{"version":3,"deployment":{"resources":[
 {"urn":"` + bucketURN + `","custom":true,"id":"i","type":"aws:s3/bucketV2:BucketV2","inputs":{"a":{"b":[1,2]}}},
 {"urn":"urn:pulumi:dev::shop::a:b:C::n","type":"a:b:C","dependencies":["` + bucketURN + `"]}
],"pending_operations":[{"type":"creating","resource":{"urn":"urn:pulumi:dev::shop::a:b:C::m","type":"a:b:C"}}]}}
`
)

// TestStateRewrite: the commands change a file in its place, or write another one, and
// leave nothing behind.
func TestStateRewrite(t *testing.T) {
	for name, row := range map[string]struct {
		args, stdin string
		replace     []string // in the text of the file
		says        string
	}{
		"mv":         {"mv FILE " + bucketURN + " files", "", []string{"::assets", "::files"}, "2 places changed"},
		"mv to URN":  {"mv FILE " + bucketURN + " " + strings.Replace(bucketURN, "assets", "files", 1), "", []string{"::assets", "::files"}, "2 places changed"},
		"mv stack":   {"mv --stack FILE dev prod", "", []string{":dev:", ":prod:"}, "4 places changed"},
		"mv project": {"mv --project FILE shop store", "", []string{":shop:", ":store:"}, "4 places changed"},
		"rm":         {"rm FILE urn:pulumi:dev::shop::a:b:C::n", "", []string{",\n {\"urn\":\"urn:pulumi:dev::shop::a:b:C::n\",\"type\":\"a:b:C\",\"dependencies\":[\"" + bucketURN + "\"]}", ""}, "1 resource removed"},
		"rm pending": {"rm --pending FILE", "", []string{`[{"type":"creating","resource":{"urn":"urn:pulumi:dev::shop::a:b:C::m","type":"a:b:C"}}]`, "[]"}, "1 pending operation removed"},
		"rm deeper":  {"rm --deeper 6 FILE", "", []string{`[1,2]`, "null"}, "1 place changed"},
		"set":        {"set FILE " + bucketURN + " a.b[1] 3", "", []string{`[1,2]`, "[1,3]"}, "1 place changed"},
		"set stdin":  {"set --secret FILE " + bucketURN + " a.b -", `"x"`, []string{`[1,2]`, `{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","plaintext":"\"x\""}`}, "1 place changed"},
		"set secret": {"set --secret FILE " + bucketURN + " a", "", []string{`{"b":[1,2]}`, `{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","plaintext":"{\"b\":[1,2]}"}`}, "1 place changed"},
		"remove":     {"set --remove FILE " + bucketURN + " a.b[0]", "", []string{`[1,2]`, "[2]"}, "1 place changed"},
		"protect":    {"protect FILE " + bucketURN, "", []string{`BucketV2","inputs"`, `BucketV2","protect":true,"inputs"`}, "1 resource changed"},
		"all":        {"protect --all FILE", "", []string{`BucketV2","inputs"`, `BucketV2","protect":true,"inputs"`, `"a:b:C","dep`, `"a:b:C","protect":true,"dep`}, "2 resources changed"},
		"by type":    {"protect --type a:* FILE", "", []string{`"a:b:C","dep`, `"a:b:C","protect":true,"dep`}, "1 resource changed"},
		"unprotect":  {"unprotect FILE " + bucketURN, "", nil, "0 resources changed"},
		"set taint":  {"set --taint FILE " + bucketURN, "", []string{`BucketV2","inputs"`, `BucketV2","taint":true,"inputs"`}, "1 place changed"},
		"set ID":     {"set FILE " + bucketURN + " --id j --delete=false --delete", "", []string{`"id":"i"`, `"id":"j"`, `BucketV2","inputs"`, `BucketV2","delete":true,"inputs"`}, "2 places changed"},
		"set parent": {"set FILE urn:pulumi:dev::shop::a:b:C::n --parent " + bucketURN, "", []string{`"a:b:C","dep`, `"a:b:C","parent":"` + bucketURN + `","dep`}, "1 place changed"},
		"set type":   {"set FILE " + bucketURN + " --type a:b:D --id j", "", []string{"aws:s3/bucketV2:BucketV2", "a:b:D", `"id":"i"`, `"id":"j"`}, "4 places changed"},
		"outputs":    {"set --in outputs FILE " + bucketURN + " a 1", "", []string{`[1,2]}}`, `[1,2]}},"outputs":{"a":1}`}, "1 place changed"},
	} {
		want := strings.NewReplacer(row.replace...).Replace(bucketText)
		for _, other := range []string{"", "other.json"} {
			dir := writeFiles(t, map[string]string{"stack.json": bucketText})
			args := strings.Fields(strings.Replace("state "+row.args, "FILE", "stack.json", 1))
			read, changed := bucketText, "stack.json"
			if other != "" {
				args, changed = append(args, "--out", other), other
			} else {
				read = want
			}
			if err := os.Chmod(filepath.Join(dir, "stack.json"), 0o640); err != nil { //nolint:gosec // to see that it is kept
				t.Fatal(err)
			}
			got := propalg(t, dir, row.stdin, args...)
			if got.code != 0 || got.stdout != changed+": "+row.says+"\n" || got.stderr != "" {
				t.Errorf("%s: exit %d, %s%s", name, got.code, got.stdout, got.stderr)
			}
			if text := readFile(t, dir, changed); text != want {
				t.Errorf("%s: %s", name, text)
			}
			if text := readFile(t, dir, "stack.json"); text != read {
				t.Errorf("%s: the file that was read is now %s", name, text)
			}
			info, err := os.Stat(filepath.Join(dir, changed))
			if wantMode := map[string]os.FileMode{"": 0o640, "other.json": 0o600}[other]; err != nil || (runtime.GOOS != "windows" && info.Mode() != wantMode) {
				t.Errorf("%s: %v, %v", name, info, err)
			}
			if all, _ := os.ReadDir(dir); len(all) > 2 || (other == "" && len(all) > 1) {
				t.Errorf("%s: left behind: %v", name, all)
			}
		}
	}
}

func readFile(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestEmptyNames: an empty name, as of a variable that is not set, names no resource and is
// no new name.
func TestEmptyNames(t *testing.T) {
	one := `{"version":3,"deployment":{"resources":[{"urn":"` + bucketURN + `","type":"aws:s3/bucketV2:BucketV2"}]}}`
	dir := writeFiles(t, map[string]string{"stack.json": one})
	for _, args := range [][]string{
		{"state", "mv", "stack.json", "assets", ""},
		{"state", "mv", "stack.json", "assets", strings.TrimSuffix(bucketURN, "assets")},
		{"state", "mv", "stack.json", "", "files"},
		{"state", "mv", "--stack", "stack.json", "dev", ""},
		{"state", "mv", "--project", "stack.json", "shop", ""},
		{"state", "rm", "stack.json", ""},
		{"state", "set", "stack.json", "", "a", "1"},
		{"state", "show", "stack.json", ""},
		{"urn", "build", "--stack", "", bucketURN},
		{"urn", "build", "--project", "", bucketURN},
		{"urn", "build", "--type", "", bucketURN},
		{"urn", "build", "--name", "", bucketURN},
	} {
		got := propalg(t, dir, "", args...)
		if got.code != 2 || got.stdout != "" || !strings.Contains(got.stderr, " is empty; try") || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%q: %+v", args, got)
		}
	}
	if text := readFile(t, dir, "stack.json"); text != one {
		t.Errorf("the file is now %s", text)
	}
}

// TestStateRewriteRefused: bad usage and edits that do not fit say why, and change nothing.
func TestStateRewriteRefused(t *testing.T) {
	for args, want := range map[string]string{
		"rm stack.json " + bucketURN:          "urn:pulumi:dev::shop::a:b:C::n depends on it (dependencies)\npropalg state rm: stack.json: cannot remove " + bucketURN + ": 1 resource depends on it; --dependents removes those too\n",
		"rm stack.json assets":                "cannot remove " + bucketURN + ": 1 resource depends on it",
		"rm stack.json none":                  `stack.json: no resource has "none" in its URN`,
		"rm stack.json urn":                   `stack.json: 2 resources have "urn" in name, ID or URN, say more of it: ` + bucketURN,
		"rm stack.json":                       "nothing to remove",
		"rm none.json x":                      "none.json: no such file",
		"rm cut.json --pending":               "cut.json: line 3",
		"rm bag.json x":                       "bag.json: neither stack export nor checkpoint",
		"rm - x":                              "standard output",
		"rm stack.json --out - x":             "standard output",
		"rm stack.json --out . n":             ".: not a regular file",
		"rm stack.json --out none/x n":        "no such file",
		"mv stack.json --stack --project a b": "cannot be combined",
		"mv stack.json --stack prod x":        "no resource is of the stack prod",
		"mv stack.json " + bucketURN + " urn:pulumi:prod::shop::a:b:C::n":         "differs in more than its name",
		"mv stack.json assets urn:pulumi:prod::shop::a:b:C::n":                    "differs in more than its name",
		"set stack.json " + bucketURN + " a":                                      "expected VALUE",
		"set stack.json " + bucketURN + " a text":                                 "VALUE, which is JSON",
		"set stack.json " + bucketURN + " a[ 1":                                   `set: "a[": offset 2: expected index`,
		"set stack.json " + bucketURN + " c.d 1":                                  "inputs: cannot edit: c.d: there is no such property",
		"set --remove --secret stack.json " + bucketURN + " a":                    "cannot be combined",
		"set --in both --remove stack.json " + bucketURN + " a":                   "outputs: cannot edit: a: there is no such property",
		"set stack.json " + strings.Replace(bucketURN, "assets", "x", 1) + " a 1": "no resource is named",

		"protect stack.json":                                            "no resource is named; --all is for all",
		"protect --all stack.json n":                                    "cannot be combined",
		"protect --all --type a:* stack.json":                           "cannot be combined",
		"protect --type none stack.json":                                "stack.json: no resource is what the flags say",
		"protect stack.json urn":                                        `stack.json: 2 resources have "urn" in name, ID or URN`,
		"protect --all -":                                               "standard output",
		"protect --all cut.json":                                        "cut.json: line 3",
		"unprotect --where protect=no stack.json":                       "protect is true or false",
		"set stack.json n":                                              "expected FILE URN PATH [VALUE], got 2 of them",
		"set stack.json n --taint a":                                    "cannot be combined",
		"set stack.json n --taint --in both":                            "cannot be combined",
		"set stack.json n --type a:b:D v":                               "cannot be combined",
		"set stack.json n --type Bucket":                                "the type Bucket is not package:module:name",
		"set stack.json n#1 --type a:b:D":                               "renamed together",
		"set stack.json n type 1":                                       "--type changes the member of the resource",
		"set stack.json n --taint=1":                                    "expected true or false",
		"set stack.json n --id x":                                       "n is a component, which has no ID",
		"set stack.json n --id=":                                        "id is a text in UTF-8 that is not empty",
		"set stack.json assets --parent urn:pulumi:a::b::c:d::e":        "no parent urn:pulumi:a::b::c:d::e is in the file",
		"set stack.json assets --parent urn:pulumi:dev::shop::a:b:C::n": "n does not come before it",
	} {
		files := map[string]string{"stack.json": bucketText, "cut.json": bucketText[:300], "bag.json": `{"a":1}`}
		dir := writeFiles(t, files)
		got := propalg(t, dir, bucketText, strings.Fields("state "+args)...)
		if got.code != 2 || got.stdout != "" || !strings.Contains(got.stderr, want) || strings.Count(got.stderr, "\n") != 1+strings.Count(got.stderr, "depends on it (") {
			t.Errorf("%s: exit %d, %s%s", args, got.code, got.stdout, got.stderr)
		}
		all, _ := os.ReadDir(dir)
		for _, f := range all {
			if text := readFile(t, dir, f.Name()); text != files[f.Name()] {
				t.Errorf("%s: %s is %s", args, f.Name(), text)
			}
		}
	}
}

// TestStateRewriteNames: a resource is named as for state show, and messages say which it
// is.
func TestStateRewriteNames(t *testing.T) {
	for name, row := range map[string]struct{ args, replace, with, say string }{
		"name":    {"mv stack.json assets files", "::assets", "::files", "assets is " + bucketURN},
		"ID":      {"set stack.json i a 1", `{"b":[1,2]}`, "1", "i is " + bucketURN},
		"part":    {"set --in both --secret stack.json BucketV2 k 1", `"inputs":{"a":{"b":[1,2]}}`, `"inputs":{"a":{"b":[1,2]},"k":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","plaintext":"1"}},"outputs":{"k":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","plaintext":"1"}}`, "BucketV2 is " + bucketURN},
		"deleted": {"rm deleted.json old", `{"urn":"` + bucketURN + `","custom":true,"id":"old","delete":true,"type":"aws:s3/bucketV2:BucketV2"},`, "", "old is " + bucketURN + "::old"},
	} {
		deleted := strings.Replace(bucketText, "[\n ", "[\n {\"urn\":\""+bucketURN+`","custom":true,"id":"old","delete":true,"type":"aws:s3/bucketV2:BucketV2"},`, 1)
		files := map[string]string{"stack.json": bucketText, "deleted.json": deleted}
		dir := writeFiles(t, files)
		got := propalg(t, dir, "", strings.Fields("state "+row.args)...)
		file := strings.Fields(row.args)[slices.IndexFunc(strings.Fields(row.args), func(s string) bool { return strings.HasSuffix(s, ".json") })]
		if got.code != 0 || !strings.HasSuffix(got.stderr, ": "+row.say+"\n") || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: exit %d, %s%s", name, got.code, got.stdout, got.stderr)
		}
		if text, want := readFile(t, dir, file), strings.ReplaceAll(files[file], row.replace, row.with); text != want {
			t.Errorf("%s: %s\nwant %s", name, text, want)
		}
	}
}

// TestStateRewriteGzip: a packed file stays packed, and another one is if its name says so.
func TestStateRewriteGzip(t *testing.T) {
	for _, row := range []struct {
		in, flag, out string
		isPacked      bool // what is written
	}{
		{"stack.json.gz", "", "", true},
		{"packed.json", "", "", true}, // whatever its name
		{"plain.gz", "", "", false},
		{"stack.json.gz", "--out", "other.json", false},
		{"stack.json.gz", "--out", "other.json.gz", true},
		{"plain.gz", "--out", "other.json.gz", true},
		{"packed.json", "--out", "packed.json", true},
	} {
		dir := writeFiles(t, map[string]string{"stack.json.gz": packed(t, bucketText), "packed.json": packed(t, bucketText), "plain.gz": bucketText})
		args, out := []string{"state", "mv", row.in, bucketURN, "files"}, row.in
		if row.flag != "" {
			args, out = append(args, row.flag, row.out), row.out
		}
		if got := propalg(t, dir, "", args...); got.code != 0 || got.stderr != "" {
			t.Errorf("%+v: %+v", row, got)
		}
		text := readFile(t, dir, out)
		if row.isPacked {
			text = unpacked(t, text)
		}
		if text != strings.ReplaceAll(bucketText, "::assets", "::files") {
			t.Errorf("%+v: %s", row, text)
		}
	}
}

func unpacked(t *testing.T, text string) string {
	t.Helper()
	from, err := gzip.NewReader(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(from)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func packed(t *testing.T, text string) string {
	t.Helper()
	var b strings.Builder
	to := gzip.NewWriter(&b)
	if _, err := io.WriteString(to, text); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestStateRewriteLink: the file behind a symbolic link is replaced, not the link.
func TestStateRewriteLink(t *testing.T) {
	dir := writeFiles(t, map[string]string{"stack.json": bucketText})
	if err := os.Symlink("stack.json", filepath.Join(dir, "link.json")); err != nil {
		t.Skip(err)
	}
	if got := propalg(t, dir, "", "state", "rm", "--pending", "link.json"); got.code != 0 {
		t.Error(got.stderr)
	}
	info, err := os.Lstat(filepath.Join(dir, "link.json"))
	if err != nil || info.Mode()&os.ModeSymlink == 0 || readFile(t, dir, "stack.json") == bucketText {
		t.Errorf("%v, %v", info, err)
	}
}

// TestStateSetSecret: a property is marked in both bags, where they have it in clear, and a
// bag that keeps it in clear is named; no text has a value.
func TestStateSetSecret(t *testing.T) {
	const (
		urn    = "urn:pulumi:dev::shop::a:b:C::db"
		marked = `{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","plaintext":"\"canary\""}`
		note   = "propalg state set: the outputs still have pw in clear (--in both)\n"
	)
	for name, row := range map[string]struct {
		inputs, outputs string
		args            string
		wantIn, wantOut string
		stderr          string
	}{
		"both":          {`{"pw":"canary"}`, `{"pw":"canary","n":1}`, "pw --secret", `{"pw":` + marked + `}`, `{"pw":` + marked + `,"n":1}`, ""},
		"inputs":        {`{"pw":"canary"}`, `{"n":1}`, "pw --secret", `{"pw":` + marked + `}`, `{"n":1}`, ""},
		"outputs":       {`{}`, `{"pw":"canary"}`, "pw --secret", `{}`, `{"pw":` + marked + `}`, ""},
		"one is marked": {`{"pw":` + marked + `}`, `{"pw":"canary"}`, "pw --secret", `{"pw":` + marked + `}`, `{"pw":` + marked + `}`, ""},
		"all marked":    {`{"pw":` + marked + `}`, `{"pw":` + marked + `}`, "pw --secret", `{"pw":` + marked + `}`, `{"pw":` + marked + `}`, ""},
		"in a secret":   {`{"o":{"pw":"canary"}}`, `{"o":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","plaintext":"{\"pw\":1}"}}`, "o.pw --secret", `{"o":{"pw":` + marked + `}}`, `{"o":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","plaintext":"{\"pw\":1}"}}`, ""},
		"as told":       {`{"pw":"canary"}`, `{"pw":"canary"}`, "pw --secret --in inputs", `{"pw":` + marked + `}`, `{"pw":"canary"}`, note},
		"a value":       {`{"pw":"canary"}`, `{"pw":"canary"}`, `pw "canary" --secret`, `{"pw":` + marked + `}`, `{"pw":"canary"}`, note},
		"both told":     {`{"pw":"canary"}`, `{"pw":"canary"}`, `pw "canary" --secret --in both`, `{"pw":` + marked + `}`, `{"pw":` + marked + `}`, ""},
		"no secret":     {`{"pw":"x"}`, `{"pw":"canary"}`, `pw "canary"`, `{"pw":"canary"}`, `{"pw":"canary"}`, ""},
		"outputs told":  {`{"pw":"canary"}`, `{"pw":"canary"}`, "pw --secret --in outputs", `{"pw":"canary"}`, `{"pw":` + marked + `}`, strings.Replace(note, "outputs", "inputs", 1)},
	} {
		text := func(in, out string) string {
			return `{"version":3,"deployment":{"resources":[{"urn":"` + urn + `","type":"a:b:C","custom":true,"id":"1","inputs":` + in + `,"outputs":` + out + `}]}}`
		}
		dir := writeFiles(t, map[string]string{"stack.json": text(row.inputs, row.outputs)})
		got := propalg(t, dir, "", append([]string{"state", "set", "stack.json", urn}, strings.Fields(row.args)...)...)
		if got.code != 0 || got.stderr != row.stderr || strings.Contains(got.stdout, "canary") {
			t.Errorf("%s: %+v", name, got)
		}
		if now := readFile(t, dir, "stack.json"); now != text(row.wantIn, row.wantOut) {
			t.Errorf("%s: %s", name, now)
		}
	}
}

// TestStateSetPlaces: a wildcard stands for all places that are there; a star in quotes is
// a key.
func TestStateSetPlaces(t *testing.T) {
	const urn = "urn:pulumi:dev::shop::a:b:C::db"
	secret := func(text string) string {
		return `{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","plaintext":` + text + `}`
	}
	users := `{"users":[{"pw":"a"},{"n":1},{"pw":"b"}],"*":1}`
	marked := `{"users":[{"pw":` + secret(`"\"a\""`) + `},{"n":1},{"pw":` + secret(`"\"b\""`) + `}],"*":1}`
	const (
		sealed = `{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","ciphertext":"v1:abc"}`
		asset  = `{"4dabf18193072939515e22adb298388d":"c44067f5952c0a294b673a41bacd8c17","hash":"2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881","text":"x"}`
	)
	partly := `{"users":[{"pw":` + secret(`"\"a\""`) + `},{"n":1},{"pw":"b"}],"*":1}`
	for name, row := range map[string]struct {
		inputs, outputs string
		args            string
		wantIn, wantOut string
		say             string
	}{
		"both bags":       {users, users, "users[*].pw --secret", marked, marked, "2 places"},
		"inputs":          {users, `{"n":1}`, "users[*].pw --secret", marked, `{"n":1}`, "1 place"},
		"outputs told":    {users, users, "users[*].pw --secret --in outputs", users, marked, "the inputs still have users[*].pw in clear (--in both)"},
		"partly marked":   {partly, marked, "users[*].pw --secret", marked, marked, "1 place"},
		"all marked":      {marked, `{}`, "users[*].pw --secret", marked, `{}`, "0 places"},
		"members":         {`{"o":{"a":1,"b":2}}`, `{}`, "o.* --secret", `{"o":{"a":` + secret(`"1"`) + `,"b":` + secret(`"2"`) + `}}`, `{}`, "1 place"},
		"in a secret":     {`{"o":` + secret(`"[1]"`) + `}`, `{}`, "o[*] --secret", `{"o":` + secret(`"[1]"`) + `}`, `{}`, "0 places"},
		"array":           {`{"a":[1,[],null]}`, `{}`, "a[*] --secret", `{"a":[` + secret(`"1"`) + `,` + secret(`"[]"`) + `,` + secret(`"null"`) + `]}`, `{}`, "1 place"},
		"nested":          {`{"a":[{"x":{"k":1},"y":{"k":2,"n":3}},{},{"z":{"k":{"n":4}}}]}`, `{}`, "a[*].*.k --secret", `{"a":[{"x":{"k":` + secret(`"1"`) + `},"y":{"k":` + secret(`"2"`) + `,"n":3}},{},{"z":{"k":` + secret(`"{\"n\":4}"`) + `}}]}`, `{}`, "1 place"},
		"nested, secret":  {`{"a":[{"k":1},` + secret(`"{\"k\":2}"`) + `]}`, `{}`, "a[*].k --secret", `{"a":[{"k":` + secret(`"1"`) + `},` + secret(`"{\"k\":2}"`) + `]}`, `{}`, "1 place"},
		"sealed":          {`{"o":{"a":` + sealed + `,"b":1}}`, `{}`, "o.* --secret", `{"o":{"a":` + sealed + `,"b":` + secret(`"1"`) + `}}`, `{}`, "1 place"},
		"around sealed":   {`{"o":[{"a":` + sealed + `}]}`, `{}`, "o[*] --secret", `{"o":[{"a":` + sealed + `}]}`, `{}`, "expected a decrypted secret, since it is inside another"},
		"an asset":        {`{"o":{"a":` + asset + `}}`, `{}`, "o.* --secret", `{"o":{"a":` + secret(strconv.Quote(asset)) + `}}`, `{}`, "1 place"},
		"in an asset":     {`{"o":{"a":` + asset + `}}`, `{}`, "o.a.* --secret", `{"o":{"a":` + asset + `}}`, `{}`, "nothing in the inputs is at o.a[*]"},
		"secret bag":      {secret(`"{\"a\":1}"`), `{"a":1}`, "* --secret", secret(`"{\"a\":1}"`), `{"a":` + secret(`"1"`) + `}`, "1 place"},
		"an empty array":  {`{"a":[]}`, `{}`, "a[*] --secret", `{"a":[]}`, `{}`, "nothing in the inputs is at a[*]"},
		"null":            {`{"a":null}`, `{}`, "a.* --secret", `{"a":null}`, `{}`, "nothing in the inputs is at a[*]"},
		"a value":         {users, users, `users[*].pw "x"`, strings.NewReplacer(`"a"`, `"x"`, `"b"`, `"x"`).Replace(users), users, "1 place"},
		"removed":         {`{"a":[1,2,3],"b":4}`, `{}`, "a[*] --remove", `{"a":[],"b":4}`, `{}`, "1 place"},
		"a star":          {`{"t":{"*":1,"b":2}}`, `{}`, `t["*"] 3`, `{"t":{"*":3,"b":2}}`, `{}`, "1 place"},
		"a star, secret":  {`{"t":{"*":1,"b":2}}`, `{}`, `t["*"] --secret`, `{"t":{"*":` + secret(`"1"`) + `,"b":2}}`, `{}`, "1 place"},
		"no place":        {users, users, "users[*].none --secret", users, users, "nothing in the inputs is at users[*].none"},
		"no place in one": {users, `{}`, "users[*].pw --secret --in both", users, `{}`, "nothing in the outputs is at users[*].pw"},
		"option":          {`{"n":1}`, `{}`, "protect false", `{"n":1}`, `{}`, "stack.json: the inputs have no protect, and would get one (--in inputs does that); 'propalg state protect' and 'unprotect' change the option\n"},
		"option below":    {`{"n":1}`, `{}`, "customTimeouts.create 1", `{"n":1}`, `{}`, "(--in inputs does that); the member of the resource is not edited\n"},
		"option, secret":  {`{"n":1}`, `{}`, `--secret provider "x"`, `{"n":1}`, `{}`, "the inputs have no provider, and would get one (--in inputs does that); --provider changes the member of the resource\n"},
		"option, told":    {`{"n":1}`, `{}`, "protect false --in inputs", `{"n":1,"protect":false}`, `{}`, "1 place"},
		"input":           {`{"type":{"n":1}}`, `{}`, "type.m 2", `{"type":{"n":1,"m":2}}`, `{}`, "1 place"},
	} {
		text := func(in, out string) string {
			return `{"version":3,"deployment":{"resources":[{"urn":"` + urn + `","type":"a:b:C","custom":true,"id":"1","protect":true,"inputs":` + in + `,"outputs":` + out + `}]}}`
		}
		dir := writeFiles(t, map[string]string{"stack.json": text(row.inputs, row.outputs)})
		got := propalg(t, dir, "", append([]string{"state", "set", "stack.json", urn}, strings.Fields(row.args)...)...)
		isRefused := text(row.inputs, row.outputs) == text(row.wantIn, row.wantOut) && !strings.HasSuffix(row.say, "places")
		if !strings.Contains(got.stdout+got.stderr, row.say) || (got.code == 2) != isRefused || strings.Count(got.stderr, "\n") > 1 {
			t.Errorf("%s: %+v", name, got)
		}
		if now := readFile(t, dir, "stack.json"); now != text(row.wantIn, row.wantOut) {
			t.Errorf("%s: %s", name, now)
		}
	}
}

// TestStateFeatures: a file that engines refuse because of features that they do not know
// is not edited.
func TestStateFeatures(t *testing.T) {
	for name, row := range map[string]struct{ members, refusal string }{
		"none":    {`"version":4,"deployment":`, ""},
		"known":   {`"version":4,"features":["refreshBeforeUpdate","views","hooks","taint","replaceWith","snippets-prototype","extensionParameterization","byteString"],"deployment":`, ""},
		"unknown": {`"version":4,"features":["taint","x","y\u001b[0m"],"deployment":`, `propalg state rm: stack.json: features: cannot edit: it needs x, "y\x1b[0m", which this package does not know` + "\n"},
	} {
		dir := writeFiles(t, map[string]string{"stack.json": "{" + row.members + `{"resources":[{"urn":"urn:pulumi:a::b::c:d:e::f","type":"c:d:e"}]}}`})
		if got := propalg(t, dir, "", "state", "rm", "--pending", "stack.json"); (got.code == 2) != (row.refusal != "") || got.stderr != row.refusal {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestStateShowEmpty: a dependency without a name is visible.
func TestStateShowEmpty(t *testing.T) {
	dir := writeFiles(t, map[string]string{"stack.json": `{"version":3,"deployment":{"resources":[{"urn":"urn:pulumi:a::b::c:d:e::f","type":"c:d:e","dependencies":[""]}]}}`})
	if got := propalg(t, dir, "", "state", "show", "stack.json", "f"); got.code != 0 || !strings.Contains(got.stdout, "\n    depends on: \"\"\n") {
		t.Errorf("%+v", got)
	}
}
