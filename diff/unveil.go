package diff

// unveil pairs elements without a partner that differ in nothing but secret marks,
// wherever they stand: an element that became secret must hide its old side as
// well, which it does as a change and would not as one that went and one that came
// (law 6).
func (x *matcher) unveil() {
	s := x.script
	if !x.old.ContainsSecret() && !x.now.ContainsSecret() {
		return
	}
	places := map[uint64][]int{}
	for i, part := range s.oldParts {
		if s.ofOld[i] == alone {
			bare := x.prints.all[part].bare
			places[bare] = append(places[bare], i)
		}
	}
	found := false
	for j, part := range s.newParts {
		bare := x.prints.all[part].bare
		if same := places[bare]; s.ofNew[j] == alone && len(same) > 0 {
			s.pair(same[0], j, false)
			places[bare] = same[1:]
			found = true
		}
	}
	x.prints.work.Probed += len(s.oldParts) + len(s.newParts)
	if found {
		x.chain()
	}
}
