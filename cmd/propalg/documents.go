package main

import (
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// jsonDocument reads a text that is a JSON object or array, so that what changed
// in a policy, say, can be told as structure. Numbers that would be rounded make
// it no document: two of them could look the same.
func jsonDocument(text string) (format string, document value.Value, ok bool) {
	if start := strings.TrimLeft(text, " \t\r\n"); start == "" || start[0] != '{' && start[0] != '[' {
		return "", value.Value{}, false
	}
	v, err := codec.DecodeJSON([]byte(text), codec.Options{})
	return "json", v, err == nil
}
