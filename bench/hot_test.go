package bench_test

import (
	"bufio"
	"encoding/json"
	"os"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// corpus is bags of properties: the 7,471 real ones when they are beside the
// repository, else those of the sample states, a hundred times.
type corpus struct {
	name  string
	texts [][]byte
	bytes int64
}

func load(b *testing.B) corpus {
	b.Helper()
	f, err := os.Open("../../shared/data/bags.jsonl")
	if err != nil {
		return samples(b)
	}
	defer f.Close()
	c := corpus{name: "real bags"}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var row struct{ Bag json.RawMessage }
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			b.Fatal(err)
		}
		c.texts = append(c.texts, row.Bag)
		c.bytes += int64(len(row.Bag))
	}
	if err := lines.Err(); err != nil {
		b.Fatal(err)
	}
	return c
}

func samples(b *testing.B) corpus {
	b.Helper()
	c := corpus{name: "sample bags"}
	for _, name := range []string{"../testdata/samples/before.json", "../testdata/samples/after.json"} {
		text, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		file, err := state.Parse(text, state.Options{})
		if err != nil {
			b.Fatal(err)
		}
		for r, err := range file.Resources() {
			if err != nil {
				b.Fatal(err)
			}
			bag, err := codec.EncodeJSON(r.Inputs, codec.Options{Form: codec.FormSealed})
			if err != nil {
				b.Fatal(err)
			}
			for range 100 {
				c.texts = append(c.texts, bag)
				c.bytes += int64(len(bag))
			}
		}
	}
	return c
}

func (c corpus) values(b *testing.B) []value.Value {
	b.Helper()
	vs := make([]value.Value, len(c.texts))
	for i, text := range c.texts {
		v, err := codec.DecodeJSON(text, codec.Options{Numbers: codec.RoundInexact})
		if err != nil {
			b.Fatal(err)
		}
		vs[i] = v
	}
	return vs
}

func (c corpus) plain(b *testing.B) []any {
	b.Helper()
	vs := make([]any, len(c.texts))
	for i, text := range c.texts {
		if err := json.Unmarshal(text, &vs[i]); err != nil {
			b.Fatal(err)
		}
	}
	return vs
}

// BenchmarkDecodeJSON: all bags of the corpus from text, beside encoding/json.
func BenchmarkDecodeJSON(b *testing.B) {
	c := load(b)
	b.Run("propalg", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(c.bytes)
		for b.Loop() {
			_ = c.values(b)
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(c.bytes)
		for b.Loop() {
			_ = c.plain(b)
		}
	})
}

// BenchmarkEqual: equal values in separate memory, all bags of the corpus.
func BenchmarkEqual(b *testing.B) {
	c := load(b)
	x, y := c.values(b), c.values(b)
	p, q := c.plain(b), c.plain(b)
	b.Run("propalg", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for i := range x {
				if !x[i].Equal(y[i]) {
					b.Fatal("not equal")
				}
			}
		}
	})
	b.Run("reflect", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if !reflect.DeepEqual(p, q) {
				b.Fatal("not equal")
			}
		}
	})
	b.Run("go-cmp", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if !cmp.Equal(p, q) {
				b.Fatal("not equal")
			}
		}
	})
}

// BenchmarkDiffEqual: the diff of equal values in separate memory, and of values
// that share it.
func BenchmarkDiffEqual(b *testing.B) {
	c := load(b)
	x, y := c.values(b), c.values(b)
	run := func(name string, y []value.Value) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for i := range x {
					if !diff.Between(x[i], y[i], diff.Options{}).Empty() {
						b.Fatal("not empty")
					}
				}
			}
		})
	}
	run("separate", y)
	run("shared", x)
}

// BenchmarkDiffNeighbours: each bag against the next one, to the response of the
// protocol.
func BenchmarkDiffNeighbours(b *testing.B) {
	x := load(b).values(b)
	b.ReportAllocs()
	for b.Loop() {
		for i := range x[1:] {
			_ = diff.Between(x[i], x[i+1], diff.Options{Relation: value.Engine}).Response(diff.ResponseOptions{})
		}
	}
}

// BenchmarkSmall: the small things.
func BenchmarkSmall(b *testing.B) {
	const urnText = "urn:pulumi:dev::shop::shop:web:Site$aws:s3/bucketObject:BucketObject::index"
	b.Run("urn", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			u, err := urn.Parse(urnText)
			if err != nil || len(u.Stack())+len(u.Project())+len(u.Type())+len(u.Name()) == 0 {
				b.Fatal(err)
			}
		}
	})
	b.Run("path", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := path.Parse(`spec.containers[0].env["a.b"]`); err != nil {
				b.Fatal(err)
			}
		}
	})
	v, err := codec.DecodeJSON([]byte(`{"spec":{"containers":[{"env":{"a.b":1}}]}}`), codec.Options{})
	if err != nil {
		b.Fatal(err)
	}
	p := path.MustParse(`spec.containers[0].env["a.b"]`)
	b.Run("at", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if !v.Has(p) {
				b.Fatal("not there")
			}
		}
	})
}
