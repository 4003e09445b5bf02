package render

import (
	"strconv"

	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/value"
)

const (
	hiddenText = "(hidden)"
	arrow      = " => "
)

// isTree reports whether a value takes lines of its own.
func isTree(v value.Value) bool { return size(v) > 0 }

func (w *writer) secrets() {
	w.add(StyleSecret, veil.SecretText)
	w.add(StylePunctuation, arrow)
	w.add(StyleSecret, veil.SecretText)
}

// brief writes a value on a part of a line; containers by kind and size.
func (w *writer) brief(s Style, v value.Value) {
	if w.opts.Secrets == value.RevealSecrets {
		v = v.DropSecret()
	}
	switch {
	case v.IsSecret():
		w.add(StyleSecret, veil.SecretText)
	case v.IsUnknown():
		w.add(StyleUnknown, veil.UnknownText)

	case v.Kind() == value.KindArray && v.Len() > 0:
		w.add(s, "an array ("+strconv.Itoa(v.Len())+")")
	case v.Kind() == value.KindObject && v.Len() > 0:
		w.add(s, "an object ("+strconv.Itoa(v.Len())+")")
	case v.Kind() == value.KindString:
		text, _ := v.AsString()
		w.text(s, text, wholly(text))
	case v.Kind() == value.KindAsset, v.Kind() == value.KindArchive:
		w.blob(s, v)
	default:
		w.add(s, clip(v.String(), w.opts.Width))
	}
}

// pair writes two values, not both texts, and reports whether they look different.
func (w *writer) pair(old, now value.Value) bool {
	begin := len(w.line.Spans)
	w.brief(StyleOld, old)
	was := plain(w.line.Spans[begin:])
	w.add(StylePunctuation, arrow)
	middle := len(w.line.Spans)
	w.brief(StyleNew, now)
	return was != plain(w.line.Spans[middle:])
}
