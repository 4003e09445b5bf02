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
	entries                []*claim
	adds, deletes, updates int
	vague                  int              // adds and deletes where a null is on the other side, which may be an element or nothing
	shifts                 bool             // elements were added or removed elsewhere than at the end
	wrong                  bool             // numbers disagree with lengths
	sides                  [2]bool          // which have entries here; if both have, each with its own indexes, numbers say nothing
	joined                 [2]bool          // an entry of this side may be joined with one of the other
	elsewhere              map[uint64]bool  // hashes of elements that are added, removed or changed; nil: not asked yet
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
		by := [2]int{distance(now.v.Len()-state.v.Len(), grown), distance(now.v.Len()-old.v.Len(), grown)} // see sideNumber
		least, oneSide := min(by[0], by[1]), t.sides[0] != t.sides[1]
		t.wrong = least > t.updates+t.vague && oneSide
		t.shifts = t.shifts || (t.vague > 0 && least == 0)
		if old.v.Kind() == state.v.Kind() && !v.compare.Relation.Equal(old.v, state.v) {
			t.joined = [2]bool{!oneSide || by[0] > 0, !oneSide || by[1] > 0}
		}
	}
}

func distance(a, b int) int { return max(a-b, b-a) }

func (v *validator) count(t *tally, c *claim, array path.Path, last path.Step) {
	i, _ := last.AsIndex()
	kind := protocol.WithoutReplace(c.kind)
	t.entries = append(t.entries, c)
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

// shifts reports whether an UPDATE of an element that is x on both sides may be true: it
// stands for two entries at one index, for an element that left it and for an equal one that
// came. How elements were matched need not be known; then the other entries of the array
// have to show it.
func (v *validator) shifts(p path.Path, input bool, x value.Value) bool {
	array, _ := p.Parent()
	last, _ := p.Last()
	t := v.arrays[array]
	if last.IsKey() || t == nil || !v.differs(array, input) {
		return false
	}
	byIndex := v.compare.Arrays == diff.Positional() && len(v.compare.ArrayRules) == 0
	return t.shifts || !byIndex || t.joined[sideNumber(input)] || v.isElsewhere(t, x)
}

// isElsewhere reports whether the entries of an array add, remove or change an element that
// equals x. Two equal elements at one index are matched with each other, or at least one of
// them with an equal one elsewhere, where it is reported as well.
func (v *validator) isElsewhere(t *tally, x value.Value) bool {
	r := v.compare.Relation
	if t.elsewhere == nil {
		t.elsewhere = map[uint64]bool{}
		for _, c := range t.entries {
			old, _ := look(oldSide(v.sides, c.input), c.path)
			now, _ := look(v.now(c.input), c.path)
			if protocol.WithoutReplace(c.kind) == rpc.PropertyDiffUpdate && r.Equal(old.v, now.v) {
				continue
			}

			for _, at := range []sidePlace{old, now} {
				if at.there {
					t.elsewhere[r.Hash(v.seed, at.v)] = true
				}
			}
		}
	}

	return t.elsewhere[r.Hash(v.seed, x)]
}
