package value

// NOTE: The order is 0 where equal.go finds two values equal; see relation.go.

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Compare returns the order of v and w: negative, 0 or positive.
//
// The order is total and agrees with [Relation.Equal]: the result is 0 exactly for equal
// values. Values are ordered by kind, then marks, then content. NaN is less than all
// other numbers; strings and keys are compared bytewise.
func (r Relation) Compare(v, w Value) int { return (r & known).total(v, w) }

func (r Relation) total(v, w Value) int { return r.order(&v, &w, false) }

// order compares two values below a secret or not.
func (r Relation) order(v, w *Value, below bool) int {
	if v.kind != w.kind {
		return cmp.Compare(v.kind, w.kind)
	}
	if sharesMemory(*v, *w) {
		return 0
	}
	if sign := r.compareMarks(v, w, below); sign != 0 {
		return sign
	}

	below = below || v.facts&secretness != 0
	switch v.kind {
	case KindNull:
		return 0

	case KindUnknown:
		if r&exact == 0 {
			return 0
		}
		return cmp.Compare(v.hint, w.hint)
	case KindBool:
		return cmp.Compare(v.number(), w.number())
	case KindNumber:
		sign := cmp.Compare(math.Float64frombits(v.number()), math.Float64frombits(w.number()))
		if sign != 0 || r&exact == 0 {
			return sign
		}
		return cmp.Compare(v.number(), w.number())
	case KindString:
		return strings.Compare(v.str(), w.str())
	case KindArray:
		return r.compareElems(v.elems(), w.elems(), below)
	case KindObject:
		return r.compareMembers(v.members(), w.members(), below)
	case KindAsset:
		return r.compareBlobs(v.blob(), w.blob())
	case KindArchive:
		return r.compareArchives(v.archive(), w.archive())
	case KindResourceReference:
		return r.compareReferences(v.reference(), w.reference())
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

func (r Relation) compareElems(x, y []Value, below bool) int {
	for i := range min(len(x), len(y)) {
		if glance("", "", &x[i], &y[i]) == alike {
			continue
		}
		if sign := r.order(&x[i], &y[i], below); sign != 0 {
			return sign
		}
	}

	return cmp.Compare(len(x), len(y))
}

func (r Relation) compareMembers(x, y []Member, below bool) int {
	for i, j := 0, 0; ; i, j = i+1, j+1 {
		for i < len(x) && r.absent(&x[i].Value, below) {
			i++
		}
		for j < len(y) && r.absent(&y[j].Value, below) {
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
		if sign := r.order(&x[i].Value, &y[j].Value, below); sign != 0 {
			return sign
		}
	}
}

// compareBlobs compares assets, or archives without their entries.
func (r Relation) compareBlobs(x, y *blobRep) int {
	if sign := strings.Compare(x.hash, y.hash); sign != 0 || r.byHash(x) {
		return sign
	}
	return cmp.Or(cmp.Compare(x.source, y.source), strings.Compare(x.text, y.text))
}

func (r Relation) compareArchives(x, y *archiveRep) int {
	if sign := r.compareBlobs(&x.blobRep, &y.blobRep); sign != 0 || r.byHash(&x.blobRep) {
		return sign
	}
	return slices.CompareFunc(x.entries, y.entries, func(e, f Member) int {
		if sign := strings.Compare(e.Key, f.Key); sign != 0 {
			return sign
		}
		return r.order(&e.Value, &f.Value, false)
	})
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
