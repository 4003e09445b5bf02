package codec_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// Every length, a byte that is not ASCII at every place, and nothing beyond.
func TestCopyText(t *testing.T) {
	long := strings.Repeat("The quick brown fox. ", 20)
	for n := range 300 {
		for at := -1; at < n; at++ {
			text := []byte(long[:n])
			if at >= 0 {
				text[at] = 0x80
			}
			dst := bytes.Repeat([]byte{'.'}, n+9)
			if ascii := copyText(dst, string(text))&0x80808080_80808080 == 0; ascii != (at < 0) || string(dst) != string(text)+"........." {
				t.Fatalf("%d bytes, %d: %v, %q", n, at, ascii, dst)
			}
		}
	}
}

// Bytes above 0x7f are counted, however many there are.
func TestHighBytes(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for n := range 2_500 {
		data := make([]byte, n)
		want := 0
		for i := range data {
			if data[i] = byte(rng.Uint32()); n%3 == 0 {
				data[i] |= 0x80
			}
			want += int(data[i] >> 7)
		}
		if got := highBytes(data); got != want {
			t.Fatalf("%d bytes: %d above 0x7f, want %d", n, got, want)
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
				_, err := codec.Append(nil, object(member(text, value.Null())), codec.Options{})
				_, asValue := codec.AppendValue(nil, str(text), codec.Options{ByteStrings: codec.Reject})
				_, read := codec.FromMessage(fields(text, structpb.NewStringValue("x")), codec.Options{})
				if ok := utf8.ValidString(text); (err == nil) != ok || (asValue == nil) != ok || (read == nil) != ok {
					t.Fatalf("%q: %v, %v, %v", text, err, asValue, read)
				}
			}
		}
	}
}
