package path

import (
	"cmp"
	"strings"

	"github.com/propalg/propalg/internal/refuse"
)

// MaxIndex is the largest index a step can have, 2^31-1. No array reaches it:
// the largest index of an array of 2^31-1 elements is one less.
const MaxIndex = 1<<31 - 1

// wildMark is the ref of the wildcard, beyond every index plus one.
const wildMark = 1<<32 - 1

// Step is one step of a path: a key of an object or an index of an array. It
// is comparable with ==; the zero Step is Key("").
type Step struct {
	name string // of a key
	ref  uint32 // 0: a key; i+1: the index i; wildMark: the wildcard, only inside a PatternStep
}

// Key returns the step to the member of an object with this name, which is any byte
// string, also the empty one and one that is not UTF-8.
func Key(name string) Step { return Step{name: name} }

// Index returns the step to element i of an array. An i below 0 or above MaxIndex
// becomes MaxIndex, WHICH NO ARRAY REACHES, so that such a step finds nothing. (Parsers
// refuse such an index with ErrIndex.)
func Index(i int) Step {
	if i < 0 || i > MaxIndex {
		i = MaxIndex
	}
	return Step{ref: uint32(i) + 1}
}

// Key returns the name of a key, and false for an index.
func (s Step) Key() (string, bool) { return s.name, s.ref == 0 }

// Index returns the index, and false for a key.
func (s Step) Index() (int, bool) {
	if s.ref == 0 {
		return 0, false
	}
	return int(s.ref - 1), true
}

// IsKey reports whether s is a key rather than an index.
func (s Step) IsKey() bool { return s.ref == 0 }

// Equal reports whether s == t. It is here for go-cmp.
func (s Step) Equal(t Step) bool { return s == t }

// Compare orders indexes before keys, indexes by number, keys bytewise.
func (s Step) Compare(t Step) int {
	if s.ref == 0 && t.ref == 0 {
		return strings.Compare(s.name, t.name)
	}
	return cmp.Compare(s.rank(), t.rank())
}

// rank orders wildcard, indexes, keys.
func (s Step) rank() uint64 {
	switch s.ref {
	case 0:
		return 1 << 32
	case wildMark:
		return 0
	default:
		return uint64(s.ref)
	}
}

// String returns the canonical text of a path of this one step: `name`, `["any key"]` or
// `[0]`.
func (s Step) String() string { return string(appendStep(nil, s, true)) }

// UnmarshalJSON returns an error that names path.Parse.
func (*Step) UnmarshalJSON([]byte) error { return refuse.JSON("path.Step", "path.Parse") }
