package rpc_test

import (
	"encoding/binary"
	"maps"
	"math"
	"runtime"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/value"
)

// TestAppendAllocs: what is appended to a large enough buffer costs no memory.
func TestAppendAllocs(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	bag := one("a", value.Array(value.Number(1), value.String("x"), one("b", value.Secret(value.String("y")))))
	buffer := make([]byte, 0, 1<<12)
	for _, m := range []rpc.Message{
		&rpc.DiffRequest{ID: "i", URN: "u", IgnoreChanges: []string{"a", "b"}, Name: "n"},
		&rpc.CheckRequest{Autonaming: &rpc.AutonamingOptions{ProposedName: "n"}, RandomSeed: rpc.Hide([]byte("seed"))},
		&rpc.CheckResponse{Failures: []rpc.CheckFailure{{Property: "p", Reason: "r"}, {}}},
		&rpc.DiffRequest{ID: "i", Olds: bag, News: bag, OldInputs: bag},
		&rpc.UpdateRequest{OldViews: []rpc.View{{Inputs: bag, Outputs: bag}}},
		&rpc.PublishViewStepsRequest{Steps: []rpc.ViewStep{{Old: &rpc.View{Inputs: bag}, DetailedDiff: []rpc.PathDiff{{Path: "a"}, {Path: "b"}}}}},
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
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	data, err := rpc.Append(nil, &rpc.DiffRequest{ID: "i-12345", URN: "urn:pulumi:a::b::c::d", Name: "name", Type: "type", Olds: object()}, rpc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var m rpc.DiffRequest
	got := testing.AllocsPerRun(100, func() {
		if err := rpc.Decode(data, &m, rpc.Options{}); err != nil {
			t.Fatal(err)
		}
	})
	const texts = 4
	if got > texts {
		t.Errorf("%v allocations, want %d", got, texts)
	}
}

// mostAllocated is the bound that the package's documentation states: bytes
// allocated for a byte of a message.
const mostAllocated = 100

// TestAllocatedPerByte: no field of any message, sent again and again in its
// shortest forms, makes a reader allocate out of proportion.
func TestAllocatedPerByte(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector changes what is allocated")
	}
	const times = 2_000
	worst, where := 0.0, ""
	all := descriptors(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		d := all[name]
		for i := range d.Fields().Len() {
			f := d.Fields().Get(i)
			for _, form := range shortest(f, times) {
				m := rpc.New(name)
				if m == nil {
					break // part of others
				}
				perByte := map[string]float64{}
				if per, ok := allocatedPerByte(form, func(data []byte) error { return rpc.Decode(data, m, rpc.Options{}) }); ok {
					perByte["bytes"] = per
				} else {
					continue // what is refused costs less
				}
				if text, err := rpc.AppendJSON(nil, m, rpc.Options{}); err == nil {
					perByte["JSON"], _ = allocatedPerByte(text, func(text []byte) error { return rpc.DecodeJSON(text, m, rpc.Options{}) })
				}
				for kind, per := range perByte {
					if per > mostAllocated {
						t.Errorf("%s.%s: %.0f bytes allocated a byte, as %s, of %x…", name, f.Name(), per, kind, form[:8])
					}
					if per > worst {
						worst, where = per, name+"."+string(f.Name())+" as "+kind
					}
				}
			}
		}
	}
	t.Logf("worst: %.1f bytes a byte, %s", worst, where)
}

// allocatedPerByte is what reading a message allocates, and false where it is
// refused: the least of two times, since the collector empties pools.
func allocatedPerByte(message []byte, read func([]byte) error) (float64, bool) {
	least := math.Inf(1)
	for range 2 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := read(message)
		runtime.ReadMemStats(&after)
		if err != nil {
			return 0, false
		}
		const alone = 4096 // a message of a few bytes takes its struct
		least = min(least, float64(after.TotalAlloc-before.TotalAlloc)/float64(len(message)+alone/mostAllocated))
	}
	return least, true
}

// shortest are the bytes of a field many times over: empty, and with each field of
// what it holds. Keys of maps are all different.
func shortest(f protoreflect.FieldDescriptor, times int) [][]byte {
	var contents [][]byte // of one
	switch {
	case f.Kind() == protoreflect.MessageKind:
		contents = append(contents, nil)
		inner := f.Message().Fields()
		for i := range inner.Len() {
			contents = append(contents, once(inner.Get(i), nil))
		}
	default:
		contents = append(contents, nil, []byte{'x'})
	}
	var all [][]byte
	for _, c := range contents {
		var form []byte
		for n := range times {
			if f.IsMap() {
				key := binary.BigEndian.AppendUint16(nil, uint16(n)&0x7f|uint16(n)<<1&0x7f00) // ASCII
				form = append(form, once(f, append(protowire.AppendBytes([]byte{1<<3 | 2}, key), c...))...)
			} else {
				form = append(form, once(f, c)...)
			}
		}
		all = append(all, form)
	}
	return all
}

// once is a field with contents.
func once(f protoreflect.FieldDescriptor, contents []byte) []byte {
	switch f.Kind() {
	case protoreflect.BoolKind, protoreflect.EnumKind, protoreflect.Int32Kind, protoreflect.Int64Kind:
		return append(protowire.AppendTag(nil, f.Number(), protowire.VarintType), 1)
	case protoreflect.DoubleKind:
		return protowire.AppendFixed64(protowire.AppendTag(nil, f.Number(), protowire.Fixed64Type), 1)
	case protoreflect.StringKind, protoreflect.BytesKind, protoreflect.MessageKind:
		return protowire.AppendBytes(protowire.AppendTag(nil, f.Number(), protowire.BytesType), contents)
	}
	panic(f.Kind())
}
