package schema_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
)

// configured returns the type of a provider's configuration.
func configured(t testing.TB) *schema.Type {
	t.Helper()

	p, err := schema.Read([]byte(`{"name": "demo", "types": {
		"demo:config:Size": {"type": "integer", "enum": [{"value": 1}, {"value": 2}]},
		"demo:config:Fast": {"type": "object", "properties": {"kind": {"type": "string", "const": "fast"}, "n": {"type": "number"}}, "required": ["kind"]},
		"demo:config:Safe": {"type": "object", "properties": {"kind": {"type": "string", "const": "safe"}, "n": {"type": "string"}}, "required": ["kind"]},
		"demo:config:End": {"type": "object", "properties": {"n": {"type": "number"}, "i": {"type": "integer"}, "b": {"type": "boolean"}, "s": {"type": "string"}, "size": {"$ref": "#/types/demo:config:Size"},
			"any": {"$ref": "pulumi.json#/Any"}, "either": {"oneOf": [{"type": "string"}, {"type": "number"}]}, "flag": {"oneOf": [{"type": "boolean"}, {"type": "number"}]}, "key": {"type": "string", "secret": true},
			"list": {"type": "array", "items": {"type": "number"}}, "map": {"type": "object", "additionalProperties": {"type": "boolean"}}, "end": {"$ref": "#/types/demo:config:End"},
			"mode": {"oneOf": [{"$ref": "#/types/demo:config:Fast"}, {"$ref": "#/types/demo:config:Safe"}], "discriminator": {"propertyName": "kind"}}}}},
		"provider": {"inputProperties": {"obj": {"$ref": "#/types/demo:config:End"}, "n": {"type": "integer"}, "b": {"type": "boolean"}, "s": {"type": "string"}, "list": {"type": "array", "items": {"type": "integer"}}}}}`), schema.Options{})
	if err != nil {
		t.Fatal(err)
	}

	return p.Provider().Inputs()
}

func TestParseConfig(t *testing.T) {
	config := configured(t)

	for _, row := range []struct{ text, want string }{
		{`{"n": "42", "b": "true", "s": "42", "list": "[\"1\", 2]", "version": "1", "none": "5", "obj": null}`, `{b: true, list: [1, 2], n: 42, none: "5", obj: null, s: "42", version: "1"}`},
		{`{"n": "\"42\"", "b": true, "list": ["1"], "obj": {"n": "42"}}`, `{b: true, list: [1], n: 42, obj: {n: 42}}`},
		{`{"obj": "{\"n\":\"42\"}"}`, `{obj: {n: 42}}`},
		{`{"obj": "{\"n\":\"-1.5e2\",\"i\":\" 7 \",\"b\":\"false\",\"s\":\"42\",\"size\":\"2\"}"}`, `{obj: {b: false, i: 7, n: -150, s: "42", size: 2}}`},
		{`{"obj": "{\"any\":\"1\",\"either\":\"1\",\"flag\":\"1\",\"none\":\"1\"}"}`, `{obj: {any: "1", either: "1", flag: 1, none: "1"}}`},
		{`{"obj": "{\"list\":[\"1\",\"x\"],\"map\":{\"a\":\"true\",\"b\":\"1\"},\"end\":{\"end\":{\"n\":\"0.5\"}}}"}`, `{obj: {end: {end: {n: 0.5}}, list: [1, "x"], map: {a: true, b: "1"}}}`},
		// A number is what its text says, or stays a text.
		{`{"obj": {"n": "9007199254740993"}}`, `{obj: {n: "9007199254740993"}}`},
		{`{"obj": {"list": ["1e400", "0x1f", "+1", "007", "NaN", "", "1_000", "1.", "1,5"]}}`, `{obj: {list: ["1e400", "0x1f", "+1", "007", "NaN", "", "1_000", "1.", "1,5"]}}`},
		{`{"obj": {"map": {"a": "yes", "b": "True", "c": "null", "d": "[true]"}, "n": "null"}}`, `{obj: {map: {a: "yes", b: "True", c: "null", d: "[true]"}, n: "null"}}`},
		{`{"obj": {"i": "1.5"}}`, `{obj: {i: 1.5}}`}, // which Check refuses
		{`{"n": "9007199254740993"}`, "schema: configuration: n: expected integer, found text"},
		// Only the alternative says whether a text is one.
		{`{"obj": {"mode": {"kind": "fast", "n": "1"}}}`, `{obj: {mode: {kind: "fast", n: 1}}}`},
		{`{"obj": {"mode": {"kind": "safe", "n": "1"}}}`, `{obj: {mode: {kind: "safe", n: "1"}}}`},
		{`{"obj": {"mode": {"n": "1"}}}`, `{obj: {mode: {n: "1"}}}`},
		{`{"b": "yes", "n": "", "obj": "{a:1}", "list": "{\"a\":1,\"a\":2}"}`, "schema: configuration: 4 problems\n  b: expected boolean, found text\n  list: expected array of integer, found text\n  n: expected integer, found text\n  obj: expected object demo:config:End, found text"},
	} {
		v, err := config.ParseConfig(bag(t, row.text))

		got := v.String()
		if err != nil {
			got = err.Error()
		}

		if got != row.want {
			t.Errorf("%s:\n got %s\nwant %s", row.text, got, row.want)
		}
	}
}

// TestParseConfigMarks: marks and unknowns stay, and the schema adds none.
func TestParseConfigMarks(t *testing.T) {
	config := configured(t)
	urn := "urn:pulumi:s::p::a:b:C::n"
	secret := `{"` + codec.SignatureKey + `": "1b47061264138c4ac30d75fd1eb44270", "value": "42"}`

	for name, row := range map[string]struct{ sent, want value.Value }{
		"secret text": {
			value.Object(value.Field("obj", value.Secret(value.String(`{"n":"42"}`)).WithDependencies(urn))),
			value.Object(value.Field("obj", value.Secret(value.Object(value.Field("n", value.Number(42)))).WithDependencies(urn))),
		},
		"secret in a text": {
			value.Object(value.Field("obj", value.String(`{"key":"k","n":`+secret+`}`))),
			value.Object(value.Field("obj", value.Object(value.Field("key", value.String("k")), value.Field("n", value.Secret(value.Number(42)))))),
		},
		"unknown in a text": {
			value.Object(value.Field("n", value.Unknown()), value.Field("obj", value.String(`{"n":"04da6b54-80e4-46f7-96ec-b56ff0331ba9"}`))),
			value.Object(value.Field("n", value.Unknown()), value.Field("obj", value.Object(value.Field("n", value.Unknown())))),
		},
		"secret as a whole": {
			value.Secret(value.Object(value.Field("n", value.String("1")))),
			value.Secret(value.Object(value.Field("n", value.Number(1)))),
		},
		"null": {value.Null(), value.Null()},
	} {
		if got, err := config.ParseConfig(row.sent); err != nil || !got.Identical(row.want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}

	sent := value.Object(value.Field("b", value.String("hunter2")), value.Field("n", value.Secret(value.String("hunter2"))), value.Field("s", value.Secret(value.String("x"))))

	_, err := config.ParseConfig(sent)
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Fatal(err)
	}

	failures := rpc.CheckFailuresOf(sent, err)
	if len(failures) != 2 || failures[0].Property != "b" || failures[0].Reason != "expected boolean, found text" || failures[1].Property != "" || failures[1].Reason != "n: expected integer, found text" {
		t.Errorf("%v", failures)
	}

	deep := strings.Repeat(`{"end":`, 9_990) + `{"n":"1"}` + strings.Repeat("}", 9_990)
	if v, err := config.ParseConfig(value.Object(value.Field("obj", value.String(deep)))); err == nil && v.Field("obj").Kind() == value.KindString {
		t.Error("a text is left as it is without an error")
	}
}

// TestParseConfigLaws: what is of the type stays as it is; as JSON texts, with numbers and
// booleans as texts, it is read to be the same; and reading twice changes nothing.
func TestParseConfigLaws(t *testing.T) {
	config := configured(t)
	plain := fuzz.Options{NoAssets: true, NoReferences: true, NoSealed: true}

	rapid.Check(t, func(t *rapid.T) {
		v := fuzz.OfType(config, plain).Draw(t, "configuration")
		if got, err := config.ParseConfig(v); err != nil || !got.Identical(v) {
			t.Fatalf("%v is read to be %v, %v", v, got, err)
		}

		sent, err := textual(config, v)
		if err != nil {
			t.Skip(err)
		}

		got, err := config.ParseConfig(sent)
		if err != nil || !got.Identical(v) {
			t.Fatalf("%v, sent as %v, is read to be %v, %v", v.Reveal(), sent.Reveal(), got.Reveal(), err)
		}

		other := fuzz.Objects(plain).Draw(t, "any")
		if once, err := config.ParseConfig(other); err == nil {
			if twice, err := config.ParseConfig(once); err == nil && !twice.Identical(once) {
				t.Fatalf("%v, %v", once, twice)
			}
		}
	})
}

// textual returns configuration as SDKs send it: what is not a string is JSON text, in which
// numbers and booleans are texts where nothing else can be meant.
func textual(config *schema.Type, v value.Value) (value.Value, error) {
	members := []value.Member{}

	for name, member := range v.DropSecret().Members() {
		p, ok := config.Property(name)
		if !ok || p.Type().Kind() == schema.KindString || member.IsNull() || member.IsUnknown() {
			members = append(members, value.Field(name, member))
			continue
		}

		text, err := codec.AppendJSONValue(nil, written(p.Type(), member.DropSecret().DropDependencies()), codec.Options{})
		if err != nil {
			return value.Value{}, err
		}

		members = append(members, value.Field(name, value.String(string(text)).WithMarksOf(member)))
	}

	return value.Object(members...).WithMarksOf(v), nil
}

// written returns v with texts in place of numbers and booleans of such types.
func written(t *schema.Type, v value.Value) value.Value {
	made := v

	switch t.Kind() {
	case schema.KindNumber, schema.KindInteger, schema.KindBool, schema.KindEnum:
		if text, err := codec.AppendJSONValue(nil, v.Reveal().DropDependencies(), codec.Options{}); err == nil && (v.Kind() == value.KindNumber || v.Kind() == value.KindBool) {
			made = value.String(string(text))
		}
	case schema.KindArray:
		if v.Kind() == value.KindArray {
			elems := []value.Value{}
			for _, elem := range v.DropSecret().Elems() {
				elems = append(elems, written(t.Elem(), elem))
			}

			made = value.Array(elems...)
		}
	case schema.KindMap, schema.KindObject:
		if v.Kind() != value.KindObject {
			break
		}

		members := []value.Member{}

		for name, member := range v.DropSecret().Members() {
			of := t.Elem()
			if p, ok := t.Property(name); ok {
				of = p.Type()
			}

			if of != nil {
				member = written(of, member)
			}

			members = append(members, value.Field(name, member))
		}

		made = value.Object(members...)
	}

	return made.WithMarksOf(v)
}
