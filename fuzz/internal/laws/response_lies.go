package laws

import (
	"slices"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// liar is a true response in which a lie is to be planted.
type liar struct {
	sides    provider.Sides
	known    provider.Differ // that say what replaces
	response *provider.Response
	at       int             // of the entry in the response
	entry    *provider.Entry // one of it, or nil when there are none
	ignored  []path.Pattern
}

type lie struct {
	code       string
	needsEntry bool
	tell       func(l *liar) bool // false: it has no place here
}

func lies() []lie {
	return slices.Concat(keyLies(), kindLies(), placeLies(), nameLies(), replaceLies(), wholeLies())
}

func keyLies() []lie {
	return []lie{
		{"key-unreadable", true, func(l *liar) bool { l.entry.Key += `["`; return true }},
		{"key-empty", true, func(l *liar) bool { l.entry.Key = ""; return true }},
		{"kind-unknown", true, func(l *liar) bool { l.entry.Kind = 77; return true }},
		{"place-twice", true, func(l *liar) bool { return l.add(l.entry.Key) }},
		{"overlap", true, func(l *liar) bool { return l.add(l.entry.Key + "[0].below") }},
	}
}

// kindLies turn the kind of an entry into another.
func kindLies() []lie {
	turn := func(code string, from, to rpc.PropertyDiffKind) lie {
		return lie{code, true, func(l *liar) bool {
			last, _ := l.entry.Path().Last()
			if !last.IsKey() || l.entry.Kind&^1 != from || l.trueElsewhere() {
				return false
			}

			l.entry.Kind = to
			return true
		}}
	}
	return []lie{
		turn("old-missing", rpc.PropertyDiffAdd, rpc.PropertyDiffUpdate), turn("old-missing", rpc.PropertyDiffAdd, rpc.PropertyDiffUpdateReplace),
		turn("new-missing", rpc.PropertyDiffDelete, rpc.PropertyDiffUpdate), turn("new-missing", rpc.PropertyDiffDelete, rpc.PropertyDiffAddReplace),
		turn("old-missing", rpc.PropertyDiffAdd, rpc.PropertyDiffDeleteReplace),
		turn("add-present", rpc.PropertyDiffUpdate, rpc.PropertyDiffAdd), turn("delete-present", rpc.PropertyDiffUpdate, rpc.PropertyDiffDelete),
	}
}

// trueElsewhere reports whether the place is not the same in the old inputs and
// in state, so that what is untrue of one may be true of the other; or cannot be
// reported at all, because of an unknown.
func (l *liar) trueElsewhere() bool {
	x, inInputs := l.sides.OldInputs.At(l.entry.Path())
	y, inState := l.sides.OldState.At(l.entry.Path())

	for p, above := l.entry.Path().Parent(); above; p, above = p.Parent() {
		if v, _ := l.sides.News.At(p); v.IsUnknown() {
			return true
		}
	}
	if v, _ := l.sides.News.At(l.entry.Path().Prefix(1)); l.sides.OldInputs.IsNull() && v.IsNull() {
		return true // it may be taken for a computed output
	}
	return !l.sides.OldInputs.IsNull() && (inInputs != inState || !x.Identical(y))
}

func (l *liar) add(key string) bool {
	if _, err := path.ParsePulumi(key); err != nil {
		return false
	}
	l.response.Detailed = append(l.response.Detailed, provider.Entry{Key: key, Kind: rpc.PropertyDiffUpdate, InputDiff: !l.sides.OldInputs.IsNull()})
	return true
}

func (l *liar) reported(p path.Path) bool {
	return slices.ContainsFunc(l.response.Detailed, func(e provider.Entry) bool { return e.Path().HasPrefix(p) || p.HasPrefix(e.Path()) })
}

// placeLies are about where entries are.
func placeLies() []lie {
	return []lie{
		{"below-secret", false, func(l *liar) bool {
			for p := range l.sides.News.SecretPaths() {
				if key, err := p.Member("below").Pulumi(); err == nil && !l.reported(p) {
					return l.add(key)
				}
			}

			return false
		}},
		{"ignored", true, func(l *liar) bool {
			if l.sides.OldInputs.IsNull() && (l.entry.Key == "__meta" || l.entry.Key == `["#initerror"]`) {
				return false // nothing says that it was an input
			}

			l.ignored = []path.Pattern{path.MustParsePattern("nothing"), l.entry.Path().Pattern()}
			return true
		}},
		{"output-only", false, func(l *liar) bool { return l.add(`["` + computed + `"]`) }},
		{"update-equal", false, func(l *liar) bool {
			for name, v := range l.sides.News.Members() {
				old, _ := l.sides.OldInputs.Lookup(name)
				p := path.Of(path.Key(name))
				if key, err := p.Pulumi(); err == nil && !v.IsNull() && value.Engine.Equal(v, old) && !l.reported(p) &&
					value.Engine.Equal(old, l.sides.OldState.Field(name)) {
					return l.add(key)
				}
			}

			return false
		}},
		{"wrong-side", true, func(l *liar) bool {
			old, _ := l.sides.OldState.At(l.entry.Path())
			now, there := l.sides.News.At(l.entry.Path())
			if last, _ := l.entry.Path().Last(); !last.IsKey() || !l.entry.InputDiff || l.entry.Kind&^1 != rpc.PropertyDiffUpdate ||
				!there || !value.Engine.Equal(old, now) {
				return false
			}

			l.entry.InputDiff = false
			return true
		}},
		{"unreported", true, func(l *liar) bool {
			first, _, _ := l.entry.Path().Cut()
			name, _ := first.AsKey()
			only := func(s string) bool { return s == name }
			if !l.entry.InputDiff {
				return false
			}

			l.response.Detailed = slices.DeleteFunc(l.response.Detailed, func(e provider.Entry) bool { first, _, _ := e.Path().Cut(); return first == path.Key(name) })
			l.response.Diffs = slices.DeleteFunc(l.response.Diffs, only)
			l.response.Replaces = slices.DeleteFunc(l.response.Replaces, only)
			return true
		}},
	}
}

func nameLies() []lie {
	first := func(names *[]string) bool {
		if len(*names) == 0 {
			return false
		}

		*names = (*names)[1:]
		return true
	}
	return []lie{
		{"diffs-path", false, func(l *liar) bool { l.response.Diffs = append(l.response.Diffs, "no name.but a path"); return true }},
		{"replaces-path", false, func(l *liar) bool { l.response.Replaces = append(l.response.Replaces, "path[0]"); return true }},
		{"diffs-extra", true, func(l *liar) bool { l.response.Diffs = append(l.response.Diffs, computed); return true }},
		{"replaces-extra", true, func(l *liar) bool { l.response.Replaces = append(l.response.Replaces, computed); return true }},
		{"diffs-missing", true, func(l *liar) bool { return first(&l.response.Diffs) }},
		{"replaces-missing", true, func(l *liar) bool { return first(&l.response.Replaces) }},
	}
}

// replaceLies are about which changes force a replacement.
func replaceLies() []lie {
	return []lie{
		{"should-replace", true, func(l *liar) bool {
			// An answer may replace because of the state alone.
			c := l.known.Compare(l.sides)
			of := l.known.Respond(c.Inputs()).Replaces
			if l.sides.OldInputs.IsNull() || len(of) == 0 {
				return false
			}

			for i := range l.response.Detailed {
				l.response.Detailed[i].Kind &^= 1
			}
			l.response.Replaces = nil
			return true
		}},
		{"should-update", true, func(l *liar) bool {
			first, _, _ := l.entry.Path().Cut()
			name, _ := first.AsKey()
			drift := l.known
			drift.Drift = true
			if l.sides.OldInputs.IsNull() || l.known.ReplaceOn.Len() == 0 || slices.Contains(drift.Compare(l.sides).Response().Replaces, name) {
				return false
			}

			l.entry.Kind |= 1
			l.response.Replaces = append(l.response.Replaces, name)
			return true
		}},
	}
}

func wholeLies() []lie {
	return []lie{
		{"none-with-changes", true, func(l *liar) bool { l.response.Changes = rpc.DiffNone; return true }},
		{"some-unnamed", false, func(l *liar) bool { *l.response = provider.Response{Changes: rpc.DiffSome}; return true }},
		{"detailed-empty", false, func(l *liar) bool {
			l.response.Changes, l.response.HasDetailed, l.response.Detailed = rpc.DiffSome, true, nil

			return true
		}},
		{"not-detailed", true, func(l *liar) bool { l.response.HasDetailed = false; return true }},
		{"state-unknown", false, func(l *liar) bool { l.response.Changes = 77; return true }},
	}
}
