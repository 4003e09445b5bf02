package render

import (
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Options configures the text of a diff. The zero value is ready to use.
type Options struct {
	// Indent is the number of levels, of 4 spaces each, by which every line is
	// indented; at most 24.
	Indent int
	// ReplaceOn are the patterns of properties whose change forces a replacement. Lines
	// of such changes have MarkReplace, except where only secret marks or dependencies
	// change. Patterns match as with TwoWay of package provider, whatever Direction the
	// provider uses. So the line of an element that was added or removed, or that moved
	// unchanged, has MarkReplace only if a pattern ends at the element or above it,
	// whereas a provider with ThroughElements also searches inside the element.
	ReplaceOn *path.Set
	// HideDiffs are the patterns of properties whose changes are hidden. The line of such
	// a change has "(hidden)" instead of values, after the key or, if a container has
	// only hidden changes, after the path. If a pattern of ReplaceOn matches, the line
	// still says that the change forces a replacement.
	HideDiffs *path.Set
	// Secrets selects how secrets are shown. By default, and with [value.KeepSealed], a change
	// shows "[secret]" for both sides if either is secret, and nothing of the contents of a
	// secret container. With [value.RevealSecrets] secrets are shown in clear, except for
	// sealed ones, which have no clear text.
	Secrets value.Secrets
	// Width is the number of characters after which a text value, or a line of one, is
	// elided. 0 means 120; the minimum is 32.
	Width int
	// Context is the number of unchanged lines that are shown before and after each
	// change in a text of several lines. 0 means 2; a negative number means none.
	Context int
	// MaxLines is the largest number of lines to write; the others are only counted. 0
	// means 10,000. Lines that close containers are written even beyond this limit.
	MaxLines int
	// ANSI adds the escape sequences (SGR) of terminals, with the colours of `pulumi
	// preview`: green for additions, red for deletions, yellow for updates, magenta for
	// changes that force a replacement. Without them the text is the same. [Lines] ignores
	// ANSI.
	ANSI bool
	// Documents parses a text as a document, such as JSON, and returns the name of the
	// format. If both sides of a change are texts of at most 1 MiB that it parses as
	// arrays or objects, the changes in the document are shown below the change of the
	// text. Documents must not round numbers. If it is nil, no text is parsed.
	Documents func(text string) (format string, document value.Value, ok bool)
}

// The limits of a text, so that it stays readable and bounded for any values.
const (
	maxLevels   = 24  // below, a change is named by its path, a container by its size
	maxSubtree  = 400 // lines of a value that was added or removed, and entries of an archive
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
