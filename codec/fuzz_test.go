package codec_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/value"
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
		if _, ok := readProto(data, true, &codec.Options{}); !ok {
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
	if race.Enabled || testing.Short() {
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
		want, wantErr := codec.FromMessageValue(m, codec.Options{})
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

// messages builds messages out of bytes, which no bytes of the wire could make
// all of: nil where something has to be, texts that are not UTF-8, one message in
// several places.
type messages struct {
	rest []byte
	all  []*structpb.Value // those that are done
}

func (m *messages) next() byte {
	if len(m.rest) == 0 {
		return 0
	}
	b := m.rest[0]
	m.rest = m.rest[1:]
	return b
}

func (m *messages) text() string {
	texts := []string{
		"", "a", "value", "\xff", "urn", "id", "text", "assets", "hash", "secret", "dependencies", "plaintext", "ciphertext", "masked", `{"a":[1]}`, "/w==", hash,
		sigKey, sigKey, sigKey, secretID, assetID, packID, refID, outputID, bytesID, anyString, urnA,
	}
	if i := int(m.next()); i < len(texts)*8 {
		return texts[i%len(texts)]
	}
	n := min(int(m.next())%8, len(m.rest))
	text := string(m.rest[:n])
	m.rest = m.rest[n:]
	return text
}

func (m *messages) fields(levels int) *structpb.Struct {
	s := &structpb.Struct{}
	for range m.next() % 5 {
		if s.Fields == nil {
			s.Fields = map[string]*structpb.Value{}
		}
		s.Fields[m.text()] = m.value(levels)
	}
	return s
}

func (m *messages) value(levels int) *structpb.Value {
	var v *structpb.Value
	switch kind := m.next() % 16; {
	case kind == 0:
		v = structpb.NewNullValue()
	case kind < 3:
		v = structpb.NewBoolValue(kind == 1)
	case kind == 3:
		v = structpb.NewNumberValue(float64(int8(m.next())) / 4)
	case kind < 7:
		v = structpb.NewStringValue(m.text())
	case kind < 9 && levels > 0:
		l := &structpb.ListValue{}
		for range m.next() % 5 {
			l.Values = append(l.Values, m.value(levels-1))
		}
		v = structpb.NewListValue(l)
	case kind < 13 && levels > 0:
		v = structpb.NewStructValue(m.fields(levels - 1))
	case kind == 13 && len(m.all) > 0:
		return m.all[int(m.next())%len(m.all)]
	case kind == 14:
		nils := []*structpb.Value{nil, {}, {Kind: (*structpb.Value_NullValue)(nil)}, {Kind: (*structpb.Value_StructValue)(nil)}, structpb.NewStructValue(nil), structpb.NewListValue(nil)}
		return nils[int(m.next())%len(nils)]
	default:
		v = structpb.NewStringValue(m.text())
	}
	m.all = append(m.all, v)
	return v
}

// FuzzFromStruct: any message in memory. What protobuf-go can write means what
// its bytes mean, or is refused for the same reason; what is accepted becomes a
// message again that means the same.
func FuzzFromStruct(f *testing.F) {
	for _, data := range seeds(f) {
		f.Add(data, uint8(0))
	}
	f.Add([]byte{1, 17, 4, 20, 1, 2, 4, 1}, uint8(20))
	f.Fuzz(func(t *testing.T, program []byte, depth uint8) {
		readMessage(t, program, codec.Options{Depth: int(depth)})
	})
}

// readMessage reads a message that is built out of bytes, and reports whether it was
// taken.
func readMessage(t *testing.T, program []byte, o codec.Options) bool {
	t.Helper()
	m := (&messages{rest: program}).fields(8)
	v, err := codec.FromMessage(m, o)
	var e *codec.Error
	if again, sameErr := codec.FromMessage(m, o); reason(err) != reason(sameErr) || !again.Identical(v) {
		t.Fatalf("%v, %v; and again %v, %v", v, err, again, sameErr)
	}
	if err != nil && (!errors.As(err, &e) || !v.Identical(value.Null())) {
		t.Fatalf("%v, %#v", v, err)
	}
	data, broken := proto.Marshal(m)
	if broken == nil && !errors.Is(err, codec.ErrDepth) {
		want, wantErr := codec.Decode(data, o)
		// A nil message is written as one without a kind, or as an empty one.
		if err == nil && (wantErr != nil || !v.Identical(want)) {
			t.Fatalf("%x: %v, as bytes %v", data, v, wantErr)
		}
		if wantErr != nil && err == nil {
			t.Fatalf("%x: taken, as bytes: %v", data, wantErr)
		}
	}
	if err != nil {
		return false
	}
	if broken != nil {
		t.Fatalf("taken, and protobuf-go: %v", broken)
	}
	rewrite(t, v, o)
	again, err := codec.ToMessage(v, o)
	if err != nil {
		return true // rewrite has seen to it that the cause is a listed one
	}
	if back, err := codec.FromMessage(again, o); err != nil || !back.Identical(v) {
		t.Fatalf("%v: as a message again: %v, %v", v, back, err)
	}
	return true
}
