package walk

import (
	"slices"

	"github.com/propalg/propalg/internal/align"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/value"
)

// script says which element of one array is compared with which of another.
type script struct {
	oldParts, newParts []int // the places of the prints of the elements
	// partner of each element on the other side, or alone.
	ofOld, ofNew []int32
	moved        []bool // of new elements with a partner: not in order
}

// alone is the partner of an element that came or went.
const alone = -1

// matched compares the elements of two arrays that a script pairs, in the order of a
// merged listing: in every gap removed elements before added ones.
func (w *walker) matched(s *script, old, now side) {
	before, after := old.Children(), now.Children()
	gapOld, gapNew := 0, 0
	for i, j := 0, 0; i < before.Len() || j < after.Len(); {
		switch {
		case i < before.Len() && !s.inOrder(i):
			if s.ofOld[i] == alone {
				_, x := before.At(i)
				w.change(place{oldAt: i, newAt: gapNew}, difftree.OpRemove, difftree.ValueChanged, value.Changed, &x, nil)
			}
			i++
			continue
		case s.ofNew[j] == alone:
			_, y := after.At(j)
			w.change(place{oldAt: gapOld, newAt: j}, difftree.OpInsert, difftree.ValueChanged, value.Changed, nil, &y)
			j++
			continue
		}
		at := place{oldAt: int(s.ofNew[j]), newAt: j, moved: s.moved[j]}
		j++
		if !at.moved {
			i++
			gapOld, gapNew = i, j
		}
		_, x := before.At(at.oldAt)
		_, y := after.At(at.newAt)
		w.pair(at, side{x, s.oldParts[at.oldAt]}, side{y, s.newParts[at.newAt]}, false)
	}
}

// inOrder reports whether an old element has a partner and did not move.
func (s *script) inOrder(i int) bool { return s.ofOld[i] != alone && !s.moved[s.ofOld[i]] }

// match makes the script of two arrays whose elements are to be matched, or returns nil.
func (w *walker) match(l *level, old, now side) *script {
	how := w.Matches.All
	if w.Matches.Set != nil {
		how = w.Matches.At(w.states[len(w.levels)-1])
	}
	if how.By == ByIndex {
		return nil
	}
	if old.print == noPrint {
		if w.prints == nil {
			w.prints = newPrints(w.Rules)
		}
		w.prints.all = w.prints.all[:0] // nothing above has any, so nothing needs them
		old.print = w.prints.add(old.Value)
		now.print = w.prints.add(now.Value)
		w.prints.work.hashed += len(w.prints.all)
	}
	n, m := old.Len(), now.Len()
	s := &script{
		oldParts: w.prints.parts(old.print, n), newParts: w.prints.parts(now.print, m),
		ofOld: make([]int32, n), ofNew: make([]int32, m), moved: make([]bool, m),
	}
	w.prints.work.Visited += n + m
	for i := range s.ofOld {
		s.ofOld[i] = alone
	}
	for j := range s.ofNew {
		s.ofNew[j] = alone
	}
	x := matcher{prints: w.prints, rules: w.Rules, script: s, how: how, old: old.Value, now: now.Value}
	x.symbols()
	x.align()
	x.unveil()
	x.resemble()
	l.unordered = how.Unordered()
	if l.unordered && slices.Contains(s.moved, true) {
		l.own |= difftree.OrderChanged
	}
	if l.guess {
		return s
	}
	switch oldHas, newHas := w.prints.all[old.print].has, w.prints.all[now.print].has; {
	case (oldHas|newHas)&hasUnknown != 0:
		l.guess = true
		if n != m {
			l.own |= difftree.ValueChanged
		}
	case n == m && mayBeEqual(w.Rules, oldHas, newHas):
		l.guess = true
	}
	return s
}

// pair notes that two elements are compared.
func (s *script) pair(old, now int, moved bool) {
	s.ofOld[old], s.ofNew[now], s.moved[now] = int32(now), int32(old), moved //nolint:gosec // lengths of slices
}

// matcher makes a script.
type matcher struct {
	prints           *prints
	rules            difftree.Rules
	script           *script
	how              Match
	old, now         value.Value
	oldSyms, newSyms []int32
	oldKeys, newKeys elementKeys
}

// symbol is what an element is known by: its print, or that of its key.
type symbol struct {
	sum   uint64
	keyed bool
}

// symbols numbers the elements, so that those that match have equal numbers.
func (x *matcher) symbols() {
	s, n, m := x.script, x.old.Len(), x.now.Len()
	x.keys()
	numbers := make(map[symbol]int32, n)
	number := func(part int, key *uint64) int32 {
		name := symbol{sum: x.prints.all[part].sum}
		if key != nil {
			name = symbol{*key, true}
		}
		id, ok := numbers[name]
		if !ok {
			id = int32(len(numbers)) //nolint:gosec // at most n+m, which are lengths of slices
			numbers[name] = id
		}
		return id
	}
	x.oldSyms, x.newSyms = make([]int32, n), make([]int32, m)
	for i, part := range s.oldParts {
		x.oldSyms[i] = number(part, x.oldKeys.at(i))
	}
	for j, part := range s.newParts {
		x.newSyms[j] = number(part, x.newKeys.at(j))
	}
	x.prints.work.Probed += n + m
}

// align pairs the elements with equal symbols: as many as there are, and as many
// of them as can be found in the same order on both sides.
func (x *matcher) align() {
	for _, run := range align.Align(x.oldSyms, x.newSyms, &x.prints.work.Work).Runs {
		for k := range int(run.Len) {
			x.script.pair(int(run.Old)+k, int(run.New)+k, run.Moved)
		}
	}
}
