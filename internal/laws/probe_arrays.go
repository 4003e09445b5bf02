package laws

import (
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
)

// arrayProbes are about how the elements of arrays are matched.
func arrayProbes() []probe {
	return []probe{
		{"diff.Aligned", "", func(s *scene) { s.matched(diff.Aligned()) }},
		{"diff.Auto", "", func(s *scene) { s.matched(diff.Auto()) }},
		{"diff.Match.For", "", func(s *scene) { s.say(diff.Auto().For(s.v, s.w)) }},
		{"diff.Keyed", "", func(s *scene) {
			// Time grows with the length of the key, which no caller has so deep.
			s.matched(diff.Keyed(s.p.Prefix(min(s.p.Len(), 9))))
			s.matched(diff.Keyed(path.Path{}))
		}},
		{"diff.Positional", "", func(s *scene) { s.matched(diff.Positional()) }},
		{"diff.Set", "", func(s *scene) { s.matched(diff.Set()) }},
		{"diff.Match.String", "", func(s *scene) {
			// The key is the caller's, not one of the values'.
			s.say(diff.Set().String(), diff.Keyed(path.MustParse("name")).String(), diff.Match{}.String())
		}},
	}
}

// matched compares the values of the scene, and what is in arrays of theirs, and
// says what can be said of that.
func (s *scene) matched(how diff.Match) {
	o := diff.Options{Arrays: how}
	if s.set != nil {
		for _, p := range s.set.Patterns() {
			o.ArrayRules = append(o.ArrayRules, diff.ArrayRule{Pattern: p, Match: diff.Set()})
		}
	}

	if s.big {
		_ = diff.Between(s.v, s.w, o)

		return
	}

	for _, d := range []diff.Diff{diff.Between(s.v, s.w, o), diff.Between(s.w, s.v, diff.Options{Arrays: how})} {
		s.say(d, d.Invert(), provider.Respond(d, provider.Options{ReplaceOn: s.set}))

		if _, err := diff.Apply(s.w, d); err != nil {
			s.say(err)
		}

		n := 0
		for c := range d.Changes() {
			s.say(c, c.Shown())

			if n++; n == s.most(changesSeen) {
				break
			}
		}
	}
}
