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
// [Lookup] finds the plugin of a resource's provider. If a provider answers Diff by
// DIFF_UNKNOWN, the inputs are compared as Pulumi's engine v3.259.0 compares them.
//
// This package starts no plugin and writes no file: the caller launches the providers of
// a Stack, and its fields are the state.
package engine
