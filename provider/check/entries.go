package check

import (
	"cmp"
	"slices"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// claim is an entry of a detailed diff of any provider, read as far as possible. It
// depends only on Key, Kind and InputDiff of the entry.
type claim struct {
	number int // of the entry, in Response.Detailed
	path   path.Path
	kind   rpc.PropertyDiffKind // as sent, defined or not
	input  bool
	fate   Omission
	by     int // the claim that covers it, or -1
}

// claimsOf reads the entries of a response, in path order: those whose keys can be read,
// then the others in the order of their keys. Of two where one is at or below the place of
// the other, the upper one, or the one with the lesser key, covers the other.
func claimsOf(r provider.Response, s provider.Sides) []claim {
	all := make([]claim, len(r.Detailed))
	for i, e := range r.Detailed {
		c := claim{number: i, kind: e.Kind, input: e.InputDiff, by: -1}
		p, err := path.ParsePulumi(e.Key)
		switch {
		case err != nil:
			c.fate = OmittedUnreadable
		case p.IsRoot():
			c.fate = OmittedRoot
		case pseudo(s, p):
			c.fate = OmittedMetaKey
		}
		c.path = p
		all[i] = c
	}
	slices.SortFunc(all, func(a, b claim) int {
		return cmp.Or(
			cmp.Compare(unread(a), unread(b)),
			a.path.Compare(b.path),
			cmp.Compare(r.Detailed[a.number].Key, r.Detailed[b.number].Key),
			cmp.Compare(a.kind, b.kind),
			cmp.Compare(sideNumber(b.input), sideNumber(a.input)),
			cmp.Compare(a.number, b.number),
		)
	})

	last := -1
	for i := range all {
		c := &all[i]
		switch {
		case c.fate == OmittedUnreadable, c.fate == OmittedRoot:
		case last >= 0 && c.path.HasPrefix(all[last].path):
			c.fate, c.by = OmittedCovered, last
		default:
			last = i
		}
	}

	return all
}

func unread(c claim) int {
	if c.fate == OmittedUnreadable {
		return 1
	}
	return 0
}

// pseudo reports whether a path is not that of a property: __meta of the Terraform
// bridge, and #initerror, which the engine adds, unless there is an input of that name.
func pseudo(s provider.Sides, p path.Path) bool {
	return (p == path.Path{}.Member("__meta") || p == path.Path{}.Member("#initerror")) && !isInput(s, p)
}

// isInput reports whether a top-level name is that of an input.
func isInput(s provider.Sides, p path.Path) bool {
	first, _, _ := p.Cut()
	return !sidePlace{s.OldInputs, true}.below(first).none() || !sidePlace{s.News, true}.below(first).none()
}

// sidePlace is a place on one side: what is there, if anything.
type sidePlace struct {
	v     value.Value
	there bool
}

func (s sidePlace) below(step path.Step) sidePlace {
	if key, ok := step.AsKey(); ok {
		v, there := s.v.Lookup(key)
		return sidePlace{v, there && s.there}
	}

	i, _ := step.AsIndex()
	if !s.there || (!s.v.IsUnknown() && (s.v.Kind() != value.KindArray || i >= s.v.Len())) {
		return sidePlace{}
	}
	return sidePlace{s.v.Elem(i), true}
}

// none reports whether the protocol treats the place as missing.
func (s sidePlace) none() bool { return !s.there || protocol.Nothing(s.v) }

func (s sidePlace) opaque() bool {
	return s.there && (s.v.IsUnknown() || s.v.Kind() == value.KindSealed)
}

// oldSide returns the old side that an entry is about: the state, if there are no old
// inputs.
func oldSide(s provider.Sides, input bool) value.Value {
	if input && !protocol.Nothing(s.OldInputs) {
		return s.OldInputs
	}
	return protocol.Present(s.OldState)
}
