package check

import (
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// Omission says why an entry of a response is not seen in the Diff that was made
// of it. The set is closed; the zero Omission is none.
type Omission uint8

// The omissions.
const (
	OmittedUnreadable Omission = iota + 1 // the key is no path
	OmittedRoot                           // the key is empty, which names the whole
	OmittedMetaKey                        // __meta and #initerror stand for no property
	OmittedCovered                        // another entry is at the same place, or above
	OmittedAbsent                         // nothing is there on the side that the kind speaks of
	OmittedEqual                          // before and after are equal
)

// String returns the omission in lower case, for example "no such place".
func (o Omission) String() string {
	switch o {
	case OmittedUnreadable:
		return "unreadable key"
	case OmittedRoot:
		return "empty key"
	case OmittedMetaKey:
		return "no property"
	case OmittedCovered:
		return "inside another entry"
	case OmittedAbsent:
		return "no such place"
	case OmittedEqual:
		return "no difference"
	}
	return "shown"
}

// Omitted is an entry that is not seen in the Diff of a [Reading].
type Omitted struct {
	Entry int // its index in Response.Detailed
	Why   Omission
}

// Reading is a response made into a Diff again, to be shown and checked.
type Reading struct {
	// Diff is what the response reports, with the values that are there.
	Diff diff.Diff
	// Omitted are the entries that Diff does not show, in path order. Of a response
	// without HasDetailed none counts, and none is listed.
	Omitted []Omitted
}

// Read makes a Diff out of a response, whoever wrote it, and what its
// provider was given. Of an entry it reads Key, Kind and InputDiff, and its rules
// are these, the same on every run:
//
//   - the old value is that of the old inputs or of the old state, as the entry
//     says (of the state, when there are no old inputs); the new one that of the
//     new inputs. What no entry reports does not differ;
//   - ADD has no old value and DELETE no new one, whatever is there, unless that
//     holds a secret, which is to hide the other side too; UPDATE, and
//     a kind that is none, has both, as far as they are there. No value is made
//     up: where nothing is there the entry is omitted;
//   - of entries at one place, or one below the other, the upper one counts;
//   - where a container on the way is there on one side only, or is of another
//     kind, secret on one side only, or not known, it is the change, as a whole;
//   - of an index and a key below one place that counts which the values have;
//   - elements at the end of an array come and go as said. Where others are said
//     to have come or gone the whole array is compared, its elements aligned.
//     All that is inside an array is read on the side of its first entry;
//   - unreadable keys, the empty key and pseudo-entries (__meta and #initerror,
//     unless inputs have such a name) are omitted.
//
// A response without entries, whether or not it claims to have some, or without
// HasDetailed, when engines throw its entries away, is read by Diffs: these properties, or where it names none but says DIFF_SOME all of
// them, as they differ between old and new inputs.
//
// On refresh the engine passes what it read as old and the recorded inputs as new;
// what users are to see is then the inverse of this Diff.
func Read(r provider.Response, s provider.Sides) Reading {
	r.Detailed = r.Entries()
	if len(r.Detailed) == 0 {
		return Reading{Diff: byName(r, s)}
	}
	all := claimsOf(r, s)
	g := reconstructor{sides: s, deepest: max(s.OldInputs.Depth(), s.OldState.Depth(), s.News.Depth()) + 1}
	for i, c := range all {
		if c.fate == 0 {
			g.live = append(g.live, entryPath{claim: &all[i], steps: steps(c.path, g.deepest+1)})
		}
	}
	old, now := g.run()
	reading := Reading{Diff: diff.Between(old, now, g.options())}
	for _, c := range all {
		if c.fate != 0 {
			reading.Omitted = append(reading.Omitted, Omitted{Entry: c.number, Why: c.fate})
		}
	}
	return reading
}

// byName is the Diff of a response that has no entries.
func byName(r provider.Response, s provider.Sides) diff.Diff {
	if r.Changes == provider.None || r.Changes == provider.Unknown && len(r.Diffs) == 0 {
		return diff.Between(value.Null(), value.Null(), diff.Options{Relation: value.Engine})
	}
	old, now := oldSide(s, true), protocol.Present(s.News)
	if len(r.Diffs) > 0 {
		named := map[string]bool{}
		for _, name := range r.Diffs {
			named[name] = true
			if p, err := path.ParsePulumi(name); err == nil { // some send paths
				first, _ := p.First()
				key, _ := first.Key()
				named[key] = true
			}
		}
		keep := func(name string) bool { return named[name] }
		old, now = protocol.Restrict(old, keep), protocol.Restrict(now, keep)
	}
	return diff.Between(old, now, diff.Options{Relation: value.Engine})
}

// steps are the first steps of a path, at most n.
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
