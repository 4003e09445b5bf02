package bench

import (
	"fmt"
	"hash/maphash"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/value"
)

// maxScale is the number of nodes of the largest bag that work is counted for.
const maxScale = 1_000_000

// ScaleKernels returns kernels for inputs of 10^2, 10^3 … 10^6 nodes: decoding, encoding,
// comparing, diffing, aligning and hashing generated bags; reading bytes that peers may send
// but encoders do not write; and comparing values that are hard to compare. A kernel is
// named for the work and the number of nodes, such as "decode 1000".
func ScaleKernels() []Kernel {
	var all []Kernel
	for nodes := 100; nodes <= maxScale; nodes *= 10 {
		all = append(append(append(all, ofSize(nodes)...), wild(nodes)...), hardToCompare(nodes)...)
	}
	return all
}

func ofSize(nodes int) []Kernel {
	bag := func() ([]value.Value, error) { return []value.Value{Bag(nodes)}, nil }
	name := func(work string) string { return fmt.Sprintf("%s %d", work, nodes) }

	seed := maphash.MakeSeed()
	return []Kernel{
		over(name("decode"), wires(bag), func(data []byte) error {
			_, err := codec.Decode(data, codec.Options{})
			return err
		}),
		over(name("encode"), bag, func(v value.Value) error {
			_, err := codec.Append(nil, v, codec.Options{})
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
		over(name("hash"), bag, func(v value.Value) error { return Must(value.Strict.Hash(seed, v) != 0) }),
	}
}

// hardToCompare are pairs of arrays that have all elements in another order, or few
// different ones, arrays in arrays, each of which is matched, and containers in one
// another, as deep as values are, that differ in the leaf.
func hardToCompare(nodes int) []Kernel {
	source := func(seed uint64) *rand.Rand {
		return rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // the same every time
	}
	random := func(values int, seed uint64) []int {
		r := source(seed)
		all := make([]int, nodes)
		for i := range all {
			all[i] = r.IntN(values)
		}
		return all
	}
	numbers := func(all []int) value.Value {
		elems := make([]value.Value, len(all))
		for i, n := range all {
			elems[i] = value.Number(float64(n))
		}
		return value.Array(elems...)
	}
	nested := func(leaf string) value.Value {
		v := value.String(leaf)
		for range min(nodes, value.MaxDepth) / 2 {
			v = value.Array(v, value.Number(1))
		}
		return v
	}
	deep := func(leaf string) func() value.Value {
		return func() value.Value { return tower(min(nodes, value.MaxDepth)-1, value.String(leaf)) }
	}
	kernel := func(name string, how diff.Match, old, now func() value.Value) Kernel {
		return over(fmt.Sprintf("%s %d", name, nodes), func() ([]pair, error) {
			return []pair{{old(), now()}}, nil
		}, func(p pair) error { return Must(diff.Between(p.old, p.now, diff.Options{Arrays: how}).Len() > 0) })
	}
	ascending := func() value.Value { return numbers(Numbers(nodes)) }
	reversed := func() value.Value {
		all := Numbers(nodes)
		slices.Reverse(all)
		return numbers(all)
	}
	permuted := func() value.Value { return numbers(source(3).Perm(nodes)) }
	some := func(values int, seed uint64) func() value.Value {
		return func() value.Value { return numbers(random(values, seed)) }
	}
	root := int(math.Sqrt(float64(nodes)))
	return []Kernel{
		kernel("align-reversed", diff.Aligned(), ascending, reversed),
		kernel("align-permuted", diff.Aligned(), ascending, permuted),
		kernel("align-two-values", diff.Aligned(), some(2, 1), some(2, 2)),
		kernel("align-few-values", diff.Aligned(), some(root, 1), some(root, 2)),
		kernel("set-few-values", diff.Unordered(), some(root, 1), some(root, 2)),
		kernel("align-deep", diff.Aligned(), func() value.Value { return nested("a") }, func() value.Value { return nested("b") }),
		kernel("diff-deep", diff.Positional(), deep("a"), deep("b")),
	}
}
