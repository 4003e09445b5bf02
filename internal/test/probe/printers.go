package probe

import (
	"encoding/json"
	"fmt"
	html "html/template"
	"io"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"text/template"

	"github.com/google/go-cmp/cmp"
)

// usual are those of the standard library, and go-cmp. An error is a text too. XML and gob
// see what JSON sees, and do not end where data leads back to itself, as schemas do.
var usual = []Printer{
	{Name: "fmt", Print: everyVerb},
	written("encoding/json", func(w io.Writer, x any) error { return json.NewEncoder(w).Encode(x) }),
	written("slog text", func(w io.Writer, x any) error {
		slog.New(slog.NewTextHandler(w, untimed)).Info("m", "x", x, slog.Group("g", "x", x))
		return nil
	}),
	written("slog json", func(w io.Writer, x any) error {
		slog.New(slog.NewJSONHandler(w, untimed)).Info("m", "x", x, slog.Group("g", "x", x))
		return nil
	}),
	written("text/template", func(w io.Writer, x any) error {
		return template.Must(template.New("t").Parse(`{{.}} {{printf "%v %q" . .}} {{js .}} {{html .}}`)).Execute(w, x)
	}),
	written("html/template", func(w io.Writer, x any) error {
		return html.Must(html.New("t").Parse(`<a title="{{.}}">{{.}}</a><script>var x = {{.}}</script>`)).Execute(w, x)
	}),
	{Name: "cmp.Diff", Diff: func(x, y any) string { return cmp.Diff(x, y) }},
	{Name: "cmp.Diff of all fields", Diff: func(x, y any) string { return cmp.Diff(x, y, allFields) }},
}

// untimed leaves the time out.
var untimed = &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}

	return a
}}

var allFields = cmp.Exporter(func(reflect.Type) bool { return true })

func written(name string, write func(w io.Writer, x any) error) Printer {
	return Printer{Name: name, Print: func(x any) string {
		var b strings.Builder
		if err := write(&b, x); err != nil {
			return b.String() + err.Error()
		}

		return b.String()
	}}
}

// everyVerb prints with every verb and flag, those that do not fit and the one for errors
// included.
func everyVerb(x any) string {
	var b strings.Builder
	for _, verb := range "vsqxXdtpTcbUoOeEfFgGwz" {
		for _, flags := range []string{"", "+", "#", "# 20.300"} {
			fmt.Fprintf(&b, "%"+flags+string(verb)+"\n", x)
		}
	}

	return b.String()
}

// Usual returns the printers of the standard library, and go-cmp.
func Usual() []Printer { return slices.Clone(usual) }

type hidden struct{ x any }

type exported struct {
	X    any
	List []any
}

// Held returns x as callers hold it: alone, and in fields.
func Held(x any) []any {
	return []any{x, hidden{x}, &exported{x, []any{&x}}}
}
