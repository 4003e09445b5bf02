package laws

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/equality"
	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/internal/cloud"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/value"
)

// entryText is a key that its provider sent; of our own making it is never below
// a secret.
const entryText = "keys of entries are what a provider sent in the clear"

// protocolProbes are about providers' answers, one's own and others'.
func protocolProbes() []probe {
	return slices.Concat(providerProbes(), foreignProbes(), decisionProbes(), runProbes(), protocolTextProbes(), answerProbes())
}

// sides are those of a provider's Diff.
func (s *scene) sides() provider.Sides {
	return provider.Sides{OldInputs: s.v, OldState: s.w, News: s.w}
}

// manySides are these and others.
func (s *scene) manySides() []provider.Sides {
	if s.big {
		return []provider.Sides{s.sides()}
	}

	return []provider.Sides{s.sides(), {}, {OldState: s.v, News: s.w}, {OldInputs: s.w, OldState: s.w, News: s.v}}
}

// foreign returns responses that other providers may send.
func (s *scene) foreign() []provider.Response {
	var ours provider.Response
	if !s.big { // of a big scene what is read, not what is made, is the question
		ours = provider.Compare(s.sides(), provider.Options{}).Response(provider.Options{})
	}

	theirs := ours
	theirs.Changes, theirs.Diffs, theirs.Replaces = provider.Changes(200), []string{s.text, "a.b", ""}, []string{s.text}

	for i, key := range []string{s.text, "", `a["`, "a[9223372036854775807]", "a[2147483647].b", "a[0]", "a.b", "a", `["a"]`, "__meta", "#initerror", "a.*"} {
		theirs.Detailed = append(slices.Clone(theirs.Detailed), provider.Entry{Key: key, Kind: provider.Kind(i), InputDiff: i%3 == 0})
	}

	key, err := s.p.Pulumi()
	if err == nil {
		theirs.Detailed = append(theirs.Detailed, provider.Entry{Key: key, Kind: provider.Update})
	}

	if s.big {
		theirs.HasDetailed = true

		return []provider.Response{theirs}
	}

	if err == nil {
		theirs.Detailed = append(theirs.Detailed, provider.Entry{Key: key + ".x[1]", Kind: provider.Delete})
	}

	return []provider.Response{ours, theirs, {}, {Changes: provider.Some}, {Changes: provider.Some, Diffs: []string{s.text, "a"}}, {Changes: provider.Some, HasDetailed: true}}
}

// patterns are some for ignoreChanges.
func (s *scene) ignored() []path.Pattern { return []path.Pattern{s.pattern, s.q.Pattern(), {}} }

func providerProbes() []probe {
	comparisons := func(s *scene) []provider.Comparison {
		all := []provider.Comparison{{}}
		if s.big {
			return append(all, provider.Compare(s.sides(), provider.Options{}))
		}

		wild := provider.Options{Drift: true, InputNames: []string{s.text}, Relation: value.Relation(0xffff), Arrays: diff.Aligned()}
		if s.byIndex {
			wild.Arrays = diff.Positional()
		}

		for _, o := range []provider.Options{
			{},
			{Drift: true, Ignored: s.ignored(), IgnoreMode: ignore.Corrected},
			wild,
		} {
			all = append(
				all, provider.Compare(s.sides(), o), provider.Compare(provider.Sides{}, o), provider.Compare(provider.Sides{OldState: s.v, News: s.w}, o),
				provider.Compare(provider.Sides{OldInputs: s.w, OldState: s.v, News: s.v}, o),
			)
		}

		return all
	}
	each := func(f func(s *scene, c provider.Comparison)) func(s *scene) {
		return func(s *scene) {
			for _, c := range comparisons(s) {
				f(s, c)
			}
		}
	}

	return []probe{
		{"provider.Compare", "", each(func(s *scene, c provider.Comparison) { s.say(c) })},
		{"provider.Comparison.Inputs", "", each(func(s *scene, c provider.Comparison) { s.say(c.Inputs()) })},
		{"provider.Comparison.Drift", "", each(func(s *scene, c provider.Comparison) { s.say(c.Drift()) })},
		{"provider.Comparison.Suppressed", "", each(func(s *scene, c provider.Comparison) { s.say(c.Suppressed()) })},
		{"provider.Options.Unmatched", "", func(s *scene) {
			o := provider.Options{
				ReplaceOn: path.NewSet(s.anywhere()...), Ignored: s.anywhere(), ArrayRules: []diff.ArrayRule{{Pattern: s.anywhere()[0]}},
				Equality: equality.MustRules(equality.Rule{Pattern: s.anywhere()[1]}),
			}
			s.say(o.Unmatched(s.sides()), new(provider.Options).Unmatched(provider.Sides{}))
		}},
		{"provider.Comparison.Empty", "", each(func(s *scene, c provider.Comparison) { s.say(c.Empty()) })},
		{"provider.Comparison.Response", "", each(func(s *scene, c provider.Comparison) {
			s.say(c.Response(provider.Options{}))

			if s.big {
				return
			}

			s.say(c.Response(provider.Options{ReplaceOn: s.set, DeleteBeforeReplace: true, AnswerUnknown: true}))
			s.say(c.Response(provider.Options{AnswerUnknown: true, Direction: provider.Direction(200), InputDiff: true}))
		})},
	}
}

func foreignProbes() []probe {
	each := func(f func(s *scene, r provider.Response)) func(s *scene) {
		return func(s *scene) {
			for _, r := range s.foreign() {
				f(s, r)
			}
		}
	}

	return []probe{
		{"provider/check.Read", "", each(func(s *scene, r provider.Response) {
			for _, sides := range s.manySides() {
				reading := check.Read(r, sides)
				s.say(reading, reading.Diff, reading.Omitted)

				if !s.big {
					s.say(render.Text(reading.Diff, render.Options{}))
				}
			}
		})},
		{"provider/check.Validate", "", each(func(s *scene, r provider.Response) {
			for _, sides := range s.manySides() {
				s.say(check.Validate(r, sides, provider.Options{Ignored: s.ignored()}))
			}
		})},
		{"engine.Fallback", entryText, each(func(s *scene, r provider.Response) {
			s.say(engine.Fallback(r, s.sides(), s.ignored()), engine.Fallback(provider.Response{}, s.sides(), nil), engine.Fallback(r, provider.Sides{}, nil))
		})},
		{"provider.Response.Invert", entryText, each(func(s *scene, r provider.Response) { s.say(r.Invert()) })},
		{"engine.ReplaceOnChanges", entryText, each(func(s *scene, r provider.Response) {
			s.say(engine.ReplaceOnChanges(r, s.sides(), engine.ReplaceOptions{Patterns: s.set, InitErrors: true}))
			s.say(engine.ReplaceOnChanges(r, provider.Sides{}, engine.ReplaceOptions{Patterns: path.NewSet(path.PatternOf(path.Any())), Direction: provider.Direction(200), InitErrors: true}))
		})},
		{"engine.Next", "", each(func(s *scene, r provider.Response) {
			s.say(engine.Next(r, engine.Situation{}), engine.Next(r, engine.Situation{Operation: engine.Operation(200), Order: engine.ReplaceOrder(200)}))
			s.say(engine.Next(r, engine.Situation{PendingReplacement: true, InitErrors: true}), engine.Next(r, engine.Situation{Unavailable: true}))
		})},
	}
}

// decisionProbes are those of package engine that ask no provider.
func decisionProbes() []probe {
	written := func(s *scene, all ...state.Resource) {
		for _, r := range all {
			s.say(r.Inputs, r.Outputs, r.InitErrors)
		}
	}

	return []probe{
		{"engine.Kind.String", "", func(s *scene) { s.say(engine.Kind(0).String(), engine.Kind(200).String()) }},
		{"engine.KindOf", "", func(s *scene) {
			r := engine.Goal{ImportID: s.text}
			s.say(engine.KindOf(r, nil), engine.KindOf(r, &state.Resource{ID: s.text}), engine.KindOf(engine.Goal{}, &state.Resource{}))
		}},
		{"engine.Lookup", "", func(s *scene) {
			_, err := engine.Lookup([]engine.Plugin{{Name: s.text, Version: s.text}, {}}, s.text, s.text)
			s.say(err)
		}},
		{"engine.DefaultProvider", "", func(s *scene) {
			_, err := engine.DefaultProvider(s.text)
			s.say(err)
		}},
		{"engine.Written", "", func(s *scene) {
			old, now := state.Resource{Inputs: s.v, Outputs: s.w}, state.Resource{Inputs: s.w, Outputs: s.v}
			for step := range engine.StepDeleteFirst + 2 {
				for calls := range 4 {
					written(s, engine.Written(step, calls-1, old, now)...)
				}
			}
		}},
		{"engine.Refreshed", "", func(s *scene) {
			now, _ := engine.Refreshed(state.Resource{Inputs: s.v, Outputs: s.w}, &rpc.ReadResponse{ID: s.text, Inputs: s.w}, []string{s.text})
			written(s, now)
		}},
	}
}

// stackRun is a method of a stack.
type stackRun func(s *scene, stack *engine.Stack, p engine.Program) iter.Seq2[engine.Action, error]

// probedRun runs a stack with the values of a scene, at first as it should go, and then with
// a provider that quotes what it is sent.
func probedRun(name string, of stackRun) probe {
	return probe{"engine." + name, "", func(s *scene) {
		c := &cloud.Cloud{}
		stack := &engine.Stack{Launch: func(context.Context, engine.Plugin) (rpc.Provider, error) { return c.New(), nil }}
		sayRun(s, stack, updateRun, s.v, "")
		sayRun(s, stack, of, s.w, "")
		sayRun(s, stack, of, s.w, s.text)

		methods := []string{"Create", "Create+", "Update", "Update+", "Read", "Delete"}
		for _, method := range methods[:s.most(len(methods))] {
			c.Fail = func(m, _ string) error {
				if m == method {
					return fmt.Errorf("refused %v", value.Reveal(s.v)) // which the stack knows
				}

				return nil
			}

			sayRun(s, stack, updateRun, s.v, "")
			sayRun(s, stack, of, s.w, "")
		}
	}}
}

func updateRun(_ *scene, stack *engine.Stack, p engine.Program) iter.Seq2[engine.Action, error] {
	return stack.Update(context.Background(), p)
}

// sayRun says all that can be seen of a run.
func sayRun(s *scene, stack *engine.Stack, of stackRun, inputs value.Value, id string) {
	p := engine.Program{Stack: "dev", Project: "shop", Resources: []engine.Goal{
		{Type: "demo:index:Thing", Name: "a", Inputs: inputs, ImportID: id},
		{Type: "demo:index:Thing", Name: "b", Compute: func(output func(resource, property string) value.Value) value.Value {
			return value.Object(value.Field("name", output("a", "name")), value.Field("size", output("a", "arn")))
		}},
	}}

	var actions []engine.Action

	for a, err := range of(s, stack, p) {
		actions = append(actions, a)
		s.say(a.String(), err)

		resources, pending := stack.State()
		s.say(len(pending))

		for _, r := range resources {
			s.say(r.URN, r.Inputs, r.Outputs)
		}
	}

	for _, a := range engine.Explain(actions, "urn:pulumi:dev::shop::demo:index:Thing::b") {
		s.say(a.String())
	}
}

// runProbes are those of the runs of a stack.
func runProbes() []probe {
	return []probe{
		probedRun("Stack.Update", updateRun),
		{"engine.RevealError", "its name says so", func(s *scene) {
			c := &cloud.Cloud{Fail: func(method, _ string) error { return fmt.Errorf("%s of %v fails", method, value.Reveal(s.v)) }}
			stack := &engine.Stack{Launch: func(context.Context, engine.Plugin) (rpc.Provider, error) { return c.New(), nil }}
			p := engine.Program{Stack: "dev", Project: "shop", Resources: []engine.Goal{{Type: "demo:index:Thing", Name: "a", Inputs: s.v}}}
			for _, err := range stack.Update(context.Background(), p) {
				s.say(engine.RevealError(err))
			}
		}},
		probedRun("Stack.State", updateRun),
		probedRun("Action.String", updateRun),
		probedRun("Explain", updateRun),
		probedRun("Stack.Preview", func(_ *scene, stack *engine.Stack, p engine.Program) iter.Seq2[engine.Action, error] {
			return stack.Preview(context.Background(), p)
		}),
		probedRun("Stack.Import", func(_ *scene, stack *engine.Stack, p engine.Program) iter.Seq2[engine.Action, error] {
			return stack.Import(context.Background(), p)
		}),
		probedRun("Stack.Refresh", func(_ *scene, stack *engine.Stack, _ engine.Program) iter.Seq2[engine.Action, error] {
			return stack.Refresh(context.Background())
		}),
		probedRun("Stack.Destroy", func(_ *scene, stack *engine.Stack, _ engine.Program) iter.Seq2[engine.Action, error] {
			return stack.Destroy(context.Background())
		}),
	}
}

func protocolTextProbes() []probe {
	findings := func(f func(s *scene, found check.Finding)) func(s *scene) {
		return func(s *scene) {
			f(s, check.Finding{})
			f(s, check.Finding{Code: "?", Severity: 200, Entry: s.index, At: path.Show(s.p, 0)})

			for _, r := range s.foreign() {
				for _, found := range check.Validate(r, s.sides(), provider.Options{Ignored: s.ignored()}) {
					f(s, found)
				}
			}

			for _, found := range check.Violations(&rpc.UpdateRequest{Olds: s.v, News: s.w, OldInputs: s.v}, &rpc.UpdateResponse{Properties: s.w}) {
				f(s, found)
			}
		}
	}

	return []probe{
		{"provider/check.Finding.String", "", findings(func(s *scene, f check.Finding) { s.say(f.String(), f) })},
		{"provider/check.Rules", "", func(s *scene) {
			for r := range check.Rules() {
				s.say(r.Code, r.Severity, r.Advice)
			}
		}},
		{"provider/check.Severity.String", "", func(s *scene) { s.say(check.Severity(0).String(), check.Severity(200).String()) }},
		{"provider/check.Omission.String", "", func(s *scene) { s.say(check.Omission(0).String(), check.Omission(200).String()) }},
		{"engine.Step.String", "", func(s *scene) { s.say(engine.Step(0).String(), engine.Step(200).String()) }},
		{"engine.Reason.String", "", func(s *scene) { s.say(engine.Reason(0).String(), engine.Reason(200).String()) }},
		{"engine.Decision.ChecksAgain", "", func(s *scene) { s.say(engine.Decision{}.ChecksAgain(), engine.Decision{Step: 200}.ChecksAgain()) }},
		{"engine.Decision.Replaces", "", func(s *scene) { s.say(engine.Decision{}.Replaces(), engine.Decision{Step: 200}.Replaces()) }},
		{"engine.Decision.Warns", "", func(s *scene) { s.say(engine.Decision{}.Warns(), engine.Decision{Why: 200}.Warns()) }},
		{"provider.Entry.Path", entryText, func(s *scene) {
			s.say(provider.Entry{Key: "a.b[0]"}.Path(), provider.Entry{Key: `a["`}.Path(), provider.Entry{}.Path())
			for _, e := range provider.Respond(s.d, provider.Options{}).Detailed {
				s.say(e.Path())
			}
		}},
		{"provider.Entry.Replace", "", func(s *scene) {
			s.say(provider.Entry{Kind: 200}.Replace(), provider.Entry{Kind: -1}.Replace(), provider.Entry{Kind: provider.AddReplace}.Replace())
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
		{"provider.Answer", entryText, func(s *scene) {
			for _, r := range requests(s) {
				s.say(provider.Answer(r, provider.Options{}))
				s.say(provider.Answer(r, provider.Options{ReplaceOn: s.set, Drift: true}))
			}
		}},
		{"provider.SidesOf", "", func(s *scene) {
			for _, r := range requests(s) {
				s.say(provider.SidesOf(r))
			}
		}},
		{"provider.IgnoredOf", plainPath, func(s *scene) {
			for _, r := range requests(s) {
				s.say(provider.IgnoredOf(r))
			}
		}},
		{"provider.NewDiffResponse", entryText, func(s *scene) {
			for _, r := range s.foreign() {
				s.say(provider.NewDiffResponse(r))
			}
		}},
		{"provider.ResponseOf", entryText, func(s *scene) {
			s.say(provider.ResponseOf((*rpc.DiffResponse)(nil)))

			m := rpc.DiffResponse{Changes: -1, DetailedDiff: map[string]rpc.PropertyDiff{s.text: {Kind: -1}, "a": {Kind: 300}, "": {}}}
			s.say(provider.ResponseOf(&m))
		}},
	}
}
