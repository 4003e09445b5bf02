// Package provider answers an engine's Diff: what changed, and does that replace the
// resource?
//
//	func (p *Provider) Diff(_ context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
//		return provider.Answer(r, provider.Options{ReplaceOn: path.NewSet(path.MustParsePattern("name"))})
//	}
//
// [Answer] does all of it for messages. Its parts can also be called separately:
// [Compare] compares the [Sides] that a provider is given, [Comparison.Response]
// returns the response for the result, and [Respond] returns the response for any diff.
// All parts of a [Response] are made from one diff, so that they cannot contradict each
// other: one of the module's [laws].
//
// Engines identify the elements of arrays by their index. In an array whose elements
// are matched otherwise, DELETE has the old index and ADD the new one. An element that
// changed and has a new index is reported as both. Both at the same index, or one of
// them and a change below it, are a single UPDATE at that index.
//
// [laws]: https://github.com/propalg/propalg/blob/main/docs/laws.md
package provider
