package check_test

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

func num(f float64) value.Value { return value.Number(f) }

func str(s string) value.Value { return value.String(s) }

func arr(elems ...value.Value) value.Value { return value.Array(elems...) }

func sec(v value.Value) value.Value { return value.Secret(v) }

func obj(pairs ...any) value.Value {
	var members []value.Member
	for i := 0; i < len(pairs); i += 2 {
		members = append(members, value.Member{Key: pairs[i].(string), Value: pairs[i+1].(value.Value)})
	}

	return value.Object(members...)
}

// sided writes a response with the side of each entry: < state, = inputs.
func sided(r provider.Response) string {
	var parts []string
	for _, e := range r.Detailed {
		side := "<"
		if e.InputDiff {
			side = "="
		}
		parts = append(parts, e.Key+side+e.Kind.String())
	}
	text := strings.Join(parts, " ")
	if !r.HasDetailed {
		text += "no details"
	}
	return text + " | " + r.Changes.String() + " " + strings.Join(r.Diffs, ",") + " | " + strings.Join(r.Replaces, ",")
}

// instance is the provider of the examples. Its url is computed.
type instance struct{}

// Diff is all that a provider has to write. (With codec/rpc: provider.Answer.)
func (instance) Diff(sides provider.Sides) provider.Response {
	return provider.Compare(sides, provider.Options{
		InputNames: []string{"name", "size", "tags"},
	}).Response(provider.Options{
		ReplaceOn: path.NewSet(path.MustParsePattern("name")),
		Stables:   []string{"url"},
	})
}

// vm is the inputs of an instance, and its state, which also has a url.
func vm(name string, size float64) (inputs, state value.Value) {
	inputs = value.Object(
		value.Member{Key: "name", Value: value.String(name)},
		value.Member{Key: "size", Value: value.Number(size)},
	)
	state, _ = inputs.With(path.MustParse("url"), value.String("https://"+name))
	return inputs, state
}

func printResponse(r provider.Response) {
	fmt.Println(r.Changes, r.Diffs, r.Replaces, r.Stables)
	for _, e := range r.Detailed {
		fmt.Println(" ", e.Key, e.Kind, e.InputDiff)
	}
}

func patterns(texts ...string) *path.Set {
	var all []path.Pattern
	for _, text := range texts {
		all = append(all, path.MustParsePattern(text))
	}

	return path.NewSet(all...)
}

// place is the line of a row.
type place string

func here() place {
	_, _, line, _ := runtime.Caller(1)

	return place(fmt.Sprintf("line %d", line))
}

func object(members ...value.Member) value.Value { return value.Object(members...) }

func one(key string, v value.Value) value.Value { return obj(key, v) }
