// Package fuzz helps to test code that works on property values. It has generators for
// rapid, texts and numbers that break careless code, a canary that detects leaked
// secrets, a law for providers, and a function that turns laws into native fuzz targets.
//
// A law is a function that draws its data from a *rapid.T, and fails if a promise does
// not hold for the data. It can be run in two ways:
//
//	rapid.Check(t, law)  // on generated data
//	fuzz.Native(f, law)  // as a native fuzz target
//
// The native fuzz targets of the laws of this module are tests of this package:
// `go test ./fuzz -fuzz=FuzzLaw01RoundTrip -fuzzminimizetime=5x`.
//
// A law should print its data with [GoSource], as Go expressions that can be pasted into
// a test. All generators shrink, so a failure has few nodes. GoSource SHOWS SECRETS: run
// laws on generated data only.
//
// # Generators
//
// [Values], [Objects] and [Pairs] take [Options] that limit what the values hold and what
// they look like. To test code that compares values, use the related values that [Pairs]
// generates: unrelated values differ at the root already, which tests little. The
// generators also draw NaN, infinities, -0 and odd strings, which those of rapid rarely
// or never do.
//
//	rapid.Check(t, func(t *rapid.T) {
//		pair := fuzz.ObjectPairs(fuzz.Options{Style: fuzz.RealLike}).Draw(t, "pair")
//		if err := yourDiff(pair.Old, pair.New); err != nil {
//			t.Fatalf("%v, from\n%s\nto\n%s", err, fuzz.GoSource(pair.Old), fuzz.GoSource(pair.New))
//		}
//	})
//
// [Messages] generates messages of the provider protocol; [BagBytes], [BagTexts] and
// [StateTexts] generate input for decoders, and [Damaged] breaks it.
//
// # Providers
//
// A [Provider] holds the methods of a provider. [Provider.Law] calls them as an engine
// does, from Check to Delete, with previews, updates, replacements and reads in between;
// the inputs are arbitrary, or come from a given generator. The law fails if a contract
// of the protocol is broken, a secret is shown, a difference is not reported, or Read
// does not return the state that an earlier call returned. [Provider.Run] runs the law in
// a test, then calls methods for several resources at the same time. It also fails if
// hardly any inputs reached Create or Diff. [Provider.Findings] needs no test: it goes on
// after a failure, and returns all that is wrong.
//
//	fuzz.Provider{
//		Check: p.Check, Diff: p.Diff, Create: p.Create, Read: p.Read, Update: p.Update,
//		Delete: p.Delete, SupportsPreview: true, Inputs: buckets(),
//		Compared: p.differ, // the provider.Differ that Diff answers with
//	}.Run(t)
//
// [Provider.Law] fails for
//
//   - a panic, and an error of Diff for inputs that Check accepted
//   - a violation of the contracts of a call that [check.Violations] finds, such as an
//     unknown that the request did not have, or one that becomes a value
//   - a secret that loses its mark, is part of an output in clear, or is shown by a
//     failure or an error
//   - a Check that accepts inputs, and refuses them while one of them is unknown, and a Diff that
//     fails for such inputs, unless Options has NoUnknowns
//   - what is not as Schema says, and what it calls secret in clear
//   - a preview of Create or Update that fails while an input is unknown, and works once it is
//     known
//   - a Check that makes another value of what the program leaves out when the program runs again
//     with another seed, although the old inputs have one
//   - a resource that Create or Update returns without a state
//   - a Create of a replacement that works only once the resource that it replaces is
//     deleted, where Diff does not set DeleteBeforeReplace
//   - a Delete that fails for a resource that is gone
//   - different responses to the same request to Check or Diff, where lists of names and
//     failures are sets
//   - a Check that refuses or changes inputs that it returned before
//   - a Check that, because of old inputs, returns another value than the program says,
//     unless Compared hides the difference, or Quiet matches its place. It may make another
//     value of any that the program says, such as one in bounds or in its own spelling, if
//     it does so without old inputs too, and may take from these what the program leaves
//     out
//   - a change that Diff reports although old and new inputs are equal, or equal by the
//     rules of Compared, whatever the state is
//   - a difference between old and new inputs that Diff does not report, unless
//     Compared hides it, or Quiet or ignoreChanges matches its place
//   - a change that Diff reports in a refresh at a place that ignoreChanges names
//   - an entry of Diff for a place inside a secret
//   - a change of an input, or an output that Update changes, that Diff calls stable, unless Quiet
//     matches its place
//   - if Compared.ReplaceOn has patterns, an update where one of them asks for a
//     replacement, unless Quiet matches the place, and a replacement for changes that none
//     of them matches
//   - any other error that [check.Validate] finds in a response to Diff
//   - a preview that changes the resource, or returns a value that the operation then
//     does not return
//   - a Read that does not find the resource, or finds it after Delete
//   - a Read that returns another state than Create or Update did (drift), or other
//     inputs. It is called with the old state and inputs, as in a refresh, and with the ID
//     alone, as in an import; a Read that is not implemented is not tested. Differences in marks, those that Compared hides, and
//     places that Quiet or WriteOnly matches do not count
//   - a Read with the inputs from before an update that returns all that changed as it was
//
// # Canaries
//
// A [Canary] is a secret text that can be found again in other texts. [Canary.Hide]
// returns a value with the canary at one of the [Places], and [Canary.Plant] puts such a
// value into a bag. Pass the bag to code that logs, renders or returns errors, and call
// [Canary.Check] with the texts that the code made.
//
// # Limits
//
// A canary cannot be a number or a boolean, whose texts are too short to recognize.
// Generated values are small and shallow (see [Options]), except the hostile
// constants.
package fuzz
