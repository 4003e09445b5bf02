package path

import (
	"strconv"
	"strings"

	"github.com/propalg/propalg/internal/scan"
)

// JSONPointer returns the path as a JSON pointer (RFC 6901), such as "/rules/0/a~1b" for
// rules[0]["a/b"]. That of the root is empty.
func (p Path) JSONPointer() string {
	var text []byte
	for step := range p.Steps() {
		text = append(text, '/')
		if key, ok := step.AsKey(); ok {
			text = scan.AppendPointer(text, key)
		} else {
			i, _ := step.AsIndex()
			text = strconv.AppendInt(text, int64(i), 10)
		}
	}
	return string(text)
}

// ParseJSONPointer parses a JSON pointer (RFC 6901).
//
// A pointer does not say whether "0" is an index or a key. ParseJSONPointer returns an
// index for digits without a leading zero up to [MaxIndex], and a key for anything else,
// also for the "-" that JSON Patch uses for the place after the last element. The error is
// an [*Error] that wraps [ErrSyntax]: a pointer is empty or begins with a slash, and "~"
// is followed by 0 or 1.
func ParseJSONPointer(text string) (Path, error) {
	if text == "" {
		return Path{}, nil
	}
	if text[0] != '/' {
		return Path{}, syntaxError(text, 0, "'/'")
	}

	var steps []Step
	at := 1
	for token := range strings.SplitSeq(text[1:], "/") {
		step, fault := pointerStep(token)
		if fault >= 0 {
			return Path{}, syntaxError(text, at+fault, "'0' or '1' after '~'")
		}
		steps = append(steps, step)
		at += len(token) + 1
	}
	return Of(steps...), nil
}

// pointerStep returns the step of a token, or the offset after a "~" that escapes nothing.
func pointerStep(token string) (s Step, fault int) {
	if n, err := strconv.ParseUint(token, 10, 32); err == nil && n <= MaxIndex && (token == "0" || token[0] != '0') {
		return Index(int(n)), -1 //nolint:gosec // just compared
	}
	if !strings.Contains(token, "~") {
		return Key(token), -1
	}
	var key strings.Builder
	for i := 0; i < len(token); i++ {
		c := token[i]
		if c == '~' {
			i++
			switch {
			case i < len(token) && token[i] == '0':
			case i < len(token) && token[i] == '1':
				c = '/'
			default:
				return Step{}, i
			}
		}
		key.WriteByte(c)
	}

	return Key(key.String()), -1
}
