package render

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/value"
)

func (w *writer) blob(s Style, v value.Value) {
	var b interface {
		Path() (string, bool)
		URI() (string, bool)
	}
	b, isAsset := v.AsAsset()
	if !isAsset {
		b, _ = v.AsArchive()
	}
	place, named := b.Path()
	if !named {
		place, named = b.URI()
	}
	text := v.String() // of the form asset(file:0123456)
	if !named {
		w.add(s, text)
		return
	}

	w.add(s, strings.TrimSuffix(text, ")")+" ")
	w.text(s, place, wholly(place))
	w.add(s, ")")
}

// blobs writes an update that is not of texts: of assets, their hashes and how their
// texts differ; of literal archives, the entries that differ.
func (w *writer) blobs(old, now value.Value, level int, rel value.Relation) {
	differ := w.pair(old, now)
	if es := differing(old, now, rel); len(es) > 0 && level-w.opts.Indent <= maxLevels {
		w.add(StylePunctuation, " ")
		w.nested(value.KindArchive, func() { w.entries(es, level+1, rel) })
		return
	}
	x, y, texts := assetTexts(old, now)
	if texts {
		w.open()
		w.lines(x, y, level+1)
		return
	}

	if !differ {
		w.noteFirst(unseenText)
	}
	w.end()
}

func assetTexts(old, now value.Value) (x, y string, differ bool) {
	a, ok1 := old.AsAsset()
	b, ok2 := now.AsAsset()
	if !ok1 || !ok2 {
		return "", "", false
	}

	x, ok1 = a.Text()
	y, ok2 = b.Text()
	return x, y, ok1 && ok2 && x != y
}

// archived is an entry that differs between two archives.
type archived struct {
	label    label
	op       diff.Op
	old, now value.Value
}

// entries writes entries that differ. It recurses into archives inside, no deeper
// than texts nest.
func (w *writer) entries(es []archived, level int, rel value.Relation) {
	pad, more := 0, 0
	if most := min(maxSubtree, max(w.left, 1)); len(es) > most {
		es, more = es[:most], len(es)-most
	}
	for _, e := range es {
		pad = padding(pad, e.label)
	}
	for i, e := range es {
		if w.full() {
			more += len(es) - i
			break
		}

		w.archived(e, level, pad, rel)
	}
	if more > 0 {
		w.count(level, strconv.Itoa(more), "more")
	}
}

// differing merges the entries of two literal archives by name.
func differing(old, now value.Value, rel value.Relation) []archived {
	a, isArchive := old.AsArchive()
	b, areArchives := now.AsArchive()
	if !isArchive || !areArchives || a.Source() != value.SourceLiteral || b.Source() != value.SourceLiteral {
		return nil
	}
	olds, news := maps.Collect(a.Entries()), maps.Collect(b.Entries())
	names := slices.AppendSeq(slices.Collect(maps.Keys(olds)), maps.Keys(news))
	slices.Sort(names)

	var es []archived
	for _, name := range slices.Compact(names) {
		x, inOld := olds[name]
		y, inNew := news[name]
		switch {
		case !inOld:
			es = append(es, archived{keyLabel(name), diff.OpAdd, x, y})
		case !inNew:
			es = append(es, archived{keyLabel(name), diff.OpDelete, x, y})
		case !rel.Equal(x, y):
			es = append(es, archived{keyLabel(name), diff.OpUpdate, x, y})
		}
	}
	return es
}

func (w *writer) archived(e archived, level, pad int, rel value.Relation) {
	var notes []string
	if e.op == diff.OpUpdate && rel.Compatible(e.old, e.now) == value.Maybe {
		notes = append(notes, maybeText)
	}
	w.begin(level, markOf(e.op), e.op, notes...)
	w.label(e.label, pad)

	t := subtree{writer: w, op: e.op, mark: markOf(e.op)}
	switch e.op {
	case diff.OpAdd:
		t.side(e.now, level)
	case diff.OpDelete:
		t.side(e.old, level)
	case diff.OpUpdate, diff.OpInsert, diff.OpRemove, diff.OpMove:
		w.blobs(e.old, e.now, level, rel)
	}
}
