package state

import (
	"iter"

	"github.com/propalg/propalg/internal/scan"
)

// Severity is how serious a [Finding] is. The set is closed.
type Severity uint8

const (
	// SeverityNote is for what may be intended or does little harm.
	SeverityNote Severity = iota + 1
	// SeverityWarning is for what makes trouble later, but may be intended.
	SeverityWarning
	// SeverityError is for what engines refuse, or fail on.
	SeverityError
)

// String returns "note", "warning" or "error".
func (s Severity) String() string {
	return scan.Name(s, "invalid severity", []string{
		SeverityNote: "note", SeverityWarning: "warning", SeverityError: "error",
	})
}

// Rule is what the code of a [Finding] means.
type Rule struct {
	Code     string // such as "parent-missing"; names are stable
	Severity Severity
	Advice   string // what is wrong and how to mend it
}

// Rules returns every rule of [Check].
func Rules() iter.Seq[Rule] { return func(yield func(Rule) bool) { eachRule(yield) } }

func ruleOf(code string) (rule Rule) {
	eachRule(func(r Rule) bool {
		rule = r
		return r.Code != code
	})
	return rule
}

const (
	isMissing = "no record has this URN; restore the record, or take the reference out"
	isLater   = "the record with this URN comes after this one, and engines want it before; sort the records"
)

// eachRule yields the rules, in the order in which a file is checked.
func eachRule(yield func(Rule) bool) {
	for _, r := range [...]Rule{
		// What engines refuse.
		{"unreadable", SeverityError, "it cannot be read; correct what the text says"},
		{"type-missing", SeverityError, "the record has no type; give it that of its URN"},
		{"component-id", SeverityError, "the record has an ID but is not custom, as if it were a component; set custom, or take the ID out"},
		{"urn-malformed", SeverityWarning, "this is no URN: engines load it and may crash later; correct it wherever it stands"},
		{"urn-twice", SeverityError, "another record has the same URN and is not pending deletion either; keep one of them"},
		{"provider-unusable", SeverityError, "the type is that of a provider, and the URN is not; correct one of them"},
		{"provider-malformed", SeverityError, "this is not the URN of a provider, two colons and an ID; correct it"},
		{"provider-missing", SeverityError, "no provider has this URN and ID; restore its record, or refer to another one"},
		{"provider-order", SeverityError, "the provider comes after this record, and engines want it before; sort the records"},
		{"parent-malformed", SeverityError, "the URN of the parent does not begin as one, which makes engines crash; correct it wherever it stands"},
		{"parent-missing", SeverityError, isMissing},
		{"parent-order", SeverityError, isLater},
		{"dependency-missing", SeverityError, isMissing},
		{"dependency-order", SeverityError, isLater},
		{"property-dependency-missing", SeverityError, isMissing},
		{"property-dependency-order", SeverityError, isLater},
		{"deleted-with-missing", SeverityError, isMissing},
		{"deleted-with-order", SeverityError, isLater},
		{"replace-with-missing", SeverityError, isMissing},
		{"replace-with-order", SeverityError, isLater},
		{"refers-to-itself", SeverityError, "the record refers to itself; take the reference out"},
		{"feature-unknown", SeverityError, "the file needs a feature that engines of v3.259.0 do not have; use a newer one"},
		{"magic-mismatch", SeverityError, "the magic of the manifest is not the SHA-256 of its version: one of them was edited; restore both"},
		{"plugin-version", SeverityError, "this is not a version; correct it, or take it out"},
		{"snippet-id-missing", SeverityError, "the snippet has no UUID; give it one"},
		{"snippet-id-twice", SeverityError, "another snippet has the same UUID; give one of them another"},
		{"secrets-provider-missing", SeverityError, "there are encrypted secrets, and the file does not say what decrypts them; restore secrets_providers"},
		// What makes trouble later.
		{"parent-type", SeverityWarning, "the types in the URN are not those of the parent and the record; correct the parent or the URN"},
		{"type-differs", SeverityWarning, "the type of the record is not that in its URN; correct one of them"},
		{"view-of-missing", SeverityWarning, isMissing},
		{"id-missing", SeverityWarning, "a provider manages the resource, and the record has no ID: an update fails, or loses it; set the ID"},
		{"id-twice", SeverityWarning, "another record has the same type and ID, and one of the two will delete what both manage; keep one of them"},
		{"dependency-empty", SeverityWarning, "an empty text is in the list: engines load it, and fail when they save it again; take it out"},
		{"dependency-twice", SeverityNote, "the list has the URN twice; leave one out"},
		{"secret-output-clear", SeverityWarning, "additionalSecretOutputs names this output, which is in clear; mark it as secret, or run a refresh"},
		{"secret-clear", SeverityWarning, "the text is secret elsewhere, and is here in clear; mark it as secret here too, and see whether it has to be changed"},
		{"ignore-changes-malformed", SeverityWarning, "ignoreChanges has what is not a path of properties, on which updates fail; correct the program"},
		{"ignore-changes-unmatched", SeverityNote, "ignoreChanges names what neither inputs nor outputs have; look for a slip in its spelling"},
		{"provider-unused", SeverityNote, "no record refers to the provider; unless functions are called with it, remove it"},
		{"provider-versions", SeverityNote, "a newer version of the provider is in use too; let all resources use one"},
		{"pending-operation", SeverityWarning, "an operation did not end, so that nothing is known of its resource; look for what it made, import or delete that, and take the operation out"},
		{"integrity-error", SeverityWarning, "an engine found the state broken when it saved it; look at the other findings, and take the member out when they are mended"},
		{"unprotected", SeverityWarning, "resources of this type have to be protected, as the caller said; set protect"},
	} {
		if !yield(r) {
			return
		}
	}
}
