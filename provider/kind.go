package provider

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/propalg/propalg/path"
)

// Kind is the kind of an entry of a detailed diff, numbered as in the protocol. The set
// is closed.
type Kind uint8

// The kinds of the protocol's PropertyDiff.
const (
	Add           Kind = 0 // the property was added
	AddReplace    Kind = 1 // the same, and that requires a replacement
	Delete        Kind = 2 // the property was deleted
	DeleteReplace Kind = 3 // the same, and that requires a replacement
	Update        Kind = 4 // the property was updated
	UpdateReplace Kind = 5 // the same, and that requires a replacement
)

// replaceBit is what a kind that requires a replacement has more than the one that
// does not.
const replaceBit = 1

// String returns the protocol's name, for example "ADD_REPLACE".
func (k Kind) String() string {
	switch k {
	case Add:
		return "ADD"
	case AddReplace:
		return "ADD_REPLACE"
	case Delete:
		return "DELETE"
	case DeleteReplace:
		return "DELETE_REPLACE"
	case Update:
		return "UPDATE"
	case UpdateReplace:
		return "UPDATE_REPLACE"
	}
	return "INVALID_KIND_" + strconv.Itoa(int(k))
}

// MarshalText returns the text of [Kind.String].
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// IsReplace reports whether the kind requires a replacement.
func (k Kind) IsReplace() bool { return k == AddReplace || k == DeleteReplace || k == UpdateReplace }

// WithReplace returns the kind that also requires a replacement.
func (k Kind) WithReplace() Kind {
	if k > UpdateReplace {
		return k
	}
	return k | replaceBit
}

// Invert returns k with ADD and DELETE exchanged; whether k replaces stays the same.
func (k Kind) Invert() Kind {
	if k > DeleteReplace {
		return k
	}
	return k ^ Delete
}

// Entry is one entry of a detailed diff. It holds no values.
type Entry struct {
	Key       string // the path as the protocol writes it, in the Pulumi dialect; never empty
	Kind      Kind
	InputDiff bool // the old value is in the old inputs, else in the old state
}

// Path returns the path that the key is the text of, or the zero Path if the key does not
// parse. Nothing on the path of an entry of [Respond] is inside a secret. Each call parses
// the key.
func (e Entry) Path() path.Path {
	p, err := path.ParsePulumi(e.Key)
	if err != nil {
		return path.Path{}
	}
	return p
}

// Side selects where the old values of a diff were taken from. The set is closed.
type Side uint8

// The sides.
const (
	FromState  Side = iota // the old state
	FromInputs             // the old inputs: entries say inputDiff
)

// Direction selects how the patterns in ReplaceOn match entries of a detailed diff. The
// set is closed.
type Direction uint8

const (
	// TwoWay matches a pattern with entries at, below and above the places that it
	// names. An entry above matches only if what changed there contains a match, as
	// when an object is added that has a property that forces a replacement. Elements
	// of arrays that were added or removed, or that moved unchanged, are not searched:
	// with the pattern rules[*].protocol, adding a rule to a list does not replace the
	// resource, and changing a rule's protocol does. A pattern that ends at the
	// elements, such as rules[*], matches each element that is added, removed or moved.
	TwoWay Direction = iota
	// EngineOneWay matches a pattern only with entries at or below the places that it
	// names, as Pulumi's engine does.
	EngineOneWay
	// ThroughElements is like TwoWay but also searches elements that were added,
	// removed or moved: with the pattern rules[*].protocol, adding a rule to a list
	// replaces the resource.
	ThroughElements
)

// Changes is the protocol's DiffChanges, with its numbers. The set is closed.
type Changes uint8

// The values of DiffChanges.
const (
	Unknown Changes = 0 // the provider does not know; the engine then compares inputs
	None    Changes = 1 // nothing changed
	Some    Changes = 2 // something changed, or may have
)

// String returns the protocol's name, for example "DIFF_SOME".
func (s Changes) String() string {
	switch s {
	case Unknown:
		return "DIFF_UNKNOWN"
	case None:
		return "DIFF_NONE"
	case Some:
		return "DIFF_SOME"
	}
	return "INVALID_STATE_" + strconv.Itoa(int(s))
}

// MarshalText returns the text of [Changes.String].
func (s Changes) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// ErrKind is the error that [ParseKind] wraps if a text does not name a kind.
var ErrKind = errors.New("unknown kind of change")

// ParseKind parses a kind as the protocol writes it ("ADD_REPLACE") or as the engine's
// events and SDKs do ("add-replace", "add&replace").
func ParseKind(text string) (Kind, error) {
	if len(text) <= len("DELETE_REPLACE") {
		name := strings.ToUpper(strings.NewReplacer("-", "_", "&", "_").Replace(text))
		for k := Add; k <= UpdateReplace; k++ {
			if name == k.String() {
				return k, nil
			}
		}
	}
	return 0, fmt.Errorf("provider: parse kind: %w", ErrKind)
}

// UnmarshalText parses text as [ParseKind] does. On error it leaves *k unchanged.
func (k *Kind) UnmarshalText(text []byte) error {
	parsed, err := ParseKind(string(text))
	if err == nil {
		*k = parsed
	}
	return err
}

// WithoutReplace returns the kind without a replacement. As engines do, it treats
// numbers that the protocol does not define as UPDATE.
func (k Kind) WithoutReplace() Kind {
	if k > UpdateReplace {
		return Update
	}
	return k &^ replaceBit
}
