package check

import (
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// Omission is the reason why a [Reading] omits an entry. The set is closed; the zero
// Omission is not a reason.
type Omission uint8

// The reasons for omitting an entry.
const (
	OmittedUnreadable Omission = iota + 1 // the key is not a path
	OmittedRoot                           // the key is empty, which names the root
	OmittedMetaKey                        // __meta and #initerror are not properties
	OmittedCovered                        // another entry is at the same place or above
	OmittedAbsent                         // the side that the kind concerns has no value there
	OmittedEqual                          // the old and the new value are equal
)

// String returns the reason in lower case, for example "no such place".
func (o Omission) String() string {
	return scan.Name(o, "shown", []string{
		OmittedUnreadable: "unreadable key", OmittedRoot: "empty key",
		OmittedMetaKey: "not a property", OmittedCovered: "inside another entry",
		OmittedAbsent: "no such place", OmittedEqual: "no difference",
	})
}

// Omitted is an entry that the Diff of a [Reading] does not show.
type Omitted struct {
	Entry int // its index in Response.Detailed
	Why   Omission
}

// Reading is a diff with values that was reconstructed from a response, to be shown or
// checked.
type Reading struct {
	// Diff is what the response reports, with the values of the sides.
	Diff diff.Diff
	// Omitted lists the entries that Diff does not show, in path order. It is empty for
	// a response without HasDetailed, whose entries do not count.
	Omitted []Omitted
}

// ReadResponse returns the diff that a response reports, with values taken from the sides. It
// works for any provider's response. It uses the Key, the Kind and the InputDiff of each
// entry, by the rules in the documentation of the package, and returns the same on every
// run.
//
// On refresh, the engine passes the state that it read as old and the recorded inputs
// as new; the inverse of this diff is then what users should see.
func ReadResponse(r provider.Response, s provider.Sides) Reading {
	r.Detailed = r.Entries()
	if len(r.Detailed) == 0 {
		return Reading{Diff: byName(r, s)}
	}
	all := claimsOf(r, s)
	g := reconstructor{deepest: max(s.OldInputs.Depth(), s.OldState.Depth(), s.News.Depth()) + 1}
	for i, c := range all {
		if c.fate == 0 {
			g.live = append(g.live, entryPath{claim: &all[i], steps: steps(c.path, g.deepest+1)})
		}
	}

	old, now := g.run(s)
	reading := Reading{Diff: diff.Between(old, now, g.options())}
	for _, c := range all {
		if c.fate != 0 {
			reading.Omitted = append(reading.Omitted, Omitted{Entry: c.number, Why: c.fate})
		}
	}
	return reading
}

func byName(r provider.Response, s provider.Sides) diff.Diff {
	if r.Changes == rpc.DiffNone || (r.Changes == rpc.DiffUnknown && len(r.Diffs) == 0) {
		return diff.Between(value.Null(), value.Null(), diff.Options{Relation: value.Engine})
	}

	old, now := oldSide(s, true), protocol.Present(s.News)
	if len(r.Diffs) > 0 {
		named := map[string]bool{}
		for _, name := range r.Diffs {
			named[name] = true
			if p, err := path.ParsePulumi(name); err == nil { // some send paths
				first, _, _ := p.Cut()
				key, _ := first.AsKey()
				named[key] = true
			}
		}
		keep := func(name string) bool { return named[name] }
		old, now = protocol.Restrict(old, keep), protocol.Restrict(now, keep)
	}
	return diff.Between(old, now, diff.Options{Relation: value.Engine})
}

func steps(p path.Path, n int) []path.Step {
	var all []path.Step
	for step := range p.Steps() {
		if len(all) == n {
			break
		}

		all = append(all, step)
	}
	return all
}
