package schema_test

import (
	"encoding/json"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/blang/semver"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/schema"
)

// difference is a case in which one side accepts a document that the other refuses, on
// purpose.
type difference struct {
	name   string
	reason string
	// is reports whether nothing else is wrong with a document on which the sides differ.
	is      func(v *verdict, l *loader) bool
	example string
}

// differences returns all of them. The documents of examples have PACKAGE for the members
// that any package has.
func differences() []difference {
	return slices.Concat(differencesOfTexts(), differencesOfReferences(), differencesOfDecoders())
}

// The text of a document is read by package codec here.
func differencesOfTexts() []difference {
	return []difference{
		{
			"names-in-other-case",
			"a member has one spelling here; Go's encoding/json reads NAME as name",
			repaired(withoutOtherCase), `{PACKAGE, "RESOURCES": 5}`,
		},
		{
			"members-that-are-there-twice",
			"a JSON text with a name twice is refused here; Go's encoding/json merges objects, and takes the last of others",
			textual(codec.ErrDuplicate), `{PACKAGE, "name": "demo"}`,
		},
		{
			"text-that-is-not-utf8",
			"a JSON text is UTF-8 here; Go's encoding/json puts U+FFFD in the place of what is not",
			textual(codec.ErrUTF8), "{PACKAGE, \"x\": \"\xff\"}",
		},
		{
			"nesting-beyond-the-limit",
			"the default limit on depth is that of protobuf messages here; Go's encoding/json has one of 10,000 levels",
			textual(codec.ErrDepth), `{PACKAGE, "x": ` + strings.Repeat(`{"a":`, 5_000) + "1" + strings.Repeat("}", 5_000) + `}`,
		},
		{
			"objects-of-the-wire-format",
			"an object with Pulumi's signature key is a secret or an asset here, and the text of an unknown is one",
			repaired(withoutWireFormat), `{PACKAGE, "x": {"` + codec.SignatureKey + `": "1b47061264138c4ac30d75fd1eb44270", "value": 5}}`,
		},
	}
}

// References to what is not in the document.
func differencesOfReferences() []difference {
	return []difference{
		{
			"references-in-descriptions",
			"shortcodes in Markdown are the concern of documentation, not of values",
			repaired(withoutDescriptions), `{PACKAGE, "description": "{{% ref #/resources/demo:index:None %}}"}`,
		},
		{
			"references-to-other-packages",
			"packages are not loaded here, so nothing is said about what they have",
			func(v *verdict, l *loader) bool {
				return strings.Contains(v.refused, " not found in package ") && repaired(withoutOtherPackages)(v, l)
			},
			`{PACKAGE, "config": {"variables": {"x": {"$ref": "/peer/v1.0.0/schema.json#/types/peer:index:None"}}}}`,
		},
		{
			"constants-of-types-of-other-packages",
			"the type of another package may be an enum, of which there are constants",
			constantsOfOthers,
			`{PACKAGE, "config": {"variables": {"x": {"$ref": "/aws/v6.0.0/schema.json#/types/aws:x:Y", "default": "x"}}}}`,
		},
		{
			"modules-that-take-long-to-find",
			"meta.moduleFormat is matched with every token, so its size is limited here",
			weSay("modules-that-take-long-to-find"), `{PACKAGE, "meta": {"moduleFormat": "(a{1000})"}}`,
		},
		{
			"types-beside-dangling-references",
			"each reference has its own type here; the binder takes that of the first reference to the same token",
			repaired(withoutTypesBesideReferences),
			`{PACKAGE, "config": {"variables": {"x": {"$ref": "#/types/none:x:Y"}}}, "resources": {"demo:index:A": {"properties": {"x": {"$ref": "#/types/none:x:Y", "type": "array"}}}}}`,
		},
	}
}

// What is decoded without being looked at is checked here.
func differencesOfDecoders() []difference {
	plain := weSay("plain-results")

	return []difference{
		{
			"properties-of-enums",
			"what an enum has of an object type is checked here; the binder does not look at it",
			repaired(withoutPropertiesOfEnums), `{PACKAGE, "types": {"demo:index:A": {"type": "string", "enum": [{"value": "x"}], "required": ["x"]}}}`,
		},
		{
			"results-with-members-of-other-forms",
			"results of functions are held to the metaschema here; there, any type is also an object type",
			weSay("results-with-members-of-other-forms"),
			`{PACKAGE, "functions": {"demo:index:f": {"outputs": {"type": "string", "items": {"type": "string"}}}}}`,
		},
		{
			"results-with-wrong-properties",
			"results that have properties are objects here; the decoder tries again, and reads a type, where they cannot be read",
			func(v *verdict, l *loader) bool { return !plain(v, l) && repaired(withoutPropertiesOfResults)(v, l) },
			`{PACKAGE, "functions": {"demo:index:f": {"outputs": {"type": "string", "properties": 5}}}}`,
		},
		{
			"plain-results",
			"plain is a boolean or an empty list here; the decoder passes over anything but texts",
			plain, `{PACKAGE, "functions": {"demo:index:f": {"outputs": {"properties": {}, "plain": 5}}}}`,
		},
		{
			"dependencies-without-a-version",
			"the metaschema asks for the version of a parameter; the decoder makes it 0.0.0 first",
			weSay("dependencies-without-a-version"),
			`{PACKAGE, "dependencies": [{"name": "x", "parameterization": {"name": "y", "value": ""}}]}`,
		},
		{
			"parameters-that-are-lists",
			"a parameter is base64 here; Go's encoding/json reads a list of numbers too",
			weSay("parameters-that-are-lists"),
			`{PACKAGE, "parameterization": {"baseProvider": {"name": "x", "version": "1.0.0"}, "parameter": [1]}}`,
		},
		{
			"names-of-extended-providers",
			"a provider has the name of a package here; the metaschema does not know of extensions, which turns it off for them",
			weSay("names-of-extended-providers"),
			`{PACKAGE, "extensionParameterization": {"baseProvider": {"name": "x y", "version": "1.0.0"}}}`,
		},
	}
}

// document returns the example for a package of this name.
func (d difference) document(name string) string {
	document := strings.Replace(d.example, "PACKAGE", `"name": "`+name+`", "version": "1.0.0"`, 1)
	return strings.ReplaceAll(document, `"demo:`, `"`+name+":")
}

// explain returns the name of the difference that a document is a case of, or "".
func explain(v *verdict, l *loader) string {
	for _, d := range differences() {
		if d.is(v, l) {
			return d.name
		}
	}

	return ""
}

// repaired recognises documents on which both sides agree after a change, or differ by what
// has a name.
func repaired(change func(document map[string]any) bool) func(*verdict, *loader) bool {
	return func(v *verdict, l *loader) bool {
		var document map[string]any
		if json.Unmarshal(v.document, &document) != nil || !change(document) {
			return false
		}

		text, err := json.Marshal(document)
		if err != nil {
			return false
		}

		again := judge(text, v.dangling, l)

		return again.alike() || explain(again, l) != ""
	}
}

// textual recognises documents that are refused here before they are read, and on which
// both sides agree when Go has written them again.
func textual(cause error) func(*verdict, *loader) bool {
	return func(v *verdict, l *loader) bool {
		return errors.Is(v.err, cause) && (errors.Is(cause, codec.ErrDepth) || repaired(func(map[string]any) bool { return true })(v, l))
	}
}

// theySay recognises documents that are accepted here, and refused there for such reasons
// only.
func theySay(pattern string) func(*verdict, *loader) bool {
	like := regexp.MustCompile(pattern)

	return func(v *verdict, _ *loader) bool {
		return v.err == nil && v.refused != "" && !slices.ContainsFunc(strings.Split(v.refused, "\n"), func(line string) bool { return !like.MatchString(line) })
	}
}

// constantsOfOthers recognises documents that are accepted here, and refused there because
// of the constants of properties that are of the types of other packages.
func constantsOfOthers(v *verdict, l *loader) bool {
	if !theySay(`/(const|default): type .* cannot have a constant value`)(v, l) {
		return false
	}

	names := regexp.MustCompile(`/([^/]*)/(?:const|default): type `)
	lines := ourText(v.ours).lines

	for _, m := range names.FindAllStringSubmatch(v.refused, -1) {
		if !slices.ContainsFunc(lines, func(line string) bool {
			return strings.Contains(line, " "+strconv.Quote(m[1])+": ") && strings.Contains(line, "external ")
		}) {
			return false
		}
	}

	return true
}

// reasons returns what is said here only, by the names of differences.
func reasons() map[string]*regexp.Regexp {
	return map[string]*regexp.Regexp{
		"plain-results": regexp.MustCompile(`^#/functions/[^/]*/outputs/plain(/\d+)?: `),
		"results-with-members-of-other-forms": regexp.MustCompile(
			`^#/functions/[^/]*/outputs(/|:).*( does not have it|a discriminator has a property's name)$`),
		"dependencies-without-a-version": regexp.MustCompile(`^#/dependencies/\d+/parameterization/version: expected a semantic version`),
		"parameters-that-are-lists":      regexp.MustCompile(`/(parameter|value): expected string, found array$`),
		"modules-that-take-long-to-find": regexp.MustCompile(`^#/meta/moduleFormat: expected a regular expression of at most `),
		"names-of-extended-providers":    regexp.MustCompile(`^#/extensionParameterization/.*name: expected the name of a package`),
	}
}

// weSay recognises documents that are accepted there, and refused here for this reason and
// no others than the reasons.
func weSay(name string) func(*verdict, *loader) bool {
	return func(v *verdict, _ *loader) bool {
		var wrong *schema.Error
		if v.refused != "" || !errors.As(v.err, &wrong) {
			return false
		}

		all, this := reasons(), false

		for _, p := range wrong.Problems {
			this = this || all[name].MatchString(p.String())
			if !slices.ContainsFunc(slices.Collect(maps.Values(all)), func(r *regexp.Regexp) bool { return r.MatchString(p.String()) }) {
				return false
			}
		}

		return this
	}
}

// walk runs f for each object of the format, and not for the maps of what users name.
func walk(v any, f func(object map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		f(v)

		for name, member := range v {
			named, ok := member.(map[string]any)
			if !ok || !slices.Contains(namings(), name) {
				walk(member, f)
				continue
			}

			for _, elem := range named {
				walk(elem, f)
			}
		}
	case []any:
		for _, elem := range v {
			walk(elem, f)
		}
	}
}

// namings returns the members whose members users name.
func namings() []string {
	return []string{"properties", "inputProperties", "variables", "resources", "types", "functions", "methods", "mapping", "language"}
}

// without returns a change that removes members of objects that are so.
func without(is func(of map[string]any, name string) bool) func(map[string]any) bool {
	return func(document map[string]any) (changed bool) {
		walk(document, func(of map[string]any) {
			for name := range maps.Clone(of) {
				if is(of, name) {
					delete(of, name)

					changed = true
				}
			}
		})

		return changed
	}
}

func withoutOtherCase(document map[string]any) bool {
	known := regexp.MustCompile(`(?i)^(name|displayName|version|description|keywords|homepage|license|attribution|repository|logoUrl|pluginDownloadURL|publisher|namespace|dependencies|meta|moduleFormat|supportPack|allowedPackageNames|language|config|variables|defaults|types|provider|resources|functions|parameterization|extensionParameterization|baseProvider|basePlugin|parameter|value|downloadURL|type|\$ref|additionalProperties|items|oneOf|discriminator|propertyName|mapping|plain|const|default|defaultInfo|environment|deprecationMessage|secret|replaceOnChanges|willReplaceOnChanges|properties|required|isOverlay|overlaySupportedLanguages|enum|inputProperties|requiredInputs|plainInputs|stateInputs|listInputs|aliases|isComponent|methods|inputs|multiArgumentInputs|outputs)$`)
	exact := regexp.MustCompile(strings.Replace(known.String(), "(?i)", "", 1))

	return without(func(_ map[string]any, name string) bool { return known.MatchString(name) && !exact.MatchString(name) })(document)
}

func withoutDescriptions(document map[string]any) bool {
	return without(func(_ map[string]any, name string) bool { return name == "description" || name == "deprecationMessage" })(document)
}

func withoutWireFormat(document map[string]any) bool {
	changed := false

	for _, s := range slots(document, nil) {
		object, isObject := s.get().(map[string]any)
		if text, _ := s.get().(string); (isObject && object[codec.SignatureKey] != nil) || text == anyText {
			s.set(map[bool]any{true: map[string]any{}, false: "x"}[isObject])

			changed = true
		}
	}

	return changed
}

// withoutOtherPackages lets references name a package that is not at hand, and so has all
// types, in the place of another package, or of another version of this one.
func withoutOtherPackages(document map[string]any) bool {
	changed := false
	reference := regexp.MustCompile(`^/?([-\w]+)/(v[^/]*)/`)
	text, _ := document["version"].(string)
	version, versionErr := semver.ParseTolerant(text)

	for _, s := range slots(document, nil) {
		ref, _ := s.get().(string)

		m := reference.FindStringSubmatch(ref)
		if s.key != "$ref" || m == nil || m[1] == "none" {
			continue
		}

		if v, err := semver.ParseTolerant(m[2]); m[1] == document["name"] && err == nil && (versionErr != nil || v.Equals(version)) {
			continue
		}

		s.set(strings.Replace(ref, m[1], "none", 1))

		changed = true
	}

	return changed
}

// withoutTypesBesideReferences removes the types beside all references. They say something
// of dangling references only.
func withoutTypesBesideReferences(document map[string]any) bool {
	return without(func(of map[string]any, name string) bool {
		ref, _ := of["$ref"].(string)
		return name == "type" && ref != ""
	})(document)
}

func withoutPropertiesOfEnums(document map[string]any) bool {
	changed := false
	types, _ := document["types"].(map[string]any)

	for _, t := range types {
		enum, ok := t.(map[string]any)
		if !ok || enum["type"] == "object" {
			continue
		}

		for _, name := range []string{"properties", "required", "plain", "overlaySupportedLanguages"} {
			if enum[name] != nil {
				delete(enum, name)

				changed = true
			}
		}
	}

	return changed
}

func withoutPropertiesOfResults(document map[string]any) bool {
	changed := false
	functions, _ := document["functions"].(map[string]any)

	for _, f := range functions {
		function, _ := f.(map[string]any)

		outputs, ok := function["outputs"].(map[string]any)
		if ok && outputs["properties"] != nil {
			maps.DeleteFunc(outputs, func(name string, _ any) bool {
				return !slices.Contains([]string{"type", "$ref", "items", "additionalProperties", "oneOf", "discriminator"}, name)
			})

			changed = true
		}
	}

	return changed
}

// anyText is the text that is an unknown in Pulumi's wire format.
const anyText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"

// peer is a package without types.
const peer = `{"name": "peer", "version": "1.0.0"}`

// Each difference is one, and the only one that its example is a case of.
func TestDifferences(t *testing.T) {
	l := newLoader([]document{{"peer", []byte(peer)}})

	for _, d := range differences() {
		v := judge([]byte(d.document("demo")), true, l)

		if v.agrees() {
			t.Errorf("%s: no difference: %v", d.name, v)
		}

		for _, other := range differences() {
			if other.is(v, l) != (other.name == d.name) {
				t.Errorf("%s: %s: %t: %v", d.name, other.name, other.is(v, l), v)
			}
		}
	}
}
