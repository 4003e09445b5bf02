package provider_test

import (
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

const urnA, urnB = "urn:pulumi:s::p::t::a", "urn:pulumi:s::p::t::b"

func num(f float64) value.Value { return value.Number(f) }

func str(s string) value.Value { return value.String(s) }

func arr(elems ...value.Value) value.Value { return value.Array(elems...) }

func sec(v value.Value) value.Value { return value.Secret(v) }

func dep(v value.Value, urns ...string) value.Value { return v.WithDependencies(urns...) }

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

// bucket is a small property bag.
func bucket(name, env string, versions value.Value) value.Value {
	return value.Object(
		value.Member{Key: "name", Value: value.String(name)},
		value.Member{Key: "tags", Value: value.Object(value.Member{Key: "env", Value: value.String(env)})},
		value.Member{Key: "versions", Value: versions},
	)
}

// secretAbove is how many steps of a path lead to the outermost secret above it,
// on either side; -1 when there is none.
func secretAbove(p path.Path, sides ...value.Value) int {
	for n := range p.Len() {
		for _, v := range sides {
			if at, ok := v.At(p.Prefix(n)); ok && at.IsSecret() {
				return n
			}
		}
	}
	return -1
}

// modes returns the ways in which elements are matched.
func modes() []diff.Match {
	return []diff.Match{diff.Positional(), diff.Aligned(), diff.Keyed(path.MustParse("name")), diff.Keyed(path.MustParse("a")), diff.Set()}
}
