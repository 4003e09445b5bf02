// Package difftree is the tree that a diff.Diff is made of: what the packages of this
// module see of it, and nobody else.
//
// A diff is a tree that mirrors the values where they differ:
//
//	top branch ── node of the root
//	                └ branch of the root's members ── node "a", a change
//	                                               ── node "b", not one itself
//	                                                    └ branch ── node [0], a change
//
// A branch knows the node that it is the inside of, so that a [Place], which is a
// branch and an index, is enough to go on from and to build a path from. That is all
// that a Change and an iteration hold.
package difftree
