// Package fuzz tests code that works on property values: it has generators for rapid,
// texts and numbers that break careless code, a canary that finds secrets in texts, a
// law for providers, and a wrapper that makes native fuzz targets of laws.
//
// A law is a function that draws its data from a *rapid.T and fails when a promise
// is broken. It runs in two ways:
//
//	rapid.Check(t, law)  // on generated data
//	fuzz.Native(f, law)  // as a native fuzz target
//
// The native fuzz targets of the laws of this module are tests of this package:
// `go test ./fuzz -fuzz=FuzzLaw01RoundTrip -fuzzminimizetime=5x`.
//
// A law should print its data by [GoSource], as Go expressions to paste into a test;
// all generators shrink to few nodes. GoSource SHOWS SECRETS: run laws on generated
// data only.
//
// # Generators
//
// [Values], [Objects] and [Pairs] take [Options] that limit what the values hold and
// what they look like. Tests of code that compares need pairs of related values, as
// [Pairs] makes them: two unrelated values differ at the root, and test little. rapid
// draws no NaN, infinity or -0 and few odd strings; these generators add them.
//
//	rapid.Check(t, func(t *rapid.T) {
//		pair := fuzz.ObjectPairs(fuzz.Options{Style: fuzz.RealLike}).Draw(t, "pair")
//		if err := yourDiff(pair.Old, pair.New); err != nil {
//			t.Fatalf("%v, from\n%s\nto\n%s", err, fuzz.GoSource(pair.Old), fuzz.GoSource(pair.New))
//		}
//	})
//
// [Scripts] generates pairs with the list of edits between them, to measure a diff by.
// [Messages] generates messages of the provider protocol; [BagBytes], [BagTexts] and
// [StateTexts] generate input for decoders, and [Damaged] breaks it.
//
// # Providers
//
// [Provider] holds the methods of a provider, and [Provider.Law] calls them as an engine
// does, on inputs of any kind or of a given generator: from Check to Delete, with previews,
// updates, replacements and reads in between. It fails when a contract of the protocol is
// broken, a secret is shown, a difference is not reported, or the state that a call
// returned is not what Read finds. [Provider.Run] calls the law in a test, then works on
// several resources at the same time, and fails if hardly any inputs reached Create or Diff.
//
//	fuzz.Provider{
//		Check: p.Check, Diff: p.Diff, Create: p.Create, Read: p.Read, Update: p.Update,
//		Delete: p.Delete, SupportsPreview: true, Inputs: buckets(),
//	}.Run(t)
//
// # Canaries
//
// A [Canary] is a secret that finds itself in texts. [Canary.Hide] puts it into a value
// in one of the [Places], and [Canary.Plant] puts that value into a bag. Give the bag to
// code that logs, renders or fails, and call [Canary.Check] with the texts it made.
//
// # Limits
//
// A canary is never a number or a boolean: their texts are too short to recognize.
// Generated values are small and shallow (see [Options]), except [Deep] and the hostile
// constants.
package fuzz
