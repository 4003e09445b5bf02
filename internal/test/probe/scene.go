package probe

import (
	"context"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing/fstest"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/internal/test/cloud"
	"github.com/propalg/propalg/internal/test/sample"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/asset"
)

// Scene is what the functions of the library are called with: the two sides of a change,
// and what leads into them.
type Scene struct {
	Old, New value.Value
	Paths    []path.Path
	Set      *path.Set
	Texts    []string
	Index    int
	Match    diff.Match
	More     []any // instead of the diffs of the sides
	Intact   bool  // readers get no damaged texts

	encoded []string // made once, as what follows
	file    *state.File
	program engine.Program
}

// Prober returns a prober of the scene, whose choices follow from a seed.
func (s *Scene) Prober(seed uint64) *Prober {
	if s.file == nil {
		s.prepare()
	}
	begin := []any{
		s.Old, s.New, s.Set, s.Index, float64(s.Index), s.Match,
		asset.Contents{Files: asset.FS(fstest.MapFS{"a.txt": {Data: []byte("a")}})},
		s.stack(), s.program, s.file,
	}
	more := s.More
	if more == nil {
		more = []any{diff.Between(s.Old, s.New, diff.Options{Arrays: s.Match}), diff.Between(s.New, s.Old, diff.Options{})}
	}

	for _, at := range s.Paths {
		begin = append(begin, at, at.Pattern(), at.Pattern().Append(path.Any()), path.Show(at, 0))
	}
	for _, text := range s.Texts {
		u, _ := urn.Parse(text)
		begin = append(begin, text, u)
	}

	random := rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // a choice, not a secret
	p := New(random.IntN, append(begin, more...)...)
	p.Encoded = s.encoded
	return p
}

// prepare makes what takes long for large values.
func (s *Scene) prepare() {
	s.file, _ = state.Parse(s.export(Encode(s.Old)), state.Options{})
	s.program = s.declared()

	switch {
	case s.encoded != nil:
	case s.Intact:
		s.encoded = append(s.intact(), s.Texts...)
	default:
		s.encoded = s.encode()
	}
}

// stack returns one whose provider accepts everything.
func (s *Scene) stack() *engine.Stack {
	c := &cloud.Cloud{}
	return &engine.Stack{Launch: func(context.Context, engine.Plugin) (rpc.Provider, error) { return c.New(), nil }}
}

// declared returns a program with resources without dependencies, which a state lists in the clear.
func (s *Scene) declared() engine.Program {
	inputs := func(v value.Value) value.Value {
		v, _ = codec.ApplyPolicies(v, codec.Options{Outputs: codec.Lower})
		return v
	}

	return engine.Program{Stack: "dev", Project: "shop", Resources: []engine.Goal{
		{Type: "demo:index:Thing", Name: "a", Inputs: inputs(s.Old)}, {Type: "demo:index:Thing", Name: "b", Inputs: inputs(s.New)},
	}}
}

// encode returns the old value in the forms that readers take, and what is left of them
// after accidents.
func (s *Scene) encode() []string {
	all := s.intact()
	for _, text := range all {
		all = append(all, text[:len(text)/2])
	}

	intact := Encode(s.Old)
	for _, bag := range Damaged(intact) {
		all = append(all, bag)
		// What edits a state returns it, and must show what nothing calls secret any more. A
		// text may have the signature too, so that the damaged one is not the only one.
		if strings.Count(bag, sample.SignatureSecret) >= strings.Count(intact, sample.SignatureSecret) {
			all = append(all, sample.StackExport(bag))
		}
	}
	return append(all, s.Texts...)
}

// intact returns the old value in the forms that readers take: JSON, protobuf, a patch, a
// log, and a state.
func (s *Scene) intact() []string {
	text := Encode(s.Old)
	data, _ := codec.Append(nil, s.Old, codec.Options{})
	d, _ := patch.Marshal(diff.Between(s.Old, s.New, diff.Options{}), patch.Options{Secrets: value.RevealSecrets})
	log := `{"method":"/pulumirpc.ResourceProvider/Check","request":{"news":` + text + `},"response":{"inputs":` + text + "}}\n"
	return []string{text, string(data), string(d), log, s.export("")}
}

// export returns the old value as what is unknown of a resource of a state, which failed with
// an error. Only the readers of states know that the text of an error may be secret: other
// readers find a plain string there.
func (s *Scene) export(failure string) string {
	text := Encode(s.Old)
	return `{"version":3,"deployment":{"resources":[{"urn":"urn:pulumi:s::p::a:b:C::n","custom":true,"id":"i","type":"a:b:C",` +
		`"initErrors":[` + strconv.Quote(failure) + `],"later":` + text + `,"outputs":` + text + `}]}}`
}
