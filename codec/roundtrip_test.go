package codec_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
	"pgregory.net/rapid"
)

// texts are strings that something could trip over.
func texts() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{
			"", "a", "value", "secret", "masked", "plaintext", "dependencies", "*", `\`, `"`, "\x00", "\n", "\xff", "é", "😀", "\u2028",
			"__proto__", "__a", sigKey, anyString, anyBool, "1b47061264138c4ac30d75fd1eb44270", strings.Repeat("k", 70), urnA, urnB,
		}),
		rapid.String(),
	)
}

func numbers() *rapid.Generator[float64] {
	return rapid.OneOf(
		rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, -1, 0.1, 1e21, 1e-7, math.MaxFloat64, 5e-324, 1 << 53, math.NaN(), math.Inf(1), math.Inf(-1)}),
		rapid.Float64(),
	)
}

func scalars() *rapid.Generator[value.Value] {
	return rapid.Custom(func(t *rapid.T) value.Value {
		text := texts().Draw(t, "text")
		switch rapid.IntRange(0, 11).Draw(t, "kind") {
		case 0:
			return value.Null()
		case 1:
			return value.Bool(rapid.Bool().Draw(t, "bool"))
		case 2:
			return num(numbers().Draw(t, "number"))
		case 3:
			return value.UnknownOf(value.Kind(rapid.IntRange(0, 10).Draw(t, "hint")))
		case 4:
			return value.Sealed{Ciphertext: text}.Value()
		case 5, 6:
			return blobs(2).Draw(t, "blob")
		case 7:
			r := value.ResourceReference{URN: text, Name: texts().Draw(t, "name"), Type: texts().Draw(t, "type")}
			switch rapid.IntRange(0, 2).Draw(t, "id") {
			case 0:
				r.ID = value.UnknownID()
			case 1:
				r.ID = value.KnownID(texts().Draw(t, "known"))
			}
			return r.Value()
		}
		return str(text)
	})
}

// blobs are assets and archives.
func blobs(levels int) *rapid.Generator[value.Value] {
	return rapid.Custom(func(t *rapid.T) value.Value {
		text := texts().Draw(t, "text")
		hash := rapid.SampledFrom([]string{"", hash, ofNothing, "H"}).Draw(t, "hash")
		switch rapid.IntRange(0, 7).Draw(t, "source") {
		case 0:
			return value.FileAsset(text).WithHash(hash).Value()
		case 1:
			return value.URIAsset(text).WithHash(hash).Value()
		case 2:
			return value.TextAsset(text).WithHash(hash).Value()
		case 3:
			return value.ElidedAsset(hash).Value()
		case 4:
			return value.FileArchive(text).WithHash(hash).Value()
		case 5:
			return value.URIArchive(text).WithHash(hash).Value()
		case 6:
			return value.ElidedArchive(hash).Value()
		}
		var entries []value.Member
		if levels > 0 {
			for name, v := range rapid.MapOfN(texts(), blobs(levels-1), 0, 3).Draw(t, "entries") {
				entries = append(entries, member(name, v))
			}
		}
		a, err := value.LiteralArchive(entries...)
		if err != nil {
			t.Fatal(err)
		}
		return a.WithHash(hash).Value()
	})
}

func values(levels int) *rapid.Generator[value.Value] {
	return rapid.Custom(func(t *rapid.T) value.Value {
		v := scalars().Draw(t, "scalar")
		if levels > 0 {
			switch rapid.IntRange(0, 3).Draw(t, "container") {
			case 0:
				v = value.Array(rapid.SliceOfN(values(levels-1), 0, 4).Draw(t, "elems")...)
			case 1, 2:
				v = value.ObjectFromMap(rapid.MapOfN(texts(), values(levels-1), 0, 4).Draw(t, "members"))
			}
		}
		marks := rapid.IntRange(0, 9).Draw(t, "marks")
		if marks < 2 {
			v = v.WithDependencies(rapid.SliceOfN(texts(), 0, 3).Draw(t, "urns")...)
		}
		if marks > 0 && marks < 4 {
			v = value.Secret(v)
		}
		return v
	})
}

// Law 13: reading what was written gives an Identical value, and so does writing
// it again the same text; what cannot be written is an error of a listed cause.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := values(4).Draw(t, "v")
		o := codec.Options{Form: codec.FormSealed}
		text, err := codec.EncodeJSON(v, o)
		if err != nil {
			return // whether it had to be is for TestRefusalsAreDue
		}
		if !json.Valid(text) {
			t.Fatalf("wrote no JSON: %s", text)
		}
		w, err := codec.DecodeJSON(text, o)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if !w.Identical(v) {
			t.Fatalf("%s was read as something else", text)
		}
		again, err := codec.EncodeJSON(w, o)
		if err != nil || !bytes.Equal(again, text) {
			t.Fatalf("%s\nwas written again as\n%s, %v", text, again, err)
		}
	})
}

// Writing fails exactly when something in the value is on the list.
func TestRefusalsAreDue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := values(3).Draw(t, "v")
		o := codec.Options{Form: codec.FormSealed}
		o.ByteStrings = rapid.SampledFrom([]codec.Policy{codec.Keep, codec.Reject}).Draw(t, "byte strings")
		_, err := codec.EncodeJSON(v, o)
		if due := unwritable(v, o); due != (err != nil) {
			t.Fatalf("error %v, due: %v", err, due)
		}
	})
}

// Lowering twice is lowering once, on either side.
func TestLoweringIsIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := values(3).Draw(t, "v")
		o := codec.Options{Form: codec.FormSealed}
		for _, p := range []*codec.Policy{&o.Unknowns, &o.Secrets, &o.Outputs, &o.Assets, &o.References, &o.Nulls, &o.Internal} {
			*p = codec.Policy(rapid.IntRange(0, 1).Draw(t, "policy"))
		}
		once, err := codec.EncodeJSON(v, o)
		if err != nil {
			return
		}
		all := codec.Options{Form: codec.FormSealed}
		plain, err := codec.EncodeJSON(v, all)
		if err == nil {
			in, err := codec.DecodeJSON(plain, o)
			if err != nil {
				t.Fatalf("written, but not read: %v", err)
			}
			if out, err := codec.EncodeJSON(in, all); err != nil || !bytes.Equal(out, once) {
				t.Fatalf("lowered on the way in:  %s, %v\nlowered on the way out: %s", out, err, once)
			}
		}
		low, err := codec.DecodeJSON(once, o)
		if err != nil {
			t.Fatal(err)
		}
		if twice, err := codec.EncodeJSON(low, all); err != nil || !bytes.Equal(twice, once) {
			t.Fatalf("twice: %s, %v\nonce: %s", twice, err, once)
		}
	})
}

// Every real bag is read, and written so that it is read as the same.
func TestRealBags(t *testing.T) {
	rows := bags(t)
	if len(rows) != 7471 {
		t.Errorf("%d rows", len(rows))
	}
	o := codec.Options{Form: codec.FormSealed}
	for i, r := range rows {
		v, err := codec.DecodeJSONBag(r.Bag, codec.Options{})
		if err != nil {
			t.Errorf("row %d, %s: %v", i+1, r.Source, err)
			continue
		}
		text, err := codec.EncodeJSON(v, o)
		if err != nil {
			t.Errorf("row %d, %s: %v", i+1, r.Source, err)
			continue
		}
		if w := decode(t, string(text), o); !w.Identical(v) {
			t.Errorf("row %d, %s: read as something else", i+1, r.Source)
		}
		if !strings.Contains(string(r.Bag), sigKey) {
			var want, got any
			if json.Unmarshal(r.Bag, &want) != nil || json.Unmarshal(text, &got) != nil || !reflect.DeepEqual(want, got) {
				t.Errorf("row %d, %s: a plain bag is written as another one", i+1, r.Source)
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
