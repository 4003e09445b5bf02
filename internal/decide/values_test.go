package decide_test

import (
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

const urnA = kit.URNA

// Short names for the rows of tests.
var (
	num, arr, sec = value.Number, value.Array, value.Secret
	obj, patterns = kit.Object, path.MustSet
)
