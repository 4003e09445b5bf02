package diff

import (
	"strconv"
	"strings"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/value"
)

// textWriter makes lines. Time and output are bounded by left: whoever loops asks
// full.
type textWriter struct {
	opts  TextOptions
	yield func(Line) bool
	line  Line // under way
	left  int  // lines that may still be written, but for what closes containers
	done  bool // nobody wants more
}

func newTextWriter(o TextOptions, yield func(Line) bool) *textWriter {
	o = o.ready()
	return &textWriter{opts: o, yield: yield, left: o.MaxLines}
}

func (w *textWriter) full() bool { return w.done || w.left <= 0 }

// begin begins a line, add adds a span to it, and end hands it out.
func (w *textWriter) begin(level int, m Mark, op Op) {
	w.line = Line{Level: level, Mark: m, Op: op, Spans: make([]Span, 0, 6)}
}

func (w *textWriter) add(s Style, text string) {
	if text == "" {
		return
	}
	if n := len(w.line.Spans); n > 0 && w.line.Spans[n-1].Style == s {
		w.line.Spans[n-1].Text += text
		return
	}
	w.line.Spans = append(w.line.Spans, Span{text, s})
}

func (w *textWriter) end(notes ...string) {
	w.left--
	if w.done {
		return
	}
	if text := strings.Join(notes, ", "); text != "" {
		w.add(StyleNote, "  # "+text)
	}
	w.done = !w.yield(w.line)
}

// open ends a line that opens a container, and close closes it.
func (w *textWriter) open(bracket string, notes []string) {
	w.add(StylePunctuation, bracket)
	w.line.Fold = FoldOpen
	w.end(notes...)
}

func (w *textWriter) close(level int, m Mark, op Op, bracket string) {
	w.begin(level, m, op)
	w.add(StylePunctuation, bracket)
	w.line.Fold = FoldClose
	w.end()
}

// count writes a line that says how many of something are left out.
func (w *textWriter) count(level int, n, what string, notes ...string) {
	w.begin(level, MarkNone, 0)
	w.add(StyleCount, "… "+n+" "+what)
	w.end(notes...)
}

// children writes what is inside a container.
func (w *textWriter) children(e *entry, level int) {
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
func (w *textWriter) entry(e *entry, level, pad int) {
	mark, op := MarkUpdate, Op(0)
	var notes []string
	n := e.at.Node()
	c := Change{e.at.Handle()}
	isChange := n.Facts.Has(difftree.IsChange)
	if isChange {
		mark, op = c.Op().mark(), c.Op()
		if e.showing != showHidden {
			notes = c.notes()
		}
	}
	if e.replaces {
		mark = MarkReplace
		if e.state.replace.Covers() || e.told() && (e.showing != showChange || !w.lists(c)) {
			notes = append(notes, op.forces())
		}
	}
	w.begin(level, mark, op)
	w.label(e.label, pad)
	switch {
	case e.showing == showHidden:
		w.add(StyleHidden, hiddenText)
		w.end(notes...)
	case e.showing == showSecret:
		w.secrets()
		w.end(notes...)
	case isChange && len(e.below) == 0 && e.more == 0:
		w.change(e, c, level, notes)
	default:
		begin, end := brackets(n.Below.Kind)
		w.open(begin, notes)
		w.children(e, level+1)
		w.close(level, mark, op, end)
	}
}

// change writes what happened at one place, after its mark and label.
func (w *textWriter) change(e *entry, c Change, level int, notes []string) {
	old, now, hasOld, hasNow := c.sides()
	t := subtree{writer: w, op: c.Op(), mark: c.Op().mark(), state: e.state}
	if s := c.at.Place(); s.In.Kind == value.KindArray && (s.Node().Added() || s.Node().Removed()) {
		t.state = t.state.intoElement()
	}
	switch {
	case w.masks(c) && hasOld && hasNow && c.ValueChanged():
		w.secrets()
		w.end(notes...)
	case w.masks(c):
		w.add(StyleSecret, secretText)
		w.end(notes...)
	case hasOld && hasNow && !c.ValueChanged():
		w.brief(StyleSame, now)
		w.end(notes...)
	case c.node().Facts.Has(difftree.Own): // what is inside may become secret there
		w.pair(old, now)
		w.end(notes...)
	case hasOld && hasNow && w.lists(c):
		w.pair(old, now)
		w.line.Fold = FoldOpen
		w.end(notes...)
		if t.op, t.mark = OpDelete, MarkDelete; isTree(old) {
			t.whole(old, level+1)
		}
		if t.op, t.mark = OpAdd, MarkAdd; isTree(now) {
			t.whole(now, level+1)
		}
	case hasOld && hasNow:
		w.both(c, old, now, level, notes)
	case hasNow:
		t.side(now, level, notes)
	default:
		t.side(old, level, notes)
	}
}

// both writes an update that is no matter of subtrees.
func (w *textWriter) both(c Change, old, now value.Value, level int, notes []string) {
	x, isText := old.AsString()
	y, areTexts := now.AsString()
	if isText && areTexts {
		w.texts(x, y, level, notes)
		return
	}
	w.blobs(old, now, level, notes, c.at.In.Open().Rules.Relation)
}

// masks reports whether neither side of a change may be shown.
func (w *textWriter) masks(c Change) bool {
	return w.opts.Secrets != RevealSecrets && c.Secret()
}

// lists reports whether what is in the values of a change is told on lines of its
// own, each with its own reason to replace.
func (w *textWriter) lists(c Change) bool {
	old, now, hasOld, hasNow := c.sides()
	switch {
	case w.masks(c) || hasOld && hasNow && !c.ValueChanged() || c.node().Facts.Has(difftree.Own):
		return false
	case hasOld && hasNow:
		archives := old.Kind() == value.KindArchive && now.Kind() == value.KindArchive
		return !archives && !old.IsUnknown() && !now.IsUnknown() && (isTree(old) || isTree(now))
	case hasNow:
		return isTree(now)
	}
	return isTree(old)
}

// sides are the values to show: an addition has no old one, though there may
// have been a null that counts as missing.
func (c Change) sides() (old, now value.Value, hasOld, hasNow bool) {
	old, hasOld = c.Old()
	now, hasNow = c.New()
	switch c.Op() {
	case OpAdd, OpInsert:
		hasOld = false
	case OpDelete, OpRemove:
		hasNow = false
	case OpUpdate, OpMove:
	}
	return old, now, hasOld, hasNow
}

func (o Op) mark() Mark {
	switch o {
	case OpAdd, OpInsert:
		return MarkAdd
	case OpDelete, OpRemove:
		return MarkDelete
	case OpMove:
		return MarkMove
	case OpUpdate:
	}
	return MarkUpdate
}

// forces is the note on a line that forces a replacement, whose mark no longer
// says what happened.
func (o Op) forces() string {
	switch o {
	case OpAdd, OpInsert:
		return "added, forces replacement"
	case OpDelete, OpRemove:
		return "deleted, forces replacement"
	case OpMove:
		return "moved, forces replacement"
	case OpUpdate:
	}
	return forcesText
}

const (
	forcesText = "forces replacement"
	maybeText  = "may be the same"
	unseenText = "differ in what is not shown"
)

// notes say what the values alone do not show.
func (c Change) notes() []string {
	var notes []string
	old, now, hasOld, hasNow := c.sides()
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
	switch {
	case c.Verdict() != value.Maybe || old.IsUnknown() || now.IsUnknown():
	case hasOld && hasNow && c.Op() != OpMove:
		notes = append(notes, maybeText)
	default:
		notes = append(notes, "may turn out otherwise")
	}
	return notes
}
