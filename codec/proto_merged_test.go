package codec_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/path"
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
	if race.Enabled || testing.Short() {
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
			if _, fast := readProto(data, true, &o); !fast {
				slow++
			}
		}
	}
	if accepted < rounds/10 || slow < rounds/50 {
		t.Errorf("of %d only %d were accepted, %d of them on the slow path", rounds, accepted, slow)
	}
	t.Logf("of %d, %d were accepted, %d of them on the slow path", rounds, accepted, slow)
}

// chunks are fields of the wire type bytes, or raw bytes.
func chunkOf(number protowire.Number, parts ...string) string {
	return string(protowire.AppendString(protowire.AppendTag(nil, number, protowire.BytesType), strings.Join(parts, "")))
}

func entryOf(key string, value ...string) string {
	return chunkOf(1, chunkOf(1, key), chunkOf(2, value...))
}

func textOf(s string) string          { return chunkOf(3, s) }
func structOf(parts ...string) string { return chunkOf(5, parts...) }
func listOf(parts ...string) string   { return chunkOf(6, parts...) }
func elemOf(parts ...string) string   { return chunkOf(1, parts...) }

func sigOf(sig string) string { return entryOf(sigKey, textOf(sig)) }

const (
	nullOf   = "\x08\x00"
	secretID = "1b47061264138c4ac30d75fd1eb44270"
	outputID = "d0e6a833031e9bbcd3f4e8bde6ca49a4"
	assetID  = "c44067f5952c0a294b673a41bacd8c17"
	packID   = "0def7320c3a5731c473e5ecbe6d01bc7"
	refID    = "5cf8f73096256a8f31e491e813e4eb8e"
	bytesID  = "803fd3297a5875dc03ca845dda5d2a98"
)

// Every way in which an object with a signature can be wrong.
func TestMalformedSignatures(t *testing.T) {
	flag := func(b byte) string { return "\x20" + string([]byte{b}) }
	for _, row := range []struct {
		at, data, want, found string
		cause                 error
	}{
		{here(), sigOf("nonsense"), "known signature", "text of 8 bytes as signature", codec.ErrSignature},
		{here(), entryOf(sigKey, nullOf), "string as signature", "null", codec.ErrSignature},
		{here(), entryOf(sigKey, textOf(anyString)), "string as signature", "unknown", codec.ErrSignature},
		{here(), sigOf(secretID), "one of value, ciphertext, plaintext", "none", codec.ErrSignature},
		{here(), sigOf(secretID) + entryOf("value", nullOf) + entryOf("ciphertext", textOf("c")), "one of value, ciphertext, plaintext", "value and ciphertext", codec.ErrSignature},
		{here(), sigOf(secretID) + entryOf("ciphertext", nullOf), "string as ciphertext", "null", codec.ErrSignature},
		{here(), sigOf(secretID) + entryOf("plaintext", nullOf), "string as plaintext", "null", codec.ErrSignature},
		{here(), sigOf(secretID) + entryOf("plaintext", textOf("{")), "", "", codec.ErrSyntax},
		{here(), sigOf(secretID) + entryOf("masked", flag(1)), "its contents (write the text again, with secrets shown)", "", codec.ErrMasked},
		{here(), sigOf(secretID) + entryOf("masked", flag(0)), "true as masked", "bool", codec.ErrSignature},
		{here(), sigOf(outputID) + entryOf("secret", nullOf), "bool as secret", "null", codec.ErrSignature},
		{here(), sigOf(outputID) + entryOf("dependencies", textOf("u")), "array as dependencies", "string", codec.ErrSignature},
		{here(), sigOf(outputID) + entryOf("dependencies", listOf(elemOf(nullOf))), "strings as dependencies", "null", codec.ErrSignature},
		{here(), sigOf(assetID) + entryOf("hash", nullOf), "string as hash", "null", codec.ErrSignature},
		{here(), sigOf(assetID) + entryOf("text", nullOf), "string as text", "null", codec.ErrSignature},
		{here(), sigOf(assetID) + entryOf("text", textOf("a")) + entryOf("uri", textOf("b")), "one source", "text and uri", codec.ErrSignature},
		{here(), sigOf(assetID) + entryOf("text", textOf("a")) + entryOf("path", textOf("c")) + entryOf("uri", textOf("b")), "one source", "text and path and uri", codec.ErrSignature},
		{here(), sigOf(packID) + entryOf("assets", nullOf), "object as assets", "null", codec.ErrSignature},
		{here(), sigOf(packID) + entryOf("assets", structOf(entryOf("f", nullOf))), "assets and archives in an archive", "null", codec.ErrSignature},
		{here(), sigOf(packID) + entryOf("path", textOf("p")) + entryOf("uri", textOf("u")), "one source", "path and uri", codec.ErrSignature},
		{here(), sigOf(packID) + entryOf("path", textOf("p")) + entryOf("assets", structOf(entryOf("f", structOf(sigOf(assetID))))), "one source", "assets and path", codec.ErrSignature},
		{here(), sigOf(refID), "urn", "none", codec.ErrSignature},
		{here(), sigOf(refID) + entryOf("urn", nullOf), "string as urn", "null", codec.ErrSignature},
		{here(), sigOf(refID) + entryOf("urn", textOf("u")) + entryOf("id", nullOf), "string as id", "null", codec.ErrSignature},
		{here(), sigOf(refID) + entryOf("urn", textOf("u")) + entryOf("type", nullOf), "string as type", "null", codec.ErrSignature},
		{here(), sigOf(bytesID), "value", "none", codec.ErrSignature},
		{here(), sigOf(bytesID) + entryOf("value", nullOf), "string as value", "null", codec.ErrSignature},
		{here(), sigOf(bytesID) + entryOf("value", textOf("?")), "base64 as value", "another text", codec.ErrSignature},
	} {
		data := entryOf("w", nullOf) + entryOf("x", listOf(elemOf(nullOf), elemOf(structOf(row.data))))
		_, err := codec.Decode([]byte(data), codec.Options{})
		e := failure(t, err)
		ofPlaintext := errors.Is(row.cause, codec.ErrSyntax)
		if ofPlaintext {
			e.Want, e.Found = "", ""
		}
		if !errors.Is(err, row.cause) || e.Want != row.want || e.Found != row.found || e.At.String() != "x[1]" || e.Offset != -1 || e.Op != "decode protobuf" {
			t.Errorf("%s: got %v, want expected %s, found %s", row.at, err, row.want, row.found)
		}
		m := new(structpb.Struct)
		if err := proto.Unmarshal([]byte(data), m); err != nil {
			t.Fatalf("%s: %v", row.at, err)
		}
		_, again := codec.FromMessage(m, codec.Options{})
		if f := failure(t, again); (reason(f) != reason(err) && !ofPlaintext) || f.Offset != -1 || f.Op != "from structpb" {
			t.Errorf("%s: by way of structpb: %v", row.at, again)
		}
	}
}

// What does not count is not looked into, but has to be well formed.
func TestWhatDoesNotCount(t *testing.T) {
	nonsense := structOf(sigOf("nonsense"), entryOf("v"))
	v, ok := agree(t, []byte(entryOf("a", nonsense)+entryOf("a", textOf("x"))+entryOf("b", nonsense, textOf("y"))), codec.Options{})
	if s, _ := v.Field("a").AsString(); !ok || s != "x" {
		t.Error("an entry that another one replaces counts")
	}
	if s, _ := v.Field("b").AsString(); s != "y" {
		t.Error("a kind that another one replaces counts")
	}
	v, _ = agree(t, []byte(entryOf("s", structOf(sigOf(secretID)), structOf(entryOf("value", nullOf, listOf(elemOf(nullOf)), listOf(elemOf(textOf("z"))))))), codec.Options{})
	if s := v.Field("s"); !s.IsSecret() || s.Len() != 2 {
		t.Error("parts of one message are not merged")
	}
	for i, first := range []string{"\x11\x00\x00\x00\x00\x00\x00\xf0\x3f", "\x20\x01", nullOf} {
		v, err := codec.DecodeValue([]byte(first+textOf("x")), codec.Options{})
		if s, _ := v.AsString(); err != nil || s != "x" {
			t.Errorf("row %d: a Value that goes on with another kind is %v, %v", i, v.Kind(), err)
		}
	}
	if v, err := codec.DecodeValue([]byte("\x11\x00"), codec.Options{}); err == nil {
		t.Errorf("a number that is cut short is %v", v.Kind())
	}
	for _, bad := range []string{textOf("\xff"), structOf("\x0a\x7f"), structOf(chunkOf(1, chunkOf(1, "\xff")))} {
		if _, ok := agree(t, []byte(entryOf("a", bad)+entryOf("a", textOf("x"))), codec.Options{}); ok {
			t.Errorf("%q is taken", bad)
		}
	}
}

// Outputs that hold outputs cost no more than the bytes are worth.
func TestNestedOutputs(t *testing.T) {
	const many = 20_000
	var urns strings.Builder
	for i := range many {
		urns.WriteString(elemOf(textOf("u" + strconv.Itoa(i))))
	}
	around := func(levels int) []byte {
		data := structOf(sigOf(outputID), entryOf("dependencies", listOf(urns.String())))
		for range levels {
			data = structOf(sigOf(outputID), entryOf("value", data), entryOf("dependencies", listOf(elemOf(textOf("v")))))
		}
		return []byte(entryOf("x", data))
	}
	v, err := codec.Decode(around(5), codec.Options{})
	n := 0
	for range v.Field("x").Dependencies() {
		n++
	}
	if err != nil || n != many+1 {
		t.Errorf("%d dependencies, %v", n, err)
	}
	_, err = codec.Decode(around(100), codec.Options{})
	if !errors.Is(err, codec.ErrDepth) || !strings.Contains(err.Error(), "x: ") || !strings.HasSuffix(err.Error(), "expected fewer nested outputs") {
		t.Errorf("a hundred of them: %v", err)
	}
	m := new(structpb.Struct)
	if err := proto.Unmarshal(around(200), m); err != nil {
		t.Fatal(err)
	}
	if _, err := codec.FromMessage(m, codec.Options{}); !errors.Is(err, codec.ErrDepth) {
		t.Errorf("two hundred in a message: %v", err)
	}
}

func checkHidden(t *testing.T, at string, err error, shown string, whole path.Path) {
	t.Helper()
	e := failure(t, err)
	if e.At.String() != shown || e.At.RevealPath() != whole {
		t.Errorf("%s: got %q, whole %q: %v", at, e.At, e.At.RevealPath(), err)
	}
	for _, text := range []string{err.Error(), fmt.Sprintf("%v %+v %#v %q", err, err, err, err), e.Want, e.Found} {
		if !strings.Contains(shown, canary) && strings.Contains(text, canary) {
			t.Errorf("%s: shows the canary: %s", at, text)
		}
	}
}
