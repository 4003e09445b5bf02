// Package decide makes the decisions of Pulumi's engine. Each is a function whose result
// depends only on its arguments.
//
// KindOf says whether a resource is managed, imported or read. When the provider has
// answered Diff, Fallback compares the inputs if the answer is DIFF_UNKNOWN,
// ReplaceOnChanges applies the resource option of that name, and Next returns the step that
// the engine takes, and the reason. Written returns what the state holds for the resource
// after that step, and Refreshed what it holds after a refresh. What is done in a step is
// in package engine.
package decide
