package render

import (
	"iter"

	"github.com/propalg/propalg/diff"
)

// Text returns the text of a diff, in the style of `pulumi preview --diff`.
//
// Each line begins with a mark (+ added, - deleted, ~ updated, > moved, +- if the change
// forces a replacement), followed by a key and a value. The contents of a container are
// indented by 4 spaces. The key of an element is its index in brackets; secrets are
// written as [secret], and unknowns as [unknown]. A short array of plain values that was
// added or removed is written on one line. If the index of an element changed, its key is
// [old] => [new]. Texts of several lines are compared line by line, and entries of
// literal archives name by name. Every line ends with a newline. The text is empty only
// for the empty diff.
//
// Control characters in keys and values are escaped, and equal diffs have equal texts. A
// line has at most 3·Width + 800 characters. The options bound the running time, except
// for the time to read the diff and the texts in it.
func Text(d diff.Diff, o Options) string { return string(AppendText(nil, d, o)) }

// AppendText appends the text that [Text] returns to dst.
func AppendText(dst []byte, d diff.Diff, o Options) []byte {
	for l := range Lines(d, o) {
		dst = append(l.AppendText(dst, o.ANSI), '\n')
	}
	return dst
}

// Lines iterates over the lines that [Text] joins. It makes each line when the loop asks
// for it.
func Lines(d diff.Diff, o Options) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		if d.Empty() {
			return
		}
		w := newWriter(o, yield)
		root := outline(diff.Internal.Tree(d), w.opts, maxLevels)
		if root.shows() {
			w.entry(root, w.opts.Indent, 0)
			return
		}

		w.children(root, w.opts.Indent)
	}
}
