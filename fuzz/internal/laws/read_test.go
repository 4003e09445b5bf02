package laws_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/fuzz/internal/laws"
	"github.com/propalg/propalg/internal/test/trees"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// TestReadOfRealStates holds the resources of real stacks to law 22, after drift that is drawn:
// in every way of matching elements.
func TestReadOfRealStates(t *testing.T) {
	files, _ := filepath.Glob("../../../../shared/data/state-files/*.json")
	if len(files) == 0 {
		t.Skip("no shared data")
	}
	rng := rand.New(rand.NewPCG(22, 22))
	resources, drifts, changed := 0, 0, 0
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		for r, err := range state.NewReader(f, state.Options{Codec: codec.Options{RoundNumbers: true}}).Resources() {
			if err != nil {
				t.Fatal(err)
			}
			if !r.Custom || r.Inputs.Len() == 0 || r.Outputs.Len() == 0 || r.Inputs.ContainsUnknown() || r.Outputs.ContainsUnknown() {
				continue
			}
			resources++
			for _, how := range []diff.Match{diff.Positional(), diff.Aligned(), diff.Unordered(), diff.Auto(), diff.Keyed(path.MustParse("name"))} {
				drifts++
				if laws.CheckRead(quiet{t}, provider.Differ{Arrays: how}, r.Inputs, r.Outputs, driftOf(rng, r.Outputs)) {
					changed++
				}
			}
			if t.Failed() {
				t.Fatalf("%s: %s", filepath.Base(name), r.URN)
			}
		}
		_ = f.Close()
	}
	t.Logf("%d resources, %d drifts, of which %d changed inputs", resources, drifts, changed)
	if changed < drifts/10 {
		t.Errorf("of %d drifts only %d changed inputs", drifts, changed)
	}
}

// quiet is a test whose log is not written for each value.
type quiet struct{ *testing.T }

func (quiet) Logf(string, ...any) {}

// driftOf changes about one in ten of the parts of a state.
func driftOf(rng *rand.Rand, v value.Value) value.Value {
	v = trees.Own(v)
	children := trees.Children(v)
	if len(children) == 0 {
		if text, ok := v.AsString(); ok && rng.IntN(4) == 0 {
			return trees.WithMarks(value.String(text+"!"), v)
		}
		return v
	}

	kept := children[:0]
	for _, c := range children {
		switch rng.IntN(20) {
		case 0:
			continue
		case 1:
			c.Value = value.String("other")
		case 2:
			c.Value = value.Secret(c.Value)
		default:
			c.Value = driftOf(rng, c.Value)
		}
		kept = append(kept, c)
	}
	if v.Kind() == value.KindObject {
		if _, has := v.Lookup("added"); !has && rng.IntN(4) == 0 {
			kept = append(kept, trees.Child{Step: path.Key("added"), Value: value.String("x")})
		}
		return trees.Rebuild(v, kept)
	}
	if rng.IntN(4) == 0 {
		kept = append(kept, trees.Child{Value: firstOf(kept)})
	}
	rng.Shuffle(min(len(kept), rng.IntN(3)), func(i, j int) { kept[i], kept[j] = kept[j], kept[i] })
	for i := range kept {
		kept[i].Step = path.Index(i)
	}
	return trees.Rebuild(v, kept)
}

// firstOf returns the first element, or a text.
func firstOf(elems []trees.Child) value.Value {
	if len(elems) == 0 {
		return value.String("first")
	}
	return elems[0].Value
}
