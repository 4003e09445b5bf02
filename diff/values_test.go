package diff_test

import (
	"testing"

	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

func str(s string) value.Value      { return value.String(s) }
func num(f float64) value.Value     { return value.Number(f) }
func sec(v value.Value) value.Value { return value.Secret(v) }

func obj(pairs ...any) value.Value {
	var ms []value.Member
	for i := 0; i < len(pairs); i += 2 {
		ms = append(ms, value.Member{Key: pairs[i].(string), Value: pairs[i+1].(value.Value)})
	}
	return value.Object(ms...)
}

func arr(vs ...value.Value) value.Value { return value.Array(vs...) }

func patterns(texts ...string) *path.Set {
	var ps []path.Pattern
	for _, t := range texts {
		p, err := path.ParsePattern(t)
		if err != nil {
			panic(err)
		}
		ps = append(ps, p)
	}
	return path.NewSet(ps...)
}

func dep(v value.Value, urns ...string) value.Value { return v.WithDependencies(urns...) }

func TestRelationsAreAll(t *testing.T) {
	all := value.NullAsMissing | value.IgnoreSecrets | value.IgnoreDependencies | value.IgnoreReferenceDetails
	if all != kit.Relations()[15] {
		t.Fatalf("the relations are %#x, not the sixteen that are tested", uint16(all))
	}
}
