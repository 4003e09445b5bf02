package codec_test

import (
	"math/rand/v2"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/propalg/propalg/codec"
)

// wild makes bytes that are nearly a Struct: with everything that encoders do
// not do and decoders have to take, and now and then with what they must not.
type wild struct{ *rand.Rand }

// one in n.
func (w wild) one(n int) bool { return w.IntN(n) == 0 }

func (w wild) varint(out []byte, x uint64) []byte {
	if !w.one(30) {
		return protowire.AppendVarint(out, x)
	}
	for range w.IntN(4) { // longer than needed, now and then too long
		if x < 0x80 || w.one(50) {
			out = append(out, byte(x)|0x80)
			x >>= 7
		}
	}
	return protowire.AppendVarint(out, x)
}

func (w wild) tag(out []byte, number protowire.Number, wire protowire.Type) []byte {
	return w.varint(out, protowire.EncodeTag(number, wire))
}

func (w wild) chunk(out []byte, number protowire.Number, content []byte) []byte {
	out = w.varint(w.tag(out, number, protowire.BytesType), uint64(len(content)))
	if w.one(400) && len(content) > 0 {
		content = content[1:] // too short
	}
	return append(out, content...)
}

// junk is a field that nobody knows, or not with this wire type.
func (w wild) junk(out []byte, depth int) []byte {
	number := protowire.Number(1 + w.IntN(8))
	switch w.IntN(12) {
	case 0:
		number = protowire.Number(1 + w.IntN(1<<29-1))
	case 1:
		if w.one(20) {
			number = 1 << 29
		}
	}
	switch w.IntN(6) {
	case 0:
		return w.varint(w.tag(out, number, protowire.VarintType), w.Uint64()>>w.IntN(64))
	case 1:
		return protowire.AppendFixed32(w.tag(out, number, protowire.Fixed32Type), w.Uint32())
	case 2:
		return protowire.AppendFixed64(w.tag(out, number, protowire.Fixed64Type), w.Uint64())
	case 3:
		return w.chunk(out, number+6, w.structure(depth-1))
	case 4:
		out = w.tag(out, number, protowire.StartGroupType)
		for depth > 0 && w.one(2) {
			out = w.junk(out, depth-1)
		}
		if w.one(40) {
			number++
		}
		return w.tag(out, number, protowire.EndGroupType)
	}
	if w.one(30) {
		return w.tag(out, number, protowire.Type(4+w.IntN(4)))
	}
	return out
}

func pick[T any](w wild, of ...T) T { return of[w.IntN(len(of))] }

func (w wild) key() string {
	if w.one(200) {
		return "\xff"
	}
	return pick(w, "a", "b", "c", "", "value", "value", "value", "secret", "dependencies", "ciphertext", "plaintext", "masked", "urn", "id", "hash", "text", "path", "uri", "assets", sigKey, sigKey, sigKey)
}

func (w wild) text() string {
	if w.one(200) {
		return "a\xffb"
	}
	return pick(w, "", "x", "hello", "aGk=", `{"p":[1,{"q":null}]}`, `"`, "1b47061264138c4ac30d75fd1eb44270", "c44067f5952c0a294b673a41bacd8c17", "0def7320c3a5731c473e5ecbe6d01bc7",
		"5cf8f73096256a8f31e491e813e4eb8e", "d0e6a833031e9bbcd3f4e8bde6ca49a4", "803fd3297a5875dc03ca845dda5d2a98", anyString, anyBool, urnA, hash)
}

func (w wild) structure(depth int) (out []byte) {
	if depth <= 0 {
		return nil
	}
	for range w.IntN(4) {
		if w.one(12) {
			out = w.junk(out, depth)
		}
		out = w.chunk(out, 1, w.entry(depth))
	}
	return out
}

func (w wild) entry(depth int) (out []byte) {
	key := w.key()
	content := w.value(depth - 1)
	if key == sigKey && !w.one(10) {
		content = w.chunk(nil, 3, []byte(w.text()))
	}
	first := w.one(10)
	for i := range 1 + w.IntN(16)/15 {
		if first || i > 0 {
			content = w.value(depth - 1)
			out = w.chunk(out, 2, content)
		}
		if !w.one(25) {
			out = w.chunk(out, 1, []byte(key))
		}
		if !first && !w.one(50) {
			out = w.chunk(out, 2, content)
		}
		if w.one(20) {
			out = w.junk(out, depth)
		}
	}
	return out
}

func (w wild) value(depth int) (out []byte) {
	if w.one(60) {
		return nil
	}
	for range 1 + w.IntN(8)/7*w.IntN(4) {
		if w.one(30) {
			out = w.junk(out, depth)
		}
		switch w.IntN(8) {
		case 0:
			out = w.varint(w.tag(out, 1, protowire.VarintType), pick[uint64](w, 0, 0, 1, 1<<63, 300))
		case 1:
			out = protowire.AppendFixed64(w.tag(out, 2, protowire.Fixed64Type), pick(w, 0, 1<<63, 0x7ff0000000000000, 0x7ff8000000000001, 0xfff8000000000000, w.Uint64()))
		case 2:
			out = w.chunk(out, 3, []byte(w.text()))
		case 3:
			out = w.varint(w.tag(out, 4, protowire.VarintType), pick[uint64](w, 0, 1, 1, 2, 1<<63))
		case 4, 5:
			out = w.chunk(out, 5, w.structure(depth-1))
		case 6:
			var list []byte
			for range w.IntN(4) {
				if w.one(12) {
					list = w.junk(list, depth)
				}
				list = w.chunk(list, 1, w.value(depth-1))
			}
			out = w.chunk(out, 6, list)
		}
	}
	return out
}

// What no encoder writes, decoders take or refuse as protobuf-go does.
func TestWildBytes(t *testing.T) {
	rounds := 60_000
	if raceEnabled || testing.Short() {
		rounds = 5_000
	}
	w := wild{rand.New(rand.NewPCG(3, 4))}
	accepted, slow := 0, 0
	for i := range rounds {
		data := w.structure(2 + i%8)
		o := codec.Options{}
		if i%4 == 3 {
			o.Depth = 1 + i/4%24
		}
		if _, ok := agree(t, data, o); ok {
			accepted++
			if _, fast := codec.DecodeFast(data, o); !fast {
				slow++
			}
		}
	}
	if accepted < rounds/10 || slow < rounds/50 {
		t.Errorf("of %d only %d were accepted, %d of them on the slow path", rounds, accepted, slow)
	}
	t.Logf("of %d, %d were accepted, %d of them on the slow path", rounds, accepted, slow)
}
