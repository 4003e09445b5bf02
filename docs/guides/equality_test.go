package guides_test

import (
	"fmt"
	"strings"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/equality"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

func roleRules() *equality.Rules {
	return equality.MustRules(
		equality.Rule{Pattern: path.MustParsePattern("policy"), Form: equality.JSONText},
		equality.Rule{Pattern: path.MustParsePattern("name"), Form: equality.FoldCase},
		equality.Rule{Pattern: path.MustParsePattern("maxHours"), Default: value.Number(1)},
		equality.Rule{Pattern: path.MustParsePattern("tags"), Empty: true},
	)
}

func Example_equality() {
	old := value.Object(
		value.Field("name", value.String("reader")),
		value.Field("policy", value.String(`{"Version":"2012-10-17","Statement":[]}`)),
		value.Field("maxHours", value.Number(1)),
	)
	now := value.Object(
		value.Field("name", value.String("Reader")),
		value.Field("policy", value.String(`{"Statement": [], "Version": "2012-10-17"}`)),
		value.Field("tags", value.Object()),
	)
	request := &rpc.DiffRequest{OldInputs: old, Olds: old, News: now}

	for _, rules := range []*equality.Rules{nil, roleRules()} {
		answer, err := provider.Differ{Equality: rules}.Answer(request)
		fmt.Println(answer.Changes, answer.Diffs, err)
	}
	// Output:
	// DIFF_SOME [maxHours name policy tags] <nil>
	// DIFF_NONE [] <nil>
}

func Example_equalityForm() {
	domain := equality.MustRules(equality.Rule{
		Pattern: path.MustParsePattern("records[*].domain"),
		Form: func(v value.Value) value.Value {
			text, isText := v.AsString()
			if !isText {
				return v
			}

			return value.String(strings.TrimSuffix(strings.ToLower(text), "."))
		},
	})
	record := func(text string) value.Value {
		return value.Object(value.Field("records", value.Array(value.Object(value.Field("domain", value.String(text))))))
	}

	c := provider.Differ{Equality: domain}.Compare(provider.Sides{OldInputs: record("example.com"), News: record("Example.com.")})
	fmt.Println(c.Empty())
	fmt.Println(c.Suppressed()) // what was hidden, for a log
	// Output:
	// true
	// ~ records[0].domain: "example.com" => "Example.com."
}

func Example_equalityRead() {
	inputs := value.Object(value.Field("name", value.String("Reader")), value.Field("maxHours", value.Number(2)))
	found := value.Object(value.Field("name", value.String("reader")), value.Field("maxHours", value.Number(4)), value.Field("tags", value.Object()))

	read := roleRules().Respell(inputs, found.WithSecretsOf(inputs), diff.Options{Relation: value.Engine})
	fmt.Println(read)
	// Output:
	// {maxHours: 4, name: "Reader"}
}

func Example_equalityUnmatched() {
	o := provider.Differ{Equality: equality.MustRules(equality.Rule{Pattern: path.MustParsePattern("polcy"), Form: equality.JSONText})}
	bag := value.Object(value.Field("policy", value.String("{}")))
	fmt.Println(o.Unmatched(provider.Sides{OldInputs: bag, News: bag}))
	// Output:
	// [polcy]
}
