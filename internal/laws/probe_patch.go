package laws

import (
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/value"
)

// places gives a probe the places of a diff.
func places(s *scene, f func(p diff.Place)) {
	f(diff.Place{})

	n := 0
	for p := range s.d.Places() {
		if n++; n > s.most(changesSeen) {
			break
		}

		f(p)
	}
}

// placeProbes are about writing a diff down.
func placeProbes() []probe {
	return []probe{
		{"diff.Diff.Places", "", func(s *scene) { places(s, func(p diff.Place) { everyVerb(s, p) }) }},
		{"diff.Diff.Unknowns", "", func(s *scene) { s.say(int(s.d.Unknowns()), int(diff.Diff{}.Unknowns())) }},
		{"diff.Place.Change", "", func(s *scene) { places(s, func(p diff.Place) { s.say(p.Change()) }) }},
		{"diff.Place.Depth", "", func(s *scene) { places(s, func(p diff.Place) { s.say(p.Depth()) }) }},
		{"diff.Place.Inside", "", func(s *scene) { places(s, func(p diff.Place) { s.say(p.Inside()) }) }},
		{"diff.Place.Record", "", func(s *scene) { places(s, func(p diff.Place) { everyVerb(s, p.Record()) }) }},
		{"diff.Record.RevealKey", whole, func(s *scene) { places(s, func(p diff.Place) { s.say(p.Record().RevealKey()) }) }},
		{"diff.Record.String", "", func(s *scene) { places(s, func(p diff.Place) { s.say(p.Record().String()) }) }},
		{"diff.Record.Format", "", func(s *scene) {
			for op := range diff.OpMove + 2 {
				everyVerb(s, diff.Record{Op: op, OldAt: s.index, Old: s.v, New: s.w, Own: diff.Own(op % 2)})
			}
		}},
		{"diff.Record.MarshalText", "", func(s *scene) {
			places(s, func(p diff.Place) {
				text, err := p.Record().MarshalText()
				s.say(string(text), err)
			})
		}},
		{"diff.Inside.String", "", func(s *scene) { places(s, func(p diff.Place) { i, _ := p.Inside(); s.say(i.String()) }) }},
		{"diff.Inside.Format", "", func(s *scene) { everyVerb(s, diff.Inside{Kind: 200, OldLen: s.index, NewLen: s.index}) }},
		{"diff.Inside.MarshalText", "", func(s *scene) {
			places(s, func(p diff.Place) {
				i, _ := p.Inside()
				text, err := i.MarshalText()
				s.say(string(text), err)
			})
		}},
		{"diff.Place.Shown", "", func(s *scene) { places(s, func(p diff.Place) { s.say(p.Shown()) }) }},
	}
}

// builderProbes are about making a diff of records.
func builderProbes() []probe {
	return []probe{
		{"diff.NewBuilder", "", func(s *scene) { everyVerb(s, diff.NewBuilder(diff.Options{Relation: 0xffff, Unknowns: 200})) }},
		{"diff.Builder.Diff", "", func(s *scene) {
			d, err := BuiltAgain(s.d, &diff.Builder{})
			s.say(d, err, d.Equal(s.d))
			s.say((&diff.Builder{}).Diff())
		}},
		{"diff.Builder.Enter", "", func(s *scene) {
			places(s, func(p diff.Place) {
				b := &diff.Builder{}
				inside, _ := p.Inside()
				s.say(b.Enter(p.Record(), inside))
				s.say(b.Enter(p.Record(), diff.Inside{Kind: value.KindArray, OldLen: s.index, NewLen: s.index, Unordered: true, Secret: true}))
				s.say(b.Enter(p.Record(), diff.Inside{Kind: 200}))
				everyVerb(s, b)
			})
		}},
		{"diff.Builder.Format", "", func(s *scene) {
			b := diff.NewBuilder(diff.Options{})
			_, err := BuiltAgain(s.d, b)
			s.say(err)
			everyVerb(s, b)
			everyVerb(s, diff.Builder{})
		}},
		{"diff.Builder.Leave", "", func(s *scene) { s.say((&diff.Builder{}).Leave()) }},
		{"diff.Builder.Put", "", func(s *scene) {
			places(s, func(p diff.Place) {
				b := &diff.Builder{}
				s.say(b.Put(p.Record()))
				s.say(b.Put(diff.Record{Op: 200, OldAt: s.index, NewAt: s.index, Own: 200, Verdict: 200}))
			})

			for op := range diff.OpMove + 2 {
				b := diff.NewBuilder(diff.Options{})
				s.say(b.Enter(diff.Record{}, diff.Inside{Kind: value.KindArray, OldLen: 1, NewLen: 1, Secret: true}))
				s.say(b.Put(diff.Record{Op: op, Old: s.v, New: s.w, OverNull: op%2 == 0, Own: diff.Own(op)}))
			}
		}},
		{"diff.Builder.Uncertain", "", func(s *scene) {
			b := &diff.Builder{}
			b.Uncertain()
			d, err := b.Diff()
			s.say(d.Certain(), err)
		}},
	}
}

// BuiltAgain gives a Builder the places of a diff.
func BuiltAgain(d diff.Diff, b *diff.Builder) (diff.Diff, error) {
	depth := 0

	for p := range d.Places() {
		for ; depth > p.Depth(); depth-- {
			_ = b.Leave()
		}

		inside, ok := p.Inside()
		if !ok {
			_ = b.Put(p.Record())

			continue
		}

		_ = b.Enter(p.Record(), inside)
		depth++
	}

	for range depth {
		_ = b.Leave()
	}

	return b.Diff()
}

// readPatch gives a probe the scene's diff, written and read again.
func readPatch(s *scene, f func(p patch.Patch)) {
	f(patch.Patch{})

	text, err := patch.Marshal(s.d, patch.Options{Secrets: patch.RevealSecrets, Base: patch.Fingerprint(s.v)})
	if err != nil {
		return
	}

	got, err := patch.Unmarshal(text, patch.Options{})
	s.say(err)
	f(got)
}

// requestProbes are about the forms of diffs that APIs take.
func requestProbes() []probe {
	const p = "codec/patch."

	return []probe{
		{p + "JSONPatch", "", func(s *scene) {
			for _, o := range []patch.Options{{}, {Tests: true}, {Secrets: 200}, {Depth: 3}, {Depth: -1}} {
				out, err := patch.JSONPatch(s.d, o)
				s.say(string(out), err)
			}

			_, err := patch.JSONPatch(s.d.Invert(), patch.Options{Secrets: patch.RevealSecrets, Tests: true})
			s.say(err)
		}},
		{p + "MergePatch", "", func(s *scene) {
			for _, o := range []patch.Options{{}, {Secrets: 200}, {Depth: 3}, {NullAsMissing: true}} {
				out, err := patch.MergePatch(s.v, s.w, o)
				s.say(string(out), err)
			}

			_, err := patch.MergePatch(s.w, s.v, patch.Options{Secrets: patch.RevealSecrets})
			s.say(err)
		}},
		{p + "FieldMask", "", func(s *scene) {
			s.say(patch.FieldMask(s.d, patch.MaskOptions{}))
			s.say(patch.FieldMask(s.d, patch.MaskOptions{Maps: s.set, SnakeCase: true}))
		}},
	}
}

// patchProbes are about the JSON form of diffs.
func patchProbes() []probe {
	const p = "codec/patch."

	return []probe{
		{p + "Append", "", func(s *scene) {
			out, err := patch.Append([]byte("x"), s.d, patch.Options{Depth: s.index, Base: s.baredText})
			s.say(string(out), err)
		}},
		{p + "Error.Error", "", func(s *scene) { s.say((&patch.Error{}).Error(), (&patch.Error{Offset: -1}).Error()) }},
		{p + "Error.Unwrap", "", func(s *scene) { s.say((&patch.Error{}).Unwrap()) }},
		{p + "Fingerprint", "", func(s *scene) { s.few(func(v value.Value) { s.say(patch.Fingerprint(v)) }) }},
		{p + "Marshal", "", func(s *scene) {
			for _, o := range []patch.Options{{}, {Secrets: 200}, {Base: patch.Fingerprint(s.v)}, {Depth: 3}, {Depth: -1}} {
				out, err := patch.Marshal(s.d, o)
				s.say(string(out), err)
			}

			// With secrets revealed there is only the question whether it ends, and
			// what an error says.
			_, err := patch.Marshal(s.d.Invert(), patch.Options{Secrets: patch.RevealSecrets})
			s.say(err)
		}},
		{p + "Patch.Apply", "", func(s *scene) {
			readPatch(s, func(p patch.Patch) {
				s.say(p.Apply(s.v, patch.CheckBase))
				s.say(p.Apply(s.w, patch.SkipBaseCheck))
				s.say(p.Apply(s.w, 200))
			})
		}},
		{p + "Patch.Base", "", func(s *scene) { readPatch(s, func(p patch.Patch) { s.say(p.Base()) }) }},
		{p + "Patch.Diff", "", func(s *scene) { readPatch(s, func(p patch.Patch) { s.say(p.Diff()) }) }},
		{p + "Patch.String", "", func(s *scene) { readPatch(s, func(p patch.Patch) { s.say(p.String()); everyVerb(s, p) }) }},
		{p + "Unmarshal", "", func(s *scene) {
			for _, text := range []string{s.text, s.wiredText, s.baredText, `{"propalg":"diff/1","diff":` + s.wiredText + `}`} {
				got, err := patch.Unmarshal([]byte(text), patch.Options{Depth: s.index})
				s.say(got, err)
			}

			masked, err := patch.Marshal(s.d, patch.Options{})
			if err == nil {
				s.say(patch.Unmarshal(masked, patch.Options{}))
			}
		}},
		{p + "UnmarshalText", "", func(s *scene) {
			v, err := codec.EncodeJSON(s.w, codec.Options{Form: codec.FormSealed})
			if err != nil {
				return
			}

			for _, node := range []string{
				`{"op":"update","old":1,"new":` + string(v) + `}`,
				`{"members":{"a":{"op":"update","old":` + string(v) + `,"new":` + string(v) + `,"hidden":["old"]}},"secret":true}`,
				`{"op":"update","own":["order"],"old":` + string(v) + `,"new":[],"members":{"a":{"op":"add"}}}`,
			} {
				s.say(patch.UnmarshalText(`{"propalg":"diff/1","diff":`+node+`}`, patch.Options{}))
			}
		}},
	}
}
