package fuzz

import (
	"slices"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// entryText is a key that its provider sent; of our own making it is never below
// a secret.
const entryText = "keys of entries are what a provider sent in the clear"

// protocolProbes are about providers' answers, one's own and others'.
func protocolProbes() []probe {
	return slices.Concat(providerProbes(), foreignProbes(), protocolTextProbes(), answerProbes())
}

// sides are those of a provider's Diff.
func (s *scene) sides() diff.Sides { return diff.Sides{OldInputs: s.v, OldState: s.w, News: s.w} }

// manySides are these and others.
func (s *scene) manySides() []diff.Sides {
	if s.big {
		return []diff.Sides{s.sides()}
	}

	return []diff.Sides{s.sides(), {}, {OldState: s.v, News: s.w}, {OldInputs: s.w, OldState: s.w, News: s.v}}
}

// foreign are responses that somebody else may have sent.
func (s *scene) foreign() []diff.Response {
	var ours diff.Response
	if !s.big { // of a big scene what is read, not what is made, is the question
		ours = diff.ForProvider(s.sides(), diff.ProviderOptions{}).Response(diff.ResponseOptions{})
	}

	theirs := ours
	theirs.Changes, theirs.Diffs, theirs.Replaces = diff.State(200), []string{s.text, "a.b", ""}, []string{s.text}

	for i, key := range []string{s.text, "", `a["`, "a[9223372036854775807]", "a[2147483647].b", "a[0]", "a.b", "a", `["a"]`, "__meta", "#initerror", "a.*"} {
		theirs.Detailed = append(slices.Clone(theirs.Detailed), diff.Entry{Key: key, Kind: diff.Kind(i), InputDiff: i%3 == 0})
	}

	key, err := s.p.Pulumi()
	if err == nil {
		theirs.Detailed = append(theirs.Detailed, diff.Entry{Key: key, Kind: diff.Update})
	}

	if s.big {
		theirs.HasDetailed = true

		return []diff.Response{theirs}
	}

	if err == nil {
		theirs.Detailed = append(theirs.Detailed, diff.Entry{Key: key + ".x[1]", Kind: diff.Delete})
	}

	return []diff.Response{ours, theirs, {}, {Changes: diff.Some}, {Changes: diff.Some, Diffs: []string{s.text, "a"}}, {Changes: diff.Some, HasDetailed: true}}
}

// patterns are some for ignoreChanges.
func (s *scene) ignored() []path.Pattern { return []path.Pattern{s.pattern, s.q.Pattern(), {}} }

func providerProbes() []probe {
	comparisons := func(s *scene) []diff.Comparison {
		all := []diff.Comparison{{}}
		if s.big {
			return append(all, diff.ForProvider(s.sides(), diff.ProviderOptions{}))
		}

		wild := diff.ProviderOptions{Drift: diff.Drift(200), InputNames: []string{s.text}, Compare: diff.Options{Relation: value.Relation(0xffff), Arrays: diff.Aligned()}}
		if s.byIndex {
			wild.Compare.Arrays = diff.Positional()
		}

		for _, o := range []diff.ProviderOptions{
			{},
			{Drift: diff.DriftShown, Ignored: s.ignored(), IgnoreMode: ignore.Corrected},
			wild,
		} {
			all = append(
				all, diff.ForProvider(s.sides(), o), diff.ForProvider(diff.Sides{}, o), diff.ForProvider(diff.Sides{OldState: s.v, News: s.w}, o),
				diff.ForProvider(diff.Sides{OldInputs: s.w, OldState: s.v, News: s.v}, o),
			)
		}

		return all
	}
	each := func(f func(s *scene, c diff.Comparison)) func(s *scene) {
		return func(s *scene) {
			for _, c := range comparisons(s) {
				f(s, c)
			}
		}
	}

	return []probe{
		{"diff.ForProvider", "", each(func(s *scene, c diff.Comparison) { s.say(c) })},
		{"diff.Comparison.Inputs", "", each(func(s *scene, c diff.Comparison) { s.say(c.Inputs()) })},
		{"diff.Comparison.Drift", "", each(func(s *scene, c diff.Comparison) { s.say(c.Drift()) })},
		{"diff.Comparison.Empty", "", each(func(s *scene, c diff.Comparison) { s.say(c.Empty()) })},
		{"diff.Comparison.Response", "", each(func(s *scene, c diff.Comparison) {
			s.say(c.Response(diff.ResponseOptions{}))

			if s.big {
				return
			}

			s.say(c.Response(diff.ResponseOptions{ReplaceOn: s.set, DeleteBeforeReplace: true, Answering: diff.AnswerUnknown}))
			s.say(c.Response(diff.ResponseOptions{Answering: diff.Answering(200), Direction: diff.Direction(200), Side: diff.Side(200)}))
		})},
	}
}

func foreignProbes() []probe {
	each := func(f func(s *scene, r diff.Response)) func(s *scene) {
		return func(s *scene) {
			for _, r := range s.foreign() {
				f(s, r)
			}
		}
	}

	return []probe{
		{"diff.ReadResponse", "", each(func(s *scene, r diff.Response) {
			for _, sides := range s.manySides() {
				reading := diff.ReadResponse(r, sides)
				s.say(reading, reading.Diff, reading.Omitted)

				if !s.big {
					s.say(render.Text(reading.Diff, render.Options{}))
				}
			}
		})},
		{"diff.Validate", "", each(func(s *scene, r diff.Response) {
			for _, sides := range s.manySides() {
				s.say(diff.Validate(r, sides, s.ignored()))
			}
		})},
		{"diff.Fallback", entryText, each(func(s *scene, r diff.Response) {
			s.say(diff.Fallback(r, s.sides(), s.ignored()), diff.Fallback(diff.Response{}, s.sides(), nil), diff.Fallback(r, diff.Sides{}, nil))
		})},
		{"diff.Response.Invert", entryText, each(func(s *scene, r diff.Response) { s.say(r.Invert()) })},
		{"diff.Response.ReplaceOn", entryText, each(func(s *scene, r diff.Response) {
			s.say(r.ReplaceOn(s.sides(), diff.ReplaceOptions{Patterns: s.set, InitErrors: true}))
			s.say(r.ReplaceOn(diff.Sides{}, diff.ReplaceOptions{Patterns: path.NewSet(path.PatternOf(path.Any())), Direction: diff.Direction(200), InitErrors: true}))
		})},
		{"diff.NextStep", "", each(func(s *scene, r diff.Response) {
			s.say(diff.NextStep(r, diff.Situation{}), diff.NextStep(r, diff.Situation{Moment: diff.Moment(200), Order: diff.Order(200)}))
			s.say(diff.NextStep(r, diff.Situation{PendingReplacement: true, InitErrors: true}), diff.NextStep(r, diff.Situation{Unavailable: true}))
		})},
	}
}

func protocolTextProbes() []probe {
	findings := func(f func(s *scene, found diff.Finding)) func(s *scene) {
		return func(s *scene) {
			f(s, diff.Finding{})
			f(s, diff.Finding{Code: diff.Code(200), Entry: s.index, At: path.Show(s.p, 0)})

			for _, r := range s.foreign() {
				for _, found := range diff.Validate(r, s.sides(), s.ignored()) {
					f(s, found)
				}
			}
		}
	}

	return []probe{
		{"diff.Finding.Severity", "", findings(func(s *scene, f diff.Finding) { s.say(f.Severity()) })},
		{"diff.Finding.String", "", findings(func(s *scene, f diff.Finding) { s.say(f.String(), f) })},
		{"diff.Code.Advice", "", func(s *scene) { s.say(diff.Code(0).Advice(), diff.Code(200).Advice()) }},
		{"diff.Code.MarshalText", "", func(s *scene) { s.say(diff.Code(200).MarshalText()) }},
		{"diff.Code.Severity", "", func(s *scene) { s.say(diff.Code(0).Severity(), diff.Code(200).Severity()) }},
		{"diff.Code.String", "", func(s *scene) { s.say(diff.Code(0).String(), diff.Code(1).String(), diff.Code(200).String()) }},
		{"diff.Severity.String", "", func(s *scene) { s.say(diff.Severity(0).String(), diff.Severity(200).String()) }},
		{"diff.Omission.String", "", func(s *scene) { s.say(diff.Omission(0).String(), diff.Omission(200).String()) }},
		{"diff.Step.String", "", func(s *scene) { s.say(diff.Step(0).String(), diff.Step(200).String()) }},
		{"diff.Cause.String", "", func(s *scene) { s.say(diff.Cause(0).String(), diff.Cause(200).String()) }},
		{"diff.Next.ChecksAgain", "", func(s *scene) { s.say(diff.Next{}.ChecksAgain(), diff.Next{Step: 200}.ChecksAgain()) }},
		{"diff.Next.Replaces", "", func(s *scene) { s.say(diff.Next{}.Replaces(), diff.Next{Step: 200}.Replaces()) }},
		{"diff.Next.Warns", "", func(s *scene) { s.say(diff.Next{}.Warns(), diff.Next{Why: 200}.Warns()) }},
		{"diff.ParseKind", "", func(s *scene) { s.say(diff.ParseKind(s.text)); s.say(diff.ParseKind("add-replace")) }},
		{"diff.Kind.UnmarshalText", "", func(s *scene) {
			var k diff.Kind

			s.say(k.UnmarshalText([]byte(s.text)), k, k.UnmarshalText(nil))
		}},
	}
}

// answerProbes are those of codec/rpc that have to do with Diff.
func answerProbes() []probe {
	requests := func(s *scene) []*rpc.DiffRequest {
		return []*rpc.DiffRequest{
			nil, {}, {OldInputs: s.v, Olds: s.v, News: s.w, IgnoreChanges: []string{s.text, "a[*]", `a["`}}, {Olds: value.Object(), News: value.Secret(value.Array(s.v))},
		}
	}

	return []probe{
		{"codec/rpc.Answer", entryText, func(s *scene) {
			for _, r := range requests(s) {
				s.say(rpc.Answer(r, rpc.AnswerOptions{}))
				s.say(rpc.Answer(r, rpc.AnswerOptions{Respond: diff.ResponseOptions{ReplaceOn: s.set}, Compare: diff.ProviderOptions{Drift: diff.DriftShown}}))
			}
		}},
		{"codec/rpc.DiffRequest.Sides", "", func(s *scene) {
			for _, r := range requests(s) {
				s.say(r.Sides())
			}
		}},
		{"codec/rpc.DiffRequest.Ignored", plainPath, func(s *scene) {
			for _, r := range requests(s) {
				s.say(r.Ignored())
			}
		}},
		{"codec/rpc.NewDiffResponse", entryText, func(s *scene) {
			for _, r := range s.foreign() {
				s.say(rpc.NewDiffResponse(r))
			}
		}},
		{"codec/rpc.DiffResponse.Response", entryText, func(s *scene) {
			s.say((*rpc.DiffResponse)(nil).Response())

			m := rpc.DiffResponse{Changes: -1, DetailedDiff: map[string]rpc.PropertyDiff{s.text: {Kind: -1}, "a": {Kind: 300}, "": {}}}
			s.say(m.Response())
		}},
	}
}
