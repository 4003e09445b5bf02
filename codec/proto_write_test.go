package codec_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// sameBytes writes a value, and its message by protobuf-go. It reports whether it
// can be written.
func sameBytes(t interface {
	Helper()
	Fatalf(format string, args ...any)
}, v value.Value, isStruct bool, o codec.Options,
) bool {
	t.Helper()
	var m proto.Message
	var err error
	write := codec.AppendValue
	if isStruct {
		m, err = codec.ToMessage(v, o)
		write = codec.Append
	} else {
		m, err = codec.ToMessageValue(v, o)
	}
	var want []byte
	if err == nil {
		if want, err = (proto.MarshalOptions{Deterministic: true}).Marshal(m); err != nil {
			t.Fatalf("%v", err)
		}
	}

	room := bytes.Repeat([]byte{'.'}, len(want)+44)
	copy(room, "kept")
	got, gotErr := write(room[:4], v, o)
	switch {
	case (err == nil) != (gotErr == nil):
		t.Fatalf("%v; as a message %v", gotErr, err)
	case err != nil && (len(got) != 4 || strings.Trim(string(room[4:]), ".") != ""):
		t.Fatalf("failed and left %q", room)
	case err == nil && !bytes.Equal(got[4:], want):
		t.Fatalf("%x; protobuf-go writes %x", got[4:], want)
	case err == nil && string(room[4+len(want):]) != strings.Repeat(".", 40):
		t.Fatalf("wrote beyond the message: %q", room[4+len(want):])
	case leftInRoom():
		t.Fatalf("left something in memory that is kept")
	}
	return err == nil
}

// What is written is what protobuf-go writes.
func TestLawSameBytes(t *testing.T) {
	o := codec.Options{}
	rapid.Check(t, func(t *rapid.T) {
		o.Depth = rapid.SampledFrom([]int{0, 0, 0, 3, 7, 12, 16, 22, 30, 100}).Draw(t, "depth")
		o.ByteStrings = rapid.SampledFrom([]codec.Policy{codec.Keep, codec.Keep, codec.Reject}).Draw(t, "byte strings")
		sameBytes(t, objects().Draw(t, "v"), true, o)
		sameBytes(t, values(3).Draw(t, "v"), false, o)
	})
	for i, v := range wireValues(t) {
		if !sameBytes(t, v, true, codec.Options{}) {
			t.Errorf("bag %d is not written", i)
		}
	}
}

// Whatever room there is at first, the same message is written.
func TestLawWrittenInAnyRoom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := values(3).Draw(t, "v")
		want, err := codec.AppendValue(nil, v, codec.Options{})
		some := rapid.IntRange(0, len(want)+300).Draw(t, "room")
		for _, room := range []int{0, 44, 45, len(want), len(want) + 44, len(want) + 256, len(want) + 600, some} {
			inScratch(func(own *scratch) { own.wire = make([]byte, room) })
			if got, gotErr := codec.AppendValue(nil, v, codec.Options{}); (gotErr == nil) != (err == nil) || !bytes.Equal(got, want) {
				t.Fatalf("room for %d: %x, %v; else %x, %v", room, got, gotErr, want, err)
			}
		}
	})
}

func wireValues(t *testing.T) (vs []value.Value) {
	t.Helper()
	for _, data := range wireBags(t) {
		v, err := codec.Decode(data, codec.Options{})
		if err != nil {
			t.Fatal(err)
		}
		vs = append(vs, v)
	}
	return vs
}

// Where the length of a length changes, and what may be wrong with a text.
func TestWrittenEdges(t *testing.T) {
	lengths := []int{100, 200, 250, 256, 257, 300, 1 << 14, 1<<14 - 20, 1 << 15, 1 << 21}
	for n := range 150 {
		lengths = append(lengths, n)
	}
	long := strings.Repeat("0123456789abcdef", 1<<17)
	for _, n := range lengths {
		s := long[:n]
		vs := []value.Value{
			object(member("k", str(s))), object(member(s, num(1))), object(member(s, str("x"))), object(member("l", value.Array(str(s)))),
			object(member("k", value.Secret(str(s)))), object(member("k", value.Secret(object(member(s, value.Null()))))),
		}
		for _, at := range []int{0, n / 3, n / 2, n - 1} {
			if n > 0 {
				bad, wide := s[:at]+"\xff"+s[at+1:], s[:at]+"é"+s[at+1:]
				vs = append(vs, object(member("k", str(bad))), object(member("k", str(wide)), member(wide, num(1))), object(member("k", str("x")), member(bad, str("y"))))
			}
		}
		if n > 140 {
			vs = append(vs, object(member("x", object()), member(s+"y", object(member(s, str(s)))), member("z", num(1))))
		}
		for _, v := range vs {
			sameBytes(t, v, true, codec.Options{})
			sameBytes(t, value.Array(v, v), false, codec.Options{})
		}
	}
}

// Containers with all marks, as deep as the limit allows, and one more.
func TestWrittenDepth(t *testing.T) {
	mark := func(v value.Value) value.Value { return value.Secret(v).WithDependencies("u") }
	asset := mark(value.TextAsset("t"))
	within := map[string]func(v value.Value) value.Value{
		"array":         func(v value.Value) value.Value { return value.Array(v) },
		"object":        func(v value.Value) value.Value { return object(member("k", v)) },
		"marked array":  func(v value.Value) value.Value { return mark(value.Array(v)) },
		"marked object": func(v value.Value) value.Value { return mark(object(member("k", v))) },
	}
	for name, around := range within {
		for _, v := range []value.Value{value.Null(), asset, value.Unknown().WithDependencies("u")} {
			for range 12 {
				v = around(v)
				for limit := 1; limit <= 120; limit++ {
					sameBytes(t, v, false, codec.Options{Depth: limit})
				}
			}
			if !sameBytes(t, v, false, codec.Options{Depth: 120}) {
				t.Errorf("%s: not written", name)
			}
		}
	}
}

// What is not written, or stands for something else.
func TestWrittenOdd(t *testing.T) {
	deep := value.Null()
	for range 3000 {
		deep = value.Array(deep)
	}
	for _, v := range []value.Value{
		object(member(codec.SignatureKey, str("x"))), object(member(codec.SignatureKey, object())), object(member(codec.SignatureKey, value.Secret(num(1)))),
		object(member("k", str(anyString))), object(member("k", value.Secret(str(anyString)))), object(member("k", value.Array(str(anyString)))),
		object(member("k", str("\xff"))), object(member("\xff", num(1))), object(member("\xff", object())), object(member("\xff", value.Secret(num(1)))),
		object(member("k", value.Secret(str("\xff")))), object(member("k", num(1).WithDependencies("\xff"))), object(member("k", object().WithDependencies(anyString))),
		object(member("k", value.Sealed{Ciphertext: "x"}.Value())), object(member("k", deep)), value.Array(), str("x"),
		object(member("k", literal(t, member("f", value.TextAsset("t"))))),
	} {
		for _, p := range []codec.Policy{codec.Keep, codec.Reject} {
			sameBytes(t, v, v.Kind() == value.KindObject, codec.Options{ByteStrings: p})
		}
	}
	for i, v := range []value.Value{
		object(member("k", num(1).WithDependencies("u", "v"))), object(member("k", value.Secret(object(member("x", object()))).WithDependencies(strings.Repeat("u", 400)))),
		value.Secret(object(member("", object()))), object().WithDependencies("u"), value.Secret(object()).WithDependencies("u"), object(),
		object(member("k", value.Unknown())), object(member("k", value.Unknown().WithDependencies("u"))), object(member("k", value.Secret(value.Unknown()))),
		object(member("k", value.TextAsset("t")), member("r", value.Secret(value.ResourceReference{URN: "u", ID: value.KnownID("é")}.Value()))),
		value.Array(value.Secret(object(member("of", object(member("x", str("é"))))))).Elem(0).Field("of"),
	} {
		if !sameBytes(t, v, true, codec.Options{}) {
			t.Errorf("%d: not written", i)
		}
		sameBytes(t, v, false, codec.Options{})
	}
}

// Where a length takes one byte more, in every part that has one: protobuf-go writes
// the same.
func TestLengthsAtTheirLimits(t *testing.T) {
	check := func(v value.Value) {
		t.Helper()
		out, err := codec.Append(nil, v, codec.Options{})
		if err != nil {
			t.Fatal(err)
		}
		m := new(structpb.Struct)
		if err := proto.Unmarshal(out, m); err != nil {
			t.Fatal(err)
		}
		want, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
		if err != nil || !bytes.Equal(out, want) {
			t.Fatalf("%d bytes, protobuf-go writes %d", len(out), len(want))
		}
		if back, err := codec.FromMessage(m, codec.Options{}); err != nil || !back.Identical(v) {
			t.Fatalf("read back differently: %v", err)
		}
	}
	for _, around := range []int{0x80, 0x4000, 0x200000} {
		for n := around - 24; n < around+4; n++ {
			long := strings.Repeat("x", n)
			half, rest := long[:n/2], long[n/2:]
			for _, v := range []value.Value{str("s"), num(1), value.Null(), value.Bool(true), value.Array(), object(), value.Unknown(), value.Secret(num(1))} {
				check(object(member(long, v)))
				if around > 0x80 {
					break
				}
			}
			check(object(member("k", str(long)), member("", value.Array(str(long)))))
			check(object(member(half, str(rest)), member("o", object(member(half, str(rest))))))
			check(object(member("o", value.Array(str(half), str(rest)))))
		}
	}
}

// The error of a message names the first fault, at its place, whatever text cannot hold.
func TestMessageErrors(t *testing.T) {
	nested := value.Object(value.Member{Key: "a", Value: value.Object(value.Member{Key: "b", Value: value.Number(1)})})
	sealed := value.Object(
		value.Member{Key: "a", Value: value.Number(math.NaN())},
		value.Member{Key: "b", Value: value.Sealed{Ciphertext: "c"}.Value()},
	)
	for _, c := range []struct {
		v        value.Value
		depth    int
		isStruct bool
		want     string
	}{
		{nested, 3, true, "encode protobuf: a: nested beyond the limit"},
		{nested, 3, false, "encode protobuf: nested beyond the limit"},
		{sealed, 0, true, "encode protobuf: b: sealed secret: expected a decrypted secret"},
	} {
		o := codec.Options{Depth: c.depth}
		_, err := codec.AppendValue(nil, c.v, o)
		_, inMemory := codec.ToMessageValue(c.v, o)
		if c.isStruct {
			_, err = codec.Append(nil, c.v, o)
			_, inMemory = codec.ToMessage(c.v, o)
		}
		if err == nil || err.Error() != "codec: "+c.want {
			t.Errorf("%v: %v, want %s", c.v, err, c.want)
		}
		if want := "codec: " + strings.Replace(c.want, "encode protobuf", "to structpb", 1); inMemory == nil || inMemory.Error() != want {
			t.Errorf("%v: %v, want %s", c.v, inMemory, want)
		}
	}
}
