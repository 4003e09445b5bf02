package protocol

import (
	"context"
	"errors"
	"fmt"

	"github.com/propalg/propalg/codec/rpc"
)

// PartialFailure is the error for a resource that is there but does not work, of which
// [InitFailed] returns the detail.
type PartialFailure struct {
	Text   string
	Detail *rpc.ErrorResourceInitFailed
}

// Error returns the text.
func (e *PartialFailure) Error() string { return e.Text }

// InitFailed returns the detail.
func (e *PartialFailure) InitFailed() *rpc.ErrorResourceInitFailed { return e.Detail }

// MissingKeys is the error of Configure for configuration that is missing.
type MissingKeys struct{ Keys []rpc.MissingKey }

// Error returns the names of the keys.
func (e *MissingKeys) Error() string {
	text := "missing configuration"
	for i, k := range e.Keys {
		text += map[bool]string{true: ": ", false: ", "}[i == 0] + k.Name
	}
	return text
}

// Refusal is the error for a request that the provider cannot serve.
type Refusal struct {
	Text   string
	NotYet bool                      // it could after another call, such as Configure
	Detail *rpc.InputPropertiesError // or nil
}

// Error returns the text.
func (e *Refusal) Error() string { return e.Text }

// Masked is an error of which a secret was taken out. Nothing of the error that it was made of
// shows but its text.
type Masked struct {
	text  string
	cause func() error
	mask  func(string) string
}

// Mask returns the error for another one, whose texts a function masks.
func Mask(cause error, text string, mask func(string) string) *Masked {
	return &Masked{text, func() error { return cause }, mask}
}

// Error returns the masked text.
func (e *Masked) Error() string { return e.text }

// Format writes the masked text for every verb.
func (e *Masked) Format(f fmt.State, _ rune) { fmt.Fprint(f, e.text) }

// Is reports whether the cause is one of the errors of a context that ended.
func (e *Masked) Is(target error) bool {
	return (target == context.Canceled || target == context.DeadlineExceeded) && errors.Is(e.cause(), target)
}

// Reveal returns what masks texts, and the cause.
func (e *Masked) Reveal() (mask func(string) string, cause error) { return e.mask, e.cause() }
