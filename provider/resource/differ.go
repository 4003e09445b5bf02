package resource

import (
	"context"
	"slices"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/equality"
	"github.com/propalg/propalg/internal/shape"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// rules returns the Differ that follows from the schema and the tags.
func (k *kind) rules(state *shape.Type) (provider.Differ, error) {
	d, err := provider.FromSchema(k.schema)
	if err != nil {
		return d, err
	}
	t := tagged{open: map[*shape.Type]bool{}, sets: map[path.Pattern]bool{}, replace: map[path.Pattern]bool{}}
	t.follow(k.argsType, nil)
	t.follow(state, nil)
	for p := range t.sets {
		d.ArrayRules = append(d.ArrayRules, diff.ArrayRule{Pattern: p, Match: diff.Unordered()})
	}
	if d.Equality, err = equality.NewRules(t.rules...); err != nil {
		return d, err
	}
	if d.Stables = k.stable; k.update == nil && k.plain.Update == nil {
		t.replace[path.PatternOf(path.Any())] = true
	}
	if len(t.replace) > 0 {
		all, err := k.schema.ReplaceOn() // a schema that was written by hand may have others
		if err != nil {
			return d, err
		}
		for p := range t.replace {
			all = append(all, p)
		}
		d.ReplaceOn = path.NewSet(all...)
	}
	return d, nil
}

// tagged collects what tags say of the places below a type. A recursive type is followed
// until it recurs.
type tagged struct {
	open          map[*shape.Type]bool
	sets, replace map[path.Pattern]bool
	rules         []equality.Rule
}

func (t *tagged) follow(s *shape.Type, at []path.Step) {
	if s == nil || t.open[s] {
		return
	}
	t.open[s] = true
	defer delete(t.open, s)

	if s.Elem != nil {
		t.follow(s.Elem, append(at, path.Any()))
	}
	for i := range s.Fields {
		f := &s.Fields[i]
		here := slices.Concat(at, []path.Step{path.Key(f.Name)})
		p := path.PatternOf(here...)
		for _, word := range f.Words {
			switch word {
			case "set":
				t.sets[p] = true
			case "replaceOnChanges":
				t.replace[p] = true
			case "fold":
				t.form(f.Type, here, equality.FoldCase)
			case "json":
				t.form(f.Type, here, equality.JSONText)
			}
		}
		t.missing(f, p)
		t.follow(f.Type, here)
	}
}

// missing adds a rule by which a zero is a missing value, if functions cannot tell one from the
// other.
func (t *tagged) missing(f *shape.Field, p path.Pattern) {
	if !f.Optional || f.Nullable || f.Default != nil || len(f.Env) > 0 {
		return
	}
	switch f.Type.Form {
	case shape.Bool:
		t.rules = append(t.rules, equality.Rule{Pattern: p, Default: value.Bool(false)})
	case shape.Integer, shape.Number:
		t.rules = append(t.rules, equality.Rule{Pattern: p, Default: value.Number(0)})
	case shape.String, shape.Array, shape.Map, shape.Object:
		t.rules = append(t.rules, equality.Rule{Pattern: p, Empty: true})
	case shape.Any, shape.Asset, shape.Archive:
	}
}

// form adds a rule for a text, or for those in an array or a map.
func (t *tagged) form(s *shape.Type, at []path.Step, form func(value.Value) value.Value) {
	if s.Elem != nil {
		t.form(s.Elem, append(at, path.Any()), form)
		return
	}
	t.rules = append(t.rules, equality.Rule{Pattern: path.PatternOf(at...), Form: form})
}

// Diff answers with what follows from the schema and the tags.
func (p *Provider) Diff(ctx context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	k, err := p.kindOf(r.URN, r.Type)
	if err != nil {
		return nil, err
	}
	if k.plain.Diff != nil {
		return k.plain.Diff(ctx, r)
	}
	return run(ctx, p, r.URN, 0, func(context.Context, *call) (*rpc.DiffResponse, error) {
		var err error
		if r.OldInputs, r.Olds, err = k.migrated(r.OldInputs, r.Olds); err != nil {
			return nil, err
		}
		d := k.differ
		d.DeleteBeforeReplace = d.DeleteBeforeReplace || k.names.clash(r)
		return d.Answer(r)
	}, k.marked, r.OldInputs, r.Olds, r.News)
}

// Rules returns what the provider compares a resource by, given its token, and the places that
// Read cannot return as a program gave them, since the service does not return them or fills them
// in, for tests. The zero Differ stands for a resource that it does not have.
func (p *Provider) Rules(token string) (compared provider.Differ, writeOnly []path.Pattern) {
	k := p.kinds[token]
	if k == nil {
		return provider.Differ{}, nil
	}
	for _, name := range slices.Concat(k.once, k.computed) {
		writeOnly = append(writeOnly, path.PatternOf(path.Key(name)))
	}
	return k.differ, writeOnly
}
