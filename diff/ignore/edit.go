package ignore

import (
	"github.com/propalg/propalg/internal/difftree"
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

	if p.now.Kind() == value.KindArray {
		elems := make([]value.Value, p.now.Len())
		for i, v := range p.now.Elems() {
			elems[i] = difftree.NotInherited(v, p.now.IsSecret())
		}
		for _, e := range edits {
			i, _ := e.step.AsIndex()
			elems[i] = difftree.NotInherited(e.value, p.now.IsSecret())
		}
		p.now = value.Array(elems...).WithMarksOf(p.now)
		return
	}

	keyOf := func(i int) string {
		name, _ := edits[i].step.AsKey()
		return name
	}
	made := value.Internal.WithFields(p.now, p.now.IsSecret(), len(edits), keyOf, func(i int, _ value.Value, _ bool) (value.Value, bool) {
		return edits[i].value, !edits[i].remove
	})
	p.now = made.WithMarksOf(p.now)
}
