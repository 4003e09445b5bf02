package decide

import (
	"slices"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/provider/check"
)

// ReplaceOptions configures [ReplaceOnChanges].
type ReplaceOptions struct {
	// Patterns are the patterns of replaceOnChanges. If there are none, the response is
	// unchanged.
	Patterns *path.Set
	// Direction selects how patterns match entries, as in [provider.Differ].
	Direction provider.Direction
	// InitErrors reports whether the last operation on the resource failed after it was
	// made.
	InitErrors bool
}

// ReplaceOnChanges returns r with the resource option replaceOnChanges applied.
//
// Entries that a pattern matches become replacements, and so do names in Diffs that a
// pattern covers. With [provider.TwoWay] a pattern also matches an entry above a place
// that it names, if what was added, removed or changed there contains a match; the sides
// are needed to decide that. With [provider.ThroughElements] elements that were added,
// removed or moved are searched too. With [provider.EngineOneWay] the result is that of
// the engine, which adds the names in Diffs to Replaces but not the names of entries.
//
// Entries of a response without HasDetailed, which engines discard, are unchanged. Only
// responses with DIFF_SOME are changed, except for initialization errors: they count as
// a change called #initerror. If a pattern of that name or the wildcard matches it, a
// response with DIFF_NONE becomes DIFF_SOME, and the patterns apply to its entries and
// names too. A response that is neither remains as it is, for [Next] to fail.
func ReplaceOnChanges(r provider.Response, s provider.Sides, o ReplaceOptions) provider.Response {
	if o.Patterns.Len() == 0 {
		return r
	}

	failed := path.Path{}.Member("#initerror")
	initFails := o.InitErrors && o.Patterns.Covers(failed)
	if r.Changes != rpc.DiffSome && (r.Changes != rpc.DiffNone || !initFails) {
		return r
	}
	r.Detailed, r.Replaces = slices.Clone(r.Detailed), slices.Clone(r.Replaces)
	concerned := concerned{}
	seen := r
	seen.Detailed = r.Entries()
	if o.Direction != provider.EngineOneWay {
		concerned = concerns(seen, s, o)
	}
	for i, e := range seen.Detailed {
		at, err := path.ParsePulumi(e.Key)
		if err != nil || (!o.Patterns.Covers(at) && !concerned.entries[i]) {
			continue
		}
		r.Detailed[i].Kind = protocol.WithReplace(protocol.WithoutReplace(e.Kind))
		if name, ok := protocol.TopName(at); ok && o.Direction != provider.EngineOneWay {
			r.Replaces = append(r.Replaces, name)
		}
	}
	for _, name := range r.Diffs {
		if p, err := path.ParsePulumi(name); (err == nil && o.Patterns.Covers(p)) || concerned.names[name] {
			r.Replaces = append(r.Replaces, name)
		}
	}

	if initFails {
		r.Changes, r.Replaces = rpc.DiffSome, append(r.Replaces, "#initerror")
		if r.HasDetailed {
			r.Detailed = append(r.Detailed, provider.Entry{Key: "#initerror", Kind: rpc.PropertyDiffUpdateReplace})
		}
	}
	r.Replaces = protocol.Union(r.Replaces, nil)
	return r
}

// concerned holds the entries, and of a response without entries the names, below which
// a pattern matches.
type concerned struct {
	entries map[int]bool
	names   map[string]bool
}

// matched holds how far the paths of entries and the patterns have matched at a place.
type matched struct{ claims, patterns path.Matcher }

func concerns(r provider.Response, s provider.Sides, o ReplaceOptions) concerned {
	found := concerned{map[int]bool{}, map[string]bool{}}
	reading := check.ReadResponse(r, s)
	upper := counted(r, reading)
	claimed := make([]path.Pattern, len(upper))
	for i, number := range upper {
		at, _ := path.ParsePulumi(r.Detailed[number].Key)
		claimed[i] = at.Pattern()
	}

	root := diff.Internal.Tree(reading.Diff)
	if root.In == nil {
		return found
	}

	concerns := func(at difftree.Place, st path.Matcher) bool {
		return st.MatchesAbove() || at.Concerns(st, o.Direction == provider.ThroughElements)
	}
	top := matched{path.NewSet(claimed...).Matcher(), o.Patterns.Matcher()}
	difftree.Descend(root.Node().Below, top, func(at difftree.Place, step path.Step, above matched) (here matched, inside bool) {
		here = matched{above.claims.Next(step), above.patterns.Next(step)}
		name, isName := step.AsKey()
		switch {
		case len(r.Detailed) == 0:
			if isName && concerns(at, here.patterns) {
				found.names[name] = true
			}
			return here, false
		case !here.claims.Matches():
			return here, here.claims.MayMatchBelow()
		case concerns(at, here.patterns):
			for i := range here.claims.Matched() {
				found.entries[upper[i]] = true
			}
		}
		return here, false
	})
	return found
}

// counted returns the numbers of the entries that name a place of their own.
func counted(r provider.Response, reading check.Reading) []int {
	ignored := map[int]bool{}
	for _, omitted := range reading.Omitted {
		switch omitted.Why {
		case check.OmittedUnreadable, check.OmittedRoot, check.OmittedMetaKey, check.OmittedCovered:
			ignored[omitted.Entry] = true
		case check.OmittedAbsent, check.OmittedEqual:
		}
	}

	var numbers []int
	for i := range r.Detailed {
		if !ignored[i] {
			numbers = append(numbers, i)
		}
	}
	return numbers
}
