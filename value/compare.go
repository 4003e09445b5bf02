package value

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Compare is a total order over all values that agrees with [Value.Equal]: 0
// exactly for equal values. It orders by kind, then marks, then content; NaN
// comes before the other numbers, strings and keys are compared bytewise.
func (v Value) Compare(w Value) int { return Strict.Compare(v, w) }

// CompareIdentical is a total order over all values that agrees with
// [Value.Identical]: 0 exactly for identical values. It chooses between values that
// are equal, but not identical, whatever their order.
func (v Value) CompareIdentical(w Value) int { return exact.total(v, w) }

// Compare is a total order over all values that agrees with [Relation.Equal].
func (r Relation) Compare(v, w Value) int { return (r & known).total(v, w) }

func (r Relation) total(v, w Value) int {
	c := comparison{rel: r}
	sign := c.compare(&v, &w, false, recursionLimit)
	if len(c.later) == 0 {
		return sign
	}
	return c.finish(sign)
}

// comparison compares depth first and in order, as far as the stack may grow.
// Pairs below that are put off into later; each of them comes before whatever
// decided after it.
type comparison struct {
	rel   Relation
	later []pair
}

// verdictOr is either a pair to compare or, if sign is not 0, the answer.
type verdictOr struct {
	sign int
	pair pair
}

func (c *comparison) finish(sign int) int {
	var stack []verdictOr
	for {
		if sign != 0 {
			// Whatever was still to come after this pair no longer matters.
			stack = append(stack[:0], verdictOr{sign: sign})
		}
		for _, p := range slices.Backward(c.later) {
			stack = append(stack, verdictOr{pair: p})
		}
		c.later = c.later[:0]
		if len(stack) == 0 {
			return 0
		}
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if top.sign != 0 {
			return top.sign
		}
		sign = c.compare(&top.pair.v, &top.pair.w, top.pair.below, recursionLimit)
	}
}

func (c *comparison) compare(v, w *Value, below bool, budget int) int {
	if v.kind != w.kind {
		return cmp.Compare(v.kind, w.kind)
	}
	if SharesMemory(*v, *w) {
		return 0
	}
	if sign := c.rel.compareMarks(v, w, below); sign != 0 {
		return sign
	}
	below = below || v.facts&secretness != 0
	switch v.kind {
	case KindNull:
		return 0
	case KindUnknown:
		if c.rel&exact == 0 {
			return 0
		}
		return cmp.Compare(v.hint, w.hint)
	case KindBool:
		return cmp.Compare(v.number(), w.number())
	case KindNumber:
		sign := cmp.Compare(math.Float64frombits(v.number()), math.Float64frombits(w.number()))
		if sign != 0 || c.rel&exact == 0 {
			return sign
		}
		return cmp.Compare(v.number(), w.number())
	case KindString:
		return strings.Compare(v.str(), w.str())
	case KindArray:
		return c.compareElems(v.elems(), w.elems(), below, budget)
	case KindObject:
		return c.compareMembers(v.members(), w.members(), below, budget)
	case KindAsset:
		x, y := v.asset(), w.asset()
		if x.hash != "" && y.hash != "" && c.rel&exact == 0 {
			return strings.Compare(x.hash, y.hash)
		}
		return cmp.Or(strings.Compare(x.hash, y.hash), cmp.Compare(x.source, y.source), strings.Compare(x.text, y.text))
	case KindArchive:
		return c.compareArchives(v.archive(), w.archive(), budget)
	case KindResourceReference:
		return c.rel.compareReferences(v.reference(), w.reference())
	case KindSealed:
		x, y := v.sealed(), w.sealed()
		return cmp.Or(strings.Compare(x.Provider, y.Provider), strings.Compare(x.Ciphertext, y.Ciphertext))
	}
	return 0
}

func (r Relation) compareMarks(v, w *Value, below bool) int {
	if sv, sw := r.secret(v, below), r.secret(w, below); sv != sw {
		if sw {
			return -1
		}
		return +1
	}
	if r&IgnoreDependencies != 0 {
		return 0
	}
	return slices.Compare(v.deps(), w.deps())
}

func (c *comparison) child(v, w *Value, below bool, budget int) int {
	if budget == 0 {
		c.later = append(c.later, pair{*v, *w, below})
		return 0
	}
	return c.compare(v, w, below, budget-1)
}

func (c *comparison) compareElems(x, y []Value, below bool, budget int) int {
	for i := range min(len(x), len(y)) {
		if glance("", "", &x[i], &y[i]) == alike {
			continue
		}
		if sign := c.child(&x[i], &y[i], below, budget); sign != 0 {
			return sign
		}
	}
	return cmp.Compare(len(x), len(y))
}

func (c *comparison) compareMembers(x, y []Member, below bool, budget int) int {
	for i, j := 0, 0; ; i, j = i+1, j+1 {
		for i < len(x) && c.rel.absent(&x[i].Value, below) {
			i++
		}
		for j < len(y) && c.rel.absent(&y[j].Value, below) {
			j++
		}
		if i == len(x) || j == len(y) {
			return cmp.Compare(len(x)-i, len(y)-j)
		}
		look := glance(x[i].Key, y[j].Key, &x[i].Value, &y[j].Value)
		if look == alike {
			continue
		}
		if look != sameKeys {
			if sign := strings.Compare(x[i].Key, y[j].Key); sign != 0 {
				return sign
			}
		}
		if sign := c.child(&x[i].Value, &y[j].Value, below, budget); sign != 0 {
			return sign
		}
	}
}

func (c *comparison) compareArchives(x, y *archiveRep, budget int) int {
	if sign := strings.Compare(x.hash, y.hash); sign != 0 || x.hash != "" && c.rel&exact == 0 {
		return sign
	}
	if sign := cmp.Or(cmp.Compare(x.source, y.source), strings.Compare(x.text, y.text)); sign != 0 {
		return sign
	}
	for i := range min(len(x.entries), len(y.entries)) {
		if sign := strings.Compare(x.entries[i].Key, y.entries[i].Key); sign != 0 {
			return sign
		}
		if sign := c.child(&x.entries[i].Value, &y.entries[i].Value, false, budget); sign != 0 {
			return sign
		}
	}
	return cmp.Compare(len(x.entries), len(y.entries))
}

func (r Relation) compareReferences(x, y *ResourceReference) int {
	sign := cmp.Or(strings.Compare(x.URN, y.URN),
		cmp.Compare(x.ID.state, y.ID.state), strings.Compare(x.ID.text, y.ID.text))
	if sign != 0 || r&IgnoreReferenceDetails != 0 {
		return sign
	}
	return cmp.Or(strings.Compare(x.PackageVersion, y.PackageVersion),
		strings.Compare(x.Name, y.Name), strings.Compare(x.Type, y.Type))
}
