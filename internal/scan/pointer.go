package scan

import "strings"

// AppendPointer appends a key as a token of a JSON pointer (RFC 6901), without the slash
// before it.
func AppendPointer(out []byte, key string) []byte {
	return append(out, strings.NewReplacer("~", "~0", "/", "~1").Replace(key)...)
}
