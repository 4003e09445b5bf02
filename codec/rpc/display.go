package rpc

import (
	"fmt"
	"io"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/refuse"
)

// display is what every text for people shows of a message: its JSON form, but
// what [value.Value.MarshalJSON] shows of properties, "[secret]" for
// configuration and tokens, the length of bytes, and nothing of Unrecognized.
// Bytes that are no UTF-8 become U+FFFD.
func display(m Message) []byte {
	// Messages nest a few levels only, and nothing else fails when showing.
	dst, err := appendObject(nil, m, call{opts: codec.Options{}, show: true, level: 1})
	if err != nil {
		return []byte("{}")
	}
	return dst
}

// text of a message: its name and its display.
func shown(m Message) string { return shortName(m) + string(display(m)) }

// formatted writes a message for any verb: none gives away more than another.
func formatted(f fmt.State, m Message) {
	_, _ = io.WriteString(f, shown(m)) // nowhere to report it
}

// unread is the error of every message's UnmarshalJSON.
func unread(name string) error { return refuse.JSON("rpc."+name, "rpc.DecodeJSON") }
