package state_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/test/kit"
)

// driftOf compares inputs and outputs, given as JSON.
func driftOf(t *testing.T, inputs, outputs string) string {
	t.Helper()
	const begin = `{"version":3,"deployment":{"resources":[{"urn":"urn:pulumi:s::p::t:i:R::a","type":"t:i:R","custom":true,"id":"i","inputs":`
	f, err := state.Parse(begin+inputs+`,"outputs":`+outputs+`,"additionalSecretOutputs":["listed"]}]}}`, state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, _, err := f.Find("urn:pulumi:s::p::t:i:R::a")
	if err != nil {
		t.Fatal(err)
	}
	d := r.Drift(diff.Options{Arrays: diff.Auto()})
	text := ""
	for c := range d.Diff.Changes() {
		text += c.String() + "; "
	}
	if d.Missing > 0 {
		text += fmt.Sprintf("%d missing; ", d.Missing)
	}
	if d.Unknown > 0 {
		text += fmt.Sprintf("%d unknown; ", d.Unknown)
	}
	return strings.TrimSuffix(text, "; ")
}

func TestDrift(t *testing.T) {
	const (
		sig     = `"4dabf18193072939515e22adb298388d":`
		secret  = `{` + sig + `"1b47061264138c4ac30d75fd1eb44270","plaintext":`
		sealed  = `{` + sig + `"1b47061264138c4ac30d75fd1eb44270","ciphertext":"v1:x:y"}`
		unknown = `"04da6b54-80e4-46f7-96ec-b56ff0331ba9"`
		asset   = `{` + sig + `"c44067f5952c0a294b673a41bacd8c17","hash":"ab","text":"x"}`
	)
	for _, row := range [][3]string{
		{`{"a":1}`, `{"a":1}`, ""},
		{`{"a":1}`, `{"a":2}`, "~ a: 1 => 2"},
		{secret + `"{\"canary\":1}"}`, `{"canary":2}`, "~ [secret] => [secret]"},
		{`{}`, `{"a":2}`, ""},                                                  // an output without an input
		{`{"a":1,"n":null,"__defaults":[]}`, `{}`, "1 missing"},                //
		{`{"a":1}`, `{"a":null}`, "1 missing"},                                 //
		{`{"t":{"a":1}}`, `{"t":{"a":1,"b":2}}`, ""},                           // it may be a default
		{`{"t":{"a":1,"b":2,"__x":1}}`, `{"t":{"b":2}}`, "- t.a: 1"},           //
		{`{"t":{"n":null}}`, `{"t":{}}`, ""},                                   //
		{`{"l":[1,2,3]}`, `{"l":[3,1,2]}`, ""},                                 // in another order
		{`{"l":[{"k":1},{"k":2}]}`, `{"l":[{"k":2,"d":0},{"k":1,"d":0}]}`, ""}, // with defaults
		{`{"l":["a"]}`, `{"l":["a","b"]}`, `+ l[1]: "b"`},                      //
		{`{"l":[{"name":"x","v":1},{"name":"y","v":2}]}`, `{"l":[{"name":"y","v":3},{"name":"x","v":1}]}`, "~ l: array (2)  # order changes; ~ l[0].v: 2 => 3"},
		{`{"p":"{\"a\":[1],\"b\":2}"}`, `{"p":"{\"b\": 2, \"a\": [1]}"}`, ""},                         // one document
		{`{"p":"{\"a\":1}"}`, `{"p":"{\"a\":1,\"b\":2}"}`, `~ p: "{\"a\":1}" => "{\"a\":1,\"b\":2}"`}, //
		{`{"n":128,"b":true}`, `{"n":"128","b":"true"}`, ""},                                          // as providers once returned them
		{`{"n":128}`, `{"n":"129"}`, `~ n: 128 => "129"`},                                             //
		{`{"s":` + secret + `"\"canary\""}}`, `{"s":"canary"}`, ""},                                   //
		{`{"s":` + secret + `"\"canary\""}}`, `{"s":"canary2"}`, "~ s: [secret] => [secret]"},         //
		{`{"s":"canary"}`, `{"s":` + secret + `"\"canary2\""}}`, "~ s: [secret] => [secret]"},         //
		{`{"s":` + secret + `"{\"a\":\"canary\"}"}}`, `{"s":{"a":"canary","b":1}}`, ""},               //
		{`{"s":` + secret + `"{\"a\":\"canary\"}"}}`, `{"s":{"a":"canary2"}}`, "~ s: [secret] => [secret]"},
		{`{"listed":"canary"}`, `{"listed":"canary2"}`, "~ listed: [secret] => [secret]"}, //
		{`{"s":"x"}`, `{"s":` + sealed + `}`, "1 unknown"},                                //
		{`{"s":` + sealed + `}`, `{"s":"x"}`, "1 unknown"},                                //
		{`{"s":{"a":` + sealed + `,"b":1}}`, `{"s":{"a":` + sealed + `,"b":2}}`, "~ s.b: 1 => 2; 1 unknown"},
		{`{"l":[1,` + sealed + `]}`, `{"l":[2,1]}`, "1 unknown"}, // it may be 2
		{`{"l":[{"a":1},{"a":[` + sealed + `]}]}`, `{"l":[{"a":2},{"a":[3]}]}`, "~ l[0].a: 1 => 2; 1 unknown"},
		{`{"s":{"a":` + unknown + `}}`, `{"s":{}}`, "1 unknown"},                                   //
		{`{"f":` + asset + `,"g":` + asset + `}`, `{"f":"/tmp/x","g":` + asset + `}`, "1 unknown"}, //
		{`{"a":{"b":1}}`, `{"a":"x"}`, `~ a: {b: 1} => "x"`},                                       //
	} {
		if got := driftOf(t, row[0], row[1]); got != row[2] || strings.Contains(got, "canary") {
			t.Errorf("%s, %s: %q, want %q", row[0], row[1], got, row[2])
		}
	}
}

// TestDriftOfComponent: what a component registered is not what a provider returned.
func TestDriftOfComponent(t *testing.T) {
	f, err := state.Parse(`{"version":3,"deployment":{"resources":[{"urn":"urn:pulumi:s::p::t:i:R::a","type":"t:i:R","inputs":{"a":1},"outputs":{"a":2}}]}}`, state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for r, err := range f.Resources() {
		if d := r.Drift(diff.Options{}); err != nil || !d.Diff.Empty() || d.Missing+d.Unknown > 0 {
			t.Errorf("%v, %+v", err, d)
		}
	}
	if d := (&state.Resource{Custom: true}).Drift(diff.Options{}); !d.Diff.Empty() {
		t.Error(d.Diff)
	}
}

// TestDriftOfFiles: what real states have, each looked at by hand: a location in another form, a
// value that the provider dropped, and one of which it keeps a hash only.
func TestDriftOfFiles(t *testing.T) {
	want := map[string]string{
		"appservice":        `~ location: "East US" => "eastus"`,
		"zero_trust_access": `~ sessionDuration: "24h" => ""`,
		"aws-profile-role":  "~ userData: ",
	}
	files, _ := filepath.Glob("../../../shared/data/state-files/*")
	if len(files) == 0 {
		t.Skip("no shared data")
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for r, err := range state.NewReader(f, state.Options{Codec: codec.Options{RoundNumbers: true}}).Resources() {
			if err != nil {
				t.Fatal(err)
			}
			for c := range r.Drift(diff.Options{Arrays: diff.Auto()}).Diff.Changes() {
				all = append(all, c.String())
			}
		}
		_ = f.Close()
		expected, isOne := "", false
		for part, change := range want {
			if strings.Contains(name, part) {
				expected, isOne = change, true
			}
		}
		if (isOne && (len(all) != 1 || !strings.HasPrefix(all[0], expected))) || (!isOne && len(all) > 0) {
			t.Errorf("%s: %q, want %q", filepath.Base(name), all, expected)
		}
	}
}

// TestDriftGrows: the time grows as the bags do.
func TestDriftGrows(t *testing.T) {
	kit.Grows(t, "an array in another order", 1000, func(n int) func() {
		var in, out []string
		for i := range n {
			in, out = append(in, fmt.Sprint(i)), append(out, fmt.Sprint(n-1-i))
		}
		return func() {
			if got := driftOf(t, `{"l":[`+strings.Join(in, ",")+`]}`, `{"l":[`+strings.Join(out, ",")+`]}`); got != "" {
				t.Error(got)
			}
		}
	})
}
