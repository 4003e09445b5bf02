package bench_test

import (
	"encoding/json"
	"os"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/propalg/propalg/bench"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

func texts(b *testing.B) [][]byte { b.Helper(); return bench.RealTexts(b, os.Open, "") }

func values(b *testing.B, texts [][]byte) []value.Value {
	b.Helper()
	all := make([]value.Value, len(texts))
	for i, text := range texts {
		all[i] = bench.Read(b, text)
	}
	return all
}

func plain(b *testing.B, texts [][]byte) []any {
	b.Helper()
	all := make([]any, len(texts))
	for i, text := range texts {
		if err := json.Unmarshal(text, &all[i]); err != nil {
			b.Fatal(err)
		}
	}
	return all
}

// side goes through all inputs by their number.
func side(name string, n int, do func(i int) bool) bench.Side {
	return bench.Each(name, bench.Numbers(n), func(i int) error { return bench.Must(do(i)) })
}

// BenchmarkDecodeJSON: all bags from text, compared with encoding/json.
func BenchmarkDecodeJSON(b *testing.B) {
	all := texts(b)
	bench.Compare(b,
		side(bench.Ours, len(all), func(i int) bool {
			_, err := codec.DecodeJSON(all[i], codec.Options{RoundNumbers: true})
			return err == nil
		}),
		side("encoding-json", len(all), func(i int) bool {
			var x any
			return json.Unmarshal(all[i], &x) == nil
		}))
}

// BenchmarkEqual: equal values in separate memory.
func BenchmarkEqual(b *testing.B) {
	all := texts(b)
	x, y, p, q := values(b, all), values(b, all), plain(b, all), plain(b, all)
	bench.Compare(b,
		side(bench.Ours, len(all), func(i int) bool { return x[i].Equal(y[i]) }),
		side("reflect", len(all), func(i int) bool { return reflect.DeepEqual(p[i], q[i]) }),
		side("go-cmp", len(all), func(i int) bool { return cmp.Equal(p[i], q[i]) }))
}

// BenchmarkDiff: equal values in separate memory and shared, and each bag against
// the next one, to the response of the protocol.
func BenchmarkDiff(b *testing.B) {
	all := texts(b)
	x, y := values(b, all), values(b, all)
	bench.Compare(b,
		side("separate", len(all), func(i int) bool { return diff.Between(x[i], y[i], diff.Options{}).Empty() }),
		side("shared", len(all), func(i int) bool { return diff.Between(x[i], x[i], diff.Options{}).Empty() }),
		side("neighbours", len(all)-1, func(i int) bool {
			d := diff.Between(x[i], x[i+1], diff.Options{Relation: value.Engine})
			return provider.Respond(d, provider.Options{}).HasDetailed
		}))
}

// BenchmarkKept: what a huge bag keeps in memory.
func BenchmarkKept(b *testing.B) {
	data, err := bench.Wire(bench.Bag(bench.Huge))
	if err != nil {
		b.Fatal(err)
	}
	bench.Kept(b, bench.Ours, func() (value.Value, error) { return codec.DecodeStruct(data, codec.Options{}) })
}
