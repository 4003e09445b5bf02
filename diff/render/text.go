package render

import (
	"iter"

	"github.com/propalg/propalg/diff"
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

// Options say how a diff is written down. The zero TextOptions are ready.
type Options struct {
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

func (o Options) ready() Options {
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
func Text(d diff.Diff, o Options) string { return string(AppendText(nil, d, o)) }

// AppendText appends what [Text] returns.
func AppendText(dst []byte, d diff.Diff, o Options) []byte {
	for l := range Lines(d, o) {
		dst = append(l.AppendText(dst, o.Colour), '\n')
	}
	return dst
}

// Lines iterates over the lines of the text of a diff, taken apart: [Text] joins
// them. They are made as they are asked for.
func Lines(d diff.Diff, o Options) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		if d.Empty() {
			return
		}
		w := newWriter(o, yield)
		root := outline(diff.Tree(d), w.opts, maxLevels)
		if root.told() {
			w.entry(root, w.opts.Indent, 0)
			return
		}
		w.children(root, w.opts.Indent)
	}
}
