package main_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// linted is the JSON of lint.
type linted struct {
	Types []struct {
		Type     string
		Findings []struct {
			Severity, Call, Code, In, At, Advice string
			Count                                int
			Examples                             []struct {
				Log  string
				Line int
				URN  string
			}
		}
	}
	Calls   struct{ Checked, Failed, Unfinished int }
	Summary struct{ Errors, Warnings, Notes, More int }
}

// found lists findings as "severity call in at code count", in their order.
func (l *linted) found() (all []string) {
	for _, typ := range l.Types {
		for _, f := range typ.Findings {
			all = append(all, fmt.Sprintf("%s %s %s %s %s %d", f.Severity, f.Call, f.In, f.At, f.Code, f.Count))
		}
	}
	return all
}

func lintJSON(t *testing.T, dir, stdin string, args ...string) (linted, result) {
	t.Helper()
	got := propalg(t, dir, stdin, append([]string{"lint", "-o", "json"}, args...)...)
	var l linted
	if err := json.Unmarshal([]byte(got.stdout), &l); err != nil {
		t.Fatalf("%v: exit %d: %s%s", err, got.code, got.stdout, got.stderr)
	}
	if (got.code == 1) != (len(l.Types) > 0) || got.code > 1 {
		t.Errorf("exit %d with findings for %d types", got.code, len(l.Types))
	}
	return l, got
}

// entry is a line of a log.
func entry(method, request, response, more string) string {
	text := `{"method":"/pulumirpc.ResourceProvider/` + method + `","request":{"urn":"urn:pulumi:dev::shop::a:b:C::n",` + request + `}`
	if response != "" {
		text += `,"response":{` + response + `}`
	}
	return text + more + `,"progress":"response_completed"}` + "\n"
}

const unknown = `"04da6b54-80e4-46f7-96ec-b56ff0331ba9"`

// TestLintFindings is the table of mistakes, each alone in a log: what is found.
func TestLintFindings(t *testing.T) {
	const ones, twos = `"olds":{"a":1},"oldInputs":{"a":1}`, `"news":{"a":2}`
	fine := entry("Check", `"news":{}`, `"inputs":{}`, "")
	update := `"changes":"DIFF_SOME","diffs":["a"],"hasDetailedDiff":true,"detailedDiff":{"a":{"kind":"UPDATE","inputDiff":true}}`
	for name, c := range map[string]struct {
		log  string
		want []string
	}{
		"true":             {entry("Diff", ones+","+twos, update, ""), nil},
		"no change":        {entry("Diff", ones+`,"news":{"a":1}`, `"changes":"DIFF_NONE"`, ""), nil},
		"not said":         {entry("Diff", ones+","+twos, `"changes":"DIFF_NONE"`, ""), []string{"warning Diff response a none-while-differ 1"}},
		"notes differ":     {entry("Diff", `"olds":{"l":[{"__defaults":["a"]}]},"oldInputs":{"l":[{"__defaults":["a"]}]},"news":{"l":[{"__defaults":[]}]}`, `"changes":"DIFF_NONE"`, ""), nil},
		"stable":           {entry("Diff", ones+","+twos, update+`,"stables":["a","nope"]`, ""), []string{"error Diff response a stables-reported 1"}},
		"failed":           {entry("Diff", ones+","+twos, "", `,"errors":["x"]`), nil},
		"started":          {fine + strings.Replace(entry("Diff", ones+","+twos, "", ""), "response_completed", "request_started", 1), nil},
		"of no provider":   {fine + strings.Replace(entry("Diff", ones+","+twos, `"changes":"DIFF_NONE"`, ""), "ResourceProvider", "LanguageRuntime", 1), nil},
		"equal":            {entry("Diff", ones+`,"news":{"a":1}`, update, ""), []string{"error Diff response a update-equal 1"}},
		"twice":            {strings.Repeat(entry("Diff", ones+`,"news":{"a":1}`, update, ""), 5), []string{"error Diff response a update-equal 5"}},
		"of configuration": {entry("DiffConfig", ones+`,"news":{"a":1}`, update, ""), []string{"error DiffConfig response a update-equal 1"}},
		"no path":          {entry("Diff", ones+","+twos, strings.Replace(update, `{"a":`, `{"a[":`, 1), ""), []string{`error Diff response ["a["] key-unreadable 1`, "note Diff response a unreported 1"}},
		"not detailed":     {entry("Diff", ones+","+twos, strings.Replace(update, `"hasDetailedDiff":true,`, "", 1), ""), []string{"error Diff response  not-detailed 1"}},
		"ignored": {
			entry("Diff", ones+","+twos+`,"ignoreChanges":["a"]`, update, ""),
			[]string{"note Diff response a ignored 1"},
		},
		"ignored on refresh": {
			entry("Read", `"id":"i","inputs":{"a":1},"properties":{"a":1}`, `"id":"i","inputs":{"a":1},"properties":{"a":1}`, "") + entry("Diff", ones+","+twos+`,"ignoreChanges":["a"]`, update, ""), nil,
		},
		"ignored after refresh": {
			entry("Read", `"id":"i","inputs":{"a":1},"properties":{"a":1}`, `"id":"i","inputs":{"a":1},"properties":{"a":1}`, "") + entry("Check", `"news":{"a":2}`, `"inputs":{"a":2}`, "") + entry("Diff", ones+","+twos+`,"ignoreChanges":["a"]`, update, ""),
			[]string{"note Diff response a ignored 1"},
		},
		"unknown in old":    {entry("Diff", `"olds":{"a":`+unknown+`},"news":{"a":`+unknown+`},"oldInputs":{"a":`+unknown+`}`, `"changes":"DIFF_NONE"`, ""), []string{"error Diff request.old_inputs a unknown 1", "error Diff request.olds a unknown 1"}},
		"unknown made":      {entry("Check", `"news":{"a":1}`, `"inputs":{"a":`+unknown+`}`, ""), []string{"error Check response.inputs a unknown 1"}},
		"unknown kept":      {entry("Check", `"news":{"a":`+unknown+`}`, `"inputs":{"a":`+unknown+`}`, ""), nil},
		"unknown created":   {entry("Create", `"properties":{}`, `"id":"i","properties":{"a":[`+unknown+`]}`, ""), []string{"error Create response.properties a[0] unknown 1"}},
		"unknown previewed": {entry("Create", `"properties":{},"preview":true`, `"id":"i","properties":{"a":[`+unknown+`]}`, ""), nil},
		"other ID":          {entry("Update", `"id":"i"`, `"properties":{"id":"j"}`, ""), []string{"error Update response.properties id id-changed 1"}},
		"rounded":           {entry("Check", `"news":{"a":12345678901234567891}`, `"inputs":{"a":12345678901234567891}`, "") + entry("Read", `"inputs":{"a":12345678901234567891}`, `"id":""`, ""), []string{"note   a number-rounded 3"}},
		"no ID":             {entry("Create", `"properties":{}`, `"properties":{}`, ""), []string{"error Create response.id  id-missing 1"}},
		"across calls":      {entry("Configure", `"args":{}`, `"acceptSecrets":true`, "") + entry("Create", `"properties":{}`, `"id":"i","properties":{}`, "") + entry("Delete", `"id":"j"`, "", ""), []string{"note Delete request.id  unrecorded-id 1"}},
		"no kind":           {entry("Check", `"news":{"a":{"4dabf18193072939515e22adb298388d":"x"}}`, "", ""), []string{"error Check CheckRequest.news  unreadable 1"}},
		"newer":             {entry("Check", `"news":{},"newer":{"a":[]}`, `"inputs":{},"newest":1`, ""), nil},
	} {
		l, _ := lintJSON(t, ".", c.log, "-")
		if got := l.found(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		for _, typ := range l.Types {
			for _, f := range typ.Findings {
				if (typ.Type != "a:b:C" && f.Code != "unreadable") || len(f.Advice) < 40 || len(f.Examples) != min(f.Count, 3) || f.Examples[0].Log != "stdin" {
					t.Errorf("%s: %s: %+v", name, typ.Type, f)
				}
			}
		}
		if text := propalg(t, ".", c.log, "lint", "-"); (text.code == 0) != (c.want == nil) || !strings.Contains(text.stdout, "Calls: ") {
			t.Errorf("%s: exit %d\n%s", name, text.code, text.stdout)
		}
	}
}

// TestLintCounts: calls that failed and that did not end, a log that is cut off,
// a severity, several logs, and the limit on findings.
func TestLintCounts(t *testing.T) {
	cancelled := `{"method":"/pulumirpc.ResourceProvider/Cancel","request":{},"progress":"request_started"}` + "\n"
	started := func(s string) string { return strings.Replace(s, "response_completed", "request_started", 1) }
	failed := entry("Check", `"news":{}`, "", `,"errors":["x"]`)
	note := entry("Diff", `"oldInputs":{"a":1},"olds":{"a":1},"news":{"a":2}`, `"changes":"DIFF_SOME","diffs":["b"]`, "")
	log := cancelled + started(failed) + failed + started(note) + note + started(failed) + started(note) + note[:100]
	l, got := lintJSON(t, ".", log, "-")
	if l.Calls.Checked != 2 || l.Calls.Failed != 1 || l.Calls.Unfinished != 2 || l.Summary.Notes != 1 || l.Summary.Errors != 0 {
		t.Errorf("%+v", l)
	}
	if !strings.Contains(got.stderr, "line 8: offset 100: truncated last line") {
		t.Errorf("%q", got.stderr)
	}
	if text := propalg(t, ".", log, "lint", "-"); !strings.Contains(text.stderr, "2 calls of a provider did not end in these logs: Check, Diff\n") || text.code != 1 {
		t.Errorf("%+v", text)
	}
	for _, least := range []string{"error", "warning"} {
		if l, got := lintJSON(t, ".", log, "--severity", least, "-"); len(l.Types) != 0 || got.code != 0 {
			t.Errorf("%s: %+v", least, l)
		}
	}
	if text := propalg(t, ".", log, "lint", "--severity", "error", "-"); !strings.Contains(text.stdout, "0 warnings, 0 notes; 1 not shown (--severity)\n") {
		t.Errorf("%+v", text)
	}
	warning := strings.Replace(note, `"changes":"DIFF_SOME","diffs":["b"]`, `"changes":"DIFF_NONE"`, 1)
	if l, _ := lintJSON(t, ".", warning, "--severity", "warning", "-"); l.Summary.Warnings != 1 || l.Summary.Notes+l.Summary.Errors != 0 {
		t.Errorf("%+v", l)
	}
	dir := writeFiles(t, map[string]string{"one.json": note, "two.json": note, "none.json": `{"method":"/pulumirpc.LanguageRuntime/Run"}` + "\n"})
	if l, _ := lintJSON(t, dir, note, "one.json", "-", "two.json"); len(l.found()) != 1 || l.Types[0].Findings[0].Count != 3 || l.Types[0].Findings[0].Examples[2].Log != "two.json" {
		t.Errorf("%+v", l)
	}
	if none := propalg(t, dir, "", "lint", "none.json"); none.code != 2 || none.stderr != "propalg lint: no call of a provider that ended is in these logs; an engine writes one when run as PULUMI_DEBUG_GRPC=log.json pulumi up …\n" {
		t.Errorf("%+v", none)
	}
	if none := propalg(t, dir, "", "lint", "--write-baseline", "new.json", "none.json"); none.code != 2 || none.stdout != "" || !strings.Contains(none.stderr, "PULUMI_DEBUG_GRPC") {
		t.Errorf("%+v", none)
	}
	var many strings.Builder
	for i := range 10_500 {
		many.WriteString(strings.Replace(note, "a:b:C", fmt.Sprintf("a:b:C%05d", i), 1))
	}
	if l, _ := lintJSON(t, ".", many.String(), "-"); len(l.Types) != 10_000 || l.Summary.Notes != 10_500 || l.Summary.More != 500 {
		t.Errorf("%d types, %+v", len(l.Types), l.Summary)
	}
}

// TestLintIsStable: the same logs give the same bytes, findings in an order that
// does not depend on that of the calls.
func TestLintIsStable(t *testing.T) {
	lines := []string{
		strings.Replace(entry("Diff", `"olds":{"a":1,"b":2},"oldInputs":{"a":1,"b":2},"news":{"a":2,"b":3}`, `"changes":"DIFF_SOME"`, ""), "C::n", "C::m", 1),
		entry("Create", `"properties":{}`, `"id":"i","properties":{"a":`+unknown+`,"b":`+unknown+`}`, ""),
		strings.Replace(entry("Update", `"id":"i"`, `"properties":{"id":"j"}`, ""), "a:b:C", "a:a:A", 1),
	}
	order := func(lines []string) (found []string) {
		l, _ := lintJSON(t, ".", strings.Join(lines, ""), "-")
		return l.found()
	}
	want := []string{
		"error Update response.properties id id-changed 1", "error Create response.properties a unknown 1", "error Create response.properties b unknown 1",
		"note Diff response  some-unnamed 1", "note Diff response a unreported 1", "note Diff response b unreported 1",
	}
	for range 3 {
		lines = append(lines[1:], lines[0])
		if got := order(lines); !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestLintEngineLogs: what is found in a real engine's logs of a small provider.
// That provider writes keys by hand, and some of its maps have keys that are not
// for that; what it says of edge2.json:48 made the engine give up.
func TestLintEngineLogs(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/data/grpc-logs/*.json")
	if len(files) == 0 {
		t.Skip("no ../shared/data/grpc-logs beside the repository")
	}
	l, got := lintJSON(t, ".", "", files...)
	want := []string{
		`error Diff response ["tags."] key-unreadable 1`,
		"error Diff response tags.br[0] old-missing 1",
		"note Diff response anything.sec[secret] below-secret 3",
		`note Diff response tags[""] unreported 1`,
		`note Diff response tags["br[0]"] unreported 1`,
	}
	if !slices.Equal(l.found(), want) || len(l.Types) != 1 || l.Types[0].Type != "demo:index:Thing" {
		t.Errorf("%q, want %q", l.found(), want)
	}
	for _, f := range l.Types[0].Findings {
		if !strings.HasSuffix(f.Examples[0].Log, "edge2.json") || f.Examples[0].Line != 48 {
			t.Errorf("%+v", f)
		}
	}
	if l.Calls.Checked < 200 || l.Calls.Failed != 0 || l.Calls.Unfinished != 0 || got.stderr != "" {
		t.Errorf("%+v, %s", l.Calls, got.stderr)
	}
}

// TestLintRecordedCalls: of 672 recorded calls of Diff and DiffConfig, of many
// providers, little is found, and all of it is so. Four rows have a matcher where
// a response has a list, which no message has; three updates are of what no new
// inputs have; three responses about configuration lack hasDetailedDiff.
func TestLintRecordedCalls(t *testing.T) {
	const log = "../../../shared/data/grpc-diff.jsonl"
	if _, err := os.Stat(log); err != nil {
		t.Skip("no ../shared/data/grpc-diff.jsonl beside the repository")
	}
	l, got := lintJSON(t, ".", "", log)
	counts := map[string]int{}
	for _, typ := range l.Types {
		for _, f := range typ.Findings {
			counts[f.Severity+" "+f.Code] += f.Count
		}
	}
	want := map[string]int{
		"error unreadable": 4, "error new-missing": 3, "error not-detailed": 3,
		"note some-unnamed": 4, "note detailed-empty": 3,
	}
	if !maps.Equal(counts, want) || l.Calls.Checked != 672 || got.stderr != "" {
		t.Errorf("%v, want %v; %+v, %s", counts, want, l.Calls, got.stderr)
	}
}

// TestLintSchema: what a resource returns is checked by the schema, and a schema that
// cannot be read is an error with a JSON pointer.
func TestLintSchema(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("schema.json", `{"name":"a","resources":{"a:b:C":{"properties":{"url":{"type":"string"}},"required":["url"]}}}`)
	write("wrong.json", `{"name":"a","resources":{"a:b:C":{"properties":{"url":{"type":"text"}}}}}`)
	write("log.json", entry("Create", `"properties":{}`, `"id":"i","properties":{}`, ""))
	if l, _ := lintJSON(t, dir, "", "log.json"); len(l.Types) > 0 {
		t.Errorf("without a schema: %v", l.found())
	}
	l, _ := lintJSON(t, dir, "", "--schema", "schema.json", "log.json")
	if got := l.found(); !slices.Equal(got, []string{"warning Create response.properties url schema-mismatch 1"}) {
		t.Errorf("%q", got)
	}
	write("config.json", `{"name":"a","provider":{"inputProperties":{"region":{"type":"string"}}}}`)
	lintJSON(t, dir, "", "--schema", "config.json", "log.json")
	for text, want := range map[string]string{
		`{"a":1}`: "#/name: a package has a name",
		`{"name":"web","size":3,"config":{"a":1}}`: "it describes no resource, no function and no configuration",
		"name: web":          "found YAML",
		"[]":                 "#: expected object",
		goodFiles()["stack"]: "found a stack",
		goodFiles()["log"]:   "found a log of calls",
		stepsPreview:         "found a preview",
		"hello":              "line 1, column 1: offset 0: syntax error",
	} {
		write("other.json", text)
		got := propalg(t, dir, "", "lint", "--schema", "other.json", "log.json")
		if got.code != 2 || !strings.HasPrefix(got.stderr, "propalg lint: other.json: not a package schema: "+want) || strings.Count(got.stderr, "\n") != 1 || got.stdout != "" {
			t.Errorf("%s: exit %d, %s", text, got.code, got.stderr)
		}
	}
	for file, want := range map[string]string{"wrong.json": "wrong.json: not a package schema: #/resources/a:b:C/properties/url/type: expected boolean", "none.json": "none.json: no such file"} {
		if got := propalg(t, dir, "", "lint", "--schema", file, "log.json"); got.code != 2 || !strings.Contains(got.stderr, want) {
			t.Errorf("%s: exit %d, %s", file, got.code, got.stderr)
		}
	}
}

// TestLintLostErrors: a note says that a log without any error may have lost them.
func TestLintLostErrors(t *testing.T) {
	const (
		lost   = `{"method":"/pulumirpc.ResourceProvider/Delete","request":{"id":"x","urn":"urn:pulumi:a::b::c:d:e::f","properties":{}},"response":null}` + "\n"
		create = `{"method":"/pulumirpc.ResourceProvider/Create","request":{"urn":"urn:pulumi:a::b::c:d:e::f","properties":{}},"response":null}` + "\n"
		failed = `{"method":"/pulumirpc.ResourceProvider/Create","request":{"urn":"urn:pulumi:a::b::c:d:e::f","properties":{}},"response":null,"errors":["no"]}` + "\n"
	)
	for text, note := range map[string]string{
		create:          "propalg lint: log.json: 1 call with neither a response nor an error, and no error at all: a program that copied the log, such as providertest, may have left the errors out\n",
		create + create: "propalg lint: log.json: 2 calls with neither a response nor an error, and no error at all: a program that copied the log, such as providertest, may have left the errors out\n",
		create + failed: "",
		failed:          "",
		lost:            "", // which returns nothing
	} {
		dir := writeFiles(t, map[string]string{"log.json": text})
		if got := propalg(t, dir, "", "lint", "log.json"); got.stderr != note {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

// TestLintRules: what --rules says of resources is no finding, as in propalg test.
func TestLintRules(t *testing.T) {
	diff := func(old, now, answer string) string {
		return entry("Diff", `"id":"i","olds":{`+old+`},"oldInputs":{`+old+`},"news":{`+now+`}`, answer, "") + "\n"
	}
	const none, unreported = `"changes":"DIFF_NONE"`, "warning Diff response zone none-while-differ 1"
	read := entry("Read", `"id":"i","inputs":{"zone":"z","key":"k"},"properties":{"zone":"z","key":"k"}`, `"id":"i","inputs":{"zone":"z"},"properties":{"zone":"z","key":"k"}`, "") + "\n"
	update := `"changes":"DIFF_SOME","diffs":["zone"],"hasDetailedDiff":true,"detailedDiff":{"zone":{"kind":"UPDATE","inputDiff":true}}`
	for name, row := range map[string]struct{ log, rules, without, with string }{
		"spelling":            {diff(`"zone":"Z"`, `"zone":"z"`, none), `{"same": {"zone": "fold"}}`, unreported, ""},
		"another spelling":    {diff(`"zone":"Z"`, `"zone":"y"`, none), `{"same": {"zone": "fold"}}`, unreported, unreported},
		"a set":               {diff(`"zone":["a","b"]`, `"zone":["b","a"]`, none), `{"set": ["zone"]}`, "warning Diff response zone[0] none-while-differ 1", ""},
		"another set":         {diff(`"zone":["a","b"]`, `"zone":["b","b"]`, none), `{"set": ["zone"]}`, "warning Diff response zone[0] none-while-differ 1", "warning Diff response zone[0] none-while-differ 1"},
		"quiet":               {diff(`"zone":"a"`, `"zone":"b"`, none), `{"quiet": ["zone"]}`, unreported, ""},
		"quiet, and reported": {diff(`"zone":"a"`, `"zone":"b"`, update), `{"quiet": ["zone"]}`, "", ""},
		"quiet elsewhere":     {diff(`"zone":"a"`, `"zone":"b"`, none), `{"quiet": ["other"]}`, unreported, unreported},
		"replaces":            {diff(`"zone":"a"`, `"zone":"b"`, update), `{"replaces": ["zone"]}`, "", "error Diff response zone should-replace 1"},
		"replaces another":    {diff(`"zone":"a"`, `"zone":"b"`, strings.Replace(update, "UPDATE", "UPDATE_REPLACE", 1)+`,"replaces":["zone"]`), `{"replaces": ["other"]}`, "", ""},
		"write-only":          {read, `{"writeOnly": ["key"]}`, "note Read response.inputs key inputs-lost 1", ""},
		"other write-only":    {read, `{"writeOnly": ["zone"]}`, "note Read response.inputs key inputs-lost 1", "note Read response.inputs key inputs-lost 1"},
	} {
		dir := t.TempDir()
		for file, text := range map[string]string{"log": row.log, "rules": `{"a:b:*": ` + row.rules + `}`, "others": `{"c:*": ` + row.rules + `}`} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for want, args := range map[string][]string{"without": {"log"}, "others": {"--rules", "others", "log"}, "with": {"--rules", "rules", "log"}} {
			l, _ := lintJSON(t, dir, "", args...)
			expected := row.without
			if want == "with" {
				expected = row.with
			}
			if got := strings.Join(l.found(), "; "); got != expected {
				t.Errorf("%s, %s: %q, not %q", name, want, got, expected)
			}
		}
	}

	for _, text := range []string{"{", `{"a": {"sets": []}}`, `{"a": {"set": ["["]}}`, `{"a": {"same": {"x[*]": "empty"}}}`} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "rules"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := propalg(t, dir, read, "lint", "--rules", "rules", "-"); got.code != 2 || !strings.Contains(got.stderr, "rules: ") {
			t.Errorf("%s: %d %s", text, got.code, got.stderr)
		}
	}
}
