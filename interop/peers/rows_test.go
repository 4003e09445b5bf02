package peers_test

import (
	"encoding/json"
	"os"
	"reflect"
	"runtime"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	vtstructpb "github.com/planetscale/vtprotobuf/types/known/structpb"
	r3labs "github.com/r3labs/diff/v3"
	"github.com/wI2L/jsondiff"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/bench"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/value"
)

// BenchmarkRow measures rows of docs/bench.md against general libraries, each
// on the form that it works on. make bench runs rounds of it.
func BenchmarkRow(b *testing.B) {
	bench.Ballast(b)
	for _, row := range []struct {
		name string
		run  func(b *testing.B)
	}{
		{"decode-bags", func(b *testing.B) { decodeRow(b, realWire(b), codec.Options{}, decoders()) }},
		{"decode-own", func(b *testing.B) { decodeRow(b, realWire(b), codec.Options{OwnBytes: true}, owners()) }},
		{"decode-one", func(b *testing.B) { decodeRow(b, [][]byte{marshalled(b, realOne(b))}, codec.Options{}, decoders()) }},
		{"decode-huge", func(b *testing.B) {
			decodeRow(b, [][]byte{marshalled(b, bench.Bag(bench.Huge))}, codec.Options{}, decoders())
		}},
		{"encode-bags", encodeRow},
		{"equal-bags", equalRow},
		{"diff-equal", diffRow},
		{"aligned-front", func(b *testing.B) { alignedRow(b, append([]int{-1}, bench.Numbers(alignedElems)...)) }},
		{"aligned-edits", func(b *testing.B) { alignedRow(b, bench.Edits(bench.Numbers(alignedElems), 100)) }},
		{"json-bags", jsonRow},
		{"commands", commandsRow},
	} {
		b.Run(row.name, row.run)
	}
}

// alignedElems is the length of the arrays that are aligned.
const alignedElems = 4000

// bag is one real bag in every form.
type bag struct {
	ours  value.Value
	plain any
	cty   cty.Value
	text  []byte
}

func realWire(b *testing.B) [][]byte {
	b.Helper()
	var all [][]byte
	for _, text := range bench.RealTexts(b, os.Open, "grpc") {
		all = append(all, marshalled(b, bench.Read(b, text)))
	}
	return all
}

// realOne is the real bags as one value.
func realOne(b *testing.B) value.Value {
	b.Helper()
	var bags []value.Value
	for _, text := range bench.RealTexts(b, os.Open, "grpc") {
		bags = append(bags, bench.Read(b, text))
	}
	return value.Object(value.Member{Key: "resources", Value: value.Array(bags...)})
}

func marshalled(b *testing.B, v value.Value) []byte {
	b.Helper()
	message, err := codec.ToMessage(v, codec.Options{})
	if err != nil {
		b.Fatal(err)
	}
	data, err := proto.Marshal(message)
	if err != nil {
		b.Fatal(err)
	}
	return data
}

// realForms are the real bags in every form. Each form is made of all bags before the
// next is begun, so that it lies in memory as in a program that has no other.
func realForms(b *testing.B) []bag {
	b.Helper()
	texts := bench.RealTexts(b, os.Open, "grpc")
	all := make([]bag, len(texts))
	for i, text := range texts {
		all[i].text, all[i].ours = text, bench.Read(b, text)
	}
	for i, text := range texts {
		if err := json.Unmarshal(text, &all[i].plain); err != nil {
			b.Fatal(err)
		}
	}
	for i, text := range texts {
		typ, err := ctyjson.ImpliedType(text)
		if err != nil {
			b.Fatal(err)
		}
		if all[i].cty, err = ctyjson.Unmarshal(text, typ); err != nil {
			b.Fatal(err)
		}
	}
	return all
}

// decodeRow: the peers stop at a Struct, and the floor copies the bytes and checks
// that they are UTF-8. Every turn reads the same bytes. They may be given away all the
// same, since no side writes into them.
func decodeRow(b *testing.B, all [][]byte, o codec.Options, peers []decoder) {
	b.Helper()
	sameDecoded(b, all, peers)
	sides := []bench.Side{bench.Each(bench.Ours, all, func(data []byte) error {
		_, err := codec.Decode(data, o)
		return err
	})}
	for _, peer := range peers {
		sides = append(sides, bench.Each(peer.name, all, func(data []byte) error {
			_, err := peer.read(data)
			return err
		}))
	}
	var copied string // outlives the turn, or nothing would be copied
	sides = append(sides, bench.Each("floor", all, func(data []byte) error {
		copied = string(data)
		utf8.ValidString(copied) // numbers are not
		return nil
	}))
	bench.Compare(b, sides...)
	runtime.KeepAlive(copied)
}

func encodeRow(b *testing.B) {
	type sides struct {
		ours  value.Value
		plain *structpb.Struct
		vt    *vtstructpb.Struct
	}
	wire := realWire(b)
	all := make([]sides, len(wire)) // in memory as realForms
	for i, data := range wire {
		var err error
		if all[i].ours, err = codec.Decode(data, codec.Options{}); err != nil {
			b.Fatal(err)
		}
	}
	for i, data := range wire {
		all[i].plain = new(structpb.Struct)
		if err := proto.Unmarshal(data, all[i].plain); err != nil {
			b.Fatal(err)
		}
	}
	for i, data := range wire {
		all[i].vt = new(vtstructpb.Struct)
		if err := all[i].vt.UnmarshalVT(data); err != nil {
			b.Fatal(err)
		}
	}
	buf := make([]byte, 0, 1<<20)
	for _, s := range all {
		ours, _ := codec.Append(nil, s.ours, codec.Options{})
		plain, _ := proto.Marshal(s.plain)
		vt, _ := s.vt.MarshalVT()
		for _, data := range [][]byte{ours, plain, vt} {
			sameEncoded(b, s.ours, data)
		}
	}
	bench.Compare(b,
		bench.Each(bench.Ours, all, func(s sides) error {
			_, err := codec.Append(buf, s.ours, codec.Options{})
			return err
		}),
		bench.Each("structpb", all, func(s sides) error {
			_, err := proto.MarshalOptions{}.MarshalAppend(buf, s.plain)
			return err
		}),
		bench.Each("vtprotobuf", all, func(s sides) error {
			size := s.vt.SizeVT()
			_, err := s.vt.MarshalToSizedBufferVT(buf[:size])
			return err
		}))
}

// pair is two bags that share no memory.
type pair struct{ old, now bag }

func twins(b *testing.B) []pair {
	b.Helper()
	olds, news := realForms(b), realForms(b)
	all := make([]pair, len(olds))
	for i := range olds {
		all[i] = pair{olds[i], news[i]}
	}
	return all
}

func equalRow(b *testing.B) {
	all := twins(b)
	bench.Compare(b,
		bench.Each(bench.Ours, all, func(p pair) error { return bench.Must(p.old.ours.Equal(p.now.ours)) }),
		bench.Each("reflect", all, func(p pair) error { return bench.Must(reflect.DeepEqual(p.old.plain, p.now.plain)) }),
		bench.Each("go-cmp", all, func(p pair) error { return bench.Must(cmp.Equal(p.old.plain, p.now.plain)) }),
		bench.Each("go-cty", all, func(p pair) error { return bench.Must(p.old.cty.RawEquals(p.now.cty)) }))
}

func diffRow(b *testing.B) {
	all := twins(b)
	bench.Compare(b,
		bench.Each(bench.Ours, all, func(p pair) error {
			return bench.Must(diff.Between(p.old.ours, p.now.ours, diff.Options{}).Empty())
		}),
		bench.Each("jsondiff", all, func(p pair) error { // as its documentation begins
			found, err := jsondiff.Compare(p.old.plain, p.now.plain)
			if err != nil {
				return err
			}
			return bench.Must(len(found) == 0)
		}),
		bench.Each("jsondiff-trees", all, func(p pair) error { // for those who have what json.Unmarshal made
			found, err := jsondiff.CompareWithoutMarshal(p.old.plain, p.now.plain)
			if err != nil {
				return err
			}
			return bench.Must(len(found) == 0)
		}),
		bench.Each("r3labs", all, func(p pair) error {
			found, err := r3labs.Diff(p.old.plain, p.now.plain)
			if err != nil {
				return err
			}
			return bench.Must(len(found) == 0)
		}))
}

// alignedRow: both have their values in memory already.
func alignedRow(b *testing.B, now []int) {
	left, right := bench.Rules(bench.Numbers(alignedElems)), bench.Rules(now)
	old, fresh := plain(b, left), plain(b, right)
	bench.Compare(b,
		bench.Side{Name: bench.Ours, Do: func() error {
			return bench.Must(diff.Between(left, right, diff.Options{Arrays: diff.Aligned()}).Len() > 0)
		}},
		bench.Side{Name: "jsondiff", Do: func() error {
			found, err := jsondiff.CompareWithoutMarshal(old, fresh, jsondiff.LCS())
			if err != nil {
				return err
			}
			return bench.Must(len(found) > 0)
		}})
}

func plain(b *testing.B, v value.Value) any {
	b.Helper()
	text, err := codec.AppendJSONValue(nil, v, codec.Options{})
	if err != nil {
		b.Fatal(err)
	}
	var x any
	if err := json.Unmarshal(text, &x); err != nil {
		b.Fatal(err)
	}
	return x
}

// jsonRow: JSON of the real bags, those of states too, into whatever each library
// has for any JSON.
func jsonRow(b *testing.B) {
	all := bench.RealTexts(b, os.Open, "")
	sameJSON(b, all)
	sides := []bench.Side{bench.Each(bench.Ours, all, func(text []byte) error {
		_, err := codec.DecodeJSONValue(text, codec.Options{RoundNumbers: true})
		return err
	})}
	for _, peer := range jsonReaders() {
		sides = append(sides, bench.Each(peer.name, all, func(text []byte) error {
			_, err := peer.read(text)
			return err
		}))
	}
	bench.Compare(b, sides...)
}
