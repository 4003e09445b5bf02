// Package engine does in memory what Pulumi's engine does, for one resource or a whole
// stack.
//
// A [Stack] holds a state and launches the providers of its resources. Its methods
// preview, update, refresh, import and destroy. Each yields the actions that it takes,
// with the reason for each and the calls that were made, and [Explain] finds the actions
// that led to another:
//
//	stack := engine.Stack{Launch: launch}
//	for action, err := range stack.Update(ctx, program) {
//		fmt.Println(action, err) // create demo:index:Machine web: it is not managed yet <nil>
//	}
//
// # Decisions
//
// Each decision of an engine is a function whose result depends only on its arguments:
//
//	r = engine.Fallback(r, sides, ignored)
//	r = engine.ReplaceOnChanges(r, sides, engine.ReplaceOptions{Patterns: patterns})
//	next := engine.Next(r, engine.Situation{})
//	fmt.Println(next.Step, next.Why) // create first something changed that replaces
//
// [Lookup] finds the plugin of a resource's provider, and [KindOf] says whether the
// resource is managed, imported or read. When the provider has answered Diff, [Fallback]
// compares the inputs if the answer is DIFF_UNKNOWN, [ReplaceOnChanges] applies the
// resource option of that name, and [Next] returns the step that the engine takes, and
// the reason. [Written] returns what the state holds for the resource after that step,
// and [Refreshed] what it holds after a refresh.
//
// This package starts no plugin and writes no file: the caller launches the providers of
// a Stack, and its fields are the state.
package engine
