package diff_test

import (
	"fmt"
	"strings"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/value"
)

// dump writes a value of a test with its marks: ! secret, ^ inherited secret,
// @n dependencies.
func dump(v value.Value) string {
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
			parts = append(parts, dump(e))
		}
		return marks + "[" + strings.Join(parts, " ") + "]"
	}
	if v.Kind() == value.KindObject {
		for k, e := range v.Members() {
			parts = append(parts, fmt.Sprintf("%q:%s", k, dump(e)))
		}
		return marks + "{" + strings.Join(parts, " ") + "}"
	}
	if s, ok := v.AsSealed(); ok {
		return marks + "sealed(" + s.Ciphertext + ")"
	}
	return marks + v.DropSecret().String()
}

// list writes the changes of a diff, one per line: operation, path, sides, facts
// (v value, s secret, d dependencies, ? maybe).
func list(d diff.Diff) string {
	var b strings.Builder
	for c := range d.Changes() {
		b.WriteString(line(c))
	}
	return b.String()
}

func line(c diff.Change) string {
	side := func(v value.Value, ok bool) string {
		if !ok {
			return "none"
		}
		return dump(v)
	}
	facts := ""
	for _, f := range []struct {
		name string
		is   bool
	}{
		{"v", c.ValueChanged()},
		{"s", c.SecretChanged()},
		{"d", c.DependenciesChanged()},
		{"o", c.OrderChanged()},
		{"?", c.Verdict() == value.Maybe},
	} {
		if f.is {
			facts += f.name
		}
	}
	return fmt.Sprintf("%v %v: %s => %s (%s)\n", c.Op(), c.Path(), side(c.Old()), side(c.New()), facts)
}
