package rpc_test

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/value"
)

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
		if wantErr := rpc.Unmarshal(detail, want, rpc.Options{}); (err == nil) != (wantErr == nil) || identical(m, want) != "" {
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
		if found, err := rpc.FindDetail(again, back, rpc.Options{}); err != nil || !found || rpc.Name(m) != rpc.Name(&rpc.Empty{}) && identical(m, back) != "" {
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

// FuzzViolations: whatever both sides of a call sent, the contract has something
// printable to say of it, no unknown, secret or reference where there is none, and no
// secret in what it says.
func FuzzViolations(f *testing.F) {
	all := samples()
	for i, m := range all {
		data, _ := rpc.Marshal(m, rpc.Options{})
		next, _ := rpc.Marshal(all[(i+1)%len(all)], rpc.Options{})
		f.Add(which(m), data, which(all[(i+1)%len(all)]), next)
		f.Add(which(m), data, which(m), data)
	}
	f.Fuzz(func(t *testing.T, first uint8, data []byte, second uint8, more []byte) {
		request, response := chosen(first), chosen(second)
		if rpc.Unmarshal(data, request, rpc.Options{}) != nil || rpc.Unmarshal(more, response, rpc.Options{}) != nil {
			t.Skip("no messages")
		}
		for _, v := range rpc.Violations(request, response) {
			line := v.String()
			if v.Message == "" || v.Field == "" || v.What == "" || v.Why == "" || v.Severity.String() == "invalid severity" || strings.ContainsAny(line, "\n\x1b") {
				t.Fatalf("%x, %x: %#v: %q", data, more, v, line)
			}
		}
		for _, v := range rpc.Violations(plain(t, request), plain(t, response)) {
			switch v.What {
			case "unknown", "secret", "resource reference", "secret lost", "secret shown":
				t.Fatalf("%x, %x: %v, of plain values", data, more, v)
			}
		}
	})
}

// plain is a message with all its properties gone.
func plain(t *testing.T, m rpc.Message) rpc.Message {
	t.Helper()
	switch m := m.(type) {
	case *rpc.CheckRequest:
		return &rpc.CheckRequest{URN: m.URN, Olds: stripped(m.Olds), News: stripped(m.News)}
	case *rpc.UpdateRequest:
		return &rpc.UpdateRequest{ID: m.ID, Olds: stripped(m.Olds), News: stripped(m.News), OldInputs: stripped(m.OldInputs)}
	case *rpc.InvokeRequest:
		return &rpc.InvokeRequest{Args: stripped(m.Args)}
	case *rpc.CheckResponse:
		return &rpc.CheckResponse{Inputs: stripped(m.Inputs)}
	case *rpc.UpdateResponse:
		return &rpc.UpdateResponse{Properties: stripped(m.Properties)}
	case *rpc.InvokeResponse:
		return &rpc.InvokeResponse{Return: stripped(m.Return)}
	default:
		return rpc.New(rpc.Name(m))
	}
}

// stripped is a value without unknowns, secrets and references.
func stripped(v value.Value) value.Value {
	if v.ContainsUnknown() || v.ContainsSecret() {
		return value.Object()
	}
	for c := range v.Walk() {
		if c.Value().Kind() == value.KindResourceReference {
			return value.Object()
		}
	}
	return v
}
