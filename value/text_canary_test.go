package value_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	htmltemplate "html/template"
	"log/slog"
	"math"
	"strings"
	"testing"
	"text/template"

	"github.com/google/go-cmp/cmp"

	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/value"
)

// canary is planted in secrets; no text may have it, in any spelling of fmt's.
const canary = "cAnArY7Q"

// sings reports whether a text gives the canary away.
func sings(text string) bool {
	lower := strings.ToLower(text)
	octets := strings.Trim(fmt.Sprintf("%d", []byte(canary)), "[]")
	for _, spelling := range []string{
		strings.ToLower(canary),
		hex.EncodeToString([]byte(canary)),
		fmt.Sprintf("% x", canary),
		octets,
		strings.ReplaceAll(octets, " ", ", "),
		strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(fmt.Sprintf("%#v", []byte(canary)), "[]byte{"), "}")),
	} {
		if strings.Contains(lower, spelling) {
			return true
		}
	}
	return false
}

// planted are values that hold the canary, each in another place.
func planted(t *testing.T) map[string]value.Value {
	t.Helper()
	entries := literal(t,
		value.Member{Key: canary, Value: value.TextAsset(canary)},
		value.Member{Key: "nested", Value: literal(t, value.Member{Key: canary, Value: value.FileArchive(canary)})})
	text := value.String(canary)
	return map[string]value.Value{
		"string":       text,
		"key":          value.Object(value.Member{Key: canary, Value: value.Null()}),
		"array":        value.Array(value.Null(), text, value.Array(text)),
		"object":       value.Object(value.Member{Key: "a", Value: text}, value.Member{Key: "b", Value: value.Object(value.Member{Key: canary, Value: text})}),
		"dependencies": value.Array(text.WithDependencies(canary), text).WithDependencies("urn:" + canary),
		"text asset":   value.TextAsset(canary),
		"file asset":   value.FileAsset(canary),
		"uri asset":    value.URIAsset(canary).WithHash(canary),
		"literal":      entries,
		"file archive": value.FileArchive(canary),
		"uri archive":  value.URIArchive(canary).WithHash(canary),
		"elided":       value.FileArchive("").WithHash(canary).DropContent(),
		"reference": value.ResourceReference{
			URN: canary, ID: value.KnownID(canary), PackageVersion: canary, Name: canary, Type: canary,
		}.Value(),
		"sealed": value.Sealed{Ciphertext: canary, Provider: canary}.Value(),
	}
}

// secrets are values through which the canary could be seen, but must not.
func secrets(t *testing.T) map[string]value.Value {
	t.Helper()
	all := map[string]value.Value{}
	for name, v := range planted(t) {
		s := value.Secret(v)
		all[name] = s
		if !v.Kind().IsContainer() && name != "string" {
			continue
		}
		all[name+", below"] = value.Object(value.Member{Key: "x", Value: value.Array(s, value.Number(2))})
		all[name+", handed out"] = value.Secret(value.Array(v)).Elem(0)
		all[name+", with dependencies"] = s.WithDependencies("urn:other")
	}
	return all
}

type (
	exported struct {
		V value.Value
		P *value.Value
		I any
	}
	unexported struct {
		v  value.Value
		p  *value.Value
		i  any
		s  []value.Value
		a  [1]value.Value
		m  map[string]value.Value
		n  *unexported
		ms []value.Member
	}
	contents struct {
		Asset   value.Asset
		Archive *value.Archive
		asset   value.Asset
		archive []value.Archive
	}
)

// containers put a value wherever fmt may meet it.
func containers(v value.Value) map[string]any {
	hidden := unexported{
		v: v, p: &v, i: v, s: []value.Value{v}, a: [1]value.Value{v},
		m: map[string]value.Value{"k": v}, ms: []value.Member{{Key: "k", Value: v}},
	}
	asset, _ := v.AsAsset()
	archive, _ := v.AsArchive()
	outer := hidden
	outer.n = &hidden
	pointer := &v
	return map[string]any{
		"value":             v,
		"pointer":           &v,
		"double pointer":    &pointer,
		"slice":             []value.Value{v},
		"array":             [2]value.Value{v, v},
		"map":               map[string]value.Value{"k": v},
		"map to pointer":    map[string]*value.Value{"k": &v},
		"any":               map[string]any{"k": []any{v, &v}},
		"exported":          exported{v, &v, v},
		"exported pointer":  &exported{v, &v, &v},
		"embedded":          struct{ value.Value }{v},
		"unexported":        outer,
		"unexported slice":  []unexported{outer},
		"unexported key":    map[any]bool{&outer: true},
		"member":            value.Member{Key: "k", Value: v},
		"members":           []value.Member{{Key: "k", Value: v}},
		"error":             errors.Join(fmt.Errorf("wrapped: %v", v)),
		"slog":              v.LogValue(),
		"asset":             asset,
		"archive":           archive,
		"contents":          []contents{{asset, &archive, asset, []value.Archive{archive}}},
		"anonymous":         struct{ v []*value.Value }{[]*value.Value{&v}},
		"unexported in any": struct{ x any }{exported{v, &v, v}},
	}
}

// formats are all verbs, the ones that fmt looks into with every flag.
func formats() []string {
	all := []string{"%é", "%\x00", "%!", "%[2]v", "%[1]*d", "no verb", "%"}
	for verb := 'A'; verb <= 'z'; verb++ {
		if verb <= 'Z' || verb >= 'a' {
			all = append(all, "%"+string(verb), "%+#"+string(verb))
		}
	}
	if race.Enabled {
		return all // slow there, and nothing that races depends on flags
	}
	for _, verb := range "vsqxdp" {
		for _, flags := range []string{"+", "#", " ", "0", "-20.3", "# "} {
			all = append(all, "%"+flags+string(verb))
		}
	}
	return all
}

func TestCanaryUnderEveryVerb(t *testing.T) {
	t.Parallel()
	verbs := formats()
	for name, v := range secrets(t) {
		for shape, x := range containers(v) {
			for _, verb := range verbs {
				text := fmt.Sprintf(verb, x)
				if verb == "%w" {
					text += fmt.Errorf(verb, x).Error()
				}
				if sings(text) {
					t.Fatalf("%s in %s under %s: %s", name, shape, verb, text)
				}
			}
			if text := fmt.Sprintln(x, x) + fmt.Sprint(x, x); sings(text) {
				t.Fatalf("%s in %s: %s", name, shape, text)
			}
		}
	}
}

// TestCanarySings shows that the test above can fail: what is not secret is
// found, in the spellings of several verbs.
func TestCanarySings(t *testing.T) {
	t.Parallel()
	v := planted(t)["object"]
	for _, verb := range []string{"%v", "%s", "%q", "%x", "%X", "%d", "%#v"} {
		text := fmt.Sprintf(verb, exported{V: v})
		if verb == "%x" || verb == "%X" {
			text = fmt.Sprintf(verb, v)
		}
		if !sings(text) {
			t.Errorf("%s shows no plaintext: %s", verb, text)
		}
	}
	for _, text := range []string{fmt.Sprintf("%d", []byte(canary)), fmt.Sprintf("%#v", []byte(canary)), fmt.Sprintf("% X", canary)} {
		if !sings(text) {
			t.Errorf("not found in %s", text)
		}
	}
}

// A secret number is masked wherever fmt asks us; its bits are reached only where
// fmt does not, which is documented.
func TestSecretNumberUnderEveryVerb(t *testing.T) {
	t.Parallel()
	const number = 7654321.25
	v := value.Secret(value.Number(number))
	bits := math.Float64bits(number)
	for _, x := range []any{v, &v, []value.Value{v}, map[string]value.Value{"k": v}, exported{v, nil, v}, value.Member{Key: "k", Value: v}} {
		for _, verb := range formats() {
			if strings.HasSuffix(verb, "p") || strings.HasSuffix(verb, "w") {
				continue
			}
			text := fmt.Sprintf(verb, x)
			if strings.Contains(text, "7654321") || strings.Contains(text, fmt.Sprintf("%x", bits)) ||
				strings.Contains(text, fmt.Sprint(bits)) {
				t.Errorf("%s: %s", verb, text)
			}
		}
	}
}

func TestCanaryInEncoders(t *testing.T) {
	t.Parallel()
	for name, v := range secrets(t) {
		for shape, x := range containers(v) {
			if _, isMap := x.(map[any]bool); isMap {
				continue // no encoder takes its keys
			}
			for encoder, text := range encoded(t, x) {
				if sings(text) {
					t.Fatalf("%s in %s: %s: %s", name, shape, encoder, text)
				}
			}
		}
	}
	masked := encoded(t, value.Array(value.Secret(value.Number(5))))
	for encoder, want := range map[string]string{
		"json":          `["[secret]"]`,
		"text/template": `[[secret]]`,
		"html/template": `<a title="[[secret]]">[[secret]]</a><script>x = ["[secret]"]</script>`,
		"slog text":     `level=INFO msg=m x=[[secret]]` + "\n",
		"slog json":     `{"level":"INFO","msg":"m","x":"[[secret]]"}` + "\n",
	} {
		if got := masked[encoder]; got != want {
			t.Errorf("%s: got %s, want %s", encoder, got, want)
		}
	}
}

// encoded is what the standard library's encoders write for x, or their errors.
func encoded(t *testing.T, x any) map[string]string {
	t.Helper()
	results := map[string]string{}
	add := func(name, text string, err error) {
		if err != nil {
			text = err.Error()
		}
		results[name] = text
	}
	text, err := json.Marshal(x)
	add("json", string(text), err)

	var b bytes.Buffer
	err = template.Must(template.New("").Parse(`{{.}}`)).Execute(&b, x)
	add("text/template", b.String(), err)
	b.Reset()
	html := `<a title="{{.}}">{{.}}</a><script>x = {{.}}</script>`
	err = htmltemplate.Must(htmltemplate.New("").Parse(html)).Execute(&b, x)
	add("html/template", b.String(), err)

	options := &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}
	b.Reset()
	slog.New(slog.NewTextHandler(&b, options)).Info("m", "x", x)
	add("slog text", b.String(), nil)
	b.Reset()
	slog.New(slog.NewJSONHandler(&b, options)).Info("m", "x", x)
	add("slog json", b.String(), nil)
	return results
}

func TestCanaryInCmp(t *testing.T) {
	t.Parallel()
	for name, v := range secrets(t) {
		for _, pair := range [][2]any{
			{v, value.Null()},
			{value.Null(), v},
			{v, value.Secret(value.String("other"))},
			{exported{V: v}, exported{V: value.Secret(value.Null())}},
			{[]value.Value{v, v}, []value.Value{value.Secret(value.Unknown())}},
			{map[string]value.Value{"k": v}, map[string]value.Value{"k": value.Secret(value.Array())}},
			{value.Member{Key: "k", Value: v}, value.Member{Key: "k", Value: value.Secret(value.Bool(true))}},
		} {
			report := cmp.Diff(pair[0], pair[1])
			if report == "" {
				t.Errorf("%s: no difference", name)
			}
			if sings(report) {
				t.Errorf("%s: %s", name, report)
			}
		}
	}
	if report := cmp.Diff(value.String(canary), value.Null()); !sings(report) {
		t.Errorf("no plaintext: %s", report)
	}
}

func TestLogValue(t *testing.T) {
	t.Parallel()
	for _, row := range displayMatrix(t) {
		got := row.v.LogValue()
		want := slog.StringValue(row.text)
		if b, ok := row.v.AsBool(); ok {
			want = slog.BoolValue(b)
		}
		if f, ok := row.v.AsNumber(); ok && row.text == row.json {
			want = slog.Float64Value(f)
		}
		if row.v.IsSecret() {
			want = slog.StringValue("[secret]")
		}
		if !got.Equal(want) {
			t.Errorf("%s: got %v, want %v", row.where, got, want)
		}
	}
}
