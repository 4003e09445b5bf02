package provider

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/propalg/propalg/path"
)

// Kind is the kind of an entry of a detailed diff, with the numbers of the
// provider protocol. The set is closed.
type Kind uint8

// The kinds, as in the protocol's PropertyDiff.
const (
	Add           Kind = 0 // the property was added
	AddReplace    Kind = 1 // and that requires a replacement
	Delete        Kind = 2 // the property was deleted
	DeleteReplace Kind = 3 // and that requires a replacement
	Update        Kind = 4 // the property was updated
	UpdateReplace Kind = 5 // and that requires a replacement
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

// MarshalText writes [Kind.String].
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// IsReplace reports whether the kind requires a replacement.
func (k Kind) IsReplace() bool { return k == AddReplace || k == DeleteReplace || k == UpdateReplace }

// WithReplace is the kind that also requires a replacement.
func (k Kind) WithReplace() Kind {
	if k > UpdateReplace {
		return k
	}
	return k | replaceBit
}

// Invert is the kind seen from the other side: ADD for DELETE, replacing or not.
func (k Kind) Invert() Kind {
	if k > DeleteReplace {
		return k
	}
	return k ^ Delete
}

// Entry is one entry of a detailed diff. Values never travel in it.
type Entry struct {
	Key       string    // the path as the protocol writes it, in the Pulumi dialect; never empty
	Path      path.Path // the same path; nothing on it is inside a secret
	Kind      Kind
	InputDiff bool // the old value is to be read from the old inputs, else from the old state
}

// Side says where the old values of a diff come from. The set is closed.
type Side uint8

// The sides.
const (
	FromState  Side = iota // the old state
	FromInputs             // the old inputs: entries say inputDiff
)

// Direction says how patterns of replacing properties are held against the
// entries of a detailed diff. The set is closed.
type Direction uint8

const (
	// TwoWay fires a pattern when an entry is at or below a match, and when it
	// is above one and what changed there holds a match: an added object that
	// holds a property that forces a replacement. It does not look into an element
	// of an array that was added or removed, inserted or deleted, or that moved as it
	// is: with the pattern rules[*].protocol a rule that is added to a list replaces
	// nothing, and a rule whose protocol changes does. A pattern that ends at the
	// elements, rules[*], fires for each that is added, removed or moved.
	TwoWay Direction = iota
	// EngineOneWay fires a pattern only when an entry is at or below a match, as Pulumi's engine
	// has it.
	EngineOneWay
	// ThroughElements is TwoWay, and also looks into elements that were added, removed
	// or moved: with rules[*].protocol a rule that is added to a list replaces the
	// resource.
	ThroughElements
)

// Changes is the protocol's DiffChanges, with its numbers. The set is closed.
type Changes uint8

// The states.
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

// MarshalText writes [Changes.String].
func (s Changes) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// ErrKind is the sentinel of [ParseKind]: a text names no kind of change.
var ErrKind = errors.New("no kind of change")

// ParseKind reads a kind as the protocol spells it ("ADD_REPLACE"), or as the
// engine's events and its SDKs do ("add-replace", "add&replace").
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

// UnmarshalText is [ParseKind]; on error *k stays as it was.
func (k *Kind) UnmarshalText(text []byte) error {
	parsed, err := ParseKind(string(text))
	if err == nil {
		*k = parsed
	}
	return err
}

// WithoutReplace returns the kind without what it says of replacement; a number that
// is no kind counts as UPDATE, as engines have it.
func (k Kind) WithoutReplace() Kind {
	if k > UpdateReplace {
		return Update
	}
	return k &^ replaceBit
}
