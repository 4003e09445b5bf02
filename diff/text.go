package diff

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Secrets says what texts do with secrets. The set is closed.
type Secrets uint8

const (
	// MaskSecrets shows "[secret]" for both sides of every change in which
	// either side is secret, and nothing of what is inside a secret container.
	MaskSecrets Secrets = iota
	// RevealSecrets shows secrets in clear. (A sealed secret has no clear text.)
	RevealSecrets
)

// TextOptions say how a diff is written down. The zero TextOptions are ready.
type TextOptions struct {
	// Indent is the number of levels, of 4 spaces each, that every line starts
	// with; at most 24.
	Indent int
	// ReplaceOn are the patterns of properties whose change forces a
	// replacement; their lines say so.
	ReplaceOn *path.Set
	// Secrets: masked, unless told otherwise.
	Secrets Secrets
	// Width is the number of characters after which a text value is elided in
	// its middle; 0 means 120, and less than 16 is taken as 16.
	Width int
}

// The limits of a text, so that it stays readable and bounded for any values:
// an added or deleted subtree is cut after maxLines lines with a count of the
// rest, and below maxLevels levels a change is named by its path on one line.
const (
	maxLines  = 400
	maxLevels = 24
	maxLabel  = 200 // characters of a key
	maxPad    = 40  // to which the labels of one container are aligned
	minWidth  = 16
	fullWidth = 120
	spaces    = "                                "
)

// Text writes a diff for people, in the manner of `pulumi preview --diff`: a
// mark (+ added, - deleted, ~ updated, +- when the change forces a replacement),
// then key and value, containers nested by 4 spaces, elements as [i], secrets
// as [secret], unknowns as [unknown]. Every line ends with a newline; the empty
// diff gives the empty text. Control characters in keys and values are escaped,
// the length of lines and of subtrees is bounded, and equal diffs give equal
// texts.
func Text(d Diff, o TextOptions) string { return string(AppendText(nil, d, o)) }

// AppendText appends what [Text] returns.
func AppendText(dst []byte, d Diff, o TextOptions) []byte {
	w := textWriter{out: dst, opts: o}
	if o.Width == 0 {
		w.opts.Width = fullWidth
	}
	w.opts.Width = max(w.opts.Width, minWidth)
	w.children(outline(d, o), min(max(o.Indent, 0), maxLevels))
	return w.out
}

// String is [Text] with its zero options.
func (d Diff) String() string { return Text(d, TextOptions{}) }

// GoString is what %#v shows: no content but the number of changes.
func (d Diff) GoString() string { return fmt.Sprintf("diff.Diff{/* %d changes */}", d.Len()) }

// Format writes the masked text for every verb but %#v.
func (d Diff) Format(s fmt.State, verb rune) {
	text := d.String()
	if verb == 'v' && s.Flag('#') {
		text = d.GoString()
	}
	_, _ = s.Write([]byte(text)) // a fmt.State keeps its error to itself
}

// MarshalText makes encoding/json and log/slog show a diff as [Diff.String] does:
// for people, masked. There is no way back.
func (d Diff) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// String writes one change on one line or, when subtrees come or go, on several,
// without a newline at the end: `~ tags.env: "dev" => "prod"`. Secrets are
// masked. The zero Change gives the empty text.
func (c Change) String() string {
	if c.at.in == nil {
		return ""
	}
	w := textWriter{opts: TextOptions{Width: fullWidth}}
	place := c.Shown()
	w.entry(&entry{label: clip(scan.Line(place.Path().String()), maxLabel), change: &c, cut: place.Cut()}, 0, 0)
	return strings.TrimSuffix(string(w.out), "\n")
}

// GoString is what %#v shows: the masked line.
func (c Change) GoString() string { return "diff.Change{" + c.String() + "}" }

// Format writes the masked line for every verb.
func (c Change) Format(s fmt.State, verb rune) {
	text := c.String()
	if verb == 'v' && s.Flag('#') {
		text = c.GoString()
	}
	_, _ = s.Write([]byte(text))
}

// MarshalText makes encoding/json and log/slog show a change as [Change.String]
// does.
func (c Change) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

type textWriter struct {
	out  []byte
	opts TextOptions
}

// line begins a line: indentation whose last two places hold the mark.
func (w *textWriter) line(level int, mark string) {
	for range level {
		w.out = append(w.out, "    "...)
	}
	w.out = append(w.out, mark...)
	w.out = append(w.out, spaces[:2-min(2, len(mark))]...)
}

// label writes a key, padded so that the values of one container stand below
// each other. The root has no label.
func (w *textWriter) label(text string, pad int) {
	if text == "" {
		return
	}
	w.out = append(w.out, text...)
	for n := runes(text); n < pad; n++ {
		w.out = append(w.out, ' ')
	}
	w.out = append(w.out, ": "...)
}

func (w *textWriter) children(es []*entry, level int) {
	pad := 0
	for _, e := range es {
		if n := runes(e.label); n <= maxPad {
			pad = max(pad, n)
		}
	}
	for _, e := range es {
		w.entry(e, level, pad)
	}
}

// entry writes a change, or a container with the changes in it. The nesting of
// entries is bounded by maxLevels, so recursion is.
func (w *textWriter) entry(e *entry, level, pad int) {
	mark, tag := "~", ""
	if e.change != nil {
		mark, tag = marks(e.change.Op()), note(*e.change)
	}
	head := mark
	if e.replaces {
		head = "+-"
		if len(e.below) == 0 && (e.cut || w.hidden(e.change)) || e.state.Covers() {
			tag += forced(e.change)
		}
	}
	w.line(level, head)
	w.label(e.label, pad)
	if len(e.below) == 0 && e.more == 0 {
		w.change(e, level, head, tag)
		return
	}
	open, end := "{", "}"
	if len(e.below) > 0 && e.below[0].isIndex {
		open, end = "[", "]"
	}
	w.out = append(w.out, open+tag+"\n"...)
	w.children(e.below, level+1)
	if e.more > 0 {
		w.line(level+1, "")
		w.out = append(w.out, "… "+strconv.Itoa(e.more)+" more changes below\n"...)
	}
	w.line(level, "")
	w.out = append(w.out, end+"\n"...)
}

// forced is the tag of a line that forces a replacement, whose mark no longer
// says what happened.
func forced(c *Change) string {
	if c != nil {
		switch c.Op() {
		case OpAdd, OpInsert:
			return "  # added, forces replacement"
		case OpDelete, OpRemove:
			return "  # deleted, forces replacement"
		case OpUpdate, OpMove:
		}
	}
	return "  # forces replacement"
}

// hidden reports whether neither side of a change may be shown.
func (w *textWriter) hidden(c *Change) bool {
	return w.opts.Secrets != RevealSecrets && c.Secret()
}

// change writes what happened at one place, after its mark and label.
func (w *textWriter) change(e *entry, level int, mark, tag string) {
	if e.cut {
		w.out = append(w.out, "[secret] => [secret]"+tag+"\n"...)
		return
	}
	c := e.change
	old, hasOld := c.Old()
	now, hasNow := c.New()
	hasOld, hasNow = hasOld && c.Op() != OpAdd, hasNow && c.Op() != OpDelete
	tree := subtree{writer: w, left: maxLines, replace: e.state}
	switch {
	case w.hidden(c) && hasOld && hasNow && c.ValueChanged():
		w.out = append(w.out, "[secret] => [secret]"...)
	case w.hidden(c):
		w.out = append(w.out, "[secret]"...)
	case hasOld && hasNow && !c.ValueChanged():
		w.brief(now)
	case hasOld && hasNow && c.Verdict() != value.Maybe && (isTree(old) || isTree(now)):
		w.out = append(w.out, w.describe(old)+" => "+w.describe(now)+tag+"\n"...)
		tree.whole(old, level+1, "-")
		tree.left = maxLines
		tree.whole(now, level+1, "+")
		return
	case hasOld && hasNow:
		w.both(old, now)
	case hasNow:
		tree.side(now, level, mark, "+", tag)
		return
	case hasOld:
		tree.side(old, level, mark, "-", tag)
		return
	}
	w.out = append(w.out, tag+"\n"...)
}

func marks(op Op) string {
	switch op {
	case OpAdd, OpInsert:
		return "+"
	case OpDelete, OpRemove:
		return "-"
	case OpMove:
		return ">"
	case OpUpdate:
	}
	return "~"
}

// note says what the values alone do not show.
func note(c Change) string {
	var notes []string
	old, hasOld := c.Old()
	now, hasNow := c.New()
	if c.SecretChanged() && hasOld && hasNow {
		if now.IsSecret() {
			notes = append(notes, "becomes secret")
		} else {
			notes = append(notes, "no longer secret")
		}
	}
	if c.DependenciesChanged() {
		notes = append(notes, "dependencies change")
	}
	if c.OrderChanged() {
		notes = append(notes, "order changes")
	}
	if c.Verdict() == value.Maybe && !old.IsUnknown() && !now.IsUnknown() {
		notes = append(notes, "may be the same")
	}
	if len(notes) == 0 {
		return ""
	}
	return "  # " + strings.Join(notes, ", ")
}
