package fuzz_test

import (
	"fmt"
	"strings"

	"github.com/propalg/propalg/internal/testkit"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/value"
)

// A provider of buckets that forgets that a region may not be known yet: users see
// no change in preview, and one in the update. In a test of its own the last line
// is rapid.Check(t, provider.Law).
func ExampleProvider() {
	bucketDiff := func(request *rpc.DiffRequest) (*rpc.DiffResponse, error) {
		old, _ := request.OldInputs.Field("region").AsString()
		now, known := request.News.Field("region").AsString()

		if !known || old == now { // the bug: an unknown region may be another one
			return &rpc.DiffResponse{Changes: rpc.DiffNone}, nil
		}

		return &rpc.DiffResponse{
			Changes: rpc.DiffSome, Diffs: []string{"region"}, HasDetailedDiff: true,
			DetailedDiff: map[string]rpc.PropertyDiff{"region": {Kind: rpc.PropertyDiffUpdateReplace, InputDiff: true}},
			Replaces:     []string{"region"},
		}, nil
	}
	regions := rapid.SampledFrom([]value.Value{value.String("us-west-2"), value.String("eu-west-1"), value.Unknown()})
	provider := fuzz.Provider{
		Diff: bucketDiff,
		Inputs: rapid.Map(regions, func(region value.Value) value.Value {
			return value.Object(value.Member{Key: "region", Value: region})
		}),
	}

	said, failed := testkit.CheckRecorded(1000, true, provider.Law)
	fmt.Println(failed, strings.Contains(said, "region: unreported"))

	for line := range strings.Lines(said) {
		if strings.Contains(line, "News:") || strings.Contains(line, "OldInputs:") {
			fmt.Println(strings.TrimSpace(line))
		}
	}
	// Output:
	// true true
	// OldInputs: value.Object(value.Member{Key: "region", Value: value.String("us-west-2")}),
	// News: value.Object(value.Member{Key: "region", Value: value.UnknownOf(value.KindString)})}
}
