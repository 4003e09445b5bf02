package codec_test

import (
	"testing"

	"github.com/propalg/propalg/codec"
)

func TestAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	scalar, small, bag := []byte(`17`), []byte(`{"a":1}`), []byte(like)
	v := decode(t, like, codec.Options{})
	buffer := make([]byte, 0, 1<<16)
	read := func(data []byte) func() {
		return func() {
			if _, err := codec.DecodeJSON(data, codec.Options{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, row := range []struct {
		name string
		most float64
		f    func()
	}{
		// The copy of the text, the members and the elements, and what is out of line.
		{"DecodeJSON of a scalar", 1, read(scalar)},
		{"DecodeJSON of one member", 2, read(small)},
		{"DecodeJSON of a bag", 4, read(bag)},
		{"AppendJSON into room", 0, func() {
			if _, err := codec.AppendJSON(buffer, v, codec.Options{}); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		if n := testing.AllocsPerRun(100, row.f); n > row.most {
			t.Errorf("%s: %v allocations, at most %v are due", row.name, n, row.most)
		} else {
			t.Logf("%s: %v allocations", row.name, n)
		}
	}
	data := median(t)
	n := testing.AllocsPerRun(100, read(data))
	t.Logf("DecodeJSON of the median real bag, %d bytes: %v allocations", len(data), n)
	if n > 4 {
		t.Errorf("DecodeJSON of the median real bag: %v allocations", n)
	}
}
