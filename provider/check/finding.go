package check

import (
	"strconv"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
)

// Severity is how serious a [Finding] is. The set is closed.
type Severity uint8

const (
	// SeverityNote is for what may be intended or does little harm.
	SeverityNote Severity = iota + 1
	// SeverityWarning is for what is probably wrong but may be intended.
	SeverityWarning
	// SeverityError is for what is false, breaks the protocol, or makes engines fail.
	SeverityError
)

// String returns "note", "warning" or "error".
func (s Severity) String() string {
	return scan.Name(s, "invalid severity", []string{
		SeverityNote: "note", SeverityWarning: "warning", SeverityError: "error",
	})
}

// Finding is one place where an answer, a call or a session of calls is wrong or
// unwise. It holds no values, and its path ends at the outermost secret.
type Finding struct {
	Severity Severity
	Code     string     // the rule, such as "update-equal": [Rules] returns all; names are stable
	In       string     // the message and its field, such as "request.news"; empty for findings of Validate
	Entry    int        // the index in Response.Detailed, or -1 if it is not about an entry
	At       path.Shown // the place in the field; the root if there is none; a key that is not a path, as a name
	Advice   string     // what is wrong and how to correct it
}

// String returns one line, such as
// "error: tags.env: update-equal: the value before and the new one are equal; …".
func (f Finding) String() string {
	text := f.Severity.String() + ": "
	if f.In != "" {
		text += f.In + ": "
	}
	if at := f.At.String(); at != "" {
		text += at + ": "
	} else if f.Entry >= 0 {
		text += "entry " + strconv.Itoa(f.Entry) + ": "
	}
	return text + f.Code + ": " + f.Advice
}

// newFinding returns a finding that is not about an entry, with the severity and the
// advice of the rule.
func newFinding(code string) Finding {
	for r := range rules() {
		if r.Code == code {
			return Finding{Severity: r.Severity, Code: code, Entry: -1, Advice: r.Advice}
		}
	}
	return Finding{Code: code, Entry: -1}
}
