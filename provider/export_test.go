package provider

import (
	"slices"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
)

// ResponseWithin is Response, with so many bytes of paths at most.
func ResponseWithin(d diff.Diff, o Options, most int) Response {
	return respondWithin(d, o, most)
}

// PathsHold reports whether the memory that a response gave back still holds a step.
func PathsHold() bool {
	p := longPaths.Get().(*paths) //nolint:forcetypeassert // the pool holds nothing else
	defer longPaths.Put(p)
	return slices.ContainsFunc(p.steps[:], func(s path.Step) bool { return s != path.Step{} })
}
