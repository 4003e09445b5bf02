package diff_test

import (
	"fmt"
	"strings"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/value"
)

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
		return kit.Dump(v)
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
