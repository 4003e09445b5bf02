// Package provider answers what an engine asks a provider's Diff: what changed, and
// does that replace the resource?
//
//	func (p *Provider) Diff(_ context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
//		return provider.Answer(r, provider.Options{ReplaceOn: path.NewSet(path.MustParsePattern("name"))})
//	}
//
// [Answer] does all of it for messages. Its parts can be called one by one: [Compare]
// compares the [Sides] that a provider is given, and [Comparison.Response] answers with
// what it found; [Respond] answers with any diff. All parts of a [Response] are made
// from one diff, so that they cannot contradict each other.
//
// Engines know elements of arrays by their index. In an array whose elements are
// matched otherwise, DELETE has the old index and ADD the new one; an element that
// changed and has another index now is both; both at one index, or one of them and a
// change below it, are one UPDATE there.
package provider
