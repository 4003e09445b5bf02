package differential

import (
	"maps"
	"math/rand/v2"
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/codec"
)

// Seed is an input that mutations begin with.
type Seed struct {
	bytes []byte
	tree  *structpb.Struct
}

// NewSeed makes a seed of the bytes of a Struct.
func NewSeed(data []byte) (Seed, error) {
	s := Seed{bytes: data, tree: new(structpb.Struct)}
	return s, proto.Unmarshal(data, s.tree)
}

// Mutate makes the input of a number, always the same for the same seeds: half of the inputs
// by changing bytes, a quarter by changing the message, and a quarter by both.
func Mutate(seeds []Seed, n uint64) []byte {
	rng := rand.New(rand.NewPCG(0, n))
	s := seeds[rng.IntN(len(seeds))]
	other := seeds[rng.IntN(len(seeds))]
	how := rng.IntN(4)

	data := s.bytes
	if how >= 2 {
		tree := s.tree
		for range 1 + rng.IntN(3) {
			tree = mutateStruct(rng, tree, other.tree)
		}
		var err error
		if data, err = (proto.MarshalOptions{Deterministic: true}).Marshal(tree); err != nil {
			data = s.bytes
		}
	}
	if how != 3 {
		data = mutateBytes(rng, data, other.bytes)
	}
	return data
}

func mutateBytes(rng *rand.Rand, data, other []byte) []byte {
	data = slices.Clone(data)
	for range 1 + rng.IntN(3) {
		if len(data) == 0 {
			break
		}

		i := rng.IntN(len(data))
		switch rng.IntN(9) {
		case 0:
			data[i] = byte(rng.Uint32())
		case 1, 2:
			data[i] ^= 1 << rng.IntN(8)
		case 3:
			data = slices.Delete(data, i, i+1)
		case 4:
			data = slices.Insert(data, i, byte(rng.Uint32()))
		case 5:
			data = data[:i]
		case 6: // merged with another, or its entries twice
			data = append(data, other...)
		case 7:
			data[i] = "\x08\x0a\x0b\x0c\x11\x12\x1a\x20\x2a\x32\x00\xff\x80\x0f\x3a\x2c"[rng.IntN(16)]
		case 8: // an entry of another in front
			data = append(other[:min(len(other), rng.IntN(64)):min(len(other), 64)], data...)
		}
	}
	return data
}

// mutateStruct changes one place in a message, of which it copies what is above
// that place.
func mutateStruct(rng *rand.Rand, m, other *structpb.Struct) *structpb.Struct {
	fields := maps.Clone(m.GetFields())
	if fields == nil {
		fields = map[string]*structpb.Value{}
	}
	key := pick(rng, fields)
	switch rng.IntN(12) {
	case 0:
		delete(fields, key)
	case 1:
		fields[word(rng)] = leaf(rng)
	case 2:
		fields[word(rng)] = fields[key]
		if fields[key] == nil {
			delete(fields, word(rng))
		}
	case 3:
		fields[codec.SignatureKey] = structpb.NewStringValue(signature(rng))
	case 4:
		if o := other.GetFields()[pick(rng, other.GetFields())]; o != nil {
			fields[key] = o
		}
	default:
		if v := fields[key]; v != nil {
			fields[key] = mutateValue(rng, v, other)
		}
	}

	for k, v := range fields {
		if v == nil {
			delete(fields, k)
		}
	}

	return &structpb.Struct{Fields: fields}
}

func mutateValue(rng *rand.Rand, v *structpb.Value, other *structpb.Struct) *structpb.Value {
	how := rng.IntN(16)
	switch {
	case how == 0:
		return leaf(rng)
	case how == 1:
		return wrap(rng, v)
	case how == 2:
		return &structpb.Value{}
	case how <= 4:
		return structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{v, leaf(rng)}})
	}

	switch k := v.GetKind().(type) {
	case *structpb.Value_StructValue:
		return structpb.NewStructValue(mutateStruct(rng, k.StructValue, other))
	case *structpb.Value_ListValue:
		elems := slices.Clone(k.ListValue.GetValues())
		if len(elems) == 0 {
			return structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{leaf(rng)}})
		}
		i := rng.IntN(len(elems))
		switch rng.IntN(6) {
		case 0:
			elems = slices.Delete(elems, i, i+1)
		case 1:
			elems = append(elems, leaf(rng))
		default:
			elems[i] = mutateValue(rng, elems[i], other)
		}
		return structpb.NewListValue(&structpb.ListValue{Values: elems})
	}

	if rng.IntN(3) == 0 {
		return wrap(rng, v)
	}
	return leaf(rng)
}

// wrap puts a value into an object with a signature.
func wrap(rng *rand.Rand, v *structpb.Value) *structpb.Value {
	fields := map[string]*structpb.Value{codec.SignatureKey: structpb.NewStringValue(signature(rng)), "value": v}
	for range rng.IntN(4) {
		fields[word(rng)] = leaf(rng)
	}
	return structpb.NewStructValue(&structpb.Struct{Fields: fields})
}

// pick picks a key, always the same for the same random numbers.
func pick(rng *rand.Rand, fields map[string]*structpb.Value) string {
	if len(fields) == 0 {
		return word(rng)
	}

	best, most := "", uint64(0)
	salt := rng.Uint64() | 1
	for k := range fields {
		h := salt
		for i := range len(k) {
			h = (h ^ uint64(k[i])) * 0x100000001b3
		}
		if h = h*salt ^ h>>29; best == "" || h > most || (h == most && k > best) {
			best, most = k, h
		}
	}
	return best
}
