// Package provider answers Diff calls of an engine: it finds what changed in a resource,
// and whether that forces a replacement.
//
//	func (p *Provider) Diff(_ context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
//		return provider.Answer(r, provider.Options{ReplaceOn: path.NewSet(path.MustParsePattern("name"))})
//	}
//
// [Answer] turns the request message into the response message. Its steps can also be
// called separately: [Compare] compares the [Sides] that a provider is given,
// [Comparison.Response] returns the response for the result, and [Respond] returns the
// response for any diff. It is one of the module's [laws] that the parts of a [Response]
// do not contradict each other; all are made from the same diff.
//
// Engines identify the elements of arrays by their index. In an array whose elements are
// matched otherwise, DELETE has the old index and ADD the new one. An element that
// changed and has a new index is reported as both. If both are at the same index, or one
// of them is above another change, they are merged into a single UPDATE at that index.
//
// [laws]: https://github.com/propalg/propalg/blob/main/docs/laws.md
package provider
