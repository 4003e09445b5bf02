package state

// framer finds the end of a value that comes in pieces, so that the pieces have
// to be put together once only. It takes every value that [jsonscan.Skipper]
// takes, and stops at most of what that refuses: brackets, quotes, commas and
// colons have to be where they may be. It does not look into numbers, literals,
// escapes and encoding.
type framer struct {
	open  []bool // containers around: true for an object
	limit int    // of len(open)
	now   expectation
	ended bool // the value is complete
	wrong bool // it is none, from here on at the latest
}

// expectation is what may come next.
//
//	              ┌──────────── , ────────────┐
//	aValue ─ [ ─ elementOrEnd ─ … ─ commaOrEnd┴ ] ─ commaOrEnd, or the end
//	       ─ { ─ nameOrEnd ─ "…" ─ aColon ─ : ─ aValue
type expectation uint8

const (
	aValue expectation = iota
	elementOrEnd
	nameOrEnd
	aName
	aColon
	commaOrEnd
	insideName
	escapeInName
	insideText
	escapeInText
	insideScalar
)

// over reports whether there is no need to go on.
func (f *framer) over() bool { return f.ended || f.wrong }

// pass takes the next piece of a value, up to where it is over.
func pass[T string | []byte](f *framer, piece T) {
	for i := range len(piece) {
		c := piece[i]
		switch f.now {
		case insideName, insideText:
			f.inside(c)
		case escapeInName:
			f.now = insideName
		case escapeInText:
			f.now = insideText
		case insideScalar:
			if c == '-' || c == '+' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c == 'E' {
				continue
			}
			if f.done(); !f.ended {
				f.between(c)
			}
		case aValue, elementOrEnd, nameOrEnd, aName, aColon, commaOrEnd:
			f.between(c)
		}
		if f.over() {
			return
		}
	}
}

// inside takes a byte of a text in quotes.
func (f *framer) inside(c byte) {
	switch {
	case c == '\\' && f.now == insideName:
		f.now = escapeInName
	case c == '\\':
		f.now = escapeInText
	case c == '"' && f.now == insideName:
		f.now = aColon
	case c == '"':
		f.done()
	case c < ' ':
		f.wrong = true
	}
}

// between takes a byte that is in no text and no scalar.
func (f *framer) between(c byte) {
	switch {
	case c == ' ' || c == '\n' || c == '\t' || c == '\r':
	case f.now == aColon && c == ':':
		f.now = aValue
	case (f.now == nameOrEnd || f.now == aName) && c == '"':
		f.now = insideName
	case (f.now == nameOrEnd || f.now == commaOrEnd && f.open[len(f.open)-1]) && c == '}',
		(f.now == elementOrEnd || f.now == commaOrEnd && !f.open[len(f.open)-1]) && c == ']':
		f.open = f.open[:len(f.open)-1]
		f.done()
	case f.now == commaOrEnd && c == ',':
		f.now = aValue
		if f.open[len(f.open)-1] {
			f.now = aName
		}
	case f.now == aValue || f.now == elementOrEnd:
		f.begin(c)
	default:
		f.wrong = true
	}
}

// begin takes the first byte of a value.
func (f *framer) begin(c byte) {
	switch {
	case c == '"':
		f.now = insideText
	case (c == '{' || c == '[') && len(f.open) < f.limit:
		f.open = append(f.open, c == '{')
		f.now = elementOrEnd
		if c == '{' {
			f.now = nameOrEnd
		}
	case c == '-' || c >= '0' && c <= '9' || c == 't' || c == 'f' || c == 'n':
		f.now = insideScalar
	default:
		f.wrong = true
	}
}

// done ends a value.
func (f *framer) done() {
	f.now = commaOrEnd
	f.ended = len(f.open) == 0
}
