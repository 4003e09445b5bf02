package codec_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// One meaning and one error, however the maps of a message are ordered.
func TestMessages(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const rounds = 30_000
	taken := 0
	for range rounds {
		program := make([]byte, rng.IntN(80))
		for i := range program {
			program[i] = byte(rng.Uint32())
		}
		if readMessage(t, program, codec.Options{Depth: rng.IntN(12), ByteStrings: codec.Policy(2 * rng.IntN(2))}) {
			taken++
		}
	}
	if taken < rounds/10 || taken > rounds*9/10 {
		t.Errorf("of %d %d were taken", rounds, taken)
	}
}

func TestMessagesOfBags(t *testing.T) {
	for i, data := range wireBags(t) {
		m := new(structpb.Struct)
		if err := proto.Unmarshal(data, m); err != nil {
			t.Fatal(err)
		}
		want, err := codec.DecodeStruct(data, codec.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if v, err := codec.FromStruct(m, codec.Options{}); err != nil || !v.Identical(want) {
			t.Errorf("bag %d: %v", i, err)
		}
		if n := testing.AllocsPerRun(2, func() { _, _ = codec.FromStruct(m, codec.Options{}) }); !raceEnabled && n > float64(due(want, len(data))+16) {
			t.Errorf("bag %d: %v allocations, %d are due", i, n, due(want, len(data)))
		}
	}
}

// A message that is in itself, twice: going down ends it, not going wide.
func TestMessagesInCircles(t *testing.T) {
	s := &structpb.Struct{Fields: map[string]*structpb.Value{}}
	l := &structpb.ListValue{}
	s.Fields["a"], s.Fields["b"], s.Fields["l"] = structpb.NewStructValue(s), structpb.NewStructValue(s), structpb.NewListValue(l)
	l.Values = []*structpb.Value{s.Fields["a"], s.Fields["l"], s.Fields["l"], s.Fields["b"]}
	for _, depth := range []int{0, 1, 2, 3, 4, 5, 50} {
		o := codec.Options{Depth: depth}
		if v, err := codec.FromStruct(s, o); !errors.Is(err, codec.ErrDepth) {
			t.Errorf("depth %d: %v, %v", depth, v, err)
		}
	}
}

// A message holds on to few others: of very many none shares memory with more than
// a block.
func TestBlocksAreSmall(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	elems := make([]value.Value, 3200)
	for i := range elems {
		elems[i] = str("x")
	}
	v := value.Array(elems...)
	n := testing.AllocsPerRun(5, func() { _, _ = codec.ToValue(v, codec.Options{}) })
	if n < 3200/32 || n > 3200/32+4 {
		t.Errorf("%v allocations", n)
	}
}
