// Package fuzz is what propalg is tested with, for its users too: generators of
// property values, paths, patterns and URNs for rapid, constants that break
// careless code, a canary that finds secrets in texts, and the laws of the
// library, once and numbered.
//
// # Laws
//
// [Laws] lists them; the numbers are those of the project's list of promises, and
// a promise may have several. Each is one function that draws its data from a
// *rapid.T, so that the same law runs in two ways:
//
//	rapid.Check(t, fuzz.Law01RoundTrip)  // on generated data
//	fuzz.Native(f, fuzz.Law01RoundTrip)  // as a native fuzz target
//
// [Native] is for laws of your own, too. In this repository `go test ./fuzz` tries all of them, from a fixed seed, and
// `go test ./fuzz -fuzz=FuzzLaw01RoundTrip -fuzzminimizetime=5x` looks further.
//
//	 1  RoundTrip, Misfit                    Apply and Invert
//	 2  Equivalence, EmptyMeansEqual         Equal, Compare, Hash, Digest; empty diffs
//	 3  AlignedArrays, Scripts               one edit is one change, and no more
//	 6  NoPlaintext, BecomesSecret           canaries
//	 7  MarksSurvive, MarkSecret, Edits      marks under projection and editing
//	 8  MaskedAtLeaf                         one secret masks itself only
//	 9  Total                                nothing panics or hangs
//	10  PathsRoundTrip, PulumiDialect,       texts of paths and URNs
//	    URNsRoundTrip
//	11  PatternsTotal                        patterns, sets, trackers
//	13  LosslessJSON, LosslessBytes,         JSON, protobuf bytes and messages,
//	    LosslessState                        state files
//	14  Numbers                              numbers do not change silently
//	15  BytesWithoutStructpb                 protobuf-go as the judge of bytes
//	16  OneDecryption                        secrets of documents and of batches
//	17  Determinism, WideObjects             same inputs, same bytes
//	19  Fillings, Changes                    verdicts in the presence of unknowns
//	20  Shared                               values shared by goroutines
//
// Laws 5 (equal is free) and 20 (few dependencies) speak of counts, and are
// ordinary tests beside these. Where it is easy a law has an oracle: a slow and
// plain way to get the same answer, that shares no code with the fast one.
//
// A law that fails prints its data as Go expressions, by [GoSource], small ones:
// everything here shrinks to few nodes. GENERATED SECRETS ARE SHOWN in such
// failures, since they are no secrets; run laws on generated data only.
//
// # Generators
//
// [Values], [Objects] and [Pairs] take [Options] that say what the values may hold
// and what they look like. Tests of anything that compares want pairs of related
// values, such as [Pairs] makes: two unrelated ones differ at the root, and test
// little. rapid draws no NaN, infinity or -0 and few odd strings; the hostile
// constants are mixed in here.
//
//	rapid.Check(t, func(t *rapid.T) {
//		pair := fuzz.ObjectPairs(fuzz.Options{Style: fuzz.RealLike}).Draw(t, "pair")
//		if err := yourDiff(pair.Old, pair.New); err != nil {
//			t.Fatalf("%v, from\n%s\nto\n%s", err, fuzz.GoSource(pair.Old), fuzz.GoSource(pair.New))
//		}
//	})
//
// [Scripts] generates pairs with the list of edits that lie between them, to measure
// a diff by. [Messages] are those of the provider protocol; [BagBytes], [BagTexts]
// and [StateTexts] are what decoders read, and [Damaged] what they refuse.
//
// # Providers
//
// [Provider] holds the functions Check and Diff of somebody's provider, and
// [Provider.Law] calls them as an engine does, on inputs of any kind or of a
// generator's: contracts kept, secrets kept, differences told as they are.
//
//	rapid.Check(t, fuzz.Provider{Check: p.Check, Diff: p.Diff, Inputs: buckets()}.Law)
//
// # Campaigns
//
// `go run ./fuzz/campaign -time 30m` runs all fuzz targets of the repository, each
// for a fair share, and keeps corpora, findings and figures; among these how many
// inputs were skipped.
//
// # Canaries
//
// A [Canary] is a secret that finds itself in texts. [Canary.Hide] puts it into a
// value in one of the [Places] that there are, [Canary.Plant] puts that into a
// bag; give the bag to code that logs, renders or fails, and [Canary.Check] what
// came out. Law 6 does that to every exported function and method of the library:
// a test lists them from the compiler's export data, and fails for one that has no
// probe.
//
// # Limits
//
// No canary is a number or a boolean: their texts are too short to tell. What is
// generated is small and shallow (see [Options]) but for [Deep], [DeepJSON] and the
// constants; sizes of 10^6 are ordinary tests. Values with more than 500 containers
// in one another are not written out by GoSource, and [Copy] is for generated
// values, as it recurses.
package fuzz
