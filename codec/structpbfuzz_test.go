package codec_test

import (
	"errors"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// messages builds messages out of bytes, which no bytes of the wire could make
// all of: nil where something has to be, texts that are no UTF-8, one message in
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
	v, err := codec.FromStruct(m, o)
	var e *codec.Error
	if again, sameErr := codec.FromStruct(m, o); reason(err) != reason(sameErr) || !again.Identical(v) {
		t.Fatalf("%v, %v; and again %v, %v", v, err, again, sameErr)
	}
	if err != nil && (!errors.As(err, &e) || !v.Identical(value.Null())) {
		t.Fatalf("%v, %#v", v, err)
	}
	data, broken := proto.Marshal(m)
	if broken == nil && !errors.Is(err, codec.ErrDepth) {
		want, wantErr := codec.DecodeStruct(data, o)
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
	again, err := codec.ToStruct(v, o)
	if err != nil {
		return true // rewrite has seen to it that the cause is a listed one
	}
	if back, err := codec.FromStruct(again, o); err != nil || !back.Identical(v) {
		t.Fatalf("%v: as a message again: %v, %v", v, back, err)
	}
	return true
}
