package diff

import (
	"slices"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
)

// ReplaceOptions are the resource option replaceOnChanges, and what it is held
// against beside the response.
type ReplaceOptions struct {
	Patterns  *path.Set
	Direction Direction
	// InitErrors: the last operation on the resource failed after it was made.
	InitErrors bool
}

// ReplaceOn is a response, whoever wrote it, to which replaceOnChanges is
// applied: entries that a pattern concerns replace, and so do names in Diffs that
// one covers. With [TwoWay] a pattern also concerns an entry above it, when what
// differs there, or came or went, holds a match; that takes the sides to see. With
// [EngineOneWay] it does what the engine does, which adds the names in Diffs to
// Replaces, but not those of entries.
//
// Entries of a response without HasDetailed, which engines throw away, stay as they
// are. Only DIFF_SOME is changed, but for errors of initialization: these are a change
// called #initerror, which a pattern of that name or the wildcard makes replace.
func (r Response) ReplaceOn(s Sides, o ReplaceOptions) Response {
	if o.Patterns.Len() == 0 {
		return r
	}
	failed := path.Root().Key("#initerror")
	initFails := o.InitErrors && o.Patterns.Covers(failed)
	if r.Changes != Some && !initFails {
		return r
	}
	r.Detailed, r.Replaces = slices.Clone(r.Detailed), slices.Clone(r.Replaces)
	concerned := concerned{}
	seen := r.effective()
	if o.Direction != EngineOneWay {
		concerned = concerns(seen, s, o)
	}
	for _, c := range seen.claims(s) {
		if c.fate == OmittedUnreadable || !o.Patterns.Covers(c.path) && !concerned.entries[c.number] {
			continue
		}
		r.Detailed[c.number].Kind = c.kind.known().WithReplace()
		if name, ok := topName(c.path); ok && o.Direction != EngineOneWay {
			r.Replaces = append(r.Replaces, name)
		}
	}
	for _, name := range r.Diffs {
		if p, err := path.ParsePulumi(name); err == nil && o.Patterns.Covers(p) || concerned.names[name] {
			r.Replaces = append(r.Replaces, name)
		}
	}
	if initFails {
		r.Changes, r.Replaces = Some, append(r.Replaces, "#initerror")
		if r.HasDetailed {
			r.Detailed = append(r.Detailed, Entry{Key: "#initerror", Path: failed, Kind: UpdateReplace})
		}
	}
	r.Replaces = union(r.Replaces, nil)
	return r
}

// concerned are the entries, and of a response without entries the names, that
// patterns concern from below.
type concerned struct {
	entries map[int]bool
	names   map[string]bool
}

// concerns finds what is above a place that a pattern matches and that differs.
func concerns(r Response, s Sides, o ReplaceOptions) concerned {
	found := concerned{map[int]bool{}, map[string]bool{}}
	upper := slices.DeleteFunc(r.claims(s), func(c claim) bool { return c.fate != 0 })
	claimed := make([]path.Pattern, len(upper))
	for i, c := range upper {
		claimed[i] = c.path.Pattern()
	}
	root := ReadResponse(r, s).Diff.root()
	if root.In == nil || root.Node().Below == nil {
		return found
	}
	type open struct {
		at            *difftree.Branch
		next          int
		claims, state path.State
	}
	stack := []open{{at: root.Node().Below, claims: path.NewSet(claimed...).Start(), state: o.Patterns.Start()}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(top.at.Nodes) {
			stack = stack[:len(stack)-1]
			continue
		}
		at := top.at.Child(top.next)
		top.next++
		step := at.In.Step(at.At, at.Node().Removed())
		claims, st := top.claims.Step(step), top.state.Step(step)
		name, isName := step.Key()
		switch isWhole := len(r.Detailed) == 0; {
		case isWhole && isName && (st.Covers() || at.Concerns(st, o.Direction == ThroughElements)):
			found.names[name] = true
		case claims.Ends():
			if st.Covers() || at.Concerns(st, o.Direction == ThroughElements) {
				for i := range claims.Matched() {
					found.entries[upper[i].number] = true
				}
			}
		case !isWhole && at.Node().Below != nil && claims.Touches():
			stack = append(stack, open{at: at.Node().Below, claims: claims, state: st})
		}
	}
	return found
}

// topName is the name of the top-level property that a path leads to or through.
func topName(p path.Path) (string, bool) {
	first, ok := p.First()
	if !ok {
		return "", false
	}
	return first.Key()
}
