package fuzz_test

import (
	"context"
	"fmt"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff/equality"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// A provider of buckets: their names may be written in any case, and a bucket in another
// region is another bucket.
func ExampleProvider() {
	options := provider.Differ{
		Equality:  equality.MustRules(equality.Rule{Pattern: path.MustParsePattern("name"), Form: equality.FoldCase}),
		ReplaceOn: path.MustSet("region"),
	}
	names := rapid.SampledFrom([]string{"logs", "Logs", "data"})
	regions := rapid.SampledFrom([]value.Value{value.String("us-west-2"), value.String("eu-west-1"), value.Unknown()})

	buckets := fuzz.Provider{
		Diff: func(_ context.Context, request *rpc.DiffRequest) (*rpc.DiffResponse, error) {
			return options.Answer(request)
		},
		Inputs: rapid.Custom(func(t *rapid.T) value.Value {
			return value.Object(
				value.Field("name", value.String(names.Draw(t, "name"))),
				value.Field("region", regions.Draw(t, "region")),
			)
		}),
		Compared: options,
	}

	// A test calls buckets.Run(t). This is no test, and tries the law a few times.
	tries := rapid.Custom(func(t *rapid.T) bool {
		buckets.Law(t)

		return true
	})

	for seed := range 10 {
		tries.Example(seed)
	}

	fmt.Println("the law holds")
	// Output:
	// the law holds
}
