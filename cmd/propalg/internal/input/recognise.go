package input

import (
	"errors"
	"fmt"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/codec/steps"
)

var errNoStack = errors.New("neither stack export nor checkpoint")

// explain returns an error that names what a text is, or else the error that decoding it
// gave, with its place.
func explain(text string, err error) error {
	if found := Guess(text); found != "" {
		return fmt.Errorf("neither a property bag nor a stack: found %s", found)
	}
	return atPlace(text, err)
}

// Guess says what a text that may be cut off looks like, and which command reads it; it
// is empty if the text looks like nothing that this tool knows.
func Guess(text string) string {
	if format := steps.FormatOf(text); format != "" {
		return guessed(format)
	}

	if state.IsState(text) {
		return "a stack, which 'propalg diff' and 'propalg state' read"
	}
	line, _, _ := strings.Cut(strings.TrimLeft(text, "\ufeff \t\r\n"), "\n")
	switch _, err := state.Parse(line, state.Options{}); {
	case strings.HasPrefix(line, "{") && strings.Contains(line, `"method"`) && strings.Contains(line, "pulumirpc."):
		return "a log of calls (PULUMI_DEBUG_GRPC), which 'propalg lint' reads"
	case strings.HasPrefix(line, "{"):
		if e := (*state.Error)(nil); errors.As(err, &e) && errors.Is(e, state.ErrShape) {
			return e.Found
		}
	case strings.HasPrefix(line, "---") || yamlLine(line):
		return "YAML; it has to be JSON"
	}

	return ""
}

func guessed(format string) string {
	article := "a "
	if strings.HasPrefix(format, "e") {
		article = "an "
	}
	return article + format + ", which 'propalg diff' reads"
}

// yamlLine reports whether a line is a comment, or begins with a key and a colon, as YAML
// does.
func yamlLine(line string) bool {
	key, rest, found := strings.Cut(line, ":")
	return strings.HasPrefix(line, "# ") || (found && (rest == "" || strings.HasPrefix(rest, " ") || rest == "\r") && !strings.ContainsAny(key, "{}[]\"' "))
}

// CheckEncoding returns an error for a text that begins as those of other encodings
// do, which Windows often writes; a syntax error at the first byte would not say it.
func CheckEncoding(begin string) error {
	if len(begin) < 3 {
		return nil
	}
	switch begin[:2] {
	case "\xff\xfe", "\xfe\xff", "{\x00", "\x00{":
		return errors.New("the file is UTF-16, as the > of Windows PowerShell writes it; it has to be UTF-8")
	}

	return nil
}

// CheckObject returns an error for a text that begins neither with an object nor
// with an array, so that no more of it has to be read.
func CheckObject(begin string) error {
	start := strings.TrimLeft(begin, " \t\r\n")
	if start == "" || start[0] == '{' || start[0] == '[' {
		return nil
	}
	if yamlLine(strings.SplitN(start, "\n", 2)[0]) || strings.HasPrefix(start, "---") {
		return errors.New("expected a JSON object, found YAML")
	}

	return fmt.Errorf("offset %d: syntax error: expected a JSON object", len(begin)-len(start))
}

// checkBegin returns an error for the beginning of an input in which something is
// wrong already, other than that it is cut off.
func checkBegin(begin string) error {
	if err := CheckObject(begin); err != nil {
		return err
	}

	var err error
	inform := atPlace
	if state.IsState(begin) {
		_, err = state.Parse(begin, state.Options{Codec: options(nil)})
	} else {
		_, err = codec.DecodeJSON(begin, options(nil))
		inform = explain
	}
	if offset := offsetOf(err); offset < 0 || offset >= int64(len(begin)-longestCut) {
		return nil
	}
	return inform(begin, err)
}

// beginsStack reports whether the beginning of a file shows that it is a stack,
// whatever follows. A stack may also be recognised by the lack of other members; one
// that is added here prevents that.
func beginsStack(begin string) bool {
	rest, isObject := strings.CutPrefix(strings.TrimLeft(begin, " \t\r\n"), "{")
	return isObject && state.IsState(`{"more":0,`+rest)
}
