package state_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/internal/test/kit"
)

// hushed is a secret text that every way of writing it writes in another way.
const hushed = "canary7 \"q\"/<é>\n%42+tail9"

// scrubbed returns a scrubbed file, and what was said about it. Neither has what it was about.
func scrubbed(t testing.TB, text string) (now, says string) {
	t.Helper()
	var out, all strings.Builder
	if err := state.Scrub(strings.NewReader(text), &out, func(s state.Scrubbed) { all.WriteString(s.String() + "\n") }); err != nil {
		t.Fatal(err)
	}
	return out.String(), all.String()
}

// shows reports whether a text has the canary, in any of the ways in which these tests write it.
func shows(text string) bool {
	for _, part := range []string{"canary7", "tail9", "Y2FuYXJ5", "jYW5hcnk3", "NhbmFyeT", "dGFpbDk", "YWlsO", "0YWls", "a\\u006eary"} {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

func inSecret(t testing.TB, text string) string {
	t.Helper()
	return `{` + asSecret + `,"plaintext":` + quoted(t, text) + `}`
}

// holder has the canary as a secret.
func holder(t testing.TB) string {
	t.Helper()
	return named("holder", `,"inputs":{"s":`+inSecret(t, quoted(t, hushed))+`}`)
}

// TestScrubSecrets: in every place in which a file may have a secret, it is gone, and so are the
// contents of assets, errors, and what decrypts.
func TestScrubSecrets(t *testing.T) {
	text, asset := quoted(t, hushed), `"4dabf18193072939515e22adb298388d":"c44067f5952c0a294b673a41bacd8c17"`
	archive := `"4dabf18193072939515e22adb298388d":"0def7320c3a5731c473e5ecbe6d01bc7"`
	for _, row := range []struct{ here, members, record, says string }{
		{here(), "", `"inputs":{"a":[{"b":` + inSecret(t, text) + `}]}`, "[scrubbed 1] $r: inputs.a[0].b\n"},
		{here(), "", `"outputs":{"a":` + inSecret(t, `{"`+"canary7"+`":[1,{"x":`+text+`}]}`) + `}`, "[scrubbed 1] $r: outputs.a\n"},
		{here(), "", `"outputs":{"a":` + inSecret(t, inSecret(t, text)) + `}`, "[scrubbed 1] $r: outputs.a\n"},
		{here(), "", `"outputs":{"a":` + inSecret(t, `1`) + `,"b":` + inSecret(t, `1`) + `}`, "[scrubbed 1] $r: outputs.a\n[scrubbed 2] $r: outputs.b\n"},
		{here(), "", `"inputs":{"a":` + cipher("canary7") + `}`, "[scrubbed 1] $r: inputs.a\n"},
		{here(), "", `"inputs":{"a":{"ciphertext":"canary7",` + asSecret + `}}`, "[scrubbed 1] $r: inputs.a\n"},
		{here(), "", `"inputs":{"a":{"x":{"y":["canary7"]},"4dabf18193072939515e22adb29838\u0038d":"1b47061264138c4ac30d75fd1eb4427\u0030","value":{"z":3}}}`, "[scrubbed 1] $r: inputs.a\n"},
		{here(), "", `"inputs":{"a":{` + asSecret + `,"4dabf18193072939515e22adb298388d":"c44067f5952c0a294b673a41bacd8c17","text":"canary7"}}`, "[scrubbed 1] $r: inputs.a\n"},
		{here(), "", `"inputs":` + inSecret(t, text), "[scrubbed 1] $r: inputs\n"},
		{here(), "", `"replacementTrigger":[` + inSecret(t, text) + `]`, "[scrubbed 1] $r: replacementTrigger[0]\n"},
		{here(), "", `"unknown":{"a":` + inSecret(t, text) + `}`, "[scrubbed 1] $r: unknown.a\n"},
		{here(), "", `"dependencies":[` + inSecret(t, text) + `]`, "[scrubbed 1] $r: dependencies[0]\n"},
		{here(), "", `"inputs":{"config":` + quoted(t, `{"a":{`+asSecret+`,"value":`+text+`}}`) + `}`, "[scrubbed 1] $r: inputs.config\n"},
		{
			here(), "", `"outputs":{"a":"canary7 and","b":{"canary7":1},"c":123456789,"d":true,"e":null,"f":{` + asSecret + `,"plaintext":"canary7"},"g":1},"additionalSecretOutputs":["a","b","c","d","e","f"]`,
			"[scrubbed 1] $r: outputs.a\n[scrubbed 2] $r: outputs.b\n[scrubbed 3] $r: outputs.c\n[scrubbed 4] $r: outputs.d\n[scrubbed 5] $r: outputs.f\n",
		},
		{here(), "", `"initErrors":[` + text + `,""]`, "[scrubbed 1] $r: initErrors[0]\n"},
		{here(), "", `"inputs":{"a":{` + asset + `,"hash":"canary7","text":` + text + `}}`, "[scrubbed 1] $r: inputs.a.text\n[scrubbed 2] $r: inputs.a.hash\n"},
		{here(), "", `"inputs":{"a":{"hash":"canary7","assets":{"b":{"text":` + text + `,` + asset + `}},` + archive + `}}`, "[scrubbed 1] $r: inputs.a.assets.b.text\n[scrubbed 2] $r: inputs.a.hash\n"},
		{here(), `"secrets_providers":{"type":"passphrase","state":{"salt":` + text + `}},`, "", "- secrets_providers\n"},
		{
			here(), `"metadata":{"integrity_error":{"version":"v3","command":` + text + `,"error":` + text + `,"env_vars":{"A":` + text + `}}},`, "",
			"[scrubbed 1] metadata.integrity_error.command\n[scrubbed 2] metadata.integrity_error.error\n[scrubbed 3] metadata.integrity_error.env_vars.A\n",
		},
		{
			here(), `"pending_operations":[{"type":"creating","resource":` + named("p", `,"initErrors":[`+text+`],"outputs":{"o":`+text+`},"additionalSecretOutputs":["o"]`) + `}],`, "",
			"[scrubbed 1] pending_operations[0].resource.initErrors[0]\n[scrubbed 2] pending_operations[0].resource.outputs.o\n",
		},
		{here(), `"unknown":[` + inSecret(t, text) + `],`, "", "[scrubbed 1] unknown[0]\n"},
	} {
		file := exportWith(row.members, named("r", ","+row.record))
		if row.record == "" {
			file = exportWith(row.members)
		}
		now, says := scrubbed(t, file)
		if want := strings.ReplaceAll(row.says, "$r", "urn:pulumi:s::p::a:b:C::r"); says != want || shows(now) {
			t.Errorf("%s: %s%s", row.here, says, now)
		}
		again, says := scrubbed(t, now)
		if again != now || says != "" {
			t.Errorf("%s: again: %s%s", row.here, says, again)
		}
		if _, err := state.Parse(now, state.Options{}); err != nil {
			t.Errorf("%s: %v", row.here, err)
		}
	}

	now, _ := scrubbed(t, `{"version":3,"checkpoint":{"stack":"s","config":{"p:a":{"secure":`+text+`},"p:b":{"x":[{"secure":`+text+`}],"y":"open"}},"latest":{"resources":[]}}}`)
	if want := `{"version":3,"checkpoint":{"stack":"s","config":{"p:a":{"secure":"[scrubbed 1]"},"p:b":{"x":[{"secure":"[scrubbed 2]"}],"y":"open"}},"latest":{"resources":[]}}}`; now != want {
		t.Error(now)
	}
}

// TestScrubClear: the text of a secret is gone also where it is in clear, however it is written,
// but for what holds the file together, of which the place is reported.
func TestScrubClear(t *testing.T) {
	text := quoted(t, hushed)
	in := func(value string) string { return `"inputs":{"a":` + value + `}` }
	nested := quoted(t, `{"k": [`+text+`]}`)
	for _, row := range []struct{ here, record, now string }{
		{here(), in(text), in(`"[scrubbed 1]"`)},
		{here(), in(`{"b":[true,` + text + `,2]}`), in(`{"b":[true,"[scrubbed 1]",2]}`)},
		{here(), in(quoted(t, "<"+hushed+">"+hushed)), in(`"<[scrubbed 1]>[scrubbed 2]"`)},
		{here(), in(`"` + strings.Replace(text[1:len(text)-1], "n", `\u006e`, 1) + `"`), ""},
		{here(), in(nested), in(`"{\"k\": [\"[scrubbed 1]\"]}"`)},
		{here(), in(quoted(t, nested)), ""},
		{here(), in(quoted(t, "https://u:"+url.QueryEscape(hushed)+"@h/"+url.PathEscape(hushed))), in(`"https://u:[scrubbed 1]@h/[scrubbed 2]"`)},
		{here(), in(quoted(t, base64.StdEncoding.EncodeToString([]byte(hushed)))), in(`"[scrubbed 1]"`)},
		{here(), in(quoted(t, "b64:"+base64.StdEncoding.EncodeToString([]byte("1"+hushed))+":")), in(`"b64:[scrubbed 1]:"`)},
		{here(), in(quoted(t, "b64:"+base64.URLEncoding.EncodeToString([]byte("12"+hushed+"34")))), in(`"b64:[scrubbed 1]"`)},
		{here(), in(`{` + text + `:{"x` + text[1:] + `:1}}`), in(`{"[scrubbed 1]":{"x[scrubbed 2]":1}}`)},
		{here(), `"id":` + text + `,` + in(`{"r":`+text+`}`), `"id":"[scrubbed 1]",` + in(`{"r":"[scrubbed 1]"}`)},
		{here(), `"importID":` + text, `"importID":"[scrubbed 1]"`},
		{here(), `"replacementTrigger":` + text, `"replacementTrigger":"[scrubbed 1]"`},
		{here(), `"unknown":` + text, `"unknown":"[scrubbed 1]"`},
		{here(), `"sourcePosition":` + text, `"sourcePosition":"[scrubbed 1]"`},
		{here(), `"stackTrace":[{"sourcePosition":` + text + `}]`, `"stackTrace":[{"sourcePosition":"[scrubbed 1]"}]`},
		{here(), in(`{"4dabf18193072939515e22adb298388d":"c44067f5952c0a294b673a41bacd8c17","path":` + text + `,"hash":"h"}`), in(`{"4dabf18193072939515e22adb298388d":"c44067f5952c0a294b673a41bacd8c17","path":"[scrubbed 1]","hash":"h"}`)},
		{here(), in(`{"4dabf18193072939515e22adb298388d":` + text + `,"hash":` + text + `,"text":` + text + `}`), ""},
		{here(), in(`{"hash":` + text + `,"text":` + text + `,"text":"x","hash":"x"}`), ""},
	} {
		now, says := scrubbed(t, exportWith("", named("r", ","+row.record), holder(t)))
		if row.now != "" && !strings.Contains(now, named("r", ","+row.now)) {
			t.Errorf("%s: %s%s", row.here, says, now)
		}
		if shows(now) || shows(says) || strings.Contains(says, "!") {
			t.Errorf("%s: %s%s", row.here, says, now)
		}
		if again, says := scrubbed(t, now); again != now || says != "" {
			t.Errorf("%s: again: %s%s", row.here, says, again)
		}
	}
	for _, row := range []struct{ here, members, now string }{
		{here(), `"snippets":[{"code":` + text + `}]`, `"snippets":[{"code":"[scrubbed 1]"}]`},
		{here(), `"extensions":{"e":` + text + `}`, `"extensions":{"e":"[scrubbed 1]"}`},
		{here(), `"metadata":{"other":` + text + `}`, `"metadata":{"other":"[scrubbed 1]"}`},
		{
			here(), `"pending_operations":[{"type":"creating","why":` + text + `,"resource":` + named("p", `,"inputs":{"a":`+text+`}`) + `}]`,
			`"pending_operations":[{"type":"creating","why":"[scrubbed 1]","resource":` + named("p", `,"inputs":{"a":"[scrubbed 2]"}`) + `}]`,
		},
	} {
		if now, says := scrubbed(t, exportWith(row.members+",", holder(t))); !strings.Contains(now, row.now) || shows(now) {
			t.Errorf("%s: %s%s", row.here, says, now)
		}
	}
}

// TestScrubLeft: what is a name, a type or a reference stays, and its place is reported, without
// what it is.
func TestScrubLeft(t *testing.T) {
	text := quoted(t, hushed)
	r := "! urn:pulumi:s::p::a:b:C::r: "
	for _, row := range []struct{ here, record, says string }{
		{here(), `"parent":` + text, r + "parent\n"},
		{here(), `"dependencies":["x",` + text + `]`, r + "dependencies[1]\n"},
		{here(), `"propertyDependencies":{` + text + `:[` + text + `]}`, r + "propertyDependencies[secret]\n" + r + "propertyDependencies[secret]\n"},
		{here(), `"ignoreChanges":[` + text + `]`, r + "ignoreChanges[0]\n"},
		{here(), `"additionalSecretOutputs":[` + text + `]`, r + "additionalSecretOutputs[0]\n"},
		{here(), `"created":` + text, r + "created\n"},
		{here(), `"inputs":{` + text + `:{"x":` + text + `}}`, r + "inputs[secret]\n[scrubbed 1] urn:pulumi:s::p::a:b:C::r: inputs[secret]\n"},
		{here(), text + `:{"x":` + text + `}`, r + "[\"[secret]\"]\n[scrubbed 1] urn:pulumi:s::p::a:b:C::r: [\"[secret]\"].x\n"},
	} {
		_, says := scrubbed(t, exportWith("", named("r", ","+row.record), holder(t)))
		if says != row.says+"[scrubbed "+strconv.Itoa(1+strings.Count(row.says, "[scrubbed"))+"] urn:pulumi:s::p::a:b:C::holder: inputs.s\n" {
			t.Errorf("%s: %s", row.here, says)
		}
	}

	named := `{"urn":"urn:pulumi:s::p::a:b:C::canary77","type":"a:b:C","inputs":{"u":"urn:pulumi:s::p::a:b:C::canary77","s":` + inClear("canary77") + `}}`
	provider := `{"urn":"urn:pulumi:s::p::pulumi:providers:p::p","type":"pulumi:providers:p","id":"canary77"}`
	_, says := scrubbed(t, exportWith(`"manifest":{"version":"canary77"},`, named, provider))
	if want := "! manifest.version\n! resources[0].urn\n! resources[0].inputs.u\n[scrubbed 1] resources[0].inputs.s\n! urn:pulumi:s::p::pulumi:providers:p::p: id\n"; says != want {
		t.Error(says)
	}
}

// TestScrubLengths: what is short or a word is not looked for everywhere.
func TestScrubLengths(t *testing.T) {
	for _, row := range []struct{ here, secret, clear, want string }{
		{here(), `"abc"`, `["abc"]`, `["abc"]`},
		{here(), `"1234"`, `["1234","12345",1234]`, `["[scrubbed 1]","12345",1234]`},
		{here(), `"hunter2"`, `["hunter2","hunter22"]`, `["[scrubbed 1]","hunter22"]`},
		{here(), `"hunter22"`, `["hunter2","hunter222"]`, `["hunter2","[scrubbed 1]2"]`},
		{here(), `"password"`, `["password","my password",{"password":1}]`, `["[scrubbed 1]","my [scrubbed 2]",{"password":1}]`},
		{here(), `1234567`, `[1234567,"1234567"]`, `[1234567,"1234567"]`},
		{here(), `12345678`, `[12345678,"12345678","arn:12345678:x",123456789]`, `[1,"[scrubbed 2]","arn:[scrubbed 3]:x",4]`},
		{here(), `{"user":"postgres","password":"hunter22","pin":"1234"}`, `["postgres","hunter22","1234"]`, `["postgres","[scrubbed 1]","1234"]`},
		{here(), `"{\"password\":\"hunter22\"}"`, `["hunter22"]`, `["[scrubbed 1]"]`},
		{here(), `" hunter22\n"`, `["hunter22"]`, `["[scrubbed 1]"]`},
		{here(), `["00000000b","00000000c","00000000bcc"]`, `["0000000000c","00000000bcc","x00000000bx"]`, `["00[scrubbed 1]","[scrubbed 2]","x[scrubbed 3]x"]`},
		{here(), `["12345678","567890AB"]`, `["x1234567890ABx"]`, `["x[scrubbed 1]x"]`},
		{here(), `"urn:pulumi:s::p::a:b:C::r"`, `["urn:pulumi:s::p::a:b:C::r"]`, `["urn:pulumi:s::p::a:b:C::r"]`},
		{here(), `"[scrubbed 7]"`, `["[scrubbed 7]","[scrubbed 8] x",{"[scrubbed 9]":1}]`, `["[scrubbed 7]","[scrubbed 8] x",{"[scrubbed 9]":1}]`},
		{here(), `"[scrubbed 7] x1"`, `["[scrubbed 40]","[scrubbed 7] x1",{"[scrubbed 9]":1}]`, `["[scrubbed 40]","[scrubbed 41]",{"[scrubbed 9]":1}]`},
	} {
		now, says := scrubbed(t, exportWith("", named("r", `,"inputs":{"c":`+row.clear+`}`), named("s", `,"inputs":{"s":`+inSecret(t, row.secret)+`}`)))
		if !strings.Contains(now, `{"c":`+row.want+`}`) || strings.Contains(says, "!") {
			t.Errorf("%s: %s%s", row.here, says, now)
		}
	}
}

// TestScrubStates: of the real states no secret that is long enough is left, and both Check and
// Compare find in the result what they find in the file.
func TestScrubStates(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/data/state-files/*.json")
	if len(files) == 0 {
		t.Skip("no state files here")
	}
	plain := regexp.MustCompile(`"plaintext": ?("(?:[^"\\]|\\.)*")`)
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		now, says := scrubbed(t, string(text))
		for _, m := range plain.FindAllSubmatch(text, -1) {
			var inner string
			if err := json.Unmarshal(m[1], &inner); err != nil {
				t.Fatal(err)
			}
			if secret := strings.Trim(inner, `"`); len(secret) >= 8 && (strings.Contains(now, secret) || strings.Contains(says, secret)) {
				t.Errorf("%s: the text of a secret is left", filepath.Base(name))
			}
		}
		if strings.Contains(now, "ciphertext") || strings.Contains(now, `"salt"`) || strings.Contains(says, "!") {
			t.Errorf("%s: %s", filepath.Base(name), says)
		}

		before, after := codes(t, string(text)), codes(t, now)
		delete(before, "secret-clear")
		if fmt.Sprint(before) != fmt.Sprint(after) {
			t.Errorf("%s: found are %v, and before %v", filepath.Base(name), after, before)
		}
		if _, _, err := slow(now, state.Options{Codec: codec.Options{RoundNumbers: true}}); err != nil {
			t.Error(err)
		}
	}
}

// codes counts what Check finds.
func codes(t *testing.T, text string) map[string]int {
	t.Helper()
	all := map[string]int{}
	for f, err := range state.Check(strings.NewReader(text), state.CheckOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		all[f.Code]++
	}
	return all
}

// TestScrubErrors: a file that cannot be read to its end is an error with its place, and one that
// cannot be written is one.
func TestScrubErrors(t *testing.T) {
	text := exportWith("", holder(t))
	for i := range len(text) {
		err := state.Scrub(strings.NewReader(text[:i]), io.Discard, nil)
		var e *state.Error
		if !errors.As(err, &e) || e.Offset < 0 || shows(err.Error()) {
			t.Fatalf("%d: %v", i, err)
		}
	}
	err := state.Scrub(strings.NewReader(text), brokenWriter{}, nil)
	var e *state.Error
	if !errors.As(err, &e) || !errors.Is(err, errBroken) {
		t.Error(err)
	}
	for _, err := range []error{state.Scrub(nil, io.Discard, nil), state.Scrub(strings.NewReader(text), nil, nil)} {
		if !errors.Is(err, state.ErrRead) {
			t.Error(err)
		}
	}
	turns := 0
	err = state.Scrub(turning(func(p []byte, off int64) (int, error) {
		if off == 0 {
			turns++
		}
		return strings.NewReader(strings.ReplaceAll(text, "holder", []string{"holder", "folder"}[min(turns/3, 1)])).ReadAt(p, off)
	}), io.Discard, nil)
	if !errors.Is(err, state.ErrEdit) {
		t.Error(err)
	}
}

var errBroken = errors.New("broken")

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

type turning func(p []byte, off int64) (int, error)

func (c turning) ReadAt(p []byte, off int64) (int, error) { return c(p, off) }

// TestScrubCosts: nothing is quadratic: many secrets with one beginning, texts that repeat
// themselves, secrets in secrets, deep texts.
func TestScrubCosts(t *testing.T) {
	for _, row := range []struct {
		here string
		n    int
		make func(n int) (secret, open string)
	}{
		{here(), 2000, func(n int) (secret, open string) {
			var s, c bytes.Buffer
			for i := range n {
				fmt.Fprintf(&s, `"https://example.com/%d",`, i)
				fmt.Fprintf(&c, `"https://example.com/x%d",`, i)
			}
			return `[` + s.String() + `0]`, `[` + c.String() + `0]`
		}},
		{here(), 20_000, func(n int) (secret, open string) {
			return `"` + strings.Repeat("a1", n) + `b"`, `"` + strings.Repeat("a1", 2*n) + `c"`
		}},
		{here(), 5_000, func(n int) (secret, open string) {
			return `"hunter22"`, `"` + strings.Repeat("aHVudGVyMjI", n) + `"`
		}},
		{here(), 1000, func(n int) (secret, open string) {
			return strings.Repeat(`[`, n) + `"hunter22"` + strings.Repeat(`]`, n), strings.Repeat(`{"a":`, n) + `"hunter22"` + strings.Repeat(`}`, n)
		}},
	} {
		kit.Grows(t, row.here, row.n, func(n int) func() {
			secret, open := row.make(n)
			text := exportWith("", named("r", `,"inputs":{"c":`+open+`}`), named("s", `,"inputs":{"s":`+inSecret(t, secret)+`}`))
			return func() {
				if err := state.Scrub(strings.NewReader(text), io.Discard, nil); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// FuzzScrub: a file that was scrubbed is a file again, has no encrypted secret, and changes no
// more.
func FuzzScrub(f *testing.F) {
	for _, row := range malformedResources() {
		f.Add(row.text)
	}
	f.Add(tricky)
	f.Add(exportWith(`"secrets_providers":{"type":"b64"},`, holder(f), named("r", `,"outputs":{"a":`+cipher("x")+`},"additionalSecretOutputs":["b"]`)))
	f.Fuzz(func(t *testing.T, text string) {
		var out strings.Builder
		err := state.Scrub(strings.NewReader(text), &out, nil)
		o := state.Options{Codec: codec.Options{Depth: 1 << 30}}
		if _, failed := state.Parse(text, o); (err == nil) != (failed == nil) {
			t.Fatalf("%q: %v, %v", text, err, failed)
		}
		if err != nil {
			return
		}
		now := out.String()
		if again, says := scrubbed(t, now); again != now && !strings.Contains(now, "\\u") {
			t.Errorf("%q: %q, again %q: %s", text, now, again, says)
		}
	})
}
