package rulebook

import (
	"iter"
	"slices"

	"github.com/propalg/propalg/provider/check"
)

// Codes iterates over the rules of findings: those of package check, and then those that only
// propalg test finds, by calling the provider.
func Codes() iter.Seq[check.Rule] {
	return slices.Values(slices.Concat(slices.Collect(check.Rules()), tested()))
}

// tested has the rules of package fuzz and of propalg-test.
func tested() []check.Rule {
	const bad, odd = check.SeverityError, check.SeverityWarning
	return []check.Rule{
		{Code: "crash", Severity: bad, Advice: "a call ends the provider; the finding has what it wrote last"},
		{Code: "hang", Severity: bad, Advice: "a call does not return in time (--timeout)"},
		{Code: "too-large", Severity: bad, Advice: "a response has more than 16 MiB; return less"},
		{Code: "panic", Severity: bad, Advice: "a method panics"},
		{Code: "no-response", Severity: bad, Advice: "a method returns neither a response nor an error"},
		{Code: "not-repeatable", Severity: bad, Advice: "the same request gets another answer; derive everything from the request, and what is random from its seed"},
		{Code: "not-idempotent", Severity: bad, Advice: "Check changes inputs that it returned; return them as they are, as engines send them again in an import"},
		{Code: "own-refused", Severity: bad, Advice: "Check refuses inputs that it returned; accept them"},
		{Code: "program-ignored", Severity: bad, Advice: "Check always returns the same, whatever the program says; return what the program says, or refuse it"},
		{Code: "not-followed", Severity: bad, Advice: "Check returns something else than the program says because of old inputs; return what the program says"},
		{Code: "not-kept", Severity: bad, Advice: "Check makes another value, such as a name, in each run of the program; keep the one that olds has"},
		{Code: "removal-ignored", Severity: odd, Advice: "Check keeps an input that the program no longer has, so that no program can remove it; leave it out, unless that is meant"},
		{Code: "zero-replaced", Severity: odd, Advice: "Check takes 0 or false for an input that is not there; ask whether there is one, and not whether it is true"},
		{Code: "unknown-refused", Severity: bad, Advice: "Check, Construct or a preview refuses inputs only because one is not known yet; accept unknowns, and return unknowns for what depends on them"},
		{Code: "secret-shown", Severity: bad, Advice: "an error shows a secret; say what is wrong without it"},
		{Code: "secret-derived", Severity: bad, Advice: "an output, or an input of what a component registers, has in clear a text that contains a secret input; mark it as a secret"},
		{Code: "object-as-text", Severity: bad, Advice: "an output contains [object Object]: a secret was made a text, and not its value"},
		{Code: "diff-fails", Severity: bad, Advice: "Diff fails for inputs that Check accepted"},
		{Code: "some-while-equal", Severity: bad, Advice: "Diff reports a change where nothing changed, or only the order of a set or a spelling that the rules name"},
		{Code: "ignored-reported", Severity: odd, Advice: "Diff reports a change of what ignoreChanges names, so that each refresh shows it"},
		{Code: "replacement-conflicts", Severity: bad, Advice: "Create of a replacement fails while the resource that it replaces is there; let Diff ask for deleteBeforeReplace"},
		{Code: "preview-changes", Severity: bad, Advice: "a preview changed something; do nothing if preview is set"},
		{Code: "read-fails", Severity: bad, Advice: "Read fails for a resource that is there"},
		{Code: "read-not-found", Severity: bad, Advice: "Read does not find a resource that is there; return its ID"},
		{Code: "state-drifts", Severity: bad, Advice: "Read returns another state than Create or Update left, which engines show as drift; Update is named if it left what was there before"},
		{Code: "inputs-drift", Severity: bad, Advice: "Read returns other inputs than the resource has, which engines show as drift; return what the program said, without what the service fills in"},
		{Code: "order-differs", Severity: bad, Advice: "a list comes back in another order than the program's, as previews and refreshes show; keep the program's order, or call it a set (--set) and let Diff overlook the order"},
		{Code: "gone-fails", Severity: bad, Advice: "Delete fails for a resource that is gone; return no error then"},
		{Code: "gone-read-fails", Severity: bad, Advice: "Read fails for a resource that is gone; return an empty ID"},
		{Code: "gone-found", Severity: bad, Advice: "Read finds a resource that was deleted"},
		{Code: "version-replaces", Severity: bad, Advice: "DiffConfig asks for a replacement where only the version of the provider is another, so that engines replace all its resources"},
		{Code: "plugin-info-refused", Severity: bad, Advice: "engines use no provider that does not answer GetPluginInfo, or whose version they cannot read; return a semantic version, or none"},
		{Code: "version-differs", Severity: odd, Advice: "GetPluginInfo returns another version than the schema has, for which SDKs ask; return the same"},
		{Code: "schema-wrong", Severity: bad, Advice: "the schema is refused, or refers to a type that it does not have"},
		{Code: "component-unregistered", Severity: bad, Advice: "Construct returns a URN that it has not registered for the component; register the component, and return its URN"},
		{Code: "parent-missing", Severity: odd, Advice: "a component registers a resource without a parent, which gets none of the component's options; name the component as its parent"},
		{Code: "parent-unknown", Severity: bad, Advice: "a component registers a resource whose parent nobody registered; register that first"},
		{Code: "dependency-unknown", Severity: bad, Advice: "a component names a URN that nobody registered, and engines fail; name what was registered before"},
		{Code: "child-unknown", Severity: odd, Advice: "a component registers a resource of its package that the schema does not have; add it to the schema, or correct the token"},
		{Code: "name-taken", Severity: bad, Advice: "a component registers two resources with one URN, and engines fail; give them different names"},
		{Code: "name-fixed", Severity: odd, Advice: "a component registers a resource under the same name whatever its own is, so that no program can have two of them; begin the name with that of the component"},
	}
}
