package codec_test

import (
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/testkit"
	"github.com/propalg/propalg/value"
)

const noLimit = math.MaxInt32 // the limit stops where values do

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
		{here(), strings.Repeat("os", 1_666), value.TextAsset("x").Value(), 10_002},
		{here(), "", value.Array(value.Secret(num(1)), value.Secret(num(2)), num(3).WithDependencies("u"), value.Secret(num(4)), str("\xff")), 10},
		{here(), "", num(1), 3},
		{here(), "", value.Array(), 4},
		{here(), "a", num(1), 5},
		{here(), "o", num(1), 6},
		{here(), "asod", num(1), 16},
		{here(), "s", literal(t, member("f", literal(t).Value())).Value(), 16},
	} {
		v := nested(row.tower, row.last)
		data, err := codec.AppendStruct(nil, v, codec.Options{Depth: noLimit})
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
		_, want := codec.DecodeJSON([]byte(text), o)
		_, err := codec.DecodeStruct(data, o)
		_, mErr := codec.FromStruct(m, o)
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
	text, err := codec.EncodeJSON(v, codec.Options{Depth: noLimit})
	if err != nil {
		t.Fatal(err)
	}
	failures := map[string]error{}
	failures["protobuf-go"] = proto.UnmarshalOptions{RecursionLimit: limit}.Unmarshal(data, new(structpb.Struct))
	_, failures["decode"] = codec.DecodeStruct(data, o)
	_, failures["encode"] = codec.AppendStruct(nil, v, o)
	_, failures["from structpb"] = codec.FromStruct(m, o)
	_, failures["to structpb"] = codec.ToStruct(v, o)
	_, failures["decode json"] = codec.DecodeJSON(text, o)
	_, failures["encode json"] = codec.EncodeJSON(v, o)
	for name, err := range failures {
		if tooDeep != (err != nil) {
			t.Errorf("%s: %s with the limit %d: %v", at, name, limit, err)
		}
		if err != nil && name != "protobuf-go" {
			if e := failure(t, err); !errors.Is(err, codec.ErrDepth) || limit > 8 && e.At.RevealPath().IsRoot() {
				t.Errorf("%s: %s with the limit %d: %v, at the root: %v", at, name, limit, err, e.At.RevealPath().IsRoot())
			}
		}
	}
}

// As many containers in one another as a value can have are an error at once, and no
// problem where the limit allows them; a million are always an error. The bound is for
// walks that are quadratic.
func TestMillionDeepBytes(t *testing.T) {
	for kind, levels := range map[string]int{"a": 1_000_000, "o": 1_000_000, "so": 200_000} { // the last is long rather than deep
		most := map[string]int{"a": value.MaxDepth - 2, "o": 2*value.MaxDepth/3 - 1, "so": 2*value.MaxDepth/6 - 1}
		v := nested(strings.Repeat(kind, most[kind]), num(1))
		data, err := codec.AppendStruct(nil, v, codec.Options{Depth: noLimit})
		if err != nil {
			t.Fatal(err)
		}
		back, err := codec.DecodeStruct(data, codec.Options{Depth: noLimit})
		if err != nil || !back.Identical(v) {
			t.Errorf("%s: not read back: %v", kind, err)
		}
		m := deepMessage(kind, levels)
		jsonTowers := map[string]string{"a": "[", "o": `{"k":`, "so": `{"k":`}
		for name, f := range map[string]func() error{
			"decode": func() error { _, err := codec.DecodeStruct(data, codec.Options{}); return err },
			"decode json": func() error {
				_, err := codec.DecodeJSON([]byte(strings.Repeat(jsonTowers[kind], levels)), codec.Options{Depth: noLimit})
				return err
			},
			"encode":        func() error { _, err := codec.AppendStruct(nil, v, codec.Options{}); return err },
			"from structpb": func() error { _, err := codec.FromStruct(m, codec.Options{Depth: noLimit}); return err },
			"to structpb":   func() error { _, err := codec.ToStruct(v, codec.Options{}); return err },
		} {
			testkit.Within(t, kind+": "+name, 5*time.Second, func() {
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
	if raceEnabled || testing.Short() {
		t.Skip("counts bytes")
	}
	same := []byte(strings.Repeat("\x0a\x02\x0a\x00", 1_000_000) + entryOf("", nullOf))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	v, err := codec.DecodeStruct(same, codec.Options{})
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; err != nil || v.Len() != 1 || got > uint64(2*len(same)) {
		t.Errorf("%d bytes allocated for %d: %v, %v", got, len(same), v, err)
	}
}
