package diff

import (
	"fmt"
	"strconv"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// ConflictKind is the reason why two sides of a [Merge] conflict. The set is closed;
// the zero ConflictKind is not a reason.
type ConflictKind uint8

// The kinds of conflicts.
const (
	// ConflictEdit means that both sides changed the value, differently.
	ConflictEdit ConflictKind = iota + 1
	// ConflictDelete means that one side removed what the other side changed or moved.
	ConflictDelete
	// ConflictAdd means that both sides added different values: as members of one name,
	// as elements at one place, or as elements with one key.
	ConflictAdd
	// ConflictLength means that both sides changed the length of an array that is
	// compared index by index, or that one side removed elements that the other
	// changed.
	ConflictLength
	// ConflictMove means that the sides moved an element to different places.
	ConflictMove
	// ConflictSecret means that one side removed the secret mark of a value that the
	// other side changed.
	ConflictSecret
)

// String returns the name in lower case, for example "delete".
func (k ConflictKind) String() string {
	return scan.Name(k, "invalid conflict", []string{
		ConflictEdit: "edit", ConflictDelete: "delete", ConflictAdd: "add", ConflictLength: "length",
		ConflictMove: "move", ConflictSecret: "secret",
	})
}

// Conflict is a place where two sides of a [Merge] conflict. The zero Conflict is not a
// conflict.
type Conflict struct {
	kind ConflictKind
	at   veil.Pointer[junction]
	of   veil.Pointer[[3]state]
}

// junction is a place in a merge. Conflicts keep it, so that a path is built only
// when asked for.
type junction struct {
	up      *junction // nil: the root
	step    path.Step
	visible int // how many steps lead to the outermost secret above it, or -1
	depth   int
}

func (j *junction) path() path.Path {
	steps := make([]path.Step, j.depth)
	for ; j.up != nil; j = j.up {
		steps[j.depth-1] = j.step
	}
	return path.Of(steps...)
}

func (j *junction) below(step path.Step, secret bool) *junction {
	visible := j.visible
	if visible < 0 && secret {
		visible = j.depth
	}
	return &junction{up: j, step: step, visible: visible, depth: j.depth + 1}
}

// Kind returns the reason for the conflict.
func (c Conflict) Kind() ConflictKind { return c.kind }

// Path returns the path of the conflict in base, or where an inserted element would be.
//
// Each call builds it, in time and memory that grow with the depth. Below a secret its
// keys are secret too; use [Conflict.Shown] for display.
func (c Conflict) Path() path.Path {
	return c.junction().path()
}

// Shown returns Path for display, redacted at the outermost secret above it on any
// side.
func (c Conflict) Shown() path.Shown {
	at := c.junction()
	return path.Show(at.path(), at.visible)
}

// Base returns the value in base, which the result of the merge keeps. The bool is false if
// base has no value there.
func (c Conflict) Base() (value.Value, bool) { return c.side(0) }

// Left returns the value on the left, and false if there is none. If both sides insert
// elements at one place of an aligned array, it returns an array of those on the left.
func (c Conflict) Left() (value.Value, bool) { return c.side(1) }

// Right returns the value on the right; see [Conflict.Left].
func (c Conflict) Right() (value.Value, bool) { return c.side(2) }

func (c Conflict) side(i int) (value.Value, bool) {
	v := c.sides()[i]
	return v.Value, v.there()
}

func (c Conflict) junction() *junction {
	if at := c.at.Open(); at != nil {
		return at
	}
	return &junction{visible: -1}
}

func (c Conflict) sides() [3]state {
	if of := c.of.Open(); of != nil {
		return *of
	}
	return [3]state{}
}

// Secret reports whether any of the three values is, contains or is inside a secret.
// If so, show only the kind and the place of the conflict: a value that is secret on one
// side may be without the mark on another.
func (c Conflict) Secret() bool {
	of := c.sides()
	return c.masked() || of[0].ContainsSecret() || of[1].ContainsSecret() || of[2].ContainsSecret()
}

// masked reports whether not even kinds and sizes may be shown.
func (c Conflict) masked() bool {
	of := c.sides()
	return c.junction().visible >= 0 || of[0].IsSecret() || of[1].IsSecret() || of[2].IsSecret()
}

// String returns one line such as `a.b: edit: 1; left 2, right 3`, with secrets masked.
// If a value contains a secret, only the kinds and sizes of the three are shown.
func (c Conflict) String() string {
	return c.line(c.kind.String()) + ": " + c.shown(0) + "; left " + c.shown(1) + ", right " + c.shown(2)
}

// line returns a text after the place, if there is one.
func (c Conflict) line(text string) string {
	if at := c.Shown().String(); at != "" {
		return scan.Line(at) + ": " + text
	}
	return text
}

// shown returns a side as far as it may be shown.
func (c Conflict) shown(i int) string {
	v, ok := c.side(i)
	switch {
	case !ok:
		return "nothing"
	case c.Secret() && c.masked():
		return veil.SecretText
	case c.Secret():
		return outlined(v)
	}
	return v.String()
}

func outlined(v value.Value) string {
	if v.Kind().IsContainer() {
		return v.Kind().String() + " (" + strconv.Itoa(v.Len()) + ")"
	}
	return v.Kind().String()
}

// Format writes [Conflict.String] for every verb, within diff.Conflict{} for %#v.
func (c Conflict) Format(s fmt.State, verb rune) { write(s, verb, "diff.Conflict", c.String()) }

// MarshalText returns the text of [Conflict.String].
func (c Conflict) MarshalText() ([]byte, error) { return []byte(c.String()), nil }
