package diff

import (
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// ignoreOne applies a pattern that is the only one to do something, if it has no
// wildcard and meets nothing unusual: that is nearly all there is of ignoreChanges.
// It then makes one edit at most, of a value as it is, which needs neither stack nor
// draft. Where it is not done, nothing has happened.
func ignoreOne(old, now value.Value, mode IgnoreMode, report *IgnoredPattern) (made value.Value, done bool) {
	p, exact := report.Pattern.Path()
	if !exact || p.IsRoot() {
		return now, false
	}
	o, n := old, now
	for s, below, ok := p.Cut(); ok; s, below, ok = below.Cut() {
		form := mode.form(n)
		if !form.container() || mode.form(o) != form {
			return now, false
		}
		last := below.IsRoot()
		nextOld, inOld := childOf(o, form, s)
		nextNow, inNow := childOf(n, form, s)
		switch {
		case !inOld && !inNow:
			return now, last || s.IsKey() // an element that neither has is a mismatch
		case form == formArray && inOld != inNow, !last && !inNow:
			return now, false // a mismatch
		case last && inOld:
			made, _ = now.With(p, nextOld) // its container is there
			report.Matched++
			return made, true
		case last:
			made, _ = now.Without(p)
			report.Matched++
			return made, true
		}
		o, n = nextOld, nextNow
	}
	return now, false
}

// childOf is a child of a container by a step, and nothing by one of the other kind.
func childOf(v value.Value, form form, s path.Step) (child value.Value, there bool) {
	name, isKey := s.Key()
	switch i, _ := s.Index(); {
	case isKey != (form == formObject):
		return value.Value{}, false
	case isKey:
		return v.Lookup(name)
	default:
		return v.Elem(i), i < v.Len()
	}
}
