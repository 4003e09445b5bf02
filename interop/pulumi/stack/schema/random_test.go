package schema_test

import (
	"encoding/json"
	"testing"

	"github.com/pulumi/pulumi/pkg/v3/codegen/testing/utils/rapidschema"
	"pgregory.net/rapid"
)

// Both sides read the same from the schemas that Pulumi's own generator draws.
func TestRandom(t *testing.T) {
	counts := map[string]int{}

	rapid.Check(t, func(t *rapid.T) {
		pkg := rapidschema.Package().Draw(t, "package")

		spec, err := pkg.MarshalSpec()
		if err != nil {
			t.Fatal(err)
		}

		document, err := json.Marshal(spec)
		if err != nil {
			t.Fatal(err)
		}

		v := judge(document, false, newLoader(nil))
		if v.err != nil || v.refused != "" {
			t.Fatalf("%v", v)
		}

		ours := ourText(v.ours)
		if diff := firstDifference(theirText(v.theirs), ours); diff != "" {
			t.Fatalf("%s\n%s", document, diff)
		}

		for kind, n := range ours.count {
			counts[kind] += n
		}
	})

	t.Log(counts)
}
