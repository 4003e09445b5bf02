package render

import (
	"iter"
	"strconv"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// subtree writes values with their contents, each line with a mark, and stops after a
// number of lines with a count of the rest.
type subtree struct {
	writer *writer
	op     diff.Op
	mark   Mark
	state  standing
	said   bool // a line has said that it forces a replacement
	left   int  // lines that may still be written; if negative, lines that were not
}

// side writes the value of an addition or deletion after its mark and label.
func (t *subtree) side(v value.Value, level int) {
	if !isTree(v) {
		t.writer.brief(t.style(), v)
		t.writer.end()
		return
	}

	if t.inline(v, t.state) {
		return
	}
	t.nested(v, func() { t.whole(v, level+1) })
}

func (t *subtree) style() Style {
	if t.mark == MarkDelete {
		return StyleOld
	}
	return StyleNew
}

func (t *subtree) nested(v value.Value, contents func()) {
	if v.Kind() == value.KindArchive {
		t.writer.blob(t.style(), v)
		t.writer.add(StylePunctuation, " ")
	}
	t.writer.nested(v.Kind(), contents)
}

func (t *subtree) whole(v value.Value, level int) {
	t.left, t.said = min(maxSubtree, max(t.writer.left, 1)), false
	t.inside(v, level, t.state)
	if t.left >= 0 {
		return
	}

	var notes []string
	if f := (difftree.Finder{Whole: true}); !t.said && !t.state.replace.MatchesAbove() && f.Search(v, t.state.replace) {
		notes = append(notes, forcesNote(t.op))
	}
	t.writer.count(level, strconv.Itoa(-t.left), "more", notes...)
}

// inside writes the members, elements or entries of a container. Below maxLevels
// levels containers are named by kind and size, so recursion is bounded. Once the
// lines are used up it counts the children that are left, which is O(1) a
// container.
func (t *subtree) inside(v value.Value, level int, above standing) {
	pad, count, all := alignment(v), 0, size(v)
	for step, child := range parts(v) {
		if t.left <= 0 || t.writer.done {
			t.left -= all - count
			return
		}

		t.left--
		count++
		var here standing // no path leads into archives
		if v.Kind() != value.KindArchive {
			here = above.step(step)
		}
		t.child(step, child, level, pad, above, here)
	}
}

// child writes one member or element; the line that is the first to match a
// replacement pattern says so.
func (t *subtree) child(step path.Step, v value.Value, level, pad int, above, here standing) {
	w, mark := t.writer, t.mark
	var notes []string
	forces := here.replace.MatchesAbove() && !above.replace.MatchesAbove()
	if forces {
		mark, notes = MarkReplace, []string{forcesNote(t.op)}
	}

	if !step.IsKey() {
		here = here.intoElement()
	}
	hidden := here.hide.MatchesAbove()
	brief := hidden || (w.opts.Secrets != value.RevealSecrets && v.IsSecret()) || !isTree(v) || level-w.opts.Indent > maxLevels
	if f := (difftree.Finder{Whole: true}); brief && !forces && here.replace.MayMatchBelow() && !here.replace.MatchesAbove() && f.Search(v, here.replace) {
		// The match is in what is not shown.
		notes, forces = append(notes, forcesNote(t.op)), true
	}
	t.said = t.said || forces

	w.begin(level, mark, t.op, notes...)
	w.label(stepLabel(step), pad)
	switch {
	case hidden:
		w.add(StyleHidden, hiddenText)
		w.end()
	case brief:
		w.brief(t.style(), v)
		w.end()
	case t.inline(v, here):
	default:
		t.nested(v, func() { t.inside(v, level+1, here) })
	}
}

// inline writes a short array of plain values on the rest of the line, and reports whether
// it did. It does not where a pattern matches an element.
func (t *subtree) inline(v value.Value, here standing) bool {
	const (
		most    = 4
		longest = 24
	)
	if v.Kind() != value.KindArray || v.Len() > most || here.hide.MayMatchBelow() || (here.replace.MayMatchBelow() && !here.replace.MatchesAbove()) {
		return false
	}

	for _, e := range v.Elems() {
		text, isText := e.AsString()
		isPlain := (isText && len(text) <= longest) || e.Kind() == value.KindNumber || e.Kind() == value.KindBool
		if !isPlain || e.IsSecret() {
			return false
		}
	}

	w := t.writer
	w.add(StylePunctuation, "[")
	for i, e := range v.Elems() {
		if i > 0 {
			w.add(StylePunctuation, ", ")
		}
		w.brief(t.style(), e)
	}
	w.add(StylePunctuation, "]")
	w.end()
	return true
}

func parts(v value.Value) iter.Seq2[path.Step, value.Value] {
	return func(yield func(path.Step, value.Value) bool) {
		if v.Kind() == value.KindArray {
			for i, e := range v.Elems() {
				if !yield(path.Index(i), e) {
					return
				}
			}
			return
		}

		members := v.Members()
		if a, ok := v.AsArchive(); ok {
			members = a.Entries()
		}
		for k, m := range members {
			if !yield(path.Key(k), m) {
				return
			}
		}
	}
}

func size(v value.Value) int {
	if a, ok := v.AsArchive(); ok {
		return a.Len()
	}
	return v.Len()
}

func stepLabel(s path.Step) label {
	if i, ok := s.AsIndex(); ok {
		return indexLabel(i)
	}
	k, _ := s.AsKey()
	return keyLabel(k)
}

// alignment returns the width to which the keys of an object are padded. It looks at as
// many as fit on the lines that are left.
func alignment(v value.Value) int {
	pad, seen := 0, 0
	for step := range parts(v) {
		if k, ok := step.AsKey(); !ok || seen > maxSubtree {
			break
		} else if len(k) <= maxPad {
			pad = padding(pad, keyLabel(k))
		}

		seen++
	}
	return pad
}
