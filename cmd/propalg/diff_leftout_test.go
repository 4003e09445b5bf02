package main_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// twoBags are a stack of one resource before and after: inputs and outputs.
func twoBags(t *testing.T, oldIn, newIn, oldOut, newOut string) string {
	t.Helper()

	with := func(in, out string) string {
		return strings.Replace(stackWith(`,"outputs":`+out, ""), `"inputs":{}`, `"inputs":`+in, 1)
	}

	return writeFiles(t, map[string]string{"old.json": with(oldIn, oldOut), "new.json": with(newIn, newOut)})
}

// TestDiffInternalNames: of bags, too, internal names are left out and counted, but not in the
// patch, which leads to the whole of the new bag.
func TestDiffInternalNames(t *testing.T) {
	dir := writeFiles(t, map[string]string{"old.json": `{"a":1,"o":{"__meta":"1"}}`, "new.json": `{"a":2,"o":{"__meta":"2"}}`})
	const note = "propalg diff: 1 change of internal names left out (--all)\n"
	for args, want := range map[string]struct {
		shown bool
		note  string
	}{
		"": {false, note}, "-o markdown": {false, note}, "-o html": {false, note}, "--detailed": {false, note},
		"--all": {true, ""}, "-o json": {true, ""}, "--all --detailed": {true, ""},
	} {
		got := propalg(t, dir, "", append(append([]string{"diff"}, strings.Fields(args)...), "old.json", "new.json")...)
		if got.code != 1 || strings.Contains(got.stdout, "__meta") != want.shown || got.stderr != want.note {
			t.Errorf("%s: exit %d, %s%s", args, got.code, got.stdout, got.stderr)
		}
	}
	got := propalg(t, dir, "", "diff", "--ignore", "[**].__meta", "--all", "old.json", "new.json")
	if strings.Contains(got.stdout, "__meta") || !strings.Contains(got.stdout, "a: 1 => 2") {
		t.Errorf("--ignore: %s%s", got.stdout, got.stderr)
	}
}

// TestDiffFoldsOutputs: outputs show what they do not repeat of inputs.
func TestDiffFoldsOutputs(t *testing.T) {
	secret := func(text string) string { return fmt.Sprintf(sealedAs, text) }
	for name, row := range map[string]struct {
		oldIn, newIn, oldOut, newOut string
		args, want, not              string
	}{
		"all":         {`{"a":1}`, `{"a":2}`, `{"a":1,"b":1}`, `{"a":2,"b":1}`, "", "        ~ a: 1 => 2\n    outputs: as inputs\nRes", "b:"},
		"some":        {`{"a":1}`, `{"a":2}`, `{"a":1,"b":1}`, `{"a":2,"b":2}`, "", "    outputs: 1 change as inputs\n        ~ b: 1 => 2\nRes", ""},
		"not all":     {`{"a":1,"c":1}`, `{"a":2,"c":2}`, `{"a":1}`, `{"a":2}`, "", "    outputs: 1 change as inputs\nRes", ""},
		"other":       {`{"a":1}`, `{"a":2}`, `{"a":1}`, `{"a":3}`, "", "    outputs:\n        ~ a: 1 => 3\nRes", ""},
		"from other":  {`{"a":1}`, `{"a":2}`, `{"a":0}`, `{"a":2}`, "", "    outputs:\n        ~ a: 0 => 2\nRes", ""},
		"missing":     {`{"a":1}`, `{"a":2}`, `{}`, `{"a":2}`, "", "    outputs:\n        + a: 2\nRes", ""},
		"inside":      {`{"o":{"a":1,"b":1}}`, `{"o":{"a":2,"b":1}}`, `{"o":{"a":1,"b":1,"id":1}}`, `{"o":{"a":2,"b":1,"id":2}}`, "", "    outputs: 1 change as inputs\n        ~ o: {\n            ~ id: 1 => 2\n          }\nRes", ""},
		"no inputs":   {`{}`, `{}`, `{"a":1}`, `{"a":2}`, "", "    outputs:\n        ~ a: 1 => 2\nRes", ""},
		"secrets":     {`{"a":1,"s":` + secret("1") + `}`, `{"a":2,"s":1}`, `{"a":1,"s":` + secret("2") + `}`, `{"a":2,"s":1}`, "", "    outputs: 1 change as inputs\n        ~ s: [secret] => [secret]", ""},
		"in secrets":  {`{"s":{"x":` + secret("1") + `,"y":1}}`, `{"s":{"x":1,"y":1}}`, `{"s":{"x":` + secret("2") + `,"y":1}}`, `{"s":{"x":1,"y":1}}`, "", "    outputs:\n        ~ s: {\n            ~ x: [secret] => [secret]", ""},
		"same seals":  {`{"s":` + secret("1") + `}`, `{"s":1}`, `{"s":` + secret("1") + `}`, `{"s":1}`, "", "    outputs: as inputs\nRes", ""},
		"to others":   {`{"k":` + secretJSON("s1") + `}`, `{"k":` + secretJSON("s2") + `}`, `{"k":` + secretJSON("s1") + `}`, `{"k":` + secretJSON("s3") + `}`, "", "    outputs:\n        ~ k: [secret] => [secret]\nRes", "as inputs"},
		"from others": {`{"k":` + secretJSON("s1") + `}`, `{"k":` + secretJSON("s2") + `}`, `{"k":` + secretJSON("s0") + `}`, `{"k":` + secretJSON("s2") + `}`, "", "    outputs:\n        ~ k: [secret] => [secret]\nRes", "as inputs"},
		"to the same": {`{"k":` + secretJSON("s1") + `}`, `{"k":` + secretJSON("s2") + `}`, `{"k":` + secretJSON("s1") + `}`, `{"k":` + secretJSON("s2") + `}`, "", "    outputs: as inputs\nRes", "s2"},
		"of many":     {`{"k":` + secretOf(`{"a":1,"b":1,"c":1}`) + `,"z":1}`, `{"k":` + secretOf(`{"a":2,"b":2,"c":2}`) + `,"z":2}`, `{"k":` + secretOf(`{"a":1,"b":1,"c":1}`) + `}`, `{"k":` + secretOf(`{"a":2,"b":2,"c":2}`) + `}`, "", "    outputs: 1 change as inputs\nRes", "a:"},
		"one of many": {`{"k":` + secretOf(`{"a":1,"b":1,"c":1}`) + `}`, `{"k":` + secretOf(`{"a":2,"b":1,"c":1}`) + `}`, `{"k":` + secretOf(`{"a":1,"b":1,"c":1}`) + `}`, `{"k":` + secretOf(`{"a":2,"b":2,"c":2}`) + `}`, "", "    outputs:\n        ~ k: [secret] => [secret]\nRes", "as inputs"},
		"one secret":  {`{"s":1}`, `{"s":2}`, `{"s":1}`, `{"s":` + secret("1") + `}`, "", "    outputs:\n        ~ s: [secret] => [secret]", ""},
		"revealed":    {`{"s":{"x":` + secret("1") + `}}`, `{"s":1}`, `{"s":{"x":` + secret("2") + `}}`, `{"s":1}`, "--show-secrets", "    outputs:\n        ~ s:", ""},
		"only":        {`{"a":1}`, `{"a":2}`, `{"a":1}`, `{"a":2}`, "--only outputs", "    outputs:\n        ~ a: 1 => 2\nRes", "inputs"},
		"only else":   {`{"a":1}`, `{"a":2}`, `{"a":1}`, `{"a":2}`, "--only inputs", "    inputs:\n        ~ a: 1 => 2\nRes", "outputs"},
		"only state":  {`{"a":1}`, `{"a":2}`, `{"a":1}`, `{"a":2}`, "--only state", "0 updated, 1 the same", "a:"},
		"ignored":     {`{"a":1}`, `{"a":2}`, `{"a":1}`, `{"a":2}`, "--ignore inputs.a", "    outputs:\n        ~ a: 1 => 2\nRes", "inputs"},
		"internal":    {`{"l":[{"a":1,"__defaults":["a"]}],"__provider":1}`, `{"l":[{"a":2,"__defaults":[]}],"__provider":2}`, `{}`, `{}`, "", "    inputs:\n        ~ __provider: 1 => 2\n        ~ l         : [\n            ~ [0]: {\n                ~ a: 1 => 2\n              }\n          ]\nResources: 0 created, 0 deleted, 1 updated, 0 the same\nLeft out: 1 change of internal names (--all)", "__defaults"},
		"shown":       {`{"l":[{"a":1,"__defaults":["a"]}]}`, `{"l":[{"a":2,"__defaults":[]}]}`, `{}`, `{}`, "--all", "~ __defaults: [\n                    - [0]: \"a\"", "Left out"},
		"nothing":     {`{"__defaults":["a"],"u":1}`, `{"__defaults":[],"u":1}`, `{"__meta":"1"}`, `{}`, "", "0 updated, 1 the same\nLeft out: 2 changes of internal names (--all)", "a"},
		"a part":      {`{"a":1}`, `{"a":2}`, `{"a":1}`, `{"a":2}`, "--ignore outputs", "    inputs:\n        ~ a: 1 => 2\nRes", "outputs"},
		"both":        {`{"a":1}`, `{"a":2}`, `{"a":1}`, `{"a":2}`, "--ignore a", "0 updated, 1 the same", "a:"},
		"a name":      {`{"inputs":1}`, `{"inputs":2}`, `{}`, `{}`, "--ignore inputs", "0 updated, 1 the same", ":"},
		"hidden":      {`{"a":1}`, `{"a":2}`, `{"a":1}`, `{"a":2}`, "--hide outputs.a", "        ~ a: 1 => 2\n    outputs: as inputs\nRes", ""},
	} {
		dir := twoBags(t, row.oldIn, row.newIn, row.oldOut, row.newOut)
		got := propalg(t, dir, "", append(append([]string{"diff"}, strings.Fields(row.args)...), "old.json", "new.json")...)
		shown := strings.Replace(got.stdout, "[urn=urn:pulumi:s::p::a:b:C::n]", "", 1)
		shown = strings.Replace(shown, `a:b:C "n"`, "", 1)
		before, _, _ := strings.Cut(shown, "Resources:")
		if !strings.Contains(shown, row.want) || (row.not != "" && strings.Contains(before, row.not)) || got.stderr != "" {
			t.Errorf("%s: exit %d\n%s%s", name, got.code, got.stdout, got.stderr)
		}
		page := propalg(t, dir, "", append(append([]string{"diff", "-o", "html"}, strings.Fields(row.args)...), "old.json", "new.json")...)
		if strings.Contains(got.stdout, "outputs: as inputs") != strings.Contains(page.stdout, `"outputs: as inputs"`) || page.code != got.code {
			t.Errorf("%s: exit %d, the page says otherwise", name, page.code)
		}
	}
}

func secretOf(data string) string {
	return `{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","value":` + data + `}`
}

// TestDiffCountsSecretsOnce: how many changes there are says nothing of what a secret holds,
// and a secret that changed is marked.
func TestDiffCountsSecretsOnce(t *testing.T) {
	for name, row := range map[string]struct{ old, now string }{
		"object": {`{"a":1,"b":1,"c":1,"d":[1]}`, `{"a":2,"b":2,"c":2,"e":[1]}`},
		"array":  {`[1,2,3,{"a":1.2345678901234567891}]`, `[4,5,6,{"a":1.2345678901234567892}]`},
	} {
		old, now := `{"k":`+secretOf(row.old)+`,"z":1}`, `{"k":`+secretOf(row.now)+`,"z":2}`
		for dir, isBag := range map[string]bool{
			twoBags(t, old, now, `{}`, `{}`): false, writeFiles(t, map[string]string{"old.json": old, "new.json": now}): true,
		} {
			get := func(args ...string) string {
				return propalg(t, dir, "", append([]string{"diff", "--arrays", "positional", "old.json", "new.json"}, args...)...).stdout
			}
			text, page := get("-o", "markdown"), get("-o", "html")
			if !strings.Contains(text, "2 changes") || strings.Contains(text, "are equal") || !strings.Contains(text, "\n! k: [secret] => [secret]\n") || !strings.Contains(page, `"changes":2`) {
				t.Errorf("%s, bag: %t\n%s", name, isBag, text)
			}
			if text, page := get("-o", "markdown", "--show-secrets"), get("-o", "html", "--show-secrets"); strings.Contains(text, "2 changes") || strings.Contains(page, `"changes":2`) {
				t.Errorf("%s, bag: %t: revealed\n%s", name, isBag, text)
			}
		}
	}
}

// TestDiffSampleRepeatsNothing: in the project's sample, no line of outputs repeats one of
// the inputs of its resource.
func TestDiffSampleRepeatsNothing(t *testing.T) {
	got := propalg(t, "../..", "", "diff", "testdata/samples/before.json", "testdata/samples/after.json")
	inputs, part := map[string]bool{}, ""
	folded := 0
	for line := range strings.Lines(got.stdout) {
		switch {
		case !strings.HasPrefix(line, " "):
			inputs = map[string]bool{}
		case strings.HasPrefix(line, "    ") && line[4] != ' ':
			part = strings.TrimSpace(line)
			if strings.HasPrefix(part, "outputs: ") {
				folded++
			}
		case strings.HasPrefix(part, "inputs:"):
			inputs[line] = true
		case inputs[line]:
			t.Errorf("outputs repeat %q", line)
		}
	}
	if folded != 4 {
		t.Errorf("%d outputs are folded in\n%s", folded, got.stdout)
	}
}

// TestDiffOneRuleBeforeEight: an element that is put before others is the one change, and
// the key by which elements are known is said.
func TestDiffOneRuleBeforeEight(t *testing.T) {
	var named, plain []string
	for i := range 8 {
		named = append(named, fmt.Sprintf(`{"name":"r%d","port":%d,"cidr":["10.0.%d.0/24"]}`, i, 80+i, i))
		plain = append(plain, fmt.Sprintf(`{"port":%d,"cidr":["10.0.%d.0/24"]}`, 80+i, i))
	}
	bag := func(rules []string) string { return `{"rules":[` + strings.Join(rules, ",") + `]}` }
	for name, row := range map[string]struct {
		rules []string
		first string
		note  bool
	}{"named": {named, `{"name":"new","port":79,"cidr":["10.1.0.0/24"]}`, true}, "plain": {plain, `{"port":79,"cidr":["10.1.0.0/24"]}`, false}} {
		now := bag(append([]string{row.first}, row.rules...))
		dir := twoBags(t, bag(row.rules), now, bag(row.rules), now)
		got := propalg(t, dir, "", "diff", "old.json", "new.json")
		rules := got.stdout[strings.Index(got.stdout, "rules"):strings.Index(got.stdout, "    outputs: as inputs")]
		if n := strings.Count(rules, "\n"); n > 8 || strings.Count(rules, "+ [0]") != 1 || strings.Contains(got.stdout, "inputs:  # rules by name\n") != row.note {
			t.Errorf("%s: %d lines\n%s", name, n, got.stdout)
		}
		if got := propalg(t, dir, "", "diff", "--arrays", "positional", "old.json", "new.json"); strings.Count(got.stdout, "\n") < 30 || strings.Contains(got.stdout, "by name") {
			t.Errorf("%s: by index\n%s", name, got.stdout)
		}
		files := map[string]string{"old.json": bag(row.rules), "new.json": now}
		bags := writeFiles(t, files)
		if got := propalg(t, bags, "", "diff", "old.json", "new.json"); strings.Contains(got.stdout, "\n  # rules by name\n") != row.note || strings.Count(got.stdout, "\n") > 8 {
			t.Errorf("%s: bags\n%s", name, got.stdout)
		}
		// JSON is the same diff, which apply reads; --detailed is the engine's way.
		patch := propalg(t, bags, "", "diff", "-o", "json", "old.json", "new.json")
		if err := os.WriteFile(bags+"/patch.json", []byte(patch.stdout), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := propalg(t, bags, "", "apply", "old.json", "patch.json"); strings.Join(strings.Fields(got.stdout), "") == "" || got.code != 0 || strings.Count(patch.stdout, `"op"`) != 1 {
			t.Errorf("%s: exit %d, %s%s", name, got.code, got.stderr, patch.stdout)
		}
		if got := propalg(t, bags, "", "diff", "--detailed", "old.json", "new.json"); !strings.Contains(got.stdout, `"rules[8]":{"kind":"ADD"`) {
			t.Errorf("%s: %s", name, got.stdout)
		}
	}
}

// TestDiffNamesUnmatchedPatterns: a pattern that matches nothing is named, with its flag.
func TestDiffNamesUnmatchedPatterns(t *testing.T) {
	dir := writeFiles(t, map[string]string{"old.json": `{"a":[1],"b":1}`, "new.json": `{"a":[2],"b":2}`})
	for _, flag := range []string{"--ignore", "--hide", "--replace-on", "--array"} {
		for pattern, found := range map[string]bool{"a": true, "c": false} {
			value := pattern
			if flag == "--array" {
				value += "=set"
			}
			got := propalg(t, dir, "", "diff", flag, value, "old.json", "new.json")
			want := ""
			if !found {
				want = "propalg diff: the pattern c of " + flag + " matches no change\n"
			}
			if got.stderr != want || got.code != 1 {
				t.Errorf("%s %s: exit %d, %q", flag, pattern, got.code, got.stderr)
			}
		}
	}
}

// TestDiffAcrossStacks compares a stack with itself under another name, and a resource
// with itself after it was renamed.
func TestDiffAcrossStacks(t *testing.T) {
	dev, err := os.ReadFile("../../testdata/samples/before.json")
	if err != nil {
		t.Fatal(err)
	}
	prod := strings.ReplaceAll(string(dev), "pulumi:dev::", "pulumi:prod::")
	renamed := strings.ReplaceAll(string(dev), "BucketV2::assets", "BucketV2::static")
	dir := writeFiles(t, map[string]string{"dev.json": string(dev), "prod.json": prod, "renamed.json": renamed})
	if got := propalg(t, dir, "", "diff", "--match", "stack", "dev.json", "prod.json"); got.code != 0 || !strings.Contains(got.stdout, "0 created, 0 deleted, 0 updated, 8 the same") {
		t.Errorf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	if got := propalg(t, dir, "", "diff", "dev.json", "prod.json"); got.code != 1 || !strings.Contains(got.stdout, "updated") {
		t.Errorf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	got := propalg(t, dir, "", "diff", "dev.json", "renamed.json")
	if got.code != 1 || !strings.Contains(got.stdout, `~ aws:s3/bucketV2:BucketV2 "static" (renamed? same type and ID)`) || !strings.Contains(got.stdout, "~ urn: ") ||
		!strings.Contains(got.stdout, "Resources: 0 created, 0 deleted") {
		t.Errorf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	if got := propalg(t, dir, "", "diff", "-o", "json", "dev.json", "renamed.json"); !strings.Contains(got.stdout, `"was":"urn:pulumi:dev::shop::aws:s3/bucketV2:BucketV2::assets"`) {
		t.Errorf("exit %d\n%s", got.code, got.stdout)
	}
}

// TestDiffLeftOutMany: numbers have commas here too.
func TestDiffLeftOutMany(t *testing.T) {
	stack := func(day string) string {
		var b strings.Builder
		for i := range 1_200 {
			fmt.Fprintf(&b, `,{"urn":"urn:pulumi:s::p::a:b:C::m%d","type":"a:b:C","created":"2026-01-%sT00:00:00Z"}`, i, day)
		}
		return `{"version":3,"deployment":{"resources":[` + b.String()[1:] + `]}}`
	}
	dir := writeFiles(t, map[string]string{"old.json": stack("01"), "new.json": stack("02")})
	if got := propalg(t, dir, "", "diff", "old.json", "new.json"); got.code != 0 || !strings.Contains(got.stdout, "Left out: 1,200 differences in times and source positions") {
		t.Errorf("%+v", got)
	}
}
