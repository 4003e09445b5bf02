package laws

import (
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

func diffProbes() []probe {
	return []probe{
		{"diff.Between", "", func(s *scene) {
			s.say(diff.Between(s.v, s.w, diff.Options{Relation: value.Engine, Unknowns: diff.Unknowns(200)}))
			s.say(diff.Between(s.w, s.v, diff.Options{Relation: value.Relation(0xffff)}))
		}},
		{"diff.Apply", "", func(s *scene) {
			s.say(diff.Apply(s.v, s.d))
			s.say(diff.Apply(s.w, s.d))
			s.say(diff.Apply(value.Null(), s.d))
			s.each(func(v value.Value) { s.say(diff.Apply(v, s.d)) })
			s.say(diff.Apply(s.v, diff.Diff{}))
		}},
		{"diff.Diff.Certain", "", func(s *scene) { s.say(s.d.Certain(), diff.Diff{}.Certain()) }},
		{"diff.Diff.Changed", "", func(s *scene) { s.say(s.d.Changed(s.p), s.d.Changed(s.q), diff.Diff{}.Changed(s.p)) }},
		{"diff.Diff.Changes", "", func(s *scene) {
			for c := range s.d.Changes() {
				s.say(c)

				break
			}

			for c := range (diff.Diff{}).Changes() {
				s.say(c)
			}
		}},
		{"diff.Diff.Empty", "", func(s *scene) { s.say(s.d.Empty(), diff.Diff{}.Empty()) }},
		{"diff.Diff.Equal", "", func(s *scene) { s.say(s.d.Equal(s.d.Invert()), s.d.Equal(diff.Diff{}), diff.Diff{}.Equal(s.d)) }},
		{"diff.Diff.Invert", "", func(s *scene) { s.say(s.d.Invert(), diff.Diff{}.Invert()) }},
		{"diff.Diff.Leaves", "", func(s *scene) {
			n := 0
			for c := range s.d.Leaves() {
				s.say(c, c.Shown())

				if n++; n == s.most(changesSeen) {
					break
				}
			}

			for range (diff.Diff{}).Leaves() {
				s.say("a leaf in nothing")
			}
		}},
		{"diff.Diff.Len", "", func(s *scene) { s.say(s.d.Len(), diff.Diff{}.Len()) }},
		{"diff.Diff.Relation", "", func(s *scene) { s.say(s.d.Relation(), diff.Diff{}.Relation()) }},
		{"diff.Diff.Verdict", "", func(s *scene) { s.say(s.d.Verdict(), diff.Diff{}.Verdict()) }},
	}
}

// responseProbes are about what a provider answers, and small enums.
func responseProbes() []probe {
	return []probe{
		{"provider.Respond", "", func(s *scene) {
			for _, o := range []provider.Options{
				{},
				{ReplaceOn: s.set, InputDiff: true, Direction: provider.Direction(200), Stables: []string{"a", "name"}, DeleteBeforeReplace: true},
				{ReplaceOn: path.NewSet(path.Pattern{})},
			} {
				s.say(provider.Respond(s.d, o), provider.Respond(s.d.Invert(), o), provider.Respond(diff.Diff{}, o))
			}
		}},
		{"provider.Response.Entries", entryText, func(s *scene) {
			s.say(provider.Respond(s.d, provider.Options{ReplaceOn: s.set}).Entries(), provider.Response{}.Entries())
		}},
		{"provider.Response.Replace", "", func(s *scene) {
			s.say(provider.Respond(s.d, provider.Options{ReplaceOn: s.set}).Replace(), provider.Response{}.Replace())
		}},
		{"diff.Error.Error", "", func(s *scene) {
			s.say((&diff.Error{}).Error(), (&diff.Error{Op: "x", At: path.Show(s.p, 0)}).Error())

			for _, v := range []value.Value{s.w, value.Null(), value.Array(s.v)} {
				if _, err := diff.Apply(v, s.d); err != nil {
					s.say(err, err.Error())
				}
			}
		}},
		{"diff.Error.Unwrap", "", func(s *scene) { s.say((&diff.Error{}).Unwrap()) }},
		{"diff.Op.Invert", "", func(s *scene) { s.say(diff.Op(200).Invert(), diff.OpAdd.Invert()) }},
		{"diff.Op.String", "", func(s *scene) { s.say(diff.Op(200).String()) }},
	}
}

func changeProbes() []probe {
	return []probe{
		{"diff.Change.DependenciesChanged", "", func(s *scene) { s.eachChange(func(c diff.Change) { s.say(c.DependenciesChanged()) }) }},
		{"diff.Change.Matches", "", func(s *scene) { s.eachChange(func(c diff.Change) { s.say(c.Matches(s.set), c.Matches(nil)) }) }},
		{"diff.Change.New", "", func(s *scene) { s.eachChange(func(c diff.Change) { s.say(c.New()) }) }},
		{"diff.Change.NewPath", whole, func(s *scene) { s.eachChange(func(c diff.Change) { s.say(c.NewPath()) }) }},
		{"diff.Change.Old", "", func(s *scene) { s.eachChange(func(c diff.Change) { s.say(c.Old()) }) }},
		{"diff.Change.OldPath", whole, func(s *scene) { s.eachChange(func(c diff.Change) { s.say(c.OldPath()) }) }},
		{"diff.Change.Op", "", func(s *scene) { s.eachChange(func(c diff.Change) { s.say(c.Op()) }) }},
		{"diff.Change.OrderChanged", "", func(s *scene) { s.eachChange(func(c diff.Change) { s.say(c.OrderChanged()) }) }},
		{"diff.WalkOptions", "", func(s *scene) { s.say(diff.WalkOptions(&diff.Options{}).Matches.Set == nil) }},
		{"diff.Tree", "", func(s *scene) { s.say(diff.Tree(s.d).In == nil, diff.Tree(diff.Diff{}).In == nil) }},
		{"diff.ChangeAt", "", func(s *scene) {
			if root := diff.Tree(s.d); root.In != nil {
				s.say(diff.ChangeAt(root).Op())
			}
		}},
		{"diff.Change.Path", whole, func(s *scene) { s.eachChange(func(c diff.Change) { s.say(c.Path()) }) }},
		{"diff.Change.Secret", "", func(s *scene) { s.eachChange(func(c diff.Change) { s.say(c.Secret()) }) }},
		{"diff.Change.SecretChanged", "", func(s *scene) { s.eachChange(func(c diff.Change) { s.say(c.SecretChanged()) }) }},
		{"diff.Change.Shown", "", func(s *scene) { s.eachChange(func(c diff.Change) { s.say(c.Shown()) }) }},
		{"diff.Change.ValueChanged", "", func(s *scene) { s.eachChange(func(c diff.Change) { s.say(c.ValueChanged()) }) }},
		{"diff.Change.Verdict", "", func(s *scene) { s.eachChange(func(c diff.Change) { s.say(c.Verdict()) }) }},
		{"diff.Change.Which", "", func(s *scene) { s.eachChange(func(c diff.Change) { s.say(c.Which(s.set), c.Which(nil)) }) }},
	}
}

// diffTextProbes make texts of diffs.
func diffTextProbes() []probe {
	return []probe{
		{"diff/render.AppendText", "", func(s *scene) {
			s.say(render.AppendText([]byte("x"), s.d, render.Options{ReplaceOn: s.set, Width: s.index, Indent: 1}))
		}},
		{"diff/render.Text", "", func(s *scene) {
			s.say(render.Text(s.d, render.Options{}), render.Text(s.d, render.Options{ReplaceOn: s.set, Width: 16, Secrets: render.Secrets(200)}))
			s.say(render.Text(s.d.Invert(), render.Options{Width: -1, Indent: -1}), render.Text(diff.Diff{}, render.Options{}))

			// With secrets revealed there is only the question whether it ends.
			_ = render.Text(s.d, render.Options{Secrets: render.RevealSecrets})
		}},
		{"diff.Diff.Format", "", func(s *scene) { everyVerb(s, s.d); everyVerb(s, &s.d); everyVerb(s, diff.Diff{}) }},
		{"diff.Diff.GoString", "", func(s *scene) { s.say(s.d.GoString()) }},
		{"diff.Diff.MarshalText", "", func(s *scene) { s.say(s.d.MarshalText()) }},
		{"diff.Change.MarshalText", "", func(s *scene) { s.eachChange(func(c diff.Change) { s.say(c.MarshalText()) }) }},
		{"diff.Diff.String", "", func(s *scene) { s.say(s.d.String(), diff.Diff{}.String()) }},
		{"diff.Change.Format", "", func(s *scene) { s.eachChange(func(c diff.Change) { everyVerb(s, c) }) }},
		{"diff.Change.GoString", "", func(s *scene) { s.eachChange(func(c diff.Change) { s.say(c.GoString()) }) }},
		{"diff.Change.String", "", func(s *scene) { s.eachChange(func(c diff.Change) { s.say(c.String()) }) }},
	}
}
