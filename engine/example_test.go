package engine_test

import (
	"fmt"

	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// machine returns the inputs of a virtual machine, and its state, which also has a url.
func machine(name string, size float64) (inputs, state value.Value) {
	inputs = value.Object(value.Field("name", value.String(name)), value.Field("size", value.Number(size)))
	state, _ = inputs.WithField("url", value.String("https://"+name))
	return inputs, state
}

// show prints an answer, a line for each entry.
func show(r provider.Response) {
	fmt.Println(r.Changes, r.Diffs, r.Replaces, r.Stables)
	for _, e := range r.Detailed {
		fmt.Println(" ", e.Key, e.Kind, e.InputDiff)
	}
}

func ExampleFallback() {
	old, state := machine("web", 1)
	news, _ := machine("www", 2)
	sides := provider.Sides{OldInputs: old, OldState: state, News: news}
	show(engine.Fallback(provider.Response{Replaces: []string{"name"}}, sides, []path.Pattern{path.MustParsePattern("size")}))
	// Output:
	// DIFF_SOME [name] [name] []
	//   name UPDATE true
}

func ExampleReplaceOptions() {
	old, state := machine("web", 1)
	news, _ := machine("www", 1)
	sides := provider.Sides{OldInputs: old, OldState: state, News: news}
	o := engine.ReplaceOptions{Patterns: path.NewSet(path.MustParsePattern("name"))}
	show(engine.ReplaceOnChanges(provider.Response{Changes: provider.Some, Diffs: []string{"name"}}, sides, o))
	// Output:
	// DIFF_SOME [name] [name] []
}

func ExampleNext() {
	old, state := machine("web", 1)
	news, _ := machine("www", 1)
	options := provider.Options{ReplaceOn: path.MustSet("name")}
	answer := provider.Compare(provider.Sides{OldInputs: old, OldState: state, News: news}, options).Response(options)
	next := engine.Next(answer, engine.Situation{Order: engine.DeleteFirst})
	fmt.Println(next.Step, "-", next.Why, "- checks again:", next.ChecksAgain())
	// Output:
	// delete first - something changed that replaces - checks again: true
}

func ExampleSituation() {
	none := provider.Response{Changes: provider.None}
	fmt.Println(engine.Next(none, engine.Situation{}), engine.Next(none, engine.Situation{InitErrors: true}))
	// Output:
	// {same nothing changed} {update the last operation failed}
}

func ExampleOperation() {
	some := provider.Response{Changes: provider.Some, Replaces: []string{"name"}}
	for _, m := range []engine.Operation{engine.DuringUpdate, engine.DuringImport, engine.DuringRefresh} {
		fmt.Println(engine.Next(some, engine.Situation{Operation: m}).Step)
	}
	// Output:
	// create first
	// fail
	// update
}

func ExampleReplaceOrder() {
	replace := provider.Response{Changes: provider.Some, Replaces: []string{"name"}, DeleteBeforeReplace: true}
	for _, o := range []engine.ReplaceOrder{engine.ProviderDecides, engine.CreateFirst, engine.DeleteFirst} {
		fmt.Println(engine.Next(replace, engine.Situation{Order: o}).Step)
	}
	// Output:
	// delete first
	// create first
	// delete first
}

func ExampleStep() {
	fmt.Println(engine.StepCreateFirst)
	// Output:
	// create first
}

func ExampleReason() {
	fmt.Println(engine.BecauseTrigger)
	// Output:
	// the replacement trigger fired
}

func ExampleDecision() {
	next := engine.Next(provider.Response{}, engine.Situation{Unavailable: true})
	fmt.Println(next.Step, next.Warns())
	// Output:
	// update true
}
