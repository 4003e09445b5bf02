package diff

import (
	"strings"
	"unicode/utf8"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// entry is a line, or a container of lines, of the text of a diff.
type entry struct {
	step    path.Step
	label   string
	isIndex bool
	change  *Change // nil for a container that only holds changes
	cut     bool    // the change is inside a secret, which stands here for it
	below   []*entry
}

// outline arranges the changes of a diff as nested entries, as deep as texts
// nest. Changes inside one secret become one entry at the secret, unless
// secrets are revealed.
func outline(d Diff, s Secrets) []*entry {
	root := &entry{}
	open := []*entry{root} // the entries from the root to the last change
	for c := range d.Changes() {
		place, cut := c.Path(), false
		if s != RevealSecrets {
			shown := c.Shown()
			place, cut = shown.Path(), shown.Cut()
		}
		level := 0
		for step := range place.Steps() {
			if level == maxLevels {
				break
			}
			level++
			if level < len(open) && open[level].step == step && open[level].label != "" {
				continue
			}
			open = append(open[:level], addEntry(open[level-1], step))
		}
		open = open[:level+1]
		e := open[level]
		if rest := place.Len() - level; rest > 0 {
			// Too deep to nest: one more entry, named by the rest of the path.
			tail, _ := place.TrimPrefix(place.Prefix(level))
			e.below = append(e.below, &entry{label: clip(tail.String(), maxLabel), change: &c, cut: cut})
			continue
		}
		if e.change == nil {
			e.change, e.cut = &c, cut
		}
	}
	if root.change != nil {
		return []*entry{root}
	}
	return root.below
}

func addEntry(parent *entry, step path.Step) *entry {
	e := &entry{step: step, label: keyLabel(step)}
	_, e.isIndex = step.Index()
	parent.below = append(parent.below, e)
	return e
}

// keyLabel names a key as it is when it is a plain word, quoted otherwise, and
// an element as [i].
func keyLabel(s path.Step) string {
	k, ok := s.Key()
	if !ok {
		return s.String()
	}
	if k != "" && len(k) <= maxLabel && strings.IndexFunc(k, isOdd) < 0 {
		return k
	}
	return clip(value.String(k).String(), maxLabel)
}

func isOdd(r rune) bool {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
		return false
	}
	return !strings.ContainsRune("_-./$@+", r)
}

// clip elides the middle of a text that has more than width characters.
func clip(s string, width int) string {
	if len(s) <= width || runes(s) <= width {
		return s
	}
	const gap = "…"
	front := prefix(s, width*2/3)
	back := suffix(s, width-width*2/3-1)
	return front + gap + back
}

// prefix returns the first n characters of a text, without looking further.
func prefix(s string, n int) string {
	i := 0
	for ; n > 0 && i < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	return s[:i]
}

// suffix returns the last n characters of a text, without looking further.
func suffix(s string, n int) string {
	i := len(s)
	for ; n > 0 && i > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:i])
		i -= size
	}
	return s[i:]
}

// runes counts characters, but stops where no caller looks any further.
func runes(s string) int {
	n := 0
	for range s {
		if n++; n > 4096 {
			break
		}
	}
	return n
}
