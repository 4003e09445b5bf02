// Package engine does in memory what Pulumi's engine does, for one resource or a whole
// stack: it plans, calls providers, and keeps the state. Use it to test the whole life of
// the resources of a provider, or to see which calls an engine makes, and why.
//
// A [Stack] holds a state and launches the providers of its resources, a [Program] says
// what there should be. Each method of a Stack returns a run, an iterator over the actions
// that it takes:
//
//	stack := engine.Stack{Launch: launch}
//	for action, err := range stack.Update(ctx, program) {
//		if err != nil {
//			return err // the last action, which failed
//		}
//		fmt.Println(action) // create demo:index:Machine web: it is not managed yet
//	}
//
// To see what an update would do, call [Stack.Preview] with the same program. To find out
// whether something changed outside the program, call [Stack.Refresh]; to take over what
// exists already, [Stack.Import]; to delete everything, [Stack.Destroy].
//
// To assert what was done to a resource, compare [Action.Op] with constants such as
// [OpUpdate]. To find out why, print the action, or pass all actions of the run to
// [Explain]. To check the provider on the way, pass the requests and responses of
// [Action.Calls] to package provider/check.
//
// This package starts no plugin and writes no file: the caller launches the providers of
// a Stack, for which [Lookup] finds the plugin, and the fields of the Stack are the state.
// If a provider answers Diff by DIFF_UNKNOWN, the inputs are compared as Pulumi's engine
// v3.259.0 compares them.
package engine
