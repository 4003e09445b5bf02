package schema_test

import (
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
)

// whole returns a document, with the members that every package has for PACKAGE, and a
// property of a resource for PROPERTY.
func whole(text string) string {
	if property, ok := strings.CutPrefix(text, "PROPERTY "); ok {
		text = `{PACKAGE, "types": {"demo:index:Kind": {"type": "string", "enum": [{"value": "a"}]}, "demo:index:Ends": {"type": "object"}},
			"resources": {"demo:index:A": {"inputProperties": {"x": ` + property + `}}}}`
	}

	return strings.Replace(text, "PACKAGE", `"name": "demo", "version": "1.2.3"`, 1)
}

// wrong is a document that is refused, and the error.
type wrong struct{ document, want string }

// x is where the error of a PROPERTY is.
const x = "schema: #/resources/demo:index:A/inputProperties/x"

func TestWrong(t *testing.T) {
	for _, row := range allWrong() {
		_, err := schema.Read([]byte(whole(row.document)), schema.Options{})
		if err == nil || err.Error() != row.want {
			t.Errorf("%s:\n%v\nwant\n%v", row.document, err, row.want)
		}
	}
}

// allWrong returns a document for each rule, or some for one.
func allWrong() []wrong {
	return slices.Concat(
		wrongPackages(), wrongDependencies(), wrongTokens(), wrongTypes(), wrongProperties(), wrongUnions(), wrongReferences(), wrongConstants(), wrongResources(), wrongFunctions(),
	)
}

// What a document says of its package.
func wrongPackages() []wrong {
	return []wrong{
		{`5`, `schema: #: expected object, found number`},
		{`{}`, `schema: #/name: a package has a name`},
		{`{"name": 5}`, `schema: #/name: expected string, found number
  #/name: a package has a name`},
		{`{"name": "9x"}`, `schema: #/name: expected a letter, then letters, digits, hyphens and underscores`},
		{`{"name": "pulumi"}`, `schema: #/name: the name is reserved`},
		{`{"name": "input"}`, `schema: #/name: the name is reserved`},
		{`{"name": "demo", "version": "1.2"}`, `schema: #/version: expected a semantic version such as 1.2.3`},
		{`{"name": "demo", "version": "1.02.3"}`, `schema: #/version: expected a semantic version such as 1.2.3`},
		{`{"name": "demo", "version": "1.2.3-01"}`, `schema: #/version: expected a semantic version such as 1.2.3`},
		{`{"name": "demo", "version": "1.2.3-a..b"}`, `schema: #/version: expected a semantic version such as 1.2.3`},
		{`{"name": "demo", "version": "1.2.3-a_b"}`, `schema: #/version: expected a semantic version such as 1.2.3`},
		{`{"name": "demo", "version": "1.2.3+"}`, `schema: #/version: expected a semantic version such as 1.2.3`},
		{`{"name": "demo", "version": "vv1.2.3"}`, `schema: #/version: expected a semantic version such as 1.2.3`},
		{`{"name": "demo", "version": "1.+2.3"}`, `schema: #/version: expected a semantic version such as 1.2.3`},
		{`{"name": "demo", "version": "1.2.3-99999999999999999999"}`, `schema: #/version: expected a semantic version such as 1.2.3`},
		{`{"name": "demo", "version": "99999999999999999999.2.3"}`, `schema: #/version: expected a semantic version such as 1.2.3`},
		{`{PACKAGE, "namespace": "A"}`, `schema: #/namespace: expected words of small letters and digits, with hyphens between them`},
		{`{PACKAGE, "namespace": "a--b"}`, `schema: #/namespace: expected words of small letters and digits, with hyphens between them`},
		{`{PACKAGE, "namespace": "9a"}`, `schema: #/namespace: expected words of small letters and digits, with hyphens between them`},
		{`{PACKAGE, "displayName": 1, "description": 2, "homepage": 3, "license": 4, "attribution": 5, "repository": 6, "logoUrl": 7, "pluginDownloadURL": 8, "publisher": 9}`, `schema: #/displayName: expected string, found number
  #/description: expected string, found number
  #/homepage: expected string, found number
  #/license: expected string, found number
  #/attribution: expected string, found number
  #/repository: expected string, found number
  #/logoUrl: expected string, found number
  #/pluginDownloadURL: expected string, found number
  #/publisher: expected string, found number`},
	}
}

// Other packages, and what a package extends.
func wrongDependencies() []wrong {
	return []wrong{
		{`{PACKAGE, "keywords": ["a", 5, null]}`, `schema: #/keywords/1: expected string, found number`},
		{`{PACKAGE, "language": 5}`, `schema: #/language: expected object, found number`},
		{`{PACKAGE, "allowedPackageNames": "x"}`, `schema: #/allowedPackageNames: expected array, found string`},
		{`{PACKAGE, "meta": {"moduleFormat": "("}}`, "schema: #/meta/moduleFormat: not a regular expression: error parsing regexp: missing closing ): `(`"},
		{`{PACKAGE, "meta": {"moduleFormat": "` + strings.Repeat("a", 65) + `"}}`, `schema: #/meta/moduleFormat: expected a regular expression of at most 64 bytes, found 65`},
		{`{PACKAGE, "meta": {"moduleFormat": "(a{98})"}}`, `schema: #/meta/moduleFormat: expected a regular expression of at most 100 instructions, found 102`},
		{`{PACKAGE, "meta": {"moduleFormat": "((a{1000}){1000})"}}`, "schema: #/meta/moduleFormat: not a regular expression: error parsing regexp: invalid repeat count: `{1000}`"},
		{`{PACKAGE, "meta": {"moduleFormat": 5, "supportPack": "x"}}`, `schema: #/meta/moduleFormat: expected string, found number
  #/meta/supportPack: expected bool, found string`},
		{`{"name": "demo", "meta": {"supportPack": true}}`, `schema: #/meta/supportPack: a package that supports packing has a version`},
		{`{PACKAGE, "dependencies": [5, null, {"name": "x y"}, {"name": "x", "version": "v1.0.0", "downloadURL": 5}]}`, `schema: #/dependencies/0: expected object, found number
  #/dependencies/0/name: expected the name of a package
  #/dependencies/1/name: expected the name of a package
  #/dependencies/2/name: expected the name of a package
  #/dependencies/3/version: expected a semantic version such as 1.2.3
  #/dependencies/3/downloadURL: expected string, found number`},
		{`{PACKAGE, "dependencies": [{"name": "x", "version": ""}, {"name": "x", "parameterization": {}}]}`, `schema: #/dependencies/0/version: expected a semantic version such as 1.2.3
  #/dependencies/1/parameterization/value: it is required
  #/dependencies/1/parameterization/name: expected the name of a package
  #/dependencies/1/parameterization/version: expected a semantic version such as 1.2.3`},
		{`{PACKAGE, "dependencies": [{"name": "x", "parameterization": {"name": "y", "version": "1.0.0", "value": "?"}}]}`, `schema: #/dependencies/0/parameterization/value: expected base64`},
		{`{PACKAGE, "parameterization": {}}`, `schema: #/parameterization/baseProvider/name: expected the name of a package
  #/parameterization/baseProvider/version: expected a semantic version such as 1.2.3
  #/parameterization/parameter: it is required`},
		{`{PACKAGE, "parameterization": {"baseProvider": {"name": "x", "version": "v1.0.0"}, "parameter": "?"}}`, `schema: #/parameterization/baseProvider/version: expected a semantic version such as 1.2.3
  #/parameterization/parameter: expected base64`},
		{`{PACKAGE, "parameterization": {"baseProvider": {"name": "x", "version": "1.0.0"}, "parameter": ""}, "extensionParameterization": {"baseProvider": {"name": "x", "version": "1.0.0"}}}`, `schema: #/extensionParameterization: a package has this or parameterization`},
		{`{PACKAGE, "extensionParameterization": {"baseProvider": {"name": "x", "version": "1.0.0"}}, "provider": {}}`, `schema: #/provider: a package that extends another provider has none`},
		{`{PACKAGE, "extensionParameterization": {"baseProvider": {"name": "x", "version": "1.0.0", "parameterization": {"basePlugin": {"name": "y"}}}}}`, `schema: #/extensionParameterization/baseProvider/parameterization/basePlugin/version: expected a semantic version such as 1.2.3`},
	}
}

// Tokens.
func wrongTokens() []wrong {
	return []wrong{
		{`{PACKAGE, "types": {"x": {"type": "object"}}}`, `schema: #/types/x: expected a token: package:module:name`},
		{`{PACKAGE, "types": {"demo:index:A-b": {"type": "object"}, "demo:9:A": {"type": "object"}, "demo::A:B": {"type": "object"}, "9:index:A": {"type": "object"}, "demo:index:": {"type": "object"}, "demo:x:9": {"type": "object"}}}`, `schema: #/types/9:index:A: expected a token: package:module:name
  #/types/demo:9:A: expected a token: package:module:name
  #/types/demo::A:B: expected a token: package:module:name
  #/types/demo:index:: expected a token: package:module:name
  #/types/demo:index:A-b: expected a token: package:module:name
  #/types/demo:x:9: expected a token: package:module:name`},
		{`{PACKAGE, "types": {"other:index:A": {"type": "object"}, "pulumi:providers:A": {"type": "object"}}}`, `schema: #/types/other:index:A: expected the name of this package, demo, before the first colon
  #/types/pulumi:providers:A: expected the name of this package, demo, before the first colon`},
		{`{PACKAGE, "types": {"demo: :A": {"type": "object"}}}`, `schema: #/types/demo: :A: the token has white space in it, or what cannot be printed`},
		{`{PACKAGE, "resources": {"demo:index:Provider": {}}}`, `schema: #/resources/demo:index:Provider: the name is reserved for the provider`},
		{`{PACKAGE, "functions": {"demo::provider": {}}}`, `schema: #/functions/demo::provider: the name is reserved for the provider`},
		{`{PACKAGE, "types": {"demo:index/x:A": {"type": "object"}}}`, `schema: #/types/demo:index~1x:A: there are no modules in the module index`},
		{`{PACKAGE, "types": {"demo:index/x:A": {"type": "object"}, "demo:index/x/y:A": {"type": "object"}}, "meta": {"moduleFormat": "(.*)(?:/[^/]*)"}}`, `schema: #/types/demo:index~1x~1y:A: there are no modules in the module index`},
		{`{PACKAGE, "types": {"demo:index:pulumi": {"type": "object"}}}`, `schema: #/types/demo:index:pulumi: the name is reserved`},
		{`{PACKAGE, "functions": {"pulumi:other:f": {}, "x:providers:f": {}}}`, `schema: #/functions/pulumi:other:f: expected the name of this package, demo, before the first colon
  #/functions/x:providers:f: expected the name of this package, demo, before the first colon`},
	}
}

// Types and enums.
func wrongTypes() []wrong {
	return []wrong{
		{`{PACKAGE, "types": 5}`, `schema: #/types: expected object, found number`},
		{`{PACKAGE, "types": {"demo:index:A": 5}}`, `schema: #/types/demo:index:A: expected object, found number
  #/types/demo:index:A/type: expected object, boolean, integer, number or string`},
		{`{PACKAGE, "types": {"demo:index:A": {}}}`, `schema: #/types/demo:index:A/type: expected object, boolean, integer, number or string`},
		{`{PACKAGE, "types": {"demo:index:A": {"type": "array"}}}`, `schema: #/types/demo:index:A/type: expected object, boolean, integer, number or string`},
		{`{PACKAGE, "types": {"demo:index:A": {"oneOf": [{"type": "string"}, {"type": "number"}]}}}`, `schema: #/types/demo:index:A/oneOf: types are objects and enums: a property has its union itself`},
		{`{PACKAGE, "types": {"demo:index:A": {"type": "string"}}}`, `schema: #/types/demo:index:A/enum: an enum has values`},
		{`{PACKAGE, "types": {"demo:index:A": {"type": "string", "enum": [{"value": 5}, {}, {"value": "x", "name": 1, "description": 2, "deprecationMessage": 3}]}}}`, `schema: #/types/demo:index:A/enum/0/value: expected a constant of type string, found number
  #/types/demo:index:A/enum/1/value: expected a constant of type string, found null
  #/types/demo:index:A/enum/2/name: expected string, found number
  #/types/demo:index:A/enum/2/description: expected string, found number
  #/types/demo:index:A/enum/2/deprecationMessage: expected string, found number`},
		{`{PACKAGE, "types": {"demo:index:A": {"type": "integer", "enum": [{"value": 1.5}, {"value": 3000000000}, {"value": -3000000000}, {"value": "x"}]}}}`, `schema: #/types/demo:index:A/enum/0/value: expected a constant of type integer, found number
  #/types/demo:index:A/enum/1/value: expected a constant of type integer, found number
  #/types/demo:index:A/enum/2/value: expected a constant of type integer, found number
  #/types/demo:index:A/enum/3/value: expected a constant of type integer, found string`},
		{`{PACKAGE, "types": {"demo:index:A": {"type": "boolean", "enum": [{"value": true}, {"value": 1}]}, "demo:index:B": {"type": "number", "enum": [{"value": true}, {"value": 1.5}, {"value": 1e400}]}}}`, `schema: #/types/demo:index:A/enum/1/value: expected a constant of type boolean, found number
  #/types/demo:index:B/enum/0/value: expected a constant of type number, found bool
  #/types/demo:index:B/enum/2/value: expected a constant of type number, found number`},
		{`{PACKAGE, "types": {"demo:index:A": {"type": "object", "enum": [{"name": 5}]}}}`, `schema: #/types/demo:index:A/enum/0/name: expected string, found number`},
		{`{PACKAGE, "types": {"demo:index:A": {"type": "object", "description": 5, "language": 5, "isOverlay": 5, "overlaySupportedLanguages": ["go", "cobol"], "plain": ["x"], "properties": 5, "required": 5}}}`, `schema: #/types/demo:index:A/description: expected string, found number
  #/types/demo:index:A/language: expected object, found number
  #/types/demo:index:A/isOverlay: expected bool, found number
  #/types/demo:index:A/overlaySupportedLanguages/1: expected nodejs, python, go, csharp, java or yaml
  #/types/demo:index:A/plain: there is no such list any more: the types of properties are plain
  #/types/demo:index:A/properties: expected object, found number
  #/types/demo:index:A/required: expected array, found number`},
		{`{PACKAGE, "types": {"demo:index:A": {"type": "object", "properties": {"pulumi": {"type": "string"}, "a b": {"type": "string"}, "\u200b": {"type": "string"}}, "required": ["none"]}}}`, `schema: #/types/demo:index:A/properties/a b: the name has white space in it, or what cannot be printed
  #/types/demo:index:A/properties/pulumi: the name is reserved
  "#/types/demo:index:A/properties/\u200b": the name has white space in it, or what cannot be printed
  #/types/demo:index:A/required/0: there is no property none`},
		{`{PACKAGE, "types": {"demo:index:A": {"type": "object", "properties": {"a": {"$ref": "#/types/demo:index:A"}}, "required": ["a"]}}}`, `schema: #/types/demo:index:A/properties/a: a required property holds a value of this same type`},
		{`{PACKAGE, "types": {"demo:index:A": {"type": "object", "properties": {"b": {"$ref": "#/types/demo:index:B"}}, "required": ["b"]}, "demo:index:B": {"type": "object", "properties": {"a": {"$ref": "#/types/demo:index:A"}}, "required": ["a"]}}}`, `schema: #/types/demo:index:B/properties/a: a required property holds a value of this same type`},
	}
}

// Types of properties.
func wrongProperties() []wrong {
	return []wrong{
		{`PROPERTY null`, x + `/type: expected boolean, integer, number, string, array or object, or $ref or oneOf`},
		{`PROPERTY {}`, x + `/type: expected boolean, integer, number, string, array or object, or $ref or oneOf`},
		{`PROPERTY {"type": "text"}`, x + `/type: expected boolean, integer, number, string, array or object, or $ref or oneOf`},
		{`PROPERTY {"type": 5}`, x + `/type: expected string, found number
  #/resources/demo:index:A/inputProperties/x/type: expected boolean, integer, number, string, array or object, or $ref or oneOf`},
		{`PROPERTY {"type": "string", "items": {}, "additionalProperties": {}}`, x + `/items: string does not have it
  #/resources/demo:index:A/inputProperties/x/additionalProperties: string does not have it`},
		{`PROPERTY {"type": "array"}`, x + `: an array has items`},
		{`PROPERTY {"type": "array", "items": {"type": "x"}, "additionalProperties": {}}`, x + `/additionalProperties: an array does not have it
  #/resources/demo:index:A/inputProperties/x/items/type: expected boolean, integer, number, string, array or object, or $ref or oneOf`},
		{`PROPERTY {"type": "array", "items": 5}`, x + `/items: expected object, found number
  #/resources/demo:index:A/inputProperties/x: an array has items`},
		{`PROPERTY {"type": "object", "items": {}, "additionalProperties": {"type": "x"}}`, x + `/items: a map does not have it
  #/resources/demo:index:A/inputProperties/x/additionalProperties/type: expected boolean, integer, number, string, array or object, or $ref or oneOf`},
	}
}

// Unions, and members that a type does not have.
func wrongUnions() []wrong {
	return []wrong{
		{`PROPERTY {"type": "string", "plain": 1, "secret": 2, "replaceOnChanges": 3, "willReplaceOnChanges": 4, "description": 5, "deprecationMessage": 6, "language": 7}`, x + `/plain: expected bool, found number
  #/resources/demo:index:A/inputProperties/x/secret: expected bool, found number
  #/resources/demo:index:A/inputProperties/x/replaceOnChanges: expected bool, found number
  #/resources/demo:index:A/inputProperties/x/willReplaceOnChanges: expected bool, found number
  #/resources/demo:index:A/inputProperties/x/description: expected string, found number
  #/resources/demo:index:A/inputProperties/x/deprecationMessage: expected string, found number
  #/resources/demo:index:A/inputProperties/x/language: expected object, found number`},
		{`PROPERTY {"type": "string", "discriminator": {"propertyName": 5, "mapping": {"a": 5}}}`, x + `/discriminator/propertyName: expected string, found number
  #/resources/demo:index:A/inputProperties/x/discriminator/mapping/a: expected string, found number`},
		{`PROPERTY {"oneOf": []}`, x + `/oneOf: a union has two types or more`},
		{`PROPERTY {"oneOf": [{"type": "string"}]}`, x + `/oneOf: a union has two types or more`},
		{`PROPERTY {"oneOf": [{"type": "string"}, 5], "type": "array", "items": {}, "additionalProperties": {}}`, x + `/items: a union does not have it
  #/resources/demo:index:A/inputProperties/x/additionalProperties: a union does not have it
  #/resources/demo:index:A/inputProperties/x/type: expected boolean, integer, number or string next to oneOf
  #/resources/demo:index:A/inputProperties/x/oneOf/1: expected object, found number
  #/resources/demo:index:A/inputProperties/x/oneOf/1/type: expected boolean, integer, number, string, array or object, or $ref or oneOf`},
		{`PROPERTY {"oneOf": [{"type": "string"}, {"type": "number"}], "discriminator": {}}`, x + `/discriminator/propertyName: a discriminator has a property's name`},
		{`PROPERTY {"oneOf": [{"type": "string"}, {"type": "number"}], "discriminator": 5}`, x + `/discriminator: expected object, found number
  #/resources/demo:index:A/inputProperties/x/discriminator/propertyName: a discriminator has a property's name`},
		{`PROPERTY {"$ref": "pulumi.json#/Any", "items": {}, "additionalProperties": {}, "oneOf": [{}]}`, x + `/items: a reference does not have it
  #/resources/demo:index:A/inputProperties/x/additionalProperties: a reference does not have it
  #/resources/demo:index:A/inputProperties/x/oneOf: a reference does not have it`},
	}
}

// References.
func wrongReferences() []wrong {
	return []wrong{
		{`{PACKAGE, "types": {"demo:%41:T": {"type": "object", "properties": {"x": {"$ref": "#/types/demo:%41:T"}}}}}`, `schema: #/types/demo:%41:T/properties/x/$ref: there is no type demo:A:T`},
		{`PROPERTY {"$ref": 5}`, x + `/$ref: expected string, found number
  #/resources/demo:index:A/inputProperties/x/type: expected boolean, integer, number, string, array or object, or $ref or oneOf`},
		{`PROPERTY {"$ref": "%"}`, x + `/$ref: not a reference: %`},
		{`PROPERTY {"$ref": "%25zz/v1.0.0/schema.json#/provider"}`, x + `/$ref: not a reference: %25zz/v1.0.0/schema.json#/provider`},
		{`PROPERTY {"$ref": "pulumi.json#/Other"}`, x + `/$ref: expected /PACKAGE/vVERSION/schema.json, found pulumi.json`},
		{`PROPERTY {"$ref": "/x y/v1.0.0/schema.json#/provider"}`, x + `/$ref: expected /PACKAGE/vVERSION/schema.json, found /x y/v1.0.0/schema.json`},
		{`PROPERTY {"$ref": "/%2Fv1.0.0/schema.json#/provider"}`, x + `/$ref: expected /PACKAGE/vVERSION/schema.json, found //v1.0.0/schema.json`},
		{`PROPERTY {"$ref": "/x/1.0.0/schema.json#/provider"}`, x + `/$ref: expected /PACKAGE/vVERSION/schema.json, found /x/1.0.0/schema.json`},
		{`PROPERTY {"$ref": "/x/v1.0.0/other.json#/provider"}`, x + `/$ref: expected /PACKAGE/vVERSION/schema.json, found /x/v1.0.0/other.json`},
		{`PROPERTY {"$ref": "/x/v1.0-a/schema.json#/provider"}`, x + `/$ref: expected the version of a package, found v1.0-a`},
		{`PROPERTY {"$ref": "/x/vx/schema.json#/provider"}`, x + `/$ref: expected the version of a package, found vx`},
		{`PROPERTY {"$ref": "#/provider/x"}`, x + `/$ref: expected #/provider, #/resources/TOKEN or #/types/TOKEN, found /provider/x`},
		{`PROPERTY {"$ref": "#/functions/x"}`, x + `/$ref: expected #/provider, #/resources/TOKEN or #/types/TOKEN, found /functions/x`},
		{`PROPERTY {"$ref": "#"}`, x + `/$ref: expected #/provider, #/resources/TOKEN or #/types/TOKEN, found `},
		{`PROPERTY {"$ref": "#/types/demo:index:None"}`, x + `/$ref: there is no type demo:index:None`},
		{`PROPERTY {"$ref": "#/types/demo:index%3AKind%"}`, x + `/$ref: not a reference: #/types/demo:index%3AKind%`},
		{`PROPERTY {"$ref": "#/types/%25zz"}`, x + `/$ref: there is no type %zz`},
		{`PROPERTY {"$ref": "#/resources/demo:index:Kind"}`, x + `/$ref: there is no resource demo:index:Kind`},
		{`PROPERTY {"$ref": "/demo/v1.2.3/schema.json#/types/x"}`, x + `/$ref: there is no type x`},
		{`PROPERTY {"$ref": "#/resources/pulumi:providers:x"}`, x + `/$ref: there is no resource pulumi:providers:x`},
	}
}

// Constants and defaults.
func wrongConstants() []wrong {
	return []wrong{
		{
			`{PACKAGE, "types": {"demo:index:A": {"type": "object", "properties": {"x": {"$ref": "#/types/demo:index:B", "default": 5}}}, "demo:index:B": {"type": "string", "enum": [{"value": "a"}]}}}`,
			`schema: #/types/demo:index:A/properties/x/default: expected a constant of type string, found number`,
		},
		{`PROPERTY {"type": "string", "const": 5, "default": true}`, x + `/const: expected a constant of type string, found number
  #/resources/demo:index:A/inputProperties/x/default: expected a constant of type string, found bool`},
		{`PROPERTY {"type": "string", "const": [], "default": {}}`, x + `/const: expected a constant of type string, found array
  #/resources/demo:index:A/inputProperties/x/default: expected a constant of type string, found object`},
		{`PROPERTY {"type": "integer", "const": 1.5, "default": "x"}`, x + `/const: expected a constant of type integer, found number
  #/resources/demo:index:A/inputProperties/x/default: expected a constant of type integer, found string`},
		{`PROPERTY {"type": "object", "default": "x"}`, x + `/default: expected a constant of type map of string, found string`},
		{`PROPERTY {"$ref": "pulumi.json#/Any", "default": "x"}`, x + `/default: expected a constant of type any value, found string`},
		{`PROPERTY {"$ref": "#/types/demo:index:Kind", "const": "a", "default": 5}`, x + `/const: expected a constant of type enum demo:index:Kind, found string
  #/resources/demo:index:A/inputProperties/x/default: expected a constant of type string, found number`},
		{`PROPERTY {"$ref": "#/types/demo:index:Ends", "default": "x"}`, x + `/default: expected a constant of type object demo:index:Ends, found string`},
		{`PROPERTY {"oneOf": [{"type": "string"}, {"type": "integer"}], "default": 1.5}`, x + `/default: expected a constant of type string or integer, found number`},
		{`PROPERTY {"type": "string", "oneOf": [{"type": "string"}, {"type": "integer"}], "default": 1}`, x + `/default: expected a constant of type string, found number`},
		{`PROPERTY {"type": "string", "defaultInfo": {}}`, x + `/defaultInfo/environment: a default has an environment variable`},
		{`PROPERTY {"type": "string", "defaultInfo": {"environment": [5], "language": 5}}`, x + `/defaultInfo/language: expected object, found number
  #/resources/demo:index:A/inputProperties/x/defaultInfo/environment/0: expected string, found number`},
	}
}

// Resources, the provider and methods.
func wrongResources() []wrong {
	return []wrong{
		{
			`{PACKAGE, "resources": {"demo:index:A": {"methods": {"a": "demo:index:B/f"}}}, "functions": {"demo:index:B/f": {"inputs": {"properties": {"__self__": {"type": "string"}}}}}}`,
			`schema: #/resources/demo:index:A/methods/a: expected a function demo:index:A/name`,
		},
		{`{PACKAGE, "resources": {"demo:index:A": {"plainInputs": ["x"], "plain": ["x"], "deprecationMessage": 5, "isComponent": 5, "description": 5, "type": 5}}}`, `schema: #/resources/demo:index:A/description: expected string, found number
  #/resources/demo:index:A/type: expected string, found number
  #/resources/demo:index:A/plain: there is no such list any more: the types of properties are plain
  #/resources/demo:index:A/isComponent: expected bool, found number
  #/resources/demo:index:A/plainInputs: there is no such list any more: the types of properties are plain
  #/resources/demo:index:A/deprecationMessage: expected string, found number`},
		{`{PACKAGE, "resources": {"demo:index:A": {"inputProperties": {"x": {"type": "string"}}, "requiredInputs": ["y"], "properties": {"y": {"type": "string"}}, "required": ["x"]}}}`, `schema: #/resources/demo:index:A/required/0: there is no property x
  #/resources/demo:index:A/requiredInputs/0: there is no property y`},
		{`{PACKAGE, "resources": {"demo:index:A": {"stateInputs": {"properties": {"id": {"type": "string"}, "pulumi": {"type": "string"}}, "required": ["x"]}, "listInputs": {"required": ["x"]}}}}`, `schema: #/resources/demo:index:A/stateInputs/properties/pulumi: the name is reserved
  #/resources/demo:index:A/stateInputs/required/0: there is no property x
  #/resources/demo:index:A/listInputs/required/0: there is no property x
  #/resources/demo:index:A/stateInputs/properties/id: the name is reserved`},
		{`{PACKAGE, "resources": {"demo:index:A": {"aliases": [5, null, "x", {"type": 5}]}}}`, `schema: #/resources/demo:index:A/aliases/0: expected string or object, found number
  #/resources/demo:index:A/aliases/3/type: expected string, found number`},
		{`{PACKAGE, "provider": {"inputProperties": {"version": {"type": "string"}}, "methods": 5}}`, `schema: #/provider/methods: expected object, found number
  #/provider/inputProperties/version: the name is reserved`},
		{`{PACKAGE, "resources": {"demo:index:A": {"methods": {"a": "none", "b": 5, "c": "demo:index:f"}}}, "functions": {"demo:index:f": {"inputs": {"properties": {"__self__": {"type": "string"}}}}}}`, `schema: #/resources/demo:index:A/methods/a: there is no function none
  #/resources/demo:index:A/methods/b: expected string, found number
  #/resources/demo:index:A/methods/b: there is no function 
  #/resources/demo:index:A/methods/c: expected a function demo:index:A/name`},
		{`{PACKAGE, "resources": {"demo:index:A": {"methods": {"a": "demo:index:A/f", "b": "demo:index:A/f"}}}, "functions": {"demo:index:A/f": {"inputs": {"properties": {"__self__": {"type": "string"}}}}}}`, `schema: #/resources/demo:index:A/methods/b: the function is a method already`},
		{`{PACKAGE, "resources": {"demo:index:A": {"methods": {"a": "demo:index:A/f"}}}, "functions": {"demo:index:A/f": {}}}`, `schema: #/resources/demo:index:A/methods/a: the first argument of the function is not __self__`},
		{`{PACKAGE, "resources": {"demo:index:A": {"methods": {"a": "demo:index:A/f"}}}, "functions": {"demo:index:A/f": {"multiArgumentInputs": ["__self__", "A", "__self__"], "inputs": {"properties": {"__self__": {"type": "string"}, "A": {"type": "string"}}}}}}`, `schema: #/resources/demo:index:A/methods/a: the first argument of the function is not __self__`},
		{`{PACKAGE, "resources": {"demo:index:A": {"properties": {"a": {"type": "string"}}, "methods": {"a": "demo:index:A/f"}}}, "functions": {"demo:index:A/f": {"inputs": {"properties": {"__self__": {"type": "string"}}}}}}`, `schema: #/resources/demo:index:A/methods/a: there is a property of the same name`},
	}
}

// Functions, configuration, and tokens that are alike.
func wrongFunctions() []wrong {
	return []wrong{
		{`{PACKAGE, "functions": {"demo:index:f": {"description": 5, "deprecationMessage": 5, "language": 5, "isOverlay": 5, "plain": 5, "overlaySupportedLanguages": ["x"], "inputs": 5, "outputs": 5}}}`, `schema: #/functions/demo:index:f/inputs: expected object, found number
  #/functions/demo:index:f/description: expected string, found number
  #/functions/demo:index:f/deprecationMessage: expected string, found number
  #/functions/demo:index:f/language: expected object, found number
  #/functions/demo:index:f/isOverlay: expected bool, found number
  #/functions/demo:index:f/plain: expected bool, found number
  #/functions/demo:index:f/overlaySupportedLanguages/0: expected nodejs, python, go, csharp, java or yaml
  #/functions/demo:index:f/outputs: expected object, found number`},
		{`{PACKAGE, "functions": {"demo:index:f": {"inputs": {"properties": {"a": {"type": "string"}}}, "multiArgumentInputs": ["b"]}}}`, `schema: #/functions/demo:index:f/multiArgumentInputs/0: there is no input b
  #/functions/demo:index:f/multiArgumentInputs: there is no a in it`},
		{`{PACKAGE, "functions": {"demo:index:f": {"outputs": {"type": "x"}}, "demo:index:g": {"outputs": {"properties": {"a": {}}, "plain": true}}, "demo:index:h": {"outputs": {"properties": {}, "plain": ["x"]}}}}`, `schema: #/functions/demo:index:f/outputs/type: expected boolean, integer, number, string, array or object, or $ref or oneOf
  #/functions/demo:index:g/outputs/properties/a/type: expected boolean, integer, number, string, array or object, or $ref or oneOf
  #/functions/demo:index:h/outputs/plain: there is no such list any more: the types of properties are plain`},
		{`{PACKAGE, "config": {"variables": {"pulumi": {"type": "string"}, "x": {}}, "defaults": ["y"]}}`, `schema: #/config/variables/pulumi: the name is reserved
  #/config/variables/x/type: expected boolean, integer, number, string, array or object, or $ref or oneOf
  #/config/defaults/0: there is no property y`},
		{`{PACKAGE, "resources": {"demo:index:A": {}, "demo:index:a": {}}}`, `schema: #/resources/demo:index:a: programs cannot distinguish it from demo:index:A in resources`},
		{`{PACKAGE, "resources": {"demo:index:A": {}}, "functions": {"demo:Index:a": {}}}`, `schema: #/resources/demo:index:A: programs cannot distinguish it from demo:Index:a in functions`},
		{
			`{PACKAGE, "resources": {"demo:m_v1_v2:A": {}, "demo:m_v1:A": {}}, "meta": {"moduleFormat": "(\\w+)_v\\d+"}}`,
			`schema: #/resources/demo:m_v1_v2:A: programs cannot distinguish it from demo:m_v1:A in resources`,
		},
		{`{PACKAGE, "resources": {"demo:m/x:A": {}, "demo:m/y:A": {}}, "meta": {"moduleFormat": "(.*)(?:/[^/]*)"}}`, `schema: #/resources/demo:m~1y:A: programs cannot distinguish it from demo:m/x:A in resources`},
		{`{PACKAGE, "resources": {"demo:index:M": {}, "demo:m/n:A": {}, "demo:m:N": {}}}`, `schema: #/resources/demo:index:M: programs cannot distinguish it from the module m
  #/resources/demo:m:N: programs cannot distinguish it from the module m/n`},
	}
}

// read returns the package of a document that is accepted.
func read(t *testing.T, document string, o schema.Options) *schema.Package {
	t.Helper()

	p, err := schema.Read([]byte(whole(document)), o)
	if err != nil {
		t.Fatalf("%s:\n%v", document, err)
	}

	return p
}

// input returns the type of the input x of the resource demo:index:A.
func input(t *testing.T, p *schema.Package) *schema.Type {
	t.Helper()

	r, ok := p.Resource("demo:index:A")
	if !ok {
		t.Fatal("no resource")
	}

	x, ok := r.Inputs().Property("x")
	if !ok {
		t.Fatal("no input")
	}

	return x.Type()
}

func TestReferences(t *testing.T) {
	for _, row := range []struct{ ref, want string }{
		{"pulumi.json#/Any", "any value"},
		{"pulumi.json#/Json", "JSON"},
		{"pulumi.json#/Asset", "asset or archive"},
		{"pulumi.json#/Archive", "archive"},
		{"#/types/demo:index:Kind", "enum demo:index:Kind"},
		{"#/types/demo:index:Ends", "object demo:index:Ends"},
		{"#/types/demo%3Aindex%3AKind", "enum demo:index:Kind"},
		{"#//types/./demo:index:Kind/", "enum demo:index:Kind"},
		{"#types/demo:index:Kind", "enum demo:index:Kind"},
		{"#/resources/demo:index:A", "resource demo:index:A"},
		{"#/provider", "resource pulumi:providers:demo"},
		{"#/resources/pulumi:providers:demo", "resource pulumi:providers:demo"},
		{"/demo/v1.2.3/schema.json#/types/demo:index:Kind", "enum demo:index:Kind"},
		{"demo/v1.2.3+build/schema.json#/types/demo:index:Kind", "enum demo:index:Kind"},
		{"/demo/v9.9.9/schema.json#/types/demo:index:Kind", "external type demo:index:Kind"},
		{"/aws/v6/schema.json#/types/aws:s3%2Fbucket:Rule", "external type aws:s3/bucket:Rule"},
		{"/aws/v6.1/schema.json#/resources/aws:s3/bucket:Bucket", "resource aws:s3/bucket:Bucket"},
		{"https://example.com/aws/v6.1.0-a.1/schema.json#/provider", "resource pulumi:providers:aws"},
		{"/%2561ws/v6.1.0%20/schema.json#/provider", "resource pulumi:providers:aws"},
		{"/9-_x/v6.1.0/schema.json#/provider", "resource pulumi:providers:9-_x"},
	} {
		if got := input(t, read(t, `PROPERTY {"$ref": `+strconv.Quote(row.ref)+`}`, schema.Options{})).String(); got != row.want {
			t.Errorf("%s: %s, want %s", row.ref, got, row.want)
		}
	}
}

func TestDangling(t *testing.T) {
	for _, row := range []struct{ property, want, beside string }{
		{`{"$ref": "#/types/demo:index:None"}`, "external type demo:index:None", "<nil>"},
		{`{"$ref": "#/types/demo:index:None", "type": "string"}`, "external type demo:index:None", "string"},
		{`{"$ref": "#/types/demo:index:None", "type": "array"}`, "", ""},
		{`{"$ref": "#/types/demo:index:None", "default": "x"}`, "", ""},
		{`{"$ref": "#/resources/demo:index:None"}`, "", ""},
	} {
		if _, err := schema.Read([]byte(whole("PROPERTY "+row.property)), schema.Options{}); err == nil {
			t.Errorf("%s: no error", row.property)
		}

		p, err := schema.Read([]byte(whole("PROPERTY "+row.property)), schema.Options{AllowDangling: true})
		if row.want == "" {
			if err == nil {
				t.Errorf("%s: no error with dangling references", row.property)
			}

			continue
		}

		if err != nil {
			t.Fatal(err)
		}

		beside := "<nil>"
		if elem := input(t, p).Elem(); elem != nil {
			beside = elem.String()
		}

		if got := input(t, p).String(); got != row.want || beside != row.beside {
			t.Errorf("%s: %s, beside it %s", row.property, got, beside)
		}
	}
}

func TestAccepted(t *testing.T) {
	for _, document := range accepted() {
		read(t, document, schema.Options{})
	}
}

// accepted returns documents that are accepted, though some of them look wrong.
func accepted() []string {
	return []string{
		`{PACKAGE, "types": null, "resources": null, "functions": null, "config": null, "provider": null, "meta": null, "dependencies": null}`,
		`{PACKAGE, "namespace": "a-9b", "allowedPackageNames": ["other"], "types": {"other:index:A": {"type": "object"}}}`,
		`{"name": "demo", "version": "v1.2.3-0a.0.b+01.x"}`,
		`{PACKAGE, "types": {"demo:index:A": {"type": "object", "properties": {"x": {"$ref": "#/types/demo:index:B", "default": "b"}}}, "demo:index:B": {"type": "string", "enum": [{"value": "a"}]}}}`,
		`{PACKAGE, "resources": {"demo:index:Index": {}, "demo:index:A": {}}}`,
		`{PACKAGE, "types": {"demo:index:A": {"type": "object", "properties": {"b": {"$ref": "#/types/demo:index:B"}, "c": {"$ref": "#/types/demo:index:C"}}, "required": ["b", "c"]},
			"demo:index:B": {"type": "object", "properties": {"c": {"$ref": "#/types/demo:index:C"}}, "required": ["c"]}, "demo:index:C": {"type": "object"}}}`,
		`{PACKAGE, "resources": {"demo:sub:Provider": {"properties": {"x": {"$ref": "#/types/demo:%2541:T"}}}}, "types": {"demo:%41:T": {"type": "object"}}}`,
		`{PACKAGE, "unknown": 5, "resources": {"demo:index:A": {"unknown": 5, "inputProperties": {"x": {"type": "string", "unknown": 5, "oneOf": null}}}}}`,
		`{PACKAGE, "resources": {"demo:index:A": null}, "functions": {"pulumi:providers:demo/f": null, "demo::f-x": {"outputs": {}}}}`,
		`{PACKAGE, "types": {"demo:index:A": {"type": "object", "properties": {"": {"type": "string"}, "é": {"type": "string"}}, "plain": []}}}`,
		`{PACKAGE, "types": {"demo:index:A": {"type": "object", "properties": {"a": {"type": "array", "items": {"$ref": "#/types/demo:index:A"}}}, "required": ["a"]}}}`,
		`{PACKAGE, "types": {"demo:index:A": {"type": "object", "properties": {"a": {"$ref": "#/types/demo:index:A"}}}}}`,
		`{PACKAGE, "extensionParameterization": {"baseProvider": {"name": "x", "version": "1.0.0", "parameterization": {"basePlugin": {"name": "y", "version": "1.0.0"}}}, "parameter": "aGk="}}`,
		`{PACKAGE, "dependencies": [{"name": "x", "version": "1.0.0", "parameterization": {"name": "y", "version": "1.0.0", "value": ""}}]}`,
		`{PACKAGE, "resources": {"demo:index:A": {"methods": {"a": "demo:index:A/f"}}}, "functions": {"demo:index:A/f": {"multiArgumentInputs": ["__self__", "A"], "inputs": {"properties": {"__self__": {"type": "string"}, "A": {"type": "string"}}}}}}`,
		`{PACKAGE, "resources": {"demo:a:A": {}, "demo:b:A": {}, "demo:b/c:A": {}, "demo:index:A": {}}, "meta": {"moduleFormat": "(x)?"}, "functions": {"demo:a:B": {}}}`,
		`PROPERTY {"type": "number", "const": 5, "default": 1.5, "defaultInfo": {"environment": ["X"]}}`,
		`PROPERTY {"oneOf": [{"$ref": "#/types/demo:index:Kind"}, {"type": "integer"}], "default": 5}`,
		`PROPERTY {"oneOf": [{"oneOf": [{"type": "string"}, {"type": "integer"}]}, {"type": "boolean"}], "default": 5}`,
		`PROPERTY {"$ref": "/aws/v6.0.0/schema.json#/types/x", "default": 5}`,
		`PROPERTY {"$ref": "pulumi.json#/Any", "type": "whatever", "oneOf": []}`,
	}
}

func TestDemo(t *testing.T) {
	data, err := os.ReadFile("../examples/provider/demo/schema.json")
	if err != nil {
		t.Fatal(err)
	}

	p, err := schema.Read(data, schema.Options{})
	if err != nil {
		t.Fatal(err)
	}

	if p.Name() != "demo" || p.Version() != "0.1.0" || p.Provider().Token() != "pulumi:providers:demo" {
		t.Error(p.Name(), p.Version(), p.Provider().Token())
	}

	r, _ := p.Resource("demo:index:Record")

	want := []string{"bundleEntries", "documentBytes", "revision", "token", "url"}
	if got := r.Outputs(); !slices.Equal(got, want) {
		t.Errorf("outputs %q, want %q", got, want)
	}

	for _, row := range []struct {
		name, typ string
		of        *schema.Type
		required  bool
		secret    bool
		replace   bool
	}{
		{"name", "string", r.Inputs(), false, false, true},
		{"name", "string", r.State(), false, false, true},
		{"password", "string", r.Inputs(), false, true, false},
		{"limits", "map of map of number", r.Inputs(), false, false, false},
		{"rules", "array of object demo:index:Rule", r.State(), false, false, false},
		{"apiKey", "string", p.Config(), false, true, false},
	} {
		x, ok := row.of.Property(row.name)
		if !ok || x.Type().String() != row.typ || x.Required() != row.required || x.Secret() != row.secret || x.WillReplaceOnChanges() != row.replace {
			t.Errorf("%s: %v %v", row.name, x.Type(), x)
		}
	}

	if _, ok := r.Inputs().Property("none"); ok {
		t.Error("a property that is not there")
	}
}

func TestUnion(t *testing.T) {
	x := input(t, read(t, `PROPERTY {"type": "string", "oneOf": [{"$ref": "#/types/demo:index:Kind"}, {"$ref": "#/types/demo:index:Ends"}], "discriminator":
		{"propertyName": "kind", "mapping": {"b": "#/types/demo%3Aindex:Kind", "a": "demo:index:Ends", "c": "#/types/demo:index:None", "d": "%zz"}}}`, schema.Options{}))

	var got []string
	for a := range x.Alternatives() {
		got = append(got, a.Token())
	}

	for tag, a := range x.Mapping() {
		got = append(got, tag+" "+a.Token())
	}

	want := []string{"demo:index:Kind", "demo:index:Ends", "a demo:index:Ends", "b demo:index:Kind"}
	if !slices.Equal(got, want) || x.Discriminator() != "kind" || x.Elem().Kind() != schema.KindString || x.String() != "enum demo:index:Kind or object demo:index:Ends" {
		t.Errorf("%q %s %v %v", got, x.Discriminator(), x.Elem(), x)
	}

	for range x.Mapping() {
		break
	}

	for tag := range (*schema.Type)(nil).Mapping() {
		t.Error(tag)
	}
}

func TestProperty(t *testing.T) {
	p := read(t, `PROPERTY {"type": "integer", "const": 5, "default": 6, "defaultInfo": {"environment": ["A", "B"]}, "plain": true, "replaceOnChanges": true, "more": 7}`, schema.Options{})
	r, _ := p.Resource("demo:index:A")
	x, _ := r.Inputs().Property("x")

	if !x.Const().Equal(value.Number(5)) || !x.Default().Equal(value.Number(6)) || !slices.Equal(x.Environment(), []string{"A", "B"}) ||
		!x.Plain() || !x.ReplaceOnChanges() || x.WillReplaceOnChanges() || !x.Document().Field("more").Equal(value.Number(7)) {
		t.Errorf("%+v", x)
	}
}

// The text of an error is short, and so is the list of problems.
func TestManyProblems(t *testing.T) {
	var b strings.Builder
	for i := range 100_000 {
		b.WriteString(`, "demo:index:A` + strconv.Itoa(i) + `": 5`)
	}

	_, err := schema.Read([]byte(whole(`{PACKAGE, "types": {"demo:index:A": 5`+b.String()+`}}`)), schema.Options{})

	var listed *schema.Error
	if !errors.As(err, &listed) || len(listed.Problems) < 1_000 || len(listed.Problems) > path.MaxListed || len(err.Error()) > 10_000 || !strings.HasSuffix(err.Error(), " more") {
		t.Errorf("%.1000v", err)
	}

	if _, err := schema.Read([]byte(`{"name": "a", "name": "b"}`), schema.Options{}); !errors.Is(err, codec.ErrDuplicate) {
		t.Error(err)
	}

	if _, err := schema.FromValue(value.Object(value.Member{Key: "name", Value: value.Secret(value.String("x"))}), schema.Options{}); err == nil || err.Error() != "schema: #: there is a secret in it" {
		t.Error(err)
	}

	if got := (*schema.Error)(nil).Error(); got != "<nil>" {
		t.Error(got)
	}
}

func TestPackage(t *testing.T) {
	p := read(t, `{PACKAGE, "types": {"demo:index:Kind": {"type": "string", "enum": [{"value": "a"}, {"value": "b"}]}, "demo:index:Ends": {"type": "object"}},
		"resources": {"demo:index:B": {}, "demo:index:A": {"isComponent": true, "stateInputs": {"properties": {"x": {"type": "string"}}}}},
		"functions": {"demo:index:f": {"inputs": {"properties": {"x": {"type": "string"}}}, "outputs": {"type": "string"}}, "demo:index:g": {}}}`, schema.Options{})

	var got []string
	for x := range p.Types() {
		got = append(got, x.String())
	}

	for x := range p.Resources() {
		got = append(got, x.Token())
	}

	for x := range p.Functions() {
		got = append(got, x.Token())
		break
	}

	kind, _ := p.Type("demo:index:Kind")
	for v := range kind.Values() {
		got = append(got, v.String())
	}

	want := []string{"object demo:index:Ends", "enum demo:index:Kind", "demo:index:A", "demo:index:B", "demo:index:f", `"a"`, `"b"`}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}

	a, _ := p.Resource("demo:index:A")
	f, _ := p.Function("demo:index:f")
	g, _ := p.Function("demo:index:g")

	if !a.IsComponent() || !slices.Equal(a.StateInputs().Names(), []string{"x"}) || !slices.Equal(f.Inputs().Names(), []string{"x"}) || f.Outputs().String() != "string" || g.Outputs() != nil {
		t.Error(a, f, g)
	}

	for _, doc := range []struct{ got, want value.Value }{
		{p.Document().Field("functions").Field("demo:index:f"), f.Document()},
		{p.Document().Field("resources").Field("demo:index:A"), a.Document()},
	} {
		if doc.want.IsNull() || !doc.got.Equal(doc.want) {
			t.Error(doc)
		}
	}

	// The text is JSON. Who has YAML makes a value of it.
	if p, err := schema.FromValue(p.Document(), schema.Options{}); err != nil || p.Name() != "demo" {
		t.Error(p, err)
	}

	if _, err := schema.Read([]byte("name: demo\nversion: 1.2.3\n"), schema.Options{}); !errors.Is(err, codec.ErrSyntax) {
		t.Error(err)
	}

	if p := read(t, `{PACKAGE, "extensionParameterization": {"baseProvider": {"name": "x", "version": "1.0.0"}}}`, schema.Options{}).Provider(); p != nil {
		t.Error(p)
	}
}

// A nil type is an object without properties.
func TestNilType(t *testing.T) {
	var none *schema.Type
	if none.String() != "object" || none.Token() != "" || none.Elem() != nil || none.Discriminator() != "" || len(none.Names()) > 0 {
		t.Error(none)
	}

	for range none.Values() {
		t.Error("a value")
	}

	for range none.Alternatives() {
		t.Error("an alternative")
	}

	if _, ok := none.Property("x"); ok {
		t.Error("a property")
	}
}

// Real schemas are read. Those that are not are refused by Pulumi too: a test of
// interop/pulumi/stack compares the reasons.
func TestReal(t *testing.T) {
	files, n := kit.SchemaFiles(t), 0

	for _, file := range files {
		p, err := schema.Read(file.Data, schema.Options{AllowDangling: true})
		if err != nil {
			t.Log(file.Name, err)
			continue
		}

		n++

		for r := range p.Resources() {
			look(r.Inputs())
			look(r.State())
		}
	}

	if n < len(files)/2 {
		t.Errorf("%d of %d are read", n, len(files))
	}
}
