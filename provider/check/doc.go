// Package check reports what is wrong with a provider's answers.
//
//	for _, f := range check.Validate(response, sides, options) {
//		fmt.Println(f) // error: tags.env: update-equal: …
//	}
//
// [Validate] reports what is false or unwise in a response to Diff, given the sides that
// the provider compared. [ReadResponse] turns a response back into a diff with values, to be
// shown or compared. [Violations] checks a single call, and a [Session] checks each call
// against the calls before it. [Log] applies all these checks to a log that an engine
// wrote.
//
// To check one Diff, of which there are the two messages, give both to Violations, and
// the results of [provider.ResponseOf] and [provider.SidesOf] to Validate.
//
// All checks return findings, whose codes are listed by [Rules] and in docs/checks.md. No
// finding shows the contents of a secret.
//
// # How an answer is checked
//
// Entries are checked by the rules of [provider.Differ.Respond], on the side that inputDiff
// selects, ignoring the differences that [value.Engine] or Relation overlooks. A null
// counts as a missing value. In an array, ADD has the index in the new array and DELETE
// the index in the old one; elements may be added and removed at any index as long as
// their numbers agree with the lengths. Entries that engines discard for lack of
// HasDetailed, which is itself a finding, are checked too. An entry for a top-level name
// that only the state has yields at most a note; if there are no old inputs, it yields
// one only if the entry is also false. Differences that may be hidden by unknowns are
// accepted. If entries overlap, only the upper one is checked.
//
// An UPDATE of an element that is equal on both sides may stand for a DELETE and an ADD at
// one index. It is accepted in an array that differs if Arrays or ArrayRules say that
// elements are not matched by index, or if other entries show it: elements are added or
// removed elsewhere than at the end; an equal element is added, removed or changed at
// another index; or the old inputs and the state have different elements, and there are
// entries for both or their number does not agree with the length.
//
// If ReplaceOn is set, it is an error for the answer to replace because of other
// top-level properties than [provider.Comparison.Response] does with the same ReplaceOn
// and Direction. A property may also replace because the state differs, as with Drift.
// This is not checked without old inputs, nor for DIFF_NONE.
//
// # How an answer is read
//
//   - The old value is taken from the old inputs if the entry is marked inputDiff and
//     there are old inputs, otherwise from the old state. The new value is taken from
//     the new inputs. Places that no entry reports do not differ.
//   - ADD has no old value and DELETE has no new one, even if that side has a value at
//     the place. The exception is a value that contains a secret, which must mask the
//     other side too. UPDATE, and any undefined kind, has both values where the sides
//     have them. If neither side has a value, the entry is omitted.
//   - If entries are at the same place, or one is below another, the upper one counts.
//   - If a container above the place is on one side only, differs in kind, is secret on
//     one side only or is unknown, the change is that container as a whole.
//   - If some entries treat a place as an array and others treat it as an object, those
//     that fit the values count.
//   - Elements at the end of an array are added and removed as reported. If elements
//     elsewhere are reported as added or removed, the whole array is compared, with its
//     elements aligned. All entries inside an array are read on the side of the first
//     one.
//   - Entries with unreadable or empty keys are omitted, and so are __meta and
//     #initerror, unless inputs have such a name.
//
// If the response has no entries, or no HasDetailed, so that engines discard them, ReadResponse
// uses the names in Diffs: it compares the old inputs with the new ones at these
// properties. If there are no names and Changes is DIFF_SOME, all properties are
// compared.
//
// # The rules of calls
//
//   - Old inputs and old state contain no unknowns, and neither do those of old views.
//   - The arguments of a function contain no unknowns outside preview; its results never
//     contain any. Secrets and resource references in either are notes. The calls of a
//     component do not say whether they belong to a preview, and are checked as if they
//     did.
//   - Outside preview, Create and Update receive no unknowns and return none, including
//     in [rpc.ErrorResourceInitFailed].
//   - Check returns either inputs or failures; both are a note. It returns unknowns only if it
//     received some. It returns the inputs that the program sent, and a secret among them
//     as a secret. A missing input, one of another kind, and an old one in place of what
//     the program sent, are notes. The property of a
//     failure is a path. If it names an input that is or contains a secret, which engines
//     print, that is a note (see [rpc.CheckFailureAt]). A failure has a reason, which
//     does not contain the text of a secret, if the text has six bytes or more. A random
//     seed has 32 bytes.
//   - Check, and Create and Update in a preview, do not return as a value what was sent as an
//     unknown at the same place; that is a warning.
//   - Create, Update and Read do not return in clear what was sent as a secret at the
//     same place. That is a warning for what is no input, which a program may have named in
//     additionalSecretOutputs. An ID does not contain the text of a secret, if the text has six bytes
//     or more.
//   - Outside preview, Create returns an ID, even if it failed half way. Create and
//     Update return a state; a missing one is a note, if there were inputs.
//   - Update does not change the ID, if its response has one.
//   - Read returns no unknowns, and returns inputs if it received none, as on import.
//     These are notes: inputs that have no name in common with those received, an input
//     that is missing although the state still has its value, one that has its old value
//     although the state has another one, contents without an ID and, in a refresh, an ID
//     other than that of the request.
//   - A timeout is not negative, and one of Construct is a duration such as 5m.
//   - The URN of a request is one, and a name and a type beside it are those of the URN. The
//     URN that Construct returns has the name and the type of the request.
//   - If autonaming is disabled Check adds no name, and if it is enforced no other than the
//     proposed one, to what the program sent; that is a warning. A name is a text that begins
//     with that of the resource.
//   - Construct and Call return dependencies in values only if the request accepts those. If
//     it does not, the request has dependencies, and the response none, that is a note.
//   - Parameterize returns the name and the version of the package that was asked for, and
//     GetMapping a mapping of the provider that was asked for, or none.
//
// A resource reference with an unknown ID, which an empty one is too, counts as an unknown,
// as it does for [value.Value.ContainsUnknown]. When the paths
// of the findings in a field exceed [path.MaxListed] bytes, further findings name only
// the top-level property, once for each rule.
package check
