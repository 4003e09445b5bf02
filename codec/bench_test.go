package codec_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"testing"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// median returns a real bag of the median size.
func median(t testing.TB) []byte {
	t.Helper()
	rows := bags(t)
	slices.SortStableFunc(rows, func(a, b row) int { return len(a.Bag) - len(b.Bag) })
	return rows[len(rows)/2].Bag
}

// like is a bag as real ones are, for where there are none: 12 members, an
// array, an object, a secret, an unknown.
const like = `{"bucket":"my-bucket-1a2b3c","acl":"private","forceDestroy":false,"tags":{"Name":"web","env":"dev"},
	"ports":[80,443],"size":3,"password":{` + asSecret + `,"value":"hunter2"},"arn":"` + anyString + `","__defaults":["acl"],
	"region":"eu-west-1","enabled":true,"retention":null}`

func BenchmarkDecodeJSON(b *testing.B) {
	b.Run("like", func(b *testing.B) {
		data := []byte(like)
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := codec.DecodeJSON(data, codec.Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("like/encoding/json", func(b *testing.B) {
		data := []byte(like)
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			var into map[string]any
			if err := json.Unmarshal(data, &into); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("all real bags", func(b *testing.B) {
		rows := bags(b)
		size := 0
		for _, r := range rows {
			size += len(r.Bag)
		}
		b.SetBytes(int64(size))
		b.ReportAllocs()
		for b.Loop() {
			for _, r := range rows {
				if _, err := codec.DecodeJSON(r.Bag, codec.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("all real bags/encoding/json", func(b *testing.B) {
		rows := bags(b)
		size := 0
		for _, r := range rows {
			size += len(r.Bag)
		}
		b.SetBytes(int64(size))
		b.ReportAllocs()
		for b.Loop() {
			for _, r := range rows {
				var into map[string]any
				if err := json.Unmarshal(r.Bag, &into); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}

func BenchmarkEncodeJSON(b *testing.B) {
	run := func(b *testing.B, vs []value.Value, o codec.Options) {
		b.Helper()
		var out []byte
		size := 0
		b.ReportAllocs()
		for b.Loop() {
			size = 0
			for _, v := range vs {
				var err error
				if out, err = codec.AppendJSON(out[:0], v, o); err != nil {
					b.Fatal(err)
				}
				size += len(out)
			}
		}
		b.SetBytes(int64(size))
	}
	v := decode(b, like, codec.Options{})
	b.Run("like", func(b *testing.B) { run(b, []value.Value{v}, codec.Options{}) })
	b.Run("like/lowered", func(b *testing.B) { run(b, []value.Value{v}, codec.Features(0).Options()) })
	b.Run("all real bags", func(b *testing.B) {
		var vs []value.Value
		for _, r := range bags(b) {
			vs = append(vs, decode(b, string(r.Bag), codec.Options{}))
		}
		run(b, vs, codec.Options{Form: codec.FormSealed})
	})
}

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
