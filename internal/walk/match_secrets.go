package walk

import (
	"slices"

	"github.com/propalg/propalg/internal/align"
	"github.com/propalg/propalg/value"
)

// unveil pairs elements without a partner of which one side holds secrets: an element
// that became secret, or something in it, must hide its old side as well. A change does
// that; an element removed and another added would not (law 6). First it pairs those that
// differ in nothing but marks, at any index, then those that are most alike.
func (x *matcher) unveil() {
	s := x.script
	if !x.old.ContainsSecret() && !x.now.ContainsSecret() {
		return
	}

	found := x.unveilEqual()
	found = x.pair(alones(s.ofOld), hiding(x.now, alones(s.ofNew)), align.ResembleAny) || found
	if x.pair(hiding(x.old, alones(s.ofOld)), alones(s.ofNew), align.ResembleAny) || found {
		s.moved = align.Moved(s.ofNew)
	}
}

// hiding returns those of some elements that hold secrets.
func hiding(array value.Value, elements []int) []int {
	return slices.DeleteFunc(elements, func(i int) bool { return !array.Elem(i).ContainsSecret() })
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
			s.pair(same[0], j)
			places[bare] = same[1:]
			found = true
		}
	}
	return found
}
