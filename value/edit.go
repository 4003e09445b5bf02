package value

import (
	"errors"
	"slices"
	"strconv"

	"github.com/propalg/propalg/path"
)

// With returns v with x at a path. The parent must be there: a key is added to
// or replaced in an object; an index replaces an element of an array, or, when
// it is the length, appends; the root replaces all. Every container above keeps
// its marks. Below a secret the mark that x inherited where it was handed out is
// taken off again, elsewhere it becomes x's own: With(p, At(p)) is
// [Value.Identical] to v.
//
// The error is an [*Error] that wraps [ErrMissing] when a container above is not
// there, [ErrKind] when what is there takes no such step (a null takes none),
// [ErrRange] for an index beyond the length, and [ErrUnknown] below an unknown.
// It names the place that did not fit, and v itself comes back with it.
func (v Value) With(p path.Path, x Value) (Value, error) {
	return edit{op: "with", path: p}.write(v, x)
}

// Put is [Value.With] that makes what is missing above: an object for a key, an
// array for index 0; another index into what is missing is [ErrRange]. A null in
// the way, the root included, counts as missing, and so does the place just
// behind an array's end; the container that takes the place of a null has the
// marks of that null.
func (v Value) Put(p path.Path, x Value) (Value, error) {
	return edit{op: "put", path: p, makes: true}.write(v, x)
}

// Without returns v without what is at a path. Removing an element shortens the
// array; every container above keeps its marks. When nothing is there v itself
// comes back. The root cannot be removed ([ErrRoot]), nor what is below an
// unknown ([ErrUnknown]) or a sealed secret ([ErrKind]), where it is not known
// what there is.
func (v Value) Without(p path.Path) (Value, error) {
	e := edit{op: "without", path: p}
	if p.IsRoot() {
		return v, &Error{Op: e.op, err: ErrRoot}
	}
	var few [fewHops]hop
	hops, at := few[:0], v
	for s := range p.Steps() {
		if at.kind == KindUnknown || at.kind == KindSealed {
			_, err := e.enter(hops, at, s)
			return v, err
		}
		child := at.child(s)
		if child == nil {
			return v, nil
		}
		hops = append(hops, hop{at: at, slot: at.slot(s), there: true})
		at = *child
	}
	last := hops[len(hops)-1]
	return climb(hops[:len(hops)-1], p, last.at.remake(last.removed())), nil
}

// fewHops is how deep an edit goes before its way down takes memory.
const fewHops = 8

// hop is one step of the way down to the place of an edit.
type hop struct {
	at    Value // the container that was stepped into, as it stood there
	slot  int   // the index of the child in it, or where it belongs
	there bool  // whether there is such a child
}

// edit is what stays the same on the way down.
type edit struct {
	op    string
	path  path.Path
	makes bool // missing containers are made
}

func (e edit) write(v, x Value) (Value, error) {
	if e.path.IsRoot() {
		return x, nil
	}
	var few [fewHops]hop
	hops, at, there, secret := few[:0], v, true, false
	for s := range e.path.Steps() {
		if !there && !e.makes {
			return v, e.fail(hops, at, len(hops), ErrMissing, "", "")
		}
		h, err := e.enter(hops, at, s)
		if err != nil {
			return v, err
		}
		hops = append(hops, h)
		secret = secret || at.IsSecret()
		if at, there = (Value{}), h.there; there {
			at = *h.at.child(s)
		}
	}
	return climb(hops, e.path, x.settleBelow(secret)), nil
}

// enter finds the place of a child of at, which is len(hops) steps down.
func (e edit) enter(hops []hop, at Value, s path.Step) (hop, error) {
	depth, want := len(hops), KindObject
	i, indexed := s.Index()
	if indexed {
		want = KindArray
	}
	switch {
	case at.kind == KindUnknown:
		return hop{}, e.fail(hops, at, depth, ErrUnknown, "", "")
	case at.kind == KindNull && e.makes:
	case at.kind != want:
		return hop{}, e.fail(hops, at, depth, ErrKind, want.String(), at.kind.String())
	}
	if !indexed {
		slot := at.slot(s)
		return hop{at: at, slot: slot, there: at.child(s) != nil}, nil
	}
	if n := at.Len(); i > n {
		return hop{}, e.fail(hops, at, depth+1, ErrRange, "at most "+strconv.Itoa(n), "")
	}
	return hop{at: at, slot: i, there: i < at.Len()}, nil
}

// slot is the index of the child that a step leads to, or would.
func (v *Value) slot(s path.Step) int {
	if v.kind == KindObject {
		name, _ := s.Key()
		i, _ := findMember(v.members(), name)
		return i
	}
	i, _ := s.Index()
	return i
}

// fail makes the error for the place that is depth steps down; hops and at are
// the containers on the way to it. Below a secret it says neither the keys nor
// what was found: kinds and lengths are contents too.
func (e edit) fail(hops []hop, at Value, depth int, cause error, want, found string) *Error {
	outermost := slices.IndexFunc(hops, func(h hop) bool { return h.at.IsSecret() })
	if outermost < 0 && at.IsSecret() {
		outermost = len(hops)
	}
	err := &Error{Op: e.op, At: path.Show(e.path.Prefix(depth), outermost), Want: want, Found: found, err: cause}
	if outermost < 0 {
		return err
	}
	if found != "" {
		err.Found = "secret"
	}
	if errors.Is(cause, ErrRange) {
		err.Want = ""
	}
	return err
}

// climb puts x, which is settled, into the innermost container, that one, made
// anew, into the next, and so on. The hops are the first ones of p.
func climb(hops []hop, p path.Path, x Value) Value {
	for p.Len() > len(hops) {
		p, _ = p.Parent()
	}
	for _, h := range slices.Backward(hops) {
		s, _ := p.Last()
		p, _ = p.Parent()
		x = h.at.remake(h.placed(s, x))
	}
	return x
}

// placed returns a bare copy of the container with x at the slot.
func (h *hop) placed(s path.Step, x Value) Value {
	if name, ok := s.Key(); ok {
		var ms []Member
		if h.at.kind == KindObject {
			ms = h.at.members()
		}
		return makeObject(splice(ms, h.slot, h.there, Member{name, x}))
	}
	var es []Value
	if h.at.kind == KindArray {
		es = h.at.elems()
	}
	return makeArray(splice(es, h.slot, h.there, x))
}

// splice returns a copy of a with x at index i, instead of what is there or
// before it.
func splice[T any](a []T, i int, instead bool, x T) []T {
	rest := a[i:]
	if instead {
		rest = rest[1:]
	}
	own := make([]T, i+1+len(rest))
	copy(own, a[:i])
	own[i] = x
	copy(own[i+1:], rest)
	return own
}

// removed returns a bare copy of the container without the slot.
func (h *hop) removed() Value {
	if h.at.kind == KindObject {
		return makeObject(slices.Concat(h.at.members()[:h.slot], h.at.members()[h.slot+1:]))
	}
	return makeArray(slices.Concat(h.at.elems()[:h.slot], h.at.elems()[h.slot+1:]))
}
