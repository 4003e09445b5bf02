package diff

import (
	"fmt"
	"iter"
	"strings"

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
	// HideDiffs are the patterns of properties whose changes are not shown: a
	// line with the path says that they are hidden.
	HideDiffs *path.Set
	// Secrets: masked, unless told otherwise.
	Secrets Secrets
	// Width is the number of characters after which a text value, or a line of
	// one, is elided; 0 means 120, and less than 32 is taken as 32.
	Width int
	// Context is the number of lines shown around each change in a text of
	// several lines; 0 means 2, and less than 0 means none.
	Context int
	// MaxLines is the number of lines after which the rest is only counted; 0
	// means 10,000. (Containers that are open then are still closed.)
	MaxLines int
	// Colour is for terminals; [Lines] do not look at it.
	Colour Colour
	// Documents reads a text as a document: JSON, say. Where both sides of a
	// change are texts of at most 1 MiB that it reads as arrays or objects, what
	// changed in the document is told below the change of the text, under the
	// name of the format. It is not to round numbers; a nil Documents reads
	// nothing.
	Documents func(text string) (format string, document value.Value, ok bool)
}

// The limits of a text, so that it stays readable and bounded for any values.
const (
	maxLevels   = 24  // below, a change is named by its path, a container by its size
	maxSubtree  = 400 // lines of what came or went as a whole, and entries of an archive
	maxText     = 200 // lines of a change of a text
	maxDeep     = 40  // changes below the deepest level, of each container there
	maxDocument = 1 << 20
	maxLabel    = 200 // characters of a key
	maxPad      = 40  // to which the keys of one container are aligned
	minWidth    = 32
	fullWidth   = 120
	fullContext = 2
	fullLines   = 10_000
)

func (o TextOptions) ready() TextOptions {
	o.Indent = min(max(o.Indent, 0), maxLevels)
	if o.Width == 0 {
		o.Width = fullWidth
	}
	o.Width = min(max(o.Width, minWidth), 1<<20)
	if o.Context == 0 {
		o.Context = fullContext
	}
	o.Context = min(max(o.Context, 0), maxText)
	if o.MaxLines <= 0 {
		o.MaxLines = fullLines
	}
	return o
}

// Text writes a diff for people, in the manner of `pulumi preview --diff`: a
// mark (+ added, - deleted, ~ updated, > moved, +- when the change forces a
// replacement), then key and value, containers nested by 4 spaces, elements as
// [i], secrets as [secret], unknowns as [unknown]. An element that stands
// elsewhere now is [old] => [new]. Texts of several lines are compared line by
// line, entries of literal archives name by name. Every line ends with a newline;
// the empty diff gives the empty text, and no other does.
//
// Control characters in keys and values are escaped, and equal diffs give equal
// texts (law 17). A line has at most 3·Width + 800 characters, and the time
// beyond what it takes to read the diff and the texts in it is bounded by the
// options.
func Text(d Diff, o TextOptions) string { return string(AppendText(nil, d, o)) }

// AppendText appends what [Text] returns.
func AppendText(dst []byte, d Diff, o TextOptions) []byte {
	for l := range Lines(d, o) {
		dst = append(l.AppendText(dst, o.Colour), '\n')
	}
	return dst
}

// Lines iterates over the lines of the text of a diff, taken apart: [Text] joins
// them. They are made as they are asked for.
func Lines(d Diff, o TextOptions) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		if d.Empty() {
			return
		}
		w := newTextWriter(o, yield)
		root := outline(d, w.opts, maxLevels)
		if root.told() {
			w.entry(root, w.opts.Indent, 0)
			return
		}
		w.children(root, w.opts.Indent)
	}
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

// String writes one change on one line or, when there is more to it (subtrees that
// come or go, texts of several lines, archives), on several, without a newline at
// the end: `~ tags.env: "dev" => "prod"`. What changed inside a container whose
// own change this is are changes of their own. Secrets are masked. The zero
// Change gives the empty text.
func (c Change) String() string {
	if c.at.In.Open() == nil {
		return ""
	}
	var lines []string
	w := newTextWriter(TextOptions{}, func(l Line) bool {
		lines = append(lines, l.String())
		return true
	})
	e := entry{at: c.at.Place(), showing: showChange}
	place := c.Shown()
	e.label = pathLabel(place.Path())
	switch {
	case place.Cut() && !e.at.Node().Added() && !e.at.Node().Removed():
		e.showing = showSecret
	case c.Op() == OpMove:
		e.label.was = pathLabel(c.OldPath()).text
	}
	w.entry(&e, 0, 0)
	return strings.Join(lines, "\n")
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
