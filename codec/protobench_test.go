package codec_test

import (
	"strconv"
	"testing"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// All real bags, one after the other: compare the rows of one run.
func BenchmarkProtoRealBags(b *testing.B) {
	bags := wireBags(b)
	size := int64(0)
	values := make([]value.Value, len(bags))
	messages := make([]*structpb.Struct, len(bags))
	for i, data := range bags {
		size += int64(len(data))
		values[i], _ = codec.DecodeStruct(data, codec.Options{})
		messages[i], _ = codec.ToStruct(values[i], codec.Options{})
	}
	buf := make([]byte, 0, 1<<20)
	for _, row := range []struct {
		name string
		f    func(i int)
	}{
		{"floor", func(i int) {
			if s := string(bags[i]); utf8.ValidString(s) {
				sink++
			}
		}},
		{"decode", func(i int) { _, _ = codec.DecodeStruct(bags[i], codec.Options{}) }},
		{"decode by structpb", func(i int) { _ = proto.Unmarshal(bags[i], new(structpb.Struct)) }},
		{"from structpb", func(i int) { _, _ = codec.FromStruct(messages[i], codec.Options{}) }},
		{"append", func(i int) { _, _ = codec.AppendStruct(buf, values[i], codec.Options{}) }},
		{"append by structpb", func(i int) { _, _ = proto.MarshalOptions{}.MarshalAppend(buf, messages[i]) }},
		{"to structpb", func(i int) { _, _ = codec.ToStruct(values[i], codec.Options{}) }},
	} {
		b.Run(row.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(size)
			for b.Loop() {
				for i := range bags {
					row.f(i)
				}
			}
		})
	}
}

// bag is an object of about so many nodes, as providers have them.
func bag(nodes int) value.Value {
	var members []value.Member
	for i := 0; nodes > 0; i++ {
		v := str("some text of a usual length")
		switch i % 5 {
		case 1:
			v = num(float64(i))
		case 2:
			v = value.Bool(true)
		case 3:
			v = value.Array(str("one"), str("two"), str("three"))
			nodes -= 3
		case 4:
			if nodes > 8 && len(members) > 0 {
				inner := min(nodes-1, 6+nodes/40)
				v = bag(inner)
				nodes -= inner
			}
		}
		nodes--
		members = append(members, member("property"+strconv.Itoa(i), v))
	}
	return object(members...)
}

func BenchmarkProtoSizes(b *testing.B) {
	for _, nodes := range []int{21, 406, 66_247} {
		m, err := codec.ToStruct(bag(nodes), codec.Options{})
		if err != nil {
			b.Fatal(err)
		}
		data, err := proto.Marshal(m) // in its random order
		if err != nil {
			b.Fatal(err)
		}
		for _, row := range []struct {
			name string
			f    func()
		}{
			{"floor", func() {
				if s := string(data); utf8.ValidString(s) {
					sink++
				}
			}},
			{"decode", func() { _, _ = codec.DecodeStruct(data, codec.Options{}) }},
			{"decode by structpb", func() { _ = proto.Unmarshal(data, new(structpb.Struct)) }},
		} {
			b.Run(row.name+"/"+strconv.Itoa(nodes), func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(int64(len(data)))
				for b.Loop() {
					row.f()
				}
			})
		}
	}
}

var sink int
