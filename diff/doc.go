// Package diff compares two property values, and computes with the difference: it
// applies, inverts, composes, splits and merges diffs.
//
// [Between] compares two values under a [value.Relation] and gives a [Diff]: a
// tree that mirrors the values where they differ, seen as a list of changes in
// path order. A [Change] has a path on either side, an operation, the value
// before and after, a verdict, and facts: whether the value, its secretness, its
// dependencies changed.
//
//	old, now := state.Inputs, news
//	d := diff.Between(old, now, diff.Options{Relation: value.Engine})
//	for c := range d.Changes() {
//		fmt.Println(c) // ~ tags.env: "dev" => "prod"; secrets are masked
//	}
//
// Package diff/render writes a diff for people, and package provider answers an engine
// with one.
//
// # What is a change
//
//   - Objects are compared by key. Where the Relation takes a null for missing, a
//     member without marks that is null is no member; a change keeps such a null
//     as its other side, so that applying and inverting put it back.
//   - Arrays are compared index by index; elements beyond the shorter one came or
//     went, each a change. Other ways are chosen by [Options], for all arrays or
//     by pattern; see below.
//   - A subtree that came or went is one change; [Diff.Leaves] tells it leaf by
//     leaf. Where kinds differ, or two scalars, assets, archives or references,
//     there is one update.
//   - A container that became secret, or ceased to be, is one change as a whole,
//     since its hidden side must stay hidden. Inside containers that are secret on
//     both sides changes are told apart, and every one is secret. A container
//     whose dependencies differ is a change, and those inside it are more.
//   - Unknowns are equal to each other. An unknown against something known is a
//     change that may turn out to be none: its verdict is [value.Maybe].
//
// # Arrays
//
// How the elements of arrays are matched decides how a difference is told, never
// whether there is one: applying and inverting are exact in every mode.
//
//	Positional  index by index                   add, delete at the end; update
//	Aligned     an edit script of little weight  insert, remove, move; update between neighbours
//	Keyed       by the value at a path           as aligned, but order is a fact of the array
//	Set         equal ones wherever they stand   as keyed
//
// The weight of a script is 1 for each element that came, went or moved, 2 for one
// that was replaced, and for a pair that is told from inside what that weighs, at
// most 2. It is least for single edits, and near the least for others; work grows
// as n log n whatever the elements are, and a script depends on nothing but the
// values. Where an array holds an unknown it is a guess which elements belong
// together: all changes inside are then maybe, and the array itself is changed if it
// is longer or shorter. So it is in arrays of one length with sealed secrets, or
// with assets of which some have no hash. An element that became secret, or holds
// something that did, is compared with itself wherever it stands, so that its old
// side is hidden as well; if it was edited too, with the one most like it. Elements
// with different keys are different elements.
//
// # Algebra
//
// [Apply] makes the changes, [Diff.Invert] turns them around, [Compose] makes one
// diff of two, [Split] parts one by patterns, and [Merge] brings two edits of one
// value together, with a list of conflicts.
//
// # Laws
//
//   - Apply(old, d) equals new under the diff's Relation, and is identical to it
//     at every place that d changes. On any other value d fits or is an error, and
//     nothing changed (law 1).
//   - A diff is empty exactly when the values are equal under its Relation (law 2),
//     and then costs no allocation (law 5).
//   - d.Invert() applied to new gives old; inverting twice gives d; where arrays
//     are positional the inverse of Between(a, b, o) is Between(b, a, o).
//   - Compose(d, e) does what d and then e do; the empty diff is its unit.
//   - In aligned arrays one element that came is one change, and carries no other;
//     so is one that went, and one that moved (law 3).
//   - The path of a change is shown cut at the outermost secret (law 6); a secret
//     element masks itself only (law 8).
//   - Same inputs, same diff (law 17). No filling in of unknowns that keeps their
//     marks contradicts a verdict (law 19).
//
// # Limits, and what it refuses
//
// Nothing is refused: any two values can be compared, at any depth and width,
// without recursion, in time near-linear in their size. A diff keeps both sides of
// every change alive; memory otherwise grows with the number of changes and of
// containers around them. A path is built when asked for, so asking every change
// in a chain of a million containers for its path takes a million times as long.
//
// There is no comparison of texts, numbers or URNs "as the provider means them":
// two texts that differ differ. Normalize first. Nothing here reads a file or
// calls a URI; assets are what their hashes say.
package diff
