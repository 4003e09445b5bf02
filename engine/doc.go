// Package engine does what Pulumi's engine does with a provider's answer to Diff.
//
//	r = engine.Fallback(r, sides, ignored)
//	r = engine.ReplaceOnChanges(r, sides, engine.ReplaceOptions{Patterns: patterns})
//	next := engine.Next(r, engine.Situation{})
//	fmt.Println(next.Step, next.Why) // create first something changed that replaces
//
// [Fallback] compares the inputs if the provider answered DIFF_UNKNOWN,
// [ReplaceOnChanges] applies the resource option of that name, and [Next] returns the
// step that the engine takes, and why.
package engine
