package render_test

import (
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Short names for the rows of tests.
var (
	num, str, arr, sec = value.Number, value.String, value.Array, value.Secret
	obj, patterns      = kit.Object, path.MustSet
)

// modes returns the ways in which elements are matched.
func modes() []diff.Match {
	return []diff.Match{diff.Positional(), diff.Aligned(), diff.Keyed(path.MustParse("name")), diff.Keyed(path.MustParse("a")), diff.Unordered()}
}
