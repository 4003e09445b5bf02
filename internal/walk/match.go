package walk

// NOTE: Equal elements are matched here, keyed ones by the keys of match_keys.go, then
// those with secrets (match_secrets.go) and similar ones (match_similar.go). internal/align
// finds the edits.

import (
	"slices"

	"github.com/propalg/propalg/internal/align"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// script says which element of one array is compared with which of another.
type script struct {
	oldParts, newParts []int // for each element, the index of its print in prints.all
	// partner of each element on the other side, or alone.
	ofOld, ofNew []int32
	moved        []bool // of new elements with a partner: not in order
}

// An element that was added or removed has the partner alone.
const alone = align.None

// matched compares the elements of two arrays that a script pairs, in the order of a
// merged listing: in every gap removed elements before added ones.
func (w *Walker) matched(s *script, old, now *value.Value) {
	before, after := old.Children(), now.Children()

	gapOld, gapNew := 0, 0 // the indexes after the last element that is in order
	var x, y value.Value
	var at place
	for i, j := 0, 0; i < before.Len() || j < after.Len(); {
		switch {
		case i < before.Len() && !s.inOrder(i):
			if s.ofOld[i] == alone {
				at = elementAt(i, gapNew)
				_, x = before.At(i)
				w.change(&at, difftree.OpRemove, difftree.ValueChanged, value.Changed, &x, nil)
			}
			i++
			continue
		case s.ofNew[j] == alone: // there is one: an element in order has its partner at j or later
			at = elementAt(gapOld, j)
			_, y = after.At(j)
			w.change(&at, difftree.OpInsert, difftree.ValueChanged, value.Changed, nil, &y)
			j++
			continue
		}
		partner := int(s.ofNew[j])
		at = elementAt(partner, j)
		at.oldPrint, at.newPrint, at.moved = s.oldParts[partner], s.newParts[j], s.moved[j]
		_, x = before.At(partner)
		_, y = after.At(j)
		j++
		if !at.moved {
			i++
			gapOld, gapNew = i, j
		}

		w.pair(&at, &x, &y, false)
	}
}

// inOrder reports whether an old element has a partner and did not move.
func (s *script) inOrder(i int) bool { return s.ofOld[i] != alone && !s.moved[s.ofOld[i]] }

func (w *Walker) match(l *level) *script {
	how := w.Matches.All
	if w.Matches.Set != nil {
		how = w.Matches.At(w.states[len(w.levels)-1])
	}
	if how.By == ByIndex || l.old.Kind() != value.KindArray {
		return nil
	}
	how = how.For(l.old, l.now)
	if l.oldPrint == noPrint {
		if w.prints == nil {
			w.prints = newPrints(w.Rules)
		}
		w.prints.reset() // no container above has prints, and those of siblings are done with
		l.oldPrint, l.newPrint = w.prints.add(l.old), w.prints.add(l.now)
	}
	s := newMatcher(w.prints, how, l).match()
	l.unordered = how.Unordered()
	if l.unordered && slices.Contains(s.moved, true) {
		l.own |= difftree.OrderChanged
	}
	if l.guess {
		return s
	}

	n, m := l.old.Len(), l.now.Len()
	oldHas, newHas := w.prints.all[l.oldPrint].has, w.prints.all[l.newPrint].has
	switch {
	case (oldHas|newHas)&hasUnknown != 0:
		l.guess = true
		if n != m { // the lengths differ, whichever elements belong together
			l.own |= difftree.ValueChanged
		}
	case n == m && mayBeEqual(w.Rules, oldHas, newHas):
		l.guess = true
	}

	return s
}

func (s *script) pair(old, now int) {
	s.ofOld[old], s.ofNew[now] = int32(now), int32(old) //nolint:gosec // lengths of slices
}

type matcher struct {
	prints                 *prints
	script                 *script
	how                    Match
	old, now               value.Value
	oldSymbols, newSymbols []symbol
}

// symbol is what an element is matched by: its print, or the hash of its key.
type symbol struct {
	sum   uint64
	keyed bool
}

func newMatcher(p *prints, how Match, l *level) *matcher {
	s := &script{oldParts: p.parts(l.oldPrint, l.old.Len()), newParts: p.parts(l.newPrint, l.now.Len())}
	x := &matcher{prints: p, script: s, how: how, old: l.old, now: l.now}
	x.oldSymbols, x.newSymbols = x.symbols(s.oldParts), x.symbols(s.newParts)
	return x
}

func (x *matcher) symbols(parts []int) []symbol {
	symbols := make([]symbol, len(parts))
	for i, part := range parts {
		symbols[i].sum = x.prints.all[part].sum
	}
	return symbols
}

// match pairs elements: those with equal symbols first, then those that are alike.
func (x *matcher) match() *script {
	if x.how.By == ByKey {
		x.useKeys()
	}
	s := x.script
	numbers := make(map[symbol]int32, len(x.oldSymbols))
	s.ofNew, s.moved = align.Align(numbered(x.oldSymbols, numbers), numbered(x.newSymbols, numbers))
	s.ofOld = slices.Repeat([]int32{alone}, x.old.Len())
	for j, i := range s.ofNew {
		if i != alone {
			s.ofOld[i] = int32(j) //nolint:gosec // an index
		}
	}

	x.unveil()
	x.resemble()
	return s
}

// numbered returns the numbers of symbols, and gives new ones to those without.
func numbered(symbols []symbol, numbers map[symbol]int32) []int32 {
	all := make([]int32, len(symbols))
	for i, s := range symbols {
		number, ok := numbers[s]
		if !ok {
			number = int32(len(numbers)) //nolint:gosec // at most the elements of two arrays
			numbers[s] = number
		}
		all[i] = number
	}

	return all
}

// Match is a diff.Match.
type Match struct {
	By  By
	Key path.Path // for ByKey
}

// By is a way to match elements.
type By uint8

// The ways.
const (
	ByIndex By = iota
	ByEdits
	ByKey
	ByContent
	ByGuess // a key or edits, see [Match.For]
)

// Unordered reports whether the order of elements is a fact of the array.
func (m Match) Unordered() bool { return m.By == ByKey || m.By == ByContent }

// Matches says how elements are matched in which arrays.
type Matches struct {
	All   Match     // in arrays that no pattern names
	Rules []Match   // for the patterns in Set; the first that names an array counts
	Set   *path.Set // nil without rules
}

// At returns the Match for the array at a State of the Set.
func (m *Matches) At(st path.Matcher) Match {
	first := len(m.Rules)
	for i := range st.Matched() {
		first = min(first, i)
	}
	if first < len(m.Rules) {
		return m.Rules[first]
	}

	return m.All
}
