package provider_test

import (
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
