package laws_test

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"go/types"
	html "html/template"
	"io"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"testing"
	"text/template"

	"github.com/google/go-cmp/cmp"

	"github.com/propalg/propalg/internal/subjects"
)

// usualPrinters are those of the standard library, and go-cmp. An error is a text
// too.
func usualPrinters() []subjects.Printer {
	written := func(name string, write func(w io.Writer, x any) error) subjects.Printer {
		return subjects.Printer{Name: name, Print: func(x any) string {
			var b strings.Builder
			if err := write(&b, x); err != nil {
				return b.String() + err.Error()
			}

			return b.String()
		}}
	}

	return []subjects.Printer{
		{Name: "fmt", Print: fewVerbs},
		written("encoding/json", func(w io.Writer, x any) error { return json.NewEncoder(w).Encode(x) }),
		written("encoding/xml", func(w io.Writer, x any) error { return xml.NewEncoder(w).Encode(x) }),
		written("encoding/gob", func(w io.Writer, x any) error { return gob.NewEncoder(w).Encode(x) }),
		written("slog text", func(w io.Writer, x any) error {
			slog.New(slog.NewTextHandler(w, untimed())).Info("m", "x", x, slog.Group("g", "x", x))

			return nil
		}),
		written("slog json", func(w io.Writer, x any) error {
			slog.New(slog.NewJSONHandler(w, untimed())).Info("m", "x", x, slog.Group("g", "x", x))

			return nil
		}),
		written("text/template", func(w io.Writer, x any) error {
			return template.Must(template.New("t").Parse(`{{.}} {{printf "%v %q" . .}} {{js .}} {{html .}}`)).Execute(w, x)
		}),
		written("html/template", func(w io.Writer, x any) error {
			return html.Must(html.New("t").Parse(`<a title="{{.}}">{{.}}</a><script>var x = {{.}}</script>`)).Execute(w, x)
		}),
		{Name: "cmp.Diff", Diff: func(old, now any) string { return cmp.Diff(old, now) }},
		{Name: "cmp.Diff of all fields", Diff: func(old, now any) string {
			return cmp.Diff(old, now, cmp.Exporter(func(reflect.Type) bool { return true }))
		}},
	}
}

// untimed leaves the time out.
func untimed() *slog.HandlerOptions {
	return &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}

		return a
	}}
}

// fewVerbs prints with every verb, those that do not fit and the one for errors
// included.
func fewVerbs(x any) string {
	var b bytes.Buffer

	for _, verb := range []string{"%v", "%+v", "%#v", "% x", "%s", "%q", "%x", "%X", "%d", "%t", "%p", "%T", "%c", "%b", "%U", "%o", "%e", "%g", "%w", "%z", "%[1]*v"} {
		fmt.Fprintf(&b, verb+"\n", x)
	}

	return b.String()
}

// TestSubjectsKeepSecrets prints one of everything that the library hands out, held
// in every way, with every usual printer: neither texts nor numbers nor booleans
// that are secret can be read in what they write (law 6). The other printers that Go
// programmers use have a module of their own, interop/printers.
func TestSubjectsKeepSecrets(t *testing.T) {
	for _, leak := range subjects.Leaks(usualPrinters()) {
		t.Error(leak)
	}
}

// TestUsualPrintersPrint shows that the test above would see something.
func TestUsualPrintersPrint(t *testing.T) {
	for _, p := range usualPrinters() {
		if text, _ := p.Both("one secret", "another"); !strings.Contains(text, "one secret") {
			t.Errorf("%s prints %q", p.Name, text)
		}
	}
}

// notSubjects are exported types with unexported fields that hold no part of a value.
var notSubjects = []string{
	"urn.Error", "urn.URN", "path.Error", "path.Path", "path.Pattern", "path.Step", "path.Set", "path.State", "path.Step", // plaintext
	"value.ID", "value.Asset", "value.Archive", // accessors of plaintext give them
	"schema.Package", "schema.Resource", "schema.Function", "schema.Type", "schema.Property", // FromValue refuses secrets
	"value/asset.Files", "diff.Match", // patterns, and names of files, as they are given
}

// TestEveryTypeIsASubject: an exported type with unexported fields is printed by the
// tests above, alone or in another, or is known to hold nothing.
func TestEveryTypeIsASubject(t *testing.T) {
	seen := map[string]bool{}

	for _, s := range subjects.All(subjects.Secret{Text: "ghjkmnpq", Number: 1.5}) {
		noteTypes(seen, reflect.ValueOf(s.Value))
	}

	eachExported(t, func(name string, object types.Object) {
		named, ok := object.(*types.TypeName)
		if !ok || named.IsAlias() {
			return
		}

		full := name + "." + named.Name()
		if s, ok := named.Type().Underlying().(*types.Struct); ok && !seen[full] && !slices.Contains(notSubjects, full) {
			for f := range s.Fields() {
				if !f.Exported() {
					t.Errorf("%s has the field %s: add one to internal/subjects", full, f.Name())

					break
				}
			}
		}
	})
}

// noteTypes notes the types of a value and of what it has in exported fields.
func noteTypes(seen map[string]bool, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			noteTypes(seen, v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			noteTypes(seen, v.Index(i))
		}
	case reflect.Struct:
		name, _, _ := strings.Cut(v.Type().Name(), "[")
		seen[strings.TrimPrefix(v.Type().PkgPath(), module)+"."+name] = true

		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				noteTypes(seen, v.Field(i))
			}
		}
	}
}
