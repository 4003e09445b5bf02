package check

import (
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// tally counts the entries that are elements of one array.
type tally struct {
	adds, deletes, updates int
	vague                  int              // adds and deletes where a null is on the other side, which may be an element or nothing
	shifts                 bool             // elements were added or removed elsewhere than at the end
	wrong                  bool             // numbers disagree with lengths
	sides                  [2]bool          // which have entries here; if both have, each with its own indexes, numbers say nothing
	differs                [2]value.Verdict // from the new one, of that of state and of old inputs; Maybe: not asked yet
}

// lengths counts the entries that are elements, by array.
func (v *validator) lengths() {
	for i := range v.all {
		c := &v.all[i]
		last, ok := c.path.Last()
		if c.fate != 0 || !ok || last.IsKey() {
			continue
		}

		array, _ := c.path.Parent()
		if v.arrays == nil {
			v.arrays = map[path.Path]*tally{}
		}

		t := v.arrays[array]
		if t == nil {
			t = &tally{differs: [2]value.Verdict{value.Maybe, value.Maybe}}
			v.arrays[array] = t
		}
		v.count(t, c, array, last)
	}
	for array, t := range v.arrays {
		grown := t.adds - t.deletes
		old, _ := look(oldSide(v.sides, true), array)
		state, _ := look(oldSide(v.sides, false), array)
		now, _ := look(v.now(true), array)
		by := min(distance(now.v.Len()-old.v.Len(), grown), distance(now.v.Len()-state.v.Len(), grown))
		t.wrong = by > t.updates+t.vague && t.sides[0] != t.sides[1]
		t.shifts = t.shifts || (t.vague > 0 && by == 0)
	}
}

func distance(a, b int) int { return max(a-b, b-a) }

func (v *validator) count(t *tally, c *claim, array path.Path, last path.Step) {
	i, _ := last.AsIndex()
	kind := protocol.WithoutReplace(c.kind)
	t.sides[sideNumber(c.input)] = true
	other := v.now(c.input)
	if kind == rpc.PropertyDiffAdd {
		other = oldSide(v.sides, c.input)
	}
	at, _ := look(other, array)
	if kind == rpc.PropertyDiffUpdate {
		t.updates++
		return
	}

	if kind == rpc.PropertyDiffAdd {
		t.adds++
	} else {
		t.deletes++
	}
	if i < at.v.Len() && protocol.Nothing(at.v.Elem(i)) {
		t.vague++
	} else if i < at.v.Len() {
		t.shifts = true
	}
}

// miscounted reports whether an element cannot have been added or removed, as an entry
// says, at an index that is there on both sides.
func (v *validator) miscounted(c *claim, input bool) bool {
	array, _ := c.path.Parent()
	if t := v.arrays[array]; t == nil || t.wrong {
		return true
	}
	return !v.differs(array, input)
}

// differs reports whether an array that is counted differs from the new one.
func (v *validator) differs(array path.Path, input bool) bool {
	known := &v.arrays[array].differs[sideNumber(input)]
	if *known == value.Maybe { // not asked yet
		old, _ := look(oldSide(v.sides, input), array)
		now, _ := look(v.now(input), array)
		*known = value.Changed
		if v.compare.Relation.Equal(old.v, now.v) {
			*known = value.Same
		}
	}

	return *known == value.Changed
}

// shifts reports whether an entry is of two elements, one added and one removed at one
// index, which may be equal.
func (v *validator) shifts(p path.Path, input bool) bool {
	array, _ := p.Parent()
	last, _ := p.Last()
	t := v.arrays[array]
	byIndex := v.compare.Arrays == diff.Positional() && len(v.compare.ArrayRules) == 0
	return !last.IsKey() && t != nil && (t.shifts || !byIndex) && v.differs(array, input)
}
