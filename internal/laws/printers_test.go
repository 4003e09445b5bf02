package laws_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"text/template"

	"github.com/propalg/propalg/internal/sample"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// hidden holds what must not be printed where fmt may not call methods: in
// unexported fields, behind pointers, in interfaces, slices, arrays and maps.
type hidden struct {
	v      value.Value
	p      *value.Value
	x      any
	s      []value.Value
	a      [1]value.Value
	m      map[string]value.Value
	inner  struct{ v value.Value }
	d      diff.Diff
	c      diff.Change
	cs     []diff.Change
	shown  path.Shown
	err    error
	file   *state.File
	fields []state.Field
}

// open is the same in exported fields, as encoding/json sees them.
type open struct {
	V value.Value
	P *value.Value
	X any
	S []value.Value
	A [1]value.Value
	M map[string]value.Value
}

// secretScene is all that there is of a change in which a secret changes.
func secretScene(t *testing.T, c fuzz.Canary, at fuzz.Place) (hidden, open) {
	t.Helper()

	v := c.Hide(at)
	old := value.Object(value.Member{Key: "p", Value: v}, value.Member{Key: "q", Value: value.Null()})
	now := value.Object(value.Member{Key: "p", Value: value.Secret(value.String("another"))}, value.Member{Key: "q", Value: v})
	d := diff.Between(old, now, diff.Options{})

	_, misfit := diff.Apply(now, d)
	_, below := old.With(path.MustParse("p.a").Key(c.Text()).Key(c.Text()), value.Null())

	if misfit == nil || below == nil {
		t.Fatalf("no errors to print: %v, %v", misfit, below)
	}

	h := hidden{
		v: v, p: &v, x: v, s: []value.Value{v}, a: [1]value.Value{v}, m: map[string]value.Value{"m": v}, inner: struct{ v value.Value }{v},
		d: d, err: errors.Join(misfit, below), shown: path.Show(path.Of(path.Key("p"), path.Key(c.Text())), 1),
	}

	for change := range d.Changes() {
		h.c = change
		h.cs = append(h.cs, change)
	}

	file, err := state.Parse(sample.StackExport(`{"p":{"`+sample.SignatureKey+`":"`+sample.SignatureSecret+`","value":"`+c.Text()+`"}}`), state.Options{})
	if err != nil {
		t.Fatal(err)
	}

	h.file, h.fields = file, file.Fields()

	return h, open{V: v, P: &v, X: v, S: h.s, A: h.a, M: h.m}
}

// TestPrintersKeepSecrets prints structs, maps, pointers, interfaces, slices and
// arrays that hold secrets with every verb and flag of fmt, with encoding/json,
// with both handlers of log/slog and with text/template (law 6).
func TestPrintersKeepSecrets(t *testing.T) {
	c := fuzz.NewCanary(6)

	for _, at := range fuzz.Places() {
		t.Run(at.String(), func(t *testing.T) {
			h, o := secretScene(t, c, at)

			printed := map[string]string{
				"json": jsonOf(t, o), "slog text": slogOf(h, o, func(w io.Writer) slog.Handler { return slog.NewTextHandler(w, nil) }),
				"slog json": slogOf(h, o, func(w io.Writer) slog.Handler { return slog.NewJSONHandler(w, nil) }), "template": templateOf(t, o),
				"errors": h.err.Error(),
			}

			for name, x := range map[string]any{
				"hidden": h, "*hidden": &h, "open": o, "*open": &o, "[]hidden": []hidden{h}, "map of hidden": map[string]hidden{"h": h},
				"[]Value": h.s, "[1]Value": h.a, "map": h.m, "*Value": h.p, "Diff": h.d, "[]Change": h.cs, "Change": h.c, "Shown": h.shown, "errors": h.err,
				"*File": h.file, "File": *h.file, "struct of File": struct{ f state.File }{*h.file}, "[]Field": h.fields, "[]any": []any{h, &h, o},
			} {
				printed["fmt "+name] = verbs(x)
			}

			for name, text := range printed {
				if err := c.Check(text); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		})
	}
}

// TestPrintersPrint shows that the test above prints what is in there: without
// marks the canary is found.
func TestPrintersPrint(t *testing.T) {
	c := fuzz.NewCanary(6)
	v := c.Show(fuzz.InString)
	o := open{V: v, P: &v, X: v, S: []value.Value{v}, A: [1]value.Value{v}, M: map[string]value.Value{"m": v}}
	h := hidden{v: v, err: errors.New(c.Text())}

	for name, text := range map[string]string{
		"json": jsonOf(t, o), "slog text": slogOf(h, o, func(w io.Writer) slog.Handler { return slog.NewTextHandler(w, nil) }),
		"slog json": slogOf(h, o, func(w io.Writer) slog.Handler { return slog.NewJSONHandler(w, nil) }), "template": templateOf(t, o),
		"fmt": verbs(o), "fmt of an error": verbs(h.err),
	} {
		if c.Check(text) == nil {
			t.Errorf("%s does not print the value:\n%s", name, text)
		}
	}
}

func verbs(x any) string {
	var b strings.Builder

	for _, verb := range "vsqxXdtpTcbUoOeEfFgGwz" {
		for _, flags := range []string{"", "+", "#", " ", "-30", "030", "# 20.300", "+#", "[1]"} {
			fmt.Fprintf(&b, "%"+flags+string(verb)+"\n", x)
		}
	}

	fmt.Fprintln(&b, x)
	fmt.Fprint(&b, x, x)

	return b.String()
}

func jsonOf(t *testing.T, o open) string {
	t.Helper()

	one, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}

	more, err := json.MarshalIndent(map[string]any{"o": o, "list": []any{o.V, o.P}}, "", " ")
	if err != nil {
		t.Fatal(err)
	}

	return string(one) + string(more)
}

func slogOf(h hidden, o open, handler func(io.Writer) slog.Handler) string {
	var b bytes.Buffer

	log := slog.New(handler(&b)).With("with", o.V)
	log.Info("message", "v", o.V, "p", o.P, "x", o.X, "s", o.S, "a", o.A, "m", o.M, "open", o, "hidden", h, "*hidden", &h, "err", h.err, "d", h.d, "c", h.c,
		"shown", h.shown, slog.Group("g", "v", o.V, "any", slog.AnyValue(h)))
	log.WithGroup("group").Error("message", slog.Any("error", h.err), slog.Any("value", &o))

	return b.String()
}

func templateOf(t *testing.T, o open) string {
	t.Helper()

	var b bytes.Buffer

	text := `{{.}} {{.V}} {{.P}} {{.X}} {{.S}} {{.A}} {{.M}} {{range .S}}{{.}}{{end}} {{index .M "m"}} {{printf "%v %s %q" .V .V .V}} {{js .V}} {{html .V}} {{len .S}}`
	if err := template.Must(template.New("t").Parse(text)).Execute(&b, o); err != nil {
		t.Fatal(err)
	}

	return b.String()
}
