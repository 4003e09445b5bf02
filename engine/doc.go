// Package engine does what Pulumi's engine does, in memory: for a resource, and for a stack.
//
// A [Stack] is a state and the providers of its resources. Its methods preview, update,
// refresh, import and destroy, one action after another, each with its reason and its calls,
// and [Explain] says what led to one:
//
//	stack := engine.Stack{Launch: launch}
//	for action, err := range stack.Update(ctx, program) {
//		fmt.Println(action, err) // create demo:index:Machine web: there is none yet that is managed <nil>
//	}
//
// # Decisions
//
// The decisions are functions of what they are given:
//
//	r = engine.Fallback(r, sides, ignored)
//	r = engine.ReplaceOnChanges(r, sides, engine.ReplaceOptions{Patterns: patterns})
//	next := engine.Next(r, engine.Situation{})
//	fmt.Println(next.Step, next.Why) // create first something changed that replaces
//
// [Lookup] finds the plugin of a resource's provider, and [KindOf] says whether the resource
// is managed, imported or read. After its Diff, [Fallback] compares the inputs if the
// provider answered DIFF_UNKNOWN, [ReplaceOnChanges] applies the resource option of that
// name, and [Next] returns the step that the engine takes, and why. [Written] returns what
// the state then has of the resource, and [Refreshed] what it has after a refresh.
//
// Nothing here starts a plugin or writes a file: a Stack gets its providers, and is the state.
package engine
