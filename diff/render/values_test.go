package render_test

import (
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

func num(f float64) value.Value { return value.Number(f) }

func str(s string) value.Value { return value.String(s) }

func arr(elems ...value.Value) value.Value { return value.Array(elems...) }

func sec(v value.Value) value.Value { return value.Secret(v) }

func obj(pairs ...any) value.Value {
	var members []value.Member
	for i := 0; i < len(pairs); i += 2 {
		members = append(members, value.Member{Key: pairs[i].(string), Value: pairs[i+1].(value.Value)})
	}

	return value.Object(members...)
}

func patterns(texts ...string) *path.Set {
	var all []path.Pattern
	for _, text := range texts {
		all = append(all, path.MustParsePattern(text))
	}

	return path.NewSet(all...)
}

// modes returns the ways in which elements are matched.
func modes() []diff.Match {
	return []diff.Match{diff.Positional(), diff.Aligned(), diff.Keyed(path.MustParse("name")), diff.Keyed(path.MustParse("a")), diff.Set()}
}
