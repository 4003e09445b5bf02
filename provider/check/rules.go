package check

// NOTE: The table below has the severity of each finding. Two change where they are found:
// secret-lost in secrets.go, and none-while-differ in validate.go.

import (
	"iter"
	"strings"
)

// Rule is what the code of a [Finding] means.
type Rule struct {
	Code     string
	Severity Severity // of a finding, unless options make it another
	Advice   string   // what is wrong and how to correct it; "…" is where a finding says more
}

// Rules returns every rule that this package checks, in the order of docs/checks.md.
func Rules() iter.Seq[Rule] {
	return func(yield func(Rule) bool) {
		for r := range rules() {
			r.Advice = strings.Replace(r.Advice, "%s", "…", 1)
			if !yield(r) {
				return
			}
		}
	}
}

// rules returns every rule, with %s in the advice where the finding says what is wrong in
// its case. What is checked finds its rule by the code: the order is for readers.
func rules() iter.Seq[Rule] {
	return func(yield func(Rule) bool) {
		if answerRules(yield) {
			callRules(yield)
		}
	}
}

func each(yield func(Rule) bool, list []Rule) bool {
	for _, r := range list {
		if !yield(r) {
			return false
		}
	}
	return true
}

func answerRules(yield func(Rule) bool) bool {
	return each(yield, []Rule{
		// One entry of an answer.
		{"key-unreadable", SeverityError, "the key does not parse as a property path, which aborts previews; write it with a path library, a key of letters, digits and _ bare, any other in quotes, indexes from 0 to 2147483647"},
		{"key-empty", SeverityError, "an empty key names the whole resource, which aborts the engine; name the property that changed"},
		{"key-lenient", SeverityNote, "the key has a '[' after a '.', which only lenient readers take; leave the '.' out"},
		{"kind-unknown", SeverityError, "the protocol does not define this kind, and engines treat it as UPDATE; send a number from 0 to 5"},
		{"place-twice", SeverityError, "another entry names the same place in another spelling; keep one of them"},
		{"overlap", SeverityError, "an entry at a place above reports this one too, and which of them is shown depends on chance; keep the upper one, or those below it"},
		{"below-secret", SeverityNote, "the place is inside a secret, and its key reveals how the secret is built; report the secret as one UPDATE"},
		{"ignored", SeverityNote, "ignoreChanges names this place; report no change there, unless the call is part of a refresh"},
		{"output-only", SeverityNote, "only the old state has this property, which is computed; leave it out, new inputs never name it"},
		{"wrong-side", SeverityError, "this is false on the side where engines look for the old value, and true on the other; set inputDiff when old inputs were compared, and leave it unset when state was"},
		{"old-missing", SeverityError, "nothing was there before; answer ADD when there is something now, else leave the entry out"},
		{"new-missing", SeverityError, "nothing is there in the new inputs; answer DELETE when there was something before, else leave the entry out"},
		{"add-present", SeverityError, "something was there before; answer UPDATE when it differs, else leave the entry out"},
		{"delete-present", SeverityError, "something is still there in the new inputs; answer UPDATE when it differs, else leave the entry out"},
		{"update-equal", SeverityError, "the value before and the new one are equal; leave the entry out, or name the place that differs"},
		{"unreported", SeverityNote, "old and new inputs differ here, and nothing reports it; report it, unless both mean the same to the provider"},
		// The names in an answer, and an answer as a whole.
		{"diffs-path", SeverityError, "diffs holds a path, which hides the change from display; put the name of the top-level property there (the Go SDK's plugin.NewProviderServer makes such of the keys of DetailedDiff)"},
		{"diffs-extra", SeverityError, "diffs has a name that no entry is at or below; add an entry, or take the name out"},
		{"diffs-missing", SeverityError, "diffs lacks the name of the top-level property of an entry, which hides it from display; add it"},
		{"diffs-twice", SeverityError, "diffs has a name twice, which the protocol does not allow; leave one out"},
		{"replaces-path", SeverityError, "replaces holds a path; put the name of the top-level property there (the Go SDK's plugin.NewProviderServer makes such of the keys of DetailedDiff)"},
		{"replaces-extra", SeverityError, "replaces has a name that no replacing entry is at or below; make an entry there replace, or take the name out"},
		{"replaces-missing", SeverityError, "replaces lacks the name of the top-level property of a replacing entry; add it"},
		{"replaces-twice", SeverityNote, "replaces has a name twice, and is a set; leave one out"},
		{"should-replace", SeverityError, "the given patterns say that a change here forces a replacement, and the answer makes an update; answer a kind that replaces, and name the property in replaces"},
		{"should-update", SeverityError, "no given pattern says that a change of this property forces a replacement, or only marks changed; answer a kind that does not replace, or add the pattern"},
		{"stables-reported", SeverityError, "stables has the name of a property that the response says changes; take it out of stables"},
		{"stables-changed", SeverityWarning, "stables has the name of an input whose old and new values differ; take it out, unless both mean the same to the provider"},
		{"stables-absent", SeverityNote, "stables has a name that neither the inputs nor the state have; take it out, unless the schema has it and it has no value here"},
		{"none-with-changes", SeverityError, "DIFF_NONE makes engines skip what else is said; answer DIFF_SOME, or name no changes"},
		{"none-while-differ", SeverityWarning, "DIFF_NONE while old and new inputs differ makes engines do nothing; answer DIFF_SOME, unless all that differs means the same to the provider"},
		{"some-while-equal", SeverityWarning, "DIFF_SOME while the inputs are equal, for properties that only the old state has: each preview shows an update, and each refresh drift; compare the old inputs with the new ones, and not the state"},
		{"some-unnamed", SeverityNote, "DIFF_SOME names nothing, so users see an update without a reason; fill in detailedDiff and diffs"},
		{"detailed-empty", SeverityNote, "hasDetailedDiff without entries shows users that nothing changes; add entries, or leave it unset"},
		{"not-detailed", SeverityError, "engines discard the entries unless hasDetailedDiff is set; set it (the Go SDK's plugin.NewProviderServer never does: there, leave DetailedDiff empty, and name the properties in ChangedKeys and ReplaceKeys)"},
		{"unknown-with-entries", SeverityNote, "engines discard the entries with DIFF_UNKNOWN, and compare the inputs themselves; answer DIFF_SOME, or leave the entries out"},
		{"state-unknown", SeverityError, "changes must be DIFF_UNKNOWN, DIFF_NONE or DIFF_SOME, and engines fail otherwise; send one of them"},
	})
}

func callRules(yield func(Rule) bool) bool {
	return each(yield, []Rule{
		// One call.
		{"unknown", SeverityError, "the provider returns an unknown where the protocol wants a value (%s); return what the resource has"},
		{"secret", SeverityNote, "secrets are not for functions (the guide forbids it), and engines send them all the same; be ready to read one"},
		{"resource-reference", SeverityNote, "references are not for functions (the guide forbids it), and engines send them all the same; be ready to read one"},
		{"id-changed", SeverityError, "an update keeps the ID of a resource; where it has to change, let Diff ask for a replacement"},
		{"id-missing", SeverityError, "ID missing (a created resource has one, and engines fail without it); return the ID of what was created"},
		{"inputs-missing", SeverityError, "inputs missing (%s); return the inputs, an empty object if there are none"},
		{"inputs-unused", SeverityNote, "inputs beside failures (Check returns one of them, and engines use no inputs of a check that failed); leave the inputs out"},
		{"input-dropped", SeverityNote, "input dropped (Check returns what the program sent); return what the program sent, with defaults added"},
		{"input-kept", SeverityNote, "input kept (Check returns the old input, and not what the program sends now); return what the program sent or refuse it, unless both mean the same to the provider"},
		{"kind-changed", SeverityNote, "kind changed (Check returns what the program sent); return what the program sent, and convert it where it is used"},
		{"secret-lost", SeverityError, "secret lost (what was sent as a secret is returned in clear); return it as a secret, else it may be in clear in the state"},
		{"unknown-lost", SeverityWarning, "unknown lost (what was sent as an unknown is returned as a value); return the unknown, else what depends on it is planned with that value"},
		{"secret-in-id", SeverityWarning, "secret in the ID (the ID contains the text of a secret, and IDs are shown); make the ID of something else"},
		{"unreadable-path", SeverityError, "unreadable path (a property is named by a path); write the property with a path library, or leave it empty and name it in the reason"},
		{"reason-missing", SeverityWarning, "reason missing (engines print an empty line for the failure); say what is wrong"},
		{"secret-shown", SeverityNote, "secret shown (engines print the input that a failure names); leave property empty and name the place in the reason (rpc.CheckFailureAt)"},
		{"secret-in-reason", SeverityWarning, "secret in a reason (a failure contains the text of a secret, and engines print it); say what is wrong without it"},
		{"contents-without-id", SeverityNote, "contents without ID (an empty ID means that the resource does not exist); return an ID too, or nothing at all"},
		{"state-missing", SeverityNote, "state missing (Create and Update return the state: the inputs, and what was computed); return it, else the next call knows nothing of the resource but its ID"},
		{"other-id", SeverityNote, "other ID (Read returns the ID that it was asked for); return that ID, unless the resource was renamed"},
		{"inputs-lost", SeverityNote, "inputs lost (a known input is not returned, or none is); return the inputs that the resource would be made of today"},
		{"inputs-stale", SeverityNote, "inputs stale (the state has another value than before, and the input has not); return what the input would be today, else an update does not set it back"},
		{"seed-size", SeverityError, "seed size: a random seed has 32 bytes; this side of the call breaks the protocol"},
		{"invalid-duration", SeverityError, "invalid duration: a timeout is 0 or more seconds, for components a text such as 5m; this side of the call breaks the protocol"},
		{"urn-unreadable", SeverityError, "this is no URN; this side of the call breaks the protocol"},
		{"urn-mismatch", SeverityError, "the name and the type of a resource are those of its URN; this side of the call breaks the protocol"},
		{"autonamed", SeverityWarning, "Check names the resource by itself (%s); return the proposed name, or a failure"},
		{"dependencies-lost", SeverityNote, "dependencies lost (what was sent depends on resources, and the result on none); list in the response what each property depends on"},
		{"other-package", SeverityError, "the parameterized package has another name or version than was asked for; return those of the request"},
		{"other-mapping", SeverityError, "the mapping is of another provider than was asked for; return the name from the request, or no data if there is no mapping"},
		{"mapping-missing", SeverityError, "GetMappings names a provider of which there is no mapping; leave it out, or return its mapping"},
		{"mapping-refused", SeverityWarning, "what has no mapping returns an empty response: an error ends the conversion of a program that uses another provider; return no data, or names of no providers"},
		{"list-computed", SeverityError, "the results are said to be unknown, which only an unknown in the query explains, and then nothing else is said; return the resources"},
		{"list-order", SeverityError, "after the resources comes at most one continuation, and nothing behind it; send the continuation last"},
		{"list-id", SeverityError, "each resource is listed once, with an ID by which it can be imported; return that ID"},
		{"list-size", SeverityWarning, "more resources are listed than were asked for; end the page with a continuation"},
		// A call and those before it.
		{"configured-late", SeverityError, "configured late (Configure is called before resources, components and functions); send Configure first"},
		{"not-configured", SeverityNote, "not configured (Configure is called after the handshake, even without variables); unless the log leaves it out, look for why it was not called"},
		{"configured-twice", SeverityWarning, "configured twice (Configure is called once for each instance of a provider); start another instance"},
		{"engine-flag", SeverityError, "engines that make a handshake set this in Configure; this side of the call breaks the protocol"},
		{"handshake-differs", SeverityError, "Configure answers otherwise than Handshake did, and engines believe one of them; return the same"},
		{"preview-unsupported", SeverityError, "a provider with a handshake supports previews; return supportsPreview, and do nothing if preview is set"},
		{"not-announced", SeverityError, "the handshake or Configure of the other side did not announce that it knows %s; leave this out"},
		{"not-accepted", SeverityError, "the reader of these properties did not say that it accepts %s; send them as it does"},
		{"preview-differs", SeverityNote, "preview differs (a preview returns unknowns for values that it does not know); return an unknown in preview where the value may turn out otherwise, or be missing"},
		{"check-differs", SeverityWarning, "Check differs (the same request was answered otherwise before); derive everything from the request, and what is random from its seed"},
		{"read-differs", SeverityNote, "read differs (Check makes other inputs of those that Read returned); return from Read what Check would"},
		{"unchecked-inputs", SeverityNote, "unchecked inputs (new inputs are what Check returned); unless Check was called elsewhere, look for what changed them"},
		{"unrecorded-inputs", SeverityNote, "unrecorded inputs (old inputs are those that an earlier call was given or read); unless the state was edited by hand, look for the call"},
		{"unrecorded-id", SeverityNote, "unrecorded ID (Create and Read return the ID of a resource); unless the log begins late, look for what gave it this ID"},
		{"unrecorded-state", SeverityNote, "unrecorded state (Create, Read and Update return the state of a resource); unless the state was edited by hand, look for the call that returned it"},
		// The texts of a log.
		{"unreadable", SeverityError, "neither this tool nor an engine can read the message: %s"},
		{"response-missing", SeverityError, "the call ended with neither a response nor an error; return a response"},
		{"number-rounded", SeverityNote, "the log has more digits than a double holds, as all numbers of the protocol are; send it as a string"},
		// A call and the schema.
		{"schema-mismatch", SeverityWarning, "the schema does not allow this (%s); return what the schema says, or correct the schema"},
		{"schema-secret", SeverityWarning, "the schema calls the property secret, and it is returned in clear; mark it (schema.Type.MarkSecrets)"},
		{"schema-replace", SeverityWarning, "the schema says that a change of this property replaces the resource, and the answer does not; name it in replaces, or correct the schema"},
	})
}
