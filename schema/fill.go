package schema

import (
	"math"
	"strconv"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

// MarkSecrets returns v with the secret mark on every property that the schema calls
// secret, at any depth. If it is ambiguous to which alternative of a union a value
// belongs, and one of them has secrets, the whole value is marked.
func (t *Type) MarkSecrets(v value.Value) value.Value {
	f := filler{root: t, check: checker{outermostSecret: -1}}
	return f.fill(t, v)
}

// WithDefaults returns v with constants and defaults for the properties that its objects
// lack, at any depth, and with secrets marked as by [Type.MarkSecrets]. If lookup is not
// nil, the environment variables of a property come before its default; an empty one counts
// as not set. Lookup is [os.LookupEnv] or a function like it. Missing objects are not
// created; each object that is there gets all defaults of its type, which can be far more
// than v has.
//
// The error is a [*bind.Error], which lists the environment variables whose text does not
// have the type of the property.
func (t *Type) WithDefaults(v value.Value, lookup func(name string) (string, bool)) (value.Value, error) {
	if t.Kind() == KindObject && v.IsNull() {
		v = value.Object().WithMarksOf(v)
	}

	f := filler{root: t, defaults: true, lookup: lookup, check: checker{outermostSecret: -1}}
	if v = f.fill(t, v); len(f.problems) > 0 {
		return value.Value{}, &bind.Error{Op: "schema: defaults", Problems: f.problems}
	}
	return v, nil
}

// filler marks secrets, and fills in defaults, or parses the texts of configuration.
type filler struct {
	config   bool
	defaults bool
	lookup   func(name string) (string, bool)
	types    []*Type // of the values above, and of the value itself
	root     *Type
	secrets  map[*Type]bool // which types below the root lead to secrets, once that is asked
	problems []bind.Problem
	listed   int // bytes of their places

	check checker // tries alternatives, if it has a trial
	union int     // how deep the outermost union is that has them
	parts []int   // the numbers in that trial of the value there, of that below it, and so on
}

func (f *filler) fill(t *Type, v value.Value) value.Value {
	made, err := value.Transformer{Before: func(c *value.Cursor) (value.Value, error) {
		return f.before(t, c), nil
	}}.Apply(v)
	if err != nil { // deeper than values are, by a default
		return v
	}

	return made
}

// before returns a value with marks and defaults of its own.
func (f *filler) before(t *Type, c *value.Cursor) value.Value {
	v := c.Value()
	if step, ok := c.Step(); ok {
		f.types = f.types[:c.Depth()]
		f.follow(step, c.Depth())

		var p *Property
		if t, p = f.types[c.Depth()-1].child(step); p != nil && p.Secret() && !v.IsNull() && !f.config {
			v = value.Secret(v)
		}
		if t != nil && f.config {
			v = f.parsed(t, c, v)
		}
	}
	for t != nil && t.kind == KindUnion {
		outer := f.check.trial
		a := f.check.alternative(t, v)
		if outer == nil {
			f.union, f.parts = c.Depth(), append(f.parts[:0], 0)
		}
		if a == nil && v.Kind().IsContainer() && !f.config && f.holdsSecrets(t) {
			v = value.Secret(v)
		}
		t = a
	}
	if f.types = append(f.types, t); t == nil {
		c.SkipBelow()
		return v
	}

	if f.defaults && t.kind == KindObject && v.Kind() == value.KindObject {
		v = f.complete(t, c, v)
	}
	return v
}

// follow makes the trial of the outermost union one of the next value, if that is below it:
// what is known of alternatives in alternatives is not asked again.
func (f *filler) follow(step path.Step, depth int) {
	t := f.check.trial
	if t == nil || depth <= f.union {
		f.check.trial = nil
		return
	}

	t.part = f.parts[depth-f.union-1]
	t.enter(step)
	f.parts = append(f.parts[:depth-f.union], t.part)
}

// child returns the type of a member or an element, and which property it is of an object.
func (t *Type) child(step path.Step) (*Type, *Property) {
	name, isKey := step.Key()
	switch t.Kind() { //nolint:exhaustive // the others have no children
	case KindObject:
		if p := t.property(name); p != nil {
			return p.typ, p
		}
	case KindMap:
		if isKey {
			return t.elem, nil
		}
	case KindArray:
		if !isKey {
			return t.elem, nil
		}
	}

	return nil, nil
}

// holdsSecrets reports whether the schema calls something below a type secret.
func (f *filler) holdsSecrets(t *Type) bool {
	if f.secrets == nil {
		f.secrets = map[*Type]bool{}
		l := lister{of: isSecret, leads: f.secrets}
		l.reach(f.root)
	}
	return f.secrets[t]
}

// complete returns an object with constants and defaults.
func (f *filler) complete(t *Type, c *value.Cursor, v value.Value) value.Value {
	var added []value.Member
	for _, i := range t.filled {
		p := &t.properties[i]
		if !v.Field(p.name).IsNull() {
			continue
		}
		if d := f.missing(p, c); !d.IsNull() {
			added = append(added, value.Field(p.name, d))
		}
	}
	if len(added) == 0 {
		return v
	}

	all := make([]value.Member, 0, v.Len()+len(added))
	for name, member := range v.DropSecret().Members() {
		all = append(all, value.Field(name, member))
	}
	return value.Object(append(all, added...)...).WithMarksOf(v) // of two with a name, one is null and the later counts
}

// missing returns the constant or the default of a property, or null.
func (f *filler) missing(p *Property, c *value.Cursor) value.Value {
	if constant := p.Const(); !constant.IsNull() {
		return constant
	}

	for _, name := range p.Environment() {
		if f.lookup == nil {
			break
		}
		text, set := f.lookup(name)
		if !set || text == "" {
			continue
		}
		v, ok := parse(p.typ, text)
		if !ok {
			f.wrong(c, p.typ.String()+" for "+scan.Line(p.name)+" in the environment variable "+scan.Line(name), "")
			return value.Null()
		}
		return v
	}

	return p.Default()
}

// wrong lists a problem, unless there is a long list of them already.
func (f *filler) wrong(c *value.Cursor, want, found string) {
	if f.listed > path.MaxListed {
		return
	}
	at := c.Shown()
	f.listed += at.RevealPath().Size() + len(want)
	f.problems = append(f.problems, bind.Problem{At: at, Want: want, Found: found})
}

// parse returns the value of a type that a text stands for.
func parse(t *Type, text string) (value.Value, bool) {
	switch t.kind { //nolint:exhaustive // the others are not in the environment
	case KindString:
		return value.String(text), true
	case KindBool:
		b, err := strconv.ParseBool(text)
		return value.Bool(b), err == nil
	case KindInteger, KindNumber:
		n, err := strconv.ParseFloat(text, 64)
		whole := n == math.Trunc(n) && !math.IsInf(n, 0)
		return value.Number(n), err == nil && (whole || (t.kind == KindNumber && !math.IsNaN(n) && !math.IsInf(n, 0)))

	case KindEnum:
		return parse(t.elem, text)
	case KindUnion:
		for a := range t.Alternatives() {
			if v, ok := parse(a, text); ok {
				return v, true
			}
		}
	}

	return value.Value{}, false
}
