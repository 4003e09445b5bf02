package rpc_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
)

func marshal(t interface{ Fatal(...any) }, m proto.Message) []byte {
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestBytesAgree: what protobuf writes, we read; what we write of it is the same
// bytes.
func TestBytesAgree(t *testing.T) {
	p := descriptors(t)
	for _, name := range p.names() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				theirs := random(t, p, name, false)
				data := marshal(t, theirs)
				ours := rpc.New(name)
				if err := rpc.Decode(data, ours, rpc.Options{}); err != nil {
					t.Fatalf("%v\n%v", err, theirs)
				}
				got, err := rpc.Append([]byte("before"), ours, rpc.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(got[len("before"):], data) {
					t.Fatalf("got  %q\nwant %q", got[len("before"):], data)
				}
				again := rpc.New(name)
				if err := rpc.Decode(got[len("before"):], again, rpc.Options{}); err != nil || identical(ours, again) != "" {
					t.Fatalf("%v %s", err, identical(ours, again))
				}
			})
		})
	}
}

// TestMutatedBytes: what protobuf refuses we refuse, and what it takes we take
// with the same meaning, but for what package codec finds wrong in properties.
func TestMutatedBytes(t *testing.T) {
	p := descriptors(t)
	names := p.names()
	taken, refused, strict := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		for range 40 {
			name := rapid.SampledFrom(names).Draw(t, "name")
			data := mutate(t, marshal(t, random(t, p, name, false)), marshal(t, random(t, p, name, false)))
			theirs, ours := dynamicpb.NewMessage(p[name]), rpc.New(name)
			gaveUp, theirErr := unmarshal(data, theirs)
			if gaveUp {
				continue
			}
			ourErr := rpc.Decode(data, ours, rpc.Options{})
			switch {
			case theirErr != nil && ourErr == nil:
				t.Fatalf("%s: protobuf refuses %q: %v", name, data, theirErr)
			case theirErr != nil:
				refused++
				continue
			case errors.Is(ourErr, codec.ErrSignature), errors.Is(ourErr, codec.ErrKind):
				strict++
				continue
			case ourErr != nil:
				t.Fatalf("%s: protobuf takes %q: %v", name, data, ourErr)
			}
			taken++
			got, err := rpc.Append(nil, ours, rpc.Options{})
			if err != nil {
				t.Fatal(err)
			}
			// Ours again read by them has to be theirs: what is unknown inside properties
			// has no place in a Value, and signatures have one form each, so a second
			// reading by us is what is compared.
			again := rpc.New(name)
			if err := rpc.Decode(marshal(t, theirs), again, rpc.Options{}); err != nil || identical(ours, again) != "" {
				t.Fatalf("%s: %q: %v %s", name, data, err, identical(ours, again))
			}
			back := rpc.New(name)
			if err := rpc.Decode(got, back, rpc.Options{}); err != nil || identical(ours, back) != "" {
				t.Fatalf("%s: %q: %v %s", name, data, err, identical(ours, back))
			}
		}
	})
	t.Logf("%d taken, %d refused, %d refused for their properties", taken, refused, strict)
	if taken == 0 || refused == 0 {
		t.Error("mutations do not reach both sides")
	}
}

// unmarshal is proto.Unmarshal, which panics in a dynamic message for a map's
// entry that has a second key of another type on the wire.
func unmarshal(data []byte, m proto.Message) (gaveUp bool, err error) {
	defer func() { gaveUp = recover() != nil }()
	return false, proto.Unmarshal(data, m)
}

// mutate changes bytes a little, and doubles, joins and cuts them.
func mutate(t *rapid.T, data, other []byte) []byte {
	data = slices.Clone(data)
	for range rapid.IntRange(0, 3).Draw(t, "mutations") {
		at := rapid.IntRange(0, len(data)).Draw(t, "at")
		switch rapid.IntRange(0, 6).Draw(t, "how") {
		case 0:
			data = append(data, other...)
		case 1:
			data = append(slices.Clone(other), data...)
		case 2:
			data = data[:at]
		case 3:
			data = slices.Insert(data, at, rapid.SampledFrom([][]byte{
				{0x80}, {0}, {0xff}, {0x0b}, {0x0c}, {0x7b, 0x7c}, {0x0a, 0}, {0x12, 0}, {0x1a, 0}, {0xfa, 0x7f, 1, 'x'}, {0xf8, 0x7f, 5}, {8, 1},
			}).Draw(t, "bytes")...)
		case 4, 5:
			if at < len(data) {
				data[at] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
			}
		default:
			data = slices.Delete(data, at, min(len(data), at+1))
		}
	}
	return data
}
