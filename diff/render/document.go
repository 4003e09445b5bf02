package render

import (
	"strconv"
	"strings"

	"github.com/propalg/propalg/diff"
)

// documents writes an update of one text to another as the texts and, below them,
// what changed in the documents that both hold. It reports whether they do.
func (w *writer) documents(x, y string, level int) bool {
	read := w.opts.Documents
	if read == nil || max(len(x), len(y)) > maxDocument {
		return false
	}
	was, old, ok := read(x)
	if !ok || !old.Kind().IsContainer() {
		return false
	}
	is, now, ok := read(y)
	if !ok || !now.Kind().IsContainer() {
		return false
	}

	w.twoTexts(x, y)
	d := diff.Between(old, now, diff.Options{})
	if d.Empty() {
		w.noteFirst("same document, other text")
		w.end()
		return true
	}

	w.open()
	inner := w.opts
	inner.ReplaceOn, inner.HideDiffs, inner.Documents = nil, nil, nil
	outer := w.opts
	w.opts = inner
	root := outline(diff.Internal.Tree(d), inner, maxLevels-(level+1-inner.Indent))
	root.label = formatLabel(was, is)
	w.entry(root, level+1, 0)
	w.opts = outer
	return true
}

func formatLabel(was, is string) label {
	text := formatName(was)
	if other := formatName(is); other != text {
		text += arrow + other
	}
	return label{text: "(" + text + ")", style: StyleNote}
}

func formatName(s string) string {
	const most = 20

	if s == "" {
		s = "document"
	}
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return '?'
		}
		return r
	}, prefix(s, most))
}
