package diff

import "github.com/propalg/propalg/internal/align"

// unveil pairs elements without a partner of which one side holds secrets: an
// element that became secret, or something in it, must hide its old side as well,
// which it does as a change and would not as one that went and one that came (law
// 6). First those that differ in nothing but marks, wherever they stand, then
// those that are most alike.
func (x *matcher) unveil() {
	s := x.script
	if !x.old.ContainsSecret() && !x.now.ContainsSecret() {
		return
	}
	found := x.unveilEqual()
	hidden := func(side func(int) bool, alones []int) []int {
		some := alones[:0]
		for _, i := range alones {
			if side(i) {
				some = append(some, i)
			}
		}
		return some
	}
	olds := alones(s.ofOld, 0, len(s.ofOld))
	news := hidden(func(j int) bool { return x.now.Elem(j).ContainsSecret() }, alones(s.ofNew, 0, len(s.ofNew)))
	found = x.resembling(olds, news, align.ResembleAny) || found
	olds = hidden(func(i int) bool { return x.old.Elem(i).ContainsSecret() }, alones(s.ofOld, 0, len(s.ofOld)))
	news = alones(s.ofNew, 0, len(s.ofNew))
	if x.resembling(olds, news, align.ResembleAny) || found {
		x.chain()
	}
}

// unveilEqual pairs elements that differ in nothing but marks.
func (x *matcher) unveilEqual() (found bool) {
	s := x.script
	places := map[uint64][]int{}
	for i, part := range s.oldParts {
		if s.ofOld[i] == alone {
			bare := x.prints.all[part].bare
			places[bare] = append(places[bare], i)
		}
	}
	for j, part := range s.newParts {
		bare := x.prints.all[part].bare
		if same := places[bare]; s.ofNew[j] == alone && len(same) > 0 {
			s.pair(same[0], j, false)
			places[bare] = same[1:]
			found = true
		}
	}
	x.prints.work.Probed += len(s.oldParts) + len(s.newParts)
	return found
}
