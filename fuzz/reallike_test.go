package fuzz_test

import (
	"slices"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/value"
)

// TestOptions: what an option leaves out is in no generated value, of any style.
func TestOptions(t *testing.T) {
	for _, o := range []fuzz.Options{{NoSecrets: true}, {NoUnknowns: true}, {NoDependencies: true}, {NoReferences: true}, {NoAssets: true}, {NoSealed: true}} {
		for _, o.Style = range []fuzz.Style{fuzz.Mixed, fuzz.Plain, fuzz.Hostile, fuzz.RealLike} {
			for seed := range 100 {
				pair := fuzz.Pairs(o).Example(seed)
				v := value.Array(pair.Old, pair.New, fuzz.Objects(o).Example(seed))
				has := map[value.Kind]bool{}
				for c := range v.Walk() {
					has[c.Value().Kind()] = true
				}
				if (o.NoSecrets && v.ContainsSecret()) || (o.NoUnknowns && v.ContainsUnknown()) || (o.NoDependencies && v.ContainsDependencies()) ||
					(o.NoReferences && has[value.KindResourceReference]) || (o.NoAssets && (has[value.KindAsset] || has[value.KindArchive])) || (o.NoSealed && has[value.KindSealed]) {
					t.Fatalf("%+v: seed %d: %v", o, seed, v)
				}
			}
		}
	}
}

// TestRealLike compares what the real-looking style makes with what the bags of
// real resources are like: a median of 340 bytes and 9 nodes, the 99th of a
// hundred 4.5 KB and 73 nodes; of a hundred 3 to 5 hold secrets, 10 unknowns
// (always those of strings), 2.5 references and 0.2 assets or archives.
func TestRealLike(t *testing.T) {
	if race.Enabled {
		t.Skip("says nothing of races")
	}

	const bags = 4000

	var size, nodeCounts []int

	secrets, unknowns, references, assets, deepest := 0, 0, 0, 0, 0
	generator := fuzz.Objects(fuzz.Options{Style: fuzz.RealLike})

	for seed := range bags {
		v := generator.Example(seed)

		text, err := codec.AppendJSONValue(nil, v, codec.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}

		size, nodeCounts = append(size, len(text)), append(nodeCounts, nodes(v))
		deepest = max(deepest, v.Depth())

		secrets += count(v.ContainsSecret())
		unknowns += count(v.ContainsUnknown())

		reference, asset := false, false

		for at := range v.Walk() {
			part := at.Value()
			reference = reference || part.Kind() == value.KindResourceReference
			asset = asset || part.Kind() == value.KindAsset || part.Kind() == value.KindArchive

			if hint, ok := part.Hint(); ok && hint != value.KindString {
				t.Fatalf("seed %d: an unknown %v", seed, hint)
			}
		}

		references += count(reference)
		assets += count(asset)
	}

	slices.Sort(size)
	slices.Sort(nodeCounts)

	t.Logf("median %d bytes, %d nodes; 99th %d, %d; secrets %d, unknowns %d, references %d, assets %d; depth %d",
		size[bags/2], nodeCounts[bags/2], size[bags*99/100], nodeCounts[bags*99/100], secrets, unknowns, references, assets, deepest)

	within := func(what string, got, least, most int) {
		if got < least || got > most {
			t.Errorf("%s: %d, not %d to %d", what, got, least, most)
		}
	}
	within("median of bytes", size[bags/2], 250, 450)
	within("median of nodes", nodeCounts[bags/2], 8, 11)
	within("99th of bytes", size[bags*99/100], 3000, 6500)
	within("99th of nodes", nodeCounts[bags*99/100], 60, 90)
	within("bags with secrets", secrets, bags*3/100, bags*5/100)
	within("bags with unknowns", unknowns, bags*8/100, bags*12/100)
	within("bags with references", references, bags*2/100, bags*3/100)
	within("bags with assets", assets, bags/1000, bags*4/1000)
	within("depth", deepest, 4, 14)
}

// TestRealLikeSecrets: of the secrets in the bags of real resources that differ three
// in four are objects with something in them, and most others texts. Here that is one
// in two, so that both are tried.
func TestRealLikeSecrets(t *testing.T) {
	const bags = 4000

	secrets, full, nested := 0, 0, 0
	generator := fuzz.Objects(fuzz.Options{Style: fuzz.RealLike})

	for seed := range bags {
		for at := range generator.Example(seed).Walk() {
			if v := at.Value(); v.OwnSecret() {
				secrets++
				full += count(v.Len() > 0)
				nested += count(v.Depth() > 1)
			}
		}
	}

	if full < secrets*40/100 || full > secrets*65/100 || nested < secrets/50 || nested > secrets/4 {
		t.Errorf("of %d secrets %d hold something, and %d of these containers", secrets, full, nested)
	}
}

// count is 1 for what is so.
func count(is bool) int {
	if is {
		return 1
	}

	return 0
}
