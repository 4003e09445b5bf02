// Package diff compares property values, and applies, inverts, composes, splits and
// merges diffs.
//
// [Between] compares two values under a [value.Relation] and returns a [Diff]: a tree
// that mirrors the values where they differ, with a list of changes in path order. A
// [Change] has a path on either side, an operation, the values before and after, a
// verdict, and facts: whether the value, its secretness or its dependencies changed.
//
//	old, now := state.Inputs, news
//	d := diff.Between(old, now, diff.Options{Relation: value.Engine})
//	for c := range d.Changes() {
//		fmt.Println(c) // ~ tags.env: "dev" => "prod"; secrets are masked
//	}
//
// [Diff.Apply] makes the changes, [Diff.Invert] reverses them, [Diff.Then] makes one diff of
// two, [Diff.Split] divides a diff by patterns, and [Merge] combines two edits of one value
// and lists the conflicts, as [Diff.Rebase] does for a diff and an edit. [Within] compares an
// update with what its preview promised. Package diff/render writes a diff as text, and
// package provider turns one into a provider's answer.
//
// # Details
//
// What counts as a change, how the elements of arrays are matched, laws and limits.
//
// # What is a change
//
//   - Objects are compared by key. If the Relation treats null as missing, a null member
//     without marks does not exist; a change from or to such a null holds the null, so
//     that applying and inverting restore it.
//   - Arrays are compared index by index; if their lengths differ, each element beyond
//     the shorter one is added or removed, which is a change. [Options] select other
//     ways, for all arrays or by pattern; see below.
//   - A subtree that was added or removed is one change; [Diff.Leaves] splits it into
//     leaves. Values of different kinds, and different scalars, assets, archives or
//     references, are one update.
//   - A container that is secret on one side only is one change as a whole, since its
//     other side must stay hidden. Inside containers that are secret on both sides,
//     changes are listed separately, and each is secret. A container whose dependencies
//     differ is a change, in addition to those inside it.
//   - Unknowns are equal to each other. An unknown and a known value are a change that
//     may turn out to be none: its verdict is [value.Maybe].
//
// # Arrays
//
// The way in which elements of arrays are matched decides how a difference is
// described, never whether there is one. Applying and inverting are exact in every
// mode.
//
//	Positional  index by index              add, delete at the end; update
//	Aligned     a short edit script         insert, remove, move; update between neighbours
//	Keyed       by the value at a path      as aligned, but order is a fact of the array
//	Unordered   equal ones, at any index    as keyed
//
// The weight of a script is 1 for each element that was added, removed or moved, 2 for
// each that was replaced, and for a pair of compared elements the weight of the changes
// inside, at most 2. It is minimal for single edits and near the minimum for others.
// The work grows as n log n whatever the elements are, and the script depends only on
// the values.
//
// In an array with an unknown, which elements belong together is a guess: all changes
// inside are then maybe, and the array itself is changed if its length is. The same holds
// for arrays of equal length with sealed secrets, or with assets of which some have no
// hash. An element that became secret, or contains something that did, is matched with
// itself at any index, so that its old side is hidden too. If it was also edited, it is
// matched with the most similar element. Elements with different keys are different
// elements.
//
// # Laws
//
// Those of the module's [laws] that are about diffs:
//
//   - Apply(old, d) equals new under the diff's Relation, and is identical to it at
//     every place that d changes. On any other value, d fits, or Apply returns an error
//     and the value unchanged.
//   - A diff is empty exactly if the values are equal under its Relation, and is then
//     made without allocation.
//   - d.Invert() applied to new returns old; inverting twice returns d; where arrays
//     are positional the inverse of Between(a, b, o) is Between(b, a, o).
//   - d.Then(e) does what d and then e do; the empty diff is its neutral element.
//   - In aligned arrays one added element is one change and causes no others; so is a
//     removed one, and one that moved.
//   - The displayed path of a change is redacted at the outermost secret; a secret
//     element masks only itself.
//   - Equal inputs have equal diffs. Filling in unknowns, with their marks kept, never
//     contradicts a verdict.
//
// # Limits
//
// Any two values can be compared, in time near-linear in their size. A diff keeps both
// sides of every change alive; other memory grows with the number of changes and of the
// containers around them. Paths are built on each call, in time that grows with their
// depth.
//
// Different texts differ. Package diff/equality has rules for those that mean the same.
// This package reads no files and calls no URIs; assets are compared by their hashes.
//
// # Merging
//
//   - Index by index, changes of elements are merged, and one side may change the
//     length. If both change it, with different results, or if one side removes
//     elements that the other changed, the whole array is in conflict.
//   - In arrays that are matched otherwise, one side may move an element that the other
//     changes. Inserted elements follow the element of base that they follow on their
//     side. In aligned arrays, different elements inserted at the same place are in
//     conflict, and equal ones are inserted once. In keyed arrays and sets, the
//     elements inserted by both sides are in the result, equal ones once; only
//     different elements with the same key are in conflict, and order never is.
//   - Content, secret mark and dependencies of a value are merged independently: a
//     value that one side makes secret and the other changes is changed and secret.
//     Marks are merged even if Options overlooks them, and no secret mark is lost: if
//     one side removes it from a value that the other changed, that is a conflict or,
//     if secret marks are overlooked, the mark is kept. Dependencies that either side
//     added or removed are added or removed.
//   - A value that one side removes and the other changes is in conflict.
//
// [laws]: https://github.com/propalg/propalg/blob/main/docs/laws.md
package diff
