package ignore

import (
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

type edit struct {
	step   path.Step
	value  value.Value // as it comes out of a container, old's or new's
	remove bool
}

// made returns a container with the edit made. The result cannot be too deep, since old has
// the same value at the same place.
func (e edit) made(container value.Value) value.Value {
	name, isKey := e.step.AsKey()
	switch {
	case e.remove:
		container, _ = container.Without(path.Of(e.step))
	case isKey:
		container, _ = container.WithField(name, e.value)
	default:
		container, _ = container.With(path.Of(e.step), e.value)
	}

	return container
}

// edit makes changes, sorted by step, to the container at a place, which keeps its
// marks.
func (p *place) edit(edits []edit) {
	if len(edits) == 0 {
		return
	}

	p.changed = true
	if len(edits) == 1 { // nearly always, and a third faster so: the row "ignoreChanges, 1 pattern"
		p.now = edits[0].made(p.now)
		return
	}

	bare := p.now
	if bare.IsSecret() {
		bare = bare.DropSecret()
		for i, e := range edits {
			// What is secret because of its container gets no mark of its own.
			if !e.value.OwnSecret() {
				edits[i].value = e.value.DropSecret()
			}
		}
	}
	if bare.Kind() == value.KindArray {
		elems := make([]value.Value, bare.Len())
		for i, v := range bare.Elems() {
			elems[i] = v
		}
		for _, e := range edits {
			i, _ := e.step.AsIndex()
			elems[i] = e.value
		}
		p.now = value.Array(elems...).WithMarksOf(p.now)
		return
	}
	p.now = value.Object(merged(bare, edits)...).WithMarksOf(p.now)
}

func merged(object value.Value, edits []edit) []value.Member {
	members := make([]value.Member, 0, object.Len()+len(edits))
	set := func(e edit) {
		if !e.remove {
			name, _ := e.step.AsKey()
			members = append(members, value.Field(name, e.value))
		}
	}
	for name, v := range object.Members() {
		s := path.Key(name)
		for len(edits) > 0 && edits[0].step.Compare(s) < 0 {
			set(edits[0])
			edits = edits[1:]
		}
		if len(edits) > 0 && edits[0].step == s {
			set(edits[0])
			edits = edits[1:]
		} else {
			members = append(members, value.Field(name, v))
		}
	}

	for _, e := range edits {
		set(e)
	}

	return members
}
