package codec

import (
	"sync"

	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/value"
)

// scratch is memory that readers and writers reuse. It holds nothing of a text or value
// while it is in the pool.
type scratch struct {
	tape jsonscan.Skipper
	wire []byte // see [protoWriter]; all zero while it waits

	layout layout        // see [protoReader], as with the next two
	held   []value.Value // all zero while it waits, as is words
	words  []uint64
}

var scratches = sync.Pool{New: func() any { return new(scratch) }} //nolint:gochecknoglobals // the one pool of the package
