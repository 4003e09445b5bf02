package ignore

import (
	"slices"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// form is what a side of a place is to a step of a pattern.
type form uint8

const (
	formNothing form = iota // missing, or null
	formObject
	formArray
	formUnknown // also a sealed secret: there may be anything in it
	formOther
)

func (f form) container() bool { return f == formObject || f == formArray }

func (a *ignoring) form(v value.Value) form { return a.mode.form(v) }

// form is what a side is by the rules of the mode.
func (m Mode) form(v value.Value) form {
	switch v.Kind() {
	case value.KindNull:
		return formNothing
	case value.KindArray, value.KindObject:
		switch {
		case m == Engine && v.HasDependencies():
			return formOther
		case v.Kind() == value.KindArray:
			return formArray
		}
		return formObject
	case value.KindUnknown, value.KindSealed:
		return formUnknown
	case value.KindBool, value.KindNumber, value.KindString, value.KindAsset, value.KindArchive,
		value.KindResourceReference:
	}
	return formOther
}

// forms are the forms of both sides of the innermost place. In the corrected mode
// nothing in old is an empty container, if new has one; its value has no children
// as it is. What is unknown on a side ends the branch there: below one and the same
// unknown all is as it was, else it is a mismatch.
func (a *ignoring) forms() (old, now form, ended bool) {
	f := a.here()
	old, now = a.form(f.old), a.form(f.now)
	if a.mode == Engine {
		return old, now, false
	}
	switch {
	case old == formUnknown || now == formUnknown:
		f.done = true
		if !f.sameUnknown() {
			a.stop(UnknownSide)
		}
		return old, now, true
	case old == formNothing && now.container():
		old = now
	}
	return old, now, false
}

// sameUnknown reports whether both sides of a place are unknowns with the same
// dependencies, or the same sealed secret, and new has lost no secret mark. It is
// then the same in old and new whatever turns out to be in it.
func (f *frame) sameUnknown() bool {
	return value.IgnoreSecrets.Equal(f.old, f.now) && (!f.old.IsSecret() || f.secret)
}

// reason is why two sides that are not both containers of one kind mismatch.
func (a *ignoring) reason() Reason {
	f := a.here()
	old, now := a.form(f.old), a.form(f.now)
	switch {
	case old == formUnknown || now == formUnknown:
		return UnknownSide
	case old == formNothing || now == formNothing:
		return MissingSide
	}
	return KindDiffers
}

func (a *ignoring) lastKey(name string) {
	old, now, ended := a.forms()
	if ended {
		return
	}
	f := a.here()
	if old == formObject {
		if v, there := f.old.Lookup(name); there {
			if now != formObject {
				a.stop(a.reason())
				return
			}
			a.set(path.Key(name), v)
			return
		}
	}
	if now != formObject {
		return
	}
	if _, _, there := f.child(path.Key(name)); there {
		a.open().put(path.Key(name), slot{state: slotGone})
		a.report.Matched++
	}
}

func (a *ignoring) innerKey(name string) {
	old, now, ended := a.forms()
	switch {
	case ended || old != formObject && now != formObject:
		return
	case old != now:
		a.stop(a.reason())
		return
	}
	f := a.here()
	v, inOld := f.old.Lookup(name)
	_, _, inNow := f.child(path.Key(name))
	switch {
	case inNow:
		a.enter(path.Key(name), v)
	case inOld:
		a.stop(MissingSide, path.Key(name))
	}
}

func (a *ignoring) lastIndex(i int) {
	old, now, ended := a.forms()
	f := a.here()
	switch {
	case ended || old != formArray && now != formArray:
	case old != now:
		a.stop(a.reason())
	case i >= f.old.Len() && i >= f.width():
	case i >= f.old.Len() || i >= f.width():
		a.stop(LengthDiffers, path.Index(i))
	default:
		a.set(path.Index(i), f.old.Elem(i))
	}
}

func (a *ignoring) innerIndex(i int) {
	old, now, ended := a.forms()
	f := a.here()
	switch {
	case ended || old != formArray && now != formArray:
	case old != now:
		a.stop(a.reason())
	case i >= f.old.Len() || i >= f.width():
		a.stop(LengthDiffers, path.Index(i))
	default:
		a.enter(path.Index(i), f.old.Elem(i))
	}
}

// lastAny sets back all that is in a container.
func (a *ignoring) lastAny() {
	old, now, ended := a.forms()
	if ended {
		return
	}
	switch {
	case old == formObject && now == formObject:
		a.setMembers()
	case old == formArray && now == formArray:
		f := a.here()
		for i := range min(f.old.Len(), f.width()) {
			a.set(path.Index(i), f.old.Elem(i))
		}
		a.lengths()
	case a.mode == Engine && now.container():
		// New stays as it is, and the engine has no complaint.
	case a.mode == Engine || old.container() || now.container():
		a.stop(a.reason())
	}
}

// setMembers gives an object the members that it has in old, and no other. The
// keys of a secret are secret, though the engine's mode has to give them out.
func (a *ignoring) setMembers() {
	f := a.here()
	both := 0
	before := f.keysNow()
	for _, k := range before {
		if _, there := f.old.Lookup(k); there {
			both++
		}
	}
	a.report.Matched += len(before) + f.old.Len() - both
	if len(before) == 0 && f.old.Len() == 0 {
		return
	}
	d := a.open()
	if a.mode != Engine && f.old.IsSecret() && f.old.Len() > 0 && !f.secret {
		d.marks, d.secret = value.Secret(d.marks), true
	}
	d.slots, d.added, d.from = nil, nil, f.old
	if f.old.Kind() != value.KindObject {
		d.from = value.Object() // old has nothing
	}
}

// lengths ends an array that both sides have, or old has not at all.
func (a *ignoring) lengths() {
	f := a.here()
	switch {
	case f.old.Len() == f.width():
	case f.old.Kind() != value.KindArray:
		a.stop(MissingSide)
	default:
		a.stop(LengthDiffers)
	}
}

// innerAny goes on to the next child of a container, or ends with it.
func (a *ignoring) innerAny() {
	if !a.here().begun && !a.beginAny() {
		return
	}
	f, w := a.here(), &a.walks[len(a.walks)-1]
	i := w.next
	w.next++
	array := f.now.Kind() == value.KindArray
	switch {
	case i == w.count:
		f.done = true
		if array {
			a.lengths()
		}
	case array:
		a.enter(path.Index(i), f.old.Elem(i))
	default:
		a.enterMember(i, w.keys)
	}
}

// beginAny decides whether there is something to go through, and what.
func (a *ignoring) beginAny() bool {
	old, now, ended := a.forms()
	f := a.here()
	var w wildcard
	switch {
	case ended:
		return false
	case old == formArray && now == formArray:
		w.count = min(f.old.Len(), f.width())
	case old == formObject && now == formObject:
		w.count = f.old.Len()
		if a.mode != Engine {
			w.keys = f.bothKeys()
			w.count = len(w.keys)
		}
	default:
		f.done = true
		if a.mode == Engine || old.container() || now.container() {
			a.stop(a.reason())
		}
		return false
	}
	f.begun = true
	a.walks = append(a.walks, w)
	return true
}

// enterMember goes on to member i of those of old, or to the one with key i.
func (a *ignoring) enterMember(i int, keys []string) {
	f := a.here()
	name, old, _ := f.old.MemberAt(i)
	if keys != nil {
		name = keys[i]
		old = f.old.Field(name)
	}
	if _, _, there := f.child(path.Key(name)); there {
		a.enter(path.Key(name), old)
	} else {
		a.stop(MissingSide, path.Key(name))
	}
}

// bothKeys are the keys that an object has on either side, in order.
func (f *frame) bothKeys() []string {
	keys := f.keysNow()
	for k := range f.old.Keys() {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// keysNow are the keys that an object of new has by now, in order.
func (f *frame) keysNow() []string {
	if f.draft != nil {
		return f.draft.keys()
	}
	keys := make([]string, 0, f.now.Len())
	for k := range f.now.Keys() {
		keys = append(keys, k)
	}
	return keys
}
