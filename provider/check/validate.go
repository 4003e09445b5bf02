package check

import (
	"hash/maphash"
	"slices"
	"strings"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// Validate returns what is false or unwise in a response, given the sides that the
// provider compared. It works for any provider's response. The options that matter are
// Ignored, Equality, Relation, Arrays and ArrayRules, and ReplaceOn and Direction, as the
// documentation of the package says. They should be those that the provider compares with,
// as far as these are known; Ignored must hold the patterns of ignoreChanges. A DIFF_NONE
// that hides a difference is an error if Equality is set, and a warning otherwise. Findings
// about entries are first, in path order, followed by changes that no entry reports, then by
// findings about names and about the response as a whole.
//
// The time grows with the sizes of the response and of the values.
func Validate(r provider.Response, s provider.Sides, o provider.Differ) []Finding {
	given := s
	for _, side := range []*value.Value{&s.OldInputs, &s.OldState, &s.News} {
		*side = withBareNulls(*side, o.Relation)
	}
	v := validator{response: r, given: given, sides: s, ignored: path.NewSet(o.Ignored...), equality: o.Equality != nil, all: claimsOf(r, s)}
	v.seed = maphash.MakeSeed()
	v.compare = diff.Options{Relation: value.Engine | o.Relation, Arrays: o.Arrays, ArrayRules: o.ArrayRules}
	for _, input := range []bool{false, true} {
		v.news[sideNumber(input)] = o.Equality.Respell(oldSide(s, input), protocol.Present(s.News), v.compare)
	}

	v.lengths()
	for i := range v.all {
		v.entry(&v.all[i])
	}
	v.unreported()
	v.names()
	v.replacement(o)
	v.stables()
	v.whole()
	return v.found
}

// withBareNulls returns v with its nulls without the marks that the relation overlooks:
// such a member counts as missing.
func withBareNulls(v value.Value, relation value.Relation) value.Value {
	if relation&(value.IgnoreSecrets|value.IgnoreDependencies) == 0 {
		return v
	}
	bare, err := v.Transform(func(c *value.Cursor) (value.Value, error) {
		x := c.Value()
		if !x.IsNull() {
			return x, nil
		}

		c.DropMarks()
		if relation&value.IgnoreSecrets != 0 {
			x = x.DropSecret()
		}
		if relation&value.IgnoreDependencies != 0 {
			x = x.DropDependencies()
		}
		return x, nil
	})
	if err != nil {
		return v // not reached: fewer marks make no value too deep
	}
	return bare
}

type validator struct {
	response provider.Response
	given    provider.Sides
	sides    provider.Sides // those given, with bare nulls
	ignored  *path.Set
	compare  diff.Options   // how the old inputs and the new ones are compared
	equality bool           // rules of equality hide what means the same
	news     [2]value.Value // as compared with the state and with the old inputs; see sideNumber
	all      []claim
	arrays   map[path.Path]*tally
	seed     maphash.Seed    // of the hashes in arrays
	changed  map[string]bool // top-level names whose inputs surely differ
	found    []Finding
}

func (v *validator) find(code string, entry int, p path.Path) {
	f := newFinding(code)
	f.Entry, f.At = entry, path.Show(p, visible(p, v.given.OldInputs, v.given.OldState, v.given.News))
	v.found = append(v.found, f)
}

// visible returns the number of steps to the outermost secret above a place, on any of
// these sides, or -1.
func visible(p path.Path, sides ...value.Value) int {
	visible := -1
	for _, side := range sides {
		at, depth := sidePlace{side, true}, 0
		for step := range p.Steps() {
			if at.v.IsSecret() && (visible < 0 || depth < visible) {
				visible = depth
			}
			if at = at.below(step); !at.there || (visible >= 0 && depth >= visible) {
				break
			}

			depth++
		}
	}
	return visible
}

// placeOfKey returns the place of a key that is not a path: that of a property with the
// whole key as its name. Where a property that the key begins with contains a secret, the
// key is cut after its name, since the rest may be of names in the secret.
func (v *validator) placeOfKey(key string) path.Shown {
	end := max(0, strings.IndexAny(key, ".["))
	for _, side := range []value.Value{v.given.OldInputs, v.given.OldState, v.given.News} {
		property, _ := side.Lookup(key[:end])
		switch {
		case side.IsSecret(), end == 0 && side.ContainsSecret():
			return path.Show(path.Of(path.Key(key)), 0)
		case property.ContainsSecret():
			return path.Show(path.Of(path.Key(key[:end]), path.Key(key[end:])), 1)
		}
	}

	return path.Show(path.Of(path.Key(key)), -1)
}

func (v *validator) entry(c *claim) {
	switch c.fate {
	case OmittedUnreadable:
		f := newFinding("key-unreadable")
		f.Entry, f.At = c.number, v.placeOfKey(v.response.Detailed[c.number].Key)
		v.found = append(v.found, f)
		return
	case OmittedRoot:
		v.find("key-empty", c.number, path.Path{})
		return
	case OmittedCovered, OmittedMetaKey, OmittedAbsent, OmittedEqual:
	}

	if isLenient(v.response.Detailed[c.number].Key) {
		v.find("key-lenient", c.number, c.path)
	}
	if !protocol.IsKind(c.kind) {
		v.find("kind-unknown", c.number, c.path)
	}

	if c.fate == OmittedCovered {
		code := "overlap"
		if c.path == v.all[c.by].path {
			code = "place-twice"
		}
		v.find(code, c.number, c.path)
		return
	}

	if c.fate == OmittedMetaKey {
		return
	}
	if n := visible(c.path, oldSide(v.given, c.input), v.given.News, v.now(c.input)); n >= 0 && n < c.path.Len() {
		v.find("below-secret", c.number, c.path)
	}
	if v.ignored.Covers(c.path) {
		v.find("ignored", c.number, c.path)
	}
	code := v.judge(c, c.input)
	switch {
	case v.outputOnly(c.path) && (code != "" || !protocol.Nothing(v.sides.OldInputs)):
		// Whatever the entry says, a name that only state has is not a change.
		// Without old inputs the provider may know that it was an input.
		code = "output-only"
	case code == "":
		return
	case !protocol.Nothing(v.sides.OldInputs) && v.judge(c, !c.input) == "":
		code = "wrong-side"
	}
	v.find(code, c.number, c.path)
}

// isLenient reports whether a key has a '[' after a '.', which Pulumi's parser takes in
// its lax mode only.
func isLenient(key string) bool {
	for i := 0; i < len(key); i++ {
		rest := key[i:]
		switch {
		case strings.HasPrefix(rest, ".["):
			return true
		case strings.HasPrefix(rest, `["`):
			for i += 2; i < len(key) && key[i] != '"'; i++ {
				if strings.HasPrefix(key[i:], `\"`) {
					i++
				}
			}
		}
	}

	return false
}

// outputOnly reports whether only state has the top-level name of a place.
func (v *validator) outputOnly(p path.Path) bool {
	first, _, _ := p.Cut()
	return !sidePlace{v.sides.OldState, true}.below(first).none() && !isInput(v.sides, p)
}

// judge returns the code of the rule that an entry breaks if its old value is that of
// the old inputs or of the state, or "".
func (v *validator) judge(c *claim, input bool) string {
	root := oldSide(v.sides, input)
	old, oldVague := look(root, c.path)
	now, newVague := look(v.now(input), c.path)
	last, _ := c.path.Last()
	wasNone, isNone := old.none(), now.none()
	if !last.IsKey() { // a null in an array is an element, and may count as nothing
		wasNone, isNone = !old.there, !now.there
	}
	kind := protocol.WithoutReplace(c.kind)
	switch {
	case kind != rpc.PropertyDiffAdd && wasNone:
		return "old-missing"
	case kind != rpc.PropertyDiffDelete && isNone:
		return "new-missing"
	case kind == rpc.PropertyDiffUpdate && v.compare.Relation.Equal(old.v, now.v) && !v.shifts(c.path, input, now.v):
		return "update-equal"
	case kind == rpc.PropertyDiffAdd && !old.none() && !oldVague && (last.IsKey() || v.miscounted(c, input)):
		return "add-present"
	case kind == rpc.PropertyDiffDelete && !now.none() && !newVague && (last.IsKey() || v.miscounted(c, input)):
		return "delete-present"
	}

	return ""
}

// look returns what is at a place, and whether that follows from an unknown above it.
func look(root value.Value, p path.Path) (at sidePlace, vague bool) {
	at = sidePlace{root, true}
	for step := range p.Steps() {
		if at.v.IsUnknown() {
			return at, true
		}
		if at = at.below(step); !at.there {
			return at, false
		}
	}
	return at, false
}

// now returns the new inputs as they are compared with the old side.
func (v *validator) now(input bool) value.Value { return v.news[sideNumber(input)] }

func sideNumber(input bool) int {
	if input {
		return 1
	}
	return 0
}

func (v *validator) names() {
	var all, replaces []string
	for i := range v.all {
		c := &v.all[i]
		name, ok := protocol.TopName(c.path)
		if !ok || c.fate == OmittedUnreadable {
			continue
		}

		all = append(all, name)
		if protocol.IsReplace(c.kind) {
			replaces = append(replaces, name)
		}
	}
	v.list("diffs", v.response.Diffs, all)
	v.list("replaces", v.response.Replaces, replaces)
}

// list compares one list with the names that the entries give. A name that is there twice
// is one finding, and counts once for the others.
func (v *validator) list(which string, listed, entries []string) {
	names, entries := protocol.Union(listed, nil), protocol.Union(entries, nil)
	times := map[string]int{}
	for _, name := range listed {
		times[name]++
	}
	for _, name := range names {
		_, expected := slices.BinarySearch(entries, name)
		expected = expected || pseudo(v.sides, path.Of(path.Key(name)))
		if p, err := path.ParsePulumi(name); !expected && err == nil && p.Len() > 1 && !v.top(name) {
			v.find(which+"-path", -1, p)
			continue
		}

		if !expected && len(v.all) > 0 && unread(v.all[len(v.all)-1]) == 0 {
			v.find(which+"-extra", -1, path.Of(path.Key(name)))
		}
		if times[name] > 1 {
			v.find(which+"-twice", -1, path.Of(path.Key(name)))
		}
	}

	for _, name := range entries {
		if _, there := slices.BinarySearch(names, name); !there {
			v.find(which+"-missing", -1, path.Of(path.Key(name)))
		}
	}
}

func (v *validator) top(name string) bool {
	return hasProperty(name, v.sides.OldInputs, v.sides.OldState, v.now(true))
}

func hasProperty(name string, sides ...value.Value) bool {
	for _, side := range sides {
		if _, ok := side.Lookup(name); ok && !side.IsUnknown() {
			return true
		}
	}
	return false
}

func (v *validator) whole() {
	r := v.response
	say := func(code string, untrue bool) {
		if untrue {
			v.found = append(v.found, newFinding(code))
		}
	}
	entries, names := len(r.Detailed) > 0, len(r.Diffs)+len(r.Replaces) > 0
	say("unknown-with-entries", r.Changes == rpc.DiffUnknown && entries)
	say("none-with-changes", r.Changes == rpc.DiffNone && (entries || names))
	say("none-while-differ", r.Changes == rpc.DiffNone && !entries && !names && len(v.changed) > 0)
	if last := len(v.found) - 1; v.equality && last >= 0 && v.found[last].Code == "none-while-differ" {
		v.found[last].Severity = SeverityError // what means the same is known
	}

	say("some-while-equal", r.Changes == rpc.DiffSome && v.onlyOutputs())
	say("some-unnamed", r.Changes == rpc.DiffSome && !entries && !names)
	say("detailed-empty", r.Changes == rpc.DiffSome && !entries && r.HasDetailed)
	say("not-detailed", entries && !r.HasDetailed)
	say("state-unknown", !protocol.IsChanges(r.Changes))
}

// onlyOutputs reports whether old and new inputs are equal, and there are entries, all of which
// are about what only the state has.
func (v *validator) onlyOutputs() bool {
	isOther := func(c claim) bool {
		return c.fate == OmittedUnreadable || c.fate == OmittedRoot || c.fate == OmittedMetaKey || !v.outputOnly(c.path)
	}
	return len(v.all) > 0 && !slices.ContainsFunc(v.all, isOther) &&
		v.compare.Relation.Compatible(v.sides.OldInputs, v.now(true)) == value.Same
}
