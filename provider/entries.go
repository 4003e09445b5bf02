package provider

import (
	"slices"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/path"
)

// Entry is one entry of a detailed diff. It holds no values.
type Entry struct {
	Key       string               // the path as text, in the Pulumi dialect; Respond writes no empty one
	Kind      rpc.PropertyDiffKind // rpc.PropertyDiffAdd and so on; with Replace, it requires a replacement
	InputDiff bool                 // the old value is in the old inputs, else in the old state
}

// Path returns the path that Key spells, or the zero Path if Key does not parse. Paths of
// entries that [Differ.Respond] returns do not lead into secrets. Each call parses Key again.
func (e Entry) Path() path.Path {
	p, err := path.ParsePulumi(e.Key)
	if err != nil {
		return path.Path{}
	}
	return p
}

// Replace reports whether the entry requires a replacement.
func (e Entry) Replace() bool { return protocol.IsReplace(e.Kind) }

// kindOf returns the kind of the entry of a change, or of a container with changes
// inside.
func kindOf(n *difftree.Node) rpc.PropertyDiffKind {
	switch {
	case n.Op == difftree.OpAdd, n.Op == difftree.OpInsert, n.Op == difftree.OpUpdate && protocol.Nothing(n.Old) && !protocol.Nothing(n.New):
		return rpc.PropertyDiffAdd
	case n.Removed(), n.Op == difftree.OpUpdate && protocol.Nothing(n.New) && !protocol.Nothing(n.Old):
		return rpc.PropertyDiffDelete
	}
	return rpc.PropertyDiffUpdate
}

// detailed returns the entries with their keys. All that are in the text are parts of one
// string.
func (w *responder) detailed() []Entry {
	all := clone(w.entries)
	if len(w.ends) == 0 {
		return all
	}
	text, from, next := string(w.text), 0, 0
	for i := range all {
		if all[i].Key == "" {
			all[i].Key = text[from:w.ends[next]]
			from, next = w.ends[next], next+1
		}
	}

	return all
}

// merge sorts entries. What is at one place or below it becomes one entry, which
// requires a replacement if one of them does; with EngineOneWay, only if its place is
// covered.
func (w *responder) merge(all []Entry) []Entry {
	merged := folded(placed(all), func(e *Entry, _ path.Path, lower placedEntry) {
		replaces := e.Replace() || lower.Replace()
		e.Kind = rpc.PropertyDiffUpdate
		if replaces {
			e.Kind = rpc.PropertyDiffUpdateReplace
		}
	})
	if w.direction == EngineOneWay && w.limit == 0 {
		for i := range merged {
			if e := &merged[i]; e.Replace() && !w.replaceOn.Covers(e.Path()) {
				e.Kind = protocol.WithoutReplace(e.Kind)
			}
		}
	}

	return merged
}

// isInPlace reports whether an element is reported as where elements are compared
// index by index, so that its entries are in order and have no other at theirs.
func isInPlace(n *difftree.Node) bool {
	return n.OldAt() == n.NewAt() && n.Op != difftree.OpInsert && n.Op != difftree.OpRemove && n.Op != difftree.OpMove && !n.Facts.Has(difftree.Moved)
}

type placedEntry struct {
	Entry
	at path.Path
}

func placed(entries []Entry) []placedEntry {
	all := make([]placedEntry, len(entries))
	for i, e := range entries {
		all[i] = placedEntry{e, e.Path()}
	}
	return all
}

// folded returns entries in path order, where one takes in those at its place and below.
func folded(all []placedEntry, join func(e *Entry, at path.Path, lower placedEntry)) []Entry {
	slices.SortStableFunc(all, func(x, y placedEntry) int { return x.at.Compare(y.at) })
	entries := make([]Entry, 0, len(all))
	var upper path.Path
	for _, e := range all {
		if n := len(entries); n > 0 && e.at.HasPrefix(upper) {
			join(&entries[n-1], upper, e)
			continue
		}
		entries, upper = append(entries, e.Entry), e.at
	}
	return entries
}

// join takes an entry at or below e, which is at a place, into e.
func (e *Entry) join(at path.Path, lower placedEntry) {
	replaces := e.Replace() || lower.Replace()
	was, is := protocol.WithoutReplace(e.Kind), protocol.WithoutReplace(lower.Kind)
	if lower.at != at {
		is = rpc.PropertyDiffUpdate // there is something, before and after
	}
	// An element that one side reports as removed or added, and the other does not: it
	// is there before, on the side that says so, and after.
	if last, _ := at.Last(); !last.IsKey() && was != is && (is != rpc.PropertyDiffUpdate || lower.at != at) && was != rpc.PropertyDiffUpdate {
		if was == rpc.PropertyDiffAdd {
			e.InputDiff = lower.InputDiff
		}
		e.Kind = rpc.PropertyDiffUpdate
	}

	if replaces {
		e.Kind = protocol.WithReplace(e.Kind)
	}
}

// replacing returns the top-level names of entries that replace, sorted.
func replacing(entries []Entry) []string {
	var names []string
	for _, e := range entries {
		if !e.Replace() {
			continue
		}
		if name, ok := protocol.TopName(e.Path()); ok {
			names = append(names, name)
		}
	}

	slices.Sort(names)
	return slices.Compact(names)
}
