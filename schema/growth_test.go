package schema_test

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
)

// sized is a document of a size in proportion to n, and a value of such a size for the
// inputs of its resource, or "".
type sized func(n int) (document, text string)

// growing returns documents and values that may take more time than their size.
func growing() map[string]sized {
	all := growingDocuments()
	maps.Copy(all, growingObjects())
	maps.Copy(all, growingUnions())

	return all
}

func only(document func(n int) string) sized {
	return func(n int) (string, string) { return document(n), "" }
}

func both(document, text func(n int) string) sized {
	return func(n int) (string, string) { return document(n), text(n) }
}

// array returns inputs with an array of n elements.
func array(n int, elem string) string { return `{"x": [` + repeated(n, elem) + `]}` }

func nested(n int, open, inner, end string) string {
	return strings.Repeat(open, n/8) + inner + strings.Repeat(end, n/8)
}

// types returns a document with types, in which the inputs are an array of demo:index:T.
func types(members string) string {
	return `{PACKAGE, "types": {` + members + `, "demo:index:Z": {"type": "object"}}, "resources": {"demo:index:A": {"inputProperties": {"x": {"type": "array", "items": {"$ref": "#/types/demo:index:T"}}}}}}`
}

func letters(n int) string { return strings.Repeat("x", n) }

func growingDocuments() map[string]sized {
	number := func(i int) string { return strings.TrimLeft(strconv.Itoa(i), "0") } // "" for the first

	return map[string]sized{
		"slow format": only(func(n int) string {
			return `{PACKAGE, "meta": {"moduleFormat": "(` + strings.Repeat("a?", min(n/20, 400)) + strings.Repeat("a", 50) + `)"}, "resources": {` + repeated(n/20, `"demo:`+letters(100)+`#:R": {}`) + `}}`
		}),
		"slow format allowed": only(func(n int) string {
			return `{PACKAGE, "meta": {"moduleFormat": "(` + strings.Repeat("x?", 20) + strings.Repeat("x", 20) + `)"}, "resources": {` + repeated(n/20, `"demo:`+letters(100)+`#:R": {}`) + `}}`
		}),
		"slashes": only(func(n int) string { return `{PACKAGE, "resources": {"demo:` + strings.Repeat("a/", 10*n) + `:R": {}}}` }),
		"deep modules": only(func(n int) string {
			return `{PACKAGE, "resources": {` + repeated(n, `"demo:a/b/c/m#/d:R": {}, "demo:a/b:c#": {}`) + `}}`
		}),
		"same functions": only(func(n int) string {
			return `{PACKAGE, "resources": {"demo:index:A": {"methods": {` + repeated(n, `"m#": "demo:index:A/f"`) + `}}}, "functions": {"demo:index:A/f": {"inputs": {"properties": {` + repeated(n, `"a#": {"type": "string"}`) + `}}, "multiArgumentInputs": [` + repeated(n, `"a#"`) + `]}}}`
		}),
		"many types": only(func(n int) string { return types(repeated(n, `"demo:index:A#": {"type": "object"}`)) }),
		"chain of types": only(func(n int) string {
			var chain strings.Builder
			for i := range n / 4 {
				fmt.Fprintf(&chain, `"demo:index:T%s": {"type": "object", "properties": {"x": {"$ref": "TYPES:T%d"}}}, `, number(i), i+1)
			}

			return types(chain.String() + `"demo:index:T` + strconv.Itoa(n/4) + `": {"type": "object", "properties": {"s": {"type": "string", "secret": true}}}`)
		}),
	}
}

func growingObjects() map[string]sized {
	return map[string]sized{
		"many properties, none given": both(func(n int) string {
			return types(`"demo:index:T": {"type": "object", "properties": {` + repeated(n, `"a#": {"type": "string"}`) + `}}`)
		}, func(n int) string { return array(n, `{}`) }),
		"many required, none given": both(func(n int) string {
			return types(`"demo:index:T": {"type": "object", "properties": {` + repeated(n, `"a#": {"type": "string"}`) + `}, "required": [` + repeated(n, `"a#"`) + `]}`)
		}, func(int) string { return `{"x": [{}]}` }),
		"many defaults": both(func(n int) string {
			return types(`"demo:index:T": {"type": "object", "properties": {` + repeated(n, `"a#": {"type": "string", "default": "x"}`) + `}}`)
		}, func(int) string { return `{"x": [{}]}` }),
		"many constants": both(func(n int) string {
			return types(`"demo:index:T": {"type": "string", "enum": [` + repeated(n, `{"value": "#"}`) + `]}`)
		}, func(n int) string { return array(n, `"#"`) }),
		"constants that are long": both(func(n int) string {
			return types(`"demo:index:T": {"type": "object", "properties": {"a": {"type": "string", "const": "` + letters(10*n) + `"}}}`)
		}, func(n int) string { return array(n, `{"a": "b"}`) }),
		"enum that is long": both(func(n int) string {
			return types(`"demo:index:T": {"type": "string", "enum": [{"value": "` + letters(10*n) + `"}]}`)
		}, func(n int) string { return array(n, `"b"`) }),
		"containers for an enum": both(func(n int) string {
			return types(`"demo:index:T": {"type": "string", "enum": [` + repeated(n, `{"value": "#"}`) + `]}`)
		}, func(n int) string { return `{"x": [[` + repeated(n, `{"a": #}`) + `]]}` }),
		"near names": both(func(n int) string {
			return types(`"demo:index:T": {"type": "object", "properties": {` + repeated(n, `"property#": {"type": "string"}`) + `}}`)
		}, func(n int) string { return `{"x": [{` + repeated(n, `"prorpety#": 1`) + `}]}` }),
		"aliases": both(func(n int) string {
			return `{PACKAGE, "resources": {"demo:index:A": {"inputProperties": {"x": {"type": "array", "items": {"$ref": "#/resources/demo:index:A"}}}, "aliases": [` + repeated(n, `"demo:old:A#"`) + `]}}}`
		}, func(n int) string {
			return array(n, `{"`+codec.SignatureKey+`": "5cf8f73096256a8f31e491e813e4eb8e", "urn": "urn:pulumi:s::p::demo:old:B#::n"}`)
		}),
		"configuration": both(func(n int) string {
			return types(`"demo:index:T": {"type": "object", "properties": {` + repeated(n, `"a#": {"type": "integer"}`) + `}}`)
		}, func(n int) string {
			return `{"x": ` + strconv.Quote(`[{`+repeated(n, `"a#": "#"`)+`}, {`+repeated(n, `"a#": "x#"`)+`}]`) + `}`
		}),
		"wrong variables": both(func(n int) string {
			return types(`"demo:index:T": {"type": "object", "properties": {` + repeated(n, `"a#": {"type": "integer", "defaultInfo": {"environment": ["E"]}}`) + `}}`)
		}, func(int) string { return `{"x": [{}]}` }),
		"type that holds itself": both(func(int) string {
			return types(`"demo:index:T": {"type": "object", "properties": {"t": {"$ref": "TYPES:T"}, "u": {"oneOf": [{"$ref": "TYPES:T"}, {"$ref": "TYPES:Z"}]}}}`)
		}, func(n int) string { return `{"x": [` + nested(n, `{"t": {"u": `, `{}`, `}}`) + `]}` }),
	}
}

func growingUnions() map[string]sized {
	return map[string]sized{
		"tags": both(func(n int) string {
			return types(repeated(n, `"demo:index:T#": {"type": "object", "properties": {"k": {"type": "string", "const": "#"}}}`) + `, "demo:index:T": {"type": "object", "properties": {"u": {"oneOf": [` + repeated(n, `{"$ref": "TYPES:T#"}`) + `], "discriminator": {"propertyName": "k"}}}}`)
		}, func(n int) string { return array(n, `{"u": {"k": "#"}}`) }),
		"unions of unions": both(func(n int) string {
			return `PROPERTY {"type": "array", "items": ` + nested(n, `{"oneOf": [{"type": "boolean"}, `, `{"type": "string"}`, `]}`) + `}`
		}, func(int) string { return `{"x": ["a", "b", "c"]}` }),
		"unions of unions of objects": both(func(n int) string {
			return `PROPERTY {"type": "array", "items": ` + nested(n, `{"oneOf": [{"$ref": "TYPES:Ends"}, `, `{"type": "object"}`, `]}`) + `}`
		}, func(int) string { return `{"x": [{"a": 1}, {"a": "1"}]}` }),
		"wide union, other kind": both(func(n int) string {
			return `PROPERTY {"type": "array", "items": {"oneOf": [` + repeated(n, `{"$ref": "TYPES:Ends"}`) + `]}}`
		}, func(int) string { return `{"x": ["a"]}` }),
		"wide union, long name": both(func(n int) string {
			return types(repeated(n, `"demo:index:T#": {"type": "object"}`) + `, "demo:index:T": {"type": "object", "properties": {"u": {"oneOf": [` + repeated(n, `{"$ref": "TYPES:T#"}`) + `]}}}`)
		}, func(n int) string { return `{"x": [{"u": {"` + letters(10*n) + `": 1}}]}` }),
		"wide union, many near": both(func(int) string {
			return `PROPERTY {"oneOf": [{"$ref": "TYPES:Ends"}, {"$ref": "TYPES:Ends"}]}`
		}, func(n int) string { return `{"x": {` + repeated(n, `"a#": 1`) + `}}` }),
		"many unions before secrets": both(func(n int) string {
			return types(`"demo:index:S": {"type": "object", "properties": {` + repeated(n, `"s#": {"type": "string", "secret": true}`) + `}}, "demo:index:T": {"type": "object", "properties": {` + repeated(n, `"u#": {"oneOf": [{"$ref": "TYPES:S"}, {"$ref": "TYPES:Z"}]}`) + `}}`)
		}, func(n int) string { return `{"x": [{` + repeated(n, `"u#": {"b": 1}`) + `}]}` }),
	}
}

// TestGrowth: time and memory grow as the document and the value do.
func TestGrowth(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector changes what is measured")
	}

	for name, sizes := range growing() {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			document := func(n int) []byte {
				document, _ := sizes(n)
				return []byte(whole(strings.ReplaceAll(document, "TYPES", "#/types/demo:index")))
			}

			kit.Grows(t, "Read", 2000, func(n int) func() {
				document := document(n)
				return func() { _, _ = schema.Read(document, schema.Options{AllowDangling: true}) }
			})

			type input struct {
				p *schema.Package
				v value.Value
			}
			read := map[int]input{} // once for all methods
			for _, n := range []int{2000, 4 * 2000} {
				p, err := schema.Read(document(n), schema.Options{AllowDangling: true})
				if err != nil {
					return // nothing to call
				}

				_, text := sizes(n)
				v, err := codec.DecodeJSONValue(text+strings.Repeat("{}", 1-min(1, len(text))), codec.Options{})
				if err != nil {
					t.Fatal(err)
				}
				read[n] = input{p, v}
			}

			for what, f := range everyMethod() {
				kit.Grows(t, what, 2000, func(n int) func() { return func() { f(read[n].p, read[n].v) } })
			}
		})
	}
}

// everyMethod returns what takes time in proportion to a schema or to a value.
func everyMethod() map[string]func(p *schema.Package, v value.Value) {
	each := func(f func(r *schema.Resource, v value.Value)) func(*schema.Package, value.Value) {
		return func(p *schema.Package, v value.Value) {
			if r, ok := p.Resource("demo:index:A"); ok {
				f(r, v)
			}
		}
	}
	lookup := func(string) (string, bool) { return "x", true }

	return map[string]func(*schema.Package, value.Value){
		"Check": each(func(r *schema.Resource, v value.Value) {
			if err := r.Inputs().Check(v); err != nil {
				_ = err.Error()
			}
		}),
		"MarkSecrets":  each(func(r *schema.Resource, v value.Value) { r.Inputs().MarkSecrets(v) }),
		"WithDefaults": each(func(r *schema.Resource, v value.Value) { _, _ = r.Inputs().WithDefaults(v, lookup) }),
		"ParseConfig":  each(func(r *schema.Resource, v value.Value) { _, _ = r.Inputs().ParseConfig(v) }),
		"lists": each(func(r *schema.Resource, _ value.Value) {
			_, _ = r.Secrets()
			_, _ = r.ReplaceOn()
			r.Outputs()
			r.Inputs().Strings()
		}),
		"looks": func(p *schema.Package, _ value.Value) {
			for x := range p.Types() {
				look(x)
			}

			for r := range p.Resources() {
				look(r.Inputs())
			}

			for f := range p.Functions() {
				look(f.Inputs())
			}
		},
	}
}
