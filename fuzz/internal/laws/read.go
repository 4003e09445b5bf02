package laws

import (
	"maps"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/equality"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/trees"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
)

// drifted is a resource whose state changed, and its inputs.
type drifted struct {
	in, old, now value.Value
	typed        bool // the Differ has a schema
	shuffled     bool // the elements of the inputs are in another order
	d            provider.Differ
}

// A resource of this package has properties by their names, on every level: out and uid are
// outputs, tags is a map, and all others are texts, such objects, or lists of both.
const (
	driftSchema = `{"name":"p","resources":{"p::R":{"inputProperties":` + driftProperties + `}},
		"types":{"p::T":{"type":"object","properties":` + driftProperties + `}}}`
	driftProperties = `{"a":` + driftPart + `,"b":` + driftPart + `,"name":` + driftPart + `,"o":` + driftPart + `,"list":` + driftPart + `,
		"tags":{"oneOf":[{"type":"string"},{"type":"object","additionalProperties":` + driftPart + `}]}}`
	driftPart = `{"oneOf":[{"type":"string"},{"$ref":"#/types/p::T"},{"type":"array","items":{"oneOf":[{"type":"string"},{"$ref":"#/types/p::T"}]}}]}`
)

// drawDrifted draws a Differ, and two states.
func drawDrifted(t *rapid.T) drifted {
	s := drifted{typed: rapid.Bool().Draw(t, "schema")}
	if s.typed {
		p, err := schema.Read([]byte(driftSchema), schema.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r, _ := p.Resource("p::R")
		if s.d, err = provider.FromSchema(r); err != nil {
			t.Fatal(err)
		}
	}
	s.d.Arrays = Matches().Draw(t, "match")
	if rapid.IntRange(0, 3).Draw(t, "array rule") == 0 {
		s.d.ArrayRules = []diff.ArrayRule{{Pattern: path.MustParsePattern("list"), Match: Matches().Draw(t, "match of list")}}
	}
	if rapid.Bool().Draw(t, "equality") {
		s.d.Equality = equality.MustRules(
			equality.Rule{Pattern: path.MustParsePattern("[**]"), Form: equality.FoldCase},
			equality.Rule{Pattern: path.MustParsePattern("b"), Form: equality.JSONText})
	}
	s.old = drawDriftObject(t, 3)
	s.now = driftObject(t, s.old)
	return s
}

func (s *drifted) positional() bool {
	return s.d.Arrays == diff.Positional() && len(s.d.ArrayRules) == 0
}

func (s *drifted) log(t *rapid.T) {
	t.Logf("schema %v, arrays %v, rules %v, equality %v", s.typed, s.d.Arrays, s.d.ArrayRules, s.d.Equality != nil)
	log(t, "inputs", s.in)
	log(t, "old", s.old)
	log(t, "now", s.now)
}

func (s *drifted) read(t rapid.TB, in, old, now value.Value) value.Value {
	t.Helper()
	got, err := s.d.ReadInputs(in, old, now)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func drawDriftText(t *rapid.T) value.Value {
	v := value.String(rapid.SampledFrom([]string{"x", "X", "y", "z", "w", "[1]", " [1.0]", ""}).Draw(t, "text"))
	switch rapid.IntRange(0, 14).Draw(t, "marks") {
	case 0:
		return value.Secret(v)
	case 1:
		return v.WithDependencies("urn:pulumi:s::p::t::a")
	}
	return v
}

func drawDriftPart(t *rapid.T, depth int) value.Value {
	if depth == 0 || rapid.Bool().Draw(t, "text") {
		return drawDriftText(t)
	}
	return drawDriftObject(t, depth-1)
}

func drawDriftMember(t *rapid.T, name string, depth int) value.Value {
	switch {
	case name == "list" && depth > 0:
		elems := make([]value.Value, rapid.IntRange(0, 4).Draw(t, "length"))
		for i := range elems {
			elems[i] = drawDriftPart(t, depth-1)
		}
		return value.Array(elems...)
	case name == "tags" && depth > 0:
		var entries []value.Member
		for _, key := range []string{"k", "l", "a"} {
			if rapid.Bool().Draw(t, key) {
				entries = append(entries, value.Field(key, drawDriftPart(t, depth-1)))
			}
		}
		return value.Object(entries...)
	case name == "o" && depth > 0:
		return drawDriftObject(t, depth-1)
	}
	return drawDriftText(t)
}

func driftNames() []string { return []string{"a", "b", "list", "name", "o", "out", "tags", "uid"} }

func drawDriftObject(t *rapid.T, depth int) value.Value {
	var members []value.Member
	for _, name := range driftNames() {
		if rapid.IntRange(0, 2).Draw(t, name) > 0 {
			members = append(members, value.Field(name, drawDriftMember(t, name, depth)))
		}
	}
	v := value.Object(members...)
	if depth < 3 && rapid.IntRange(0, 14).Draw(t, "secret") == 0 {
		return value.Secret(v)
	}
	return v
}

func driftObject(t *rapid.T, v value.Value) value.Value {
	return drift(t, v, 3, false, func(depth int) value.Value { return drawDriftObject(t, depth) })
}

// drift changes a part of a state here and there. Fresh draws another value for it.
func drift(t *rapid.T, v value.Value, depth int, isMap bool, fresh func(depth int) value.Value) value.Value {
	v = trees.Own(v)
	children := trees.Children(v)
	if children == nil || depth <= 0 {
		if rapid.IntRange(0, 2).Draw(t, "drifts") > 0 {
			return v
		}
		return fresh(max(depth-1, 0))
	}

	part := func(depth int) value.Value { return drawDriftPart(t, depth) }
	kept := children[:0]
	for _, c := range children {
		name, isKey := c.Step.AsKey()
		fresh, isMember := part, isKey && !isMap
		if isMember {
			fresh = func(depth int) value.Value { return drawDriftMember(t, name, depth) }
		}
		switch rapid.IntRange(0, 9).Draw(t, "what") {
		case 0:
			continue
		case 1, 2, 3:
			c.Value = drift(t, c.Value, depth-1, isMember && name == "tags", fresh)
		case 4:
			c.Value = fresh(depth - 1)
		}
		kept = append(kept, c)
	}
	if v.Kind() == value.KindArray {
		return trees.Rebuild(v, rearranged(t, kept, func() value.Value { return part(depth - 1) }))
	}

	names := driftNames()
	if isMap {
		names = []string{"k", "l", "m", "out"}
	}
	name := rapid.SampledFrom(names).Draw(t, "added")
	if _, has := v.Lookup(name); !has && rapid.Bool().Draw(t, "adds") {
		added := trees.Child{Step: path.Key(name), Value: part(depth - 1)}
		if !isMap {
			added.Value = drawDriftMember(t, name, depth-1)
		}
		kept = append(kept, added)
	}
	return trees.Rebuild(v, kept)
}

// rearranged inserts an element, and moves one.
func rearranged(t *rapid.T, elems []trees.Child, fresh func() value.Value) []trees.Child {
	at := func(name string) int { return rapid.IntRange(0, len(elems)).Draw(t, name) }
	if rapid.IntRange(0, 2).Draw(t, "insert") == 0 {
		elems = slices.Insert(elems, at("where"), trees.Child{Value: fresh()})
	}
	if len(elems) > 1 && rapid.IntRange(0, 2).Draw(t, "move") == 0 {
		from := rapid.IntRange(0, len(elems)-1).Draw(t, "from")
		e := elems[from]
		elems = slices.Delete(elems, from, from+1)
		elems = slices.Insert(elems, at("to"), e)
	}
	for i := range elems {
		elems[i].Step = path.Index(i)
	}
	return elems
}

// trimmed returns a state without what is no input: of a text of steps, in which [] is any
// element, or with maps any entry of tags, isInput says so for members.
func trimmed(v value.Value, at string, maps bool, isInput func(at, name string) bool) value.Value {
	v = trees.Own(v)
	children := trees.Children(v)
	if children == nil {
		return v
	}

	kept := children[:0]
	for _, c := range children {
		name, isKey := c.Step.AsKey()
		if isKey && !isInput(at, name) {
			continue
		}
		step := "[]"
		if isKey && (!maps || !strings.HasSuffix(at, ".tags")) {
			step = "." + name
		}
		c.Value = trimmed(c.Value, at+step, maps, isInput)
		kept = append(kept, c)
	}
	for i := range kept {
		if v.Kind() == value.KindArray {
			kept[i].Step = path.Index(i)
		}
	}
	return trees.Rebuild(v, kept)
}

// byNames is what the schema says: outputs are called so, but for entries of tags.
func byNames(at, name string) bool {
	if strings.HasSuffix(at, ".tags") {
		return true
	}
	return slices.Contains(driftNames(), name) && name != "out" && name != "uid"
}

// asOf is what old inputs say; maps is as of trimmed.
func asOf(in value.Value, maps bool) func(at, name string) bool {
	names := map[string]bool{}
	_ = trimmed(in, "", maps, func(at, name string) bool {
		names[at+"."+name] = true
		return true
	})
	return func(at, name string) bool { return names[at+"."+name] }
}

// form is the same for two values that are equal as the Differ has it, in whichever order the
// elements of arrays are if the order of some does not matter.
func (s *drifted) form(v value.Value, r value.Relation) string {
	v = s.d.Equality.Normalize(v, r)
	if s.shuffled || s.d.Arrays != diff.Positional() && s.d.Arrays != diff.Aligned() || len(s.d.ArrayRules) > 0 {
		v = sorted(v, r)
	}
	return formOf(r, v)
}

func sorted(v value.Value, r value.Relation) value.Value {
	v = trees.Own(v)
	children := trees.Children(v)
	if children == nil {
		return v
	}
	for i := range children {
		children[i].Value = sorted(children[i].Value, r)
	}
	if v.Kind() == value.KindArray {
		slices.SortFunc(children, func(a, b trees.Child) int { return strings.Compare(formOf(r, a.Value), formOf(r, b.Value)) })
		for i := range children {
			children[i].Step = path.Index(i)
		}
	}
	return trees.Rebuild(v, children)
}

const withoutMarks = value.Engine | value.IgnoreSecrets | value.IgnoreDependencies

// Law22Transport is the law that old inputs that are what the old state has of them become what
// the new state has of them, however elements are matched.
func Law22Transport(t *rapid.T) {
	s := drawDrifted(t)
	isInput := byNames
	s.in = trimmed(s.old, "", true, byNames)
	if s.shuffled = !s.positional() && len(s.d.ArrayRules) == 0; s.shuffled {
		s.in = shuffle(t, s.in)
	}
	if !s.typed {
		isInput = asOf(s.in, false)
	}
	s.log(t)

	got, want := s.read(t, s.in, s.old, s.now), trimmed(s.now, "", s.typed, isInput)
	if s.form(got, withoutMarks) != s.form(want, withoutMarks) {
		t.Fatalf("got %s, not %s", fuzz.GoSource(got), fuzz.GoSource(want))
	}
}

// shuffle changes the order of elements, but not of those in elements: these must still be what
// they were, or others may be more like them.
func shuffle(t *rapid.T, v value.Value) value.Value {
	v = trees.Own(v)
	children := trees.Children(v)
	switch v.Kind() { //nolint:exhaustive // nothing is inside the others
	case value.KindObject:
		for i := range children {
			children[i].Value = shuffle(t, children[i].Value)
		}
	case value.KindArray:
		children = rapid.Permutation(children).Draw(t, "order")
		for i := range children {
			children[i].Step = path.Index(i)
		}
	default:
		return v
	}
	return trees.Rebuild(v, children)
}

// Law22Drift is the law that inputs of any kind stay where the states are equal, that nothing
// comes into them that is no input, that no mark is lost, and that what is read twice is the
// same.
func Law22Drift(t *rapid.T) {
	s := drawDrifted(t)
	s.in = driftObject(t, driftObject(t, trimmed(s.old, "", true, byNames)))
	if !s.typed && rapid.Bool().Draw(t, "maps") {
		s.d.Maps = path.MustSet("[**].tags")
	}
	s.log(t)
	s.check(t)
}

// Law22Compare is the law that the drift of a comparison is what a diff says, from the state
// without what neither the old inputs nor the new ones have, to the new inputs.
func Law22Compare(t *rapid.T) {
	s := drawDrifted(t)
	s.in = driftObject(t, driftObject(t, trimmed(s.old, "", true, byNames)))
	news := driftObject(t, s.in)
	hasMaps := s.typed
	if !s.typed && rapid.Bool().Draw(t, "maps") {
		s.d.Maps, hasMaps = path.MustSet("[**].tags"), true
	}
	s.log(t)
	log(t, "news", news)

	both := func(at, name string) bool {
		_, wasInput := s.in.Lookup(name)
		_, isThere := s.old.Lookup(name)
		return at != "" || (wasInput && isThere)
	}
	state := namedBy(trimmed(s.old, "", true, both), "", func(at string) bool { return hasMaps && strings.HasSuffix(at, ".tags") }, s.in, news)
	by := diff.Options{Relation: value.Engine, Arrays: s.d.Arrays, ArrayRules: s.d.ArrayRules}
	want := changesOf(s.d.Equality.Between(state, trimmed(news, "", hasMaps, both), by))

	s.d.Drift = true
	if got := changesOf(s.d.Compare(provider.Sides{OldInputs: s.in, OldState: s.old, News: news}).Drift()); got != want {
		t.Fatalf("got\n%s\nwant\n%s", got, want)
	}
}

// namedBy returns a state without the members that no model has: an element has all elements of
// the models, and an entry of a map that is new all entries.
func namedBy(v value.Value, at string, isMap func(at string) bool, models ...value.Value) value.Value {
	v = trees.Own(v)
	children := trees.Children(v)
	models = slices.DeleteFunc(models, func(m value.Value) bool { return m.Kind() != v.Kind() })
	if children == nil || len(models) == 0 {
		return v // another kind, which is replaced as a whole
	}

	kept := children[:0]
	for i, c := range children {
		var all, own []value.Value
		for _, m := range models {
			for _, x := range trees.Children(m) {
				if all = append(all, x.Value); x.Step == c.Step {
					own = append(own, x.Value)
				}
			}
		}
		name, isKey := c.Step.AsKey()
		switch {
		case !isKey || (len(own) == 0 && isMap(at)):
			own = all
		case len(own) == 0:
			continue
		}
		step := "." + name
		if !isKey {
			step, c.Step = "[]", path.Index(i)
		}
		c.Value = namedBy(c.Value, at+step, isMap, own...)
		kept = append(kept, c)
	}
	return trees.Rebuild(v, kept)
}

// changesOf lists what changes where, without the values: what is replaced by a value of another
// kind is not cut.
func changesOf(d diff.Diff) string {
	var lines []string
	for c := range d.Changes() {
		lines = append(lines, c.Op().String()+" "+c.Path().String())
	}
	return strings.Join(lines, "\n")
}

// CheckRead holds what a Differ without a schema reads to law 22, and reports whether the inputs
// changed.
func CheckRead(t rapid.TB, d provider.Differ, in, old, now value.Value) bool {
	t.Helper()
	s := drifted{d: d, in: in, old: old, now: now}
	return !s.check(t).Identical(in)
}

// check checks what is read for values of any kind, and returns it.
func (s *drifted) check(t rapid.TB) value.Value {
	t.Helper()
	got := s.read(t, s.in, s.old, s.now)
	t.Logf("got %s", fuzz.GoSource(got))
	if same := s.read(t, s.in, s.old, trees.Copy(s.old)); !same.Identical(s.in) {
		t.Fatalf("without drift: %s", fuzz.GoSource(same))
	}
	if again := s.read(t, got, s.now, s.now); !again.Identical(got) {
		t.Fatalf("read again: %s", fuzz.GoSource(again))
	}
	if s.form(s.old, value.Engine) == s.form(s.now, value.Engine) && s.d.Arrays == diff.Unordered() && len(s.d.ArrayRules) == 0 && !got.Identical(s.in) {
		t.Fatal("changed by an order that does not matter")
	}

	hasMaps := s.typed || s.d.Maps != nil
	had := asOf(s.in, hasMaps)
	isInput := byNames
	if !s.typed {
		isInput = func(at, name string) bool { return had(at, name) || (hasMaps && strings.HasSuffix(at, ".tags")) }
	}
	stays := func(at, name string) bool { return had(at, name) || isInput(at, name) }
	if only := trimmed(got, "", hasMaps, stays); !only.Identical(trees.Own(got)) {
		t.Fatalf("no inputs, but in %s", fuzz.GoSource(only))
	}
	c := comparedInputs{drifted: *s, got: got, wasInputs: trimmed(s.old, "", hasMaps, isInput), isInputs: trimmed(s.now, "", hasMaps, isInput)}
	c.compare(t, path.Path{})
	return got
}

// comparedInputs is a result, and what are inputs of the states.
type comparedInputs struct {
	drifted
	got, wasInputs, isInputs value.Value
}

// compare compares the result with the old inputs, down to texts and arrays.
func (s *comparedInputs) compare(t rapid.TB, at path.Path) {
	was, had := s.in.At(at)
	is, has := s.got.At(at)
	old, inOld := s.old.At(at)
	now, inNow := s.now.At(at)
	input := !s.typed || isInputPath(at)
	becameSecret := input && inOld && inNow && !old.IsSecret() && now.IsSecret()
	if had && has {
		checkMarksKept(t, at, was, is, becameSecret)
	}
	objects := was.Kind() == value.KindObject && is.Kind() == value.KindObject
	if objects && (!inOld || !inNow || old.Kind() == now.Kind()) {
		names := map[string]bool{}
		for _, v := range []value.Value{was, is, old, now} {
			for name := range v.Keys() {
				names[name] = true
			}
		}
		for _, name := range slices.Sorted(maps.Keys(names)) {
			s.compare(t, at.Append(path.Key(name)))
		}
		return
	}

	switch same := had == has && (!had || trees.Own(was).Identical(trees.Own(is))); {
	case !same:
		s.changed(t, at)
	case input && had && inOld:
		s.unchanged(t, at)
	}
}

func checkMarksKept(t rapid.TB, at path.Path, was, is value.Value, becameSecret bool) {
	if (was.IsSecret() || becameSecret) && !is.IsSecret() {
		t.Fatalf("%v lost its mark", at)
	}
	if was.HasDependencies() && !is.HasDependencies() {
		t.Fatalf("%v lost its dependencies", at)
	}
}

// unchanged checks an input that stays.
func (s *comparedInputs) unchanged(t rapid.TB, at path.Path) {
	old, _ := s.old.At(at)
	now, inNow := s.now.At(at)
	if !inNow {
		t.Fatalf("%v is still there", at)
	}
	if isText(old) && isText(now) && !s.equal(s.old, s.now, at) && !s.equal(s.got, s.now, at) {
		t.Fatalf("%v has not changed", at)
	}
}

// changed checks an input that does not.
func (s *comparedInputs) changed(t rapid.TB, at path.Path) {
	was, _ := s.in.At(at)
	is, has := s.got.At(at)
	old, _ := s.old.At(at)
	now, _ := s.now.At(at)
	before, after := s.old, s.now
	if s.positional() || old.Kind() != value.KindArray { // in others an element may be another one by its outputs
		before, after = s.wasInputs, s.isInputs
	}
	if s.normalAt(before, at, value.Engine).Identical(s.normalAt(after, at, value.Engine)) {
		t.Fatalf("%v differs, and the states do not", at)
	}
	switch {
	case !has:
	case was.Kind() == value.KindArray && is.Kind() == value.KindArray:
		s.elements(t, at)
	case !is.IsSecret() && !withoutMarks.Equal(was, is) && (old.IsSecret() || now.IsSecret() || (was.ContainsSecret() && was.Kind() != is.Kind())):
		t.Fatalf("%v was secret", at)
	case isText(now) && !s.equal(s.got, s.now, at) && !s.equal(s.old, s.now, at):
		t.Fatalf("%v is another", at)
	}
}

// elements compares an array that changed.
func (s *comparedInputs) elements(t rapid.TB, at path.Path) {
	was, _ := s.in.At(at)
	is, _ := s.got.At(at)
	old, _ := s.old.At(at)
	now, _ := s.now.At(at)
	secret := now.IsSecret() || slices.ContainsFunc(slices.Concat(trees.Children(was), trees.Children(old)),
		func(c trees.Child) bool { return c.Value.IsSecret() })
	for i, e := range is.Elems() {
		stays := slices.ContainsFunc(trees.Children(was), func(c trees.Child) bool { return withoutMarks.Equal(c.Value, e) && !c.Value.IsSecret() })
		if secret && !stays && !e.IsSecret() && !e.Kind().IsContainer() {
			t.Fatalf("%v[%d] is not secret", at, i)
		}
	}
	if s.positional() && was.Len() > old.Len() && !s.equal(s.got, s.isInputs, at) {
		t.Fatalf("%v has not the new state, though elements were not in the old one", at)
	}
}

func isText(v value.Value) bool { return v.Kind() == value.KindString }

func (s *drifted) equal(v, w value.Value, at path.Path) bool {
	return withoutMarks.Equal(s.normalAt(v, at, withoutMarks), s.normalAt(w, at, withoutMarks))
}

// normalAt returns what the rules of equality make of a value, at a place.
func (s *drifted) normalAt(v value.Value, at path.Path, r value.Relation) value.Value {
	part, _ := s.d.Equality.Normalize(v, r).At(at)
	return part
}

// isInputPath reports whether all steps of a path are inputs by the schema.
func isInputPath(p path.Path) bool {
	at := ""
	for step := range p.Steps() {
		name, _ := step.AsKey()
		if !byNames(at, name) {
			return false
		}
		at += "." + name
	}
	return true
}
