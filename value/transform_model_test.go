package value_test

import (
	"errors"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// action is what a function of a Transformer does at a place.
type action struct {
	with                     *value.Value // nil: keep
	remove, drop, skip, fail bool
}

// script is an action for every place, drawn from a seed.
type script struct {
	seed   uint64
	guests []value.Value
}

func (p script) at(stage string, at path.Path) action {
	h := fnv.New64a()
	fmt.Fprint(h, p.seed, stage, at)
	n := h.Sum64() >> 7

	with := &p.guests[n/100%uint64(len(p.guests))]

	switch n % 100 {
	case 0, 1, 2, 3, 4:
		return action{remove: true}
	case 10, 11, 12, 13, 14, 15:
		return action{with: with}
	case 20, 21, 22, 23:
		return action{with: with, drop: true}
	case 30, 31, 32, 33:
		return action{skip: true}
	case 40, 41:
		return action{with: with, skip: true}
	case 50:
		return action{drop: true}
	case 60:
		return action{fail: true}
	}

	return action{}
}

// visit is what an Edit says of a place.
func visit(stage string, at path.Shown, secret bool) string {
	return fmt.Sprint(stage, " ", at.RevealPath(), " ", at, " ", secret)
}

// run does a script by a Transformer, and returns the places that it saw.
func (p script) run(v value.Value) (made value.Value, seen []string, err error) {
	do := func(stage string) func(c *value.Cursor) (value.Value, error) {
		return func(c *value.Cursor) (value.Value, error) {
			if c.Depth() != c.Path().Len() {
				return value.Value{}, errors.New("wrong depth")
			}

			seen = append(seen, visit(stage, c.Shown(), c.Value().IsSecret()))
			a := p.at(stage, c.Path())
			v := c.Value()

			if a.fail {
				return value.Value{}, errPlanned
			}

			if a.remove {
				c.Remove()
			}

			if a.drop {
				c.DropMarks()
			}

			if a.skip {
				c.SkipBelow()
			}

			if a.with != nil {
				v = *a.with
			}

			return v, nil
		}
	}

	made, err = value.Transformer{Before: do("before"), After: do("after")}.Apply(v)

	return made, seen, err
}

// model is a value with its marks written out: the obvious, slow way.
type model struct {
	leaf      value.Value // without marks
	kind      value.Kind
	secret    bool // marked itself
	inherited bool // secret because of where it comes from
	deps      []string
	steps     []path.Step
	children  []model
}

func modelOf(v value.Value) model {
	t := model{
		kind: v.Kind(), secret: v.OwnSecret(), inherited: v.IsSecret() && !v.OwnSecret(),
		deps: slices.Collect(v.Dependencies()), leaf: v.DropDependencies().DropSecret(),
	}

	for i, child := range t.leaf.Elems() {
		t.steps, t.children = append(t.steps, path.Index(i)), append(t.children, modelOf(child))
	}

	for key, child := range t.leaf.Members() {
		t.steps, t.children = append(t.steps, path.Key(key)), append(t.children, modelOf(child))
	}

	return t
}

// value returns the value of a model below a secret or not.
func (t model) value(below bool) value.Value {
	var v value.Value

	below = below || t.secret || t.inherited

	switch t.kind {
	case value.KindArray:
		var elems []value.Value
		for _, child := range t.children {
			elems = append(elems, child.value(below))
		}

		v = value.Array(elems...)
	case value.KindObject:
		members := map[string]value.Value{}
		for i, child := range t.children {
			key, _ := t.steps[i].AsKey()
			members[key] = child.value(below)
		}

		v = value.ObjectFromMap(members)
	default:
		v = t.leaf
	}

	if t.secret {
		v = value.Secret(v)
	}

	return v.WithDependencies(t.deps...)
}

// do does what a script says about a model at a place.
func (p script) do(stage string, t model, at path.Path, hidden int, seen *[]string) (made model, a action) {
	if hidden < 0 && (t.secret || t.inherited) {
		hidden = at.Len()
	}

	*seen = append(*seen, visit(stage, path.Show(at, hidden), hidden >= 0))
	a = p.at(stage, at)

	if a.with == nil {
		return t, a
	}

	made = modelOf(*a.with)
	if !a.drop {
		made.secret = made.secret || t.secret
		made.inherited = made.inherited || t.inherited
		made.deps = append(made.deps, t.deps...)
	}

	return made, a
}

// slow is run on trees. Hidden is the number of steps to the outermost secret, -1 for
// none.
func (p script) slow(t model, at path.Path, hidden int, seen *[]string) (made model, kept bool, failed *path.Path) {
	t, a := p.do("before", t, at, hidden, seen)
	if a.fail {
		return t, false, &at
	}

	if a.remove || a.skip {
		return t.settled(hidden), !a.remove, nil
	}

	below := hidden
	if below < 0 && (t.secret || t.inherited) {
		below = at.Len()
	}

	old := t
	t.steps, t.children = nil, nil

	for i, child := range old.children {
		made, kept, failed := p.slow(child, at.Append(old.steps[i]), below, seen)
		if failed != nil {
			return t, false, failed
		}

		if kept {
			t.steps, t.children = append(t.steps, old.steps[i]), append(t.children, made)
		}
	}

	t, a = p.do("after", t, at, hidden, seen)
	if a.fail {
		return t, false, &at
	}

	return t.settled(hidden), !a.remove, nil
}

// settled is what is put into a container, which is secret from hidden on.
func (t model) settled(hidden int) model {
	if t.inherited && hidden < 0 {
		t.secret = true
	}

	t.inherited = false

	return t
}
