package schema

import (
	"math"
	"slices"
	"strings"

	"github.com/propalg/propalg/internal/listing"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

// Check returns nil if v has the type, otherwise a [*bind.Error] with all problems, which
// [rpc.CheckFailuresOf] converts to failures:
//
//	err := bucket.Inputs().Check(r.News)
//	return &rpc.CheckResponse{Inputs: r.News, Failures: rpc.CheckFailuresOf(r.News, err)}, nil
//
// A null counts as a missing property, unless null has the type. An unknown has every
// type, and marks do not matter. Some properties are not checked: those whose names begin
// with "__", where engines and providers keep notes; id, which many providers put into
// the state; and version, which engines add to the inputs of the provider itself. In
// place of a reference to a resource, its ID or its URN is accepted, since engines send
// one of these to providers that do not accept references.
//
// A value has the type of a union if one of the alternatives fits. If the value has the
// discriminator, that selects the alternative; otherwise, if only one alternative has
// values of the value's kind, that alternative is selected. The problems are then those
// with the selected alternative. If there are several of that kind and none fits, the
// problem gives a reason for each. The type that a union may have next to its
// alternatives, for SDKs without unions, counts only if no alternative has values of the
// value's kind.
//
// The texts contain names and constants of the schema but no content of the value, and
// places end at the outermost secret. The time is proportional to the size of the value,
// times that of the unions and enums that apply to it.
//
// [rpc.CheckFailuresOf]: https://pkg.go.dev/github.com/propalg/propalg/codec/rpc#CheckFailuresOf
func (t *Type) Check(v value.Value) error {
	if t.Kind() == KindObject && v.IsNull() {
		v = value.Object().WithMarksOf(v)
	}

	c := checker{outermostSecret: -1}
	c.value(t, v)

	if len(c.problems) > 0 {
		return &bind.Error{Op: "schema: check", Problems: c.problems}
	}

	return nil
}

// checker checks a value by a type.
type checker struct {
	listing.Position

	outermostSecret int // how many steps lead to it, or -1
	problems        []bind.Problem
	trial           *trial // an alternative of a union is tried
}

// fail lists a problem, or ends the trial of an alternative.
func (c *checker) fail(want, found string) {
	if c.trial != nil {
		c.trial.fail(c, want, found)
		return
	}

	if at, listed := c.Place(c.outermostSecret); listed {
		c.problems = append(c.problems, bind.Problem{At: at, Want: want, Found: found})
	}
}

// over reports that an alternative is known not to fit.
func (c *checker) over() bool { return c.trial != nil && c.trial.failed }

// value checks a value by a type.
func (c *checker) value(t *Type, v value.Value) {
	if c.outermostSecret < 0 && v.IsSecret() {
		c.outermostSecret = len(c.At)
		defer func() { c.outermostSecret = -1 }()
	}

	if v.IsUnknown() || isSealed(v) {
		return
	}

	if t.Kind() == KindExternal && t.elem != nil {
		t = t.elem
	}

	switch kind := t.Kind(); {
	case kind == KindUnion:
		c.union(t, v)
	case kind == KindEnum:
		c.enum(t, v)
	case !admits(t, v.Kind()):
		c.fail(t.String(), v.Kind().String())
	case kind == KindObject:
		c.object(t, v)
	case kind == KindArray, kind == KindMap:
		c.children(t.elem, v)
	case kind == KindJSON && v.Kind().IsContainer():
		c.children(t, v)
	case kind == KindInteger:
		if n, _ := v.AsNumber(); n != math.Trunc(n) || math.IsInf(n, 0) {
			c.fail("integer", "number with a fraction")
		}
	case kind == KindResource:
		c.reference(t, v)
	}
}

// below checks a child.
func (c *checker) below(step path.Step, t *Type, child value.Value) {
	if c.trial != nil {
		defer c.trial.enter(step)()
	}

	c.At = append(c.At, step)
	c.value(t, child)
	c.At = c.At[:len(c.At)-1]
}

// failBelow reports what is wrong with a member that has no type, or is not there.
func (c *checker) failBelow(name, want, found string) {
	c.At = append(c.At, path.Key(name))
	c.fail(want, found)
	c.At = c.At[:len(c.At)-1]
}

// children checks all elements or members of a value by one type.
func (c *checker) children(t *Type, v value.Value) {
	children := v.Children()
	for i := 0; i < children.Len() && !c.over(); i++ {
		key, child := children.At(i)

		switch {
		case v.Kind() == value.KindArray:
			c.below(path.Index(i), t, child)
		case !child.IsNull() && !isInternal(key):
			c.below(path.Key(key), t, child)
		}
	}
}

// isInternal reports whether a member is a note of an engine or a provider.
func isInternal(key string) bool { return strings.HasPrefix(key, "__") }

// object checks the members of an object beside its properties: both are sorted.
func (c *checker) object(t *Type, v value.Value) {
	var properties []Property
	if t != nil {
		properties = t.properties
	}

	children := v.Children()
	for i := 0; (i < children.Len() || len(properties) > 0) && !c.over(); {
		var (
			key   string
			child value.Value
			order = 1 // a property without a member
		)

		if i < children.Len() {
			key, child = children.At(i)
			order = -1

			if len(properties) > 0 {
				order = strings.Compare(key, properties[0].name)
			}
		}

		switch {
		case order < 0:
			c.extra(t, key, child)
		case order > 0:
			c.missing(&properties[0])
		default:
			c.property(&properties[0], child)
		}

		if order <= 0 {
			i++
		}

		if order >= 0 {
			properties = properties[1:]
		}
	}
}

func (c *checker) missing(p *Property) {
	if p.Required() {
		c.failBelow(p.name, "a value", "none")
	}
}

// extra reports a member that is not a property.
func (c *checker) extra(t *Type, key string, child value.Value) {
	if child.IsNull() || isInternal(key) || t != nil && t.also != "" && t.also == key {
		return
	}

	want := ""
	if c.trial == nil && c.outermostSecret < 0 && len(c.problems) < mostShown {
		if near := scan.Nearest(slices.Values(t.Names()), key); near != "" {
			want = scan.Line(near)
		}
	}

	c.failBelow(key, want, "a property that is not in the schema")
}

func (c *checker) property(p *Property, v value.Value) {
	if v.IsNull() {
		if !admits(p.typ, value.KindNull) {
			c.missing(p)
		}

		return
	}

	if constant := p.doc.Field("const"); !constant.IsNull() && !v.IsUnknown() && !isValue(v, constant) {
		c.failBelow(p.name, scan.Line(constant.String()), "another "+v.Kind().String())
		return
	}

	c.below(path.Key(p.name), p.typ, v)
}

// isValue reports whether v has the content of a scalar of the schema, whatever its marks.
func isValue(v, constant value.Value) bool {
	return isSealed(v) || v.DropSecret().DropDependencies().Equal(constant)
}

func isSealed(v value.Value) bool { return v.Kind() == value.KindSealed }

func (c *checker) enum(t *Type, v value.Value) {
	for _, one := range t.values {
		if isValue(v, one) {
			return
		}
	}

	if !admits(t, v.Kind()) {
		c.fail(t.String(), v.Kind().String())
		return
	}

	var b strings.Builder
	for i, one := range t.values {
		if i > 0 {
			b.WriteString(", ")
		}

		if b.Len() > longest {
			b.WriteString("…")
			break
		}

		b.WriteString(scan.Line(one.String()))
	}

	c.fail("one of "+b.String(), "another "+v.Kind().String())
}

// reference checks of which type the resource is that is referred to.
func (c *checker) reference(t *Type, v value.Value) {
	ref, _ := v.AsResourceReference()

	u, err := ref.ParseURN()
	if err != nil {
		return // it is an ID, or a URN that is not for a schema to judge
	}

	if token := u.Type(); token != t.token && (t.of == nil || !slices.Contains(t.of.aliases, token)) {
		c.fail(t.String(), "a resource of another type")
	}
}

// admits reports whether a type has values of a kind.
func admits(t *Type, kind value.Kind) bool {
	switch t.Kind() { //nolint:exhaustive // the others have all kinds
	case KindBool:
		return kind == value.KindBool
	case KindInteger, KindNumber:
		return kind == value.KindNumber
	case KindString:
		return kind == value.KindString
	case KindAsset:
		return kind == value.KindAsset || kind == value.KindArchive
	case KindArchive:
		return kind == value.KindArchive
	case KindArray:
		return kind == value.KindArray
	case KindMap, KindObject:
		return kind == value.KindObject
	case KindResource:
		return kind == value.KindResourceReference || kind == value.KindString
	case KindEnum, KindExternal:
		return t.elem == nil || admits(t.elem, kind)
	case KindUnion:
		for _, a := range t.union.alternatives {
			if admits(a, kind) {
				return true
			}
		}

		return t.elem != nil && admits(t.elem, kind)
	case KindJSON:
		return kind != value.KindAsset && kind != value.KindArchive && kind != value.KindResourceReference
	default:
		return true
	}
}
