package engine_test

import (
	"github.com/propalg/propalg/internal/testkit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

const urnA, urnB = testkit.URNA, testkit.URNB

// Short names for the rows of tests.
var (
	num, arr, sec = value.Number, value.Array, value.Secret
	obj, patterns = testkit.Object, path.MustSet
)
