package schema

import (
	"strconv"
	"strings"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
)

// Error lists all problems that [Read] or [FromValue] found in a schema. When the list
// exceeds [path.MaxListed] bytes, the rest is omitted.
type Error struct {
	Problems []Problem
}

// Problem is one thing that is wrong with a schema.
type Problem struct {
	At     path.Path // where in the document
	Reason string
}

const mostShown = 20

// Error returns one line for each problem, with a JSON pointer:
//
//	schema: #/resources/demo:index:Bucket/required/0: there is no property naem
func (e *Error) Error() string {
	if e == nil {
		return "<nil>"
	}

	var lines []string
	for i, p := range e.Problems {
		if i == mostShown {
			lines = append(lines, "and "+strconv.Itoa(len(e.Problems)-i)+" more")
			break
		}
		lines = append(lines, p.String())
	}
	return "schema: " + strings.Join(lines, "\n  ")
}

// String returns the place as a JSON pointer, and the reason.
func (p Problem) String() string {
	return scan.Printable(scan.Line("#"+p.At.JSONPointer()) + ": " + p.Reason)
}
