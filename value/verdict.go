package value

import "github.com/propalg/propalg/internal/scan"

// Verdict is the result of comparing values that may contain unknowns.
type Verdict uint8

// The three verdicts, in the order in which they outweigh each other.
const (
	Same    Verdict = iota // equal
	Maybe                  // depends on unknowns, sealed secrets, or hashes that are not set
	Changed                // different whatever these turn out to be
)

// String returns "same", "maybe" or "changed".
func (v Verdict) String() string {
	return scan.Name(v, "invalid verdict", []string{Same: "same", Maybe: "maybe", Changed: "changed"})
}

// Compatible compares two values that may contain unknowns. The result is [Same] if they
// are equal under r, [Changed] if they differ whatever the unknowns turn out to be, and
// [Maybe] otherwise.
//
// Values whose marks differ under r are Changed, even unknowns, since an unknown that
// becomes known keeps its marks. If the marks are equal, the result is Maybe for
//   - an unknown and any value that is not an unknown
//   - a sealed secret and any other value, unless that is the same sealed secret
//   - two assets, or two archives, of which only one has a hash
//   - two references that differ under r only in that one ID is known and one unknown
//
// Members that only one side has count as in a comparison of their objects.
//
// Compatible is not an equivalence: an unknown may turn out to be 1 or 2, but 1 and 2
// are Changed.
func (r Relation) Compatible(v, w Value) Verdict {
	j := judgement{rel: r & known}
	j.judge(&v, &w, false)
	return j.verdict
}

// Alone returns the verdict on a member that only one of two objects has, with the value
// v. It is [Same] if v counts as missing under r, as a null does under [NullAsMissing];
// [Maybe] if v is an unknown or a sealed secret that may turn out to be such a value; and
// [Changed] otherwise. A secret mark that v has inherited from its object does not count.
func (exporter) Alone(r Relation, v Value) Verdict {
	return (r & known).alone(&v, v.facts&inherited != 0)
}

func (r Relation) alone(v *Value, below bool) Verdict {
	if r.absent(v, below) {
		return Same
	}
	if r&NullAsMissing != 0 && (v.kind == KindUnknown || v.kind == KindSealed) && !r.marked(v, below) {
		return Maybe
	}
	return Changed
}

// judgement keeps the gravest verdict found so far.
type judgement struct {
	rel     Relation
	verdict Verdict
}

func (j *judgement) found(v Verdict) { j.verdict = max(j.verdict, v) }

func (j *judgement) judge(v, w *Value, below bool) {
	if v.kind == w.kind && sharesMemory(*v, *w) {
		return
	}
	if !j.rel.equalMarks(v, w, below) {
		j.found(Changed)
		return
	}

	below = below || v.facts&secretness != 0
	switch {
	case v.kind == KindUnknown && w.kind == KindUnknown:
	case v.kind == KindUnknown || w.kind == KindUnknown:
		j.found(Maybe)
	case v.kind == KindSealed && w.kind == KindSealed:
		if *v.sealed() != *w.sealed() {
			j.found(Maybe)
		}
	case v.kind == KindSealed || w.kind == KindSealed:
		j.found(Maybe)
	case v.kind != w.kind:
		j.found(Changed)

	case v.kind == KindArray:
		j.judgeElems(v.elems(), w.elems(), below)
	case v.kind == KindObject:
		j.judgeMembers(v.members(), w.members(), below)
	case v.kind == KindArchive:
		j.judgeArchives(v.archive(), w.archive())
	default:
		j.found(j.rel.judgeLeaves(v, w))
	}
}

// judgeLeaves judges two values of one kind that has no parts, marks aside.
func (r Relation) judgeLeaves(v, w *Value) Verdict {
	switch v.kind {
	case KindAsset:
		if (v.blob().hash == "") != (w.blob().hash == "") {
			return Maybe
		}
	case KindResourceReference:
		x, y, none := *v.reference(), *w.reference(), ID{}
		if (x.ID.IsUnknown() && y.ID != none) || (y.ID.IsUnknown() && x.ID != none) {
			known := x.ID == y.ID
			x.ID, y.ID = none, none
			if !known && r.equalReferences(&x, &y) {
				return Maybe
			}
		}
	case KindNull, KindBool, KindNumber, KindString, KindArray, KindObject, KindArchive,
		KindUnknown, KindSealed:
	}
	if r.same(&Value{meta: meta{kind: v.kind, facts: v.facts & boxed}, ptr: v.ptr, num: v.num},
		&Value{meta: meta{kind: w.kind, facts: w.facts & boxed}, ptr: w.ptr, num: w.num}, false) {
		return Same
	}

	return Changed
}

func (j *judgement) judgeElems(x, y []Value, below bool) {
	if len(x) != len(y) {
		j.found(Changed)
	}

	for i := 0; i < len(x) && i < len(y) && j.verdict != Changed; i++ {
		if glance("", "", &x[i], &y[i]) == alike {
			continue
		}
		j.judge(&x[i], &y[i], below)
	}
}

func (j *judgement) judgeMembers(x, y []Member, below bool) {
	for len(x)+len(y) > 0 && j.verdict != Changed {
		if len(x) > 0 && len(y) > 0 && glance(x[0].Key, y[0].Key, &x[0].Value, &y[0].Value) == alike {
			x, y = x[1:], y[1:]
			continue
		}
		switch {
		case len(y) == 0 || (len(x) > 0 && x[0].Key < y[0].Key):
			j.found(j.rel.alone(&x[0].Value, below))
			x = x[1:]
		case len(x) == 0 || y[0].Key < x[0].Key:
			j.found(j.rel.alone(&y[0].Value, below))
			y = y[1:]
		default:
			j.judge(&x[0].Value, &y[0].Value, below)
			x, y = x[1:], y[1:]
		}
	}
}

func (j *judgement) judgeArchives(x, y *archiveRep) {
	switch {
	case x.hash != "" && y.hash != "":
		if x.hash != y.hash {
			j.found(Changed)
		}
	case x.hash != "" || y.hash != "":
		j.found(Maybe)

	case x.source != y.source || x.text != y.text || len(x.entries) != len(y.entries):
		j.found(Changed)
	default:
		for i := range x.entries {
			if x.entries[i].Key != y.entries[i].Key {
				j.found(Changed)
				return
			}
			j.judge(&x.entries[i].Value, &y.entries[i].Value, false)
		}
	}
}
