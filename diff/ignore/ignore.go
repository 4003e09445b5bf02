package ignore

import (
	"slices"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Mode selects the rules that [Changes] follows.
type Mode uint8

// The modes.
const (
	// AsEngine follows Pulumi's engine (3.194 and later), but visits members in key order,
	// where the engine visits them in random order. The first mismatch ends its pattern:
	// places before it are set back, places after it are not. An array or object with
	// dependencies does not count as a container. If an object o is secret in old but not
	// in new, the pattern `o[*]` makes its members secret, but not its keys.
	AsEngine Mode = iota
	// Corrected follows [AsEngine] without its traps. A mismatch ends only its own
	// branch. Where old has nothing, or null, it counts as an empty container of
	// the kind that new has, so that `t[*]` empties an added t just as `t.x`
	// removes an x from it. An inner wildcard also visits members that only new
	// has. Containers with dependencies are containers. A pattern that leads into an
	// unknown is a mismatch, and removes nothing; if both sides have the same unknown,
	// it does nothing, and there is no mismatch. An object that gets its members from a
	// secret one becomes secret, since its keys are.
	Corrected
)

// String returns "engine" or "corrected".
func (m Mode) String() string {
	return scan.Name(m, "invalid ignore mode", []string{AsEngine: "engine", Corrected: "corrected"})
}

// Changes returns the new value, now, after setting back every property that a pattern
// names to its value in old.
//
// It does what an engine does with ignoreChanges before it asks a provider for a
// diff: it copies what old has, and removes what old does not have. Where the two
// values have no common shape, nothing is changed and a mismatch is reported. The
// patterns are applied in the order given, each to the result of the one before. The wildcard
// [path.AnyDepth], which engines do not have, leads through what both values have, and is no
// cause of a mismatch.
//
// Patterns see through secret marks. What is copied out of a secret stays secret,
// and containers keep their marks. No array changes its length. The root pattern
// sets back everything in the corrected mode; in the engine's mode it is a mismatch.
// An invalid mode is taken as [Corrected].
//
// Applying the patterns to the result changes nothing in the corrected mode. In the
// engine's mode this holds for a single pattern only: a pattern may remove the cause of
// the mismatch of an earlier one.
//
// The time is linear in the number of patterns, in the places that each of them leads
// to, and in the size of the containers that have such a place. Containers that many
// patterns change are rebuilt once.
func Changes(old, now value.Value, patterns []path.Pattern, mode Mode) Result {
	w := walker{mode: mode}
	var (
		few   [4]task
		tasks = few[:0]
		known keySet
	)
	objects := w.form(old) == formObject && w.form(now) == formObject
	if objects {
		known.init(old, now, len(patterns))
	}
	for i, p := range patterns {
		first, _, ok := p.Cut()
		if name, isKey := first.AsKey(); objects && ok && isKey && !known.has(name) {
			continue
		}

		for s := range p.Steps() {
			w.isDeep = w.isDeep || s.IsAnyDepth()
		}
		tasks = append(tasks, task{rest: p, number: len(w.results)})
		w.results = append(w.results, PatternResult{Pattern: p, Index: i})
	}

	// Marks that the root inherited belong to the place it was taken from, so the root pattern
	// leaves those of new.
	switch {
	case now.IsSecret() && !now.OwnSecret():
		old = old.AsPartOf(now)
	case old.IsSecret():
		old = value.Secret(old)
	}
	root := place{old: old, now: now, inOld: true, inNow: true, outermost: -1}
	w.apply(&root, tasks)
	return Result{Value: root.now, Patterns: slices.DeleteFunc(w.results, PatternResult.isEmpty)}
}

// keySet holds the keys of two objects. It makes most lookups of other keys unnecessary:
// row ignore-100 takes 4.7 ms instead of 8.7.
type keySet struct {
	old, now value.Value
	isSifted bool
	likely   [256]bool // by keyNumber
}

// init prepares s for a number of calls of has.
func (s *keySet) init(old, now value.Value, calls int) {
	s.old, s.now = old, now
	s.isSifted = calls > 2
	if !s.isSifted {
		return
	}

	for _, side := range []value.Value{old, now} {
		for name := range side.Keys() {
			s.likely[keyNumber(name)] = true
		}
	}
}

func (s *keySet) has(name string) bool {
	if s.isSifted && !s.likely[keyNumber(name)] {
		return false
	}
	return has(s.old, name) || has(s.now, name)
}

// keyNumber returns a number that differs between most keys of an object.
func keyNumber(name string) uint8 {
	n := len(name)
	if n == 0 {
		return 0
	}
	return uint8(n<<5) + 7*name[0] + name[n-1]
}

func has(v value.Value, name string) bool {
	_, ok := v.Lookup(name)
	return ok
}
