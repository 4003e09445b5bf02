package check

import (
	"slices"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
)

// replacement checks which properties the answer says force a replacement, if the options
// say which do. Only top-level names are compared: which entries an answer has below them,
// and on which side, is the provider's choice.
func (v *validator) replacement(o provider.Differ) {
	r := v.response
	if o.ReplaceOn.Len() == 0 || r.Changes == rpc.DiffNone || protocol.Nothing(v.sides.OldInputs) {
		return
	}

	names := slices.Clone(r.Replaces)
	for _, e := range r.Entries() {
		if name, ok := protocol.TopName(e.Path()); ok && e.Replace() {
			names = append(names, name)
		}
	}
	v.shouldReplace(names, expected(v.sides, o, false))
	v.shouldUpdate(names, expected(v.sides, o, true))
}

// expected returns what package provider answers.
func expected(s provider.Sides, o provider.Differ, drift bool) provider.Response {
	o.Drift, o.AnswerUnknown = drift, false
	return o.Compare(s).Response()
}

func (v *validator) shouldReplace(names []string, want provider.Response) {
	if !want.HasDetailed {
		for _, name := range want.Replaces {
			if !slices.Contains(names, name) {
				v.find("should-replace", -1, path.Of(path.Key(name)))
			}
		}
	}

	for _, e := range want.Detailed {
		if name, ok := protocol.TopName(e.Path()); ok && e.Replace() && !slices.Contains(names, name) {
			v.find("should-replace", -1, e.Path())
		}
	}
}

// shouldUpdate finds the names of properties that the answer says replace, and that do
// not, although state is compared too.
func (v *validator) shouldUpdate(names []string, want provider.Response) {
	for _, name := range protocol.Union(names, nil) {
		p := path.Of(path.Key(name))
		if !pseudo(v.sides, p) && v.top(name) && !slices.Contains(want.Replaces, name) {
			v.find("should-update", -1, p)
		}
	}
}
