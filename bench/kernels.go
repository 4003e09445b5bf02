package bench

import (
	"bytes"
	"errors"
	"hash/maphash"
	"slices"

	"github.com/propalg/propalg/bench/work"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/value"
)

// ErrWrong means that the measured work had a wrong result.
var ErrWrong = errors.New("bench: wrong result")

// Kernel is one hot path with its input.
type Kernel = work.Kernel

// Kernels returns the hot paths of the library. One run of a kernel takes some
// microseconds to some milliseconds.
func Kernels() []Kernel {
	return slices.Concat(wireKernels(), jsonKernels(), valueKernels(), diffKernels(), pathKernels(), engineKernels())
}

// over is a kernel that goes through all of some inputs.
func over[T any](name string, inputs func() ([]T, error), once func(in T) error) Kernel {
	return Kernel{Name: name, Make: func() (func() error, error) {
		ins, err := inputs()
		return Each(name, ins, once).Do, err
	}}
}

// The kernels go through kernelBags bags, mixed as in the wild.
const kernelBags = 200

func bags() ([]value.Value, error) { return Bags(kernelBags), nil }

func just(v value.Value) func() ([]value.Value, error) {
	return func() ([]value.Value, error) { return []value.Value{v}, nil }
}

// wires are the bytes of what inputs gives.
func wires(inputs func() ([]value.Value, error)) func() ([][]byte, error) {
	return func() ([][]byte, error) {
		vs, err := inputs()
		all := make([][]byte, len(vs))
		for i := range vs {
			if err == nil {
				all[i], err = Wire(vs[i])
			}
		}
		return all, err
	}
}

func wireKernels() []Kernel {
	decode := func(data []byte) error {
		_, err := codec.Decode(data, codec.Options{})
		return err
	}
	encode := func(inputs func() ([]value.Value, error)) func() (func() error, error) {
		return func() (func() error, error) {
			vs, err := inputs()
			var buf []byte
			return func() error {
				for _, v := range vs {
					var err error
					if buf, err = codec.Append(buf[:0], v, codec.Options{}); err != nil {
						return err
					}
				}
				return nil
			}, err
		}
	}
	return []Kernel{
		over("wire decode bags", wires(bags), decode),
		over("wire decode large", wires(just(Bag(Large))), decode),
		over("wire decode wide", wires(just(Wide(1000))), decode),
		over("wire decode deep", wires(just(Deep(90))), decode),
		over("wire decode secrets", wires(just(Secrets(Large))), decode),
		{Name: "wire encode bags", Make: encode(bags)},
		{Name: "wire encode large", Make: encode(just(Bag(Large)))},
		over("structpb decode bags", bags, func(v value.Value) error {
			message, err := codec.ToMessage(v, codec.Options{})
			if err == nil {
				_, err = codec.FromMessage(message, codec.Options{})
			}
			return err
		}),
	}
}

func texts() ([][]byte, error) {
	vs := Bags(kernelBags)
	all := make([][]byte, len(vs))
	for i, v := range vs {
		var err error
		if all[i], err = codec.AppendJSONValue(nil, v, codec.Options{}); err != nil {
			return nil, err
		}
	}

	return all, nil
}

func jsonKernels() []Kernel {
	return []Kernel{
		over("json decode bags", texts, func(text []byte) error {
			_, err := codec.DecodeJSONValue(text, codec.Options{})
			return err
		}),
		{Name: "json encode bags", Make: func() (func() error, error) {
			vs := Bags(kernelBags)
			var buf []byte
			return func() error {
				for _, v := range vs {
					var err error
					if buf, err = codec.AppendJSONValue(buf[:0], v, codec.Options{}); err != nil {
						return err
					}
				}

				return nil
			}, nil
		}},
		{Name: "state stream", Make: func() (func() error, error) {
			var file bytes.Buffer
			err := WriteStack(&file, kernelBags, Bags(kernelBags))
			return func() error {
				n := 0
				for _, err := range state.NewReader(bytes.NewReader(file.Bytes()), state.Options{}).Resources() {
					if err != nil {
						return err
					}
					n++
				}

				return Must(n == kernelBags)
			}, err
		}},
	}
}

type pair struct{ old, now value.Value }

func pairs(old, now []value.Value) []pair {
	all := make([]pair, len(old))
	for i := range old {
		all[i] = pair{old[i], now[i]}
	}
	return all
}

func twins() ([]pair, error) { return pairs(Bags(kernelBags), Bags(kernelBags)), nil }

func edits() ([]pair, error) {
	return pairs(Bags(kernelBags), Edited(Bags(kernelBags))), nil
}

func valueKernels() []Kernel {
	seed := maphash.MakeSeed()
	return []Kernel{
		over("equal bags", twins, func(p pair) error { return Must(p.old.Equal(p.now)) }),
		over("equal edited", edits, func(p pair) error { return Must(!p.old.Equal(p.now) || p.old.Len() == 0) }),
		over("equal secrets", func() ([]pair, error) {
			return []pair{{Secrets(10 * Large), Secrets(10 * Large)}}, nil
		}, func(p pair) error { return Must(p.old.Equal(p.now)) }),
		over("compare bags", twins, func(p pair) error { return Must(value.Strict.Compare(p.old, p.now) == 0) }),
		over("compatible bags", twins, func(p pair) error {
			return Must(value.Strict.Compatible(p.old, p.now) != value.Changed)
		}),
		over("hash bags", bags, func(v value.Value) error { return Must(value.Strict.Hash(seed, v) != 0) }),
		over("digest bags", bags, func(v value.Value) error { return Must(v.Digest() != [32]byte{}) }),
		over("walk bags", bags, func(v value.Value) error { return Must(Nodes(v) > 0) }),
		over("display bags", bags, func(v value.Value) error { return Must(v.String() != "") }),
		over("compact bags", bags, func(v value.Value) error { return Must(v.Compact().Equal(v)) }),
	}
}
