package provider_test

import (
	"fmt"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

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

func ExampleCompare() {
	oldInputs, oldState := vm("web", 1)
	news, _ := vm("www", 2)

	// The url is in the state only, and no change.
	printResponse(instance{}.Diff(provider.Sides{OldInputs: oldInputs, OldState: oldState, News: news}))

	// An older engine sends no old inputs.
	printResponse(instance{}.Diff(provider.Sides{OldState: oldState, News: news}))

	// Nothing changed.
	printResponse(instance{}.Diff(provider.Sides{OldInputs: oldInputs, OldState: oldState, News: oldInputs}))
	// Output:
	// DIFF_SOME [name size] [name] [url]
	//   name UPDATE_REPLACE true
	//   size UPDATE true
	// DIFF_SOME [name size] [name] [url]
	//   name UPDATE_REPLACE false
	//   size UPDATE false
	// DIFF_NONE [] [] [url]
}

func ExampleOptions_inputNames() {
	inputs, _ := vm("web", 1)
	_, drifted := vm("web", 4)
	o := provider.Options{Drift: provider.DriftShown}
	printResponse(provider.Compare(provider.Sides{OldInputs: inputs, OldState: drifted, News: inputs}, o).Response(provider.Options{}))
	// Output:
	// DIFF_SOME [size] [] []
	//   size UPDATE false
}

func ExampleComparison() {
	inputs, _ := vm("web", 1)
	news, _ := vm("www", 1)
	_, drifted := vm("web", 4)
	c := provider.Compare(provider.Sides{OldInputs: inputs, OldState: drifted, News: news}, provider.Options{Drift: provider.DriftShown})
	fmt.Print("inputs:\n", render.Text(c.Inputs(), render.Options{}))
	fmt.Print("state:\n", render.Text(c.Drift(), render.Options{}))
	// Output:
	// inputs:
	// ~ name: "web" => "www"
	// state:
	// ~ name: "web" => "www"
	// ~ size: 4 => 1
}

func ExampleSides() {
	// No old inputs, and old inputs that are empty, are not the same.
	state, news := value.Object(value.Member{Key: "a", Value: value.Number(1)}), value.Object(value.Member{Key: "a", Value: value.Number(1)})
	none := provider.Sides{OldState: state, News: news}
	empty := provider.Sides{OldInputs: value.Object(), OldState: state, News: news}
	fmt.Println(provider.Compare(none, provider.Options{}).Empty(), provider.Compare(empty, provider.Options{}).Empty())
	// Output:
	// true false
}

func ExampleDrift() {
	inputs, _ := vm("web", 1)
	_, drifted := vm("web", 4)
	sides := provider.Sides{OldInputs: inputs, OldState: drifted, News: inputs}
	for _, drift := range []provider.Drift{provider.DriftIgnored, provider.DriftShown} {
		fmt.Println(provider.Compare(sides, provider.Options{Drift: drift}).Empty())
	}
	// Output:
	// true
	// false
}

func ExampleAnswering() {
	old, state := vm("web", 1)
	news, _ := vm("www", 1)
	c := provider.Compare(provider.Sides{OldInputs: old, OldState: state, News: news}, provider.Options{})
	printResponse(c.Response(provider.Options{ReplaceOn: path.NewSet(path.MustParsePattern("name")), Answering: provider.AnswerUnknown}))
	// Output:
	// DIFF_UNKNOWN [] [name] []
}

func ExampleRespond() {
	old := bucket("logs", "dev", value.Array(value.Number(1)))
	now := bucket("archive", "prod", value.Array())
	d := diff.Between(old, now, diff.Options{Relation: value.Engine})

	answer := provider.Respond(d, provider.Options{
		Side:      provider.FromInputs,
		ReplaceOn: path.NewSet(path.MustParsePattern("name")),
	})
	fmt.Println(answer.Changes, answer.Diffs, answer.Replaces)
	for _, e := range answer.Detailed {
		fmt.Println(e.Key, e.Kind, e.InputDiff)
	}
	// Output:
	// DIFF_SOME [name tags versions] [name]
	// name UPDATE_REPLACE true
	// tags.env UPDATE true
	// versions[0] DELETE true
}

func ExampleResponse() {
	same := provider.Respond(diff.Between(value.Object(), value.Object(), diff.Options{}), provider.Options{})
	fmt.Println(same.Changes, same.Replace(), same.HasDetailed, len(same.Detailed))
	// Output:
	// DIFF_NONE false true 0
}

func ExampleOptions() {
	d := diff.Between(bucket("logs", "dev", value.Array()), bucket("logs", "prod", value.Array()), diff.Options{})
	answer := provider.Respond(d, provider.Options{Stables: []string{"arn", "name", "tags"}, DeleteBeforeReplace: true})
	fmt.Println(answer.Stables, answer.DeleteBeforeReplace)
	// Output:
	// [arn name] true
}

func ExampleEntry() {
	old := value.Object(value.Member{Key: "labels", Value: value.Object()})
	now := value.Object(value.Member{Key: "labels", Value: value.Object(value.Member{Key: "app/name", Value: value.String("x")})})
	for _, e := range provider.Respond(diff.Between(old, now, diff.Options{}), provider.Options{}).Detailed {
		fmt.Println(e.Key, e.Kind)
	}
	// Output:
	// labels["app/name"] ADD
}

func ExampleKind() {
	k := provider.Add
	fmt.Println(k, k.WithReplace(), k.WithReplace().IsReplace(), k.Invert(), uint8(k.WithReplace()))
	// Output:
	// ADD ADD_REPLACE true DELETE 1
}

func ExampleSide() {
	d := diff.Between(value.Object(), value.Object(value.Member{Key: "a", Value: value.Bool(true)}), diff.Options{})
	for _, side := range []provider.Side{provider.FromState, provider.FromInputs} {
		fmt.Println(provider.Respond(d, provider.Options{Side: side}).Detailed[0].InputDiff)
	}
	// Output:
	// false
	// true
}

// An added object that holds a property that forces a replacement.
func ExampleDirection() {
	old := value.Object()
	now := value.Object(value.Member{Key: "disk", Value: value.Object(value.Member{Key: "size", Value: value.Number(8)})})
	d := diff.Between(old, now, diff.Options{})
	sizes := path.NewSet(path.MustParsePattern("disk.size"))
	for _, way := range []provider.Direction{provider.TwoWay, provider.EngineOneWay} {
		fmt.Println(provider.Respond(d, provider.Options{ReplaceOn: sizes, Direction: way}).Detailed[0].Kind)
	}
	// Output:
	// ADD_REPLACE
	// ADD
}

func ExampleChanges() {
	d := diff.Between(value.Number(1), value.Unknown(), diff.Options{})
	fmt.Println(d.Verdict(), provider.Respond(d, provider.Options{}).Changes, uint8(provider.Some))
	// Output:
	// maybe DIFF_SOME 2
}
