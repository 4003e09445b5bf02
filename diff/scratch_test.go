package diff_test

import (
	"runtime"
	"strconv"
	"strings"
	"testing"
	"unsafe"
	"weak"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/value"
)

// TestScratchIsWiped: memory that is used again keeps nothing of the values that a walk put
// into it. One collection leaves it in its pool.
func TestScratchIsWiped(t *testing.T) {
	for _, width := range []int{0, 1, 5, 9, 17, 95, 96, 97, 200} {
		held := compared(width)
		runtime.GC()
		for i, text := range held {
			if text.Value() != nil {
				t.Errorf("width %d: text %d is still held", width, i)
			}
		}
	}
}

// compared compares two values with long keys and texts that nothing else holds, and returns
// where these are in memory.
//
//go:noinline
func compared(width int) (held []weak.Pointer[byte]) {
	own := func(text string) string {
		text = strings.Clone(text + strings.Repeat("-", 40))
		held = append(held, weak.Make(unsafe.StringData(text)))
		return text
	}
	side := func(name string) value.Value {
		var members []value.Member
		var elems []value.Value
		for i := range width {
			members = append(members, value.Field(own(strconv.Itoa(i)), value.String(own(name))))
			elems = append(elems, value.String(own(name+strconv.Itoa(i))))
		}
		members = append(members, value.Field(own(name), value.Null()), value.Field(own("list"), value.Array(elems...)))
		return value.Object(members...)
	}
	diff.Between(side("old"), side("new"), diff.Options{})
	diff.Between(side("old"), side("new"), diff.Options{Arrays: diff.Aligned()})
	return held
}
