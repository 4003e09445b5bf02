package value

import (
	"math"
	"slices"
)

// Equal reports whether two values are equal under [Strict]: NaN equals NaN, -0
// equals 0, a null differs from a missing member; a secret mark below a secret
// is redundant and makes no difference, every other mark does. Assets and
// archives that both have a hash are equal when the hashes are, those that both
// have none when their sources are; one with a hash never equals one without.
// It does no I/O and allocates nothing, but for values nested more than a
// thousand levels deep.
func (v Value) Equal(w Value) bool { return Strict.Equal(v, w) }

// Equal reports whether two values are equal under r; see [Value.Equal].
func (r Relation) Equal(v, w Value) bool { return (r & known).equal(&v, &w) }

// Identical is finer than [Value.Equal], and is what codecs promise to keep: it
// also tells apart the sign of zero, the hints of unknowns, the sources of
// assets and archives beside their hashes, and redundant secret marks. (All NaNs
// are identical.)
func (v Value) Identical(w Value) bool { return exact.equal(&v, &w) }

// recursionLimit bounds the stack that any walk over two values needs. Deeper
// pairs are put off and taken up again from the top, so that depth costs heap,
// not stack.
const recursionLimit = 1000

// pair is a pair of values that is still to be compared, and whether a
// container above them is secret (on both sides, or it would not come to this).
type pair struct {
	v, w  Value
	below bool
}

// equality is a conjunction, so pairs may be put off in any order.
type equality struct {
	rel  Relation
	todo []pair
}

func (r Relation) equal(v, w *Value) bool {
	if v.kind == w.kind && (v.facts|w.facts)&(secretness|boxed) == 0 {
		switch v.kind { // as below, without anything to set up
		case KindString:
			return v.num == w.num && v.str() == w.str()
		case KindNumber:
			return r.equalNumbers(v.num, w.num)
		case KindBool:
			return v.num == w.num
		case KindNull, KindArray, KindObject, KindAsset, KindArchive, KindResourceReference, KindUnknown, KindSealed:
		}
	}
	e := equality{rel: r}
	return e.equal(v, w, false, recursionLimit) && e.finish()
}

// finish compares what was put off.
func (e *equality) finish() bool {
	for len(e.todo) > 0 {
		p := e.todo[len(e.todo)-1]
		e.todo = e.todo[:len(e.todo)-1]
		if !e.equal(&p.v, &p.w, p.below, recursionLimit) {
			return false
		}
	}
	return true
}

func (e *equality) equal(v, w *Value, below bool, budget int) bool {
	if v.kind != w.kind {
		return false
	}
	if (v.facts|w.facts)&(secretness|boxed) != 0 {
		if !e.rel.equalMarks(v, w, below) {
			return false
		}
		below = below || v.facts&secretness != 0
	}
	switch v.kind {
	case KindNull:
		return true
	case KindBool:
		return v.number() == w.number()
	case KindNumber:
		return e.rel.equalNumbers(v.number(), w.number())
	case KindString:
		return v.str() == w.str()
	case KindArray, KindObject, KindArchive:
		return SharesMemory(*v, *w) || e.equalParts(v, w, below, budget)
	case KindAsset:
		return e.rel.equalAssets(v.asset(), w.asset())
	case KindResourceReference:
		return e.rel.equalReferences(v.reference(), w.reference())
	case KindUnknown:
		return e.rel&exact == 0 || v.hint == w.hint
	case KindSealed:
		return *v.sealed() == *w.sealed()
	}
	return false
}

// equalParts compares what is in containers, or puts it off when the stack is
// deep enough.
func (e *equality) equalParts(v, w *Value, below bool, budget int) bool {
	switch {
	case budget == 0:
		e.todo = append(e.todo, pair{*v, *w, below})
		return true
	case v.kind == KindArray:
		x, y := v.elems(), w.elems()
		return len(x) == len(y) && e.elems(x, y, below, budget-1) == len(x)
	case v.kind == KindArchive:
		return e.equalArchives(v.archive(), w.archive(), budget)
	}
	x, y := v.members(), w.members()
	if e.rel&NullAsMissing == 0 {
		return len(x) == len(y) && e.members(x, y, below, budget-1) == len(x)
	}
	i, j := e.present(x, y, below, budget-1)
	return i == len(x) && j == len(y)
}

// elems is how many elements are equal before the first that differ. With a
// budget above the limit nothing is put off that lies before it.
func (e *equality) elems(x, y []Value, below bool, budget int) int {
	y = y[:min(len(x), len(y))]
	for i := range y {
		v, w := &x[i], &y[i]
		look := glance("", "", v, w)
		if look != alike && (look == differ || !e.equal(v, w, below, budget) || budget > recursionLimit && !e.finish()) {
			return i
		}
	}
	return len(y)
}

// members is how many members are equal before the first that differ, in their
// keys or else; see elems.
func (e *equality) members(x, y []Member, below bool, budget int) int {
	y = y[:min(len(x), len(y))]
	for i := range y {
		v, w := &x[i], &y[i]
		look := glance(v.Key, w.Key, &v.Value, &w.Value)
		if look != alike && (look == differ || look == longKeys && v.Key != w.Key ||
			!e.equal(&v.Value, &w.Value, below, budget) || budget > recursionLimit && !e.finish()) {
			return i
		}
	}
	return len(y)
}

// present is members for a Relation under which some count as missing: how many
// of either side were passed over before the first that differ.
func (e *equality) present(x, y []Member, below bool, budget int) (i, j int) {
	for {
		n := e.members(x[i:], y[j:], below, budget)
		i, j = i+n, j+n
		switch {
		case i < len(x) && (j == len(y) || x[i].Key < y[j].Key) && e.rel.absent(&x[i].Value, below):
			i++
		case j < len(y) && (i == len(x) || y[j].Key < x[i].Key) && e.rel.absent(&y[j].Value, below):
			j++
		default:
			return i, j
		}
	}
}

func (r Relation) equalMarks(v, w *Value, below bool) bool {
	if r.secret(v, below) != r.secret(w, below) {
		return false
	}
	return r&IgnoreDependencies != 0 || slices.Equal(v.deps(), w.deps())
}

func (r Relation) equalNumbers(x, y uint64) bool {
	return x == y || r&exact == 0 && math.Float64frombits(x) == math.Float64frombits(y)
}

func (r Relation) equalAssets(x, y *assetRep) bool {
	if x.hash != y.hash {
		return false
	}
	if x.hash != "" && r&exact == 0 {
		return true
	}
	return x.source == y.source && x.text == y.text
}

func (e *equality) equalArchives(x, y *archiveRep, budget int) bool {
	if x.hash != y.hash {
		return false
	}
	if x.hash != "" && e.rel&exact == 0 {
		return true
	}
	if x.source != y.source || x.text != y.text || len(x.entries) != len(y.entries) {
		return false
	}
	for i := range x.entries {
		if x.entries[i].Key != y.entries[i].Key ||
			!e.equal(&x.entries[i].Value, &y.entries[i].Value, false, budget-1) {
			return false
		}
	}
	return true
}

func (r Relation) equalReferences(x, y *ResourceReference) bool {
	if x.URN != y.URN || x.ID != y.ID {
		return false
	}
	return r&IgnoreReferenceDetails != 0 ||
		x.PackageVersion == y.PackageVersion && x.Name == y.Name && x.Type == y.Type
}
