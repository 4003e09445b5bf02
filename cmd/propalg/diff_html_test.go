package main_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// injection is a stack full of what would be markup.
func injection(value string) string {
	const bad = `</script><img onerror=pwned=1 src=x>`
	return `{"version":3,"deployment":{"resources":[{"urn":"urn:pulumi:dev::shop::` + bad + `::` + bad + `","type":"` + bad + `","custom":true,"id":"<b>",` +
		`"inputs":{"` + bad + `":"` + bad + value + `","<!--":"<!-- ` + value + `","]]>":"\u2028` + value + `","{{.}}":"{{.Old}}${pwned=1}` + value + `"},` +
		`"outputs":{"list":["` + bad + `","` + value + `"],"text":"one\n` + bad + `\n` + value + `\n<script>pwned=1</script>"}}]}}`
}

// between are the texts between two marks, one after the other.
func between(text, begin, end string) (all []string) {
	for {
		_, rest, ok := strings.Cut(text, begin)
		if !ok {
			return all
		}
		found, after, _ := strings.Cut(rest, end)
		all, text = append(all, found), after
	}
}

// span, row, resource and pageJSON are the data of a page.
type (
	row struct {
		Level          int
		Mark           string
		Open           bool
		Both, Old, New [][2]string
	}
	pageJSON struct {
		Bag       bool
		Kinds     []struct{ Name, Mark string }
		Resources []struct {
			URN, Type, Name      string
			Waits, Whole         bool
			Kind, Depth, Changes int
			What                 [][2]string
			Parts                []struct {
				Name string
				Rows []row
			}
		}
	}
)

// Elements of a page, in this order.
const (
	dataBegin   = `<script type="application/json" id="data">`
	scriptBegin = "<script>"
	scriptEnd   = "</script>"
)

// dataOf is the data of a page.
func dataOf(t *testing.T, html string) (data pageJSON) {
	t.Helper()
	texts := between(html, dataBegin, scriptEnd)
	if len(texts) != 1 || strings.Count(html, "<script") != 2 || strings.Count(html, scriptEnd) != 2 || strings.Count(html, "<style") != 1 {
		t.Fatalf("%d scripts, %d styles, want data, script and style", strings.Count(html, "<script"), strings.Count(html, "<style"))
	}
	if strings.ContainsAny(texts[0], "<>&\u2028\u2029") {
		t.Error("the data holds what could be markup")
	}
	if err := json.Unmarshal([]byte(texts[0]), &data); err != nil {
		t.Fatal(err)
	}
	return data
}

// checkPage checks what holds for every page: it is one file that asks for
// nothing, and runs nothing but its script.
func checkPage(t *testing.T, html string) {
	t.Helper()
	data, scripts, styles := between(html, dataBegin, scriptEnd), between(html, scriptBegin, scriptEnd), between(html, "<style>", "</style>")
	policy := between(html, `Content-Security-Policy" content="`, `"`)
	if len(data) != 1 || len(scripts) != 1 || len(styles) != 1 || len(policy) != 1 {
		t.Fatalf("%d data, %d scripts, %d styles, %d policies", len(data), len(scripts), len(styles), len(policy))
	}
	for name, text := range map[string]string{"script-src": scripts[0], "style-src": styles[0]} {
		sum := sha256.Sum256([]byte(text))
		want := name + " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
		if got := strings.NewReplacer("&#39;", "'", "&#43;", "+").Replace(policy[0]); !strings.Contains(got, want) || !strings.HasPrefix(got, "default-src 'none'; ") {
			t.Errorf("the policy is %s, without %s", got, want)
		}
	}
	markup := strings.NewReplacer(data[0], "", scripts[0], "", styles[0], "").Replace(html)
	for what, pattern := range map[string]string{
		"an event handler": `(?i)<[^>]*\son\w+\s*=`, "a source": `(?i)<[^>]*\s(src|srcset|href|action|data|style)\s*=`,
		"what loads": `(?i)<(link|img|iframe|object|embed|base|svg)\b`,
	} {
		if found := regexp.MustCompile(pattern).FindString(markup); found != "" {
			t.Errorf("%s: %s", what, found)
		}
	}
	for _, bad := range []string{
		"innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval", "Function(", "fetch", "@import", "import(", "import {", "http:", "https:", "XMLHttp", "localStorage", "url(", "srcdoc",
	} {
		if strings.Contains(scripts[0]+styles[0], bad) {
			t.Errorf("the script or the style has %q", bad)
		}
	}
}

// spans joins texts, with their styles where these matter.
func spans(all [][2]string) string {
	var b strings.Builder
	for _, s := range all {
		if s[0] == "o" || s[0] == "n" {
			b.WriteString(s[0] + "{" + s[1] + "}")
			continue
		}
		b.WriteString(s[1])
	}
	return b.String()
}

func (r row) String() string {
	open := ""
	if r.Open {
		open = "+"
	}
	text := fmt.Sprintf("%d%s%s", r.Level, r.Mark, open)
	for _, side := range []struct {
		name  string
		spans [][2]string
	}{{"both", r.Both}, {"old", r.Old}, {"new", r.New}} {
		if side.spans != nil {
			text += " " + side.name + " " + spans(side.spans)
		}
	}
	return text
}

// TestPageRows pins which lines are next to each other.
func TestPageRows(t *testing.T) {
	const secret = `"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270"`
	for i, c := range []struct {
		old, now string
		args     []string
		want     string
	}{
		{`{"a":1}`, `{"a":2}`, nil, "0~ old a: o{1} new a: n{2}"},
		{`{"a":1}`, `{}`, nil, "0- old a: o{1}"},
		{`{}`, `{"a":[1]}`, nil, "0+ new a: [n{1}]"},
		{`{}`, `{"a":[[1]]}`, nil, "0++ new a: [|1+ new [0]: [n{1}]|0 new ]"},
		{`{"a":{"b":1,"c":1}}`, `{"a":{"b":2,"c":1}}`, nil, "0~+ both a: {|1~ old b: o{1} new b: n{2}|0 both }"},
		{`{"a":"web-1"}`, `{"a":"web-2"}`, nil, `0~ old a: "web-o{1}" new a: "web-n{2}"`},
		{`{"a":"web"}`, `{"a":"web tier"}`, nil, `0~ old a: "web" new a: "webn{ tier}"`},
		{`{"a => b":"x => y"}`, `{"a => b":"x => z"}`, nil, `0~ old "a => b": "x => o{y}" new "a => b": "x => n{z}"`},
		{`{"a":{` + secret + `,"plaintext":"1"}}`, `{"a":{` + secret + `,"plaintext":"2"}}`, nil, "0~ old a: [secret] new a: [secret]"},
		{`{"a":{` + secret + `,"plaintext":"1"}}`, `{"a":1}`, nil, "0~ both a: [secret] new a: [secret]  # no longer secret"},
		{`{"a":1,"b":2}`, `{"a":2,"b":2}`, []string{"--replace-on", "a"}, "0+- old a: o{1} new a: n{2}  # forces replacement"},
		{`{"a":1}`, `{"b":1}`, []string{"--replace-on", "a"}, "0+- old a: o{1}  # deleted, forces replacement|0+ new b: n{1}"},
		{`{"a":[1,2,3]}`, `{"a":[3,1,2]}`, []string{"--arrays", "aligned"}, "0~+ both a: [|1> both [2]: 3 new [0]: 3|0 both ]"},
		{`{"a":"one\ntwo\nthree"}`, `{"a":"one\n2\n3\nthree"}`, nil, "0~+ both a: text of 3 => 4 lines|1 both | one|1~ old | o{two} new | n{2}|1+ new | n{3}|1 both | three"},
		{`{"a":1}`, `{"a":2}`, []string{"--hide", "a"}, "0~ both a: (hidden)"},
		{`{"a":1}`, `{"a":[1,2]}`, nil, "0~+ old a: o{1} new a: n{an array (2)}|1+ new [0]: n{1}|1+ new [1]: n{2}"},
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{"old.json": c.old, "new.json": c.now} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		got := propalg(t, dir, "", append([]string{"diff", "-o", "html", "old.json", "new.json"}, c.args...)...)
		data := dataOf(t, got.stdout)
		if got.code != 1 || !data.Bag || len(data.Resources) != 1 {
			t.Fatalf("row %d: exit %d, %+v", i, got.code, data)
		}
		var rows []string
		for _, r := range data.Resources[0].Parts[0].Rows {
			rows = append(rows, r.String())
		}
		if text := strings.Join(rows, "|"); c.want != "" && text != c.want {
			t.Errorf("row %d: got\n%s\nwant\n%s", i, text, c.want)
		}
	}
}

// TestPageInjection: markup in keys, values, names, types and file names stays
// text.
func TestPageInjection(t *testing.T) {
	dir := t.TempDir()
	names := [2]string{`o"><script>alert(1)</script>`, "n'\x1b[31m\u202e</title>"}
	for i, name := range names {
		if err := os.Mkdir(filepath.Join(dir, strconv.Itoa(i)), 0o700); err != nil {
			t.Fatal(err)
		}
		names[i] = filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		if err := os.WriteFile(names[i], []byte(injection(strconv.Itoa(i))), 0o600); err != nil {
			t.Skip(err) // where files have no such names
		}
	}
	got := propalg(t, dir, "", "diff", "-o", "html", names[0], names[1])
	data := dataOf(t, got.stdout)
	checkPage(t, got.stdout)
	if len(data.Resources) != 1 || strings.ContainsAny(got.stdout, "\x1b\u202e") {
		t.Fatalf("exit %d, %+v", got.code, data)
	}
	r := data.Resources[0]
	if want := "</script><img onerror=pwned=1 src=x>"; r.Name != want || r.Type != want || !strings.Contains(r.Parts[0].Rows[1].String(), want) {
		t.Errorf("it is not told as it is: %+v", r)
	}
}

// TestPageTree: resources are below their parents, siblings by type and name,
// with those above them that did not change; circles end.
func TestPageTree(t *testing.T) {
	resource := func(name, kind, parent, value string) string {
		return fmt.Sprintf(`{"urn":"urn:pulumi:s::p::%s::%s","type":%q,"parent":%q,"inputs":{"v":%q}}`, kind, name, kind, parent, value)
	}
	at := func(kind, name string) string { return "urn:pulumi:s::p::" + kind + "::" + name }
	stack := func(value string) string {
		return `{"version":3,"deployment":{"resources":[` + strings.Join([]string{
			resource("top", "t:t:Top", "", ""), resource("site", "a:b:Site", at("t:t:Top", "top"), ""),
			resource("z", "a:b:C", at("a:b:Site", "site"), value), resource("a", "b:b:C", at("a:b:Site", "site"), value), resource("a", "a:b:C", at("a:b:Site", "site"), value),
			resource("idle", "a:b:C", at("a:b:Site", "site"), ""), resource("lost", "a:b:C", at("a:b:C", "nowhere"), value),
			resource("default", "pulumi:providers:a", "", value), resource("x", "r:r:R", at("r:r:R", "y"), value), resource("y", "r:r:R", at("r:r:R", "x"), value), resource("self", "r:r:R", at("r:r:R", "self"), value),
		}, ",") + `]}}`
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"old.json": stack("1"), "new.json": stack("2")} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := propalg(t, dir, "", "diff", "-o", "html", "old.json", "new.json")
	var rows []string
	for _, r := range dataOf(t, got.stdout).Resources {
		rows = append(rows, fmt.Sprint(r.Depth, " ", r.Kind, " ", r.Type, " ", r.Name))
	}
	want := "0 0 a:b:C lost|0 0 r:r:R self|0 -1 a:b:Site site|1 0 a:b:C a|1 0 a:b:C z|1 0 b:b:C a|0 0 pulumi:providers:a default|0 0 r:r:R x|1 0 r:r:R y"
	if text := strings.Join(rows, "|"); text != want || got.code != 1 {
		t.Errorf("exit %d, got\n%s\nwant\n%s", got.code, text, want)
	}
	if again := propalg(t, dir, "", "diff", "-o", "html", "old.json", "new.json"); again.stdout != got.stdout {
		t.Error("two runs differ")
	}
	if equal := propalg(t, dir, "", "diff", "-o", "html", "old.json", "old.json"); equal.code != 0 || !strings.Contains(equal.stdout, "No resource changed, 11 unchanged.") || len(dataOf(t, equal.stdout).Resources) != 0 {
		t.Errorf("equal: exit %d", equal.code)
	}
}

// TestPageSecrets: a page has no secret, and says so; with --show-secrets it has,
// and says that.
func TestPageSecrets(t *testing.T) {
	for _, pair := range [][2]string{{"bags/old.json", "bags/new.json"}, {"samples/before.json", "samples/after.json"}} {
		masked := propalg(t, "../../testdata", "", "diff", "-o", "html", pair[0], pair[1])
		open := propalg(t, "../../testdata", "", "diff", "-o", "html", "--show-secrets", pair[0], pair[1])
		found := false
		for _, secret := range []string{"hunter2", "correct horse", "s3cr3t", "abc"} {
			found = found || strings.Contains(open.stdout, secret)
			if strings.Contains(masked.stdout, secret) {
				t.Errorf("%s: %q is in the page", pair[0], secret)
			}
		}
		if !found || !strings.Contains(open.stdout, "Secrets are shown in clear") || !strings.Contains(masked.stdout, "Secrets are masked.") {
			t.Errorf("%s: in clear: %v", pair[0], found)
		}
		dataOf(t, masked.stdout)
		checkPage(t, open.stdout)
	}
}
