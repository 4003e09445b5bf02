package rpc

// NOTE: Which fields are hidden is in protocol.txt, by the flag hidden.

import (
	"bytes"
	"fmt"
	"io"
	"maps"

	"github.com/propalg/propalg/internal/refuse"
	"github.com/propalg/propalg/internal/veil"
)

// Hidden is a field of a message that no printer shows, such as a token or a
// configuration: neither fmt, log/slog and encoding/json, nor printers for tests such as
// go-cmp and testify. Only its length is not hidden. [Hide] makes one, and
// [Hidden.Reveal] returns what is in it.
//
// The zero Hidden holds the zero T, which messages take for absent. Compare two by
// [Hidden.Equal]; the == operator does not compile.
type Hidden[T string | []byte | map[string]string] struct{ of veil.Header[T] }

// Hide returns v hidden. It does not copy bytes and maps.
func Hide[T string | []byte | map[string]string](v T) Hidden[T] {
	var h Hidden[T]
	*h.of.Open() = v
	return h
}

// Reveal returns what is hidden. It does not copy bytes and maps.
func (h Hidden[T]) Reveal() T { return *h.of.Open() }

// Equal reports whether two fields hold the same. Absent and empty are the same.
func (h Hidden[T]) Equal(other Hidden[T]) bool {
	theirs := any(other.Reveal())

	switch ours := any(h.Reveal()).(type) {
	case string:
		b, _ := theirs.(string)
		return ours == b
	case []byte:
		b, _ := theirs.([]byte)
		return bytes.Equal(ours, b)
	case map[string]string:
		b, _ := theirs.(map[string]string)
		return maps.Equal(ours, b)
	default:
		return false // no other type satisfies the constraint
	}
}

// String returns "[secret]", or nothing if the field is absent.
func (h Hidden[T]) String() string {
	var absent Hidden[T]
	if h.Equal(absent) {
		return ""
	}
	return veil.SecretText
}

// Format writes the text of String for every verb.
func (h Hidden[T]) Format(f fmt.State, _ rune) {
	_, _ = io.WriteString(f, h.String()) // nowhere to report it
}

// MarshalJSON returns the text of String as a JSON string.
func (h Hidden[T]) MarshalJSON() ([]byte, error) { return []byte(`"` + h.String() + `"`), nil }

// UnmarshalJSON returns an error: the text of MarshalJSON has lost the content.
func (*Hidden[T]) UnmarshalJSON([]byte) error { return refuse.JSON("rpc.Hidden", "rpc.Hide") }

// Extra is what all messages have besides their fields of the protocol.
type Extra struct {
	// Unrecognized holds fields that the struct does not have, as they were read.
	Unrecognized Hidden[[]byte] `json:"-"`
}

func (x *Extra) unrecognized() *[]byte { return x.Unrecognized.of.Open() }

// UnmarshalJSON returns an error, as a method of every message: [DecodeJSON] reads
// messages.
func (*Extra) UnmarshalJSON([]byte) error {
	return refuse.JSON("a message of package rpc", "rpc.DecodeJSON")
}
