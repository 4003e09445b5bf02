package align_test

import (
	"fmt"

	"github.com/propalg/propalg/internal/align"
)

// The second of four elements moved to the end, and one was inserted.
func ExampleAlign() {
	older := []int32{1, 2, 3, 4}
	newer := []int32{1, 3, 5, 4, 2}

	partner, moved := align.Align(older, newer)
	fmt.Println(partner)
	fmt.Println(moved)
	// Output:
	// [0 2 -1 3 1]
	// [false false false false true]
}
