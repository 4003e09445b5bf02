package engine_test

import (
	"fmt"

	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/internal/testkit/answers"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
)

func ExampleFallback() {
	old, state := answers.VM("web", 1)
	news, _ := answers.VM("www", 2)
	sides := provider.Sides{OldInputs: old, OldState: state, News: news}
	answers.Print(engine.Fallback(provider.Response{Replaces: []string{"name"}}, sides, []path.Pattern{path.MustParsePattern("size")}))
	// Output:
	// DIFF_SOME [name] [name] []
	//   name UPDATE true
}

func ExampleReplaceOptions() {
	old, state := answers.VM("web", 1)
	news, _ := answers.VM("www", 1)
	sides := provider.Sides{OldInputs: old, OldState: state, News: news}
	o := engine.ReplaceOptions{Patterns: path.NewSet(path.MustParsePattern("name"))}
	answers.Print(engine.ReplaceOnChanges(provider.Response{Changes: provider.Some, Diffs: []string{"name"}}, sides, o))
	// Output:
	// DIFF_SOME [name] [name] []
}

func ExampleNext() {
	old, state := answers.VM("web", 1)
	news, _ := answers.VM("www", 1)
	answer := answers.Instance{}.Diff(provider.Sides{OldInputs: old, OldState: state, News: news})
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
