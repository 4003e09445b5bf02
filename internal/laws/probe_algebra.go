package laws

import (
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// algebraProbes reckon with diffs.
func algebraProbes() []probe {
	return []probe{
		{"diff.Compose", "", func(s *scene) {
			if s.big {
				s.say(diff.Compose(s.d, s.d.Invert()))

				return
			}

			aligned := diff.Between(s.v, s.w, diff.Options{Arrays: diff.Aligned()})
			keyed := diff.Between(s.w, s.v, diff.Options{Arrays: diff.Keyed(path.MustParse("name"))})

			s.say(diff.Compose(s.d, s.d.Invert()))
			s.say(diff.Compose(s.d, s.d))
			s.say(diff.Compose(aligned, keyed))
			s.say(diff.Compose(s.d, diff.Between(s.v, s.w, diff.Options{Relation: value.Engine})))
			s.say(diff.Compose(diff.Diff{}, s.d))
		}},
		{"diff.Split", "", func(s *scene) {
			s.say(diff.Split(s.d, s.set))

			if s.big {
				return
			}

			s.say(diff.Split(s.d.Invert(), path.NewSet(s.pattern, s.p.Pattern())))
			s.say(diff.Split(diff.Between(s.v, s.w, diff.Options{Arrays: diff.Set()}), path.NewSet(s.q.Pattern())))
			s.say(diff.Split(diff.Diff{}, nil))
		}},
		{"diff.Merge", "", func(s *scene) {
			s.eachMerge(func(m diff.Merged) { everyVerb(s, m) })
		}},
		{"diff.Conflict.Base", "", func(s *scene) { s.eachConflict(func(c diff.Conflict) { s.say(c.Base()) }) }},
		{"diff.Conflict.Format", "", func(s *scene) { s.eachConflict(func(c diff.Conflict) { everyVerb(s, c) }) }},
		{"diff.Conflict.GoString", "", func(s *scene) { s.eachConflict(func(c diff.Conflict) { s.say(c.GoString()) }) }},
		{"diff.Conflict.Kind", "", func(s *scene) { s.eachConflict(func(c diff.Conflict) { s.say(c.Kind()) }) }},
		{"diff.Conflict.Left", "", func(s *scene) { s.eachConflict(func(c diff.Conflict) { s.say(c.Left()) }) }},
		{"diff.Conflict.MarshalText", "", func(s *scene) { s.eachConflict(func(c diff.Conflict) { s.say(c.MarshalText()) }) }},
		{"diff.Conflict.Path", whole, func(s *scene) { s.eachConflict(func(c diff.Conflict) { s.say(c.Path()) }) }},
		{"diff.Conflict.Right", "", func(s *scene) { s.eachConflict(func(c diff.Conflict) { s.say(c.Right()) }) }},
		{"diff.Conflict.Secret", "", func(s *scene) { s.eachConflict(func(c diff.Conflict) { s.say(c.Secret()) }) }},
		{"diff.Conflict.Shown", "", func(s *scene) { s.eachConflict(func(c diff.Conflict) { s.say(c.Shown()) }) }},
		{"diff.Conflict.String", "", func(s *scene) { s.eachConflict(func(c diff.Conflict) { s.say(c.String()) }) }},
		{"diff.ConflictKind.MarshalText", "", func(s *scene) { s.say(diff.ConflictKind(200).MarshalText()) }},
		{"diff.ConflictKind.String", "", func(s *scene) { s.say(diff.ConflictKind(200).String(), diff.ConflictAdd.String()) }},
	}
}

// eachMerge gives a probe what comes of merging the values of the scene; of big
// ones, once.
func (s *scene) eachMerge(f func(m diff.Merged)) {
	f(diff.Merged{})

	ways := []diff.Options{
		{},
		{Arrays: diff.Aligned(), Relation: value.Engine | value.IgnoreSecrets},
		{Arrays: diff.Keyed(path.MustParse("name")), ArrayRules: []diff.ArrayRule{{Pattern: s.pattern, Match: diff.Set()}}},
	}

	for _, o := range ways[:s.most(len(ways))] {
		f(diff.Merge(s.v, s.w, value.Object(), o))

		if !s.big {
			f(diff.Merge(value.Null(), s.v, s.w, o))
			f(diff.Merge(s.v, s.w, value.Array(s.v), o))
		}
	}
}

// eachConflict gives a probe the first conflicts of some merges.
func (s *scene) eachConflict(f func(c diff.Conflict)) {
	f(diff.Conflict{})

	merged := []diff.Merged{diff.Merge(s.v, s.w, value.Null(), diff.Options{})}
	if !s.big {
		merged = append(merged, diff.Merge(s.v, s.w, value.Object(), diff.Options{Arrays: diff.Aligned()}))
	}

	for _, m := range merged {
		for i, c := range m.Conflicts {
			if i < s.most(changesSeen) {
				f(c)
			}
		}
	}
}
