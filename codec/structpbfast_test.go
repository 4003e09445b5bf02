package codec_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// The fast way takes messages of which the slow one makes the same, and gives up for
// those that have something wrong with them.
func TestFastMessages(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const rounds = 30_000
	taken, refused := 0, 0
	for range rounds {
		program := make([]byte, rng.IntN(80))
		for i := range program {
			program[i] = byte(rng.Uint32())
		}
		m := (&messages{rest: program}).fields(6)
		o := codec.Options{Depth: rng.IntN(12), ByteStrings: codec.Policy(2 * rng.IntN(2))}
		slow, err := codec.FromStructSlow(m, o)
		fast, ok := codec.FromStructFast(m, o)
		switch {
		case ok && (err != nil || !slow.Identical(fast)):
			t.Fatalf("%v: the fast way takes it, the other says %v", m, err)
		case ok:
			taken++
		case err != nil:
			refused++
		default:
			if !strings.Contains(m.String(), "plaintext") {
				t.Fatalf("%v: the fast way gives up", m)
			}
		}
		if again, same := codec.FromStructFast(m, o); same != ok || !again.Identical(fast) {
			t.Fatalf("%v: once %v, and once %v", m, ok, same)
		}
	}
	if taken < rounds/10 || refused < rounds/10 {
		t.Errorf("of %d %d were taken, %d refused", rounds, taken, refused)
	}
}

func TestFastMessagesOfBags(t *testing.T) {
	for i, data := range wireBags(t) {
		m := new(structpb.Struct)
		if err := proto.Unmarshal(data, m); err != nil {
			t.Fatal(err)
		}
		want, err := codec.DecodeStruct(data, codec.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if v, ok := codec.FromStructFast(m, codec.Options{}); !ok || !v.Identical(want) {
			t.Errorf("bag %d: %v", i, ok)
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
		if v, ok := codec.FromStructFast(s, o); ok {
			t.Errorf("depth %d: %v", depth, v)
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
