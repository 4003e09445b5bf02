package codec_test

import (
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/value"
)

// A message holds on to few others: of very many none shares memory with more than
// a block.
func TestBlocksAreSmall(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	elems := make([]value.Value, 3200)
	for i := range elems {
		elems[i] = str("x")
	}
	v := value.Array(elems...)
	n := testing.AllocsPerRun(5, func() { _, _ = codec.ToMessageValue(v, codec.Options{}) })
	if n < 3200/32 || n > 3200/32+4 {
		t.Errorf("%v allocations", n)
	}
}
