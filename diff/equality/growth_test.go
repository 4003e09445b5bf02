package equality_test

import (
	"slices"
	"testing"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/equality"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// TestDefaultsInDefaults: members of Defaults may have Defaults themselves, at any number
// of levels.
func TestDefaultsInDefaults(t *testing.T) {
	nested := func(levels int) value.Value {
		v := value.Number(1)
		for range levels {
			v = value.Object(value.Field("k", v), value.Field("l", value.Array()))
		}
		return v
	}
	for _, above := range []path.Step{path.Key("k"), path.Any()} {
		kit.Grows(t, "Defaults below "+above.String(), 10, func(n int) func() {
			var rules []equality.Rule
			for i := range n {
				steps := append(slices.Repeat([]path.Step{above}, i), path.Key("k"))
				rules = append(rules, equality.Rule{Pattern: path.PatternOf(steps...), Default: nested(n - i)})
			}
			r := equality.MustRules(rules...)
			return func() {
				if !r.Normalize(nested(n+1), value.Strict).Field("k").IsNull() {
					t.Error("a member that is as its default is there")
				}
				if d := r.Between(value.Object(), nested(n+1).Field("k"), diff.Options{}); d.Empty() {
					t.Error("an array is nothing")
				}
			}
		})
	}
}
