package bench

import (
	"fmt"
	"hash/maphash"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/value"
)

// MaxScale is the number of nodes of the largest bag that work is counted for.
const MaxScale = 1_000_000

// ScaleKernels are decode, encode, equal, diff and hash of bags of 10^2, 10^3 …
// 10^6 nodes, and what is done with bytes that are wild: work on n nodes is named
// "decode n", and so on.
func ScaleKernels() []Kernel {
	var all []Kernel
	for nodes := 100; nodes <= MaxScale; nodes *= 10 {
		all = append(append(all, ofSize(nodes)...), wild(nodes)...)
	}
	return all
}

func ofSize(nodes int) []Kernel {
	bag := func() ([]value.Value, error) { return []value.Value{Bag(nodes)}, nil }
	name := func(work string) string { return fmt.Sprintf("%s %d", work, nodes) }
	seed := maphash.MakeSeed()
	return []Kernel{
		over(name("decode"), wires(bag), func(data []byte) error {
			_, err := codec.DecodeStruct(data, codec.Options{})
			return err
		}),
		over(name("encode"), bag, func(v value.Value) error {
			_, err := codec.AppendStruct(nil, v, codec.Options{})
			return err
		}),
		over(name("equal"), func() ([]pair, error) {
			return []pair{{Bag(nodes), Bag(nodes)}}, nil
		}, func(p pair) error { return Must(p.old.Equal(p.now)) }),
		over(name("diff"), func() ([]pair, error) {
			return []pair{{Bag(nodes), EditedEvery(Bag(nodes), 10)}}, nil
		}, func(p pair) error { return Must(diff.Between(p.old, p.now, diff.Options{}).Len() > 0) }),
		over(name("align"), func() ([]pair, error) {
			old := Numbers(max(nodes/7, 1))
			return []pair{{Rules(old), Rules(Edits(old, max(len(old)/100, 1)))}}, nil
		}, func(p pair) error {
			return Must(diff.Between(p.old, p.now, diff.Options{Arrays: diff.Aligned()}).Len() > 0)
		}),
		over(name("hash"), bag, func(v value.Value) error { return Must(v.Hash(seed) != 0) }),
	}
}
