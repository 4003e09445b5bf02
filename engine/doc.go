// Package engine decides what Pulumi's engine decides for a resource.
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
// All of them are functions of what they are given: nothing here starts a plugin, calls a
// provider or writes a file.
package engine
