package rpc_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/value"
)

// TestErrors: every kind of refusal, its text and its sentinel.
func TestErrors(t *testing.T) {
	check := func(name string, m rpc.Message) func(string) error {
		return func(text string) error {
			if name == "json" {
				return rpc.DecodeJSON([]byte(text), m, rpc.Options{})
			}
			return rpc.Decode([]byte(text), m, rpc.Options{})
		}
	}
	json := func(m rpc.Message) func(string) error { return check("json", m) }
	data := func(m rpc.Message) func(string) error { return check("bytes", m) }
	for _, row := range []struct {
		place
		read  func(string) error
		input string
		cause error
		text  string
	}{
		{here(), data(&rpc.CheckRequest{}), "\x0a\x02a", codec.ErrSyntax, "rpc: decode CheckRequest: urn: offset 1: syntax error: expected the contents of a field, found malformed bytes"},
		{here(), data(&rpc.CheckRequest{}), "\x0a\x01a\x80", codec.ErrSyntax, "rpc: decode CheckRequest: offset 3: syntax error: expected a field, found malformed bytes"},
		{here(), data(&rpc.CheckRequest{}), "\x00\x00", codec.ErrSyntax, "rpc: decode CheckRequest: offset 0: syntax error: expected a field, found malformed bytes"},
		{here(), data(&rpc.CheckRequest{}), "\xf0\x9f\x98\x80\x30\x00", codec.ErrSyntax, "rpc: decode CheckRequest: offset 0: syntax error: expected a field, found malformed bytes"},
		{here(), data(&rpc.DiffResponse{}), "\x32\x06\xf0\x9f\x98\x80\x30\x00", codec.ErrSyntax, "rpc: decode DiffResponse: detailedDiff: offset 2: syntax error: expected an entry, found malformed bytes"},
		{here(), data(&rpc.CheckRequest{}), "\x7c", codec.ErrSyntax, "rpc: decode CheckRequest: offset 1: syntax error: expected the contents of a field, found malformed bytes"},
		{here(), data(&rpc.CheckRequest{}), "\x7b\x08\x01", codec.ErrSyntax, "rpc: decode CheckRequest: offset 1: syntax error: expected the contents of a field, found malformed bytes"},
		{here(), data(&rpc.DiffResponse{}), "\x38\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", codec.ErrSyntax, "rpc: decode DiffResponse: hasDetailedDiff: offset 1: syntax error: expected the contents of a field, found malformed bytes"},
		{here(), data(&rpc.CheckRequest{}), "\x0a\x01\xff", codec.ErrUTF8, "rpc: decode CheckRequest: urn: offset 2: not UTF-8"},
		{here(), data(&rpc.DiffResponse{}), "\x0a\x01a\x0a\x01\xff", codec.ErrUTF8, "rpc: decode DiffResponse: replaces[1]: offset 5: not UTF-8"},
		{here(), data(&rpc.CheckResponse{}), "\x12\x00\x12\x03\x12\x01\xff", codec.ErrUTF8, "rpc: decode CheckResponse: failures[1].reason: offset 6: not UTF-8"},
		{here(), data(&rpc.DiffResponse{}), "\x32\x06\x0a\x01k\x12\x01\x08", codec.ErrSyntax, `rpc: decode DiffResponse: detailedDiff["k"].kind: offset 8: syntax error: expected the contents of a field, found malformed bytes`},
		{here(), data(&rpc.DiffResponse{}), "\x32\x01\x80", codec.ErrSyntax, "rpc: decode DiffResponse: detailedDiff: offset 2: syntax error: expected an entry, found malformed bytes"},
		{here(), data(&rpc.CheckRequest{}), "\x12\x02\x0a\x05\x12\x05\x0a\x03\x0a\x01a", codec.ErrSyntax, "rpc: decode CheckRequest: olds: offset 2: syntax error: expected properties, found malformed bytes"},
		{here(), data(&rpc.CheckRequest{}), "\x12\x00\x12\x02\x0a\x05\x12\x05\x0a\x03\x0a\x01a", codec.ErrSyntax, "rpc: decode CheckRequest: olds: offset 4: syntax error: expected properties, found malformed bytes"},

		{here(), json(&rpc.CheckRequest{}), ``, codec.ErrSyntax, "rpc: decode json CheckRequest: offset 0: syntax error: expected object, found end of input"},
		{here(), json(&rpc.CheckRequest{}), ` {"urn":1}`, codec.ErrSyntax, "rpc: decode json CheckRequest: urn: offset 8: syntax error: expected string, found a number"},
		{here(), json(&rpc.CheckRequest{}), `{"urn":"a"}1`, codec.ErrSyntax, "rpc: decode json CheckRequest: offset 11: syntax error: expected end of input, found a number"},
		{here(), json(&rpc.CheckRequest{}), `{"urn":"a" "b"}`, codec.ErrSyntax, "rpc: decode json CheckRequest: offset 11: syntax error: expected ',' or '}', found '\"'"},
		{here(), json(&rpc.CheckRequest{}), `{"urn":"a","urn":"b"}`, codec.ErrDuplicate, "rpc: decode json CheckRequest: urn: offset 11: duplicate member name"},
		{here(), json(&rpc.DiffRequest{}), `{"old_inputs":{},"oldInputs":null}`, codec.ErrDuplicate, "rpc: decode json DiffRequest: old_inputs: offset 17: duplicate member name"},
		{here(), json(&rpc.DiffRequest{}), `{"oldinputs":{}}`, rpc.ErrField, `rpc: decode json DiffRequest: ["oldinputs"]: offset 1: message has no such field`},
		{here(), json(&rpc.DiffResponse{}), `{"changes":"SOME"}`, codec.ErrKind, "rpc: decode json DiffResponse: changes: offset 11: wrong kind: expected a name or number of the enum, found an unknown name"},
		{here(), json(&rpc.DiffResponse{}), `{"changes":1.5}`, codec.ErrKind, "rpc: decode json DiffResponse: changes: offset 11: wrong kind: expected 32-bit integer, found another value"},
		{here(), json(&rpc.ListRequest{}), `{"limit":"9223372036854775808"}`, codec.ErrKind, "rpc: decode json ListRequest: limit: offset 9: wrong kind: expected 64-bit integer, found another value"},
		{here(), json(&rpc.ListRequest{}), `{"limit":" 1"}`, codec.ErrKind, "rpc: decode json ListRequest: limit: offset 9: wrong kind: expected 64-bit integer, found another value"},
		{here(), json(&rpc.UpdateRequest{}), `{"timeout":1e400}`, codec.ErrKind, "rpc: decode json UpdateRequest: timeout: offset 11: wrong kind: expected 64-bit number, found another value"},
		{here(), json(&rpc.UpdateRequest{}), `{"timeout":"inf"}`, codec.ErrKind, "rpc: decode json UpdateRequest: timeout: offset 11: wrong kind: expected 64-bit number, found another value"},
		{here(), json(&rpc.UpdateRequest{}), `{"preview":"true"}`, codec.ErrSyntax, "rpc: decode json UpdateRequest: preview: offset 11: syntax error: expected true or false, found '\"'"},
		{here(), json(&rpc.CheckRequest{}), `{"randomSeed":"*"}`, codec.ErrKind, "rpc: decode json CheckRequest: randomSeed: offset 14: wrong kind: expected base64, found another string"},
		{here(), json(&rpc.DiffResponse{}), `{"replaces":["a",null]}`, codec.ErrSyntax, "rpc: decode json DiffResponse: replaces[1]: offset 17: syntax error: expected string, found another character"},
		{here(), json(&rpc.DiffResponse{}), `{"detailedDiff":{"a":{},"\u0061":{}}}`, codec.ErrDuplicate, `rpc: decode json DiffResponse: detailedDiff["a"]: offset 24: duplicate member name`},
		{here(), json(&rpc.Alias{}), `{"urn":"u","spec":{}}`, rpc.ErrOneof, "rpc: decode json Alias: spec: only one of several fields may be set: found urn as well"},
		{here(), json(&rpc.CheckRequest{}), `{"olds":{"a":[1,}}`, codec.ErrSyntax, "rpc: decode json CheckRequest: olds: offset 8: codec: decode json: a[1]: offset 8: syntax error: expected value, found '}'"},
		{here(), json(&rpc.CheckRequest{}), `{"olds":[]}`, codec.ErrKind, "rpc: decode json CheckRequest: olds: offset 8: codec: decode json: offset 0: wrong kind: expected object, found array"},
		{here(), json(&rpc.UpdateRequest{}), `{"oldViews":[{},{"inputs":{"a":9007199254740993}}]}`, codec.ErrNumber, "rpc: decode json UpdateRequest: old_views[1].inputs: offset 26: codec: decode json: a: offset 5: number cannot be held exactly"},
	} {
		err := row.read(row.input)
		var typed *rpc.Error
		if err == nil || !errors.Is(err, row.cause) || !errors.As(err, &typed) || err.Error() != row.text {
			t.Errorf("%s:\ngot  %v\nwant %s", row.place, err, row.text)
		}
	}
}

// TestWriteErrors: what cannot be written.
func TestWriteErrors(t *testing.T) {
	for _, row := range []struct {
		place
		m     rpc.Message
		cause error
		text  string // after "encode" or "encode json"
	}{
		{here(), &rpc.CheckFailure{Reason: "\xff"}, codec.ErrUTF8, "CheckFailure: reason: not UTF-8"},
		{here(), &rpc.Alias{URN: ptr("u"), Spec: &rpc.AliasSpec{}}, rpc.ErrOneof, "Alias: urn: only one of several fields may be set: found spec as well"},
		{here(), &rpc.CheckResponse{Failures: []rpc.CheckFailure{{}, {Property: "\xff"}}}, codec.ErrUTF8, "CheckResponse: failures[1].property: not UTF-8"},
		{here(), &rpc.ConfigureRequest{Variables: rpc.Hide(map[string]string{"k": "\xff"})}, codec.ErrUTF8, `ConfigureRequest: variables["k"]: not UTF-8`},
		{here(), &rpc.DiffRequest{Olds: value.Secret(value.Null())}, codec.ErrKind, ""},
		{here(), &rpc.DiffRequest{Olds: value.String("x")}, codec.ErrKind, ""},
		{here(), &rpc.DiffRequest{News: one(codec.SignatureKey, value.String("x"))}, codec.ErrSignature, ""},
		{here(), (*rpc.DiffRequest)(nil), rpc.ErrMessage, ""},
	} {
		_, bytesErr := rpc.Append(nil, row.m, rpc.Options{})
		_, jsonErr := rpc.AppendJSON(nil, row.m, rpc.Options{})
		for op, err := range map[string]error{"encode": bytesErr, "encode json": jsonErr} {
			var typed *rpc.Error
			if !errors.Is(err, row.cause) || !errors.As(err, &typed) {
				t.Errorf("%s: %s: %v", row.place, op, err)
			} else if row.text != "" && err.Error() != "rpc: "+op+" "+row.text {
				t.Errorf("%s: got %v", row.place, err)
			}
		}
	}
}

// TestErrorsHoldNoPayload: an error does not quote the text around its cause.
func TestErrorsHoldNoPayload(t *testing.T) {
	const canary = "hunter2"
	for _, text := range []string{
		`{"resourceStatusToken":"hunter2`, `{"resourceStatusToken":"hunter2"`, `{"properties":{"a":"hunter2",}}`,
		`{"preview":"hunter2"}`, `{"timeout":"hunter2"}`, `{"properties":"hunter2"}`, `{"urn":"hunter2\q"}`,
	} {
		err := rpc.DecodeJSON([]byte(text), &rpc.CreateRequest{}, rpc.Options{})
		if err == nil || strings.Contains(err.Error(), canary) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
