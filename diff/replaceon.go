package diff

import (
	"slices"

	"github.com/propalg/propalg/path"
)

// Initialization says whether the last operation on a resource failed after it
// was made. The set is closed.
type Initialization uint8

const (
	// Initialized: it did not fail.
	Initialized Initialization = iota
	// InitErrors: it did, and the engine tries again, as an update at least.
	InitErrors
)

// ReplaceOptions are the resource option replaceOnChanges, and what it is held
// against beside the response.
type ReplaceOptions struct {
	Patterns       *path.Set
	Direction      Direction
	Initialization Initialization
}

// ReplaceOn is a response, whoever wrote it, to which replaceOnChanges is
// applied: entries that a pattern concerns replace, and so do names in Diffs that
// one covers. With [TwoWay] a pattern also concerns an entry above it, when what
// differs there, or came or went, holds a match; that takes the sides to see. With
// [EngineOneWay] it does what the engine does.
//
// Only DIFF_SOME is changed, but for errors of initialization: these are a change
// called #initerror, which a pattern of that name or the wildcard makes replace.
func (r Response) ReplaceOn(s Sides, o ReplaceOptions) Response {
	if o.Patterns.Len() == 0 {
		return r
	}
	failed := path.Root().Key("#initerror")
	initFails := o.Initialization == InitErrors && o.Patterns.Covers(failed)
	if r.Changes != Some && !initFails {
		return r
	}
	r.Detailed, r.Replaces = slices.Clone(r.Detailed), slices.Clone(r.Replaces)
	all := r.claims(s)
	concerned := map[int]bool{}
	if o.Direction == TwoWay {
		concerned = concerns(r, s, o.Patterns)
	}
	for _, c := range all {
		if c.fate != OmittedUnreadable && (o.Patterns.Covers(c.path) || concerned[c.number]) {
			r.Detailed[c.number].Kind = c.kind.known().WithReplace()
			if first, _ := c.path.First(); first.IsKey() && !c.path.IsRoot() {
				name, _ := first.Key()
				r.Replaces = append(r.Replaces, name)
			}
		}
	}
	for _, name := range r.Diffs {
		if p, err := path.ParsePulumi(name); err == nil && o.Patterns.Covers(p) {
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

// concerns finds entries above places that a pattern matches and that differ.
func concerns(r Response, s Sides, patterns *path.Set) map[int]bool {
	found := map[int]bool{}
	byPath := map[path.Path]int{}
	for _, c := range r.claims(s) {
		if c.fate == 0 && patterns.Touches(c.path) {
			byPath[c.path] = c.number
		}
	}
	if len(byPath) == 0 {
		return found
	}
	for c := range ReadResponse(r, s).Diff.Changes() {
		if !c.Matches(patterns) {
			continue
		}
		for p, above := c.Path(), true; above; p, above = p.Parent() {
			if number, ok := byPath[p]; ok {
				found[number] = true
				break
			}
		}
	}
	return found
}
