// Package refuse makes the errors of types that encoding/json cannot read.
//
// A struct without exported fields is one that encoding/json fills with nothing, and
// without an error. So a type that programs take for data, and that has no JSON form of
// its own to be read, has an UnmarshalJSON that refuses, and says what to use.
package refuse

import (
	"errors"
	"fmt"
)

// JSON returns the error of the UnmarshalJSON of a type. It wraps
// [errors.ErrUnsupported].
func JSON(name, use string) error {
	return fmt.Errorf("%s cannot be read by encoding/json: use %s: %w", name, use, errors.ErrUnsupported)
}
