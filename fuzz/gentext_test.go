package fuzz_test

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/race"
)

// TestTexts: what is generated whole can be read; what is damaged often cannot,
// and now and then it can.
func TestTexts(t *testing.T) {
	for _, row := range []struct {
		name      string
		generator func(fuzz.Options) *rapid.Generator[[]byte]
		read      func(data []byte) error
	}{
		{"BagBytes", fuzz.BagBytes, func(data []byte) error { _, err := codec.Decode(data, codec.Options{}); return err }},
		{"BagTexts", fuzz.BagTexts, func(data []byte) error { _, err := codec.DecodeJSON(data, codec.Options{}); return err }},
		{"StateTexts", fuzz.StateTexts, readState},
	} {
		for _, style := range []fuzz.Style{fuzz.Mixed, fuzz.Plain, fuzz.Hostile, fuzz.RealLike} {
			o := fuzz.Options{Style: style}
			empty, broken, whole := 0, 0, 0

			rapid.Check(t, func(t *rapid.T) {
				data := row.generator(o).Draw(t, "data")
				if err := row.read(data); err != nil {
					t.Fatalf("%s: %q: %v", row.name, data, err)
				}

				if len(data) < 3 {
					empty++
				}

				if row.read(fuzz.Damaged(row.generator(o)).Draw(t, "damaged")) != nil {
					broken++
				} else {
					whole++
				}
			})

			if total := broken + whole; empty*5 > total*4 || broken*20 < total || whole*20 < total {
				t.Fatalf("%s, style %d: %d are empty; damaged: %d broken, %d whole", row.name, style, empty, broken, whole)
			}
		}
	}
}

// readState reads a state file to its end.
func readState(data []byte) error {
	file, err := state.Parse(data, state.Options{})
	if err != nil {
		return err
	}

	for _, err := range file.Resources() {
		if err != nil {
			return err
		}
	}

	return nil
}

// TestMessages: every type comes with something in it, and can be written and
// read again.
func TestMessages(t *testing.T) {
	if race.Enabled {
		t.Skip("says nothing of races")
	}

	filled := map[string]int{}
	generator := fuzz.Messages(fuzz.Options{})

	for seed := range 3000 {
		m := generator.Example(seed)

		data, err := rpc.Append(nil, m, rpc.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}

		filled[rpc.Name(m)] += len(data)

		back := rpc.New(rpc.Name(m))
		if err := rpc.Decode(data, back, rpc.Options{}); err != nil {
			t.Fatalf("seed %d: %x: %v", seed, data, err)
		}

		if again, err := rpc.Append(nil, back, rpc.Options{}); err != nil || !bytes.Equal(again, data) {
			t.Fatalf("seed %d: %x, then %x, %v", seed, data, again, err)
		}
	}

	for _, m := range rpc.All() {
		if filled[rpc.Name(m)] == 0 && rpc.Name(m) != "google.protobuf.Empty" && rpc.Name(m) != "pulumirpc.ListResponse.Computed" {
			t.Errorf("no %s has anything in it", rpc.Name(m))
		}
	}
}
