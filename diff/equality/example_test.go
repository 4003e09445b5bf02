package equality_test

import (
	"fmt"
	"strings"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/equality"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

func Example() {
	rules := equality.MustRules(
		equality.Rule{Pattern: path.MustParsePattern("policy"), Form: equality.JSONText},
		equality.Rule{Pattern: path.MustParsePattern("rules[*].protocol"), Form: equality.FoldCase},
		equality.Rule{Pattern: path.MustParsePattern("rules[*].port"), Default: value.Number(443)},
	)
	rule := func(members ...value.Member) value.Value { return value.Array(value.Object(members...)) }
	old := value.Object(
		value.Field("policy", value.String(`{"effect": "allow", "max": 10}`)),
		value.Field("rules", rule(value.Field("protocol", value.String("tcp")), value.Field("port", value.Number(443)))),
	)
	now := value.Object(
		value.Field("policy", value.String(`{"max":1e1,"effect":"allow"}`)),
		value.Field("rules", rule(value.Field("protocol", value.String("TCP")))),
	)

	fmt.Println(diff.Between(old, now, diff.Options{}).Len(), "changes as written")
	fmt.Println(rules.Between(old, now, diff.Options{}).Len(), "as meant")
	// Output:
	// 3 changes as written
	// 0 as meant
}

// A normal form may be any function. This one is for lists that may be written as one
// text.
func ExampleRule() {
	list := func(v value.Value) value.Value {
		text, ok := v.AsString()
		if !ok {
			return v
		}
		var elems []value.Value
		for part := range strings.SplitSeq(text, ",") {
			elems = append(elems, value.String(part))
		}
		return value.Array(elems...)
	}
	rules := equality.MustRules(equality.Rule{Pattern: path.MustParsePattern("zones"), Form: list})
	old := value.Object(value.Field("zones", value.String("a,b")))
	now := value.Object(value.Field("zones", value.Array(value.String("a"), value.String("b"))))

	fmt.Println(rules.Between(old, now, diff.Options{}).Empty())
	// Output: true
}

// The diff leads to the new value in the old spelling.
func ExampleRules_Respell() {
	rules := equality.MustRules(
		equality.Rule{Pattern: path.MustParsePattern("name"), Form: equality.FoldCase},
		equality.Rule{Pattern: path.MustParsePattern("tags"), Empty: true},
	)
	old := value.Object(value.Field("name", value.String("web")), value.Field("size", value.Number(1)))
	now := value.Object(value.Field("name", value.String("WEB")), value.Field("size", value.Number(2)), value.Field("tags", value.Object()))

	fmt.Println(rules.Respell(old, now, diff.Options{}))
	fmt.Println(rules.Between(old, now, diff.Options{}))
	fmt.Println(rules.Normalize(now, value.Strict))
	// Output:
	// {name: "web", size: 2}
	// ~ size: 1 => 2
	// {name: "web", size: 2}
}

func ExampleInternal() {
	rules := equality.MustRules(equality.Internal()...)
	element := func(port float64, defaults ...value.Value) value.Value {
		return value.Object(value.Field("port", value.Number(port)), value.Field("__defaults", value.Array(defaults...)))
	}
	old := value.Object(value.Field("rules", value.Array(element(80, value.String("port")))))
	now := value.Object(value.Field("rules", value.Array(element(81))))

	fmt.Println(rules.Between(old, now, diff.Options{}))
	// Output:
	// ~ rules[0].port: 80 => 81
}

func ExampleNumberText() {
	for _, v := range []value.Value{value.String("8080"), value.String("8080.0"), value.Number(8080), value.String("port")} {
		fmt.Println(equality.NumberText(v))
	}
	// Output:
	// "808e1"
	// "808e1"
	// "808e1"
	// "port"
}
