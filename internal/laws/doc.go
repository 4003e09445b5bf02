// Package laws holds the laws of the library, each of them once and numbered as in
// docs/laws.md, and the probes that laws 6 and 9 call.
//
// [Laws] lists them. A law is a function that draws its data from a *rapid.T: TestLaws
// runs each through rapid.Check from a fixed seed, and the native fuzz targets in the
// tests of package fuzz run them through [fuzz.Native].
//
//	 1  RoundTrip, Misfit, Arrays,           Apply and Invert
//	    Compose, Split, Merge                the algebra of diffs
//	 2  EmptyMeansEqual, Equivalence         Equal, Compare, Hash, Digest; empty diffs
//	 3  AlignedArrays, Scripts               one edit is one change
//	 6  NoPlaintext, BecomesSecret,          canaries
//	    ArraysBecomeSecret
//	 7  MarksSurvive, MarkSecret, Edits      marks after projection and editing
//	 8  MaskedAtLeaf                         one secret masks itself only
//	 9  Total                                nothing panics or hangs
//	10  PathsRoundTrip, PulumiDialect,       texts of paths and URNs
//	    URNsRoundTrip
//	11  PatternsTotal                        patterns and sets
//	12  IgnoreChanges                        ignoreChanges
//	13  LosslessJSON, LosslessBytes,         JSON, protobuf bytes and messages,
//	    LosslessState                        state files
//	14  Numbers                              numbers do not change silently
//	15  BytesWithoutStructpb                 protobuf-go as the judge of bytes
//	16  OneDecryption                        secrets of documents and of batches
//	17  Determinism, WideObjects             same inputs, same bytes
//	18  Truthful, Lies                       responses of providers, and their validator
//	19  Fillings, Changes, Arrays            verdicts in the presence of unknowns
//	20  Shared                               values shared by goroutines
//
// Law 4 (bounded cost) is tested by each package. Law 5 (equal is free) and the other
// half of law 20 (few dependencies) count, and are ordinary tests here. Where it is easy
// a law has an oracle: a slow and plain way to the same answer, which shares no code with
// the fast one.
//
// A law that fails prints its data as Go expressions, by [fuzz.GoSource]. GENERATED
// SECRETS ARE SHOWN in such failures.
//
// # Probes
//
// A probe calls one exported function or method of the library with the parts of a
// scene. TestEveryExportIsProbed compares the table of probes with the compiler's export
// data, and fails for what has no probe.
package laws
