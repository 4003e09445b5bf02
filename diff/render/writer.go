package render

import (
	"strconv"
	"strings"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/value"
)

// writer makes lines. Time and output are bounded by left: every loop asks full.
type writer struct {
	opts  Options
	yield func(Line) bool
	line  Line     // that is being made
	notes []string // to put at its end
	left  int      // lines that may still be written, but for what closes containers
	done  bool     // the iteration has ended
}

func newWriter(o Options, yield func(Line) bool) *writer {
	o = o.ready()
	return &writer{opts: o, yield: yield, left: o.MaxLines}
}

func (w *writer) full() bool { return w.done || w.left <= 0 }

// begin begins a line, add adds a span to it, and end yields it, with the notes.
func (w *writer) begin(level int, m Mark, op diff.Op, notes ...string) {
	w.line = Line{Level: level, Mark: m, Op: op, Spans: make([]Span, 0, 6)}
	w.notes = notes
}

func (w *writer) noteFirst(note string) { w.notes = append([]string{note}, w.notes...) }

func (w *writer) add(s Style, text string) {
	if text == "" {
		return
	}
	if n := len(w.line.Spans); n > 0 && w.line.Spans[n-1].Style == s {
		w.line.Spans[n-1].Text += text
		return
	}

	w.line.Spans = append(w.line.Spans, Span{text, s})
}

func (w *writer) end() {
	w.left--
	if w.done {
		return
	}
	if text := strings.Join(w.notes, ", "); text != "" {
		w.add(StyleNote, "  # "+text)
	}

	w.done = !w.yield(w.line)
}

// open ends a line that has lines below it.
func (w *writer) open() {
	w.line.Fold = FoldOpen
	w.end()
}

// nested ends a line with the bracket that opens a container, and writes its contents and
// the line that closes it.
func (w *writer) nested(kind value.Kind, contents func()) {
	begin, end := "{", "}"
	if kind == value.KindArray {
		begin, end = "[", "]"
	}

	head := w.line
	w.add(StylePunctuation, begin)
	w.open()
	contents()
	w.begin(head.Level, head.Mark, head.Op)
	w.add(StylePunctuation, end)
	w.line.Fold = FoldClose
	w.end()
}

func (w *writer) count(level int, n, what string, notes ...string) {
	w.begin(level, MarkNone, 0, notes...)
	w.add(StyleCount, "… "+n+" "+what)
	w.end()
}

// children writes what is inside a container.
func (w *writer) children(e *entry, level int) {
	es := e.below
	if w.opts.HideDiffs.Len() > 0 {
		es = flat(nil, es, 0)
	}
	pad := 0
	for _, each := range es {
		pad = padding(pad, each.label)
	}
	for i, each := range es {
		if w.full() {
			e.more += len(es) - i
			break
		}
		w.entry(each, level, pad)
	}

	if e.more > 0 {
		w.count(level, strconv.Itoa(e.more), "more")
	}
}

// entry writes a place. The nesting of entries is bounded by maxLevels, so
// recursion is.
func (w *writer) entry(e *entry, level, pad int) {
	mark, op := MarkUpdate, diff.Op(0)
	var notes []string
	n := e.at.Node()
	isChange := n.Facts.Has(difftree.IsChange)
	if isChange {
		op = diff.Op(n.Op)
		mark = markOf(op)

		if e.showing != showHidden {
			notes = n.Notes()
		}
	}
	if e.replaces {
		mark = MarkReplace
		if e.state.replace.MatchesAbove() || (e.shows() && (e.showing != showChange || !w.lists(e.at))) {
			notes = append(notes, forcesNote(op))
		}
	}
	w.begin(level, mark, op, notes...)
	w.label(e.label, pad)

	switch {
	case e.showing == showHidden:
		w.add(StyleHidden, hiddenText)
		w.end()
	case e.showing == showSecret:
		w.secrets()
		w.end()
	case isChange && len(e.below) == 0 && e.more == 0:
		w.change(e, level)
	default:
		w.nested(n.Below.Kind, func() { w.children(e, level+1) })
	}
}

// change writes the change at a place, after its mark and label.
func (w *writer) change(e *entry, level int) {
	s, n := e.at, e.at.Node()
	old, now, hasOld, hasNow := n.Sides()

	differ := n.Facts.Has(difftree.ValueChanged)
	t := subtree{writer: w, op: diff.Op(n.Op), mark: markOf(diff.Op(n.Op)), state: e.state}
	if s.In.Kind == value.KindArray && (n.Added() || n.Removed()) {
		t.state = t.state.intoElement()
	}

	switch {
	case w.masks(s) && hasOld && hasNow && differ:
		w.secrets()
		w.end()
	case w.masks(s):
		w.add(StyleSecret, veil.SecretText)
		w.end()
	case hasOld && hasNow && !differ:
		w.brief(StyleSame, now)
		w.end()
	case n.Facts.Has(difftree.Own): // what is inside may become secret there
		w.pair(old, now)
		w.end()
	case hasOld && hasNow && w.lists(s):
		w.pair(old, now)
		w.open()
		if t.op, t.mark = diff.OpDelete, MarkDelete; isTree(old) {
			t.whole(old, level+1)
		}
		if t.op, t.mark = diff.OpAdd, MarkAdd; isTree(now) {
			t.whole(now, level+1)
		}
	case hasOld && hasNow:
		w.both(s, old, now, level)
	case hasNow:
		t.side(now, level)
	default:
		t.side(old, level)
	}
}

func (w *writer) both(at difftree.Place, old, now value.Value, level int) {
	x, isText := old.AsString()
	y, areTexts := now.AsString()
	if isText && areTexts {
		w.texts(x, y, level)
		return
	}
	w.blobs(old, now, level, at.In.Rules.Relation)
}

// masks reports whether neither side of a change may be shown.
func (w *writer) masks(s difftree.Place) bool {
	return w.opts.Secrets != value.RevealSecrets && s.Secret()
}

// lists reports whether the contents of the values of a change have lines of their own,
// each with its own reason to replace.
func (w *writer) lists(s difftree.Place) bool {
	n := s.Node()
	old, now, hasOld, hasNow := n.Sides()
	switch {
	case w.masks(s) || (hasOld && hasNow && !n.Facts.Has(difftree.ValueChanged)) || n.Facts.Has(difftree.Own):
		return false
	case hasOld && hasNow:
		archives := old.Kind() == value.KindArchive && now.Kind() == value.KindArchive
		return !archives && !old.IsUnknown() && !now.IsUnknown() && (isTree(old) || isTree(now))
	case hasNow:
		return isTree(now)
	}

	return isTree(old)
}

func markOf(o diff.Op) Mark {
	switch o {
	case diff.OpAdd, diff.OpInsert:
		return MarkAdd
	case diff.OpDelete, diff.OpRemove:
		return MarkDelete
	case diff.OpMove:
		return MarkMove
	case diff.OpUpdate:
	}

	return MarkUpdate
}

// forcesNote returns the note on a line that forces a replacement, whose mark does not
// say what changed.
func forcesNote(o diff.Op) string {
	switch markOf(o) {
	case MarkAdd:
		return "added, " + forcesText
	case MarkDelete:
		return "deleted, " + forcesText
	case MarkMove:
		return "moved, " + forcesText
	case MarkNone, MarkUpdate, MarkReplace:
	}

	return forcesText
}

const (
	forcesText = "forces replacement"
	maybeText  = "may be the same"
	unseenText = "differ in what is not shown"
)
