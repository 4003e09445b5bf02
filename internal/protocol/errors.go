package protocol

import "github.com/propalg/propalg/codec/rpc"

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
