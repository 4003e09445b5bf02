package codec_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/value"
)

func TestEncodeRefuses(t *testing.T) {
	bad := "a\xffb"
	ref := func(r value.ResourceReference) value.Value { return r.Value() }
	noBytes := codec.Options{ByteStrings: codec.Reject}
	for _, row := range []struct {
		at   string
		v    value.Value // of member x
		o    codec.Options
		err  error
		path string
	}{
		{here(), num(math.NaN()), codec.Options{}, codec.ErrNumber, "x"},
		{here(), value.Array(num(1), num(math.Inf(-1))), codec.Options{}, codec.ErrNumber, "x[1]"},
		{here(), str(bad), noBytes, codec.ErrUTF8, "x"},
		{here(), str(anyString), noBytes, codec.ErrSentinel, "x"},
		{here(), object(member(bad, num(1))), codec.Options{}, codec.ErrUTF8, "x[\"a\xffb\"]"},
		{here(), object(member(sigKey, num(1))), codec.Options{}, codec.ErrSignature, "x"},
		{here(), value.Secret(object(member(sigKey, num(1)))), codec.Options{}, codec.ErrSignature, "x"},
		{here(), literal(t, member(sigKey, value.FileAsset("f"))), codec.Options{}, codec.ErrSignature, "x"},
		{here(), literal(t, member(bad, value.FileAsset("f"))), codec.Options{}, codec.ErrUTF8, "x"},
		{here(), literal(t, member("e", value.FileAsset(bad))), codec.Options{}, codec.ErrUTF8, "x"},
		{here(), literal(t).WithHash(bad), codec.Options{}, codec.ErrUTF8, "x"},
		{here(), value.TextAsset(bad), codec.Options{}, codec.ErrUTF8, "x"},
		{here(), value.TextAsset(anyString), codec.Options{}, codec.ErrSentinel, "x"},
		{here(), value.FileAsset(anyBool), codec.Options{}, codec.ErrSentinel, "x"},
		{here(), value.URIAsset(bad), codec.Options{}, codec.ErrUTF8, "x"},
		{here(), value.TextAsset("").WithHash(anyString).DropContent(), codec.Options{}, codec.ErrSentinel, "x"},
		{here(), value.URIArchive(anyString), codec.Options{}, codec.ErrSentinel, "x"},
		{here(), value.FileArchive(bad), codec.Options{}, codec.ErrUTF8, "x"},
		{here(), ref(value.ResourceReference{URN: bad}), codec.Options{}, codec.ErrUTF8, "x"},
		{here(), ref(value.ResourceReference{URN: anyString}), codec.Options{}, codec.ErrSentinel, "x"},
		{here(), ref(value.ResourceReference{ID: value.KnownID(anyString)}), codec.Options{}, codec.ErrSentinel, "x"},
		{here(), ref(value.ResourceReference{Name: anyString}), codec.Options{}, codec.ErrSentinel, "x"},
		{here(), ref(value.ResourceReference{Type: bad}), codec.Options{}, codec.ErrUTF8, "x"},
		{here(), ref(value.ResourceReference{PackageVersion: bad}), codec.Options{}, codec.ErrUTF8, "x"},
		{here(), num(1).WithDependencies(bad), codec.Options{}, codec.ErrUTF8, "x"},
		{here(), num(1).WithDependencies(anyString), codec.Options{}, codec.ErrSentinel, "x"},
		{here(), value.Sealed{Ciphertext: "c"}.Value(), codec.Options{}, codec.ErrSealed, "x"},
		{here(), value.Array(value.Sealed{Ciphertext: bad}.Value()), codec.Options{Form: codec.FormSealed}, codec.ErrUTF8, "x[0]"},
		{here(), value.Sealed{Ciphertext: anyString}.Value(), codec.Options{Form: codec.FormSealed}, codec.ErrSentinel, "x"},
		{here(), num(1), codec.Options{ByteStrings: codec.Lower}, codec.ErrOptions, ""},
		{here(), num(1), codec.Options{Secrets: 7}, codec.ErrOptions, ""},
		{here(), num(1), codec.Options{Form: 7}, codec.ErrOptions, ""},
		{here(), num(1), codec.Options{Depth: -1}, codec.ErrOptions, ""},
	} {
		dst := append(make([]byte, 0, 1000), "before"...)
		out, err := codec.AppendJSONValue(dst, object(member("w", num(1)), member("x", row.v)), row.o)
		e := failure(t, err)
		if !errors.Is(err, row.err) || e.At.String() != row.path || e.Offset != -1 {
			t.Errorf("%s: got %v", row.at, err)
		}
		if string(out) != "before" || &out[0] != &dst[0] {
			t.Errorf("%s: dst came back as %q", row.at, out)
		}
		v := object(member("w", num(1)), member("x", row.v))
		_, err = codec.Append(nil, v, row.o)
		_, also := codec.ToMessage(v, row.o)
		for _, err := range []error{err, also} { // what these refuse they refuse in the same place
			if e := new(codec.Error); errors.Is(err, row.err) && (!errors.As(err, &e) || e.At.String() != row.path || e.Offset != -1) {
				t.Errorf("%s: protobuf: got %v", row.at, err)
			}
		}
	}
	if _, err := codec.DecodeJSONValue([]byte("1"), codec.Options{Depth: -1}); !errors.Is(err, codec.ErrOptions) {
		t.Errorf("reading with options that mean nothing: %v", err)
	}
}

func TestAppend(t *testing.T) {
	out, err := codec.AppendJSONValue([]byte("x="), num(1), codec.Options{})
	if err != nil || string(out) != "x=1" {
		t.Errorf("%q, %v", out, err)
	}
}

// The limit is the same both ways, and is protobuf's: an array level is 2
// messages, an object level 3, and so is what wraps a mark.
func TestDepthLimit(t *testing.T) {
	for _, row := range []struct {
		at   string
		v    value.Value
		need int
	}{
		{here(), num(1), 0},
		{here(), value.Array(), 1},
		{here(), object(), 1},
		{here(), value.Array(num(1)), 2},
		{here(), object(member("a", num(1))), 3},
		{here(), object(member("a", value.Array())), 4},
		{here(), object(member("a", object(member("b", value.Array(value.Array(num(1))))))), 10},
		{here(), value.Secret(num(1)), 3},
		{here(), value.Secret(object(member("a", value.Secret(value.Array(num(1)))))), 11},
		{here(), value.Unknown().WithDependencies("u"), 5},
		{here(), num(1).WithDependencies("u"), 5},
		{here(), value.Secret(object(member("a", num(1)))).WithDependencies("u"), 6},
		{here(), value.TextAsset("x"), 3},
		{here(), value.Array(value.ResourceReference{URN: "u"}.Value()), 5},
		{here(), str("\xff"), 3},
		{here(), value.FileArchive("p"), 3},
		{here(), literal(t), 4},
		{here(), literal(t, member("a", value.TextAsset("x"))), 9},
		{here(), literal(t, member("a", literal(t, member("b", value.TextAsset("").WithHash(hash).DropContent())))), 15},
		{here(), value.Sealed{Ciphertext: "c"}.Value(), 3},
	} {
		o := codec.Options{Form: codec.FormSealed}
		text := encode(t, row.v, o)
		if row.need == 0 {
			continue
		}
		for _, limit := range []int{row.need, row.need - 1} {
			o.Depth = limit
			if limit == 0 {
				continue // means the default
			}
			_, errOut := codec.AppendJSONValue(nil, row.v, o)
			_, errIn := codec.DecodeJSONValue([]byte(text), o)
			if limit == row.need && (errOut != nil || errIn != nil) {
				t.Errorf("%s: limit %d: %v, %v", row.at, limit, errOut, errIn)
			}
			if limit < row.need && (!errors.Is(errOut, codec.ErrDepth) || !errors.Is(errIn, codec.ErrDepth)) {
				t.Errorf("%s: limit %d: %v, %v", row.at, limit, errOut, errIn)
			}
		}
	}
}

// Plaintext counts on from where it stands.
func TestDepthOfPlaintext(t *testing.T) {
	text := `[ {` + asSecret + `,"plaintext":"[[1]]"}]`
	if _, err := codec.DecodeJSONValue([]byte(text), codec.Options{Depth: 9}); err != nil {
		t.Error(err)
	}
	_, err := codec.DecodeJSONValue([]byte(text), codec.Options{Depth: 8})
	if e := failure(t, err); !errors.Is(err, codec.ErrDepth) || e.At.String() != "[0][secret]" || e.Offset != 2 {
		t.Errorf("got %v", err)
	}
}

func TestDeepest(t *testing.T) {
	arrays := strings.Repeat("[", 5000) + strings.Repeat("]", 5000)
	objects := strings.Repeat(`{"a":`, 3333) + "1" + strings.Repeat("}", 3333)
	for _, text := range []string{arrays, objects} {
		if got := encode(t, decode(t, text, codec.Options{}), codec.Options{}); got != text {
			t.Errorf("%.20s…: wrote something else", text)
		}
	}
	for _, text := range []string{"[" + arrays + "]", `{"a":` + objects + `}`} {
		if _, err := codec.DecodeJSONValue([]byte(text), codec.Options{}); !errors.Is(err, codec.ErrDepth) {
			t.Errorf("one level more: %v", err)
		}
		v := decode(t, text, codec.Options{Depth: 1 << 30})
		_, err := codec.AppendJSONValue(nil, v, codec.Options{})
		if !errors.Is(err, codec.ErrDepth) {
			t.Errorf("one level more: %v", err)
		}
		failure(t, err)
	}
}

// What is written for a text is what encoding/json reads as that text, however it
// lies in the eight bytes that are looked at together.
func TestJSONQuoting(t *testing.T) {
	for before := range 10 {
		for after := range 10 {
			for c := range 256 {
				text := strings.Repeat("a", before) + string([]byte{byte(c)}) + "é" + strings.Repeat("b", after)
				out, err := codec.AppendJSONValue(nil, value.String(text), codec.Options{ByteStrings: codec.Reject})
				if valid := utf8.ValidString(text); (err == nil) != valid {
					t.Fatalf("%q: %v", text, err)
				} else if !valid {
					continue
				}
				var back string
				if err := json.Unmarshal(out, &back); err != nil || back != text {
					t.Fatalf("%q is written as %s", text, out)
				}
			}
		}
	}
}

func TestOddKeys(t *testing.T) {
	data, err := os.ReadFile("../../shared/data/odd-keys.json")
	if err != nil {
		t.Skip("no odd keys here: ", err)
	}
	var keys []string
	if err := json.Unmarshal(data, &keys); err != nil {
		t.Fatal(err)
	}
	for _, key := range keys {
		v := object(member(key, str(key)))
		if got := decode(t, encode(t, v, codec.Options{}), codec.Options{}); !got.Identical(v) {
			t.Errorf("key %q does not survive", key)
		}
	}
}

// TestAppendJSONOfBags: a bag is what AppendJSONValue writes, and nothing else is one.
func TestAppendJSONOfBags(t *testing.T) {
	bag := value.Secret(value.Object(value.Field("a", value.Number(1))))
	got, err := codec.AppendJSON([]byte("x"), bag, codec.Options{})
	if want, _ := codec.AppendJSONValue([]byte("x"), bag, codec.Options{}); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s, %v, wanted %s", got, err, want)
	}

	for _, v := range []value.Value{value.Null(), value.Array(), value.Unknown(), value.Secret(value.String("canary"))} {
		if got, err := codec.AppendJSON([]byte("x"), v, codec.Options{}); !errors.Is(err, codec.ErrKind) || string(got) != "x" {
			t.Errorf("%v: %s, %v", v, got, err)
		}
	}
}

// TestDepthOfArchives: an archive is written with the depths with which it is read.
func TestDepthOfArchives(t *testing.T) {
	archive := fuzz.MustLiteralArchive(value.Field("a", value.TextAsset("x")))
	text, err := codec.AppendJSONValue(nil, archive, codec.Options{})
	if err != nil {
		t.Fatal(err)
	}

	for depth := 1; depth < 20; depth++ {
		o := codec.Options{Depth: depth}
		_, written := codec.AppendJSONValue(nil, archive, o)
		_, read := codec.DecodeJSONValue(text, o)
		if (written == nil) != (read == nil) || (written != nil && !errors.Is(written, codec.ErrDepth)) || (written != nil) != (depth < 9) {
			t.Errorf("depth %d: written %v, read %v", depth, written, read)
		}
	}
}
