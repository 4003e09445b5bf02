package difftree

import "github.com/propalg/propalg/path"

// Descend visits the places inside a container, each before those inside it. visit is
// given the step to a place, and the state that it returned for the place above, which is
// the given one for the children of b. It returns the state for the places inside, and
// whether to visit them.
func Descend[S any](b *Branch, state S, visit func(s Place, step path.Step, above S) (here S, inside bool)) {
	if b == nil {
		return
	}

	for i := range b.Nodes {
		s := b.Child(i)
		here, inside := visit(s, b.Step(i, s.Node().Removed()), state)
		if inside {
			Descend(s.Node().Below, here, visit)
		}
	}
}
