package peers_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/propalg/propalg/bench"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// Before the sides of a row are timed, what they make is compared, once.

// sameDecoded checks that all decoders find the same in the bytes.
func sameDecoded(b *testing.B, all [][]byte, peers []decoder) {
	b.Helper()
	for i, data := range all {
		ours, err := codec.Decode(data, codec.Options{})
		if err != nil {
			b.Fatal(err)
		}
		for _, peer := range peers {
			message, err := peer.read(data)
			if err != nil {
				b.Fatalf("bag %d, %s: %v", i, peer.name, err)
			}
			again, err := proto.Marshal(message)
			if err != nil {
				b.Fatalf("bag %d, %s: %v", i, peer.name, err)
			}
			sameEncoded(b, ours, again)
		}
	}
}

// sameEncoded checks that the bytes of one side mean the value.
func sameEncoded(b *testing.B, ours value.Value, data []byte) {
	b.Helper()
	back, err := codec.Decode(data, codec.Options{})
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
		var plain any
		for _, peer := range jsonReaders() {
			x, err := peer.read(text)
			if err != nil {
				b.Fatalf("bag %d, %s: %v", i, peer.name, err)
			}
			if plain == nil {
				plain = x
			}
			if !reflect.DeepEqual(plain, x) {
				b.Fatalf("bag %d is another one for %s", i, peer.name)
			}
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
