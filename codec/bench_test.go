package codec_test

import (
	"encoding/json"
	"slices"
	"testing"

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
