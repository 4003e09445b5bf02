package schema_test

import (
	"encoding/json"
	"runtime"
	"testing"
	"time"

	pulumi "github.com/pulumi/pulumi/pkg/v3/codegen/schema"

	"github.com/propalg/propalg/schema"
)

// aws returns the largest schema at hand.
func aws(t testing.TB) []byte {
	t.Helper()

	largest := document{}

	for _, d := range documents(t) {
		if len(d.data) > len(largest.data) {
			largest = d
		}
	}

	t.Logf("%s, %d bytes", largest.name, len(largest.data))

	return largest.data
}

// cost is what a reading takes.
type cost struct {
	nanoseconds, allocations, bytes, retained float64
}

// of measures f once. What f returns is kept until the end.
func of(f func() any) cost {
	var before, read, after runtime.MemStats

	runtime.GC()
	runtime.ReadMemStats(&before)

	start := time.Now()
	result := f()
	took := time.Since(start)

	runtime.ReadMemStats(&read)
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(result)

	return cost{
		float64(took.Nanoseconds()), float64(read.Mallocs - before.Mallocs), float64(read.TotalAlloc - before.TotalAlloc),
		float64(after.HeapAlloc) - float64(before.HeapAlloc),
	}
}

// BenchmarkReadBeside reads the largest schema on both sides, one after the other, and
// reports the costs of ours and the ratios to theirs, of which "import" begins with what
// encoding/json has decoded.
func BenchmarkReadBeside(b *testing.B) {
	data := aws(b)
	l := newLoader(nil)

	var ours, both, imported cost

	add := func(to *cost, c cost) {
		to.nanoseconds += c.nanoseconds
		to.allocations += c.allocations
		to.bytes += c.bytes
		to.retained += c.retained
	}

	importSpec := func(spec pulumi.PackageSpec) any {
		pkg, err := pulumi.ImportSpec(spec, nil, l, pulumi.ValidationOptions{AllowDanglingReferences: true})
		if err != nil {
			b.Fatal(err)
		}

		return pkg
	}
	decode := func() (spec pulumi.PackageSpec) {
		if err := json.Unmarshal(data, &spec); err != nil {
			b.Fatal(err)
		}

		return spec
	}

	for b.Loop() {
		add(&ours, of(func() any {
			p, err := schema.Read(data, schema.Options{AllowDangling: true})
			if err != nil {
				b.Fatal(err)
			}

			return p
		}))
		add(&both, of(func() any { return importSpec(decode()) }))

		spec := decode()
		add(&imported, of(func() any { return importSpec(spec) }))
	}

	n := float64(b.N)
	b.ReportMetric(ours.nanoseconds/n/1e6, "ms")
	b.ReportMetric(ours.allocations/n, "allocations")
	b.ReportMetric(ours.bytes/n/1e6, "MB")
	b.ReportMetric(ours.retained/n/1e6, "MB-retained")

	for name, c := range map[string]cost{"": both, "-import": imported} {
		b.ReportMetric(c.nanoseconds/ours.nanoseconds, "x-time"+name)
		b.ReportMetric(c.allocations/ours.allocations, "x-allocations"+name)
		b.ReportMetric(c.bytes/ours.bytes, "x-bytes"+name)
		b.ReportMetric(c.retained/ours.retained, "x-retained"+name)
	}
}
