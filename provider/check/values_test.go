package check_test

import (
	"fmt"
	"runtime"

	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Short names for the rows of tests.
var (
	num, str, arr, sec = value.Number, value.String, value.Array, value.Secret
	obj, patterns      = kit.Object, path.MustSet
	object             = value.Object
)

// place is the line of a row.
type place string

func here() place {
	_, _, line, _ := runtime.Caller(1)

	return place(fmt.Sprintf("line %d", line))
}

func one(key string, v value.Value) value.Value { return obj(key, v) }
