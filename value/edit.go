package value

import (
	"errors"
	"slices"
	"strconv"

	"github.com/propalg/propalg/path"
)

// With returns v with x at a path.
//
// The parent must exist: a key is added to an object or replaced; an index replaces an
// element of an array, or appends if it is the length; the root replaces v. Every
// container above keeps its marks. If x was taken out of a secret, its inherited mark is
// dropped below a secret and becomes its own elsewhere: With(p, At(p)) is
// [Value.Identical] to v.
//
// The error is an [*Error] that wraps [ErrMissing] if a container above does not exist,
// [ErrKind] if the value there takes no such step (a null takes none), [ErrRange] for an
// index beyond the length, [ErrUnknown] below an unknown, and [ErrDepth] if the result
// exceeds [MaxDepth]. It names the place that did not fit. With an error, With returns v
// itself.
func (v Value) With(p path.Path, x Value) (Value, error) {
	return edit{op: "with", path: p}.write(v, x)
}

// Put returns v with x at a path, as [Value.With] does, and creates the containers that are
// missing: an object for a key, an array for the index 0. Any other index in a missing
// container is [ErrRange].
//
// A null above x, even the root, counts as missing; the container in its place keeps its
// marks. The index that is the length of an array counts as missing too.
func (v Value) Put(p path.Path, x Value) (Value, error) {
	return edit{op: "put", path: p, makes: true}.write(v, x)
}

// Without returns v without the value at a path.
//
// Removing an element shortens the array; every container above keeps its marks. If there
// is no such value, v itself is returned. The root cannot be removed ([ErrRoot]), nor what
// may be below an unknown ([ErrUnknown]) or a sealed secret ([ErrKind]).
func (v Value) Without(p path.Path) (Value, error) {
	e := edit{op: "without", path: p}
	if p.IsRoot() {
		return v, &Error{Op: e.op, err: ErrRoot}
	}

	var few [fewAbove]ancestor
	above, at := few[:0], v
	for rest := p; ; {
		step, below, _ := rest.Cut()
		if at.kind == KindUnknown || at.kind == KindSealed {
			return v, e.refuse(above, at, step)
		}
		slot, child := at.find(step)
		switch {
		case child == nil:
			return v, nil
		case below.IsRoot():
			return climb(above, p, at.without(slot).WithMarksOf(at)), nil
		}
		above = append(above, ancestor{at: at, slot: slot, there: true})
		at, rest = *child, below
	}
}

// WithField returns v with a member added or replaced, and whether that was possible. A
// null becomes an object with the marks of the null. If v is of another kind, or x is
// nested too deeply, WithField returns v and false.
func (v Value) WithField(name string, x Value) (Value, bool) {
	if (v.kind != KindObject && v.kind != KindNull) || x.height >= MaxDepth {
		return v, false
	}
	slot, child := v.find(path.Key(name))
	a := ancestor{at: v, slot: slot, there: child != nil}
	return a.placed(path.Key(name), x.settleBelow(v.IsSecret())).WithMarksOf(v), true
}

// An edit of at most fewAbove levels keeps its way down on the stack.
const fewAbove = 8

type ancestor struct {
	at    Value // the container
	slot  int   // the index of the child, or where it would be
	there bool  // whether the child exists
}

type edit struct {
	op    string
	path  path.Path
	makes bool // missing containers are made
}

func (e edit) write(v, x Value) (Value, error) {
	if e.path.IsRoot() {
		return x, nil
	}

	var few [fewAbove]ancestor
	above, at, there, secret := few[:0], v, true, false
	for rest := e.path; ; {
		step, below, _ := rest.Cut()
		slot, child := at.find(step)
		if child == nil {
			if !there && !e.makes {
				return v, e.fail(above, at, len(above), ErrMissing, "", "")
			}
			if err := e.refuse(above, at, step); err != nil {
				return v, err
			}
		}

		secret = secret || at.IsSecret()
		if below.IsRoot() {
			if len(above)+1+x.Depth() > MaxDepth {
				return v, e.fail(above, at, len(above)+1, ErrDepth, "", "")
			}
			a := ancestor{at: at, slot: slot, there: child != nil}
			x = a.placed(step, x.settleBelow(secret)).WithMarksOf(at)
			return climb(above, e.path, x), nil
		}
		above = append(above, ancestor{at: at, slot: slot, there: child != nil})
		if rest, at, there = below, (Value{}), child != nil; there {
			at = *child
		}
	}
}

// refuse returns the error for a child that at, which is len(above) steps down, cannot
// have, or nil.
func (e edit) refuse(above []ancestor, at Value, s path.Step) error {
	depth, want := len(above), KindObject
	i, indexed := s.AsIndex()
	if indexed {
		want = KindArray
	}
	switch {
	case at.kind == KindUnknown:
		return e.fail(above, at, depth, ErrUnknown, "", "")
	case at.kind == KindNull && e.makes:
	case at.kind != want:
		return e.fail(above, at, depth, ErrKind, want.String(), at.kind.String())
	}

	if n := at.Len(); indexed && i > n {
		return e.fail(above, at, depth+1, ErrRange, "at most "+strconv.Itoa(n), "")
	}
	return nil
}

// withFields returns a bare object with the members of v but for n of them, whose keys are in
// order: child returns what becomes of one, if anything, and is given the member that is there. It
// is for a container that is secret, as it must be if v is, or not. A value that is no object has no
// members.
func (v *Value) withFields(secret bool, n int, keyOf func(i int) string, child func(i int, present Value, there bool) (Value, bool)) Value {
	var rest []Member
	if v.kind == KindObject {
		rest = v.members()
	}
	own := make([]Member, 0, len(rest)+n)
	for i := range n {
		key, present := keyOf(i), Value{}
		slot, there := findMember(rest, key)
		own = append(own, rest[:slot]...)
		if rest = rest[slot:]; there {
			key, present, rest = rest[0].Key, rest[0].Value.handOut(v.IsSecret()), rest[1:]
		}
		if made, ok := child(i, present, there); ok {
			own = append(own, Member{key, made.settleBelow(secret)})
		}
	}
	return makeObject(append(own, rest...))
}

// find returns the index of the child that a step leads to, or where it would be, and the
// child in the memory of its container, or nil.
func (v *Value) find(s path.Step) (slot int, child *Value) {
	name, isKey := s.AsKey()
	switch {
	case isKey && v.kind == KindObject:
		ms := v.members()
		i, there := findMember(ms, name)
		if there {
			child = &ms[i].Value
		}
		return i, child
	case !isKey && v.kind == KindArray:
		i, _ := s.AsIndex()
		if es := v.elems(); i < len(es) {
			return i, &es[i]
		}
		return i, nil
	}

	return 0, nil
}

// fail returns the error for the place that is depth steps down; above and at are the
// containers above it. Below a secret it contains neither keys nor what was found: kinds
// and lengths are contents too.
func (e edit) fail(above []ancestor, at Value, depth int, cause error, want, found string) *Error {
	outermost := slices.IndexFunc(above, func(a ancestor) bool { return a.at.IsSecret() })
	if outermost < 0 && at.IsSecret() {
		outermost = len(above)
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

// climb returns the outermost container with x, which is settled, at p without its last
// step: it rebuilds each container from the innermost one up.
func climb(above []ancestor, p path.Path, x Value) Value {
	for i := len(above) - 1; i >= 0; i-- {
		a := &above[i]
		p, _ = p.Parent()
		s, _ := p.Last()
		x = a.placed(s, x).WithMarksOf(a.at)
	}
	return x
}

// placed returns a bare copy of the container, which may be missing, with x at the
// slot. A key that is there is kept as it is, so that it does not keep a path's memory.
func (a *ancestor) placed(s path.Step, x Value) Value {
	var gone *Value
	if name, ok := s.AsKey(); ok {
		var ms []Member
		if a.at.kind == KindObject {
			ms = a.at.members()
		}
		if a.there {
			name, gone = ms[a.slot].Key, &ms[a.slot].Value
		}
		return a.at.objectAfter(splice(ms, a.slot, a.there, Member{name, x}), gone, &x)
	}

	var es []Value
	if a.at.kind == KindArray {
		es = a.at.elems()
	}
	if a.there {
		gone = &es[a.slot]
	}
	return a.at.arrayAfter(splice(es, a.slot, a.there, x), gone, &x)
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

// without returns a bare copy of the container without the child at the slot.
func (v *Value) without(slot int) Value {
	if v.kind == KindObject {
		ms := v.members()
		return v.objectAfter(cut(ms, slot), &ms[slot].Value, nil)
	}
	es := v.elems()
	return v.arrayAfter(cut(es, slot), &es[slot], nil)
}

func cut[T any](a []T, i int) []T {
	own := make([]T, len(a)-1)
	copy(own, a[:i])
	copy(own[i:], a[i+1:])
	return own
}
