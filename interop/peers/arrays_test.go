package peers_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/wI2L/jsondiff"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/value"
)

// arrays are pairs of arrays of objects, as lists of rules and tags have them.
func arrays(n int) []struct{ name, old, now string } {
	count := make([]int, n)
	for i := range count {
		count[i] = i
	}
	back := slices.Clone(count)
	slices.Reverse(back)
	few := slices.Clone(count)
	for i := n / 20; i < n; i += n / 10 {
		few[i] = -i
	}
	return []struct{ name, old, now string }{
		{"one in front", list(count), list(append([]int{-1}, count...))},
		{"ten replaced", list(count), list(few)},
		{"rotated", list(count), list(append(slices.Clone(count[n/3:]), count[:n/3]...))},
		{"reversed", list(count), list(back)},
	}
}

func list(numbers []int) string {
	var text strings.Builder
	text.WriteByte('[')
	for i, n := range numbers {
		if i > 0 {
			text.WriteByte(',')
		}
		fmt.Fprintf(&text, `{"name":"rule %d","port":%d,"tags":{"zone":"z%d","team":"x"}}`, n, n, n%7)
	}
	text.WriteByte(']')
	return text.String()
}

func decode(t testing.TB, text string) value.Value {
	v, err := codec.DecodeJSONValue([]byte(text), codec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// changes is the number of changes that each finds.
func changes(t testing.TB, old, now string) (ours, theirs int) {
	patch, err := jsondiff.CompareJSON([]byte(old), []byte(now), jsondiff.LCS(), jsondiff.Factorize())
	if err != nil {
		t.Fatal(err)
	}
	return diff.Between(decode(t, old), decode(t, now), diff.Options{Arrays: diff.Aligned()}).Len(), len(patch)
}

// Both find one insertion, and neither carries more where the other does not.
func TestArrays(t *testing.T) {
	for _, a := range arrays(200) {
		ours, theirs := changes(t, a.old, a.now)
		t.Logf("%s: %d changes, jsondiff with LCS %d operations", a.name, ours, theirs)
		if (a.name == "one in front" && (ours != 1 || theirs != 1)) || ours > theirs {
			t.Errorf("%s: %d changes, jsondiff %d operations", a.name, ours, theirs)
		}
	}
}

// BenchmarkArrays diffs arrays of objects with a script of edits: jsondiff with
// its LCS option, moves found. Both read the JSON first, since jsondiff has no
// other form.
func BenchmarkArrays(b *testing.B) {
	for _, n := range []int{100, 1000, 3000} {
		for _, a := range arrays(n) {
			b.Run(a.name+"/"+strconv.Itoa(n)+"/propalg", func(b *testing.B) {
				b.ReportAllocs()
				for range b.N {
					d := diff.Between(decode(b, a.old), decode(b, a.now), diff.Options{Arrays: diff.Aligned()})
					if d.Empty() {
						b.Fatal("no change")
					}
				}
			})
			b.Run(a.name+"/"+strconv.Itoa(n)+"/jsondiff", func(b *testing.B) {
				b.ReportAllocs()
				for range b.N {
					p, err := jsondiff.CompareJSON([]byte(a.old), []byte(a.now), jsondiff.LCS(), jsondiff.Factorize())
					if err != nil || len(p) == 0 {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
