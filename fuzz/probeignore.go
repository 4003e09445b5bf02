package fuzz

import (
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// ignoreProbes are about ignoreChanges.
func ignoreProbes() []probe {
	ignored := func(s *scene, f func(r diff.Ignored)) {
		if s.big {
			f(diff.Ignore(s.v, s.w, s.anywhere(), diff.CorrectedIgnore))

			return
		}

		patterns := append([]path.Pattern{{}}, s.anywhere()...)
		for _, p := range s.set.Patterns() {
			patterns = append(patterns, p)
		}

		if !s.listened { // a pattern is shown as the caller gave it
			patterns = append(patterns, s.pattern, s.p.Pattern())
		}

		for _, mode := range []diff.IgnoreMode{diff.CorrectedIgnore, 200, diff.EngineIgnore} {
			if mode == diff.EngineIgnore && s.listened {
				continue // as the engine does, it gives out the keys of a secret
			}

			f(diff.Ignore(s.v, s.w, patterns, mode))
		}
	}
	mismatches := func(s *scene, f func(m diff.Mismatch)) {
		f(diff.Mismatch{})
		ignored(s, func(r diff.Ignored) {
			for _, p := range r.Patterns {
				for _, m := range p.Mismatches[:min(len(p.Mismatches), changesSeen)] {
					f(m)
				}
			}
		})
	}

	return []probe{
		{"diff.Ignore", "", func(s *scene) {
			ignored(s, func(r diff.Ignored) { s.say(r, &r, r.Value, r.Patterns) })

			if s.big {
				return
			}

			s.say(diff.Ignore(s.w, s.v, nil, diff.EngineIgnore), diff.Ignore(s.w, value.Null(), s.anywhere(), diff.CorrectedIgnore))
		}},
		{"diff.NewIgnorer", "", func(s *scene) { s.say(diff.NewIgnorer(s.anywhere(), diff.CorrectedIgnore)) }},
		{"diff.Ignorer.Apply", "", func(s *scene) {
			r := diff.NewIgnorer(append([]path.Pattern{{}}, s.anywhere()...), diff.CorrectedIgnore).Apply(s.v, s.w)
			s.say(r, &r, r.Value, r.Patterns)
		}},
		{"diff.IgnoredPattern.String", "", func(s *scene) {
			s.say(diff.IgnoredPattern{}.String())
			ignored(s, func(r diff.Ignored) {
				for _, p := range r.Patterns {
					s.say(p.String())
				}
			})
		}},
		{"diff.Mismatch.At", "", func(s *scene) { mismatches(s, func(m diff.Mismatch) { s.say(m.At()) }) }},
		{"diff.Mismatch.String", "", func(s *scene) { mismatches(s, func(m diff.Mismatch) { s.say(m.String()) }) }},
		{"diff.Mismatch.Why", "", func(s *scene) { mismatches(s, func(m diff.Mismatch) { s.say(m.Why()) }) }},
		{"diff.IgnoreMode.String", "", func(s *scene) { s.say(diff.IgnoreMode(200).String(), diff.EngineIgnore.String()) }},
		{"diff.Reason.String", "", func(s *scene) { s.say(diff.Reason(200).String(), diff.MissingSide.String()) }},
		{"diff.Reason.MarshalText", "", func(s *scene) { s.say(diff.Reason(200).MarshalText()) }},
	}
}

// returnedProbes are about what engines do to what comes back from a provider.
func returnedProbes() []probe {
	names := func(s *scene) []string { return []string{"a", s.text, "", "a"} }

	return []probe{
		{"value.FillPreview", "", func(s *scene) {
			s.each(func(v value.Value) { s.say(value.FillPreview(v, names(s))) })
			s.say(value.FillPreview(s.v, nil), value.FillPreview(value.Null(), names(s)))
		}},
		{"value.MarksFrom", "", func(s *scene) {
			s.say(value.MarksFrom(s.v, s.w), value.MarksFrom(s.w, s.v), value.MarksFrom(s.v, value.Null()))
			s.few(func(v value.Value) { s.say(value.MarksFrom(v, s.w)) })
		}},
		{"value.Restore", "", func(s *scene) {
			s.say(value.Restore(s.v, s.w), value.Restore(s.w, s.v), value.Restore(value.Null(), s.v))
			s.few(func(v value.Value) { s.say(value.Restore(v, s.w)) })
		}},
	}
}

// anywhere are patterns that lead to the scene's path, and name no key: down to
// it, to what is in it, and to a key there that is not.
func (s *scene) anywhere() []path.Pattern {
	var steps []path.PatternStep
	for range s.p.Steps() {
		steps = append(steps, path.Any())
	}

	down := path.PatternOf(steps...)

	return []path.Pattern{down.Append(path.Any(), path.Exactly(path.Key("no"))), down, down.Append(path.Any())}
}
