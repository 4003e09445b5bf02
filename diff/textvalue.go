package diff

import (
	"strconv"
	"unicode/utf8"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// isTree reports whether a value takes lines of its own.
func isTree(v value.Value) bool { return v.Kind().IsContainer() && v.Len() > 0 }

// describe names a value where its content does not fit.
func (w *textWriter) describe(v value.Value) string {
	part := textWriter{opts: w.opts}
	part.brief(v)
	return string(part.out)
}

// brief writes a value on a part of a line; containers by kind and size.
func (w *textWriter) brief(v value.Value) {
	switch {
	case w.opts.Secrets != RevealSecrets && v.IsSecret() || !isTree(v):
		w.scalar(v)
	case v.Kind() == value.KindArray:
		w.out = append(w.out, "an array ("+strconv.Itoa(v.Len())+")"...)
	default:
		w.out = append(w.out, "an object ("+strconv.Itoa(v.Len())+")"...)
	}
}

// scalar writes a value without lines of its own.
func (w *textWriter) scalar(v value.Value) {
	if w.opts.Secrets == RevealSecrets {
		v = v.DropSecret()
	}
	if v.IsSecret() {
		w.out = append(w.out, "[secret]"...)
		return
	}
	if s, ok := v.AsString(); ok {
		w.out = append(w.out, window(s, 0, w.opts.Width)...)
		return
	}
	w.out = append(w.out, clip(v.String(), w.opts.Width)...)
}

// both writes two values without lines of their own, so that they never look the
// same: of long texts the part around the first difference.
func (w *textWriter) both(old, now value.Value) {
	x, isText := old.AsString()
	y, areTexts := now.AsString()
	if isText && areTexts {
		from := 0
		if n := common(x, y); max(len(x), len(y)) > w.opts.Width && n > w.opts.Width/2 {
			from = n - len(suffix(x[:n], w.opts.Width/4))
		}
		w.out = append(w.out, window(x, from, w.opts.Width)+" => "+window(y, from, w.opts.Width)...)
		return
	}
	a, b := w.describe(old), w.describe(now)
	w.out = append(w.out, a+" => "+b...)
	if a == b {
		w.out = append(w.out, "  # differ in what is not shown"...)
	}
}

// common is the length of the longest common prefix that ends with a character.
func common(x, y string) int {
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	for back := 0; n > 0 && n < len(x) && !utf8.RuneStart(x[n]) && back < utf8.UTFMax; back++ {
		n--
	}
	return n
}

// window quotes width characters of a text from a place on, with counts of what
// is left out. It reads no more than it shows.
func window(s string, from, width int) string {
	shown := prefix(s[from:], width)
	text := value.String(shown).String()
	if from > 0 {
		text = "…" + strconv.Itoa(from) + " bytes… " + text
	}
	if rest := len(s) - from - len(shown); rest > 0 {
		text += " …" + strconv.Itoa(rest) + " bytes…"
	}
	return text
}

// subtree writes values with all that is in them, each line with a mark, and
// stops after a number of lines with a count of the rest.
type subtree struct {
	writer  *textWriter
	left    int        // lines that may still be written; below 0: lines that were not
	replace path.State // of the patterns that force a replacement
}

// side writes the value of an addition or deletion after its mark and label.
func (t *subtree) side(v value.Value, level int, head, mark, tag string) {
	w := t.writer
	if !isTree(v) {
		w.scalar(v)
		w.out = append(w.out, tag+"\n"...)
		return
	}
	open, end := brackets(v)
	w.out = append(w.out, open+tag+"\n"...)
	t.whole(v, level+1, mark)
	w.line(level, head)
	w.out = append(w.out, end+"\n"...)
}

func brackets(v value.Value) (open, end string) {
	if v.Kind() == value.KindArray {
		return "[", "]"
	}
	return "{", "}"
}

// whole writes what is in a container, or a value that is none.
func (t *subtree) whole(v value.Value, level int, mark string) {
	w := t.writer
	if w.opts.Secrets != RevealSecrets && v.IsSecret() || !isTree(v) {
		w.line(level, mark)
		w.scalar(v)
		w.out = append(w.out, '\n')
		return
	}
	t.inside(v, level, mark, t.replace)
	if t.left < 0 {
		w.line(level, mark)
		w.out = append(w.out, "… "+strconv.Itoa(-t.left)+" more lines\n"...)
	}
}

// inside writes the members or elements of a container. Below maxLevels levels
// containers are named by kind and size, so recursion is bounded. Once the lines
// are used up it counts the children that are left, which is O(1) a container.
func (t *subtree) inside(v value.Value, level int, mark string, replace path.State) {
	pad, count := alignment(v), 0
	for k, child := range v.Members() {
		if !t.room(v, count) {
			return
		}
		count++
		t.child(keyLabel(path.Key(k)), child, level, pad, mark, replace, replace.Key(k))
	}
	for i, child := range v.Elems() {
		if !t.room(v, count) {
			return
		}
		count++
		t.child("["+strconv.Itoa(i)+"]", child, level, 0, mark, replace, replace.Index(i))
	}
}

func (t *subtree) room(v value.Value, count int) bool {
	if t.left <= 0 {
		t.left -= v.Len() - count
		return false
	}
	t.left--
	return true
}

// child writes one member or element; the line that is the first to match a
// replacement pattern says so.
func (t *subtree) child(label string, v value.Value, level, pad int, mark string, above, here path.State) {
	w, tag, head := t.writer, "", mark
	if here.Covers() && !above.Covers() {
		head, tag = "+-", forced(nil)
	}
	w.line(level, head)
	w.label(label, pad)
	// What is not shown may hold the match.
	secret := w.opts.Secrets != RevealSecrets && v.IsSecret()
	if secret || !isTree(v) || level > maxLevels {
		w.brief(v)
		if f := (finder{}); tag == "" && here.Touches() && f.search(v, here) {
			tag = forced(nil)
		}
		w.out = append(w.out, tag+"\n"...)
		return
	}
	open, end := brackets(v)
	w.out = append(w.out, open+tag+"\n"...)
	t.inside(v, level+1, mark, here)
	w.line(level, head)
	w.out = append(w.out, end+"\n"...)
}

// alignment is the width to which the keys of an object are padded. It looks at
// as many as fit on the lines there are.
func alignment(v value.Value) int {
	pad, seen := 0, 0
	for k := range v.Keys() {
		if seen++; seen > maxLines {
			break
		}
		if len(k) <= maxPad {
			pad = max(pad, min(maxPad, runes(keyLabel(path.Key(k)))))
		}
	}
	return pad
}
