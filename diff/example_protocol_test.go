package diff_test

import (
	"fmt"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// instance is the provider of the examples. Its url is computed.
type instance struct{}

// Diff is all that a provider has to write. (With codec/rpc: rpc.Answer.)
func (instance) Diff(sides diff.Sides) diff.Response {
	return diff.ForProvider(sides, diff.ProviderOptions{
		InputNames: []string{"name", "size", "tags"},
	}).Response(diff.ResponseOptions{
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

func printResponse(r diff.Response) {
	fmt.Println(r.Changes, r.Diffs, r.Replaces, r.Stables)
	for _, e := range r.Detailed {
		fmt.Println(" ", e.Key, e.Kind, e.InputDiff)
	}
}

func ExampleForProvider() {
	oldInputs, oldState := vm("web", 1)
	news, _ := vm("www", 2)

	// The url is in the state only, and no change.
	printResponse(instance{}.Diff(diff.Sides{OldInputs: oldInputs, OldState: oldState, News: news}))

	// An older engine sends no old inputs.
	printResponse(instance{}.Diff(diff.Sides{OldState: oldState, News: news}))

	// Nothing changed.
	printResponse(instance{}.Diff(diff.Sides{OldInputs: oldInputs, OldState: oldState, News: oldInputs}))
	// Output:
	// DIFF_SOME [name size] [name] [url]
	//   name UPDATE_REPLACE true
	//   size UPDATE true
	// DIFF_SOME [name size] [name] [url]
	//   name UPDATE_REPLACE false
	//   size UPDATE false
	// DIFF_NONE [] [] [url]
}

func ExampleProviderOptions() {
	inputs, _ := vm("web", 1)
	_, drifted := vm("web", 4)
	o := diff.ProviderOptions{Drift: diff.DriftShown}
	printResponse(diff.ForProvider(diff.Sides{OldInputs: inputs, OldState: drifted, News: inputs}, o).Response(diff.ResponseOptions{}))
	// Output:
	// DIFF_SOME [size] [] []
	//   size UPDATE false
}

func ExampleComparison() {
	inputs, _ := vm("web", 1)
	news, _ := vm("www", 1)
	_, drifted := vm("web", 4)
	c := diff.ForProvider(diff.Sides{OldInputs: inputs, OldState: drifted, News: news}, diff.ProviderOptions{Drift: diff.DriftShown})
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
	none := diff.Sides{OldState: state, News: news}
	empty := diff.Sides{OldInputs: value.Object(), OldState: state, News: news}
	fmt.Println(diff.ForProvider(none, diff.ProviderOptions{}).Empty(), diff.ForProvider(empty, diff.ProviderOptions{}).Empty())
	// Output:
	// true false
}

func ExampleDrift() {
	inputs, _ := vm("web", 1)
	_, drifted := vm("web", 4)
	sides := diff.Sides{OldInputs: inputs, OldState: drifted, News: inputs}
	for _, drift := range []diff.Drift{diff.DriftIgnored, diff.DriftShown} {
		fmt.Println(diff.ForProvider(sides, diff.ProviderOptions{Drift: drift}).Empty())
	}
	// Output:
	// true
	// false
}

func ExampleAnswering() {
	old, state := vm("web", 1)
	news, _ := vm("www", 1)
	c := diff.ForProvider(diff.Sides{OldInputs: old, OldState: state, News: news}, diff.ProviderOptions{})
	printResponse(c.Response(diff.ResponseOptions{ReplaceOn: path.NewSet(path.MustParsePattern("name")), Answering: diff.AnswerUnknown}))
	// Output:
	// DIFF_UNKNOWN [] [name] []
}

// Pulumi's guide to refresh: the tag a became b. The engine passes what it read as
// old and the program's inputs as new, and turns the answer around.
func ExampleReadResponse() {
	tag := func(name string) value.Value {
		return value.Object(value.Member{Key: "tags", Value: value.Object(value.Member{Key: "tagName", Value: value.String(name)})})
	}
	sides := diff.Sides{OldInputs: tag("b"), OldState: tag("b"), News: tag("a")}
	answer := instance{}.Diff(sides)
	printResponse(answer)
	fmt.Print(render.Text(diff.ReadResponse(answer, sides).Diff.Invert(), render.Options{}))
	// Output:
	// DIFF_SOME [tags] [] [url]
	//   tags.tagName UPDATE true
	// ~ tags: {
	//     ~ tagName: "a" => "b"
	//   }
}

func ExampleReading() {
	old, state := vm("web", 1)
	news, _ := vm("web", 2)
	theirs := diff.Response{Changes: diff.Some, HasDetailed: true, Detailed: []diff.Entry{
		{Key: "size", Kind: diff.Update}, {Key: "name", Kind: diff.Update}, {Key: `tags["`, Kind: diff.Add},
	}}
	reading := diff.ReadResponse(theirs, diff.Sides{OldInputs: old, OldState: state, News: news})
	fmt.Print(render.Text(reading.Diff, render.Options{}))
	for _, o := range reading.Omitted {
		fmt.Println(theirs.Detailed[o.Entry].Key, "-", o.Why)
	}
	// Output:
	// ~ size: 1 => 2
	// name - no difference
	// tags[" - unreadable key
}

func ExampleOmitted() {
	theirs := diff.Response{Changes: diff.Some, HasDetailed: true, Detailed: []diff.Entry{{Key: "__meta", Kind: diff.UpdateReplace}}}
	fmt.Println(diff.ReadResponse(theirs, diff.Sides{}).Omitted[0])
	// Output:
	// {0 no property}
}

func ExampleOmission() {
	fmt.Println(diff.OmittedSwallowed)
	// Output:
	// inside another entry
}

func ExampleValidate() {
	old, state := vm("web", 1)
	news, _ := vm("web", 2)
	theirs := diff.Response{Changes: diff.Some, Diffs: []string{"size", "url"}, HasDetailed: true, Detailed: []diff.Entry{
		{Key: "size", Kind: diff.Add, InputDiff: true}, {Key: "url", Kind: diff.Update},
	}}
	for _, f := range diff.Validate(theirs, diff.Sides{OldInputs: old, OldState: state, News: news}, nil) {
		fmt.Println(f)
	}
	// Output:
	// error: size: add-present: something was there before; answer UPDATE when it differs, else leave the entry out
	// note: url: output-only: only the old state has this property, which is computed; leave it out, new inputs never name it
}

func ExampleFinding() {
	for _, f := range diff.Validate(diff.Response{Changes: diff.None, Diffs: []string{"size"}}, diff.Sides{}, nil) {
		fmt.Println(f.Code, f.Severity(), f.Entry)
	}
	// Output:
	// none-with-changes error -1
}

func ExampleCode() {
	fmt.Println(diff.CodeNotDetailed, "-", diff.CodeNotDetailed.Advice())
	// Output:
	// not-detailed - engines throw the entries away unless hasDetailedDiff is set; set it
}

func ExampleSeverity() {
	fmt.Println(diff.CodeUnreported.Severity(), diff.CodeUpdateEqual.Severity() == diff.SeverityError)
	// Output:
	// note true
}

func ExampleFallback() {
	old, state := vm("web", 1)
	news, _ := vm("www", 2)
	sides := diff.Sides{OldInputs: old, OldState: state, News: news}
	printResponse(diff.Fallback(diff.Response{Replaces: []string{"name"}}, sides, []path.Pattern{path.MustParsePattern("size")}))
	// Output:
	// DIFF_SOME [name] [name] []
	//   name UPDATE true
}

func ExampleReplaceOptions() {
	old, state := vm("web", 1)
	news, _ := vm("www", 1)
	sides := diff.Sides{OldInputs: old, OldState: state, News: news}
	o := diff.ReplaceOptions{Patterns: path.NewSet(path.MustParsePattern("name"))}
	printResponse(diff.Response{Changes: diff.Some, Diffs: []string{"name"}}.ReplaceOn(sides, o))
	// Output:
	// DIFF_SOME [name] [name] []
}

func ExampleNextStep() {
	old, state := vm("web", 1)
	news, _ := vm("www", 1)
	answer := instance{}.Diff(diff.Sides{OldInputs: old, OldState: state, News: news})
	next := diff.NextStep(answer, diff.Situation{Order: diff.DeleteFirst})
	fmt.Println(next.Step, "-", next.Why, "- checks again:", next.ChecksAgain())
	// Output:
	// delete first - something changed that replaces - checks again: true
}

func ExampleSituation() {
	none := diff.Response{Changes: diff.None}
	fmt.Println(diff.NextStep(none, diff.Situation{}), diff.NextStep(none, diff.Situation{InitErrors: true}))
	// Output:
	// {same nothing changed} {update the last operation failed}
}

func ExampleMoment() {
	some := diff.Response{Changes: diff.Some, Replaces: []string{"name"}}
	for _, m := range []diff.Moment{diff.DuringUpdate, diff.DuringImport, diff.DuringRefresh} {
		fmt.Println(diff.NextStep(some, diff.Situation{Moment: m}).Step)
	}
	// Output:
	// create first
	// fail
	// update
}

func ExampleOrder() {
	replace := diff.Response{Changes: diff.Some, Replaces: []string{"name"}, DeleteBeforeReplace: true}
	for _, o := range []diff.Order{diff.OrderOfProvider, diff.CreateFirst, diff.DeleteFirst} {
		fmt.Println(diff.NextStep(replace, diff.Situation{Order: o}).Step)
	}
	// Output:
	// delete first
	// create first
	// delete first
}

func ExampleStep() {
	fmt.Println(diff.StepCreateFirst)
	// Output:
	// create first
}

func ExampleCause() {
	fmt.Println(diff.BecauseTrigger)
	// Output:
	// the replacement trigger fired
}

func ExampleNext() {
	next := diff.NextStep(diff.Response{}, diff.Situation{Unavailable: true})
	fmt.Println(next.Step, next.Warns())
	// Output:
	// update true
}
