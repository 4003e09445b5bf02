package provider

import (
	"slices"

	"github.com/propalg/propalg/internal/arena"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
)

// shape says what is an input at and below a place, and which of it is secret: by the schema, or
// as the old inputs are. All elements of an array have one shape. The shapes below one are made
// when they are first asked for, once each, so all of them cost no more than the models.
type shape struct {
	input  bool
	secret bool
	once   bool    // of a single place, so that what is asked of it need not be kept
	plain  bool    // nothing is secret, and a property is an input only if a model has it
	hides  uint16  // a bit for each kind of models that hold secrets
	typed  *typed  // nil without a schema
	models []model // the containers that old inputs and old state have there; see add
	few    [2]model
	room   *arena.Of[shape] // for the shapes below

	members map[string]*shape // of what the models have, and of properties
	elems   *shape            // of all elements of the models
	entries *shape            // of all members of the models
}

// model is a value that the old inputs or the old state have.
type model struct {
	value.Value
	input bool
}

// typed is what a schema says of a place.
type typed struct {
	types []*schema.Type        // without unions
	known map[*schema.Type]bool // the types, if there are many
	any   bool                  // everything below is an input
}

// A list of fewTypes is searched faster than a map.
const fewTypes = 8

// has reports whether a type was admitted.
func (t *typed) has(of *schema.Type) bool {
	if t.known != nil {
		return t.known[of]
	}
	return slices.Contains(t.types, of)
}

func (t *typed) add(of *schema.Type) {
	t.types = append(t.types, of)
	if len(t.types) == fewTypes {
		t.known = map[*schema.Type]bool{}
		for _, x := range t.types {
			t.known[x] = true
		}
	} else if t.known != nil {
		t.known[of] = true
	}
}

// shape returns the shape of the inputs.
func (r *reader) shape(d *Differ, in, old value.Value) *shape {
	s := r.emptyShape(d)
	s.add(model{in, true})
	s.add(model{old, false})
	return s
}

func (r *reader) emptyShape(d *Differ) *shape {
	s := &r.shapes.Take(1)[0]
	s.input, s.once, s.room = true, true, &r.shapes
	if d.resource != nil {
		s.typed = &typed{}
		s.typed.admit(d.resource.Inputs())
	}
	return s
}

// inputsOf returns what of a state is an input that one of two inputs has, or a new entry of a
// map.
func (d *Differ) inputsOf(state, old, news value.Value) value.Value {
	r := readers.Get().(*reader) //nolint:errcheck,forcetypeassert // the pool holds nothing else
	defer r.giveBack()
	s := r.emptyShape(d)
	s.plain = true
	s.add(model{old, true})
	s.add(model{news, true})
	return r.cut(state, s, d.Maps.Matcher())
}

// admit adds a type, or those that it is a union of.
func (t *typed) admit(of *schema.Type) {
	switch of.Kind() { //nolint:exhaustive // nothing is inside the others
	case schema.KindAny, schema.KindJSON, schema.KindExternal:
		t.any = true
	case schema.KindArray, schema.KindMap, schema.KindObject:
		if !t.has(of) {
			t.add(of)
		}
	case schema.KindUnion:
		for a := range of.Alternatives() {
			t.admit(a)
		}
	}
}

// all adds the types of the elements of the types of a kind.
func (t *typed) all(of *typed, kind schema.Kind) {
	t.any = t.any || of.any
	for _, x := range of.types {
		if x.Kind() == kind {
			t.admit(x.Elem())
		}
	}
}

// part returns the shape of a place below s, of which nothing is known yet.
func (s *shape) part() *shape {
	p := &s.room.Take(1)[0]
	p.plain, p.room = s.plain, s.room
	if s.typed != nil {
		p.typed = &typed{}
	}
	return p
}

// add adds a model if it says anything: which names are inputs, or what is secret.
func (s *shape) add(m model) {
	hides := m.ContainsSecret() && !s.plain
	if !hides && !s.plain && (s.typed != nil || !m.input) {
		return
	}

	if m.Kind().IsContainer() {
		if s.models == nil {
			s.models = s.few[:0]
		}
		s.models = append(s.models, m)
	}
	s.input = s.input || m.input
	s.secret = s.secret || (hides && m.IsSecret())
	if hides {
		s.hides |= 1 << m.Kind()
	}
}

// isSecret reports whether a value that comes to the place is secret: a value that is there is,
// or it has secrets where this one, which is of another kind, has none.
func (s *shape) isSecret(v value.Value) bool {
	return s.secret || s.hides&^(1<<v.Kind()) != 0
}

// holds reports whether a model is of a kind. Without one, a value of the state may be another
// spelling of the input.
func (s *shape) holds(kind value.Kind) bool {
	return slices.ContainsFunc(s.models, func(m model) bool { return m.Kind() == kind })
}

// free reports whether everything below is an input, and nothing of it secret.
func (s *shape) free() bool { return s.typed != nil && s.typed.any && s.hides == 0 }

// isClear reports whether nothing is secret, and no schema says what is an input.
func (s *shape) isClear() bool { return s.typed == nil && s.hides == 0 }

// member returns the shape of a member, or nil if it is no input.
func (s *shape) member(key string, isMap bool) *shape {
	m := s.modelled(key)
	switch {
	case s.typed != nil:
		return s.typedMember(key, m)
	case m != nil && m.input:
		return m
	case isMap:
		return s.entry()
	}
	return nil
}

func (s *shape) typedMember(key string, m *shape) *shape {
	if m != nil && m.input {
		return m
	}

	var of typed
	known, secret := false, false
	for _, t := range s.typed.types {
		if p, ok := t.Property(key); ok {
			of.admit(p.Type())
			known, secret = true, secret || p.Secret()
		}
	}
	isMap := s.typed.any || slices.ContainsFunc(s.typed.types, func(t *schema.Type) bool { return t.Kind() == schema.KindMap })
	switch {
	case m == nil && !known && isMap:
		return s.entry()
	case m == nil && (s.plain || !known), !known && !isMap && !s.plain:
		return nil
	case m == nil:
		m = s.part()
		if !s.once {
			s.members[key] = m
		}
	}

	of.all(s.typed, schema.KindMap)
	m.input, m.secret, m.typed = true, m.secret || (secret && !s.plain), &of
	return m
}

// modelled returns the shape of a member that a model has, or nil.
func (s *shape) modelled(key string) *shape {
	if s.once {
		var m *shape
		for _, of := range s.models {
			if v, ok := of.Lookup(key); ok {
				m = s.with(m, model{v, of.input})
			}
		}
		return m
	}

	if s.members == nil {
		s.members = map[string]*shape{}
		for _, of := range s.models {
			for key, v := range of.Members() {
				s.members[key] = s.with(s.members[key], model{v, of.input})
			}
		}
	}
	return s.members[key]
}

// with returns the shape of a member with one more model; nil is none yet.
func (s *shape) with(m *shape, v model) *shape {
	if m == nil {
		m = s.part()
		m.once = s.once
	}
	m.add(v)
	m.input = m.input && s.typed == nil // until its types are known
	return m
}

// entry returns the shape of a new member of a map.
func (s *shape) entry() *shape {
	if s.entries != nil {
		return s.entries
	}

	s.entries = s.part()
	s.entries.input = true
	if s.typed != nil {
		s.entries.typed.all(s.typed, schema.KindMap)
	}
	for _, of := range s.models {
		for _, v := range of.Members() {
			s.entries.add(model{v, of.input})
		}
	}
	return s.entries
}

// elem returns the shape of all elements.
func (s *shape) elem() *shape {
	if s.elems != nil {
		return s.elems
	}

	s.elems = s.part()
	s.elems.input = true
	if s.typed != nil {
		s.elems.typed.all(s.typed, schema.KindArray)
	}
	for _, of := range s.models {
		for _, v := range of.Elems() {
			s.elems.add(model{v, of.input})
		}
	}
	return s.elems
}

// cut returns a value of the state without what is no input, and with the marks of the shape.
func (r *reader) cut(v value.Value, s *shape, maps path.Matcher) value.Value {
	if s.free() || (s.plain && !s.holds(v.Kind())) {
		return v
	}

	made := v
	switch v.Kind() { //nolint:exhaustive // nothing is inside the others
	case value.KindObject:
		from := len(r.edits)
		for key, x := range v.Members() {
			m := s.member(key, maps.Matches())
			if m == nil || r.rules.Absent(x, v.IsSecret()) {
				r.set(key, there(x), side{})
			} else {
				r.set(key, there(x), there(r.cut(x, m, maps.Next(path.Key(key)))))
			}
		}
		made = r.edited(v, from)
	case value.KindArray:
		made = r.cutElems(v, s.elem(), maps)
	}
	if s.isSecret(v) && !v.IsSecret() {
		return value.Secret(made)
	}
	return made
}

func (r *reader) cutElems(v value.Value, s *shape, maps path.Matcher) value.Value {
	var elems []value.Value // nil while nothing has changed
	for i, x := range v.Elems() {
		y := r.cut(x, s, maps.Next(path.Index(i)))
		if elems == nil && !value.Internal.SharesMemory(x, y) {
			elems = make([]value.Value, 0, v.Len())
			for k := range i {
				elems = append(elems, difftree.NotInherited(v.Elem(k), v.IsSecret()))
			}
		}
		if elems != nil {
			elems = append(elems, difftree.NotInherited(y, v.IsSecret()))
		}
	}
	if elems == nil {
		return v
	}
	return array(elems).WithMarksOf(v)
}
