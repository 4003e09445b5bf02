package equality

import (
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Normalize returns the normal form of v under a Relation. The rules make two values equal
// if their normal forms are equal under the Relation. The normal form has the marks of v. A
// member stays in it if an unknown decides whether the rules leave it out.
func (r *Rules) Normalize(v value.Value, relation value.Relation) value.Value {
	if r == nil {
		return v
	}
	n := normalizer{rules: r, relation: relation}
	return n.normalize(v, r.set.Matcher())
}

type normalizer struct {
	rules    *Rules
	relation value.Relation
	// guessing makes an unknown of each member that an unknown may leave out, so that the
	// result can be compared with what it may turn out to be.
	guessing bool

	levels   []normalLevel
	defaults map[defaultAt]value.Value // normal forms of Defaults that hold values
}

// defaultAt is a rule's Default at the places that the same patterns lead to.
type defaultAt struct {
	rule  int
	state path.Matcher
}

type normalLevel struct {
	state  path.Matcher
	secret bool // the value is
}

// normalize returns the normal form of a value at a state of the patterns. The value itself
// is not left out.
func (n *normalizer) normalize(v value.Value, st path.Matcher) value.Value {
	n.levels = n.levels[:0]
	t := value.Transformer{
		Before: func(c *value.Cursor) (value.Value, error) {
			if step, ok := c.Step(); ok {
				n.levels = append(n.levels[:c.Depth()], normalLevel{state: n.levels[c.Depth()-1].state.Next(step)})
			} else {
				n.levels = append(n.levels, normalLevel{state: st})
			}
			here := &n.levels[c.Depth()]
			here.secret = c.Value().IsSecret()
			if !here.state.MayMatchBelow() {
				c.SkipBelow()
			}
			return c.Value(), nil
		},
		After: func(c *value.Cursor) (value.Value, error) {
			here := n.levels[c.Depth()]
			if !here.state.Matches() {
				return c.Value(), nil
			}
			v := c.Value()
			if isLeaf(v) {
				if x := n.rules.formed(bare(v), here.state); c.Depth()+x.Depth() <= value.MaxDepth {
					v = x.WithMarksOf(v)
				}
			}
			if c.Depth() == 0 {
				return v, nil
			}

			switch n.presence(v, here.state, n.levels[c.Depth()-1].secret) {
			case value.Same:
				c.Remove()
			case value.Maybe:
				if n.guessing {
					return value.Unknown(), nil
				}
			case value.Changed:
			}

			return v, nil
		},
	}
	made, err := t.Apply(v)
	if err != nil {
		return v // nothing above returns an error, and the depth was looked at
	}

	return made
}

// normalDefault returns the normal form of the Default of a rule. It is kept if there are
// values in it, which may have Defaults too: made anew for each of them, normal forms of
// Defaults in Defaults would take twice as long with each level.
func (n *normalizer) normalDefault(rule int, st path.Matcher) value.Value {
	given := n.rules.all[rule].Default
	if given.Len() == 0 {
		inside := normalizer{rules: n.rules, relation: n.relation}
		return inside.normalize(given, st)
	}

	key := defaultAt{rule, st}
	if made, ok := n.defaults[key]; ok {
		return made
	}
	if n.defaults == nil {
		n.defaults = map[defaultAt]value.Value{}
	}
	inside := normalizer{rules: n.rules, relation: n.relation, defaults: n.defaults}
	made := inside.normalize(given, st)
	n.defaults[key] = made
	return made
}

// member returns the presence of a member that is not in normal form.
func (n *normalizer) member(v value.Value, st path.Matcher, below bool) value.Verdict {
	return n.presence(n.normalize(v, st), st, below)
}

// bare returns a value without its own marks, and without one that it inherited.
func bare(v value.Value) value.Value { return v.DropSecret().DropDependencies() }
