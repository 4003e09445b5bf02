package redact_test

import (
	"errors"
	"testing"

	"github.com/propalg/propalg/internal/redact"
	"github.com/propalg/propalg/value"
)

// TestError removes secrets from texts: the longest first, as they are and in quotes, with
// the keys inside them, and nothing else.
func TestError(t *testing.T) {
	secret := func(v value.Value) value.Value { return value.Object(value.Field("in", value.Secret(v))) }
	of := []value.Value{
		secret(value.String("hunter")), secret(value.String("hunter2")), secret(value.String("a\n\"b")), secret(value.String("ab")),
		secret(value.Object(value.Field("token", value.Array(value.String("inside"))))), value.Object(value.Field("plain", value.String("clear"))),
	}
	for text, want := range map[string]string{
		"hunter2 and hunter":  "[secret] and [secret]",
		"a\n\"b":              "[secret]",
		`said "a\n\"b"`:       `said "[secret]"`,
		"ab is short":         "ab is short",
		"token has inside it": "[secret] has [secret] it",
		"clear, plain and in": "clear, plain and in",
	} {
		cause := errors.New(text)
		err := redact.Error("at", cause, of...)
		if err.Error() != "at: "+want {
			t.Errorf("%q, not %q", err, want)
		}
		if !errors.Is(err, cause) {
			t.Errorf("%q has lost its cause", err)
		}
	}
}
