package fuzz

import (
	"slices"

	"github.com/propalg/propalg/internal/test/sample"
	"github.com/propalg/propalg/internal/test/trees"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// BagBytes generates property bags as bytes that [codec.Decode] reads.
//
// They are messages of type google.protobuf.Struct. [Damaged] makes broken ones of them.
func BagBytes(o Options) *rapid.Generator[[]byte] {
	return rapid.Map(writable(o), func(bag value.Value) []byte {
		data, err := codec.Append(nil, bag, codec.Options{})
		if err != nil {
			panic("fuzz: the generator made a bag that cannot be written: " + err.Error())
		}

		return data
	})
}

// BagTexts generates property bags as JSON texts that [codec.DecodeJSONValue] reads.
func BagTexts(o Options) *rapid.Generator[[]byte] { return bagTexts(o, codec.FormSealed) }

// bagTexts generates bags in the first form that has a place for them, else "{}".
func bagTexts(o Options, forms ...codec.Form) *rapid.Generator[[]byte] {
	return rapid.Map(Objects(o), func(bag value.Value) []byte {
		for _, form := range forms {
			if text, err := codec.AppendJSONValue(nil, trees.Bare(bag), codec.Options{Form: form}); err == nil {
				return text
			}
		}

		return []byte("{}")
	})
}

// StateTexts generates stack exports of up to four resources, as state.Parse reads them.
//
// Bags are those that the options allow; secrets are in plaintext or sealed.
func StateTexts(o Options) *rapid.Generator[[]byte] {
	return rapid.Map(rapid.SliceOfN(bagTexts(o, codec.FormState, codec.FormSealed), 0, 4), func(bags [][]byte) []byte {
		texts := make([]string, 0, len(bags))
		for _, bag := range bags {
			texts = append(texts, string(bag))
		}

		return []byte(sample.StackExport(texts...))
	})
}

// Damaged generates the outputs of the generator a with up to three random corruptions.
//
// A corruption cuts the bytes, removes or repeats a part, inserts bytes, flips a bit, or
// changes a byte. Some outputs have none. They shrink to what a shrinks to. Damaged panics
// if a is nil.
func Damaged(a *rapid.Generator[[]byte]) *rapid.Generator[[]byte] {
	if a == nil {
		panic("fuzz: nil generator")
	}

	return rapid.Custom(func(t *rapid.T) []byte {
		data := slices.Clone(a.Draw(t, "whole"))
		for range rapid.IntRange(0, 3).Draw(t, "accidents") {
			data = accidentTo(t, data)
		}
		return data
	})
}

// accidentTo does one thing to data.
func accidentTo(t *rapid.T, data []byte) []byte {
	n := len(data)
	from := rapid.IntRange(0, n).Draw(t, "from")
	to := rapid.IntRange(from, min(n, from+16)).Draw(t, "to")
	kind := rapid.IntRange(0, 6).Draw(t, "accident")
	switch {
	case kind == 0:
		return data[:from]
	case kind == 1:
		return slices.Delete(data, from, to)
	case kind == 2:
		return slices.Insert(data, to, slices.Clone(data[from:to])...)
	case kind == 3:
		return append(data, slices.Clone(data[from:to])...)
	case kind == 4:
		return slices.Insert(data, from, rapid.SliceOfN(rapid.Byte(), 1, 4).Draw(t, "bytes")...)

	case from == n:
	case kind == 5:
		data[from] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
	default:
		data[from] = rapid.SampledFrom([]byte{0, 0xff, 0x7f, 0x80, '"', '\\', '{', ']', data[from] + 1, data[from] - 1}).Draw(t, "byte")
	}

	return data
}
