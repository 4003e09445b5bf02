package main

import (
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// hiddenChange is a change of a number that doubles cannot tell: the texts in
// the two files differ, what they round to is equal.
type hiddenChange struct {
	at     path.Shown
	secret bool
}

// text is the line that shows the change.
func (h hiddenChange) text(level int) string {
	label := h.at.String()
	if h.secret {
		label += ": [secret] => [secret]"
	} else {
		label += ": two numbers that round to the same double"
	}
	return strings.Repeat("    ", level) + "~ " + label + "  # differs in digits that a double cannot hold\n"
}

// hidden finds, among the numbers that were rounded on either side, those whose
// counterparts have another text but the same value.
func hidden(before, after value.Value, old, now *codec.Report) []hiddenChange {
	there := make(map[path.Path]codec.Rounded, len(old.Rounded))
	for _, r := range old.Rounded {
		there[r.At.RevealPath()] = r
	}
	var found []hiddenChange
	note := func(r codec.Rounded) {
		x, ok1 := before.At(r.At.RevealPath())
		y, ok2 := after.At(r.At.RevealPath())
		if ok1 && ok2 && x.Kind() == value.KindNumber && value.IgnoreSecrets.Equal(x, y) {
			found = append(found, hiddenChange{r.At, x.IsSecret() || y.IsSecret()})
		}
	}
	for _, r := range now.Rounded {
		o, both := there[r.At.RevealPath()]
		delete(there, r.At.RevealPath())
		if both && o.SameText(r) {
			continue
		}
		note(r)
	}
	for _, r := range old.Rounded {
		if _, only := there[r.At.RevealPath()]; only {
			note(r)
		}
	}
	return found
}
