// Package difftree holds the tree of a diff.Diff, for the packages of this module.
//
// A diff is a tree that mirrors the values where they differ:
//
//	top branch ── node of the root
//	                └ branch of the root's members ── node "a", a change
//	                                               ── node "b", not one itself
//	                                                    └ branch ── node [0], a change
//
// A branch knows the node that contains it. A [Place], which is a branch and an index,
// is therefore enough to continue an iteration and to build a path; a Change and an
// iteration hold nothing else.
package difftree
