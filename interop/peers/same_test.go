package peers_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	jsonv2 "github.com/go-json-experiment/json"
	vtstructpb "github.com/planetscale/vtprotobuf/types/known/structpb"
	"github.com/tidwall/gjson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/bench"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// Before the sides of a row are timed, what they make is compared, once.

// sameDecoded checks that all decoders find the same in the bytes.
func sameDecoded(b *testing.B, all [][]byte) {
	b.Helper()
	for i, data := range all {
		ours, err := codec.DecodeStruct(data, codec.Options{})
		if err != nil {
			b.Fatal(err)
		}
		plain, vt := new(structpb.Struct), new(vtstructpb.Struct)
		if err := proto.Unmarshal(data, plain); err != nil {
			b.Fatal(err)
		}
		if err := vt.UnmarshalVT(data); err != nil {
			b.Fatal(err)
		}
		for _, message := range []*structpb.Struct{plain, (*structpb.Struct)(vt)} {
			theirs, err := codec.FromStruct(message, codec.Options{})
			if err != nil || !ours.Identical(theirs) {
				b.Fatalf("bag %d is not the same for all: %v", i, err)
			}
		}
	}
}

// sameEncoded checks that the bytes of one side mean the value.
func sameEncoded(b *testing.B, ours value.Value, data []byte) {
	b.Helper()
	back, err := codec.DecodeStruct(data, codec.Options{})
	if err != nil || !ours.Identical(back) {
		b.Fatalf("a bag is not what was encoded: %v", err)
	}
}

// sameJSON checks that all readers find the same in the texts. Ours makes values of
// their own kinds of objects with a signature, so that it is compared where there
// are none.
func sameJSON(b *testing.B, all [][]byte) {
	b.Helper()
	compared := 0
	for i, text := range all {
		var plain, newer any
		if err := json.Unmarshal(text, &plain); err != nil {
			b.Fatal(err)
		}
		if err := jsonv2.Unmarshal(text, &newer); err != nil {
			b.Fatal(err)
		}
		if third := gjson.ParseBytes(text).Value(); !reflect.DeepEqual(plain, newer) || !reflect.DeepEqual(plain, third) {
			b.Fatalf("bag %d is not the same for all", i)
		}
		if strings.Contains(string(text), codec.SignatureKey) {
			continue
		}
		again, err := json.Marshal(plain)
		if err != nil {
			b.Fatal(err)
		}
		if ours := bench.Read(b, text); !ours.Identical(bench.Read(b, again)) {
			b.Fatalf("bag %d is another one for us", i)
		}
		compared++
	}
	if compared < len(all)/2 {
		b.Fatalf("only %d of %d bags compared", compared, len(all))
	}
}
