package rpc_test

import (
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/value"
)

// TestAppendAllocs: what is appended to a large enough buffer costs no memory.
func TestAppendAllocs(t *testing.T) {
	if raced {
		t.Skip("the race detector allocates")
	}
	bag := one("a", value.Array(value.Number(1), value.String("x"), one("b", value.Secret(value.String("y")))))
	buffer := make([]byte, 0, 1<<12)
	for _, m := range []rpc.Message{
		&rpc.DiffRequest{ID: "i", URN: "u", IgnoreChanges: []string{"a", "b"}, Name: "n"},
		&rpc.CheckRequest{Autonaming: &rpc.AutonamingOptions{ProposedName: "n"}, RandomSeed: []byte("seed")},
		&rpc.CheckResponse{Failures: []rpc.CheckFailure{{Property: "p", Reason: "r"}, {}}},
		&rpc.DiffRequest{ID: "i", Olds: bag, News: bag, OldInputs: bag},
		&rpc.UpdateRequest{OldViews: []rpc.View{{Inputs: bag, Outputs: bag}}},
	} {
		got := testing.AllocsPerRun(100, func() {
			if _, err := rpc.Append(buffer, m, rpc.Options{}); err != nil {
				t.Fatal(err)
			}
		})
		if got != 0 {
			t.Errorf("%T: %v allocations", m, got)
		}
	}
}

// TestUnmarshalAllocs: the message's own fields cost what they hold.
func TestUnmarshalAllocs(t *testing.T) {
	if raced {
		t.Skip("the race detector allocates")
	}
	data, err := rpc.Marshal(&rpc.DiffRequest{ID: "i-12345", URN: "urn:pulumi:a::b::c::d", Name: "name", Type: "type", Olds: object()}, rpc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var m rpc.DiffRequest
	got := testing.AllocsPerRun(100, func() {
		if err := rpc.Unmarshal(data, &m, rpc.Options{}); err != nil {
			t.Fatal(err)
		}
	})
	const texts, properties = 4, 1
	if got > texts+properties {
		t.Errorf("%v allocations, want %d", got, texts+properties)
	}
}

func BenchmarkDiffRequest(b *testing.B) {
	bag := one("a", value.Array(value.Number(1), value.String("x"), one("b", value.Secret(value.String("y")))))
	m := &rpc.DiffRequest{ID: "i", URN: "urn:pulumi:a::b::c::d", Olds: bag, News: bag, OldInputs: bag, Name: "n", Type: "t"}
	data, err := rpc.Marshal(m, rpc.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("append", func(b *testing.B) {
		b.ReportAllocs()
		buffer := make([]byte, 0, 1<<12)
		for b.Loop() {
			if _, err := rpc.Append(buffer, m, rpc.Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		var m rpc.DiffRequest
		for b.Loop() {
			if err := rpc.Unmarshal(data, &m, rpc.Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
