package propalg_test

import (
	"fmt"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// The README's tour: TestReadme holds the two together.
func Example() {
	old := value.Object(
		value.Field("name", value.String("web")),
		value.Field("password", value.Secret(value.String("hunter2"))),
	)

	// Values are immutable: an edit returns a new value, which shares the rest.
	now, err := old.With(path.MustParse("password"), value.Secret(value.String("correct horse")))
	if err != nil {
		panic(err)
	}
	now, err = now.Put(path.MustParse(`tags["team.name"]`), value.String("shop"))
	if err != nil {
		panic(err)
	}
	fmt.Println(now)

	d := diff.Between(old, now, diff.Options{Relation: value.Engine})
	fmt.Print(render.Text(d, render.Options{}))

	// What a provider answers to Diff: every part of it is from one comparison.
	r := provider.Differ{ReplaceOn: path.MustSet("password")}.Respond(d)
	fmt.Println(r.Changes, r.Diffs, r.Replaces)

	// A diff is data: apply it, invert it, compose, split and merge it, send it as JSON.
	back, err := d.Invert().Apply(now)
	fmt.Println(back.Equal(old), err)
	// Output:
	// {name: "web", password: [secret], tags: {"team.name": "shop"}}
	// ~ password: [secret] => [secret]
	// + tags    : {
	//     + team.name: "shop"
	//   }
	// DIFF_SOME [password tags] [password]
	// true <nil>
}

// rules reads a list of JSON.
func rulesOf(text string) value.Value {
	v, err := codec.DecodeJSONValue(text, codec.Options{})
	if err != nil {
		panic(err)
	}

	return v
}

// The README's fragment on arrays.
func Example_arrays() {
	base := rulesOf(`[{"name": "http", "port": 80}, {"name": "ssh", "port": 22}]`)
	mine := rulesOf(`[{"name": "https", "port": 443}, {"name": "http", "port": 80}, {"name": "ssh", "port": 22}]`)
	yours := rulesOf(`[{"name": "http", "port": 80}, {"name": "ssh", "port": 2222}]`)

	byName := diff.Options{Arrays: diff.Keyed(path.MustParse("name"))}
	fmt.Println(diff.Between(base, mine, byName))

	merged := diff.Merge(base, mine, yours, byName)
	fmt.Println(merged.Value, merged.Conflicts)
	// Output:
	// + [0]: {name: "https", port: 443}
	// [{name: "https", port: 443}, {name: "http", port: 80}, {name: "ssh", port: 2222}] []
}
