package diff

import (
	"fmt"
	"strconv"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// ConflictKind says why two sides do not agree. The set is closed; the zero
// ConflictKind is none.
type ConflictKind uint8

// The kinds of conflicts.
const (
	// ConflictEdit: both sides changed it, differently.
	ConflictEdit ConflictKind = iota + 1
	// ConflictDelete: one side took it away, the other one changed or moved it.
	ConflictDelete
	// ConflictAdd: both sides brought something, not the same: a member of one
	// name, elements at one place, an element of one key.
	ConflictAdd
	// ConflictLength: both sides changed the length of an array that is compared
	// index by index, or one shortened it where the other one changed elements.
	ConflictLength
	// ConflictMove: the sides moved an element to different places.
	ConflictMove
	// ConflictSecret: one side took the secret mark off, the other one changed
	// what it hides.
	ConflictSecret
)

// String returns the name in lower case, for example "delete".
func (k ConflictKind) String() string {
	switch k {
	case ConflictEdit:
		return "edit"
	case ConflictDelete:
		return "delete"
	case ConflictAdd:
		return "add"
	case ConflictLength:
		return "length"
	case ConflictMove:
		return "move"
	case ConflictSecret:
		return "secret"
	}
	return "invalid conflict"
}

// MarshalText writes [ConflictKind.String].
func (k ConflictKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Conflict is a place where two sides of a [Merge] do not agree. The zero
// Conflict is none.
type Conflict struct {
	kind ConflictKind
	at   veil.Pointer[junction]
	of   veil.Pointer[[3]known]
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

// below is the place one step down from a container, which is secret or not.
func (j *junction) below(step path.Step, secret bool) *junction {
	visible := j.visible
	if visible < 0 && secret {
		visible = j.depth
	}
	return &junction{up: j, step: step, visible: visible, depth: j.depth + 1}
}

// Kind is why the sides do not agree.
func (c Conflict) Kind() ConflictKind { return c.kind }

// Path is where the conflict is, in base. What is inserted into an array is in
// conflict where it would stand in base. Below a secret its keys are secret too;
// show [Conflict.Shown] instead. It is built by this call, in time and memory that
// grow with the depth.
func (c Conflict) Path() path.Path {
	if at := c.at.Open(); at != nil {
		return at.path()
	}
	return path.Root()
}

// Shown is Path as texts may show it: cut at the outermost secret above it, on
// any side.
func (c Conflict) Shown() path.Shown {
	if at := c.at.Open(); at != nil {
		return path.Show(at.path(), at.visible)
	}
	return path.Shown{}
}

// Base is the value in base, which is also in the result, and false when there
// is none.
func (c Conflict) Base() (value.Value, bool) { return c.side(0) }

// Left is the value on the left, like [Conflict.Base]. Where both sides insert
// elements at one place of an array that is compared by edits, it is an array of
// those that the left one inserts.
func (c Conflict) Left() (value.Value, bool) { return c.side(1) }

// Right is [Conflict.Left] on the other side.
func (c Conflict) Right() (value.Value, bool) { return c.side(2) }

func (c Conflict) side(i int) (value.Value, bool) {
	of := c.of.Open()
	if of == nil {
		return value.Value{}, false
	}
	return of[i].Value, of[i].ok
}

// Secret reports whether any of the three values is secret or holds a secret, or a
// container above them is one. A text must then show none of them: what is secret
// on one side may stand in the clear on another (law 6).
func (c Conflict) Secret() bool {
	of := c.of.Open()
	if of == nil {
		return false
	}
	return c.masked() || of[0].ContainsSecret() || of[1].ContainsSecret() || of[2].ContainsSecret()
}

// masked reports whether not even kinds and sizes may be told.
func (c Conflict) masked() bool {
	of := c.of.Open()
	return c.at.Open().visible >= 0 || of[0].IsSecret() || of[1].IsSecret() || of[2].IsSecret()
}

// String is one line such as `a.b: edit: 1; left 2, right 3`, with secrets masked.
// Where a value holds a secret, only the kinds and sizes of all three are told.
func (c Conflict) String() string {
	text := c.kind.String()
	if at := c.Shown().String(); at != "" {
		text = scan.Line(at) + ": " + text
	}
	side := func(v value.Value, ok bool) string {
		switch {
		case !ok:
			return "nothing"
		case c.Secret() && c.masked():
			return secretText
		case c.Secret():
			return outlined(v)
		}
		return v.String()
	}
	return text + ": " + side(c.Base()) + "; left " + side(c.Left()) + ", right " + side(c.Right())
}

// outlined is the kind of a value, and how many parts it has.
func outlined(v value.Value) string {
	if v.Kind().IsContainer() {
		return v.Kind().String() + " (" + strconv.Itoa(v.Len()) + ")"
	}
	return v.Kind().String()
}

// GoString is String in the name of the type.
func (c Conflict) GoString() string { return "diff.Conflict{" + c.String() + "}" }

// Format writes [Conflict.String] for every verb, and GoString for %#v.
func (c Conflict) Format(f fmt.State, verb rune) {
	text := c.String()
	if verb == 'v' && f.Flag('#') {
		text = c.GoString()
	}
	_, _ = f.Write([]byte(text))
}

// MarshalText writes [Conflict.String].
func (c Conflict) MarshalText() ([]byte, error) { return []byte(c.String()), nil }
