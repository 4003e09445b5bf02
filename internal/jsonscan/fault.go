package jsonscan

// Cause says what kind of fault a text has.
type Cause uint8

// The causes.
const (
	Syntax    Cause = iota // not of the grammar
	Encoding               // not UTF-8, or half of a surrogate pair
	Depth                  // nested beyond the limit
	Duplicate              // a name stands twice in one object
)

// Fault says what is wrong with a text, and where. It never quotes more of the
// text than a punctuation mark of JSON.
type Fault struct {
	Offset int // in bytes
	Cause  Cause
	Want   string // what was expected
	Found  string // what stands there
}

// Error is the text of a fault for this module's own tests; packages that
// export errors put the fields into types of their own.
func (f *Fault) Error() string { return "expected " + f.Want + ", found " + f.Found }

// Expected makes the fault of something else standing at offset i.
func Expected(s string, i int, want string) *Fault {
	return &Fault{Offset: min(i, len(s)), Want: want, Found: Found(s, i)}
}

// Found names what stands at an offset without giving away content: JSON's own
// punctuation is quoted, anything else is named by its class.
func Found(s string, i int) string {
	if i >= len(s) {
		return "end of input"
	}
	switch c := s[i]; {
	case c == '{' || c == '}' || c == '[' || c == ']' || c == ',' || c == ':' || c == '"' || c == '\\':
		return "'" + string(rune(c)) + "'"
	case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		return "white space"
	case c < 0x20 || c == 0x7f:
		return "a control character"
	case c >= 0x80:
		return "a byte outside ASCII"
	case c >= '0' && c <= '9' || c == '-':
		return "a number"
	}
	return "another character"
}
