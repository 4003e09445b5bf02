package path

import (
	"iter"
	"slices"
	"strings"
)

// Path is a sequence of steps from the root of a value to a place in it. It is
// immutable, comparable with == and usable as a map key; the zero Path is the
// root. A copy takes two words. Prefixes of a path, and the keys that its methods
// return, share its memory.
type Path struct{ packed string }

// Of returns the path of these steps.
func Of(steps ...Step) Path { return Path{join("", withoutWildcards(steps))} }

// Len returns the number of steps, in time proportional to it.
func (p Path) Len() int { return count(p.packed) }

// IsRoot reports whether p has no steps.
func (p Path) IsRoot() bool { return p.packed == "" }

// Parent returns the path without its last step. For the root it returns the root and
// false.
func (p Path) Parent() (Path, bool) {
	if p.packed == "" {
		return Path{}, false
	}
	return Path{p.packed[:lastStart(p.packed)]}, true
}

// Last returns the last step, and false for the root.
func (p Path) Last() (Step, bool) {
	if p.packed == "" {
		return Step{}, false
	}
	s, _ := unpack(p.packed[lastStart(p.packed):])
	return s, true
}

// Cut returns the first step and the path below it, and false for the root. It does the
// work of [Path.Steps] without an iterator, for loops where that counts.
func (p Path) Cut() (first Step, below Path, ok bool) {
	if p.packed == "" {
		return Step{}, Path{}, false
	}
	if h := uint(p.packed[0]); h&(0x80|tagMask) == tagKey { // as unpack has it, without the call
		return Step{name: p.packed[1 : h>>tagBits+1]}, Path{p.packed[h>>tagBits+2:]}, true
	}

	s, n := unpackOther(p.packed)
	return s, Path{p.packed[n:]}, true
}

// Steps iterates over the steps from the root down, without allocation.
func (p Path) Steps() iter.Seq[Step] {
	return func(yield func(Step) bool) {
		for rest := p.packed; rest != ""; {
			s, n := unpack(rest)
			if !yield(s) {
				return
			}

			rest = rest[n:]
		}
	}
}

// Append returns p followed by these steps. It copies p, in one allocation.
func (p Path) Append(steps ...Step) Path { return Path{join(p.packed, withoutWildcards(steps))} }

// withoutWildcards returns steps with the key `*` in place of each wildcard.
func withoutWildcards(steps []Step) []Step {
	first := slices.IndexFunc(steps, Step.isWild)
	if first < 0 {
		return steps
	}

	own := slices.Clone(steps)
	for i := first; i < len(own); i++ {
		switch {
		case own[i].IsWildcard():
			own[i] = Key("*")
		case own[i].IsAnyDepth():
			own[i] = Key("**")
		}
	}
	return own
}

// Member returns p followed by the step Key(name).
func (p Path) Member(name string) Path { return Path{joinOne(p.packed, Key(name))} }

// Elem returns p followed by the step Index(i). An i below 0 or above MaxIndex becomes
// MaxIndex, which no array reaches.
func (p Path) Elem(i int) Path { return Path{joinOne(p.packed, Index(i))} }

// Join returns p followed by the steps of q.
func (p Path) Join(q Path) Path {
	switch {
	case p.packed == "":
		return q
	case q.packed == "":
		return p
	}
	return Path{p.packed + q.packed}
}

// HasPrefix reports whether p is q or below q.
func (p Path) HasPrefix(q Path) bool { return strings.HasPrefix(p.packed, q.packed) }

// TrimPrefix returns the path from q down to p, or p and false if p is neither q nor
// below q.
func (p Path) TrimPrefix(q Path) (Path, bool) {
	rest, ok := strings.CutPrefix(p.packed, q.packed)
	return Path{rest}, ok
}

// Prefix returns the path of the first n steps: p if it has at most n, and the root if n
// is 0 or less.
func (p Path) Prefix(n int) Path {
	if n == 1 && p.packed != "" {
		if h := uint(p.packed[0]); h&(0x80|tagMask) == tagKey { // as unpack has it, without the call
			return Path{p.packed[:h>>tagBits+2]}
		}
	}
	return Path{p.packed[:split(p.packed, n)]}
}

// Equal reports whether p == q. It is here for go-cmp.
func (p Path) Equal(q Path) bool { return p == q }

// Compare returns a negative number, 0 or a positive number. It compares step by step, as
// [Step.Compare] does; a path is before everything below it.
func (p Path) Compare(q Path) int { return comparePacked(p.packed, q.packed) }

// MaxListed is the limit, in bytes, on all paths of one list, such as the entries of a
// response or the findings of a check. A list that exceeds it is shortened: the function
// that makes it names only top-level properties from there on, reports changes of their
// containers, counts or omits the rest, or fails.
const MaxListed = 16 << 20

// Size returns the number of bytes that the steps of the path take, to be counted against
// [MaxListed]. Other paths may share these bytes.
func (p Path) Size() int { return len(p.packed) }

// Pattern returns the pattern that matches p and nothing else.
func (p Path) Pattern() Pattern { return Pattern(p) }
