package render

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// label names a place, before its value. The root has none.
type label struct {
	was   string // the old index, if it was another one
	text  string
	style Style
}

func labelOf(s difftree.Place) label {
	n := s.Node()
	switch {
	case s.In.Kind == value.KindObject:
		return keyLabel(n.Key)
	case n.Removed():
		return indexLabel(n.OldAt())
	}

	l := indexLabel(n.NewAt())
	both := n.Op == difftree.OpUpdate || !n.Facts.Has(difftree.IsChange)
	if n.Op == difftree.OpMove || (both && n.OldAt() != n.NewAt()) {
		l.was = indexLabel(n.OldAt()).text
	}
	return l
}

// keyLabel writes a plain word as it is, and quotes every other key.
func keyLabel(k string) label {
	if k == "" || len(k) > maxLabel || strings.IndexFunc(k, isOdd) >= 0 {
		k = clip(value.String(k).String(), maxLabel)
	}
	return label{text: k, style: StyleKey}
}

func indexLabel(i int) label {
	return label{text: "[" + strconv.Itoa(i) + "]", style: StyleIndex}
}

// pathLabel names a place by a path.
func pathLabel(p path.Path) label {
	return label{text: clip(scan.Line(p.String()), maxLabel), style: StyleKey}
}

// A long path is shown by its last fewLevels steps.
const fewLevels = 12

// pathLabelOf names a place by the last steps of its path, in a time that does not grow
// with the length of the path.
func pathLabelOf(s difftree.Place, n int) label {
	shown := n
	if n > fewLevels+2 {
		shown = fewLevels
	}

	var few [fewLevels + 2]path.Step
	steps := few[:0]
	old := s.Node().Removed()
	for at := s; len(steps) < shown && at.In.Up != nil; at = at.Container() {
		steps = append(steps, at.In.Step(at.At, old))
	}
	slices.Reverse(steps)
	l := pathLabel(path.Of(steps...))
	if shown < n {
		l.text = "(" + strconv.Itoa(n-shown) + " levels)…" + l.text
	}
	return l
}

// label writes a key, padded so that the values of one container are aligned.
func (w *writer) label(l label, pad int) {
	if l.text == "" {
		return
	}
	if l.was != "" {
		w.add(l.style, l.was)
		w.add(StylePunctuation, " => ")
	}

	w.add(l.style, l.text)
	colon := ": "
	if l.style == StyleKey {
		if n := pad - runes(l.text); n > 0 {
			colon = strings.Repeat(" ", n) + colon
		}
	}
	w.add(StylePunctuation, colon)
}

func padding(pad int, l label) int {
	if n := runes(l.text); l.style == StyleKey && n <= maxPad {
		return max(pad, n)
	}
	return pad
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
	return prefix(s, width*2/3) + "…" + suffix(s, width-width*2/3-1)
}

func prefix(s string, n int) string {
	i := 0
	for ; n > 0 && i < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	return s[:i]
}

func suffix(s string, n int) string {
	i := len(s)
	for ; n > 0 && i > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:i])
		i -= size
	}
	return s[i:]
}

func runes(s string) int {
	if len(s) > 1<<12 {
		return len(s)
	}
	return utf8.RuneCountInString(s)
}
