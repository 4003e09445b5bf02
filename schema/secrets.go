package schema

// NOTE: A filler also puts in defaults (defaults.go) and parses configuration (config.go). Which
// places are secret, without a value, is in places.go.

import (
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
	name, isKey := step.AsKey()
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

// wrong lists a problem, unless there is a long list of them already.
func (f *filler) wrong(c *value.Cursor, want, found string) {
	if f.listed > path.MaxListed {
		return
	}
	at := c.Shown()
	f.listed += at.RevealPath().Size() + len(want)
	f.problems = append(f.problems, bind.Problem{At: at, Want: want, Found: found})
}
