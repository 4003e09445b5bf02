package rpc_test

import (
	"bytes"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/rpc"
)

// TestJSONAgrees: what protojson writes, we read, and the other way round.
func TestJSONAgrees(t *testing.T) {
	p := descriptors(t)
	for _, name := range p.names() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				theirs := random(t, p, name, true)
				options := protojson.MarshalOptions{
					UseProtoNames:     rapid.Bool().Draw(t, "spelling"),
					UseEnumNumbers:    rapid.Bool().Draw(t, "enums"),
					EmitDefaultValues: rapid.Bool().Draw(t, "defaults"),
				}
				text, err := options.Marshal(theirs)
				if err != nil {
					t.Skip("not for JSON: ", err)
				}
				ours := rpc.New(name)
				if err := rpc.DecodeJSON(text, ours, rpc.Options{}); err != nil {
					t.Fatalf("%v\n%s", err, text)
				}
				data, err := rpc.Append(nil, ours, rpc.Options{})
				if want := marshal(t, theirs); err != nil || !bytes.Equal(data, want) {
					t.Fatalf("%v\ngot  %q\nwant %q\n%s", err, data, want, text)
				}
				text, err = rpc.AppendJSON(nil, ours, rpc.Options{})
				if err != nil {
					t.Fatal(err)
				}
				back := p.new(name)
				if err := protojson.Unmarshal(text, back); err != nil {
					t.Fatalf("%v\n%s", err, text)
				}
				if !bytes.Equal(marshal(t, back), data) {
					t.Fatalf("we wrote %s", text)
				}
			})
		})
	}
}
