package rpc

import (
	"fmt"
	"io"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/refuse"
)

// display returns the text for people: the JSON form of a message, with properties as
// [value.Value.MarshalJSON] writes them, "[secret]" for configuration and tokens, and
// the length of bytes. Unrecognized is left out. Invalid UTF-8 becomes U+FFFD.
func display(m Message) []byte {
	// The only error left is that of depth, and messages nest a few levels only.
	dst, err := appendObject(nil, m, call{opts: codec.Options{}, show: true, level: 1})
	if err != nil {
		return []byte("{}")
	}
	return dst
}

func shown(m Message) string { return shortName(m) + string(display(m)) }

func formatted(f fmt.State, m Message) {
	_, _ = io.WriteString(f, shown(m)) // nowhere to report it
}

// unread returns the error of a message's UnmarshalJSON.
func unread(name string) error { return refuse.JSON("rpc."+name, "rpc.DecodeJSON") }
