package rpc_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/value"
)

// place is the line of a row of a table.
type place string

func here() place {
	_, _, line, _ := runtime.Caller(1)
	return place(fmt.Sprintf("line %d", line))
}

func object(members ...value.Member) value.Value { return value.Object(members...) }

func one(key string, v value.Value) value.Value { return object(value.Member{Key: key, Value: v}) }

func ptr[T any](v T) *T { return &v }

// TestPresence: absent, and there and empty, are two things, in bytes and JSON.
func TestPresence(t *testing.T) {
	null, empty := value.Null(), ""
	for _, row := range []struct {
		place
		m     rpc.Message
		bytes string
		json  string
	}{
		{here(), &rpc.CheckRequest{}, "", `{}`},
		{here(), &rpc.CheckRequest{Olds: object()}, "\x12\x00", `{"olds":{}}`},
		{here(), &rpc.CheckRequest{Autonaming: &rpc.AutonamingOptions{}}, "\x42\x00", `{"autonaming":{}}`},
		{here(), &rpc.ConfigureRequest{ID: &empty}, "\x3a\x00", `{"id":""}`},
		{here(), &rpc.ConstructRequest{Protect: ptr(false)}, "\x60\x00", `{"protect":false}`},
		{here(), &rpc.ConstructRequest{ReplacementTrigger: &null}, "\xf2\x01\x02\x08\x00", `{"replacementTrigger":null}`},
		{here(), &rpc.Alias{Spec: &rpc.AliasSpec{NoParent: ptr(false)}}, "\x12\x02\x30\x00", `{"spec":{"noParent":false}}`},
		{here(), &rpc.Alias{URN: &empty}, "\x0a\x00", `{"urn":""}`},
		{here(), &rpc.DiffResponse{Replaces: []string{""}}, "\x0a\x00", `{"replaces":[""]}`},
		{here(), &rpc.DiffResponse{DetailedDiff: map[string]rpc.PropertyDiff{"": {}}}, "\x32\x04\x0a\x00\x12\x00", `{"detailedDiff":{"":{}}}`},
		{here(), &rpc.ViewStep{DetailedDiff: []rpc.PathDiff{{}}, HasDetailedDiff: true}, "\x52\x04\x0a\x00\x12\x00\x58\x01", `{"detailedDiff":{"":{}},"hasDetailedDiff":true}`},
		{here(), &rpc.ListRequest{Limit: -2}, "\x18\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01", `{"limit":"-2"}`},
		{here(), &rpc.UpdateRequest{Timeout: 1.5}, "\x29\x00\x00\x00\x00\x00\x00\xf8\x3f", `{"timeout":1.5}`},
		{here(), &rpc.CheckRequest{RandomSeed: rpc.Hide([]byte{0xfb, 0xff})}, "\x2a\x02\xfb\xff", `{"randomSeed":"+/8="}`},
		{here(), &rpc.DiffResponse{Changes: rpc.DiffSome}, "\x20\x02", `{"changes":"DIFF_SOME"}`},
		{here(), &rpc.DiffResponse{Changes: 9}, "\x20\x09", `{"changes":9}`},
		{here(), &rpc.ConfigureRequest{Variables: rpc.Hide(map[string]string{"b": "2", "a": "1"})}, "\x0a\x06\x0a\x01a\x12\x011\x0a\x06\x0a\x01b\x12\x012", `{"variables":{"a":"1","b":"2"}}`},
	} {
		data, err := rpc.Append(nil, row.m, rpc.Options{})
		if err != nil || string(data) != row.bytes {
			t.Errorf("%s: %v: bytes %q, want %q", row.place, err, data, row.bytes)
		}
		text, err := rpc.AppendJSON(nil, row.m, rpc.Options{})
		if err != nil || string(text) != row.json {
			t.Errorf("%s: %v: JSON %s, want %s", row.place, err, text, row.json)
		}
		fromBytes, fromText := rpc.New(rpc.Name(row.m)), rpc.New(rpc.Name(row.m))
		if err := rpc.Decode([]byte(row.bytes), fromBytes, rpc.Options{}); err != nil || identical(row.m, fromBytes) != "" {
			t.Errorf("%s: %v: from bytes %s", row.place, err, identical(row.m, fromBytes))
		}
		if err := rpc.DecodeJSON([]byte(row.json), fromText, rpc.Options{}); err != nil || identical(row.m, fromText) != "" {
			t.Errorf("%s: %v: from JSON %s", row.place, err, identical(row.m, fromText))
		}
	}
}

// TestMerge: of repeated fields the last one wins, or they are merged.
func TestMerge(t *testing.T) {
	olds := func(pairs ...string) string {
		var s []byte
		for i := 0; i < len(pairs); i += 2 {
			data, err := rpc.Append(nil, &rpc.CheckRequest{Olds: one(pairs[i], value.String(pairs[i+1]))}, rpc.Options{})
			if err != nil {
				t.Fatal(err)
			}
			s = append(s, data...)
		}
		return string(s)
	}
	for _, row := range []struct {
		place
		data string
		want rpc.Message
	}{
		{here(), "\x0a\x01a\x0a\x01b", &rpc.CheckRequest{URN: "b"}},
		{here(), olds("a", "1", "b", "2"), &rpc.CheckRequest{Olds: object(value.Member{Key: "a", Value: value.String("1")}, value.Member{Key: "b", Value: value.String("2")})}},
		{here(), olds("a", "1", "a", "2", "a", "3"), &rpc.CheckRequest{Olds: one("a", value.String("3"))}},
		{here(), "\x42\x03\x0a\x01n\x42\x02\x10\x01", &rpc.CheckRequest{Autonaming: &rpc.AutonamingOptions{ProposedName: "n", Mode: rpc.AutonamingEnforce}}},
		{here(), "\x0a\x01u\x12\x02\x30\x01", &rpc.Alias{Spec: &rpc.AliasSpec{NoParent: ptr(true)}}},
		{here(), "\x12\x02\x30\x01\x0a\x01u", &rpc.Alias{URN: ptr("u")}},
		{here(), "\x12\x02\x30\x01\x0a\x01u\x12\x03\x0a\x01n", &rpc.Alias{Spec: &rpc.AliasSpec{Name: "n"}}},
		{here(), "\x32\x07\x0a\x01k\x12\x02\x08\x04\x32\x03\x0a\x01k", &rpc.DiffResponse{DetailedDiff: map[string]rpc.PropertyDiff{"k": {}}}},
		{here(), "\x32\x0d\x0a\x01x\x12\x02\x08\x04\x12\x02\x10\x01\x0a\x00", &rpc.DiffResponse{DetailedDiff: map[string]rpc.PropertyDiff{"": {Kind: rpc.PropertyDiffUpdate, InputDiff: true}}}},
		{here(), "\x32\x0b\x0a\x01k\x1a\x02\x10\x01\x12\x02\x08\x04", &rpc.DiffResponse{DetailedDiff: map[string]rpc.PropertyDiff{"k": {Kind: rpc.PropertyDiffUpdate}}}},
		{here(), "\x32\x0a\x2a\x08\x0a\x06\x0a\x00\x12\x02\x08\x00\x32\x02\x2a\x00\x32\x03\x0a\x01t", &rpc.ViewStep{Old: &rpc.View{Type: "t", Inputs: one("", value.Null())}}},
		// Other types on the wire, numbers that are none of the message's, and groups are unknown.
		{here(), "\x08\x05\x0a\x01u", &rpc.CheckRequest{URN: "u", Extra: rpc.Extra{Unrecognized: rpc.Hide([]byte("\x08\x05"))}}},
		{here(), "\xfa\x7f\x01x\x0a\x01u\x7b\x08\x01\x7c", &rpc.CheckRequest{URN: "u", Extra: rpc.Extra{Unrecognized: rpc.Hide([]byte("\xfa\x7f\x01x\x7b\x08\x01\x7c"))}}},
		{here(), "\x42\x04\x0a\x00\x78\x01", &rpc.CheckRequest{Autonaming: &rpc.AutonamingOptions{Extra: rpc.Extra{Unrecognized: rpc.Hide([]byte("\x78\x01"))}}}},
	} {
		got := rpc.New(rpc.Name(row.want))
		if err := rpc.Decode([]byte(row.data), got, rpc.Options{}); err != nil || identical(row.want, got) != "" {
			t.Errorf("%s: %v: %s", row.place, err, identical(row.want, got))
		}
	}
}

// TestUnrecognizedSurvives: unknown fields are written as they were read, last.
func TestUnrecognizedSurvives(t *testing.T) {
	const data = "\xfa\x7f\x01x\x0a\x01u\x7b\x08\x01\x7c"
	var m rpc.CheckRequest
	if err := rpc.Decode([]byte(data), &m, rpc.Options{}); err != nil {
		t.Fatal(err)
	}
	got, err := rpc.Append(nil, &m, rpc.Options{})
	if want := "\x0a\x01u\xfa\x7f\x01x\x7b\x08\x01\x7c"; err != nil || string(got) != want {
		t.Errorf("%v: %q, want %q", err, got, want)
	}
}

// TestReset: reading replaces what was there, failing leaves nothing.
func TestReset(t *testing.T) {
	m := rpc.CheckRequest{URN: "u", Olds: object(), RandomSeed: rpc.Hide([]byte{1}), Extra: rpc.Extra{Unrecognized: rpc.Hide([]byte("\x78\x01"))}}
	if err := rpc.Decode([]byte("\x32\x01n"), &m, rpc.Options{}); err != nil || identical(&m, &rpc.CheckRequest{Name: "n"}) != "" {
		t.Error(err, identical(&m, &rpc.CheckRequest{Name: "n"}))
	}
	if err := rpc.Decode([]byte("\x0a\x01u\x12"), &m, rpc.Options{}); err == nil || identical(&m, &rpc.CheckRequest{}) != "" {
		t.Error(err, identical(&m, &rpc.CheckRequest{}))
	}
	if err := rpc.DecodeJSON([]byte(`{"urn":"u"`), &m, rpc.Options{}); err == nil || identical(&m, &rpc.CheckRequest{}) != "" {
		t.Error(err, identical(&m, &rpc.CheckRequest{}))
	}
}

// TestNothingKept: neither side keeps the other's memory.
func TestNothingKept(t *testing.T) {
	want := rpc.CheckRequest{URN: "urn", RandomSeed: rpc.Hide([]byte{1, 2}), Olds: one("key", value.String("text")), Extra: rpc.Extra{Unrecognized: rpc.Hide([]byte("\x78\x01"))}}
	data, err := rpc.Append(nil, &want, rpc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got rpc.CheckRequest
	if err := rpc.Decode(data, &got, rpc.Options{}); err != nil {
		t.Fatal(err)
	}
	for i := range data {
		data[i] = 'x'
	}
	if d := identical(&want, &got); d != "" {
		t.Error(d)
	}
}

// TestAppendKeepsBytes: an error gives dst back.
func TestAppendKeepsBytes(t *testing.T) {
	dst := append(make([]byte, 0, 100), "before"...)
	for _, m := range []rpc.Message{&rpc.CheckRequest{URN: "ok", Name: "\xff"}, (*rpc.CheckRequest)(nil), nil} {
		got, err := rpc.Append(dst, m, rpc.Options{})
		if err == nil || string(got) != "before" {
			t.Errorf("%q, %v", got, err)
		}
		got, err = rpc.AppendJSON(dst, m, rpc.Options{})
		if err == nil || string(got) != "before" {
			t.Errorf("%q, %v", got, err)
		}
	}
}

// nested is bytes of a Struct of so many levels of arrays, in CheckRequest.olds.
func nested(arrays int) []byte {
	v := []byte("\x08\x00") // null
	for range arrays {
		l := append(protowire.AppendVarint([]byte{0x0a}, uint64(len(v))), v...)
		v = append(protowire.AppendVarint([]byte{0x32}, uint64(len(l))), l...)
	}
	entry := append(protowire.AppendVarint([]byte{0x0a, 0, 0x12}, uint64(len(v))), v...)
	s := append(protowire.AppendVarint([]byte{0x0a}, uint64(len(entry))), entry...)
	return append(protowire.AppendVarint([]byte{0x12}, uint64(len(s))), s...)
}

// TestDepth: the limit is protobuf's, the message around the properties counts,
// and it is the same both ways and in JSON.
func TestDepth(t *testing.T) {
	p := descriptors(t)
	// 1 message, 3 for the object, 2 for each array.
	for _, arrays := range []int{4997, 4998, 4999} {
		data := nested(arrays)
		_, theirErr := unmarshal(data, p.new("pulumirpc.CheckRequest"))
		var m rpc.CheckRequest
		ourErr := rpc.Decode(data, &m, rpc.Options{})
		if (theirErr == nil) != (ourErr == nil) {
			t.Errorf("%d arrays: protobuf says %v, we %v", arrays, theirErr, ourErr)
		}
		if ourErr != nil && !errors.Is(ourErr, codec.ErrDepth) {
			t.Error(ourErr)
		}
		text := []byte(`{"olds":{"":` + strings.Repeat("[", arrays) + "null" + strings.Repeat("]", arrays) + "}}")
		if err := rpc.DecodeJSON(text, &m, rpc.Options{}); (err == nil) != (ourErr == nil) || (err != nil && !errors.Is(err, codec.ErrDepth)) {
			t.Errorf("%d arrays: JSON says %v, bytes %v", arrays, err, ourErr)
		}
	}
	m := &rpc.CheckRequest{Olds: one("", value.Array(value.Null()))}
	data, err := rpc.Append(nil, m, rpc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for depth, want := range map[int]bool{1: false, 3: false, 5: false, 6: true, 7: true} {
		o := rpc.Options{Properties: codec.Options{Depth: depth}}
		if _, err := rpc.Append(nil, m, o); (err == nil) != want || (err != nil && !errors.Is(err, codec.ErrDepth)) {
			t.Errorf("depth %d: writing: %v", depth, err)
		}
		if err := rpc.Decode(data, &rpc.CheckRequest{}, o); (err == nil) != want || (err != nil && !errors.Is(err, codec.ErrDepth)) {
			t.Errorf("depth %d: reading: %v", depth, err)
		}
	}
}

// TestDepthOfMessages: messages in messages count, and so do the entries of maps.
func TestDepthOfMessages(t *testing.T) {
	for _, row := range []struct {
		place
		m    rpc.Message
		need int
	}{
		{here(), &rpc.CheckFailure{Reason: "r"}, 1},
		{here(), &rpc.ConfigureRequest{Variables: rpc.Hide(map[string]string{"k": "v"})}, 2},
		{here(), &rpc.StackTrace{Frames: []rpc.StackFrame{{PC: &rpc.SourcePosition{Line: 1}}}}, 3},
		{here(), &rpc.DiffResponse{DetailedDiff: map[string]rpc.PropertyDiff{"k": {}}}, 3},
	} {
		data, err := rpc.Append(nil, row.m, rpc.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for depth := 1; depth < 5; depth++ {
			o := rpc.Options{Properties: codec.Options{Depth: depth}}
			err := rpc.Decode(data, rpc.New(rpc.Name(row.m)), o)
			if want := depth >= row.need; (err == nil) != want || (err != nil && !errors.Is(err, codec.ErrDepth)) {
				t.Errorf("%s: depth %d: reading: %v", row.place, depth, err)
			}
			_, err = rpc.Append(nil, row.m, o)
			if want := depth >= row.need; (err == nil) != want || (err != nil && !errors.Is(err, codec.ErrDepth)) {
				t.Errorf("%s: depth %d: writing: %v", row.place, depth, err)
			}
		}
	}
}

// TestOptions: what a peer does not accept is lowered on the way out.
func TestOptions(t *testing.T) {
	m := &rpc.CreateResponse{ID: "i", Properties: one("p", value.Secret(value.String("x")))}
	data, err := rpc.Append(nil, m, rpc.Options{Properties: codec.Features(0).Options()})
	if err != nil {
		t.Fatal(err)
	}
	want, err := rpc.Append(nil, &rpc.CreateResponse{ID: "i", Properties: one("p", value.String("x"))}, rpc.Options{})
	if err != nil || !bytes.Equal(data, want) {
		t.Errorf("%v: %q, want %q", err, data, want)
	}
	_, err = rpc.Append(nil, m, rpc.Options{Properties: codec.Options{Secrets: codec.Reject}})
	if !errors.Is(err, codec.ErrPolicy) {
		t.Error(err)
	}
}

// shared is the real data; see ../../../shared/data.
const shared = "../../../shared/data/"

// throughBytes reads JSON into m, and back through bytes and JSON. It reports
// whether the JSON that comes out means what went in.
func throughBytes(t *testing.T, p protocol, text []byte, m rpc.Message) bool {
	t.Helper()
	if err := rpc.DecodeJSON(text, m, rpc.Options{}); err != nil {
		t.Fatal(err)
	}
	data, err := rpc.Append(nil, m, rpc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	again := rpc.New(rpc.Name(m))
	if err := rpc.Decode(data, again, rpc.Options{}); err != nil || identical(m, again) != "" {
		t.Fatalf("%v: through bytes %s: %s", err, rpc.Name(m), identical(m, again))
	}
	theirs := p.new(rpc.Name(m))
	if _, err := unmarshal(data, theirs); err != nil || !bytes.Equal(marshal(t, theirs), data) {
		t.Fatalf("%v: protobuf reads %s otherwise", err, rpc.Name(m))
	}
	out, err := rpc.AppendJSON(nil, again, rpc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var before, after any
	if json.Unmarshal(text, &before) != nil || json.Unmarshal(out, &after) != nil {
		t.Fatalf("no JSON: %s", out)
	}
	return cmp.Equal(before, after)
}

// TestEngineLogs reads every call in a real engine's logs whose messages there
// are.
func TestEngineLogs(t *testing.T) {
	all, p := kit.Calls(t, "grpc-logs/*.json"), descriptors(t)
	messages, same, other := 0, 0, 0
	for _, c := range all {
		request, response := rpc.NewCall(c.Method)
		if request == nil {
			if strings.Contains(c.Method, "ResourceProvider/") {
				t.Errorf("%s is not known", c.Method)
			}
			other++
			continue
		}
		for m, text := range map[rpc.Message]json.RawMessage{request: c.Request, response: c.Response} {
			if len(text) == 0 {
				continue // the call has not ended, or failed
			}
			messages++
			if throughBytes(t, p, text, m) {
				same++
			} else if _, ok := m.(*rpc.RegisterResourceRequest); !ok {
				t.Errorf("%s of %s comes out otherwise", rpc.Name(m), c.Method)
			}
		}
	}
	t.Logf("%d calls, %d of other services; %d messages, %d of them word for word", len(all), other, messages, same)
	// What is written otherwise: text assets that a program sends without a hash,
	// and that have one as values.
	if messages < 400 || messages-same > messages/20 {
		t.Error("not what these logs hold")
	}
}

// TestRecordedCalls reads recorded Diff and DiffConfig calls, but for the rows in
// which a matcher replaces a value.
func TestRecordedCalls(t *testing.T) {
	p := descriptors(t)
	messages, same, matchers := 0, 0, 0
	for _, c := range kit.Calls(t, "grpc-diff.jsonl") {
		if c.Wildcard != nil {
			matchers++
			continue
		}
		request, response := rpc.NewCall(c.Method)
		for m, text := range map[rpc.Message]json.RawMessage{request: c.Request, response: c.Response} {
			if len(text) == 0 {
				continue
			}
			messages++
			if throughBytes(t, p, text, m) {
				same++
			}
		}
	}
	t.Logf("%d messages, %d of them word for word, %d rows with matchers", messages, same, matchers)
	if messages < 1200 || matchers != 4 {
		t.Error("not what this file holds")
	}
}
