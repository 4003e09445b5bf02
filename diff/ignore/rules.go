package ignore

import (
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// form is what one side of a place is to a step of a pattern.
type form uint8

const (
	formNothing form = iota // missing, or null
	formObject
	formArray
	formUnknown // an unknown, or a sealed secret: anything may be inside
	formOther
)

func (f form) container() bool { return f == formObject || f == formArray }

// form returns the form of a value by the rules of the mode.
func (w *walker) form(v value.Value) form {
	isOpen := w.mode != AsEngine || !v.HasDependencies()
	switch v.Kind() {
	case value.KindNull:
		return formNothing
	case value.KindObject:
		if isOpen {
			return formObject
		}
	case value.KindArray:
		if isOpen {
			return formArray
		}
	case value.KindUnknown, value.KindSealed:
		return formUnknown
	case value.KindBool, value.KindNumber, value.KindString, value.KindAsset, value.KindArchive,
		value.KindResourceReference:
	}

	return formOther
}

// leads reports whether a step of a pattern may lead to children of a place, on either
// side. A place where that fails for want of a common shape is reported as a mismatch.
//
// The rules are the table in docs/notes/ignorechanges.md. What becomes of a child that
// new does not have is in apply.
func (w *walker) leads(p *place, t task, step path.Step, last bool) bool {
	old, now := w.form(p.old), w.form(p.now)
	if w.mode != AsEngine {
		switch {
		case old == formUnknown || now == formUnknown:
			if !p.sameUnknown() {
				w.mismatch(p, t, unknownSide)
			}
			return false
		case old == formNothing && now.container():
			old = now
		}
	}

	name, isKey := step.AsKey()
	switch {
	case step.IsWildcard():
		return w.leadsToAll(p, t, old, now, last)
	case isKey:
		return w.leadsToKey(p, t, name, old, now, last)
	}

	return w.leadsToIndex(p, t, step, old, now, last)
}

func (w *walker) leadsToKey(p *place, t task, name string, old, now form, last bool) bool {
	switch {
	case old == now:
		return now == formObject
	case old != formObject && now != formObject:
		return false
	case last && (old != formObject || !has(p.old, name)):
		return now == formObject // where there may be something to remove
	}

	w.mismatch(p, t, w.reason(p))
	return false
}

func (w *walker) leadsToIndex(p *place, t task, s path.Step, old, now form, last bool) bool {
	switch {
	case old != formArray && now != formArray:
		return false
	case old != now:
		w.mismatch(p, t, w.reason(p))
		return false
	}

	i, _ := s.AsIndex()
	inOld, inNow := i < p.old.Len(), i < p.now.Len()
	switch {
	case inOld && inNow:
		return true
	case inOld || inNow || !last:
		w.mismatch(p, t, lengthDiffers, s)
	}
	return false
}

func (w *walker) leadsToAll(p *place, t task, old, now form, last bool) bool {
	switch {
	case old == now && now.container():
		return true
	case w.mode == AsEngine && last && now.container():
		// The engine leaves new as it is, without a complaint.
	case w.mode == AsEngine || old.container() || now.container():
		w.mismatch(p, t, w.reason(p))
	}

	return false
}

// leadsDown reports whether the wildcard of any depth leads to the children of a place: in any
// mode where both sides have containers of one kind. It looks for what is there, so that it
// finds nothing, and no mismatch, elsewhere.
func (w *walker) leadsDown(p *place) bool {
	old, now := w.form(p.old), w.form(p.now)
	return now.container() && (old == now || (w.mode != AsEngine && old == formNothing))
}

// checkLengths reports a mismatch where a wildcard has led to arrays of different
// lengths, after their common prefix.
func (w *walker) checkLengths(p *place, t task) {
	switch {
	case p.now.Kind() != value.KindArray || p.old.Len() == p.now.Len():
	case p.old.Kind() != value.KindArray:
		w.mismatch(p, t, missingSide)
	default:
		w.mismatch(p, t, lengthDiffers)
	}
}

// reason returns why two sides that are not containers of one kind mismatch.
func (w *walker) reason(p *place) reason {
	old, now := w.form(p.old), w.form(p.now)
	switch {
	case old == formUnknown || now == formUnknown:
		return unknownSide
	case old == formNothing || now == formNothing:
		return missingSide
	}

	return kindDiffers
}

// sameUnknown reports whether both sides of a place are unknowns with the same
// dependencies, or the same sealed secret, and new has not lost a secret mark. Then
// everything inside is the same in old and new, whatever it turns out to be.
func (p *place) sameUnknown() bool {
	return value.IgnoreSecrets.Equal(p.old, p.now) && (!p.old.IsSecret() || p.now.IsSecret())
}

// spreadsSecret reports whether a task makes the object at a place secret: in the
// corrected mode, where it gets all members, and so the keys, of a secret.
func (w *walker) spreadsSecret(p *place, t task) bool {
	if w.mode == AsEngine || !p.old.IsSecret() || p.now.IsSecret() {
		return false
	}
	step, below, _ := t.rest.Cut()
	objects := p.old.Kind() == value.KindObject && p.now.Kind() == value.KindObject
	return objects && p.old.Len() > 0 && step.IsWildcard() && below.IsRoot()
}
