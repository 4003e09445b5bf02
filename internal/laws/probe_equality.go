package laws

import (
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/equality"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// equalityProbes are about rules of equality.
func equalityProbes() []probe {
	rules := func(s *scene, f func(r *equality.Rules)) {
		f(nil)

		for _, form := range []func(value.Value) value.Value{equality.FoldCase, equality.JSONText, func(value.Value) value.Value { return value.String("") }} {
			var all []equality.Rule
			for _, p := range s.anywhere() {
				all = append(all, equality.Rule{Pattern: p, Form: form})
			}

			down := s.anywhere()[1].Append(path.Key("a"))
			all = append(all, equality.Rule{Pattern: down, Default: value.String("x")}, equality.Rule{Pattern: down, Empty: true})
			f(equality.MustRules(all...))

			if s.big {
				return
			}
		}
	}
	options := func(s *scene) []diff.Options {
		all := []diff.Options{{}, {Relation: value.IgnoreSecrets | value.NullAsMissing, Arrays: diff.Aligned()}, {Relation: value.Engine, Arrays: diff.Set()}}
		if s.big || s.byIndex {
			return all[:1]
		}

		return all
	}
	form := func(f func(value.Value) value.Value) func(s *scene) {
		return func(s *scene) { s.each(func(v value.Value) { s.say(f(v)) }) }
	}

	return []probe{
		{"diff/equality.NewRules", "", func(s *scene) {
			for _, x := range []value.Value{s.v, s.w} {
				s.say(equality.NewRules(equality.Rule{Pattern: s.anywhere()[0], Default: x}))
			}

			s.say(equality.NewRules(equality.Rule{Empty: true}))
		}},
		{"diff/equality.MustRules", "", func(s *scene) { rules(s, func(r *equality.Rules) { s.say(r) }) }},
		{"diff/equality.Rules.Between", "", func(s *scene) {
			rules(s, func(r *equality.Rules) {
				for _, o := range options(s) {
					s.say(r.Between(s.v, s.w, o), r.Between(s.w, s.v, o))
				}
			})
		}},
		{"diff/equality.Rules.Respell", "", func(s *scene) {
			rules(s, func(r *equality.Rules) {
				for _, o := range options(s) {
					s.say(r.Respell(s.v, s.w, o), r.Respell(s.w, s.v, o))
				}
			})
		}},
		{"diff/equality.Rules.Normalize", "", func(s *scene) {
			rules(s, func(r *equality.Rules) { s.say(r.Normalize(s.v, value.Strict), r.Normalize(s.w, value.Engine)) })
		}},
		{"diff/equality.Rules.Patterns", "", func(s *scene) { rules(s, func(r *equality.Rules) { s.say(r.Patterns().Len()) }) }},
		{"diff/equality.FoldCase", "", form(equality.FoldCase)},
		{"diff/equality.TrimSpace", "", form(equality.TrimSpace)},
		{"diff/equality.BoolText", "", form(equality.BoolText)},
		{"diff/equality.NumberText", "", form(equality.NumberText)},
		{"diff/equality.JSONText", "", form(equality.JSONText)},
		{"diff.BetweenUnsure", "", func(s *scene) {
			for _, o := range options(s) {
				s.say(diff.BetweenUnsure(s.v, s.w, o, path.NewSet(s.anywhere()...)), diff.BetweenUnsure(s.w, s.v, o, nil))
			}
		}},
	}
}
