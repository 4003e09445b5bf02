package diff

import (
	"fmt"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// BreachKind is how an update did not keep its promise. The set is closed; the zero
// BreachKind is not one.
type BreachKind uint8

// The kinds of breaches. Where content differs from what was promised, they compare both with
// the old value.
const (
	// BreachMissing means that a promised change did not come: the old value is still there.
	BreachMissing BreachKind = iota + 1
	// BreachExtra means that a change came that was not promised: the old value was
	// promised to stay.
	BreachExtra
	// BreachOther means that another value came than the one that was promised, and
	// neither is the old one.
	BreachOther
	// BreachMark means that a value came without the secret mark or without a dependency that
	// was promised.
	BreachMark
)

// String returns the name in lower case, for example "missing".
func (k BreachKind) String() string {
	return scan.Name(k, "invalid breach", []string{
		BreachMissing: "missing", BreachExtra: "extra", BreachOther: "other", BreachMark: "mark",
	})
}

// Breach is a place where an update did not keep what its preview promised; see [Within].
// The zero Breach is not one.
type Breach struct {
	kind BreachKind
	of   Conflict // of the old value as base, the promised one on the left, that which came on the right
}

// Kind returns how the promise was not kept. One place can have a breach of [BreachMark] and
// one of another kind.
func (b Breach) Kind() BreachKind { return b.kind }

// Path returns the path of the breach, which is the same in all three values.
//
// Each call builds it, in time and memory that grow with the depth. Below a secret its
// keys are secret too; use [Breach.Shown] for display.
func (b Breach) Path() path.Path { return b.of.Path() }

// Shown returns Path for display, redacted at the outermost secret above it in any of the
// three values.
func (b Breach) Shown() path.Shown { return b.of.Shown() }

// Old returns the value before the update, and false if there was none.
func (b Breach) Old() (value.Value, bool) { return b.of.side(0) }

// Promised returns the value that was promised, and false if none was.
func (b Breach) Promised() (value.Value, bool) { return b.of.side(1) }

// New returns the value that came, and false if none did.
func (b Breach) New() (value.Value, bool) { return b.of.side(2) }

// Secret reports whether any of the three values is, contains or is inside a secret. If
// so, show only the kind and the place of the breach.
func (b Breach) Secret() bool { return b.of.Secret() }

// String returns one line such as `a.b: other: promised 2, got 3; was 1`, with secrets
// masked. If a value contains a secret, only the kinds and sizes of the three are shown.
func (b Breach) String() string {
	return b.of.line(b.kind.String()) + ": promised " + b.of.shown(1) + ", got " + b.of.shown(2) + "; was " + b.of.shown(0)
}

// Format writes [Breach.String] for every verb, within diff.Breach{} for %#v.
func (b Breach) Format(s fmt.State, verb rune) { write(s, verb, "diff.Breach", b.String()) }

// MarshalText returns the text of [Breach.String].
func (b Breach) MarshalText() ([]byte, error) { return []byte(b.String()), nil }
