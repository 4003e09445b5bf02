package propalg_test

import (
	"fmt"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// The README's tour, as it stands there.
func Example() {
	old := value.Object(
		value.Member{Key: "name", Value: value.String("web")},
		value.Member{Key: "password", Value: value.Secret(value.String("hunter2"))},
	)
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

	r := d.Response(diff.ResponseOptions{ReplaceOn: path.NewSet(path.MustParsePattern("password"))})
	fmt.Println(r.Changes, r.Diffs, r.Replaces)

	back, err := diff.Apply(now, d.Invert())
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
