package schema

import (
	"math"
	"strconv"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

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
		v, ok := fromEnvironment(p.typ, text)
		if !ok {
			f.wrong(c, p.typ.String()+" for "+scan.Line(p.name)+" in the environment variable "+scan.Line(name), "")
			return value.Null()
		}
		return v
	}

	return p.Default()
}

// fromEnvironment returns the value of a type that the text of a variable stands for.
func fromEnvironment(t *Type, text string) (value.Value, bool) {
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
		return fromEnvironment(t.elem, text)
	case KindUnion:
		for a := range t.Alternatives() {
			if v, ok := fromEnvironment(a, text); ok {
				return v, true
			}
		}
	}

	return value.Value{}, false
}
