package schema

import (
	"math"
	"slices"
	"strings"

	"github.com/propalg/propalg/internal/listing"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

// Check returns nil if v has the type, otherwise a [*bind.Error] with all problems, which
// [rpc.CheckFailuresOf] converts to failures:
//
//	if err := bucket.Inputs().Check(r.News); err != nil {
//		return &rpc.CheckResponse{Failures: rpc.CheckFailuresOf(r.News, err)}, nil
//	}
//
// The documentation of the package says what has which type.
//
// The texts contain names and constants of the schema but no content of the value, and
// places end at the outermost secret. The time is proportional to the size of the value,
// times the number of alternatives of the unions that apply to it.
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

type checker struct {
	listing.Position

	outermostSecret int // how many steps lead to it, or -1
	problems        []bind.Problem
	trial           *trial // an alternative of a union is tried
	guessed         int    // how often a name was looked for in trials
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

// over reports that an alternative is known not to fit, or that nothing more is listed.
func (c *checker) over() bool {
	if c.trial != nil {
		return c.trial.failed
	}
	return c.Full()
}

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
	kind := t.Kind()
	switch {
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

func isInternal(key string) bool { return strings.HasPrefix(key, "__") }

// object checks the members of an object beside its properties: both are sorted.
func (c *checker) object(t *Type, v value.Value) {
	var required []int32
	if t != nil {
		required = t.required
	}

	children := v.Children()
	for i := 0; (i < children.Len() || len(required) > 0) && !c.over(); {
		var (
			key   string
			child value.Value
			order = 1 // a required property without a member
		)
		if i < children.Len() {
			key, child = children.At(i)
			order = -1
			if len(required) > 0 {
				order = strings.Compare(key, t.properties[required[0]].name)
			}
		}
		if p := t.property(key); order > 0 {
			c.missing(&t.properties[required[0]])
		} else if p == nil {
			c.extra(t, key, child)
		} else {
			c.property(p, child)
		}

		if order <= 0 {
			i++
		}
		if order >= 0 {
			required = required[1:]
		}
	}
}

func (c *checker) missing(p *Property) { c.failBelow(p.name, "a value", "none") }

// extra reports a member that is not a property.
func (c *checker) extra(t *Type, key string, child value.Value) {
	if child.IsNull() || isInternal(key) || (t != nil && t.also != "" && t.also == key) {
		return
	}

	want := ""
	if c.outermostSecret < 0 && c.guesses() {
		if near := scan.Nearest(slices.Values(t.Names()), key); near != "" {
			want = "the name of a property, such as " + scan.Line(near)
		}
	}
	c.failBelow(key, want, "a property that is not in the schema")
}

// guesses reports whether to look for the name that is meant, which takes long: for as many
// problems as texts show, and for as many reasons.
func (c *checker) guesses() bool {
	if c.trial == nil {
		return len(c.problems) < mostShown
	}
	if c.trial.failed || c.trial.inner > 0 {
		return false
	}

	c.guessed++
	return c.guessed <= mostShown
}

func (c *checker) property(p *Property, v value.Value) {
	if v.IsNull() {
		if p.Required() && !admits(p.typ, value.KindNull) {
			c.missing(p)
		}
		return
	}
	if constant := p.doc.Field("const"); !constant.IsNull() && !v.IsUnknown() && !isValue(v, constant) {
		c.failBelow(p.name, constantText(constant), "another "+v.Kind().String())
		return
	}

	c.below(path.Key(p.name), p.typ, v)
}

func isValue(v, constant value.Value) bool {
	return isSealed(v) || (v.Kind() == constant.Kind() && v.DropSecret().DropDependencies().Equal(constant))
}

func constantText(constant value.Value) string {
	if text, ok := constant.AsString(); ok && len(text) > longest {
		return scan.Clip(text, 0)
	}
	return scan.Line(constant.String())
}

func isSealed(v value.Value) bool { return v.Kind() == value.KindSealed }

func (c *checker) enum(t *Type, v value.Value) {
	switch {
	case !admits(t, v.Kind()):
		c.fail(t.String(), v.Kind().String())
		return
	case t.isOne(v):
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
		b.WriteString(constantText(one))
	}

	c.fail("one of "+b.String(), "another "+v.Kind().String())
}

// Up to fewValues values of an enum are compared with a value one by one.
const fewValues = 8

func (t *Type) isOne(v value.Value) bool {
	if t.sorted == nil {
		return slices.ContainsFunc(t.values, func(one value.Value) bool { return isValue(v, one) })
	}
	_, found := slices.BinarySearchFunc(t.sorted, v.DropSecret().DropDependencies(), value.Strict.Compare)
	return found
}

// reference checks of which type the resource is that is referred to.
func (c *checker) reference(t *Type, v value.Value) {
	ref, _ := v.AsResourceReference()
	u, err := urn.Parse(ref.URN)
	if err != nil {
		return // it is an ID, or a URN that is not for a schema to judge
	}

	if token := u.Type(); token != t.token && (t.of == nil || !t.of.isAlias(token)) {
		c.fail(t.String(), "a resource of another type")
	}
}

type kinds uint32

const everyKind = ^kinds(0)

func kindsOf(all ...value.Kind) (k kinds) {
	for _, kind := range all {
		k |= 1 << kind
	}
	return k
}

// admits reports whether a type has values of a kind.
func admits(t *Type, kind value.Kind) bool { return t.kinds()&kindsOf(kind) != 0 }

func (t *Type) kinds() kinds {
	switch t.Kind() { //nolint:exhaustive // the others have all kinds
	case KindBool:
		return kindsOf(value.KindBool)
	case KindInteger, KindNumber:
		return kindsOf(value.KindNumber)
	case KindString:
		return kindsOf(value.KindString)
	case KindAsset:
		return kindsOf(value.KindAsset, value.KindArchive)
	case KindArchive:
		return kindsOf(value.KindArchive)
	case KindArray:
		return kindsOf(value.KindArray)
	case KindMap, KindObject:
		return kindsOf(value.KindObject)
	case KindResource:
		return kindsOf(value.KindResourceReference, value.KindString)

	case KindEnum, KindExternal:
		if t.elem != nil {
			return t.elem.kinds()
		}
	case KindUnion:
		return t.union.kinds
	case KindJSON:
		return everyKind &^ kindsOf(value.KindAsset, value.KindArchive, value.KindResourceReference)
	}

	return everyKind
}
