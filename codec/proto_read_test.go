package codec_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/value"
)

const noLimit = math.MaxInt32 // the limit stops where values do

// A message of more than half a megabyte keeps only its texts, equal keys once;
// what it means is the same.
func TestLargeMessage(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	texts := []string{"", "x", "über", strings.Repeat("long ", 2_000), strings.Repeat("€", 5_000), strings.Repeat("y", 80_000), "\x7f", "plain text of some length"}
	var members []value.Member
	for i := range 3_000 {
		var tags []value.Value
		for range rng.IntN(5) {
			tags = append(tags, str(texts[rng.IntN(3)]), num(rng.NormFloat64()))
		}
		members = append(members, member(fmt.Sprint("key", rng.IntN(9), "é"[:2*(i%2)], i), object(
			member("name", str(texts[rng.IntN(len(texts))/(1+i%3)])), member("tags", value.Array(tags...)),
			member(fmt.Sprint("k", i%700), value.Secret(str(fmt.Sprint("s", i)))), member("", num(float64(i))))))
	}
	want := object(members...)
	data, err := codec.Append(nil, want, codec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(data) < 1<<20 {
		t.Fatalf("only %d bytes", len(data))
	}
	got, ok := readProto(data, true, &codec.Options{})
	if !ok || !got.Identical(want) {
		t.Fatal("the fast way finds something else")
	}
	clear(data) // nothing is shared with it
	if !got.Identical(want) {
		t.Fatal("the value shares memory with the bytes")
	}
	runtime.KeepAlive(data)
}

// One text that is not UTF-8, wherever it stands, is found: beside others that are
// ASCII or not, in a small message and in a large one.
func TestOneBadText(t *testing.T) {
	const bad = "b\xffd"
	for _, size := range []int{0, 100, 1 << 20} {
		for _, around := range []string{"", "ascii ascii ascii ascii ascii ascii", "größer", "\x01"} {
			filler := entryOf("filler", textOf(strings.Repeat("z", size)))
			other := entryOf("o"+around, textOf(around))
			for _, c := range []struct {
				data string
				ok   bool
			}{
				{filler + other + entryOf("k"+around, textOf("good")) + other, true},
				{filler + other + entryOf("k"+around, textOf(around+bad)) + other, false},
				{other + entryOf("k"+around, textOf(bad+around)) + filler, false},
				{filler + other + entryOf(bad+around, textOf(around)), false},
				{filler + other + entryOf("k", "\x11\xff\xff\xff\xff\xff\xff\xef\x3f") + entryOf("l", textOf(bad)), false},
				{filler + other + entryOf("k", listOf(elemOf(textOf(around)), elemOf(textOf(around+"\xc3")))), false},
			} {
				v, err := codec.Decode([]byte(c.data), codec.Options{})
				w, slow := mergeProto([]byte(c.data), true, codec.Options{})
				if (err == nil) != c.ok || (slow == nil) != c.ok || (c.ok && !v.Identical(w)) {
					t.Errorf("%d bytes around, %q: %v, and %v the slow way", size, around, err, slow)
				}
				if _, fast := readProto([]byte(c.data), true, &codec.Options{}); fast && !c.ok {
					t.Errorf("%d bytes around, %q: the fast way takes it", size, around)
				}
			}
		}
	}
}

// judge is what tests of all kinds, rapid's too, have in common.
type judge interface {
	Helper()
	Fatalf(format string, args ...any)
}

// agree checks that bytes are accepted and refused as protobuf-go does, with the
// same value or for the same reason, on both paths of the decoder, and that what
// was read is written back.
func agree(t judge, data []byte, o codec.Options) (v value.Value, ok bool) {
	t.Helper()
	m := new(structpb.Struct)
	broken := proto.UnmarshalOptions{RecursionLimit: o.Depth}.Unmarshal(data, m)
	v, err := codec.Decode(data, o)
	if broken != nil {
		if !errors.Is(err, codec.ErrSyntax) && !errors.Is(err, codec.ErrUTF8) && !errors.Is(err, codec.ErrDepth) {
			t.Fatalf("%x: protobuf-go says %v, we say %v", data, broken, err)
		}
		return v, false
	}
	want, wantErr := codec.FromMessage(m, o)
	if reason(err) != reason(wantErr) {
		t.Fatalf("%x: we say %v, by way of structpb %v", data, err, wantErr)
	}
	if !v.Identical(want) {
		t.Fatalf("%x: decoded differently than by way of structpb", data)
	}
	if fast, isFast := readProto(data, true, &o); isFast && o == (codec.Options{}) {
		if slow, err := mergeProto(data, true, o); err != nil || !slow.Identical(fast) {
			t.Fatalf("%x: the fast path accepts, the other says %v", data, err)
		}
	}
	if err != nil {
		return v, false
	}
	rewrite(t, v, o)
	return v, true
}

// reason is what an error says, but for operation and offset.
func reason(err error) string {
	var e *codec.Error
	if !errors.As(err, &e) {
		return ""
	}
	return e.At.String() + "|" + e.At.RevealPath().String() + "|" + e.Want + "|" + e.Found + "|" + errors.Unwrap(e).Error()
}

// rewrite checks that a value that was read can be written, if nothing is left in
// it that the wire has not, and reads back as it is.
func rewrite(t judge, v value.Value, o codec.Options) {
	t.Helper()
	out, err := codec.Append(nil, v, o)
	switch {
	case errors.Is(err, codec.ErrSealed), errors.Is(err, codec.ErrUTF8), errors.Is(err, codec.ErrSentinel), errors.Is(err, codec.ErrDepth), errors.Is(err, codec.ErrSignature):
		return
	case err != nil:
		t.Fatalf("writing what was read: %v", err)
	}
	back, err := codec.Decode(out, o)
	if err != nil || !back.Identical(v) {
		t.Fatalf("%x: reading what was written gives %v", out, err)
	}
	m, err := codec.ToMessage(v, o)
	if err != nil {
		t.Fatalf("%v", err)
	}
	want, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil || !bytes.Equal(want, out) {
		t.Fatalf("%x: protobuf-go writes %x, %v", out, want, err)
	}
}

// nested returns an object with a tower of containers in it, of which a letter
// each says what it is, outermost first: a array, o object, s secret, d output.
func nested(tower string, leaf value.Value) value.Value {
	v := leaf
	for i := len(tower) - 1; i >= 0; i-- {
		switch tower[i] {
		case 'a':
			v = value.Array(v)
		case 'o':
			v = object(member("k", v))
		case 's':
			v = value.Secret(v)
		case 'd':
			v = v.WithDependencies("u")
		}
	}
	return object(member("k", v))
}

// The limit is protobuf-go's, for reading and writing and in all forms.
func TestProtoDepthLimit(t *testing.T) {
	for _, row := range []struct {
		at    string
		tower string // without what is innermost
		last  value.Value
		needs int // messages
	}{
		{here(), strings.Repeat("a", 4_998), value.Bool(true), 9_999},
		{here(), strings.Repeat("a", 4_998), value.Array(), 10_000},
		{here(), strings.Repeat("a", 4_999), value.Null(), 10_001},
		{here(), strings.Repeat("o", 3_332), num(1), 9_999},
		{here(), strings.Repeat("o", 3_332), object(), 10_000},
		{here(), strings.Repeat("o", 3_333), num(1), 10_002},
		{here(), strings.Repeat("oa", 1_999) + "a", num(1), 10_000},
		{here(), strings.Repeat("oa", 1_999) + "o", num(1), 10_001},
		{here(), strings.Repeat("oa", 1_999) + "s", num(1), 10_001},
		{here(), strings.Repeat("oa", 1_998) + "aao", object(), 10_001},
		{here(), strings.Repeat("ao", 1_998) + "o", value.Unknown().WithDependencies("u"), 10_001},
		{here(), strings.Repeat("os", 1_666), value.TextAsset("x"), 10_002},
		{here(), "", value.Array(value.Secret(num(1)), value.Secret(num(2)), num(3).WithDependencies("u"), value.Secret(num(4)), str("\xff")), 10},
		{here(), "", num(1), 3},
		{here(), "", value.Array(), 4},
		{here(), "a", num(1), 5},
		{here(), "o", num(1), 6},
		{here(), "asod", num(1), 16},
		{here(), "s", literal(t, member("f", literal(t))), 16},
	} {
		v := nested(row.tower, row.last)
		data, err := codec.Append(nil, v, codec.Options{Depth: noLimit})
		if err != nil {
			t.Fatalf("%s: %v", row.at, err)
		}
		limits := []int{row.needs - 1, row.needs, row.needs + 1}
		if row.needs > 9_000 {
			limits = append(limits, 0, codec.DefaultDepth)
		}
		for _, limit := range limits {
			most := limit
			if most == 0 {
				most = 10_000
			}
			checkLimit(t, row.at, v, data, limit, row.needs > most)
		}
	}
}

// An entry is a message before anybody looks whether it is one.
func TestEntryAtTheLimit(t *testing.T) {
	for _, data := range []string{"\x08\x00", "\x0b\x0c", "\x0a\x00", "\x10\x00"} {
		for limit := 1; limit < 5; limit++ {
			agree(t, []byte(data), codec.Options{Depth: limit})
			agree(t, []byte(entryOf("a", structOf(data), textOf("x"))), codec.Options{Depth: limit + 3})
		}
	}
}

// Messages go on being counted in the plaintext of a secret.
func TestPlaintextDepth(t *testing.T) {
	const text = `{"p":[{` + asSecret + `,"plaintext":"[{\"a\":[1]}]"}]}`
	m := new(structpb.Struct)
	if err := protojson.Unmarshal([]byte(text), m); err != nil {
		t.Fatal(err)
	}
	data, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for limit := 8; limit < 20; limit++ {
		o := codec.Options{Depth: limit}
		_, want := codec.DecodeJSONValue([]byte(text), o)
		_, err := codec.Decode(data, o)
		_, mErr := codec.FromMessage(m, o)
		if reason(err) != reason(want) || reason(mErr) != reason(want) {
			t.Errorf("with the limit %d: text %v, bytes %v, message %v", limit, want, err, mErr)
		}
		if want != nil {
			refused++
		}
	}
	if refused != 7 {
		t.Errorf("%d limits are too low", refused)
	}
}

// checkLimit checks that a value is too deep for a limit, or not, whatever way it
// goes.
func checkLimit(t *testing.T, at string, v value.Value, data []byte, limit int, tooDeep bool) {
	t.Helper()
	o := codec.Options{Depth: limit}
	m, all := new(structpb.Struct), proto.UnmarshalOptions{RecursionLimit: 1 << 30}
	if err := all.Unmarshal(data, m); err != nil {
		t.Fatal(err)
	}
	text, err := codec.AppendJSONValue(nil, v, codec.Options{Depth: noLimit})
	if err != nil {
		t.Fatal(err)
	}
	failures := map[string]error{}
	failures["protobuf-go"] = proto.UnmarshalOptions{RecursionLimit: limit}.Unmarshal(data, new(structpb.Struct))
	_, failures["decode"] = codec.Decode(data, o)
	_, failures["encode"] = codec.Append(nil, v, o)
	_, failures["from structpb"] = codec.FromMessage(m, o)
	_, failures["to structpb"] = codec.ToMessage(v, o)
	_, failures["decode json"] = codec.DecodeJSONValue(text, o)
	_, failures["encode json"] = codec.AppendJSONValue(nil, v, o)
	for name, err := range failures {
		if tooDeep != (err != nil) {
			t.Errorf("%s: %s with the limit %d: %v", at, name, limit, err)
		}
		if err != nil && name != "protobuf-go" {
			if e := failure(t, err); !errors.Is(err, codec.ErrDepth) || (limit > 8 && e.At.RevealPath().IsRoot()) {
				t.Errorf("%s: %s with the limit %d: %v, at the root: %v", at, name, limit, err, e.At.RevealPath().IsRoot())
			}
		}
	}
}

// As many containers in one another as a value can have are an error at once, and no
// problem where the limit allows them; 200,000 are always an error. The bound is for
// walks that are quadratic.
func TestDeepBytes(t *testing.T) {
	const levels = 200_000
	for _, kind := range []string{"a", "o", "so"} { // the last is long rather than deep
		most := map[string]int{"a": value.MaxDepth - 2, "o": 2*value.MaxDepth/3 - 1, "so": 2*value.MaxDepth/6 - 1}
		v := nested(strings.Repeat(kind, most[kind]), num(1))
		data, err := codec.Append(nil, v, codec.Options{Depth: noLimit})
		if err != nil {
			t.Fatal(err)
		}
		back, err := codec.Decode(data, codec.Options{Depth: noLimit})
		if err != nil || !back.Identical(v) {
			t.Errorf("%s: not read back: %v", kind, err)
		}
		m := deepMessage(kind, levels)
		jsonTowers := map[string]string{"a": "[", "o": `{"k":`, "so": `{"k":`}
		for name, f := range map[string]func() error{
			"decode": func() error { _, err := codec.Decode(data, codec.Options{}); return err },
			"decode json": func() error {
				_, err := codec.DecodeJSONValue([]byte(strings.Repeat(jsonTowers[kind], levels)), codec.Options{Depth: noLimit})
				return err
			},
			"encode":        func() error { _, err := codec.Append(nil, v, codec.Options{}); return err },
			"from structpb": func() error { _, err := codec.FromMessage(m, codec.Options{Depth: noLimit}); return err },
			"to structpb":   func() error { _, err := codec.ToMessage(v, codec.Options{}); return err },
		} {
			kit.Within(t, kind+": "+name, 5*time.Second, func() {
				if err := f(); !errors.Is(err, codec.ErrDepth) {
					t.Errorf("%s: %s: %v", kind, name, err)
				}
			})
		}
	}
}

// deepMessage is nested as a message.
func deepMessage(tower string, levels int) *structpb.Struct {
	m := structpb.NewNumberValue(1)
	for i := range levels {
		if tower[i%len(tower)] == 'a' {
			m = structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{m}})
		} else {
			m = structpb.NewStructValue(&structpb.Struct{Fields: map[string]*structpb.Value{"k": m}})
		}
	}
	return &structpb.Struct{Fields: map[string]*structpb.Value{"k": m}}
}

// Bytes that only the careful path takes cost memory in proportion. Time is counted
// in bench/gate (TestScale).
func TestManyEntries(t *testing.T) {
	if race.Enabled || testing.Short() {
		t.Skip("counts bytes")
	}
	same := []byte(strings.Repeat("\x0a\x02\x0a\x00", 1_000_000) + entryOf("", nullOf))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	v, err := codec.Decode(same, codec.Options{})
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; err != nil || v.Len() != 1 || got > uint64(24*len(same)) {
		t.Errorf("%d bytes allocated for %d: %v, %v", got, len(same), v, err)
	}
}
