package codec_test

import (
	"bufio"
	"encoding/json"
	"math/rand/v2"
	"os"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/codec"
)

// wireBags returns the real bags, as bytes that protobuf-go wrote of them;
// members are in its random order.
func wireBags(t testing.TB) [][]byte {
	t.Helper()
	f, err := os.Open("../../shared/data/bags.jsonl")
	if err != nil {
		t.Skip("no real bags here: ", err)
	}
	defer f.Close()
	var bags [][]byte
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var row struct {
			Form string
			Bag  json.RawMessage
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		if row.Form != "grpc" {
			continue
		}
		m := new(structpb.Struct)
		if err := protojson.Unmarshal(row.Bag, m); err != nil {
			t.Fatal(err)
		}
		data, err := proto.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		bags = append(bags, data)
	}
	if lines.Err() != nil || len(bags) == 0 {
		t.Fatal(lines.Err(), len(bags))
	}
	return bags
}

func TestRealBagsAsBytes(t *testing.T) {
	slow := 0
	for _, data := range wireBags(t) {
		if _, ok := agree(t, data, codec.Options{}); !ok {
			t.Errorf("%x: refused", data)
		}
		if _, ok := codec.DecodeFast(data, codec.Options{}); !ok {
			slow++
		}
	}
	if slow != 0 {
		t.Errorf("%d bags take the slow path", slow)
	}
}

// Bytes that were once a bag, one to four of them changed.
func TestMutatedBags(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	bags := wireBags(t)
	rounds := 4
	if raceEnabled || testing.Short() {
		rounds = 1
	}
	for range rounds {
		for i, data := range bags {
			agree(t, mutate(rng, data, bags[(i*7+1)%len(bags)]), codec.Options{})
		}
	}
}

func mutate(rng *rand.Rand, data, other []byte) []byte {
	data = append([]byte(nil), data...)
	for range 1 + rng.IntN(4) {
		if len(data) == 0 {
			break
		}
		i := rng.IntN(len(data))
		switch rng.IntN(7) {
		case 0:
			data[i] = byte(rng.Uint32())
		case 1:
			data[i] ^= 1 << rng.IntN(8)
		case 2:
			data = append(data[:i:i], data[i+1:]...)
		case 3:
			data = append(data[:i:i], append([]byte{byte(rng.Uint32())}, data[i:]...)...)
		case 4:
			data = data[:i]
		case 5: // merged with another, or its entries twice
			data = append(data, other...)
		case 6:
			data[i] = "\x08\x0a\x0b\x0c\x11\x12\x1a\x20\x2a\x32\x00\xff\x80\x0f\x3a\x2c"[rng.IntN(16)]
		}
	}
	return data
}

// seeds are bytes that decoders may trip over, and some real bags.
func seeds(f *testing.F) [][]byte {
	f.Helper()
	all := [][]byte{
		nil, []byte("\x0a"), []byte("\x0a\x00"), []byte("\x7b\x7c"), []byte("\x7b\x08\x00\x7c"), []byte(entryOf("a", nullOf)), []byte(entryOf("a", "\x20\x01") + entryOf("a", textOf("x"))),
		[]byte(entryOf("n", "\x11\x00\x00\x00\x00\x00\x00\xf8\x7f")), []byte(entryOf("u", textOf(anyString))), []byte(entryOf("l", listOf(elemOf(nullOf), elemOf()))),
		[]byte(entryOf("s", structOf(sigOf(secretID), entryOf("value", structOf(entryOf("k", nullOf)))))), []byte(entryOf("m", structOf(sigOf(secretID)), structOf(entryOf("plaintext", textOf(`{"a":1}`))))),
		[]byte(entryOf("o", structOf(sigOf(outputID), entryOf("dependencies", listOf(elemOf(textOf("u")))), entryOf("secret", "\x20\x01")))),
		[]byte(entryOf("r", structOf(sigOf(refID), entryOf("urn", textOf(urnA)), entryOf("id", textOf(""))))), []byte(entryOf("b", structOf(sigOf(bytesID), entryOf("value", textOf("/w=="))))),
		[]byte(entryOf("p", structOf(sigOf(packID), entryOf("assets", structOf(entryOf("f", structOf(sigOf(assetID), entryOf("hash", textOf(hash))))))))),
		[]byte(chunkOf(1, chunkOf(2, nullOf), chunkOf(1, "late"))), []byte(chunkOf(1, chunkOf(1, "k"), chunkOf(2, listOf(elemOf(nullOf))), chunkOf(2, listOf(elemOf(textOf("x")))))),
	}
	if _, err := os.Stat("../../shared/data/bags.jsonl"); err == nil {
		for i, data := range wireBags(f) {
			if i%100 == 0 && len(data) < 2_000 {
				all = append(all, data)
			}
		}
	}
	return all
}

// Any bytes, at any limit: as protobuf-go takes them, or refuses them.
func FuzzProtoStruct(f *testing.F) {
	for i, data := range seeds(f) {
		f.Add(data, uint8(0))
		f.Add(data, uint8(i%12))
	}
	f.Fuzz(func(t *testing.T, data []byte, depth uint8) { agree(t, data, codec.Options{Depth: int(depth)}) })
}

func FuzzProtoValue(f *testing.F) {
	for _, data := range seeds(f) {
		f.Add(append([]byte("\x2a"), protowire.AppendBytes(nil, data)...))
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m := new(structpb.Value)
		broken := proto.Unmarshal(data, m)
		v, err := codec.DecodeValue(data, codec.Options{})
		if broken != nil {
			if err == nil {
				t.Fatalf("%x: protobuf-go says %v, we take it", data, broken)
			}
			return
		}
		want, wantErr := codec.FromValue(m, codec.Options{})
		if reason(err) != reason(wantErr) || !v.Identical(want) {
			t.Fatalf("%x: we say %v, by way of structpb %v", data, err, wantErr)
		}
	})
}

// Bytes that are nearly right, changed a little.
func FuzzProtoWild(f *testing.F) {
	for i := range 20 {
		f.Add(uint64(i), uint8(i), uint8(0))
	}
	f.Fuzz(func(t *testing.T, seed uint64, levels, depth uint8) {
		w := wild{rand.New(rand.NewPCG(seed, uint64(levels)))}
		data := w.structure(int(levels % 12))
		agree(t, data, codec.Options{Depth: int(depth)})
		agree(t, mutate(w.Rand, data, data), codec.Options{Depth: int(depth)})
	})
}
