package laws_test

import (
	"fmt"
	"hash/maphash"
	"log/slog"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/equality"
	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/internal/laws"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

// growthCall is something that is done with values of any size. What prepare does is not
// measured.
type growthCall struct {
	name    string
	prepare func(g *grown) func()
}

// growthCalls lists what takes data of any size, by package.
func growthCalls() []growthCall {
	var all []growthCall
	for _, calls := range [][]growthCall{valueCalls(), editCalls(), textCalls(), bindCalls(), diffCalls(), ruleCalls(), codecCalls(), patchCalls(), pathCalls()} {
		all = append(all, calls...)
	}

	return all
}

// each makes a call of a function of the values.
func each(name string, f func(g *grown)) growthCall {
	return growthCall{name, func(g *grown) func() { return func() { f(g) } }}
}

// ofDiff makes a call of a function of their diff.
func ofDiff(name string, f func(g *grown, d diff.Diff)) growthCall {
	return growthCall{name, func(g *grown) func() {
		d := diff.Between(g.old, g.now, diff.Options{})
		return func() { f(g, d) }
	}}
}

func valueCalls() []growthCall {
	return []growthCall{
		each("value.Relation.Equal", func(g *grown) { g.old.Equal(g.now); value.Engine.Equal(g.old, g.now); g.old.Identical(g.now) }),
		each("value.Relation.Compare", func(g *grown) { value.Strict.Compare(g.old, g.now); g.old.CompareIdentical(g.now) }),
		each("value.Relation.Compatible", func(g *grown) { value.Engine.Compatible(g.old, g.now); value.Engine.Alone(g.old) }),
		each("value.Relation.Hash", func(g *grown) { value.Strict.Hash(maphash.MakeSeed(), g.old) }),
		each("value.Value.Digest", func(g *grown) { g.old.Digest() }),
		each("value.Value.At", func(g *grown) { g.old.At(g.deepest); g.old.Has(g.deepest) }),
		each("value.Value.DependenciesAt", func(g *grown) {
			for range g.old.DependenciesAt(g.deepest) {
			}
		}),
		each("value.Value.Walk", func(g *grown) {
			for c := range g.old.Walk() {
				_ = c.Depth()
			}
		}),
		each("value.Find", func(g *grown) {
			for range value.Find(g.old, path.NewSet(g.many...)) {
			}
		}),
		each("value.SecretPaths", func(g *grown) {
			n := 0
			for range value.SecretPaths(g.old) {
				if n++; n > 5 {
					break
				}
			}
		}),
	}
}

func editCalls() []growthCall {
	same := func(c *value.Cursor) (value.Value, error) { return c.Value(), nil }

	return []growthCall{
		each("value.Value.With", func(g *grown) {
			_, _ = g.old.With(g.deepest, value.Null())
			_, _ = g.old.With(g.deepest.Key("z"), value.Null())
		}),
		each("value.Value.Put", func(g *grown) {
			_, _ = g.old.Put(g.deepest, value.Null())
			_, _ = value.Object().Put(g.deepest, value.Null())
		}),
		each("value.Value.Without", func(g *grown) { _, _ = g.old.Without(g.deepest) }),
		each("value.MarkSecret", func(g *grown) { value.MarkSecret(g.old, g.set); value.MarkSecret(g.old, path.NewSet(g.many...)) }),
		each("value.MarksFrom", func(g *grown) { value.MarksFrom(value.Reveal(g.now), g.old) }),
		each("value.Restore", func(g *grown) { value.Restore(g.old, g.now) }),
		each("value.Lift", func(g *grown) {
			_, _ = value.Lift(func(args ...value.Value) (value.Value, error) { return args[0], nil }, g.old, g.now)
		}),
		each("value.Value.Compact", func(g *grown) { g.old.Compact() }),
		each("value.Value.DependingOn", func(g *grown) { g.old.DependingOn(value.Array(value.String("urn:1"))) }),
		each("value.Value.WithMarksOf", func(g *grown) { g.old.Field("k").WithMarksOf(g.now.Field("k")) }),
		each("value.Update", func(g *grown) { _, _ = value.Update(g.old, g.set, same) }),
		each("value.Transform", func(g *grown) {
			_, _ = value.Transform(g.old, same)
			_, _ = value.Transform(g.old, func(c *value.Cursor) (value.Value, error) {
				if c.Value().Kind() == value.KindNumber {
					return value.Value{}, value.ErrKind
				}

				return c.Value(), nil
			})
		}),
		each("value.FillPreview", func(g *grown) { value.FillPreview(g.old, []string{"k", "z"}) }),
		each("value.LiteralArchiveOf", func(g *grown) { value.LiteralArchiveOf(g.old, "") }),
		each("value.Value.ToGo", func(g *grown) {
			x, _ := value.Reveal(g.old).ToGo()
			_, _ = value.FromGo(x)
			_, _ = g.old.ToGo()
		}),
	}
}

func textCalls() []growthCall {
	return []growthCall{
		each("value.Value.String", func(g *grown) { _ = g.old.String(); _ = fmt.Sprintf("%v %+v %q", g.old, g.old, g.old) }),
		each("value.Value.GoString", func(g *grown) { _ = g.old.GoString() }),
		each("value.Value.LogValue", func(g *grown) { _ = slog.AnyValue(g.old).Resolve().String() }),
		ofDiff("diff.Diff.String", func(_ *grown, d diff.Diff) { _ = d.String() }),
		ofDiff("diff.Diff.GoString", func(_ *grown, d diff.Diff) { _ = d.GoString() }),
		ofDiff("diff.Diff.Format", func(_ *grown, d diff.Diff) { _ = fmt.Sprintf("%+v", d); _, _ = d.MarshalText() }),
		ofDiff("diff/render.Text", func(g *grown, d diff.Diff) { _ = render.Text(d, render.Options{ReplaceOn: g.set, HideDiffs: g.beyond}) }),
		ofDiff("diff/render.Lines", func(_ *grown, d diff.Diff) {
			for l := range render.Lines(d, render.Options{}) {
				_ = l
			}
		}),
	}
}

// The types of some of the shapes, and one that they are not.
type (
	boundStairs struct {
		K *boundStairs `pulumi:"k,optional"`
		N int64        `pulumi:"n,optional"`
	}
	boundOutputs struct {
		K bind.Output[*boundOutputs] `pulumi:"k,optional"`
		N bind.Output[float64]       `pulumi:"n,optional"`
	}
	boundWrong struct {
		K *boundWrong `pulumi:"k,optional"`
		N string      `pulumi:"n,optional"`
	}
)

func bindCalls() []growthCall {
	return []growthCall{
		each("value/bind.Decode", func(g *grown) {
			_, _ = bind.As[boundStairs](g.old)
			_, _ = bind.As[boundWrong](g.old)
			_, _ = bind.As[boundOutputs](g.old)
			_, _ = bind.As[map[string]any](g.old)
		}),
		{"value/bind.Info.Encode", func(g *grown) func() {
			var to boundStairs

			info, err := bind.Decode(g.old, &to, bind.Options{})
			if err != nil {
				return func() {}
			}

			return func() {
				for _, n := range []int64{7, 1<<60 + 1} { // the second is in no float64
					for x := &to; x != nil; x = x.K {
						x.N = n
					}

					_, _ = info.Encode(to)
					_, _ = bind.Encode(to, bind.Options{})
				}
			}
		}},
		{"value/bind.Info.Encode of values", func(g *grown) func() {
			var to map[string]value.Value

			info, err := bind.Decode(g.old, &to, bind.Options{})
			if err != nil {
				return func() {}
			}

			for key := range to {
				to[key] = g.now.Field(key)
			}

			return func() { _, _ = info.Encode(to); _, _ = bind.Encode(to, bind.Options{}) }
		}},
	}
}

func diffCalls() []growthCall {
	calls := []growthCall{
		ofDiff("diff.Diff.Invert", func(_ *grown, d diff.Diff) { d.Invert() }),
		ofDiff("diff.Apply", func(g *grown, d diff.Diff) { _, _ = diff.Apply(g.old, d); _, _ = diff.Apply(g.now, d) }),
		ofDiff("diff.Compose", func(_ *grown, d diff.Diff) { _, _ = diff.Compose(d, d.Invert()); _, _ = diff.Compose(d, d) }),
		ofDiff("diff.Split", func(g *grown, d diff.Diff) {
			diff.Split(d, g.set)
			diff.Split(d, g.beyond)
			diff.Split(d, path.NewSet(g.many...))
		}),
		each("diff.Merge", func(g *grown) {
			other, _ := g.old.With(g.deepest, value.String("x"))
			diff.Merge(g.old, g.now, g.now, diff.Options{})
			diff.Merge(g.old, g.now, other, diff.Options{})
		}),
		ofDiff("diff.Diff.Equal", func(g *grown, d diff.Diff) { d.Equal(diff.Between(g.old, g.now, diff.Options{})) }),
		ofDiff("diff.Diff.Changed", func(g *grown, d diff.Diff) { d.Changed(g.deepest); d.Changed(g.first) }),
		ofDiff("diff.Diff.Changes", func(g *grown, d diff.Diff) {
			some := 0
			for c := range d.Changes() {
				if some++; some < 20 {
					c.Matches(g.set)
					c.Which(g.set)
				}
			}

			for c := range d.Leaves() {
				_ = c.Op()
			}
		}),
		ofDiff("diff.Builder", func(_ *grown, d diff.Diff) { _, _ = laws.BuiltAgain(d, &diff.Builder{}) }),
	}

	for _, m := range []diff.Match{diff.Positional(), diff.Aligned(), diff.Keyed(path.MustParse("name")), diff.Set(), diff.Auto()} {
		calls = append(calls, each("diff.Between "+m.String(), func(g *grown) { diff.Between(g.old, g.now, diff.Options{Arrays: m}) }))
	}

	return calls
}

// ruleCalls are those of rules of equality and of ignoreChanges. The rules lead to some
// levels: what they cost grows with the levels of the patterns too, and with the places that
// each of many patterns leads to.
func ruleCalls() []growthCall {
	rules := func(g *grown) *equality.Rules {
		bare, _ := value.Transform(g.now.Field("k"), func(c *value.Cursor) (value.Value, error) {
			c.DropMarks()
			return c.Value().DropSecret().DropDependencies(), nil
		})

		return equality.MustRules(
			equality.Rule{Pattern: path.MustParsePattern("k[*].n"), Form: equality.NumberText},
			equality.Rule{Pattern: path.MustParsePattern("k[*]"), Form: equality.JSONText},
			equality.Rule{Pattern: path.MustParsePattern("[*].k"), Form: equality.FoldCase},
			equality.Rule{Pattern: path.MustParsePattern("k.k.n"), Default: value.Number(2)},
			equality.Rule{Pattern: path.MustParsePattern("k"), Empty: true, Default: bare},
		)
	}

	return []growthCall{
		{"diff/equality.Rules.Between", func(g *grown) func() {
			r := rules(g)
			return func() {
				r.Between(g.old, g.now, diff.Options{})
				r.Between(g.old, g.now, diff.Options{Arrays: diff.Aligned()})
			}
		}},
		{"diff/equality.Rules.Normalize", func(g *grown) func() {
			r := rules(g)
			return func() { r.Normalize(g.old, value.Engine) }
		}},
		each("diff/ignore.Changes", func(g *grown) {
			for _, mode := range []ignore.Mode{ignore.Engine, ignore.Corrected} {
				ignore.Changes(g.old, g.now, g.patterns, mode)
				ignore.Changes(g.old, g.now, g.exact, mode)
			}
		}),
	}
}

// deepest is the highest limit of depth of the codecs.
const deepest = 2 * value.MaxDepth

func codecCalls() []growthCall {
	kept, lowered := codec.Options{Depth: deepest}, codec.Options{Depth: deepest, Secrets: codec.Lower, Outputs: codec.Lower}
	refused := codec.Options{Depth: deepest, Secrets: codec.Reject, Outputs: codec.Reject}

	return []growthCall{
		each("codec.EncodeJSON", func(g *grown) {
			for _, o := range []codec.Options{kept, lowered, refused} {
				_, _ = codec.EncodeJSON(g.old, o)
			}
		}),
		each("codec.AppendStruct", func(g *grown) {
			for _, o := range []codec.Options{kept, lowered, refused} {
				_, _ = codec.AppendStruct(nil, g.old, o)
			}
		}),
		each("codec.ApplyPolicies", func(g *grown) { _, _ = codec.ApplyPolicies(g.old, lowered); _, _ = codec.ApplyPolicies(g.old, refused) }),
		each("codec.ToStruct", func(g *grown) {
			if m, err := codec.ToStruct(g.old, kept); err == nil {
				_, _ = codec.FromStruct(m, kept)
			}
		}),
		{"codec.DecodeJSON", func(g *grown) func() {
			text, _ := codec.EncodeJSON(g.old, kept)
			long := strings.ReplaceAll(string(text), ":1", ":0.10000000000000000001") // rounded

			return func() {
				_, _ = codec.DecodeJSON(text, kept)
				_, _ = codec.DecodeJSON(text, lowered)
				_, _ = codec.DecodeJSON(text[:len(text)/2], kept)
				_, _ = codec.DecodeJSON(long, kept)
				_, _ = codec.DecodeJSON(long, codec.Options{Depth: deepest, RoundNumbers: true, Report: &codec.Report{}})
			}
		}},
		{"codec.DecodeStruct", func(g *grown) func() {
			data, _ := codec.AppendStruct(nil, g.old, kept)

			return func() {
				_, _ = codec.DecodeStruct(data, kept)
				_, _ = codec.DecodeStruct(data, lowered)
				_, _ = codec.DecodeStruct(data[:len(data)/2], kept)
			}
		}},
	}
}

func patchCalls() []growthCall {
	masked := patch.Options{Depth: deepest}
	open := patch.Options{Depth: deepest, Secrets: patch.RevealSecrets, Tests: true}
	read := func(d diff.Diff) func() {
		text, _ := patch.Marshal(d, open)

		return func() { _, _ = patch.Unmarshal(text, open); _, _ = patch.Unmarshal(text[:len(text)/2], open) }
	}

	return []growthCall{
		ofDiff("codec/patch.Marshal", func(_ *grown, d diff.Diff) { _, _ = patch.Marshal(d, masked); _, _ = patch.Marshal(d, open) }),
		{"codec/patch.Unmarshal", func(g *grown) func() { return read(diff.Between(g.old, g.now, diff.Options{})) }},
		{"codec/patch.Unmarshal of own changes", func(g *grown) func() {
			in := func(v value.Value) value.Value {
				return value.Object(value.Field("l", value.Array(value.Number(1), v)))
			}

			return read(diff.Between(in(g.old), in(g.now.WithDependencies("urn")), diff.Options{Arrays: diff.Aligned()}))
		}},
		ofDiff("codec/patch.JSONPatch", func(_ *grown, d diff.Diff) { _, _ = patch.JSONPatch(d, masked); _, _ = patch.JSONPatch(d, open) }),
		each("codec/patch.MergePatch", func(g *grown) {
			_, _ = patch.MergePatch(g.old, g.now, masked)
			_, _ = patch.MergePatch(g.old, g.now, open)
		}),
		ofDiff("codec/patch.FieldMask", func(g *grown, d diff.Diff) {
			_, _ = patch.FieldMask(d, patch.MaskOptions{Maps: g.beyond})
			_, _ = patch.FieldMask(d, patch.MaskOptions{Maps: path.NewSet(g.many...), SnakeCase: true})
		}),
		each("codec/patch.Fingerprint", func(g *grown) { patch.Fingerprint(g.old) }),
	}
}

func pathCalls() []growthCall {
	return []growthCall{
		each("path texts", func(g *grown) {
			for _, p := range g.patterns {
				_, _ = path.ParsePattern(p.String())
				text, _ := p.Pulumi()
				_, _ = path.ParsePulumiPattern(text)
			}

			_, _ = path.Parse(g.deepest.String())
			_, _ = path.ParseJSONPointer(g.deepest.JSONPointer())
			text, _ := g.deepest.Pulumi()
			_, _ = path.ParsePulumi(text)
			_, _ = path.Parse(strings.Repeat("[*]", g.deepest.Len()))
			_ = path.Show(g.deepest, g.deepest.Len()/2).String()
		}),
		each("path.Set", func(g *grown) {
			for _, s := range []*path.Set{g.beyond, path.NewSet(append(g.patterns, g.patterns...)...), path.NewSet(g.many...)} {
				s.Covers(g.deepest)
				s.At(g.deepest).Touches()
			}

			for _, p := range g.patterns {
				_ = p.Covers(g.deepest) || p.Touches(g.deepest)
			}
		}),
		each("path.Path", func(g *grown) {
			g.deepest.Compare(g.first)
			_ = g.deepest.HasPrefix(g.first)

			for p, ok := g.deepest, true; ok; p, ok = p.Parent() {
			}

			for _, p, ok := g.deepest.Cut(); ok; _, p, ok = p.Cut() {
			}
		}),
	}
}
