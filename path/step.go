package path

import (
	"cmp"
	"strings"
)

// MaxIndex is the largest index of a step, 2^31-1. [Index] replaces a negative or larger
// index by it, so that the step leads nowhere, since no array is that long; parsers return
// [ErrIndex] instead.
const MaxIndex = 1<<31 - 1

// The refs of the wildcards, beyond every index plus one.
const (
	deepMark = 1<<32 - 2
	wildMark = 1<<32 - 1
)

// Step is one step of a path, a key of an object or an index of an array, or of a
// pattern, where it may also be a wildcard. It is comparable with ==; the zero Step is
// Key("").
type Step struct {
	name string // of a key
	ref  uint32 // 0: a key; i+1: the index i; deepMark and wildMark: the wildcards
}

// Key returns the step to the member of an object with this name. The name may be any
// string of bytes, even empty or not UTF-8.
func Key(name string) Step { return Step{name: name} }

// Index returns the step to element i of an array. If i is negative or above [MaxIndex],
// the step has the index MaxIndex.
func Index(i int) Step {
	if i < 0 || i > MaxIndex {
		i = MaxIndex
	}
	return Step{ref: uint32(i) + 1}
}

// Any returns the wildcard `[*]` of patterns, which matches any one key or index. A path
// has no wildcard: there it becomes the key `*`, as in the Pulumi dialect.
func Any() Step { return Step{ref: wildMark} }

// AnyDepth returns the wildcard `[**]` of patterns, which matches any number of keys and
// indexes, also none. In a path it becomes the key `**`. The Pulumi dialect has no such step.
func AnyDepth() Step { return Step{ref: deepMark} }

// AsKey returns the name of a key, and false for every other step.
func (s Step) AsKey() (string, bool) { return s.name, s.ref == 0 }

// AsIndex returns the index, and false for every other step.
func (s Step) AsIndex() (int, bool) {
	i := s.ref - 1 // beyond MaxIndex for a key, too
	if i > MaxIndex {
		return 0, false
	}
	return int(i), true
}

// IsKey reports whether s is a key.
func (s Step) IsKey() bool { return s.ref == 0 }

// IsWildcard reports whether s is the wildcard of one step, [Any].
func (s Step) IsWildcard() bool { return s.ref == wildMark }

// IsAnyDepth reports whether s is the wildcard of any number of steps, [AnyDepth].
func (s Step) IsAnyDepth() bool { return s.ref == deepMark }

// isWild reports whether s is either wildcard.
func (s Step) isWild() bool { return s.ref >= deepMark }

// Equal reports whether s == t. It is here for go-cmp.
func (s Step) Equal(t Step) bool { return s == t }

// Compare returns a negative number, 0 or a positive number. [AnyDepth] is before [Any],
// this before indexes, and these before keys; indexes are in numerical order, keys in
// bytewise order.
func (s Step) Compare(t Step) int {
	if s.ref == 0 && t.ref == 0 {
		return strings.Compare(s.name, t.name)
	}
	return cmp.Compare(s.rank(), t.rank())
}

// rank returns a number that orders wildcards, indexes and keys.
func (s Step) rank() uint64 {
	switch s.ref {
	case 0:
		return 1 << 32
	case deepMark, wildMark:
		return uint64(s.ref - deepMark)

	default:
		return uint64(s.ref) + 1
	}
}

// String returns the canonical text of a pattern of this one step: `name`, `["any key"]`,
// `[0]`, `[*]` or `[**]`.
func (s Step) String() string { return string(appendStep(nil, s, true)) }
