package diff

import (
	"github.com/propalg/propalg/internal/align"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/value"
)

// script says which element of one array is compared with which of another, and
// where a walk is that follows it.
type script struct {
	unordered          bool
	oldParts, newParts []int // the places of the prints of the elements
	// partner of each element on the other side, or alone.
	ofOld, ofNew   []int32
	moved          []bool // of new elements with a partner: not in order
	gapOld, gapNew int    // where the gap begins that the walk is in
}

// alone is the partner of an element that came or went.
const alone = -1

// matched goes on in two arrays whose elements are matched, up to a pair of
// containers or to the end: in the order of a merged listing, in every gap what
// went before what came.
func (w *walk) matched(stack []frame) []frame {
	f := &stack[len(stack)-1]
	s := f.script
	n, m := f.old.Len(), f.now.Len()
	for f.i < n || f.j < m {
		switch {
		case f.i < n && !s.inOrder(f.i):
			if s.ofOld[f.i] == alone {
				w.change(f, place{oldAt: f.i, newAt: s.gapNew}, difftree.OpRemove, difftree.HasOld|difftree.ValueChanged, value.Changed)
			}
			f.i++
			continue
		case s.ofNew[f.j] == alone:
			w.change(f, place{oldAt: s.gapOld, newAt: f.j}, difftree.OpInsert, difftree.HasNew|difftree.ValueChanged, value.Changed)
			f.j++
			continue
		}
		at := place{oldAt: int(s.ofNew[f.j]), newAt: f.j, moved: s.moved[f.j]}
		f.j++
		if !at.moved {
			f.i++
			s.gapOld, s.gapNew = f.i, f.j
		} else if s.unordered {
			f.own |= difftree.OrderChanged
		}
		here := couple{
			place: at,
			old:   side{f.old.Elem(at.oldAt), s.oldParts[at.oldAt]},
			now:   side{f.now.Elem(at.newAt), s.newParts[at.newAt]},
		}
		if deeper := w.pair(stack, &here, false); len(deeper) > len(stack) {
			return deeper
		}
	}
	return w.close(stack)
}

// inOrder reports whether an old element has a partner and did not move.
func (s *script) inOrder(i int) bool { return s.ofOld[i] != alone && !s.moved[s.ofOld[i]] }

// match makes the script of two arrays whose elements are to be matched.
func (w *walk) match(f *frame, depth int, old, now side) {
	how := w.matches.all
	if w.matches.set != nil {
		how = w.matches.at(w.states[depth])
	}
	if how.by == byIndex {
		return
	}
	if old.print == noPrint {
		if w.prints == nil {
			w.prints = newPrints(w.rules)
		}
		w.prints.all = w.prints.all[:0] // nothing above has any, so nothing needs them
		old.print = w.prints.add(old.Value)
		now.print = w.prints.add(now.Value)
		w.prints.work.hashed += len(w.prints.all)
	}
	n, m := old.Len(), now.Len()
	s := &script{
		unordered: how.unordered(),
		oldParts:  w.prints.parts(old.print, n), newParts: w.prints.parts(now.print, m),
		ofOld: make([]int32, n), ofNew: make([]int32, m), moved: make([]bool, m),
	}
	w.prints.work.Visited += n + m
	for i := range s.ofOld {
		s.ofOld[i] = alone
	}
	for j := range s.ofNew {
		s.ofNew[j] = alone
	}
	f.script = s
	x := matcher{prints: w.prints, rules: w.rules, script: s, how: how, old: old.Value, now: now.Value}
	x.symbols()
	x.align()
	x.unveil()
	x.resemble()
	if f.guess {
		return
	}
	switch oldHas, newHas := w.prints.all[old.print].has, w.prints.all[now.print].has; {
	case (oldHas|newHas)&hasUnknown != 0:
		f.guess = true
		if n != m {
			f.own |= difftree.ValueChanged
		}
	case n == m && mayBeEqual(w.rules, oldHas, newHas):
		f.guess = true
	}
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
