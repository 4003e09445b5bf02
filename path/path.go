package path

import (
	"iter"
	"strings"
)

// Path is a sequence of steps from the root of a value to a place in it. It is
// immutable, comparable with == and usable as a map key; the zero Path is the
// root. Copying one copies two words; prefixes share memory, and so does the
// name of a key that a path hands out.
type Path struct{ packed string }

// Root is the path of no steps, the zero Path.
func Root() Path { return Path{} }

// Of is the path of these steps.
func Of(steps ...Step) Path { return Path{join("", steps)} }

// Len is the number of steps. It counts them.
func (p Path) Len() int { return count(p.packed) }

// IsRoot reports whether p has no steps.
func (p Path) IsRoot() bool { return p.packed == "" }

// Parent is the path without its last step, and false for the root, whose
// parent is given as the root.
func (p Path) Parent() (Path, bool) {
	if p.packed == "" {
		return Path{}, false
	}
	return Path{p.packed[:lastStart(p.packed)]}, true
}

// Last is the last step, and false for the root.
func (p Path) Last() (Step, bool) {
	if p.packed == "" {
		return Step{}, false
	}
	s, _ := unpack(p.packed[lastStart(p.packed):])
	return s, true
}

// First is the first step, and false for the root.
func (p Path) First() (Step, bool) {
	if p.packed == "" {
		return Step{}, false
	}
	s, _ := unpack(p.packed)
	return s, true
}

// Cut is the first step and the path below it, and false for the root. It goes
// down a path as [Path.Steps] does, for a loop that must not pay for an iterator.
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

// Append is p with these steps below it, in one allocation. Like all that
// makes a path longer it copies: no two paths ever share what is written.
func (p Path) Append(steps ...Step) Path { return Path{join(p.packed, steps)} }

// Key is p with the step Key(name) below it.
func (p Path) Key(name string) Path { return Path{joinOne(p.packed, Key(name))} }

// Index is p with the step Index(i) below it. As there, an i below 0 or above
// MaxIndex gives MaxIndex, which no array reaches.
func (p Path) Index(i int) Path { return Path{joinOne(p.packed, Index(i))} }

// Join is p with the steps of q below it.
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

// TrimPrefix is the path from q down to p; it returns p and false when p is
// not q or below q.
func (p Path) TrimPrefix(q Path) (Path, bool) {
	rest, ok := strings.CutPrefix(p.packed, q.packed)
	return Path{rest}, ok
}

// Prefix is the path of the first n steps: all of p when it has no more than
// n, the root when n is 0 or less.
func (p Path) Prefix(n int) Path {
	if n == 1 && p.packed != "" {
		if h := uint(p.packed[0]); h&(0x80|tagMask) == tagKey { // as unpack has it, without the call
			return Path{p.packed[:h>>tagBits+2]}
		}
	}
	return Path{p.packed[:split(p.packed, n)]}
}

// Equal is p == q; go-cmp finds it.
func (p Path) Equal(q Path) bool { return p == q }

// Compare orders paths step by step as Step.Compare does; a path sorts before
// all that is below it.
func (p Path) Compare(q Path) int { return comparePacked(p.packed, q.packed) }

// Pattern is the pattern that matches p and nothing else.
func (p Path) Pattern() Pattern { return Pattern(p) }
