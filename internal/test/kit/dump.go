package kit

import (
	"fmt"
	"strings"

	"github.com/propalg/propalg/value"
)

// Dump writes a value of a test with its marks: ! secret, ^ inherited secret,
// @n dependencies.
func Dump(v value.Value) string {
	marks := ""
	switch {
	case v.OwnSecret():
		marks = "!"
	case v.IsSecret():
		marks = "^"
	}
	if v.HasDependencies() {
		n := 0
		for range v.Dependencies() {
			n++
		}
		marks += fmt.Sprintf("@%d", n)
	}

	var parts []string
	if v.Kind() == value.KindArray {
		for _, e := range v.Elems() {
			parts = append(parts, Dump(e))
		}
		return marks + "[" + strings.Join(parts, " ") + "]"
	}
	if v.Kind() == value.KindObject {
		for k, e := range v.Members() {
			parts = append(parts, fmt.Sprintf("%q:%s", k, Dump(e)))
		}
		return marks + "{" + strings.Join(parts, " ") + "}"
	}

	if s, ok := v.AsSealed(); ok {
		return marks + "sealed(" + s.Ciphertext + ")"
	}
	return marks + v.DropSecret().String()
}
