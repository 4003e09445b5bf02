package fuzz

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
)

// OfType generates values that a type of a schema has, such as the inputs or the state of
// a resource: its Check finds nothing wrong with them. Style applies to texts, numbers
// and names that the schema leaves open. The outermost value has no marks, since bags of
// properties have none. An unknown replaces a value of a recursive type that would not end,
// or one that would have far more nodes than the options allow, even if the options do not
// allow unknowns.
func OfType(t *schema.Type, o Options) *rapid.Generator[value.Value] {
	return rapid.Custom(func(r *rapid.T) value.Value {
		m := newTyped(r, o)
		return m.known(t, m.o.depth())
	})
}

// StateOf generates states that a resource with the given inputs may have: values of its
// state type, in which the inputs that the type has are as given. It panics if r is nil.
func StateOf(r *schema.Resource, inputs value.Value, o Options) *rapid.Generator[value.Value] {
	if r == nil {
		panic("fuzz: nil resource")
	}

	return rapid.Custom(func(t *rapid.T) value.Value {
		m := newTyped(t, o)
		state := m.known(r.State(), m.o.depth())
		for name, v := range inputs.Members() {
			if _, ok := r.State().Property(name); ok {
				state, _ = state.WithField(name, v)
			}
		}
		return state
	})
}

// Mistake is a generated value that is wrong in one place, by the type that it was
// generated for.
type Mistake struct {
	Value value.Value
	At    path.Path // where the mistake is; for a missing property, its path
	What  string    // what it is, such as "missing property"
}

// Mistakes generates values of a type, as [OfType] does, with one mistake in each. A value
// that may belong to several alternatives of a union has no mistake inside, since another
// alternative may allow it. For a type that every value has, Mistakes generates only
// the value true, which is not a mistake.
func Mistakes(t *schema.Type, o Options) *rapid.Generator[Mistake] {
	return rapid.Custom(func(r *rapid.T) Mistake {
		v := OfType(t, o).Draw(r, "value")
		var all []site
		sites(t, v, path.Path{}, &all)
		if len(all) == 0 {
			return Mistake{Value: value.Bool(true), What: "wrong kind"}
		}

		s := rapid.SampledFrom(all).Draw(r, "site")
		x := s.replacement
		if x.IsNull() && !s.present {
			made, err := v.Without(s.at)
			if err != nil {
				r.Fatalf("%v", err)
			}
			return Mistake{made, s.at, s.what}
		}
		made, err := v.Put(s.at, x)
		if err != nil {
			r.Fatalf("%v", err)
		}

		return Mistake{made, s.at, s.what}
	})
}

type typed struct {
	*maker

	left int // nodes
}

// mostTyped is how many nodes required properties can make of a value, whatever the
// options say.
const mostTyped = 10_000

func newTyped(t *rapid.T, o Options) *typed {
	m := newMaker(t, o)
	return &typed{m, m.size()}
}

func (m *typed) value(t *schema.Type, depth int) value.Value {
	m.left--
	if (!m.o.NoUnknowns && m.chance(12, "unknown")) || m.left < -mostTyped {
		return m.marked(value.UnknownOf(rapid.SampledFrom(hints()).Draw(m.t, "hint")))
	}
	return m.marked(m.known(t, depth))
}

func (m *typed) known(t *schema.Type, depth int) value.Value {
	switch t.Kind() { //nolint:exhaustive // the others are leaves
	case schema.KindAny:
		return m.free(m.o, depth)
	case schema.KindJSON:
		o := m.o
		o.NoAssets, o.NoReferences = true, true
		return m.free(o, depth)
	case schema.KindArray:
		return value.Array(m.some(depth, func() value.Value { return m.value(t.Elem(), depth-1) })...)
	case schema.KindMap:
		var members []value.Member
		for _, v := range m.some(depth, func() value.Value { return m.value(t.Elem(), depth-1) }) {
			members = append(members, value.Field(m.key(), v))
		}
		return value.Object(members...)
	case schema.KindObject:
		return m.properties(t, depth)
	case schema.KindUnion:
		return m.alternative(t, depth)

	case schema.KindEnum:
		return rapid.SampledFrom(slices.Collect(t.Values())).Draw(m.t, "enum")
	case schema.KindExternal:
		if t.Elem() != nil {
			return m.known(t.Elem(), depth)
		}
		return m.free(m.o, depth)

	default:
		return m.leaf(t)
	}
}

func (m *typed) free(o Options, depth int) value.Value {
	return newMaker(m.t, o).value(max(0, min(depth, 2)), max(1, min(m.left, 6)))
}

// some returns up to four values, or none if the value is as deep or as large as it may be.
func (m *typed) some(depth int, one func() value.Value) []value.Value {
	if depth <= 0 || m.left <= 0 {
		return nil
	}

	all := make([]value.Value, rapid.IntRange(0, 4).Draw(m.t, "length"))
	for i := range all {
		all[i] = one()
	}
	return all
}

func (m *typed) leaf(t *schema.Type) value.Value {
	switch t.Kind() { //nolint:exhaustive // the others are strings, or no leaves
	case schema.KindBool:
		return value.Bool(rapid.Bool().Draw(m.t, "bool"))
	case schema.KindInteger:
		return value.Number(float64(rapid.IntRange(-1000, 1000).Draw(m.t, "integer")))
	case schema.KindNumber:
		n := m.number()
		if m.o.Style == Plain && m.chance(3, "fraction") {
			n += 0.5
		}
		return value.Number(n)
	case schema.KindAsset:
		if m.chance(2, "archive") {
			return m.archive(2)
		}
		return m.asset()
	case schema.KindArchive:
		return m.archive(2)
	case schema.KindResource:
		return resourceOf(t.Token())

	default:
		return value.String(m.text())
	}
}

func resourceOf(token string) value.Value {
	urn := "urn:pulumi:stack::project::" + token + "::name"
	return value.ResourceReference{URN: urn, ID: value.KnownID("id")}.Value()
}

// properties makes an object with all required properties, and others while there is room.
func (m *typed) properties(t *schema.Type, depth int) value.Value {
	var members []value.Member
	for p := range t.Properties() {
		if !p.Required() && (depth <= 0 || m.left <= 0 || !m.chance(3, "optional")) {
			continue
		}
		if c := p.Const(); !c.IsNull() {
			members = append(members, value.Field(p.Name(), m.marked(c)))
			continue
		}
		members = append(members, value.Field(p.Name(), m.value(p.Type(), depth-1)))
	}

	return value.Object(members...)
}

// alternative makes a value of one alternative of a union.
func (m *typed) alternative(t *schema.Type, depth int) value.Value {
	all := slices.Collect(t.Alternatives())
	if depth <= 0 { // one that ends, if there is one
		if ends := slices.DeleteFunc(slices.Clone(all), func(a *schema.Type) bool { return a.Kind() == schema.KindObject || a.Kind() == schema.KindUnion }); len(ends) > 0 {
			all = ends
		}
	}
	a := rapid.SampledFrom(all).Draw(m.t, "alternative")
	v := m.known(a, depth-1)
	if t.Discriminator() == "" || v.Kind() != value.KindObject {
		return v
	}

	own, _ := a.Property(t.Discriminator())
	for tag, selected := range t.Mapping() {
		if kind := own.Const().Kind(); selected == a && kind != value.KindNumber && kind != value.KindBool { // which are tags already
			v, _ = v.WithField(t.Discriminator(), value.String(tag))
		}
	}
	if t.Check(v) != nil { // the alternative cannot be selected
		return value.Unknown()
	}

	return v
}

type site struct {
	at          path.Path
	what        string
	replacement value.Value
	present     bool // null is a replacement
}

// sites lists mistakes that can be made in a value of a type.
func sites(t *schema.Type, v value.Value, at path.Path, all *[]site) {
	add := func(at path.Path, what string, x value.Value) { *all = append(*all, site{at, what, x, true}) }

	if v.IsUnknown() {
		return
	}

	if x, ok := outside(t); ok && (at.Len() > 0 || t.Kind() != schema.KindObject) {
		add(at, "wrong kind", x)
	}
	switch t.Kind() { //nolint:exhaustive // in the others only the kind can be wrong
	case schema.KindArray:
		if x := value.Null(); kinds(t.Elem())&1 == 0 && v.Len() > 0 {
			add(at.Elem(0), "null element", x)
		}
		for i, e := range v.Elems() {
			sites(t.Elem(), e, at.Elem(i), all)
		}
	case schema.KindMap:
		for key, e := range v.Members() {
			if !e.IsNull() && !isNote(key) {
				sites(t.Elem(), e, at.Member(key), all)
			}
		}
	case schema.KindObject:
		objectSites(t, v, at, all)
	case schema.KindUnion:
		unionSites(t, v, at, all)

	case schema.KindEnum:
		if x := beside(v); !slices.ContainsFunc(slices.Collect(t.Values()), x.Equal) {
			add(at, "value outside of the enum", x)
		}
	case schema.KindInteger:
		add(at, "fraction", value.Number(0.5))
	case schema.KindArchive:
		add(at, "asset for an archive", value.TextAsset("x"))
	case schema.KindResource:
		add(at, "resource of another type", resourceOf("other:index:Other"))
	}
}

func isNote(key string) bool { return len(key) > 1 && key[:2] == "__" }

func objectSites(t *schema.Type, v value.Value, at path.Path, all *[]site) {
	*all = append(*all, site{at.Member("notAProperty"), "unknown property", value.Bool(true), true})

	for p := range t.Properties() {
		member := v.Field(p.Name())
		if p.Required() && kinds(p.Type())&1 == 0 {
			*all = append(*all, site{at: at.Member(p.Name()), what: "missing property"})
		}
		c := p.Const()
		switch {
		case member.IsNull():
		case !c.IsNull():
			*all = append(*all, site{at.Member(p.Name()), "another constant", beside(c), true})
		default:
			sites(p.Type(), member, at.Member(p.Name()), all)
		}
	}
}

// unionSites lists mistakes in a value of a union, if it is clear of which alternative it
// is. The discriminator is left as it is.
func unionSites(t *schema.Type, v value.Value, at path.Path, all *[]site) {
	a := only(t, v.Kind())
	tag, tagged := v.Field(t.Discriminator()).AsString()
	for text, selected := range t.Mapping() {
		if tagged && text == tag {
			a = selected
		}
	}
	if a == nil {
		return
	}

	var inside []site
	sites(a, v, at, &inside)
	for _, s := range inside {
		if s.at.Len() > at.Len() && (t.Discriminator() == "" || s.at != at.Member(t.Discriminator())) {
			*all = append(*all, s) // one at the value itself may be right for another alternative
		}
	}
}

// beside returns another value of the same kind.
func beside(v value.Value) value.Value {
	if n, ok := v.AsNumber(); ok {
		return value.Number(n + 1e6)
	}
	if b, ok := v.AsBool(); ok {
		return value.Bool(!b)
	}

	text, _ := v.AsString()
	return value.String(text + "?")
}

// kinds returns the set of kinds of values that a type has, as bits: of null the first.
func kinds(t *schema.Type) uint32 {
	const all = 1<<(value.KindSealed+1) - 1
	switch t.Kind() { //nolint:exhaustive // the others have all kinds
	case schema.KindBool:
		return 1 << value.KindBool
	case schema.KindInteger, schema.KindNumber:
		return 1 << value.KindNumber
	case schema.KindString:
		return 1 << value.KindString
	case schema.KindAsset:
		return 1<<value.KindAsset | 1<<value.KindArchive
	case schema.KindArchive:
		return 1 << value.KindArchive
	case schema.KindArray:
		return 1 << value.KindArray
	case schema.KindMap, schema.KindObject:
		return 1 << value.KindObject
	case schema.KindResource:
		return 1<<value.KindResourceReference | 1<<value.KindString

	case schema.KindEnum:
		return kinds(t.Elem())
	case schema.KindUnion:
		var set uint32
		for a := range t.Alternatives() {
			set |= kinds(a)
		}
		if t.Elem() != nil { // for SDKs without unions
			set |= kinds(t.Elem())
		}
		return set
	case schema.KindJSON:
		return all &^ (1<<value.KindAsset | 1<<value.KindArchive | 1<<value.KindResourceReference)
	}

	if t.Elem() != nil {
		return kinds(t.Elem())
	}

	return all
}

// only returns the only alternative of a union that has values of a container's kind.
func only(t *schema.Type, kind value.Kind) (one *schema.Type) {
	if !kind.IsContainer() {
		return nil
	}

	for a := range t.Alternatives() {
		switch {
		case kinds(a)&(1<<kind) == 0:
		case one != nil:
			return nil
		default:
			one = a
		}
	}
	return one
}

// outside returns a value of a kind that a type does not have.
func outside(t *schema.Type) (value.Value, bool) {
	has := kinds(t)
	for _, v := range []value.Value{value.Bool(true), value.Number(7), value.String("text"), value.Array(), value.Object(), value.TextAsset("x")} {
		if has&(1<<v.Kind()) == 0 {
			return v, true
		}
	}

	return value.Value{}, false
}
