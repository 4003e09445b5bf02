package codec_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// Where a length takes one byte more, in every part that has one: protobuf-go writes
// the same.
func TestLengthsAtTheirLimits(t *testing.T) {
	check := func(v value.Value) {
		t.Helper()
		out, err := codec.AppendStruct(nil, v, codec.Options{})
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
		if back, err := codec.FromStruct(m, codec.Options{}); err != nil || !back.Identical(v) {
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

// What is taken for UTF-8 is: each length up to some words, with each byte at each
// place.
func TestTextsAreUTF8(t *testing.T) {
	for n := range 75 {
		for at := range n {
			for _, odd := range []string{"\xff", "\x80", "\u00e9", "\x7f"} {
				text := strings.Repeat("a", at) + odd + strings.Repeat("b", n-at)
				_, err := codec.AppendStruct(nil, object(member(text, value.Null())), codec.Options{})
				_, asValue := codec.AppendValue(nil, str(text), codec.Options{ByteStrings: codec.Reject})
				_, read := codec.FromStruct(fields(text, structpb.NewStringValue("x")), codec.Options{})
				if ok := utf8.ValidString(text); (err == nil) != ok || (asValue == nil) != ok || (read == nil) != ok {
					t.Fatalf("%q: %v, %v, %v", text, err, asValue, read)
				}
			}
		}
	}
}
