package engine_test

import (
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/value"
)

// Short names for the rows of tests.
var (
	num, sec = value.Number, value.Secret
	obj      = kit.Object
)

// The values of an option.
var no, yes = false, true
