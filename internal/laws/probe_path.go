package laws

import (
	"fmt"
	"io"
	"iter"

	"github.com/propalg/propalg/path"
)

func pathProbes() []probe {
	return []probe{
		{"path.Of", plainPath, func(s *scene) { s.say(path.Of(s.step, s.step)) }},
		{"path.Key", plainPath, func(s *scene) { s.say(path.Key(s.text)) }},
		{"path.Index", "", func(s *scene) { s.say(path.Index(s.index)) }},
		{"path.Any", "", func(s *scene) { s.say(path.Any()) }},
		{"path.Show", "", func(s *scene) { s.say(s.shown, path.Show(s.p, 0), path.Show(path.Path{}, s.index)) }},
		{"path.Step.AppendPulumi", plainPath, func(s *scene) {
			for _, first := range []bool{true, false} {
				s.say(s.step.AppendPulumi(nil, first))
				s.say(path.Key(s.text).AppendPulumi([]byte("a"), first))
			}
			s.say(path.Step{}.AppendPulumi(nil, true))
		}},
		{"path.Step.Compare", "", func(s *scene) { s.say(s.step.Compare(path.Key(s.text)), path.Index(s.index).Compare(s.step)) }},
		{"path.Step.Equal", "", func(s *scene) { s.say(s.step.Equal(path.Key(s.text))) }},
		{"path.Step.Index", "", func(s *scene) { s.say(s.step.Index()) }},
		{"path.Step.IsKey", "", func(s *scene) { s.say(s.step.IsKey(), path.Step{}.IsKey()) }},
		{"path.Step.Key", plainPath, func(s *scene) { s.say(s.step.Key()) }},
		{"path.Path.Size", "", func(s *scene) { s.say(s.p.Size() >= s.p.Len()) }},
		{"path.Path.Append", plainPath, func(s *scene) { s.say(s.p.Append(), s.q.Append(s.step, path.Index(s.index))) }},
		{"path.Path.Compare", "", func(s *scene) { s.say(s.p.Compare(s.q), s.q.Compare(s.p)) }},
		{"path.Path.Cut", plainPath, func(s *scene) { s.say(s.p.Cut()) }},
		{"path.Path.Equal", "", func(s *scene) { s.say(s.p.Equal(s.q)) }},
		{"path.Path.HasPrefix", "", func(s *scene) { s.say(s.p.HasPrefix(s.q), s.q.HasPrefix(path.Path{})) }},
		{"path.Path.Index", plainPath, func(s *scene) { s.say(s.q.Index(s.index)) }},
		{"path.Path.IsRoot", "", func(s *scene) { s.say(s.p.IsRoot()) }},
		{"path.Path.Join", plainPath, func(s *scene) { s.say(s.p.Join(s.q)) }},
		{"path.Path.Key", plainPath, func(s *scene) { s.say(s.q.Key(s.text)) }},
		{"path.Path.Last", plainPath, func(s *scene) { s.say(s.p.Last()) }},
		{"path.Path.Len", "", func(s *scene) { s.say(s.p.Len()) }},
		{"path.Path.Parent", plainPath, func(s *scene) { s.say(s.p.Parent()) }},
		{"path.Path.Pattern", plainPath, func(s *scene) { s.say(s.p.Pattern()) }},
		{"path.Path.Prefix", plainPath, func(s *scene) { s.say(s.p.Prefix(s.index)) }},
		{"path.Path.Steps", plainPath, func(s *scene) {
			for step := range s.q.Steps() {
				s.say(step)

				break
			}
		}},
		{"path.Path.TrimPrefix", plainPath, func(s *scene) { s.say(s.p.TrimPrefix(s.q)) }},
	}
}

// pathTextProbes are about texts of paths, and what is read from texts.
func pathTextProbes() []probe {
	return []probe{
		{"path.Parse", plainPath, func(s *scene) { s.say(path.Parse(s.text)) }},
		{"path.ParsePulumi", plainPath, func(s *scene) { s.say(path.ParsePulumi(s.text)) }},
		{"path.ParsePattern", plainPath, func(s *scene) { s.say(path.ParsePattern(s.text)) }},
		{"path.ParsePulumiPattern", plainPath, func(s *scene) { s.say(path.ParsePulumiPattern(s.text)) }},
		{"path.MustParse", plainPath, func(s *scene) { s.say(path.MustParse(s.p.String())) }},
		{"path.MustParsePattern", plainPath, func(s *scene) { s.say(path.MustParsePattern(s.pattern.String())) }},
		{"path.Step.Pulumi", plainPath, func(s *scene) { s.say(s.step.Pulumi()); s.say(path.Step{}.Pulumi()) }},
		{"path.Step.String", plainPath, func(s *scene) { s.say(s.step.String()) }},
		{"path.Path.String", plainPath, func(s *scene) { s.say(s.p.String()) }},
		{"path.Path.JSONPointer", plainPath, func(s *scene) { s.say(s.p.JSONPointer(), s.q.JSONPointer()) }},
		{"path.ParseJSONPointer", plainPath, func(s *scene) {
			s.say(path.ParseJSONPointer(s.text))
			s.say(path.ParseJSONPointer("/" + s.text))
			s.say(path.ParseJSONPointer(s.q.JSONPointer()))
		}},
		{"path.Path.GoString", plainPath, func(s *scene) { s.say(s.p.GoString()) }},
		{"path.Path.MarshalText", plainPath, func(s *scene) { s.say(s.p.MarshalText()) }},
		{"path.Path.UnmarshalText", plainPath, func(s *scene) {
			p := s.q
			s.say(p.UnmarshalText([]byte(s.text)), p.UnmarshalText(nil))
		}},
		{"path.Path.Pulumi", plainPath, func(s *scene) { s.say(s.p.Pulumi()) }},
		{"path.Error.Error", plainPath, func(s *scene) {
			_, err := path.Parse(s.text + "[")
			s.say(err.Error(), (&path.Error{}).Error(), (&path.Error{Input: s.text, Offset: s.index}).Error())
		}},
		{"path.Error.Unwrap", "", func(s *scene) { s.say((&path.Error{Input: s.text}).Unwrap()) }},
		{"path.Shown.Cut", "", func(s *scene) { s.eachShown(func(x path.Shown) { s.say(x.Cut()) }) }},
		{"path.Shown.Equal", "", func(s *scene) { s.eachShown(func(x path.Shown) { s.say(x.Equal(path.Show(s.p, 1))) }) }},
		{"path.Shown.Format", "", func(s *scene) { s.say(s.shown); s.eachShown(func(x path.Shown) { everyVerb(s, x) }) }},
		{"path.Shown.MarshalText", "", func(s *scene) { s.eachShown(func(x path.Shown) { s.say(x.MarshalText()) }) }},
		{"path.Shown.Path", "", func(s *scene) { s.eachShown(func(x path.Shown) { s.say(x.Path()) }) }},
		{"path.Shown.RevealPath", "its name says so", func(s *scene) { s.eachShown(func(x path.Shown) { s.say(x.RevealPath()) }) }},
		{"path.Shown.String", "", func(s *scene) { s.eachShown(func(x path.Shown) { s.say(x.String()) }) }},
	}
}

func (s *scene) eachShown(f func(x path.Shown)) {
	f(path.Shown{})

	for i, x := range s.shown {
		if i < s.most(partsSeen/2) {
			f(x)
		}
	}
}

// everyVerb says x with every verb of package fmt and some that are none, bare
// and with flags; with a few in a big scene.
func everyVerb[T any](s *scene, x T) {
	for line := range inEveryVerb(x, s.big) {
		_, _ = io.WriteString(s.output(), line+"\n")
	}
}

func inEveryVerb[T any](x T, few bool) iter.Seq[string] {
	verbs, flags := "vTtbcdoOqxXUeEfFgGspwzZ!%", []string{"", "+", "#", "-12", "# 20.300", "[1]"}
	if few {
		verbs, flags = "vd", flags[:1]
	}

	return func(yield func(string) bool) {
		for _, verb := range verbs {
			for _, flag := range flags {
				if !yield(fmt.Sprintf("%"+flag+string(verb), x)) {
					return
				}
			}
		}
	}
}

func patternProbes() []probe {
	return []probe{
		{"path.PatternOf", plainPath, func(s *scene) { s.say(path.PatternOf(path.Any(), s.step)) }},
		{"path.Step.IsWildcard", "", func(s *scene) { s.say(s.step.IsWildcard(), path.Step{}.IsWildcard()) }},
		{"path.Pattern.Append", plainPath, func(s *scene) { s.say(s.pattern.Append(s.step, path.Any())) }},
		{"path.Pattern.Cut", plainPath, func(s *scene) { s.say(s.pattern.Cut()) }},
		{"path.Pattern.Covers", "", func(s *scene) { s.say(s.pattern.Covers(s.p), s.pattern.Covers(s.q)) }},
		{"path.Pattern.Equal", "", func(s *scene) { s.say(s.pattern.Equal(s.p.Pattern())) }},
		{"path.Pattern.GoString", plainPath, func(s *scene) { s.say(s.pattern.GoString()) }},
		{"path.Pattern.IsRoot", "", func(s *scene) { s.say(s.pattern.IsRoot()) }},
		{"path.Pattern.MarshalText", plainPath, func(s *scene) { s.say(s.pattern.MarshalText()) }},
		{"path.Pattern.Matches", "", func(s *scene) { s.say(s.pattern.Matches(s.p)) }},
		{"path.Pattern.Path", plainPath, func(s *scene) { s.say(s.pattern.Path()) }},
		{"path.Pattern.Pulumi", plainPath, func(s *scene) { s.say(s.pattern.Pulumi()) }},
		{"path.Pattern.Steps", plainPath, func(s *scene) {
			for step := range s.pattern.Steps() {
				s.say(step)

				break
			}
		}},
		{"path.Pattern.String", plainPath, func(s *scene) { s.say(s.pattern.String()) }},
		{"path.Pattern.Touches", "", func(s *scene) { s.say(s.pattern.Touches(s.p), s.pattern.Touches(s.q)) }},
		{"path.Pattern.UnmarshalText", plainPath, func(s *scene) {
			p := s.pattern
			s.say(p.UnmarshalText([]byte(s.text)), p.UnmarshalText(nil))
		}},
	}
}

func setProbes() []probe {
	none := func() *path.Set { return nil }

	return []probe{
		{"path.MustSet", "", func(s *scene) { s.say(path.MustSet("a", "b[*]").Len()) }},
		{"path.NewSet", "", func(s *scene) { s.say(path.NewSet(s.pattern, s.pattern, path.Pattern{}).Len()) }},
		{"path.Set.Covers", "", func(s *scene) { s.say(s.set.Covers(s.p), none().Covers(s.p), (&path.Set{}).Covers(s.p)) }},
		{"path.Set.At", "", func(s *scene) { s.say(s.set.At(s.p).Ends(), none().At(s.p).Touches()) }},
		{"path.Set.Len", "", func(s *scene) { s.say(s.set.Len(), none().Len()) }},
		{"path.Set.Patterns", plainPath, func(s *scene) {
			for i, p := range s.set.Patterns() {
				s.say(i, p)
			}

			for range none().Patterns() {
				s.say("a pattern in no set")
			}
		}},
		{"path.Set.Start", "", func(s *scene) { s.say(s.set.Start().Dead(), none().Start().Dead()) }},
		{"path.State.Covers", "", func(s *scene) { s.say(s.state.Covers(), path.State{}.Covers()) }},
		{"path.State.Dead", "", func(s *scene) { s.say(s.state.Dead(), path.State{}.Dead()) }},
		{"path.State.Ends", "", func(s *scene) { s.say(s.state.Ends(), path.State{}.Ends()) }},
		{"path.State.Matched", "", func(s *scene) {
			for i := range s.state.Matched() {
				s.say(i)
			}

			for range (path.State{}).Matched() {
				s.say("a match in no set")
			}
		}},
		{"path.State.Step", "", func(s *scene) { s.say(s.state.Step(s.step).Dead(), path.State{}.Step(s.step).Dead()) }},
		{"path.State.Touches", "", func(s *scene) { s.say(s.state.Touches(), path.State{}.Touches()) }},
	}
}
