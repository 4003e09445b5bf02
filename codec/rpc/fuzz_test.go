package rpc_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/value"
)

// samples are messages with something in them.
func samples() []rpc.Message {
	bag := object(
		value.Member{Key: "a", Value: value.String("x")}, value.Member{Key: "n", Value: value.Array(value.Null(), value.Number(1), value.UnknownOf(value.KindArray))},
		value.Member{Key: "s", Value: value.Secret(value.String("t")).WithDependencies("urn:pulumi:a::b::c::d")}, value.Member{Key: "id", Value: value.String("j")},
	)
	return []rpc.Message{
		&rpc.CheckRequest{URN: "urn:pulumi:a::b::c::d", Olds: bag, News: object(), RandomSeed: rpc.Hide([]byte{0xff}), Autonaming: &rpc.AutonamingOptions{Mode: rpc.AutonamingEnforce}},
		&rpc.CheckResponse{Inputs: bag, Failures: []rpc.CheckFailure{{Property: "a[0]", Reason: "no"}, {}}},
		&rpc.DiffRequest{ID: "i", Olds: bag, News: bag, OldInputs: object(), IgnoreChanges: []string{"a.b", "*"}},
		&rpc.DiffResponse{Changes: rpc.DiffSome, Diffs: []string{"a"}, DetailedDiff: map[string]rpc.PropertyDiff{"a": {Kind: rpc.PropertyDiffUpdate, InputDiff: true}, "": {}}},
		&rpc.CreateRequest{Properties: bag, Preview: true, Timeout: 1.5}, &rpc.CreateResponse{ID: "i", Properties: bag},
		&rpc.ReadRequest{ID: "i", Properties: bag, Inputs: bag}, &rpc.ReadResponse{ID: "i", Properties: bag},
		&rpc.UpdateRequest{ID: "i", Olds: bag, News: bag, OldViews: []rpc.View{{Inputs: bag}, {}}}, &rpc.UpdateResponse{Properties: bag},
		&rpc.InvokeRequest{Args: bag}, &rpc.InvokeResponse{Return: bag}, &rpc.ListRequest{Limit: -2},
		&rpc.ConfigureRequest{Variables: rpc.Hide(map[string]string{"p:config:n": "[1]", "x": ""}), Args: bag}, &rpc.Alias{Spec: &rpc.AliasSpec{NoParent: ptr(false)}},
		&rpc.ConstructRequest{Protect: ptr(false), ReplacementTrigger: ptr(value.Null())}, &rpc.ErrorResourceInitFailed{ID: "i", Properties: bag, Reasons: []string{"r"}},
		&rpc.ConfigureErrorMissingKeys{MissingKeys: []rpc.MissingKey{{Name: "k"}}},
		&rpc.PublishViewStepsRequest{Token: rpc.Hide("t"), Steps: []rpc.ViewStep{
			{Op: rpc.ViewOpUpdate, Old: &rpc.View{Type: "a:b:C", Inputs: bag}, New: &rpc.View{Outputs: bag}, DetailedDiff: []rpc.PathDiff{{}, {"a", rpc.PropertyDiff{Kind: rpc.PropertyDiffUpdate}}}, HasDetailedDiff: true},
			{Status: rpc.ViewStatusUnknown, Error: "no", Op: rpc.ViewOpDelete, Keys: []string{"a"}, Diffs: []string{"a", ""}},
		}},
	}
}

// which is the index of a message's type among all.
func which(m rpc.Message) uint8 {
	for i, other := range rpc.All() {
		if rpc.Name(other) == rpc.Name(m) {
			return uint8(i)
		}
	}
	panic("no message: " + rpc.Name(m))
}

func chosen(i uint8) rpc.Message {
	all := rpc.All()
	return all[int(i)%len(all)]
}

// listed says whether an error is of those that properties alone can give: what
// the wire holds and a Value does not, or the other way round.
func listed(err error) bool {
	for _, cause := range []error{
		codec.ErrSignature, codec.ErrKind, codec.ErrSealed, codec.ErrSentinel, codec.ErrDepth, codec.ErrMasked, codec.ErrNumber, codec.ErrUTF8,
	} {
		if errors.Is(err, cause) {
			return true
		}
	}
	return false
}

// checkError: one error of this package, of a bounded length, with a place in
// the input, and nothing in the message.
func checkError(t *testing.T, err error, size int, m rpc.Message) {
	t.Helper()
	var e *rpc.Error
	if !errors.As(err, &e) || e.Offset < -1 || e.Offset > size || len(err.Error()) > 4000 || identical(m, rpc.New(rpc.Name(m))) != "" {
		t.Fatalf("%#v, leaving %v", err, m)
	}
}

// checkMessage holds a message to what every message does: its bytes and its
// JSON form read back as the same, and its texts and accessors can be had.
func checkMessage(t *testing.T, m rpc.Message) {
	t.Helper()
	data, err := rpc.Append(nil, m, rpc.Options{})
	if err == nil {
		back := rpc.New(rpc.Name(m))
		if err := rpc.Decode(data, back, rpc.Options{}); err != nil || identical(m, back) != "" {
			t.Fatalf("%x: %v %s", data, err, identical(m, back))
		}
	} else if !listed(err) {
		t.Fatalf("read, and not written: %v", err)
	}
	text, err := rpc.AppendJSON([]byte("kept"), m, rpc.Options{})
	if err != nil && (!listed(err) || string(text) != "kept") {
		t.Fatalf("read, and not written as JSON: %q, %v", text, err)
	}
	if err == nil {
		again := rpc.New(rpc.Name(m))
		if err := rpc.DecodeJSON(text[len("kept"):], again, rpc.Options{}); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if third, err := rpc.AppendJSON([]byte("kept"), again, rpc.Options{}); err != nil || !bytes.Equal(third, text) {
			t.Fatalf("%s\nthen %s, %v", text, third, err)
		}
	}
	v := reflect.ValueOf(m)
	for i := range v.NumMethod() {
		switch name := v.Type().Method(i).Name; {
		case strings.HasPrefix(name, "Parse"), name == "Features", name == "Properties", name == "String", name == "MarshalJSON":
			v.Method(i).Call(nil)
		}
	}
}

// FuzzBytes: any bytes as any message are what protobuf-go says they are.
func FuzzBytes(f *testing.F) {
	for _, m := range samples() {
		data, err := rpc.Append(nil, m, rpc.Options{})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(which(m), data)
		f.Add(which(m), append(data, data...))
		f.Add(which(m)+1, append(data, "\xfa\x7f\x01x\x7b\x08\x01\x7c"...))
	}
	p := descriptors(f)
	f.Fuzz(func(t *testing.T, index uint8, data []byte) {
		ours := chosen(index)
		name := rpc.Name(ours)
		theirs := dynamicpb.NewMessage(p[name])
		gaveUp, theirErr := unmarshal(data, theirs)
		err := rpc.Decode(data, ours, rpc.Options{})
		if err != nil {
			checkError(t, err, len(data), ours)
		}
		switch {
		case gaveUp:
		case theirErr != nil && err == nil:
			t.Fatalf("%s: protobuf refuses %x: %v", name, data, theirErr)
		case theirErr == nil && err != nil && !refuses(t, theirs) && !errors.Is(err, codec.ErrDepth):
			t.Fatalf("%s: protobuf takes %x: %v", name, data, err)
		case err == nil:
			again := rpc.New(name)
			if err := rpc.Decode(marshal(t, theirs), again, rpc.Options{}); err != nil || identical(ours, again) != "" {
				t.Fatalf("%s: %x: %v %s", name, data, err, identical(ours, again))
			}
		}
		if err == nil {
			checkMessage(t, ours)
		}
		checkOwned(t, name, data, rpc.New(name), rpc.New(name), rpc.Decode)
	})
}

// refuses says whether package codec refuses some properties in a message, by way
// of structpb.
func refuses(t *testing.T, m protoreflect.Message) bool {
	t.Helper()
	refused := false
	look := func(inner protoreflect.Message) {
		var err error
		switch inner.Descriptor().FullName() {
		case "google.protobuf.Struct":
			s := new(structpb.Struct)
			move(t, s, inner)
			_, err = codec.FromMessage(s, codec.Options{})
		case "google.protobuf.Value":
			v := new(structpb.Value)
			move(t, v, inner)
			_, err = codec.FromMessageValue(v, codec.Options{})
		default:
			refused = refused || refuses(t, inner)
		}
		refused = refused || err != nil
	}
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.IsMap() && f.MapValue().Message() != nil:
			v.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool { look(v.Message()); return true })
		case f.IsList() && f.Message() != nil:
			for i := range v.List().Len() {
				look(v.List().Get(i).Message())
			}
		case !f.IsMap() && !f.IsList() && f.Message() != nil:
			look(v.Message())
		}
		return true
	})
	return refused
}

// move makes a generated message of a dynamic one.
func move(t *testing.T, to proto.Message, from protoreflect.Message) {
	t.Helper()
	if err := proto.Unmarshal(marshal(t, from.Interface()), to); err != nil {
		t.Fatal(err)
	}
}

// FuzzJSON: any text as any message is what protojson says it is, but for what
// package codec finds wrong in properties.
func FuzzJSON(f *testing.F) {
	for _, m := range samples() {
		text, err := rpc.AppendJSON(nil, m, rpc.Options{})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(which(m), string(text))
		f.Add(which(m), strings.Replace(string(text), `"urn"`, `"u\u0072n"`, 1))
	}
	for _, text := range []string{`{"limit":"1.50e1"}`, `{"limit":1e18}`, `{"randomSeed":"-_8"}`, `{"urn":"\ud83d"}`, `{"urn":null,"urn":"b"}`, `{"autonaming":{"mode":77}}`, ` {} `, `{"timeout":"NaN"}`} {
		f.Add(which(&rpc.ListRequest{}), text)
		f.Add(which(&rpc.CheckRequest{}), text)
		f.Add(which(&rpc.UpdateRequest{}), text)
	}
	p := descriptors(f)
	f.Fuzz(func(t *testing.T, index uint8, text string) {
		ours := chosen(index)
		name := rpc.Name(ours)
		theirs := dynamicpb.NewMessage(p[name])
		theirErr := protojson.Unmarshal([]byte(text), theirs)
		err := rpc.DecodeJSON([]byte(text), ours, rpc.Options{})
		switch {
		case err != nil:
			checkError(t, err, len(text), ours)
			// (protojson takes `0e`, which is no JSON.)
			if theirErr == nil && json.Valid([]byte(text)) && !refuses(t, theirs) && !errors.Is(err, codec.ErrDepth) && !errors.Is(err, codec.ErrNumber) && !errors.Is(err, codec.ErrDuplicate) {
				t.Fatalf("%s: protojson takes %q: %v", name, text, err)
			}
		case theirErr != nil:
			t.Fatalf("%s: protojson refuses %q: %v", name, text, theirErr)
		default:
			again := rpc.New(name)
			if err := rpc.Decode(marshal(t, theirs), again, rpc.Options{}); err != nil || identical(ours, again) != "" {
				t.Fatalf("%s: %q: %v %s", name, text, err, identical(ours, again))
			}
			checkMessage(t, ours)
		}
	})
}

// FuzzStatus: any bytes as a google.rpc.Status are taken and refused as
// protobuf-go does; what is found is the first detail of its type; and it goes
// into a status and comes out again.
func FuzzStatus(f *testing.F) {
	for _, m := range samples() {
		data, err := rpc.MarshalStatus(3, "text", []rpc.Message{&rpc.Empty{}, m, m}, rpc.Options{})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(which(m), data)
		f.Add(which(&rpc.Empty{}), append(data, "\x1a\x00\x1a\x02\x12\x00\x7b\x7c"...))
	}
	typ := statusType(f)
	f.Fuzz(func(t *testing.T, index uint8, data []byte) {
		m := chosen(index)
		found, err := rpc.FindDetail(data, m, rpc.Options{})
		theirs := dynamicpb.NewMessage(typ)
		if theirErr := proto.Unmarshal(data, theirs); theirErr != nil {
			if err == nil {
				t.Fatalf("protobuf refuses %x: %v", data, theirErr)
			}
			return
		}
		detail, there := first(t, theirs.Get(typ.Fields().ByName("details")).List(), rpc.Name(m))
		if there != found {
			t.Fatalf("%x: found %v, protobuf %v; %v", data, found, there, err)
		}
		want := rpc.New(rpc.Name(m))
		if wantErr := rpc.Decode(detail, want, rpc.Options{}); (err == nil) != (wantErr == nil) || identical(m, want) != "" {
			t.Fatalf("%x: %v, alone %v, %s", data, err, wantErr, identical(m, want))
		}
		again, err := rpc.MarshalStatus(int32(index), "x", []rpc.Message{&rpc.Empty{}, m}, rpc.Options{})
		if err != nil {
			if !listed(err) {
				t.Fatal(err)
			}
			return
		}
		back := rpc.New(rpc.Name(m))
		if found, err := rpc.FindDetail(again, back, rpc.Options{}); err != nil || !found || (rpc.Name(m) != rpc.Name(&rpc.Empty{}) && identical(m, back) != "") {
			t.Fatalf("%x: %v, %v, %s", again, found, err, identical(m, back))
		}
	})
}

// first is the contents of the first detail with a name.
func first(t *testing.T, details protoreflect.List, name string) (contents []byte, ok bool) {
	t.Helper()
	for i := range details.Len() {
		data, err := proto.Marshal(details.Get(i).Message().Interface())
		detail := new(anypb.Any)
		if err == nil {
			err = proto.Unmarshal(data, detail)
		}
		if err != nil {
			t.Fatal(err)
		}
		if detail.TypeUrl[strings.LastIndexByte(detail.TypeUrl, '/')+1:] == name {
			return detail.Value, true
		}
	}
	return nil, false
}

// FuzzReadLog holds the reader of logs against encoding/json, line by line: what
// it takes is an object with a method, and what it refuses is none, or has a name
// twice, or is not UTF-8.
func FuzzReadLog(f *testing.F) {
	for _, seed := range []string{
		`{"method":"/pulumirpc.ResourceProvider/Diff","request":{"id":"i"},"response":{},"errors":["e"],"progress":"request_started"}` + "\n",
		"\n{\"method\":\"a\",\"x\":[1,{}]}\r\n \n{\"method\":\"b\"}", `{"method":`, "{}\n", "[1]", `{"method":"a"} x`, `{"method":null}`,
		`{"method":"a","errors":{},"errors":["e"]}` + "\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, log string) {
		rest, begin, line := log, int64(0), 0
		next := func() (text string, ok bool) { // the next line that is not blank
			for rest != "" {
				var whole bool
				at := len(log) - len(rest)
				text, rest, whole = strings.Cut(rest, "\n")
				begin, line = int64(at), line+1
				if strings.Trim(text, " \t\r") != "" || (!whole && rest != "") {
					return text, true
				}
			}
			return "", false
		}
		for c, err := range rpc.ReadLog(strings.NewReader(log)) {
			text, ok := next()
			if !ok {
				t.Fatalf("%v, %v behind the last line", c, err)
			}
			method, want := plainly(text)
			switch {
			case err == nil && (want != nil || c.Method != method || c.Line != line || c.Offset != begin):
				t.Fatalf("%v at %d, want %q on line %d at %d: %v", c, c.Offset, method, line, begin, want)
			case err == nil:
				_, _ = c.Request(rpc.Options{})
				_, _ = c.Response(rpc.Options{})
				continue
			case want == nil && !errors.Is(err, codec.ErrDuplicate) && !errors.Is(err, codec.ErrUTF8):
				t.Fatalf("%q: %v", text, err)
			case errors.Is(err, rpc.ErrTruncated) && strings.HasSuffix(log, "\n"):
				t.Fatalf("%v, but the last line has an end", err)
			}
			return
		}
		if text, ok := next(); ok {
			t.Fatalf("%q was not read", text)
		}
	})
}

// plainly returns the method that a line names, as encoding/json reads it. Of a name that
// occurs twice, each member has to be right.
func plainly(line string) (method string, err error) {
	d := json.NewDecoder(strings.NewReader(line))
	if begin, err := d.Token(); begin != json.Delim('{') {
		return "", errors.Join(errors.New("no object"), err)
	}
	named := false
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return "", err
		}
		var text json.RawMessage
		if err := d.Decode(&text); err != nil {
			return "", err
		}
		switch name {
		case "method", "progress":
			var s *string
			if err = json.Unmarshal(text, &s); err == nil && s == nil {
				err = errors.New("null for a text")
			} else if name == "method" && err == nil {
				method, named = *s, true
			}
		case "errors":
			err = withoutNull(text)
		}
		if err != nil {
			return "", err
		}
	}
	if _, err := d.Token(); err != nil {
		return "", err
	}
	if _, more := d.Token(); !errors.Is(more, io.EOF) {
		return "", errors.New("more than one value")
	}
	if !named {
		return "", errors.New("no method")
	}
	return method, nil
}

// withoutNull reads a list of texts, and refuses null in it, which encoding/json reads
// as "".
func withoutNull(list json.RawMessage) error {
	var all []*string
	if err := json.Unmarshal(list, &all); err != nil {
		return err
	}
	for _, s := range all {
		if s == nil {
			return errors.New("null in a list of texts")
		}
	}
	return nil
}
