package provider

import "slices"

// Invert is the response seen from the other side: ADD for DELETE, replacing or
// not, and all else as it was. On refresh the engine asks what an unchanged
// program would do to what it read, and turns the answer around to show what
// happened to the resource.
func (r Response) Invert() Response {
	r.Detailed = slices.Clone(r.Detailed)
	for i := range r.Detailed {
		r.Detailed[i].Kind = r.Detailed[i].Kind.Invert()
	}
	return r
}
