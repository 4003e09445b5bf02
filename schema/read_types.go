package schema

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// definition reads an object type or an enum.
func (r *reader) definition(t *Type, doc value.Value) {
	made := r.shape(doc)
	if t.kind == KindObject {
		t.members = made.members
		r.eachElem(doc, "enum", func(_ int, doc value.Value) { r.alternative(doc) })
		return
	}

	wrong := t.elem.kind == kindWrong
	switch {
	case wrong && !doc.Field("oneOf").IsNull():
		r.wrong("types are objects and enums: a property has its union itself", path.Key("oneOf"))
		return
	case wrong:
		r.wrong("expected object, boolean, integer, number or string", path.Key("type"))
	}

	r.eachElem(doc, "enum", func(_ int, doc value.Value) {
		r.alternative(doc)
		t.values = append(t.values, doc.Field("value"))
		r.constant(t.elem, doc.Field("value"), "value")
	})
	if len(t.values) == 0 && t.elem.kind != kindWrong {
		r.wrong("an enum has values", path.Key("enum"))
	}
	if len(t.values) > fewValues {
		t.sorted = slices.SortedFunc(slices.Values(t.values), value.Strict.Compare)
	}
}

// alternative checks what a value of an enum has beside the value.
func (r *reader) alternative(doc value.Value) {
	r.ignored(doc, value.KindString, "name", "description", "deprecationMessage")
}

// primitive returns the type with a name such as "integer".
func (r *reader) primitive(name value.Value) (*Type, bool) {
	text, _ := name.AsString()
	for kind := KindBool; kind <= KindString; kind++ {
		if text == kind.String() {
			return r.simple(kind), true
		}
	}

	return nil, false
}

// simple returns the type of a kind that has nothing else to it.
func (r *reader) simple(kind Kind) *Type {
	if r.kinds[kind] == nil {
		r.kinds[kind] = &Type{kind: kind}
	}
	return r.kinds[kind]
}

// properties reads the properties of an object, and which of them are required.
func (r *reader) properties(doc value.Value, name, required string) (of members) {
	of.properties = make([]Property, 0, doc.Field(name).Len())
	r.each(doc, name, func(name string, doc value.Value) {
		switch {
		case !isVisible(name):
			r.wrong("the name has white space in it, or what cannot be printed")
		case name == "pulumi":
			r.wrong("the name is reserved")
		}
		of.properties = append(of.properties, r.property(name, doc))
	})
	for i, name := range r.texts(doc, required) {
		if p := of.property(name); p != nil {
			p.is |= isRequired
			continue
		}

		r.wrong("there is no property "+scan.Line(name), path.Key(required), path.Index(i))
	}
	for i, p := range of.properties {
		if p.Required() {
			of.required = append(of.required, int32(i)) //nolint:gosec // a document has fewer
		}
		if !p.Const().IsNull() || !p.Default().IsNull() || !p.doc.Field("defaultInfo").IsNull() {
			of.filled = append(of.filled, int32(i)) //nolint:gosec // as above
		}
	}

	return of
}

func (r *reader) property(name string, doc value.Value) Property {
	p := Property{name: name, doc: doc, typ: r.typ(doc)}
	p.set(isSecret, r.flag(doc, "secret"))
	p.set(replaceOnChanges, r.flag(doc, "replaceOnChanges"))
	p.set(willReplaceOnChanges, r.flag(doc, "willReplaceOnChanges"))
	plain, _ := doc.Field("plain").AsBool()
	p.set(isPlain, plain)
	r.ignored(doc, value.KindString, "description", "deprecationMessage")
	r.ignored(doc, value.KindObject, "language")
	if c := p.Const(); !c.IsNull() {
		r.constant(p.typ, c, "const")
	}
	if d := p.Default(); !d.IsNull() {
		r.constant(defaulted(p.typ, d), d, "default")
	}

	if info := r.object(doc, "defaultInfo"); !info.IsNull() {
		r.in(path.Key("defaultInfo"), func() {
			r.ignored(info, value.KindObject, "language")
			if len(r.texts(info, "environment")) == 0 {
				r.wrong("a default has an environment variable", path.Key("environment"))
			}
		})
	}

	return p
}

func (p *Property) set(fact facts, is bool) {
	if is {
		p.is |= fact
	}
}

// defaulted returns the type that a default has to be of, where the property is of type t:
// that of the values of an enum, even if the default is none of them, and for a union the
// type beside it, else the first alternative that fits.
func defaulted(t *Type, d value.Value) *Type {
	switch t.kind { //nolint:exhaustive // the others have no constants
	case KindEnum:
		return t.elem
	case KindUnion:
		if t.elem != nil {
			return t.elem
		}
		for _, a := range t.union.alternatives {
			if of := defaulted(a, d); isConstant(of, d) {
				return of
			}
		}
	}

	return t
}

// constant checks a constant of the type.
func (r *reader) constant(t *Type, v value.Value, name string) {
	if !isConstant(t, v) {
		r.wrong("expected a constant of type "+t.String()+", found "+v.Kind().String(), path.Key(name))
	}
}

func isConstant(t *Type, v value.Value) bool {
	switch t.kind { //nolint:exhaustive // the others have no constants
	case KindBool:
		return v.Kind() == value.KindBool
	case KindInteger:
		n, ok := v.AsNumber()
		return ok && n == math.Trunc(n) && math.MinInt32 <= n && n <= math.MaxInt32
	case KindNumber:
		n, ok := v.AsNumber()
		return ok && !math.IsInf(n, 0)
	case KindString:
		return v.Kind() == value.KindString
	case KindExternal:
		return !t.dangling && isScalar(v)

	case kindWrong:
		return true
	default:
		return false
	}
}

func isScalar(v value.Value) bool {
	return v.Kind() == value.KindBool || v.Kind() == value.KindNumber || v.Kind() == value.KindString
}

// kindWrong is the kind of a type that cannot be read. Nothing else is said about it.
const kindWrong = KindExternal + 1

// typ reads a type.
func (r *reader) typ(doc value.Value) *Type {
	r.flag(doc, "plain")

	t := r.simple(kindWrong)
	kind, ref := r.text(doc, "type"), r.text(doc, "$ref")
	simple, isSimple := r.primitive(doc.Field("type"))
	union := r.member(doc, "oneOf", value.KindArray)
	switch {
	case ref != "":
		r.alone(doc, "a reference", "items", "additionalProperties", "oneOf")
		t = r.reference(ref, doc)
	case !union.IsNull():
		r.alone(doc, "a union", "items", "additionalProperties")
		if kind != "" && !isSimple {
			r.wrong("expected boolean, integer, number or string next to oneOf", path.Key("type"))
		}
		t = r.union(doc, simple)
	case isSimple:
		r.alone(doc, kind, "items", "additionalProperties")
		t = simple
	case kind == "array":
		r.alone(doc, "an array", "additionalProperties")
		if elem := r.elem(doc, "items"); elem != nil {
			t = &Type{kind: KindArray, elem: elem}
			break
		}

		r.wrong("an array has items")
	case kind == "object":
		r.alone(doc, "a map", "items")
		t = &Type{kind: KindMap, elem: r.elem(doc, "additionalProperties")}
		if t.elem == nil {
			t.elem = r.simple(KindString)
		}
	default:
		r.wrong("expected boolean, integer, number, string, array or object, or $ref or oneOf", path.Key("type"))
	}
	if t.kind != KindUnion {
		r.discriminator(doc) // which only has to be of the right kinds
	}

	return t
}

// alone refuses members that a type of this form does not have.
func (r *reader) alone(doc value.Value, form string, names ...string) {
	for _, name := range names {
		if v := doc.Field(name); !v.IsNull() && (name != "oneOf" || v.Len() > 0) {
			r.wrong(form+" does not have it", path.Key(name))
		}
	}
}

// elem reads the type of elements, or returns nil if there is none.
func (r *reader) elem(doc value.Value, name string) (t *Type) {
	if elem := r.object(doc, name); !elem.IsNull() {
		r.in(path.Key(name), func() { t = r.typ(elem) })
	}
	return t
}

// union reads the alternatives of a union, and how to select one.
func (r *reader) union(doc value.Value, simple *Type) *Type {
	t := &Type{kind: KindUnion, elem: simple, union: &union{}}
	r.eachElem(doc, "oneOf", func(_ int, doc value.Value) {
		t.union.alternatives = append(t.union.alternatives, r.typ(doc))
	})
	for _, a := range t.union.alternatives {
		t.union.kinds |= a.kinds()
	}
	if simple != nil {
		t.union.kinds |= simple.kinds()
	}
	if len(t.union.alternatives) < 2 {
		r.wrong("a union has two types or more", path.Key("oneOf"))
	}

	var mapping map[string]string
	t.union.discriminator, mapping = r.discriminator(doc)
	t.union.mapping = selections(mapping, t.union.alternatives)
	if t.union.discriminator != "" {
		r.unions = append(r.unions, t)
	} else if !doc.Field("discriminator").IsNull() {
		r.wrong("a discriminator has a property's name", path.Key("discriminator"), path.Key("propertyName"))
	}

	return t
}

// discriminator reads the name of a property, and what its values refer to.
func (r *reader) discriminator(doc value.Value) (name string, mapping map[string]string) {
	d := r.object(doc, "discriminator")
	if d.IsNull() {
		return "", nil
	}

	r.in(path.Key("discriminator"), func() {
		name = r.text(d, "propertyName")
		all := r.object(d, "mapping")
		mapping = make(map[string]string, all.Len())
		r.in(path.Key("mapping"), func() {
			for tag := range all.Keys() {
				mapping[tag] = r.text(all, tag)
			}
		})
	})
	return name, mapping
}

// selections returns which value of a discriminator selects which alternative. References
// to anything else are left out.
func selections(references map[string]string, alternatives []*Type) (mapping map[string]*Type) {
	if len(references) == 0 {
		return nil
	}

	named := make(map[string]*Type, len(alternatives))
	for _, a := range alternatives {
		if a.token != "" {
			named[a.token] = a
		}
	}

	for tag, reference := range references {
		token := unescaped(reference)
		if i := strings.Index(token, "#/types/"); i >= 0 {
			token = token[i+len("#/types/"):]
		}
		if a := named[token]; a != nil {
			if mapping == nil {
				mapping = make(map[string]*Type, len(references))
			}
			mapping[tag] = a
		}
	}
	return mapping
}

// tags returns which value of the discriminator selects which alternative of a union: by
// the mapping, or else by the constants of the alternatives.
func tags(u *union) map[string]*Type {
	all := make(map[string]*Type, len(u.alternatives))
	maps.Copy(all, u.mapping)
	for _, a := range u.alternatives {
		p := a.property(u.discriminator)
		if p == nil {
			continue
		}
		if text, ok := tagText(p.Const()); ok && all[text] == nil {
			all[text] = a
		}
	}

	return all
}

// tagText returns the text that the mapping of a discriminator has for a value. All its
// names are texts, also those of numbers and booleans.
func tagText(v value.Value) (text string, ok bool) {
	if number, ok := v.AsNumber(); ok {
		return strconv.FormatFloat(number, 'f', -1, 64), true
	}
	if set, ok := v.AsBool(); ok {
		return strconv.FormatBool(set), true
	}

	return v.AsString()
}
