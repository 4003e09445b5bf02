package jsonscan

import "errors"

// What can be wrong with a text. Package codec exports these.
var (
	ErrSyntax    = errors.New("syntax error")
	ErrUTF8      = errors.New("not UTF-8") // or half of a surrogate pair
	ErrDepth     = errors.New("nested beyond the limit")
	ErrDuplicate = errors.New("duplicate member name")
)

// Fault reports what is wrong with a text, and where. It never quotes more of the
// text than a punctuation mark of JSON.
type Fault struct {
	Offset int    // in bytes
	Err    error  // one of the above
	Want   string // what was expected
	Found  string // what was found instead
}

// Error is the text of a fault for this module's own tests; packages that
// export errors put the fields into types of their own.
func (f *Fault) Error() string { return "expected " + f.Want + ", found " + f.Found }

// Expected returns the fault of finding something else at offset i.
func Expected(s string, i int, want string) *Fault {
	return &Fault{Offset: min(i, len(s)), Err: ErrSyntax, Want: want, Found: Found(s, i)}
}

func tooDeep(at int) *Fault {
	return &Fault{Offset: at, Err: ErrDepth, Want: "fewer levels", Found: "one more"}
}

// Found describes what is at an offset without revealing content: JSON's own
// punctuation is quoted, anything else is named by its class.
func Found(s string, i int) string {
	if i >= len(s) {
		return "end of input"
	}
	c := s[i]
	switch {
	case c == '{' || c == '}' || c == '[' || c == ']' || c == ',' || c == ':' || c == '"' || c == '\\':
		return "'" + string(rune(c)) + "'"
	case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		return "white space"
	case c < 0x20 || c == 0x7f:
		return "a control character"
	case c >= 0x80:
		return "a byte outside ASCII"
	case (c >= '0' && c <= '9') || c == '-':
		return "a number"
	}

	return "another character"
}

// KindOf names the kind of a value, of which there is at least the first byte.
func KindOf(text string) string {
	if text == "" {
		return "none"
	}
	switch text[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "bool"
	case 'n':
		return "null"
	}

	return "number"
}
