package bind

import (
	"strconv"
	"strings"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
)

const (
	opDecode = "bind: decode"
	opEncode = "bind: encode"
)

// Error is the error type of this package, and of package schema where it checks values:
// everything that is wrong. When the list exceeds [path.MaxListed] bytes, the rest are
// top-level properties, each listed once.
type Error struct {
	Op       string // "bind: decode" or "bind: encode"; in package schema "schema: check" or "schema: defaults"
	Problems []Problem
}

// Problem is one thing that is wrong with a value, or with a Go type. It contains no
// content of values; its place is redacted at the outermost secret.
type Problem struct {
	At    path.Shown // where in the value
	Want  string     // what was expected there, or empty
	Found string     // what was found instead, or empty
}

const mostShown = 20

// Error returns one line, or for several problems their number and one line each:
//
//	bind: decode: size: expected number, found string
func (e *Error) Error() string {
	if e == nil {
		return "<nil>"
	}
	head := scan.Printable(e.Op) + ": "
	if len(e.Problems) == 1 {
		return head + e.Problems[0].String()
	}

	var b strings.Builder
	b.WriteString(head + strconv.Itoa(len(e.Problems)) + " problems")
	for i, p := range e.Problems {
		if i == mostShown {
			b.WriteString("\n  and " + strconv.Itoa(len(e.Problems)-i) + " more")
			break
		}
		b.WriteString("\n  " + p.String())
	}
	return b.String()
}

// String returns a line such as "size: expected number, found string".
func (p Problem) String() string {
	reason := p.Reason()
	if at := p.At.String(); at != "" {
		return scan.Line(at) + ": " + reason
	}
	return reason
}

// Reason returns the text without the place: "expected number, found string".
func (p Problem) Reason() string {
	return scan.Printable(strings.TrimPrefix(scan.Reason(nil, p.Want, p.Found), ": "))
}
