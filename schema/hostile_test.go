package schema_test

import (
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/schema"
)

// repeated returns n texts with commas between them, in which # is the number of each.
func repeated(n int, text string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = strings.ReplaceAll(text, "#", strconv.Itoa(i))
	}

	return strings.Join(all, ", ")
}

// hostile are documents that take long, or much memory, in a reader that is not careful.
func hostile() map[string]string {
	types := func(members string) string {
		return `{PACKAGE, "types": {` + members + `, "demo:index:End": {"type": "object"}}}`
	}
	long := strings.Repeat("x", 1_000_000)

	return map[string]string{
		"deep arrays":      "PROPERTY " + strings.Repeat(`{"type": "array", "items": `, 3_000) + `{"type": "string"}` + strings.Repeat("}", 3_000),
		"deep maps":        "PROPERTY " + strings.Repeat(`{"type": "object", "additionalProperties": `, 3_000) + `{"type": "x"}` + strings.Repeat("}", 3_000),
		"deep unions":      "PROPERTY " + strings.Repeat(`{"oneOf": [{"type": "string"}, `, 2_000) + `{"type": "string"}` + strings.Repeat("]}", 2_000),
		"deep default":     "PROPERTY " + strings.Repeat(`{"default": 5, "oneOf": [{"type": "string"}, `, 2_000) + `{"type": "string"}` + strings.Repeat("]}", 2_000),
		"deep default 2":   "PROPERTY " + strings.Repeat(`{"default": 5, "oneOf": [{"type": "boolean"}, {"type": "string"}, `, 2_000) + `{"type": "integer"}` + strings.Repeat("]}", 2_000),
		"deep and wrong":   "PROPERTY " + strings.Repeat(`{"type": "array", "secret": 5, "plain": 5, "items": `, 3_000) + `{}` + strings.Repeat("}", 3_000),
		"wide union":       `PROPERTY {"oneOf": [` + repeated(50_000, `{"type": "string"}`) + `], "default": 5}`,
		"many types":       types(repeated(100_000, `"demo:index:A#": {"type": "object"}`)),
		"many enums":       types(`"demo:index:A": {"type": "string", "enum": [` + repeated(100_000, `{"value": "#"}`) + `]}`),
		"many properties":  types(`"demo:index:A": {"type": "object", "properties": {` + repeated(100_000, `"a#": {"type": "string"}`) + `}, "required": [` + repeated(100_000, `"a#"`) + `]}`),
		"many missing":     types(`"demo:index:A": {"type": "object", "required": [` + repeated(100_000, `"a#"`) + `]}`),
		"chain":            types(strings.ReplaceAll(repeated(30_000, `"demo:index:A#": {"type": "object", "properties": {"x": {"$ref": "#/types/demo:index:A#"}}, "required": ["x"]}`), "\"$ref\": \"", "\"$ref\": \"#")),
		"dense graph":      types(repeated(40, `"demo:index:A#": {"type": "object", "properties": {`+repeated(40, `"x#": {"$ref": "TYPES#"}`)+`}, "required": [`+repeated(40, `"x#"`)+`]}`)),
		"resources":        `{PACKAGE, "resources": {` + repeated(50_000, `"demo:m#:A": {}`) + `}}`,
		"deep modules":     `{PACKAGE, "resources": {"demo:` + strings.Repeat("m/", 20_000) + `x:A": {}}}`,
		"wide mapping":     `PROPERTY {"oneOf": [{"type": "string"}, {"type": "number"}], "discriminator": {"propertyName": "x", "mapping": {` + repeated(100_000, `"#": "#"`) + `}}}`,
		"long name":        `{"name": "` + long + `!"}`,
		"long reference":   `PROPERTY {"$ref": "#/types/` + long + `"}`,
		"long reference 2": `PROPERTY {"$ref": "` + strings.Repeat("%25", 300_000) + `"}`,
		"long references":  `PROPERTY {"oneOf": [` + repeated(100, `{"$ref": "#/types/`+long[:10_000]+`"}`) + `]}`,
		"long dots":        `PROPERTY {"$ref": "#/types/` + strings.Repeat("../", 300_000) + `"}`,
		"long token":       `{PACKAGE, "types": {"demo:index:` + long + `": {"type": "x"}}}`,
		"long version":     `{"name": "x", "version": "1.2.3-` + strings.Repeat("1.", 500_000) + `1"}`,
		"long key":         `{PACKAGE, "config": {"variables": {"` + long + `": ` + strings.Repeat(`{"type": "array", "secret": 5, "items": `, 3_000) + `{}` + strings.Repeat("}", 3_000) + `}}}`,
		"many aliases":     `{PACKAGE, "resources": {"demo:index:A": {"aliases": [` + repeated(100_000, `5`) + `]}}}`,
		"many arguments":   `{PACKAGE, "resources": {"demo:index:A": {"methods": {"f": "demo:index:A/f"}}}, "functions": {"demo:index:A/f": {"inputs": {}, "multiArgumentInputs": [` + repeated(30_000, `"a#"`) + `]}}}`,
		"slow expression":  `{PACKAGE, "meta": {"moduleFormat": "` + strings.Repeat("(a*)*", 1_00) + `$"}, "resources": {"demo:` + strings.Repeat("a", 10_000) + `/b:A": {}}}`,
		"many states":      `{PACKAGE, "meta": {"moduleFormat": "` + strings.Repeat(`(\\pL{1000})`, 6) + `"}}`,
		"large expression": `{PACKAGE, "meta": {"moduleFormat": "((a{100}){100}){100}"}}`,
	}
}

// Hostile documents are read in little time and memory, whether they are accepted or not.
func TestHostile(t *testing.T) {
	for name, document := range hostile() {
		document = whole(strings.ReplaceAll(document, "TYPES", "#/types/demo:index:A"))

		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			var before, after runtime.MemStats

			runtime.ReadMemStats(&before)

			p, err := schema.Read([]byte(document), schema.Options{AllowDangling: true})

			runtime.ReadMemStats(&after)

			// Under the race detector, pools forget at random, package regexp's among them.
			if used := after.TotalAlloc - before.TotalAlloc; used > 150*uint64(len(document))+1<<26 && !race.Enabled {
				t.Errorf("%d bytes for a document of %d", used, len(document))
			}

			if err != nil && len(err.Error()) > 1<<16 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}

			if err == nil {
				for x := range p.Types() {
					_ = x.String()
				}
			}
		})
	}
}
