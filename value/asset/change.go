package asset

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/propalg/propalg/internal/refuse"
	"github.com/propalg/propalg/value"
)

// ChangeKind is a kind of difference between two lists.
type ChangeKind uint8

// The kinds of changes.
const (
	Added   ChangeKind = iota // only the new list has the name
	Removed                   // only the old list has the name
	Changed                   // the name has another hash
	Renamed                   // another name has the hash
)

// String returns the kind in lower case, for example "added".
func (k ChangeKind) String() string {
	switch k {
	case Added:
		return "added"
	case Removed:
		return "removed"
	case Changed:
		return "changed"
	case Renamed:
		return "renamed"
	}
	return "invalid change"
}

// Change is the difference of one entry between two lists. Its text is one line, without
// the names and hashes of secret archives.
type Change struct {
	kind     ChangeKind
	old, now listed
}

// Changes returns the differences between two lists, by names and hashes.
//
// They are sorted by the new name (the old one for removed entries), bytewise. A removed
// and an added entry with the same hash are one renamed entry; of several with one hash
// the first old one is paired with the first new one. Empty entries are never renamed. Of
// two entries with one name in a list, which [Contents.List] does not make, the first
// counts.
func Changes(old, now List) []Change {
	before, after := byName(old), byName(now)
	var changes []Change
	for len(before) > 0 || len(after) > 0 {
		switch order := compareHeads(before, after); {
		case order < 0:
			changes = append(changes, Change{kind: Removed, old: before[0]})
			before = before[1:]
		case order > 0:
			changes = append(changes, Change{kind: Added, now: after[0]})
			after = after[1:]
		default:
			if text(before[0].hash) != text(after[0].hash) {
				changes = append(changes, Change{Changed, before[0], after[0]})
			}
			before, after = before[1:], after[1:]
		}
	}
	return withRenames(changes)
}

// hashOfNothing is the SHA-256 of no bytes.
const hashOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// withRenames makes one change of a removed and an added entry of the same hash.
func withRenames(changes []Change) []Change {
	removed := map[string][]int{}
	for i, c := range changes {
		if hash := text(c.old.hash); c.kind == Removed && hash != hashOfNothing && hash != "" {
			removed[hash] = append(removed[hash], i)
		}
	}
	gone := make([]bool, len(changes))
	for i := range changes {
		c := &changes[i]
		if c.kind != Added {
			continue
		}
		if from := removed[text(c.now.hash)]; len(from) > 0 {
			removed[text(c.now.hash)] = from[1:]
			c.kind, c.old = Renamed, changes[from[0]].old
			gone[from[0]] = true
		}
	}
	left := changes[:0]
	for i, c := range changes {
		if !gone[i] {
			left = append(left, c)
		}
	}
	return left
}

func text(v value.Value) string {
	s, _ := v.AsString()
	return s
}

func byName(l List) []listed {
	sorted := slices.Clone(l.items)
	slices.SortStableFunc(sorted, func(a, b listed) int { return cmp.Compare(text(a.name), text(b.name)) })
	return slices.CompactFunc(sorted, func(a, b listed) bool { return text(a.name) == text(b.name) })
}

// compareHeads compares the first names of two lists, of which one may be empty.
func compareHeads(a, b []listed) int {
	switch {
	case len(b) == 0:
		return -1
	case len(a) == 0:
		return 1
	}
	return cmp.Compare(text(a[0].name), text(b[0].name))
}

// Kind returns the kind of the change.
func (c Change) Kind() ChangeKind { return c.kind }

// Old returns name and hash of the old entry, or false if it was added.
func (c Change) Old() (name, hash string, ok bool) {
	return text(c.old.name), text(c.old.hash), c.kind != Added
}

// New returns name and hash of the new entry, or false if it was removed.
func (c Change) New() (name, hash string, ok bool) {
	return text(c.now.name), text(c.now.hash), c.kind != Removed
}

// String returns one line such as `~ "a.txt": 2cf24db => 486ea46`.
func (c Change) String() string {
	switch c.kind {
	case Added:
		return "+ " + shownName(c.now.name) + ": " + shortHash(c.now.hash)
	case Removed:
		return "- " + shownName(c.old.name) + ": " + shortHash(c.old.hash)
	case Changed:
		return "~ " + shownName(c.now.name) + ": " + shortHash(c.old.hash) + " => " + shortHash(c.now.hash)
	case Renamed:
		return "> " + shownName(c.old.name) + " => " + shownName(c.now.name) + ": " + shortHash(c.now.hash)
	}
	return c.kind.String()
}

// Format implements [fmt.Formatter]: it writes the text of String for every verb.
func (c Change) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, c.String()) }

// UnmarshalJSON returns an error that names [Changes], which makes changes.
func (*Change) UnmarshalJSON([]byte) error { return refuse.JSON("asset.Change", "asset.Changes") }
