package schema_test

import (
	"math"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
)

// bag reads an object from JSON text.
func bag(t *testing.T, text string) value.Value {
	t.Helper()

	v, err := codec.DecodeJSONValue(text, codec.Options{})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}

	return v
}

// problems returns what is wrong with a value, one line each.
func problems(typ *schema.Type, v value.Value) string {
	err := typ.Check(v)
	if err == nil {
		return ""
	}

	text := strings.TrimPrefix(err.Error(), "schema: check: ")
	if _, list, several := strings.Cut(text, " problems\n  "); several {
		text = list
	}

	return strings.ReplaceAll(text, "\n  ", "; ")
}

func TestCheck(t *testing.T) {
	inputs := forms(t).Inputs()

	for _, row := range []struct{ text, want string }{
		{`{"name": "x"}`, ""},
		{`{}`, "name: expected a value, found none"},
		{`{"name": null}`, "name: expected a value, found none"},
		{`{"name": "x", "weight": null, "__defaults": [1], "version": "v1"}`, ""},
		{`{"name": "x", "version": "v2"}`, `version: expected "v1", found another string`},
		{`{"name": 1}`, "name: expected string, found number"},
		{`{"name": "x", "count": 1.5}`, "count: expected integer, found number with a fraction"},
		{`{"name": "x", "weight": 1.5, "count": -3}`, ""},
		{`{"name": "x", "enabled": "true"}`, "enabled: expected boolean, found string"},
		{`{"name": "x", "cuont": 1}`, "cuont: expected the name of a property, such as count, found a property that is not in the schema"},
		{`{"name": "x", "colour": 1}`, "colour: found a property that is not in the schema"},
		{`{"name": "x", "size": "huge"}`, `size: expected one of "small", "large", found another string`},
		{`{"name": "x", "size": 1}`, "size: expected enum forms:index:Size, found number"},
		{`{"name": "x", "level": 2, "ratio": 1.5, "switch": true, "anySize": "huge"}`, ""},
		{`{"name": "x", "level": 4, "switch": false}`, "level: expected one of 1, 2, 3, found another number; switch: expected one of true, found another bool"},
		{`{"name": "x", "tags": {"a": 1, "b": null}}`, "tags.a: expected string, found number"},
		{`{"name": "x", "tags": ["a"]}`, "tags: expected map of string, found array"},
		{`{"name": "x", "ports": [1, null, 2.5]}`, "ports[1]: expected integer, found null; ports[2]: expected integer, found number with a fraction"},
		{`{"name": "x", "owner": {"team": {"members": [{}]}}}`, "owner.name: expected a value, found none; owner.team.members[0].name: expected a value, found none"},
		{`{"name": "x", "document": "text", "bundle": "text"}`, "bundle: expected archive, found string; document: expected asset or archive, found string"},
		{`{"name": "x", "extra": [null, {"a": 1}], "policy": {"a": [null]}, "document2": {"x": 1}}`, ""},
		{`{"name": "x", "parent": "an-id", "role": "urn:pulumi:s::p::aws:iam/role:Role::r"}`, ""},
		// A discriminator decides alone, by the mapping or by constants.
		{`{"name": "x", "pet": {"kind": "cat", "lives": 9}, "pets": [{"kind": "dog", "owner": {"name": "n"}}]}`, ""},
		{`{"name": "x", "pet": {"kind": "cat"}}`, "pet.lives: expected a value, found none"},
		{`{"name": "x", "pets": [{"kind": "dog"}]}`, "pets[0].owner: expected a value, found none"},
		{`{"name": "x", "pet": {"kind": "cow"}}`, "pet.kind: expected a value that selects one of object forms:index:Cat or object forms:index:Dog, found another string"},
		{`{"name": "x", "source": {"as": "l", "path": "p"}}`, "source.target: expected a value, found none"},
		{`{"name": "x", "pet": "cat"}`, "pet: expected object forms:index:Cat or object forms:index:Dog, found string"},
		{`{"name": "x", "pet": {"lives": 9}}`, "pet: expected object forms:index:Cat or object forms:index:Dog, found object that is none of them (object forms:index:Cat and object forms:index:Dog: kind: expected a value, found none)"},
		// Otherwise the kind decides, and then one alternative has to fit.
		{`{"name": "x", "rule": [{"name": "n"}, {}]}`, "rule[1].name: expected a value, found none"},
		{`{"name": "x", "rule": 1}`, "rule: expected string or array of object forms:index:Owner, found number"},
		{`{"name": "x", "entry": {"path": "p", "target": "t"}}`, ""},
		{`{"name": "x", "entry": {"path": 1, "mode": "m"}}`, "entry: expected object forms:index:File or object forms:index:Link, found object that is none of them (object forms:index:File: mode: expected integer, found string; object forms:index:Link: mode: found a property that is not in the schema)"},
		{`{"name": "x", "expression": {"all": ["a", {"not": {"not": {"all": [1]}}}]}}`, "expression.all[1].not.not.all[0]: expected string or object forms:index:Expression, found number"},
	} {
		if got := problems(inputs, bag(t, row.text)); got != row.want {
			t.Errorf("%s:\n got %s\nwant %s", row.text, got, row.want)
		}
	}
}

// TestCheckKinds: what JSON text cannot say.
func TestCheckKinds(t *testing.T) {
	inputs := forms(t).Inputs()
	set := func(name string, v value.Value) value.Value {
		return value.Object(value.Field("name", value.String("x")), value.Field(name, v))
	}
	reference := func(token string) value.Value {
		return value.ResourceReference{URN: "urn:pulumi:s::p::" + token + "::r"}.Value()
	}
	asset, archive := value.TextAsset("x"), value.FileArchive("x")

	for _, row := range []struct {
		v    value.Value
		want string
	}{
		{set("document", archive), ""},
		{set("bundle", asset), "bundle: expected archive, found asset"},
		{set("policy", value.Array(asset)), "policy[0]: expected JSON, found asset"},
		{set("extra", asset), ""},
		{set("count", value.Number(math.NaN())), "count: expected integer, found number with a fraction"},
		{set("count", value.Number(math.Inf(1))), "count: expected integer, found number with a fraction"},
		{set("weight", value.Number(math.NaN())), ""},
		{set("parent", reference("forms:index:Thing")), ""},
		{set("parent", reference("forms:older:Thing")), ""},
		{set("parent", reference("forms:index:Other")), "parent: expected resource forms:index:Thing, found a resource of another type"},
		{set("role", reference("aws:s3/bucket:Bucket")), "role: expected resource aws:iam/role:Role, found a resource of another type"},
		{set("parent", value.ResourceReference{URN: "?"}.Value()), ""},
		{set("count", value.Unknown()), ""},
		{set("version", value.Unknown()), ""},
		{set("pet", value.Object(value.Field("kind", value.Unknown()))), ""},
		{set("count", value.Sealed{Ciphertext: "v1:x"}.Value()), ""},
		{set("size", value.Secret(value.String("small").WithDependencies("urn:pulumi:s::p::a:b:C::r"))), ""},
		{value.Null(), "name: expected a value, found none"},
		{value.String("x"), "expected object, found string"},
		// Inside a secret there is no name.
		{set("tags", value.Secret(value.Object(value.Field("hunter2", value.Number(1))))), "tags[secret]: expected string, found number"},
		{set("owner", value.Secret(value.Object(value.Field("naem", value.Number(1))))), "2 lines"},
		{set("entry", value.Secret(value.Object(value.Field("hunter2", value.Number(1))))), "entry: expected object forms:index:File or object forms:index:Link, found object that is none of them (object forms:index:File and object forms:index:Link: [secret]: found a property that is not in the schema)"},
	} {
		got := problems(inputs, row.v)
		if row.want == "2 lines" {
			if got != "owner[secret]: found a property that is not in the schema; owner[secret]: expected a value, found none" {
				t.Errorf("%v: %s", row.v, got)
			}

			continue
		}

		if got != row.want {
			t.Errorf("%v:\n got %s\nwant %s", row.v, got, row.want)
		}
	}
}

// TestMisspelt: a name that is meant is not taken for a type, and each alternative says what
// it lacks.
func TestMisspelt(t *testing.T) {
	p := read(t, `{"name": "g", "types": {
		"g:index:Port": {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]},
		"g:index:Bucket": {"type": "object", "properties": {"bucket": {"type": "string"}, "key": {"type": "string"}}, "required": ["bucket"]},
		"g:index:Inline": {"type": "object", "properties": {"body": {"type": "string"}}, "required": ["body"]}},
		"resources": {"g:index:R": {"inputProperties": {"ports": {"type": "array", "items": {"$ref": "#/types/g:index:Port"}},
			"src": {"oneOf": [{"$ref": "#/types/g:index:Bucket"}, {"$ref": "#/types/g:index:Inline"}]}}}}}`, schema.Options{})
	r, _ := p.Resource("g:index:R")

	const src = "src: expected object g:index:Bucket or object g:index:Inline, found object that is none of them "

	for _, row := range []struct{ text, want string }{
		{`{"ports": [{"nubmer": 2}]}`, "ports[0].nubmer: expected the name of a property, such as number, found a property that is not in the schema; ports[0].number: expected a value, found none"},
		{`{"ports": [{"number": 2, "prot": "x"}]}`, "ports[0].prot: found a property that is not in the schema"},
		{`{"prots": []}`, "prots: expected the name of a property, such as ports, found a property that is not in the schema"},
		{`{"src": {"bukcet": "b"}}`, src + "(object g:index:Bucket: bucket: expected a value, found none; object g:index:Inline: body: expected a value, found none)"},
		{`{"src": {"bucket": "b", "kex": "k"}}`, src + "(object g:index:Bucket: kex: expected the name of a property, such as key, found a property that is not in the schema; object g:index:Inline: body: expected a value, found none)"},
		{`{"src": {"bucket": "b", "body": "c"}}`, src + "(object g:index:Bucket: body: found a property that is not in the schema; object g:index:Inline: bucket: found a property that is not in the schema)"},
	} {
		if got := problems(r.Inputs(), bag(t, row.text)); got != row.want {
			t.Errorf("%s:\n got %s\nwant %s", row.text, got, row.want)
		}
	}
}

// TestTagsOfOtherKinds: a number or a boolean selects an alternative, by the text that the
// mapping has for it, or by the constants.
func TestTagsOfOtherKinds(t *testing.T) {
	document := `{"name": "d", "types": {
		"d:index:V1": {"type": "object", "properties": {"v": {"type": "integer", "const": 1}, "a": {"type": "string"}}, "required": ["v"]},
		"d:index:V2": {"type": "object", "properties": {"v": {"type": "integer", "const": 2}, "b": {"type": "string", "secret": true, "default": "x"}}, "required": ["v"]},
		"d:index:On": {"type": "object", "properties": {"v": {"type": "boolean", "const": true}, "a": {"type": "string", "secret": true}}, "required": ["v"]}},
		"resources": {"d:index:R": {"inputProperties": {"u": {"oneOf": [{"$ref": "#/types/d:index:V1"}, {"$ref": "#/types/d:index:V2"}, {"$ref": "#/types/d:index:On"}], "discriminator": {"propertyName": "v" MAPPING}}}}}}`
	const alternatives = "object d:index:V1 or object d:index:V2 or object d:index:On"

	for _, mapping := range []string{"", `, "mapping": {"1": "#/types/d:index:V1", "2": "#/types/d:index:V2", "true": "#/types/d:index:On"}`} {
		r := resource(t, strings.Replace(document, "MAPPING", mapping, 1), "d:index:R").Inputs()

		for _, row := range []struct{ text, problems, marked string }{
			{`{"u": {"v": 2, "a": "x"}}`, "u.a: found a property", `{u: {a: "x", v: 2}}`},
			{`{"u": {"v": 2, "b": "x"}}`, "", `{u: {b: [secret], v: 2}}`},
			{`{"u": {"v": 1, "a": "x"}}`, "", `{u: {a: "x", v: 1}}`},
			{`{"u": {"v": true, "a": "x"}}`, "", `{u: {a: [secret], v: true}}`},
			{`{"u": {"v": "1", "a": "x"}}`, "u.v: expected 1, found another string", `{u: {a: "x", v: "1"}}`},
			{`{"u": {"v": 3, "a": "x"}}`, "u.v: expected a value that selects one of " + alternatives + ", found another number", `{u: [secret]}`},
		} {
			want := row.problems
			if mapping == "" && strings.Contains(want, "selects") {
				want = "u: expected " + alternatives + ", found object that is none of them (object d:index:V1: v: expected 1, found another number; "
			}

			if got := problems(r, bag(t, row.text)); !strings.HasPrefix(got, want) || (got == "") != (want == "") {
				t.Errorf("%s:\n got %s\nwant %s", row.text, got, want)
			}

			if got := r.MarkSecrets(bag(t, row.text)).String(); got != row.marked {
				t.Errorf("%s: marked %s", row.text, got)
			}
		}

		if full, err := r.WithDefaults(bag(t, `{"u": {"v": 2}}`), nil); err != nil || full.String() != "{u: {b: [secret], v: 2}}" {
			t.Errorf("%v, %v", full, err)
		}
	}
}

// TestCheckState: providers put the ID into the state, and not into inputs.
func TestCheckState(t *testing.T) {
	thing := forms(t)
	v := bag(t, `{"name": "x", "url": "u", "id": "i", "urn": "u"}`)

	if got := problems(thing.State(), v); got != "urn: expected the name of a property, such as url, found a property that is not in the schema" {
		t.Error(got)
	}

	if got := problems(thing.Inputs(), bag(t, `{"name": "x", "id": "i"}`)); got != "id: found a property that is not in the schema" {
		t.Error(got)
	}
}

// TestCheckProvider: engines add the version to the inputs of the provider, and of no other
// resource.
func TestCheckProvider(t *testing.T) {
	p := read(t, `{"name": "demo", "provider": {"inputProperties": {"key": {"type": "string"}}}, "resources": {"demo:index:A": {}}}`, schema.Options{})
	v := bag(t, `{"version": "1.0.0", "__internal": {}}`)

	if got := problems(p.Provider().Inputs(), v); got != "" {
		t.Error(got)
	}

	a, _ := p.Resource("demo:index:A")
	if got := problems(a.Inputs(), v); got != "version: found a property that is not in the schema" {
		t.Error(got)
	}
}

// The type that a union has beside its alternatives admits what no alternative does, and
// nothing of an alternative's kind.
func TestCheckUnionWithType(t *testing.T) {
	p := read(t, `PROPERTY {"type": "boolean", "oneOf": [{"type": "string", "enum": ["a"]}, {"type": "array", "items": {"type": "integer"}}]}`, schema.Options{})
	a, _ := p.Resource("demo:index:A")

	for _, row := range []struct{ text, want string }{
		{`{"x": true}`, ""},
		{`{"x": [1]}`, ""},
		{`{"x": ["a"]}`, "x[0]: expected integer, found string"},
		{`{"x": 1}`, "x: expected string or array of integer, found number"},
	} {
		if got := problems(a.Inputs(), bag(t, row.text)); got != row.want {
			t.Errorf("%s: %s", row.text, got)
		}
	}
}

// A null is a value where the type has it, and missing elsewhere.
func TestCheckNull(t *testing.T) {
	p := read(t, `{"name": "demo", "resources": {"demo:index:A": {"requiredInputs": ["any", "union", "text"], "inputProperties": {
		"any": {"$ref": "pulumi.json#/Any"}, "union": {"oneOf": [{"type": "string"}, {"$ref": "pulumi.json#/Any"}]}, "text": {"type": "string"}}}}}`, schema.Options{})
	a, _ := p.Resource("demo:index:A")

	if got := problems(a.Inputs(), bag(t, `{"any": null, "union": null, "text": null}`)); got != "text: expected a value, found none" {
		t.Error(got)
	}
}

// TestNestedUnions: alternatives within alternatives take time that grows with the depth:
// not its square, which would be a minute, nor exponentially.
func TestNestedUnions(t *testing.T) {
	p := read(t, `{"name": "p", "types": {
		"p::A": {"type": "object", "properties": {"x": {"oneOf": [{"$ref": "#/types/p::A"}, {"$ref": "#/types/p::B"}]}, "a": {"type": "string"}}},
		"p::B": {"type": "object", "properties": {"x": {"oneOf": [{"$ref": "#/types/p::A"}, {"$ref": "#/types/p::B"}]}, "b": {"type": "string"}}}
	}, "resources": {"p::R": {"inputProperties": {"x": {"oneOf": [{"$ref": "#/types/p::A"}, {"$ref": "#/types/p::B"}]}}}}}`, schema.Options{})
	r, _ := p.Resource("p::R")

	for _, row := range []struct{ leaf, want string }{
		{"b", ""},
		{"c", "x: expected object p::A or object p::B, found object that is none of them (object p::A and object p::B: x: expected object p::A or object p::B"},
	} {
		v := value.Object(value.Field(row.leaf, value.String("x")))
		for range 9_000 {
			v = value.Object(value.Field("x", v))
		}

		if got := problems(r.Inputs(), v); !strings.HasPrefix(got, row.want) || (got == "") != (row.want == "") {
			t.Errorf("%s: %.300s", row.leaf, got)
		}

		if marked := r.Inputs().MarkSecrets(v); marked.ContainsSecret() {
			t.Error("secrets in values of types without secrets")
		}
	}
}

// Secrets are marked by the alternative that each value of a union is of, also if other
// alternatives were tried for values next to it.
func TestMarkSecretsInNestedUnions(t *testing.T) {
	p := read(t, `{"name": "p", "types": {
		"p::A": {"type": "object", "properties": {"list": {"type": "array", "items": {"oneOf": [{"$ref": "#/types/p::A"}, {"$ref": "#/types/p::B"}]}}, "a": {"type": "string"}, "x": {"type": "string", "secret": true}}},
		"p::B": {"type": "object", "properties": {"list": {"type": "array", "items": {"oneOf": [{"$ref": "#/types/p::A"}, {"$ref": "#/types/p::B"}]}}, "b": {"type": "string"}, "x": {"type": "string"}}}
	}, "resources": {"p::R": {"inputProperties": {"u": {"oneOf": [{"$ref": "#/types/p::A"}, {"$ref": "#/types/p::B"}]}, "v": {"oneOf": [{"$ref": "#/types/p::A"}, {"$ref": "#/types/p::B"}]}}}}}`, schema.Options{})
	r, _ := p.Resource("p::R")

	v := bag(t, `{"u": {"b": "", "x": "0", "list": [{"a": "", "x": "1"}, {"b": "", "x": "2", "list": [{"b": "", "x": "3"}, {"a": "", "x": "4"}]}, {"a": "", "x": "5"}]}, "v": {"a": "", "x": "6"}}`)

	want := `{u: {b: "", list: [{a: "", x: [secret]}, {b: "", list: [{b: "", x: "3"}, {a: "", x: [secret]}], x: "2"}, {a: "", x: [secret]}], x: "0"}, v: {a: "", x: [secret]}}`
	if got := r.Inputs().MarkSecrets(v).String(); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

func TestMarkSecrets(t *testing.T) {
	thing := forms(t)

	for _, row := range []struct{ text, want string }{
		{`{"name": "x", "password": "p", "owner": {"name": "n", "token": "t"}}`, `{name: "x", owner: {name: "n", token: [secret]}, password: [secret]}`},
		{`{"password": null, "team": {"members": [{"name": "n"}, {"token": 1}]}}`, `{password: null, team: {members: [{name: "n"}, {token: [secret]}]}}`},
		{`{"pet": {"kind": "dog", "owner": {"token": "t"}}}`, `{pet: {kind: "dog", owner: {token: [secret]}}}`},
		{`{"pet": {"kind": "cow", "owner": {"token": "t"}}}`, `{pet: [secret]}`},
		{`{"entry": {"kind": "cow"}}`, `{entry: {kind: "cow"}}`},
		{`{"expression": {"all": ["a", {"weights": {"w": {"password": "p"}}}]}}`, `{expression: {all: ["a", {weights: {w: {password: [secret]}}}]}}`},
		{`{"rule": [{"token": "t"}]}`, `{rule: [{token: [secret]}]}`},
		{`{"expression": "text", "unknown": {"password": "p"}}`, `{expression: "text", unknown: {password: "p"}}`},
	} {
		v := bag(t, row.text)
		if got := thing.Inputs().MarkSecrets(v).String(); got != row.want {
			t.Errorf("%s:\n got %s\nwant %s", row.text, got, row.want)
		}
	}

	// A part of a secret gets no mark of its own for being one, but its own.
	v := bag(t, `{"name": "n", "token": "t"}`)
	marked := thing.Inputs().MarkSecrets(value.Object(value.Field("owner", value.Secret(v))))

	if got := marked.Field("owner").DropSecret(); got.Field("name").IsSecret() || !got.Field("token").OwnSecret() {
		t.Errorf("%v", got)
	}
}

func TestWithDefaults(t *testing.T) {
	thing := forms(t)
	environment := map[string]string{}
	lookup := func(name string) (string, bool) {
		text, set := environment[name]
		return text, set
	}

	for _, row := range []struct{ env, text, want string }{
		{"", `{}`, `{count: 1, enabled: true, size: "small", version: "v1"}`},
		{"", `{"count": 5, "enabled": null, "size": "large", "version": "v2"}`, `{count: 5, enabled: true, size: "large", version: "v2"}`},
		{"false", `{}`, `{count: 1, enabled: false, size: "small", version: "v1"}`},
		{"false", `{"enabled": true}`, `{count: 1, enabled: true, size: "small", version: "v1"}`},
		{"perhaps", `{}`, "schema: defaults: expected boolean for enabled in the environment variable FORMS_ENABLED"},
		{"", `{"pet": {"kind": "cat"}, "password": "p"}`, `{count: 1, enabled: true, password: [secret], pet: {kind: "cat", lives: 9}, size: "small", version: "v1"}`},
		{"", `{"pets": [{"kind": "cat"}]}`, `{count: 1, enabled: true, pets: [{kind: "cat", lives: 9}], size: "small", version: "v1"}`},
	} {
		clear(environment)

		if row.env != "" {
			environment["FORMS_ENABLED"] = row.env
		}

		v, err := thing.Inputs().WithDefaults(bag(t, row.text), lookup)

		got := v.String()
		if err != nil {
			got = err.Error()
		}

		if got != row.want {
			t.Errorf("%s with %q:\n got %s\nwant %s", row.text, row.env, got, row.want)
		}
	}

	if v, err := thing.Inputs().WithDefaults(value.Secret(value.Object()), nil); err != nil || !v.IsSecret() || v.DropSecret().Field("count").IsSecret() {
		t.Errorf("%v, %v", v, err)
	}

	if v, err := thing.Inputs().WithDefaults(value.Object(value.Field("count", value.Unknown())), nil); err != nil || !v.Field("count").IsUnknown() {
		t.Errorf("%v, %v", v, err)
	}
}

// TestDefaultsOfConfig: the first variable that is set counts, then the default.
func TestDefaultsOfConfig(t *testing.T) {
	document := `{"name": "p", "provider": {"inputProperties": {
		"region": {"type": "string", "default": "north", "defaultInfo": {"environment": ["A", "B"]}},
		"retries": {"type": "integer", "defaultInfo": {"environment": ["RETRIES"]}},
		"any": {"oneOf": [{"type": "integer"}, {"type": "string"}], "defaultInfo": {"environment": ["ANY"]}},
		"fast": {"type": "boolean", "defaultInfo": {"environment": ["FAST"]}},
		"rate": {"type": "number", "defaultInfo": {"environment": ["RATE"]}},
		"tags": {"type": "object", "additionalProperties": {"type": "string"}},
		"key": {"type": "string", "secret": true, "defaultInfo": {"environment": ["KEY"]}}
	}}}`
	inputs := read(t, document, schema.Options{}).Provider().Inputs()

	for want, environment := range map[string]map[string]string{
		`{region: "north"}`:                          {"B": ""},
		`{region: "b"}`:                              {"B": "b"},
		`{region: "a"}`:                              {"A": "a", "B": "b"},
		`{any: 1, region: "north", retries: 3}`:      {"RETRIES": "3", "ANY": "1"},
		`{any: "one", region: "north", retries: 10}`: {"RETRIES": "1e1", "ANY": "one"},
		`{key: [secret], region: "north"}`:           {"KEY": "hunter2"},
		`{any: "1.5", region: "north"}`:              {"ANY": "1.5"},
		`{fast: true, rate: 1.5, region: "north"}`:   {"FAST": "true", "RATE": "1.5"},
		"schema: defaults: expected integer for retries in the environment variable RETRIES": {"RETRIES": "hunter2"},
		"schema: defaults: expected number for rate in the environment variable RATE":        {"RATE": "NaN"},
		`schema: defaults: 2 problems
  expected boolean for fast in the environment variable FAST
  expected integer for retries in the environment variable RETRIES`: {"FAST": "yes", "RETRIES": "1.5"},
	} {
		v, err := inputs.WithDefaults(value.Null(), func(name string) (string, bool) {
			text, set := environment[name]
			return text, set
		})

		got := v.String()
		if err != nil {
			got = err.Error()
		}

		if got != want {
			t.Errorf("%v:\n got %s\nwant %s", environment, got, want)
		}
	}

	if got, want := strings.Join(inputs.Strings(), " "), "any key region"; got != want {
		t.Errorf("strings are %s, want %s", got, want)
	}
}
