package value

// NOTE: What else has to follow a change of what counts as equal is said in relation.go.
// Most pairs are decided before this file is asked, by glance in rep.go.

import (
	"math"
	"slices"
	"strings"
)

// Equal reports whether two values are equal under [Strict].
//
// NaN equals NaN, -0 equals 0, and a null differs from a missing member. A secret mark
// below a secret is redundant and ignored; all other marks are compared. Assets and
// archives are equal if both have a hash and the hashes are equal, or if neither has
// one and their sources are equal. Equal does no I/O and allocates nothing.
func (v Value) Equal(w Value) bool { return Strict.Equal(v, w) }

// Equal reports whether two values are equal under r; see [Value.Equal].
func (r Relation) Equal(v, w Value) bool { return (r & known).equal(&v, &w) }

// Identical reports whether two values are equal in everything, as codecs preserve it.
//
// Unlike [Value.Equal] it distinguishes the signs of zero, the hints of unknowns, the
// sources of assets and archives that have hashes, and redundant secret marks. All NaNs
// are identical.
func (v Value) Identical(w Value) bool { return exact.equal(&v, &w) }

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

	return r.same(v, w, false)
}

// same compares two values below a secret (on both sides, or it would not come to this)
// or not.
func (r Relation) same(v, w *Value, below bool) bool {
	if v.kind != w.kind {
		return false
	}

	if (v.facts|w.facts)&(secretness|boxed) != 0 {
		if !r.equalMarks(v, w, below) {
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
		return r.equalNumbers(v.number(), w.number())
	case KindString:
		return v.str() == w.str()
	case KindArray, KindObject, KindArchive:
		return sharesMemory(*v, *w) || r.sameParts(v, w, below)
	case KindAsset:
		return r.equalBlobs(v.blob(), w.blob())
	case KindResourceReference:
		return r.equalReferences(v.reference(), w.reference())
	case KindUnknown:
		return r&exact == 0 || v.hint == w.hint
	case KindSealed:
		return *v.sealed() == *w.sealed()
	}

	return false
}

// sameParts compares what is in two containers of a kind.
func (r Relation) sameParts(v, w *Value, below bool) bool {
	switch v.kind { //nolint:exhaustive // objects are what remains
	case KindArray:
		x, y := v.elems(), w.elems()
		return len(x) == len(y) && r.sameElems(x, y, below) == len(x)
	case KindArchive:
		return r.sameArchives(v.archive(), w.archive())
	}
	x, y := v.members(), w.members()
	if r&NullAsMissing == 0 {
		return len(x) == len(y) && r.sameMembers(x, y, below) == len(x)
	}

	i, j := r.present(x, y, below)
	return i == len(x) && j == len(y)
}

// sameElems returns how many elements are equal before the first that differ.
func (r Relation) sameElems(x, y []Value, below bool) int {
	y = y[:min(len(x), len(y))]
	for i := range y {
		v, w := &x[i], &y[i]
		look := glance("", "", v, w)
		if look != alike && (look == differ || !r.same(v, w, below)) {
			return i
		}
	}

	return len(y)
}

// sameMembers returns how many members are equal before the first that differ, in their
// keys or values.
func (r Relation) sameMembers(x, y []Member, below bool) int {
	y = y[:min(len(x), len(y))]
	for i := range y {
		v, w := &x[i], &y[i]
		look := glance(v.Key, w.Key, &v.Value, &w.Value)
		if look != alike && (look <= differ || (look == longKeys && v.Key != w.Key) || !r.same(&v.Value, &w.Value, below)) {
			return i
		}
	}

	return len(y)
}

// present is sameMembers for a Relation under which some count as missing: it returns how
// many of either side come before the first that differ.
func (r Relation) present(x, y []Member, below bool) (i, j int) {
	for {
		n := r.sameMembers(x[i:], y[j:], below)
		i, j = i+n, j+n
		switch {
		case i < len(x) && r.absent(&x[i].Value, below) && (j == len(y) || x[i].Key < y[j].Key):
			i++
		case j < len(y) && r.absent(&y[j].Value, below) && (i == len(x) || y[j].Key < x[i].Key):
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
	return x == y || (r&exact == 0 && math.Float64frombits(x) == math.Float64frombits(y))
}

func (r Relation) equalBlobs(x, y *blobRep) bool {
	return x.hash == y.hash && (r.byHash(x) || (x.source == y.source && x.text == y.text))
}

// byHash reports whether a blob is compared by its hash, with another that has one.
func (r Relation) byHash(x *blobRep) bool { return x.hash != "" && r&exact == 0 }

func (r Relation) sameArchives(x, y *archiveRep) bool {
	if !r.equalBlobs(&x.blobRep, &y.blobRep) {
		return false
	}
	return r.byHash(&x.blobRep) || slices.EqualFunc(x.entries, y.entries, func(e, f Member) bool {
		return e.Key == f.Key && r.same(&e.Value, &f.Value, false)
	})
}

func (r Relation) equalReferences(x, y *ResourceReference) bool {
	if x.URN != y.URN || x.ID != y.ID {
		return false
	}
	return r&IgnoreReferenceDetails != 0 ||
		(x.PackageVersion == y.PackageVersion && x.Name == y.Name && x.Type == y.Type)
}

// Agree skips children of two arrays, or of two objects, that are equal under r. It is for
// code that walks through two values in parallel, and allocates nothing.
//
// Agree starts at child i of v and child j of w. It stops at the first children that differ
// or may differ, and returns their indexes, k and l:
//   - If order is negative, only v has child k: w does not have its key, or has no more
//     elements. If order is positive, only w has child l.
//   - If order is 0 and both have a child there, the two have the same key, or are
//     elements. If differ is true they differ, otherwise they may be equal.
//   - If order is 0 and both are at their end, all children were skipped.
//
// If deep is false, Agree does not look into containers: it may stop at two containers that
// are equal, with differ false. It also skips members that count as missing under r where
// the other side does not have the key. The marks of the two containers themselves are not
// compared. If one of them is secret, secret marks of the children are redundant.
//
// If one of v and w is from an array and the other from an object, or i or j is negative,
// Agree returns i, j, 0 and false.
func (exporter) Agree(r Relation, v, w Children, i, j int, deep bool) (k, l, order int, differ bool) {
	if v.of.named != w.of.named || i < 0 || j < 0 {
		return i, j, 0, false
	}

	r &= known
	below := v.of.secret || w.of.secret
	if !v.of.named {
		return r.agreeElems(v, w, i, j, below, deep)
	}

	for i < v.n && j < w.n {
		x, y := v.member(i), w.member(j)
		look := glance(x.Key, y.Key, &x.Value, &y.Value)
		if look == alike {
			i, j = i+1, j+1
			continue
		}
		if look != otherKeys && (look != longKeys || x.Key == y.Key) {
			if !r.agree(look, &x.Value, &y.Value, below, deep) {
				return i, j, 0, deep || !walked(&x.Value, &y.Value)
			}
			i, j = i+1, j+1
			continue
		}
		order = strings.Compare(x.Key, y.Key)
		switch {
		case order < 0 && r.absent(&x.Value, below):
			i++
		case order > 0 && r.absent(&y.Value, below):
			j++
		default:
			return i, j, order, true
		}
	}
	for i < v.n && r.absent(&v.member(i).Value, below) {
		i++
	}
	for j < w.n && r.absent(&w.member(j).Value, below) {
		j++
	}
	return i, j, atEnd(v, w, i, j), true
}

// agreeElems is Agree for arrays.
func (r Relation) agreeElems(v, w Children, i, j int, below, deep bool) (k, l, order int, differ bool) {
	for i < v.n && j < w.n {
		x, y := v.elem(i), w.elem(j)
		look := glance("", "", x, y)
		if look != alike && !r.agree(look, x, y, below, deep) {
			return i, j, 0, deep || !walked(x, y)
		}

		i, j = i+1, j+1
	}
	return i, j, atEnd(v, w, i, j), true
}

// atEnd returns the order of the next children, where at least one side has no more.
func atEnd(v, w Children, i, j int) int {
	switch {
	case i < v.n:
		return -1
	case j < w.n:
		return +1
	}
	return 0
}

// agree reports whether two children are known to be equal, after a first look at them.
func (r Relation) agree(look look, v, w *Value, below, deep bool) bool {
	return look != differ && (deep || !walked(v, w)) && r.same(v, w, below)
}

// walked reports whether two values may differ in what is in them.
func walked(v, w *Value) bool { return v.kind == w.kind && v.kind.IsContainer() }
