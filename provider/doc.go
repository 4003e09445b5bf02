// Package provider answers Diff calls of an engine: it finds what changed in a resource,
// and whether that forces a replacement.
//
//	func (p *Provider) Diff(_ context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
//		return provider.Differ{ReplaceOn: path.NewSet(path.MustParsePattern("name"))}.Answer(r)
//	}
//
// [Differ.Answer] turns the request message into the response message. Its steps can also be
// called separately: [Differ.Compare] compares the [Sides] that a provider is given,
// [Comparison.Response] returns the response for the result, and [Differ.Respond] returns the
// response for any diff. It is one of the module's [laws] that the parts of a [Response]
// do not contradict each other; all are made from the same diff.
//
// Engines identify the elements of arrays by their index. In an array whose elements are
// matched otherwise, DELETE has the old index and ADD the new one. An element that
// changed and has a new index is reported as both. If both are at the same index, or one
// of them is above another change, they are merged into a single UPDATE at that index.
//
// # Entries
//
// An answer has one entry for each change, with these exceptions:
//
//   - Entries stop at the outermost secret; changes inside are one UPDATE there.
//   - A container whose own dependencies differ is one UPDATE, with everything inside.
//   - In arrays that are not matched by index, an element that changed or moved and has
//     a new index is a DELETE at the old index and an ADD at the new one; several at
//     one index are one UPDATE there. If order is a fact of the array alone
//     ([diff.Keyed], [diff.Unordered]), a new order alone is not a change.
//   - A key that the Pulumi dialect cannot write is one UPDATE of its container, with
//     everything inside. A top-level name that cannot be written has no container with
//     a key, so the response has no detailed diff, and Diffs has the name.
//   - If the paths of all entries exceed [path.MaxListed] bytes, changes below a
//     certain depth are reported as UPDATE of their container at that depth.
//   - If the root changed as a whole, is secret, or has other dependencies, the
//     response has no detailed diff either, since an empty key makes engines fail. If
//     the root is secret, Diffs and Replaces have only the first names of patterns in
//     ReplaceOn.
//
// [laws]: https://github.com/propalg/propalg/blob/main/docs/laws.md
package provider
