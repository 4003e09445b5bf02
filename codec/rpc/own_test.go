package rpc_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/value"
)

var owned = rpc.Options{Properties: codec.Options{OwnBytes: true}}

// TestOwnBytes reads whole and damaged messages with and without OwnBytes. The results are
// the same; without it they, and with it errors, do not change when the bytes do.
func TestOwnBytes(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 1))
	for _, m := range samples() {
		data, err := rpc.Append(nil, m, rpc.Options{})
		if err != nil {
			t.Fatal(err)
		}
		text, err := rpc.AppendJSON(nil, m, rpc.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for round := range 200 {
			damaged, form, read := bytes.Clone(data), "bytes", rpc.Decode
			switch round % 4 {
			case 1: // fields that are repeated, or unknown
				damaged = append(append(damaged, data...), "\xfa\x7f\x01x"...)
			case 2, 3:
				damaged, form, read = bytes.Clone(text), "JSON", rpc.DecodeJSON
			}
			if round > 3 && len(damaged) > 0 {
				damaged[random.IntN(len(damaged))] = byte(random.Uint32())
			}
			checkOwned(t, fmt.Sprintf("%s of %s: %q", form, rpc.Name(m), damaged), damaged, rpc.New(rpc.Name(m)), rpc.New(rpc.Name(m)), read)
		}
	}
}

func checkOwned(t *testing.T, what string, data []byte, plain, own rpc.Message, read func([]byte, rpc.Message, rpc.Options) error) {
	t.Helper()
	plainBytes, ownBytes := bytes.Clone(data), bytes.Clone(data)
	plainErr, ownErr := read(plainBytes, plain, rpc.Options{}), read(ownBytes, own, owned)
	if difference := identical(plain, own); difference != "" || fmt.Sprint(plainErr) != fmt.Sprint(ownErr) {
		t.Fatalf("%s: %v, with OwnBytes %v; %s", what, plainErr, ownErr, difference)
	}
	want := fmt.Sprint(plainErr)
	for i := range data {
		plainBytes[i], ownBytes[i] = 'x', 'x'
	}
	again := rpc.New(rpc.Name(plain))
	_ = read(bytes.Clone(data), again, rpc.Options{})
	if difference := identical(plain, again); difference != "" {
		t.Fatalf("%s: another message after the bytes were overwritten: %s", what, difference)
	}
	if fmt.Sprint(plainErr) != want || fmt.Sprint(ownErr) != want {
		t.Fatalf("%s: another error after the bytes were overwritten: %v, %v, was %s", what, plainErr, ownErr, want)
	}
}

// TestOwnBytesCopiesNothing checks that texts and properties are parts of the message, and
// that bytes, which a caller may change, are not.
func TestOwnBytesCopiesNothing(t *testing.T) {
	bag := object()
	bag, _ = bag.WithField("vvvv", value.String("vvvv"))
	m := &rpc.CheckRequest{URN: "vvvv", News: bag, RandomSeed: rpc.Hide([]byte("vvvv")), Autonaming: &rpc.AutonamingOptions{ProposedName: "vvvvv"}}
	data, err := rpc.Append(nil, m, rpc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	before := bytes.Clone(data)
	var own rpc.CheckRequest
	if err := rpc.Decode(data, &own, owned); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data, before) {
		t.Skip("the bytes are overwritten, by a build tag")
	}
	copy(data, bytes.ReplaceAll(data, []byte("vvvv"), []byte("wwww")))
	bag, _ = object().WithField("wwww", value.String("wwww"))
	if want := (&rpc.CheckRequest{URN: "wwww", News: bag, RandomSeed: rpc.Hide([]byte("vvvv")), Autonaming: &rpc.AutonamingOptions{ProposedName: "wwwwv"}}); identical(want, &own) != "" {
		t.Error(identical(want, &own))
	}
}
