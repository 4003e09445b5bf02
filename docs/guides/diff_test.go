package guides_test

import (
	"fmt"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/value"
)

func Example_diff() {
	inputs := value.Object(value.Field("name", value.String("logs")), value.Field("size", value.Number(1)))
	state, _ := inputs.WithField("arn", value.String("arn:logs"))
	news := value.Object(value.Field("name", value.String("audit")), value.Field("size", value.Number(2)))

	differ := provider.Differ{ReplaceOn: path.MustSet("name", "rules[*].protocol")}
	answer, err := differ.Answer(&rpc.DiffRequest{ID: "logs", OldInputs: inputs, Olds: state, News: news})
	fmt.Println(answer.Changes, answer.Diffs, answer.Replaces, err)
	fmt.Println(answer.DetailedDiff["name"].Kind, answer.DetailedDiff["size"].Kind)
	// Output:
	// DIFF_SOME [name size] [name] <nil>
	// UPDATE_REPLACE UPDATE
}

func Example_diffLists() {
	rule := func(name string, port float64) value.Value {
		return value.Object(value.Field("name", value.String(name)), value.Field("port", value.Number(port)))
	}
	old := value.Object(value.Field("rules", value.Array(rule("http", 80), rule("ssh", 22))))
	now := value.Object(value.Field("rules", value.Array(rule("https", 443), rule("http", 80), rule("ssh", 22))))
	sides := provider.Sides{OldInputs: old, News: now}

	byName := diff.ArrayRule{Pattern: path.MustParsePattern("rules"), Match: diff.Keyed(path.MustParse("name"))}
	fmt.Println("by index:")
	fmt.Println(provider.Differ{}.Compare(sides).Inputs())
	fmt.Println("by name:")
	fmt.Println(provider.Differ{ArrayRules: []diff.ArrayRule{byName}}.Compare(sides).Inputs())
	// Output:
	// by index:
	// ~ rules[0].name: "http" => "https"
	// ~ rules[0].port: 80 => 443
	// ~ rules[1].name: "ssh" => "http"
	// ~ rules[1].port: 22 => 80
	// + rules[2]: {name: "ssh", port: 22}
	// by name:
	// + rules[0]: {name: "https", port: 443}
}

func Example_diffDecides() {
	sides := provider.Sides{
		OldInputs: value.Object(value.Field("size", value.Number(20))),
		News:      value.Object(value.Field("size", value.Number(10))),
	}
	differ := provider.Differ{}

	before, _ := sides.OldInputs.Field("size").AsNumber()
	after, known := sides.News.Field("size").AsNumber()
	if known && after < before {
		differ.ReplaceOn = path.MustSet("size")
	}
	answer := provider.NewDiffResponse(differ.Compare(sides).Response())
	fmt.Println(answer.Changes, answer.Replaces)
	// Output:
	// DIFF_SOME [size]
}

func Example_diffChecked() {
	bag := value.Object(value.Field("size", value.Number(1)))
	wrong := provider.Response{
		Changes:     rpc.DiffSome,
		Diffs:       []string{"size"},
		Detailed:    []provider.Entry{{Key: "size", Kind: rpc.PropertyDiffUpdate, InputDiff: true}},
		HasDetailed: true,
	}
	for _, f := range check.Validate(wrong, provider.Sides{OldInputs: bag, News: bag}, provider.Differ{}) {
		fmt.Println(f.Severity, f.At, f.Code)
	}
	// Output:
	// error size update-equal
}
