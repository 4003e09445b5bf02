package provider

// NOTE: What forces a replacement is decided in internal/difftree (forces.go), and what a
// validator expects of the same difference in provider/check (unreported.go, replaces.go).

import (
	"slices"
	"sync"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/internal/walk"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// responder is the sink of a walk that makes a Response.
//
// A container that is reported as a whole ends what is detailed: inside it, the responder
// only looks whether a pattern makes the container's entry replace. With a limit, the
// entries below that depth become one for their container there.
type responder struct {
	walker walk.Walker
	progress

	levels []level  // the open containers
	states []states // at the open containers, if there are patterns

	entries []Entry // without the keys that are in the text
	text    []byte  // of those keys, one after the other
	ends    []int   // of those keys, in the text

	names, replaces []string // top-level names, for Diffs and Replaces
	changed         []string // top-level names, also those that are not shown; if Stables need them

	sizes []size // of paths, by depth, if they are counted
}

// progress is what a responder knows of the values, besides lists whose memory is kept.
type progress struct {
	asked
	found

	named []string // top-level names that patterns begin with, sorted; once needed

	whole wholeState // of the container that is reported as a whole
	fold  foldState  // of the container at the limit
	top   entryState // of the top-level property

	limit    int  // the depth down to which there are entries; 0: any
	most     int  // bytes of the paths of all entries
	listed   int  // bytes of them so far
	nested   bool // there are entries below the second depth
	counting bool // sizes are counted, and no entries made
}

// asked is what an answer depends on besides the values.
type asked struct {
	replaceOn *path.Set
	patterns  bool // there are some in it
	direction Direction
	inputDiff bool // of all entries
	stables   bool // some are declared
	rules     difftree.Rules
}

// found is what is known of the whole answer.
type found struct {
	some    bool // there is a change
	vague   bool // no detailed diff: the root itself changed
	hidden  bool // the root is secret
	unnamed bool // no detailed diff: an entry has no key
	mixed   bool // entries may be out of order, or at one place
}

// entryState says whether there is something to report of a container or in it, and
// whether that replaces.
type entryState struct{ reports, replaces bool }

// foldState is the state of the container at the limit.
type foldState struct {
	entryState
	level int // or none
}

// wholeState is the state of the container that is reported as a whole.
type wholeState struct {
	level    int // or none
	now, old pathState
	reports  bool
}

// pathState is what patterns say of a container by its path on one side: whether one
// covers it, and whether its entry replaces.
type pathState struct{ covers, replaces bool }

// The root has level none, and cannot be reported as a whole or folded.
const none = 0

type level struct {
	key          string
	oldAt, newAt int // in an array
	kind         value.Kind
	entry        rpc.PropertyDiffKind
	shifted      bool
	size         int // bytes of its path
	from, end    int // its path is text[from:end], once it is needed
}

// states are the states of the patterns at a place, by its path on either side. Old is
// only set below an element with another index there; the zero Matcher matches nothing.
type states struct{ now, old path.Matcher }

// size is how many bytes the paths at a depth have.
type size struct{ entries, containers int }

// A step of a path counts as stepSize bytes, besides its key.
const stepSize = 4

var responders = sync.Pool{New: func() any { return new(responder) }} //nolint:gochecknoglobals // the one pool of the package

// A responder keeps room for at most manyEntries entries.
const manyEntries = 512

// begin makes the responder ready to note the differences of two values.
func (w *responder) begin(o *Differ, inputs bool, rules difftree.Rules, most int) {
	w.replaceOn, w.direction, w.inputDiff = o.ReplaceOn, o.Direction, inputs
	w.patterns, w.stables = o.ReplaceOn.Len() > 0, len(o.Stables) > 0
	w.rules, w.most = rules, most
}

// wipe drops what was noted and keeps the memory.
func (w *responder) wipe() {
	clear(w.entries)
	clear(w.text)
	clear(w.names)
	clear(w.replaces)
	clear(w.changed)

	w.progress = progress{}
	w.entries, w.text, w.ends, w.sizes = w.entries[:0], w.text[:0], w.ends[:0], w.sizes[:0]
	w.names, w.replaces, w.changed = w.names[:0], w.replaces[:0], w.changed[:0]
}

// giveBack keeps the memory of the responder, unless it is much, for the next one.
func (w *responder) giveBack() {
	w.wipe()
	if max(cap(w.levels), cap(w.entries), cap(w.names), cap(w.replaces), cap(w.changed), cap(w.text)/stepSize) > manyEntries {
		w = new(responder)
	}
	responders.Put(w)
}

// Enter implements walk.Sink.
func (w *responder) Enter(n *difftree.Node, b *difftree.Branch) {
	depth := len(w.levels)
	l, in := level{kind: b.Kind}, value.KindNull
	if depth > 0 {
		up := &w.levels[depth-1]
		in = up.kind
		l.key, l.size, l.entry = n.Key, up.size+len(n.Key)+stepSize, kindOf(n)
		w.placeElement(&l, up, n)
	}

	var st states
	if w.patterns {
		st = w.statesAt(n)
		w.states = append(w.states, st)
	}

	w.levels = append(w.levels, l)
	own := n.Facts.Has(difftree.IsChange) && !n.IsReordered()
	contents := l.shifted || (own && !n.MarksOnly(w.rules, in)) // what is inside replaces by itself
	switch {
	case depth == 0:
		w.vague, w.hidden = own || b.Secret, b.Secret || n.Secret()
		w.some = w.vague
	case w.whole.level != none:
		w.whole.reports = w.whole.reports || own
		w.inWhole(contents && st.now.MatchesAbove(), contents && st.old.MatchesAbove())
	case w.vague || own || b.Secret || l.shifted:
		now, old := st.now.MatchesAbove(), st.old.MatchesAbove()
		w.whole = wholeState{
			level:   depth,
			now:     pathState{covers: now, replaces: contents && now},
			old:     pathState{covers: old, replaces: contents && old},
			reports: w.vague || own || l.shifted,
		}
	case depth == w.limit:
		w.fold = foldState{level: depth}
	default:
		w.nested = true
		if w.counting {
			w.sizeAt(depth).containers += l.size
		}
	}
}

// Leave implements walk.Sink.
func (w *responder) Leave() {
	depth := len(w.levels) - 1
	l := w.levels[depth]
	w.levels[depth] = level{}
	w.levels = w.levels[:depth]
	if w.patterns {
		w.states[depth] = states{}
		w.states = w.states[:depth]
	}

	switch depth {
	case 0:
		return
	case w.whole.level:
		w.whole.level = none
		if w.whole.reports {
			w.report(&l, w.whole.now.replaces, w.whole.old.replaces)
		}
	case w.fold.level:
		w.fold.level = none
		if w.fold.reports {
			w.entry(&l, l.newAt, rpc.PropertyDiffUpdate, w.fold.replaces)
		}
	}

	if depth == 1 {
		w.endTop(l.key)
	}
}

// Change implements walk.Sink.
func (w *responder) Change(n *difftree.Node) {
	depth := len(w.levels)
	if depth == 0 {
		w.root(n)
		return
	}

	nowReplaces, oldReplaces := false, false
	if w.patterns {
		nowReplaces, oldReplaces = w.concerned(n)
	}
	up := &w.levels[depth-1]
	if w.whole.level != none {
		if !protocol.Unreported(n, up.kind == value.KindObject) {
			w.whole.reports = true
			w.inWhole(nowReplaces, oldReplaces)
		}
		return
	}

	l := level{key: n.Key, size: up.size + len(n.Key) + stepSize, entry: kindOf(n)}
	w.placeElement(&l, up, n)
	if !w.vague && protocol.Unreported(n, up.kind == value.KindObject) {
		w.list(&l)
	} else {
		w.report(&l, nowReplaces, oldReplaces)
	}
	if depth == 1 {
		w.endTop(n.Key)
	}
}

// inWhole notes whether a change in the container that is reported as a whole makes its
// entry replace.
func (w *responder) inWhole(nowReplaces, oldReplaces bool) {
	if w.direction == EngineOneWay && (nowReplaces || oldReplaces) {
		nowReplaces, oldReplaces = w.whole.now.covers, w.whole.old.covers
	}
	w.whole.now.replaces, w.whole.old.replaces = w.whole.now.replaces || nowReplaces, w.whole.old.replaces || oldReplaces
}

// concerned reports whether a pattern makes a change replace, by its path on either side.
func (w *responder) concerned(n *difftree.Node) (nowReplaces, oldReplaces bool) {
	st, in := w.statesAt(n), w.levels[len(w.levels)-1].kind
	if w.direction == EngineOneWay {
		st = states{difftree.Reached(st.now), difftree.Reached(st.old)}
	}
	all := w.direction == ThroughElements
	return n.Forces(w.rules, in, st.now, all), n.Forces(w.rules, in, st.old, all)
}

// placeElement notes the indexes of a node if the container above is an array.
func (w *responder) placeElement(l, up *level, n *difftree.Node) {
	if up.kind == value.KindArray {
		l.oldAt, l.newAt, l.shifted = n.OldAt(), displayedAt(n), n.IsShifted()
		w.mixed = w.mixed || !isInPlace(n)
	}
}

// displayedAt returns the index of an element on the new side, or that of one that was
// removed.
func displayedAt(n *difftree.Node) int {
	if n.Removed() {
		return n.OldAt()
	}
	return n.NewAt()
}

// statesAt returns the states of the patterns at a node of the container that is open.
func (w *responder) statesAt(n *difftree.Node) states {
	depth := len(w.levels)
	if depth == 0 {
		return states{now: w.replaceOn.Matcher()}
	}

	up, step := &w.states[depth-1], path.Key(n.Key)
	if w.levels[depth-1].kind == value.KindArray {
		step = path.Index(displayedAt(n))
		if w.whole.level == none && n.IsShifted() {
			return states{up.now.Next(step), up.now.Next(path.Index(n.OldAt()))}
		}
	}
	return states{up.now.Next(step), up.old.Next(step)}
}

// report adds the entries for a place that is reported as a whole, where a new index
// makes two.
func (w *responder) report(l *level, nowReplaces, oldReplaces bool) {
	w.list(l)

	switch {
	case w.vague:
		w.top.reports, w.top.replaces = true, nowReplaces
	case l.shifted:
		w.entry(l, l.oldAt, rpc.PropertyDiffDelete, oldReplaces)
		w.entry(l, l.newAt, rpc.PropertyDiffAdd, nowReplaces)
	default:
		w.entry(l, l.newAt, l.entry, nowReplaces)
	}
}

// list counts the path of a place without more detail.
func (w *responder) list(l *level) {
	bytes := l.size
	if l.shifted {
		bytes *= 2
	}
	w.listed += bytes

	if w.counting {
		w.sizeAt(len(w.levels)).entries += bytes
	}
}

func (w *responder) sizeAt(depth int) *size {
	for depth >= len(w.sizes) {
		w.sizes = append(w.sizes, size{})
	}
	return &w.sizes[depth]
}

// overfull reports whether it is known that entries are to be made anew, with a limit.
func (w *responder) overfull() bool {
	return w.listed > w.most && w.limit == 0 && w.nested && !w.vague
}

// bestLimit returns the greatest depth, 1 at least, such that the paths of all entries
// down to it take no more than so many bytes, with those of the containers there that
// have entries below.
func (w *responder) bestLimit() int {
	depth, entries := 1, w.sizes[1].entries
	for below := w.sizes[2:]; len(below) > 0 && entries+below[0].entries+below[0].containers <= w.most; below = below[1:] {
		entries += below[0].entries
		depth++
	}
	return depth
}

// entry adds an entry for a place in the container that is open.
func (w *responder) entry(l *level, index int, kind rpc.PropertyDiffKind, replaces bool) {
	w.top.reports, w.top.replaces = true, w.top.replaces || replaces
	if w.fold.level != none {
		w.fold.reports, w.fold.replaces = true, w.fold.replaces || replaces
		return
	}

	w.some = true
	if w.counting || w.overfull() {
		return
	}
	if replaces {
		kind = protocol.WithReplace(kind)
	}
	depth := len(w.levels)
	step := w.levels[depth-1].step(l.key, index)
	if depth == 1 { // most keys are texts of their own
		key, err := step.Pulumi()
		w.unnamed = w.unnamed || err != nil
		w.entries = append(w.entries, Entry{Key: key, Kind: kind, InputDiff: w.inputDiff})
		return
	}

	from := len(w.text)
	if !w.write(depth-1) || !w.writeStep(step, false) {
		// The nearest place above that can be written is updated.
		w.mixed = true
		if kind = rpc.PropertyDiffUpdate; replaces {
			kind = rpc.PropertyDiffUpdateReplace
		}
		w.unnamed = w.unnamed || len(w.text) == from
	}
	w.entries = append(w.entries, Entry{Kind: kind, InputDiff: w.inputDiff})
	w.ends = append(w.ends, len(w.text))
}

// write appends the path of an open container, as far as it can be written, and reports
// whether all of it can.
func (w *responder) write(depth int) bool {
	if depth == 0 {
		return true
	}
	l := &w.levels[depth]
	if l.end > 0 {
		w.text = append(w.text, w.text[l.from:l.end]...)
		return true
	}

	from := len(w.text)
	if !w.write(depth-1) || !w.writeStep(w.levels[depth-1].step(l.key, l.newAt), depth == 1) {
		return false
	}
	l.from, l.end = from, len(w.text)
	return true
}

func (w *responder) writeStep(step path.Step, first bool) bool {
	longer, err := step.AppendPulumi(w.text, first)
	w.text = longer
	return err == nil
}

func (l *level) step(key string, index int) path.Step {
	if l.kind == value.KindObject {
		return path.Key(key)
	}
	return path.Index(index)
}

// endTop ends a top-level property, which is named if there are entries for it.
func (w *responder) endTop(name string) {
	if w.top.reports && w.levels[0].kind == value.KindObject {
		w.name(name, w.top.replaces)
	}
	w.top = entryState{}
}

// name notes a top-level property that changed. Below a secret it is shown only if the
// caller's own patterns name it.
func (w *responder) name(name string, replaces bool) {
	if w.stables {
		w.changed = append(w.changed, name)
	}
	if w.hidden && !w.public(name) {
		return
	}

	w.names = append(w.names, name)
	if replaces {
		w.replaces = append(w.replaces, name)
	}
}

// public reports whether a pattern begins with the name.
func (w *responder) public(name string) bool {
	if w.named == nil {
		w.named = firstNames(w.replaceOn)
	}
	_, found := slices.BinarySearch(w.named, name)
	return found
}

// firstNames returns the top-level names that patterns begin with, sorted; never nil.
func firstNames(patterns *path.Set) []string {
	names := []string{}
	for _, p := range patterns.Patterns() {
		first, _, _ := p.Cut()
		if name, ok := first.AsKey(); ok && !p.IsRoot() {
			names = append(names, name)
		}
	}

	slices.Sort(names)
	return slices.Compact(names)
}

// root answers without a detailed diff: the root changed as a whole, and no entry can name
// it. Its members were all removed, or all added.
func (w *responder) root(n *difftree.Node) {
	w.some, w.vague, w.hidden = true, true, n.Secret()
	if !n.Whole() {
		return
	}

	w.patterns = w.patterns && !n.MarksOnly(w.rules, value.KindNull)
	var st states
	if w.patterns {
		st = w.statesAt(n)
	}
	for _, v := range []value.Value{n.Old, n.New} {
		w.levels, w.states = append(w.levels, level{kind: v.Kind()}), append(w.states, st)
		for key, x := range v.Members() {
			if !w.rules.Absent(x, v.IsSecret()) {
				w.Change(&difftree.Node{Key: key, New: x, Op: difftree.OpAdd, Facts: difftree.IsChange | difftree.HasNew})
			}
		}
		w.levels, w.states = w.levels[:0], w.states[:0]
	}
}
