package check

import (
	"strconv"

	"github.com/propalg/propalg/path"
)

// Severity is how serious a [Finding] is. The set is closed.
type Severity uint8

const (
	// SeverityNote is for what may be intended or does little harm.
	SeverityNote Severity = iota + 1
	// SeverityWarning is for what is probably wrong but may be intended.
	SeverityWarning
	// SeverityError is for what is false or makes engines fail.
	SeverityError
)

// String returns "note", "warning" or "error".
func (s Severity) String() string {
	switch s {
	case SeverityNote:
		return "note"
	case SeverityWarning:
		return "warning"
	case SeverityError:
		return "error"
	}
	return "invalid severity"
}

// Code identifies the rule that a [Finding] is about. The set is closed, and the names
// are stable.
type Code uint8

// The codes of single entries are first, followed by those of lists and of whole
// responses.
const (
	CodeKeyUnreadable   Code = iota + 1 // the key of an entry is not a path
	CodeKeyEmpty                        // the key is empty
	CodeKindUnknown                     // the protocol does not define the kind
	CodeDuplicatePlace                  // two keys for one place
	CodeOverlap                         // an entry below another
	CodeBelowSecret                     // an entry below a secret
	CodeIgnored                         // an entry at a place that ignoreChanges names
	CodeOutputOnly                      // an entry at a place that only state has
	CodeWrongSide                       // false on the side that inputDiff selects, true on the other
	CodeOldMissing                      // DELETE or UPDATE of a missing old value
	CodeNewMissing                      // ADD or UPDATE of a missing new value
	CodeAddPresent                      // ADD where there is an old value
	CodeDeletePresent                   // DELETE where there is a new value
	CodeUpdateEqual                     // UPDATE of equal values
	CodeUnreported                      // a change that no entry reports
	CodeDiffsPath                       // a path in diffs
	CodeDiffsExtra                      // a name in diffs without an entry
	CodeDiffsMissing                    // the name of an entry is not in diffs
	CodeReplacesPath                    // a path in replaces
	CodeReplacesExtra                   // a name in replaces without a replacing entry
	CodeReplacesMissing                 // the name of a replacing entry is not in replaces
	CodeStablesReported                 // a name in stables that diffs or an entry says changed
	CodeStablesChanged                  // a name in stables whose inputs differ
	CodeStablesAbsent                   // a name in stables that no side has
	CodeNoneWithChanges                 // DIFF_NONE with changes
	CodeNoneWhileDiffer                 // DIFF_NONE while the inputs differ
	CodeSomeUnnamed                     // DIFF_SOME that names nothing
	CodeDetailedEmpty                   // hasDetailedDiff without entries
	CodeNotDetailed                     // entries without hasDetailedDiff
	CodeInvalidChanges                  // the protocol does not define the number in changes
)

// codeText is what is known of a code.
type codeText struct {
	code     Code
	name     string
	severity Severity
	advice   string
}

// entryCodes are about one entry.
func entryCodes() []codeText {
	return []codeText{
		{CodeKeyUnreadable, "key-unreadable", SeverityError, "the key does not parse as a property path, which aborts previews; write it with a path library, a key of letters, digits and _ bare, any other in quotes, indexes from 0 to 2147483647"},
		{CodeKeyEmpty, "key-empty", SeverityError, "an empty key names the whole resource, which aborts the engine; name the property that changed"},
		{CodeKindUnknown, "kind-unknown", SeverityError, "the protocol does not define this kind, and engines treat it as UPDATE; send a number from 0 to 5"},
		{CodeDuplicatePlace, "place-twice", SeverityError, "another entry names the same place in another spelling; keep one of them"},
		{CodeOverlap, "overlap", SeverityError, "an entry at a place above reports this one too, and which of them is shown depends on chance; keep the upper one, or those below it"},
		{CodeBelowSecret, "below-secret", SeverityNote, "the place is inside a secret, and its key reveals how the secret is built; report the secret as one UPDATE"},
		{CodeIgnored, "ignored", SeverityNote, "ignoreChanges names this place; report no change there, unless the call is part of a refresh"},
		{CodeOutputOnly, "output-only", SeverityNote, "only the old state has this property, which is computed; leave it out, new inputs never name it"},
		{CodeWrongSide, "wrong-side", SeverityError, "this is false on the side where engines look for the old value, and true on the other; set inputDiff when old inputs were compared, and leave it unset when state was"},
		{CodeOldMissing, "old-missing", SeverityError, "nothing was there before; answer ADD when there is something now, else leave the entry out"},
		{CodeNewMissing, "new-missing", SeverityError, "nothing is there in the new inputs; answer DELETE when there was something before, else leave the entry out"},
		{CodeAddPresent, "add-present", SeverityError, "something was there before; answer UPDATE when it differs, else leave the entry out"},
		{CodeDeletePresent, "delete-present", SeverityError, "something is still there in the new inputs; answer UPDATE when it differs, else leave the entry out"},
		{CodeUpdateEqual, "update-equal", SeverityError, "the value before and the new one are equal; leave the entry out, or name the place that differs"},
		{CodeUnreported, "unreported", SeverityNote, "old and new inputs differ here, and nothing reports it; report it, unless both mean the same to the provider"},
	}
}

// wholeCodes are about lists of names and the response as a whole.
func wholeCodes() []codeText {
	return []codeText{
		{CodeDiffsPath, "diffs-path", SeverityError, "diffs holds a path, which hides the change from display; put the name of the top-level property there"},
		{CodeDiffsExtra, "diffs-extra", SeverityError, "diffs has a name that no entry is at or below; add an entry, or take the name out"},
		{CodeDiffsMissing, "diffs-missing", SeverityError, "diffs lacks the name of the top-level property of an entry, which hides it from display; add it"},
		{CodeReplacesPath, "replaces-path", SeverityError, "replaces holds a path; put the name of the top-level property there"},
		{CodeReplacesExtra, "replaces-extra", SeverityError, "replaces has a name that no replacing entry is at or below; make an entry there replace, or take the name out"},
		{CodeReplacesMissing, "replaces-missing", SeverityError, "replaces lacks the name of the top-level property of a replacing entry; add it"},
		{CodeStablesReported, "stables-reported", SeverityError, "stables has the name of a property that the response says changes; take it out of stables"},
		{CodeStablesChanged, "stables-changed", SeverityWarning, "stables has the name of an input whose old and new values differ; take it out, unless both mean the same to the provider"},
		{CodeStablesAbsent, "stables-absent", SeverityNote, "stables has a name that neither the inputs nor the state have; take it out, unless the schema has it and it has no value here"},
		{CodeNoneWithChanges, "none-with-changes", SeverityError, "DIFF_NONE makes engines skip what else is said; answer DIFF_SOME, or name no changes"},
		{CodeNoneWhileDiffer, "none-while-differ", SeverityWarning, "DIFF_NONE while old and new inputs differ makes engines do nothing; answer DIFF_SOME, unless all that differs means the same to the provider"},
		{CodeSomeUnnamed, "some-unnamed", SeverityNote, "DIFF_SOME names nothing, so users see an update without a reason; fill in detailedDiff and diffs"},
		{CodeDetailedEmpty, "detailed-empty", SeverityNote, "hasDetailedDiff without entries shows users that nothing changes; add entries, or leave it unset"},
		{CodeNotDetailed, "not-detailed", SeverityError, "engines discard the entries unless hasDetailedDiff is set; set it"},
		{CodeInvalidChanges, "state-unknown", SeverityError, "changes must be DIFF_UNKNOWN, DIFF_NONE or DIFF_SOME, and engines fail otherwise; send one of them"},
	}
}

func (c Code) text() codeText {
	for _, table := range [][]codeText{entryCodes(), wholeCodes()} {
		if c >= table[0].code && int(c-table[0].code) < len(table) {
			return table[c-table[0].code]
		}
	}
	return codeText{name: "invalid-code-" + strconv.Itoa(int(c))}
}

// String returns the stable name, for example "update-equal".
func (c Code) String() string { return c.text().name }

// MarshalText returns the text of [Code.String].
func (c Code) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// Severity returns the severity of findings with this code.
func (c Code) Severity() Severity { return c.text().severity }

// Advice returns a sentence that says what is wrong and how to correct it.
func (c Code) Advice() string { return c.text().advice }

// Finding is one false or unwise statement in a response. It holds no values, and its
// path ends at the outermost secret.
type Finding struct {
	Code  Code
	Entry int        // the index in Response.Detailed, or -1 if it is not about an entry
	At    path.Shown // the place; the root if there is none, or the key is not a path
}

// Severity returns the severity of the finding's code.
func (f Finding) Severity() Severity { return f.Code.Severity() }

// String returns one line, such as
// "error: tags.env: update-equal: the value before and the new one are equal; …".
func (f Finding) String() string {
	text := f.Severity().String() + ": "
	if at := f.At.String(); at != "" {
		text += at + ": "
	} else if f.Entry >= 0 {
		text += "entry " + strconv.Itoa(f.Entry) + ": "
	}
	return text + f.Code.String() + ": " + f.Code.Advice()
}
