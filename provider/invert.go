package provider

import "slices"

// Invert returns r with old and new exchanged: ADD becomes DELETE, and DELETE becomes
// ADD. Everything else stays the same, including which kinds replace. On refresh, the
// engine asks what an unchanged program would do to the state that it read, and inverts
// the answer to show what happened to the resource.
func (r Response) Invert() Response {
	r.Detailed = slices.Clone(r.Detailed)
	for i := range r.Detailed {
		r.Detailed[i].Kind = r.Detailed[i].Kind.Invert()
	}
	return r
}
