package guides_test

import (
	"fmt"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

func Example_ignoreChanges() {
	old := value.Object(value.Field("size", value.Number(1)), value.Field("tags", value.Object(value.Field("env", value.String("dev")))))
	now := value.Object(value.Field("size", value.Number(2)), value.Field("tags", value.Object(value.Field("env", value.String("prod")))))

	result := ignore.Changes(old, now, []path.Pattern{path.MustParsePattern("tags.env")}, ignore.AsEngine)
	fmt.Println(result.Value)
	// Output:
	// {size: 2, tags: {env: "dev"}}
}

func Example_ignoreChangesAnswer() {
	old := value.Object(value.Field("size", value.Number(1)))
	now := value.Object(value.Field("size", value.Number(2)))

	for _, ignored := range [][]string{nil, {"size"}} {
		answer, err := provider.Differ{}.Answer(&rpc.DiffRequest{OldInputs: old, Olds: old, News: now, IgnoreChanges: ignored})
		fmt.Println(ignored, answer.Changes, err)
	}
	// Output:
	// [] DIFF_SOME <nil>
	// [size] DIFF_NONE <nil>
}

func Example_ignoreChangesMismatch() {
	old := value.Object(value.Field("ports", value.Array(value.Number(80))))
	now := value.Object(
		value.Field("ports", value.Array(value.Number(443), value.Number(8080))),
		value.Field("tags", value.Object(value.Field("env", value.String("prod")))),
	)

	patterns := []path.Pattern{path.MustParsePattern("ports[*]"), path.MustParsePattern("tags[*]"), path.MustParsePattern("prots")}
	for _, mode := range []ignore.Mode{ignore.AsEngine, ignore.Corrected} {
		result := ignore.Changes(old, now, patterns, mode)
		fmt.Println(mode, result.Value, result.Patterns)
	}
	// Output:
	// engine {ports: [80, 8080], tags: {env: "prod"}} [ports[*]: matched 1, mismatch at ports (length)]
	// corrected {ports: [80, 8080], tags: {}} [ports[*]: matched 1, mismatch at ports (length) tags[*]: matched 1]
}
