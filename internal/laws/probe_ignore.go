package laws

import (
	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// ignoreProbes are about ignoreChanges.
func ignoreProbes() []probe {
	ignored := func(s *scene, f func(r ignore.Result)) {
		if s.big {
			f(ignore.Changes(s.v, s.w, s.anywhere(), ignore.Corrected))

			return
		}

		patterns := append([]path.Pattern{{}}, s.anywhere()...)
		for _, p := range s.set.Patterns() {
			patterns = append(patterns, p)
		}

		if !s.listened { // a pattern is shown as the caller gave it
			patterns = append(patterns, s.pattern, s.p.Pattern())
		}

		for _, mode := range []ignore.Mode{ignore.Corrected, 200, ignore.Engine} {
			if mode == ignore.Engine && s.listened {
				continue // as the engine does, it gives out the keys of a secret
			}

			f(ignore.Changes(s.v, s.w, patterns, mode))
		}
	}
	mismatches := func(s *scene, f func(m ignore.Mismatch)) {
		f(ignore.Mismatch{})
		ignored(s, func(r ignore.Result) {
			for _, p := range r.Patterns {
				for _, m := range p.Mismatches[:min(len(p.Mismatches), changesSeen)] {
					f(m)
				}
			}
		})
	}

	return []probe{
		{"diff/ignore.Changes", "", func(s *scene) {
			ignored(s, func(r ignore.Result) { s.say(r, &r, r.Value, r.Patterns) })

			if s.big {
				return
			}

			s.say(ignore.Changes(s.w, s.v, nil, ignore.Engine), ignore.Changes(s.w, value.Null(), s.anywhere(), ignore.Corrected))
		}},
		{"diff/ignore.PatternResult.String", "", func(s *scene) {
			s.say(ignore.PatternResult{}.String())
			ignored(s, func(r ignore.Result) {
				for _, p := range r.Patterns {
					s.say(p.String())
				}
			})
		}},
		{"diff/ignore.Mismatch.At", "", func(s *scene) { mismatches(s, func(m ignore.Mismatch) { s.say(m.At()) }) }},
		{"diff/ignore.Mismatch.String", "", func(s *scene) { mismatches(s, func(m ignore.Mismatch) { s.say(m.String()) }) }},
		{"diff/ignore.Mismatch.Why", "", func(s *scene) { mismatches(s, func(m ignore.Mismatch) { s.say(m.Why()) }) }},
		{"diff/ignore.Mode.String", "", func(s *scene) { s.say(ignore.Mode(200).String(), ignore.Engine.String()) }},
	}
}

// returnedProbes are about what engines do with answers of a provider.
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
	var steps []path.Step
	for range s.p.Steps() {
		steps = append(steps, path.Any())
	}

	down := path.PatternOf(steps...)

	return []path.Pattern{down.Append(path.Any(), path.Key("no")), down, down.Append(path.Any())}
}
