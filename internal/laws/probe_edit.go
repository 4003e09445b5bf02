package laws

import (
	"io"
	"strings"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

func editProbes() []probe {
	return []probe{
		{"value.Value.With", "", func(s *scene) {
			s.say(s.v.With(s.p, s.w))
			s.say(s.v.With(s.q, s.v))
			s.say(s.v.With(s.p.Key(s.text), s.w))
			s.say(s.v.With(s.p.Index(s.index), s.w))
			s.say(s.v.With(s.p.Key("no").Key("such"), s.w))
		}},
		{"value.Value.Put", "", func(s *scene) {
			s.say(s.v.Put(s.p, s.w))
			s.say(s.v.Put(s.q.Key(s.text).Index(0), s.v))
			s.say(s.v.Put(s.p.Index(s.index), s.w))
			s.say(value.Null().Put(s.p, s.w))
		}},
		{"value.Value.Without", "", func(s *scene) {
			s.say(s.v.Without(s.p))
			s.say(s.v.Without(s.p.Index(s.index)))
			s.say(s.v.Without(path.Path{}))
			s.say(s.w.Without(s.p.Key(s.text).Key(s.text)))
		}},
		{"value.MarkSecret", "", func(s *scene) { s.say(value.MarkSecret(s.v, s.set), value.MarkSecret(s.w, nil)) }},
		{"value.Value.WithDependencies", "", func(s *scene) { s.say(s.v.WithDependencies(), s.v.WithDependencies(s.u.String(), s.u.String())) }},
		{"value.Value.DependingOn", "", func(s *scene) { s.each(func(v value.Value) { s.say(s.v.DependingOn(v)) }) }},
		{"value.Value.DropDependencies", "", func(s *scene) { s.each(func(v value.Value) { s.say(v.DropDependencies()) }) }},
		{"value.Value.DropSecret", dropper, func(s *scene) { s.each(func(v value.Value) { s.say(v.DropSecret()) }) }},
	}
}

// valueTextProbes make texts of values.
func valueTextProbes() []probe {
	members := func(s *scene, f func(m value.Member)) {
		f(value.Member{})
		s.few(func(v value.Value) {
			for k, m := range v.Members() {
				f(value.Member{Key: k, Value: m})

				break
			}
		})
	}
	assets := func(s *scene, f func(a value.Asset, r value.Archive)) {
		s.few(func(v value.Value) {
			a, _ := v.AsAsset()
			r, _ := v.AsArchive()
			f(a, r)
		})
	}

	return []probe{
		{"value.Value.Format", "", func(s *scene) { s.few(func(v value.Value) { everyVerb(s, v); everyVerb(s, &v) }) }},
		{"value.Value.GoString", "", func(s *scene) { s.each(func(v value.Value) { s.say(v.GoString()) }) }},
		{"value.Value.LogValue", "", func(s *scene) { s.each(func(v value.Value) { s.say(v.LogValue(), v.LogValue().String()) }) }},
		{"value.Value.MarshalJSON", "", func(s *scene) { s.each(func(v value.Value) { s.say(v.MarshalJSON()) }) }},
		{"value.Value.String", "", func(s *scene) { s.each(func(v value.Value) { s.say(v.String()) }) }},
		{"value.Member.Format", "", func(s *scene) {
			members(s, func(m value.Member) {
				for line := range inEveryVerb(m, s.big) {
					// fmt does not ask for a text under %p and %w: it shows the
					// fields, and a key is one.
					if !strings.HasPrefix(line, "%!p(") && !strings.HasPrefix(line, "%!w(") {
						_, _ = io.WriteString(s.output(), line+"\n")
					}
				}
			})
		}},
		{"value.Member.MarshalJSON", "", func(s *scene) { members(s, func(m value.Member) { s.say(m.MarshalJSON()) }) }},
		{"value.Member.String", "", func(s *scene) { members(s, func(m value.Member) { s.say(m.String()) }) }},
		{"value.Asset.Format", plainPart, func(s *scene) { assets(s, func(a value.Asset, _ value.Archive) { everyVerb(s, a) }) }},
		{"value.Asset.String", plainPart, func(s *scene) { assets(s, func(a value.Asset, _ value.Archive) { s.say(a.String()) }) }},
		{"value.Archive.Format", plainPart, func(s *scene) { assets(s, func(_ value.Asset, r value.Archive) { everyVerb(s, r) }) }},
		{"value.Archive.String", plainPart, func(s *scene) { assets(s, func(_ value.Asset, r value.Archive) { s.say(r.String()) }) }},
		{"value.Error.Error", "", func(s *scene) {
			s.say((&value.Error{}).Error(), (&value.Error{Op: "x", At: path.Show(s.p, 0)}).Error())
			s.eachEditError(func(err error) { s.say(err, err.Error()) })
		}},
		{"value.Error.Unwrap", "", func(s *scene) {
			s.say((&value.Error{}).Unwrap())
			s.eachEditError(func(err error) { s.say(err) })
		}},
	}
}

// eachEditError makes edits that fail at and below every place.
func (s *scene) eachEditError(f func(err error)) {
	for _, v := range []value.Value{s.v, s.w} {
		n := 0

		for c := range v.Walk() {
			p := c.Path()

			for _, below := range []path.Path{p.Key("no").Key("such"), p.Index(path.MaxIndex), p.Key("a").Index(1 << 20), p.Index(0).Key("k")} {
				if _, err := v.With(below, s.w); err != nil {
					f(err)
				}

				if _, err := v.Put(below, s.w); err != nil {
					f(err)
				}
			}

			if n++; n == s.most(partsSeen) {
				break
			}
		}
	}
}
