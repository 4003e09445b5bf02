package infer_test

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	p "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi-go-provider/infer"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/asset"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/provider/resource"
	"github.com/propalg/propalg/value"
)

// thing is a resource of infer whose arguments and state are of one type.
type thing[T any] struct{}

func (*thing[T]) Annotate(a infer.Annotator) { a.SetToken("index", "Thing") }

func (*thing[T]) Create(context.Context, infer.CreateRequest[T]) (r infer.CreateResponse[T], err error) {
	return r, nil
}

type object = map[string]any

// theirSchema is the schema that infer makes of a type, or what it says is wrong.
func theirSchema[T any]() (document object, err error) {
	err = calm(func() error {
		made := infer.Provider(infer.Options{Resources: []infer.InferredResource{infer.Resource(&thing[T]{})}})
		spec, err := p.GetSchema(context.Background(), "demo", "1.0.0", made)
		if err != nil {
			return err
		}
		text, err := json.Marshal(spec)
		if err != nil {
			return err
		}
		return json.Unmarshal(text, &document)
	})
	return document, err
}

// ourSchema is the schema that package resource makes of it.
func ourSchema[T any]() (document object, err error) {
	made, err := resource.Package{Name: "demo", Version: "1.0.0", Resources: []resource.Resource{resource.Of[T, T]{Token: "demo:index:Thing"}}}.Document()
	if err != nil {
		return nil, err
	}
	text, err := codec.AppendJSONValue(nil, made, codec.Options{})
	if err == nil {
		err = json.Unmarshal(text, &document)
	}
	return document, err
}

// spelled is what a schema says of the resource, with the types of properties in their places
// and without their names. A type inside of itself is an ellipsis.
func spelled(document object) object {
	r, _ := document["resources"].(object)["demo:index:Thing"].(object)
	types, _ := document["types"].(object)
	said := object{}
	for of, name := range map[string]string{"inputProperties": "requiredInputs", "properties": "required"} {
		said[of] = specs(r[of], types, nil)
		said[name] = sortedTexts(r[name])
	}
	return said
}

func sortedTexts(list any) []string {
	all, _ := list.([]any)
	texts := []string{}
	for _, x := range all {
		texts = append(texts, x.(string))
	}
	slices.Sort(texts)
	return texts
}

func specs(of any, types object, above []string) object {
	all, _ := of.(object)
	made := object{}
	for name, x := range all {
		made[name] = spec(x, types, above)
	}
	return made
}

func spec(x any, types object, above []string) any {
	of := maps.Clone(x.(object))
	delete(of, "description")
	for _, below := range []string{"items", "additionalProperties"} {
		if inner, ok := of[below]; ok {
			of[below] = spec(inner, types, above)
		}
	}
	token, isType := strings.CutPrefix(text(of["$ref"]), "#/types/")
	if !isType {
		return of
	}
	delete(of, "$ref")
	delete(of, "type") // which infer adds to a reference
	if slices.Contains(above, token) {
		of["of"] = "…"
		return of
	}
	named, _ := types[token].(object)
	of["of"], of["required"] = specs(named["properties"], types, append(above, token)), sortedTexts(named["required"])
	return of
}

func text(x any) string {
	s, _ := x.(string)
	return s
}

// TestSchemasAreTheSame holds what both make of the structs of these tests against each other.
func TestSchemasAreTheSame(t *testing.T) {
	sameSchema[Place](t)
	sameSchema[rule](t)
	sameSchema[server](t)
	sameSchema[deep](t)
	sameSchema[of[named]](t)
	sameSchema[of[int32]](t)
	sameSchema[of[int64]](t)
	sameSchema[of[*string]](t)
	sameSchema[of[*[]string]](t)
	sameSchema[of[[]*string]](t)
	sameSchema[of[[3]string]](t)
	sameSchema[of[[][]map[string][]*rule]](t)
	sameSchema[maybe[string]](t)
	sameSchema[maybe[bool]](t)
	sameSchema[taggedForJSON](t)
	sameSchema[struct{}](t)
}

func sameSchema[T any](t *testing.T) {
	t.Helper()
	theirs, theirErr := theirSchema[T]()
	ours, err := ourSchema[T]()
	if theirErr != nil || err != nil {
		t.Errorf("%T: infer: %v; ours: %v", *new(T), theirErr, err)
	} else if difference := cmp.Diff(spelled(theirs), spelled(ours)); difference != "" {
		t.Errorf("%T: infer (-), ours (+):\n%s", *new(T), difference)
	}
}

// describes is what the schema of either side says of the input a.
func describes[Theirs, Ours any]() func() (theirs, ours string) {
	input := func(document object, err error) string {
		return outcome(err, func() string { return jsonOf(spelled(document)["inputProperties"].(object)["a"]) })
	}
	return func() (theirs, ours string) { return input(theirSchema[Theirs]()), input(ourSchema[Ours]()) }
}

type (
	named    string
	replaces struct {
		A string `pulumi:"a" provider:"replaceOnChanges"`
	}
)

func schemaDifferences() []difference {
	const text = `{"type":"string"}`
	return []difference{
		{
			"infer's tag replaceOnChanges is for the engine", describes[replaces, replaces](), `{"replaceOnChanges":true,"type":"string"}`, `{"type":"string","willReplaceOnChanges":true}`,
			"the provider's own Diff asks for the replacement",
		},
		{"infer's schema has no small integers", describes[of[int8], of[int8]](), failed, `{"type":"integer"}`, "bind reads them, and says if a number does not fit"},
		{"infer's schema has no float32", describes[of[float32], of[float32]](), failed, `{"type":"number"}`, "bind reads them"},
		{"infer's schema has no bytes", describes[of[[]byte], of[[]byte]](), failed, text, "they are a text in bind"},
		{"infer's schema has a duration as nanoseconds", describes[of[time.Duration], of[time.Duration]](), `{"type":"integer"}`, text, "they are a text such as 1h0m0s in bind"},
		{"infer's schema has a time without properties", describes[of[time.Time], of[time.Time]](), `{"of":{},"required":[]}`, text, "types that are texts in JSON are texts in bind"},
		{"infer's schema has any", describes[of[any], of[any]](), `{"$ref":"pulumi.json#/Any"}`, failed, "bind has value.Value, which keeps marks"},
		{"infer's schema has no optional struct without a pointer", describes[maybe[pair], maybe[pair]](), failed, `{"of":{"d":{"type":"string"},"e":{"type":"string"}},"required":["d","e"]}`, "one that is zero is left out"},
		{"infer's schema has no asset alone", describes[of[*asset.Asset], of[value.Asset]](), failed, `{"$ref":"pulumi.json#/Asset"}`, "the type says which of both it is"},
		{"infer overlooks a field without a tag", describes[untagged, untagged](), text, failed, "it may have been forgotten"},
		{"infer refuses secret in the tag pulumi", describes[secretByPulumi, secretByPulumi](), failed, `{"secret":true,"type":"string"}`, "bind reads both"},
		{"infer panics for a generic struct", describes[of[of[int]], of[of[int]]](), panicked, `{"of":{"a":{"type":"integer"}},"required":["a"]}`, "the type of the argument is in the name"},
	}
}
