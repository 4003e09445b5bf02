package provider_test

import (
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

const urnA, urnB = kit.URNA, kit.URNB

// Short names for the rows of tests.
var (
	num, str, arr, sec = value.Number, value.String, value.Array, value.Secret
	obj, dep, patterns = kit.Object, kit.Depends, path.MustSet
)

// secretAbove returns the number of steps to the outermost secret above a place, on
// either side, or -1.
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
	return []diff.Match{diff.Positional(), diff.Aligned(), diff.Keyed(path.MustParse("name")), diff.Keyed(path.MustParse("a")), diff.Unordered()}
}
