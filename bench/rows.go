package bench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// A line of a file of rows is no longer than maxLine.
const maxLine = 1 << 26

// Row is one line of a file of JSON lines: an object, by its members.
type Row map[string]json.RawMessage

// ReadRows reads a file of JSON lines.
func ReadRows(r io.Reader) ([]Row, error) {
	var rows []Row
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)

	for lines.Scan() {
		var row Row
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			return nil, fmt.Errorf("line %d: %w", len(rows)+1, err)
		}
		rows = append(rows, row)
	}
	return rows, lines.Err()
}

// Text returns the string in a member, or "" if the member is missing or not a string.
func (r Row) Text(name string) string {
	var text string
	if json.Unmarshal(r[name], &text) != nil {
		return ""
	}
	return text
}

// Value decodes a member as a property value. It rounds numbers that no float64 holds. A
// missing member is an error.
func (r Row) Value(name string) (value.Value, error) {
	return codec.DecodeJSONValue(r[name], codec.Options{RoundNumbers: true})
}

// Ours is the name of this library's side in every comparison.
const Ours = "propalg"

// Side is how one library does the work of a row. One call of Do goes through the whole
// corpus of the row, so that the cost of the loop around it is negligible.
type Side struct {
	Name string
	Do   func() error
}

// Compare runs each side as a benchmark named for it below that of the row; the
// command bench/gate puts rounds of them side by side.
func Compare(b *testing.B, sides ...Side) {
	b.Helper()

	for _, side := range sides {
		b.Run(side.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := side.Do(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// [Ballast] holds ballast bytes.
const ballast = 100 << 20

// Ballast holds 100 MB of heap until the benchmark ends. The collector then runs once
// for some 100 MB allocated, as in a program with a heap of that size. Without it the
// heap is as small as the corpus of a row, and how often the collector runs depends on
// which rows ran before. One block of bytes does that: only its size counts, and it
// costs a collection no time.
func Ballast(b *testing.B) {
	b.Helper()
	held := make([]byte, ballast)
	b.Cleanup(func() { runtime.KeepAlive(held) })
}

// Kept reports, in the unit kept-B, how many bytes of heap one result keeps alive. What
// [Ballast] holds is not among them, since it is there before and after.
func Kept[T any](b *testing.B, name string, once func() (T, error)) {
	b.Helper()
	const many = 4
	b.Run(name, func(b *testing.B) {
		kept := make([]T, many)
		before := heap()
		for i := range kept {
			var err error
			if kept[i], err = once(); err != nil {
				b.Fatal(err)
			}
		}

		after := heap()
		for b.Loop() {
			runtime.KeepAlive(kept) // only what is kept counts
		}
		b.ReportMetric(float64(after-before)/many, "kept-B")
		runtime.KeepAlive(kept)
	})
}

func heap() uint64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
