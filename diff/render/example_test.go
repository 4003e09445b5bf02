package render_test

import (
	"fmt"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

func ExampleText() {
	before := value.Object(
		value.Member{Key: "engine", Value: value.String("postgres")},
		value.Member{Key: "password", Value: value.Secret(value.String("hunter2"))},
		value.Member{Key: "size", Value: value.Number(20)},
	)
	after := value.Object(
		value.Member{Key: "engine", Value: value.String("mysql")},
		value.Member{Key: "password", Value: value.Secret(value.String("correct horse"))},
		value.Member{Key: "size", Value: value.Number(20)},
		value.Member{Key: "tags", Value: value.Object(value.Member{Key: "env", Value: value.String("dev")})},
	)
	d := diff.Between(before, after, diff.Options{})
	fmt.Print(render.Text(d, render.Options{ReplaceOn: path.NewSet(path.MustParsePattern("engine"))}))
	// Output:
	// +-engine  : "postgres" => "mysql"  # forces replacement
	// ~ password: [secret] => [secret]
	// + tags    : {
	//     + env: "dev"
	//   }
}

func ExampleOptions() {
	d := diff.Between(value.Secret(value.Number(1)), value.Secret(value.Number(2)), diff.Options{})
	fmt.Print(render.Text(d, render.Options{Indent: 1}))
	// Output:
	//     ~ [secret] => [secret]
}

func ExampleSecrets() {
	d := diff.Between(value.Secret(value.Number(1)), value.Secret(value.Number(2)), diff.Options{})
	fmt.Print(render.Text(d, render.Options{}))
	fmt.Print(render.Text(d, render.Options{Secrets: value.RevealSecrets}))
	// Output:
	// ~ [secret] => [secret]
	// ~ 1 => 2
}
