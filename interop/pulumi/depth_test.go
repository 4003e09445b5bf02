package pulumi_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/interop/pulumi/internal/differential"
)

// tower makes the bytes of a bag with one member, in which containers are nested:
// of each a letter, outermost first, a for array and o for object. What is
// innermost is a null, or an empty array, which takes a message more.
func tower(levels string, isEmptyArray bool) []byte {
	out := make([]byte, 100+20*len(levels)) // from back to front
	at := len(out)
	put := func(text []byte) { at -= copy(out[at-len(text):], text) }
	wrap := func(number protowire.Number) {
		put(protowire.AppendVarint(protowire.AppendTag(nil, number, protowire.BytesType), uint64(len(out)-at)))
	}
	member := func() {
		wrap(2)
		put([]byte("\x0a\x01k"))
		wrap(1)
	}
	if isEmptyArray {
		wrap(6)
	} else {
		put([]byte("\x08\x00"))
	}
	for i := len(levels) - 1; i >= 0; i-- {
		if levels[i] == 'a' {
			wrap(1)
			wrap(6)
		} else {
			member()
			wrap(5)
		}
	}
	member()
	return out[at:]
}

// towers are nestings that need so many messages: arrays, objects, and mixtures.
func towers(needs int) map[string]bool {
	all := map[string]bool{}
	rng := rand.New(rand.NewPCG(10, 11))
	for _, draw := range []func(i int) byte{
		func(int) byte { return 'a' },
		func(int) byte { return 'o' },
		func(i int) byte { return "ao"[i%2] },
		func(i int) byte { return "oa"[i%2] },
		func(i int) byte { return "aao"[i%3] },
		func(int) byte { return "ao"[rng.IntN(2)] },
		func(int) byte { return "aaaaaao"[rng.IntN(7)] },
	} {
		var levels strings.Builder
		left := needs - 3 // the bag, an entry, and what is innermost
		for i := 0; left >= 2; i++ {
			level := draw(i)
			if left == 2 {
				level = 'a'
			}
			levels.WriteByte(level)
			if left -= 2; level == 'o' {
				left--
			}
		}
		all[levels.String()] = left == 1
	}
	return all
}

// TestDepthAtTheLimit: one message below the limit, at it and above it, bytes are
// taken as protobuf-go takes them, and mean what they mean to the SDK; what is
// taken can be written again, at the same limit and as the same bytes.
func TestDepthAtTheLimit(t *testing.T) {
	for _, limit := range []int{codec.PeerDepth, 1_000, codec.DefaultDepth} {
		for _, needs := range []int{limit - 1, limit, limit + 1} {
			for levels, isEmpty := range towers(needs) {
				at := fmt.Sprintf("limit %d, %d messages, %d levels beginning with %.8s", limit, needs, len(levels), levels)
				data := tower(levels, isEmpty)
				theirs := proto.UnmarshalOptions{RecursionLimit: limit}.Unmarshal(data, new(structpb.Struct))
				v, err := codec.Decode(data, codec.Options{Depth: limit})
				if (err == nil) != (theirs == nil) || (err == nil) != (needs <= limit) {
					t.Errorf("%s: we say %v, protobuf-go %v", at, err, theirs)
				}
				if err != nil {
					continue
				}
				if out, err := codec.Append(nil, v, codec.Options{Depth: limit}); err != nil || !bytes.Equal(out, data) {
					t.Errorf("%s: %v: written as something else", at, err)
				}
				if _, err := codec.Append(nil, v, codec.Options{Depth: needs - 1}); err == nil {
					t.Errorf("%s: written although it is too deep", at)
				}
			}
		}
	}
}

// TestSDKAtTheLimit: at the default limit the SDK, which reads what protobuf-go
// has read, means the same, and above it there is nothing to read.
func TestSDKAtTheLimit(t *testing.T) {
	for _, needs := range []int{codec.DefaultDepth - 1, codec.DefaultDepth, codec.DefaultDepth + 1} {
		want := differential.Agreed
		if needs > codec.DefaultDepth {
			want = differential.NoProtobuf
		}
		for levels, isEmpty := range towers(needs) {
			if strings.Count(levels, "o") > 1_000 {
				continue // its time is quadratic in that
			}
			if outcome, err := differential.Compare(tower(levels, isEmpty)); err != nil || outcome != want {
				t.Errorf("%d messages, %d levels beginning with %.8s: %v, %v", needs, len(levels), levels, outcome, err)
			}
		}
	}
}
