package kit

import (
	"runtime"

	"github.com/propalg/propalg/value"
)

// Nested is a leaf that many levels down, below arrays and objects in turn.
func Nested(levels int, leaf value.Value) value.Value {
	v := leaf
	for i := range levels {
		if i%2 == 0 {
			v = value.Array(v)
		} else {
			v = value.Object(value.Member{Key: "k", Value: v})
		}
	}
	return v
}

// Allocated is how many bytes a function allocates.
func Allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
