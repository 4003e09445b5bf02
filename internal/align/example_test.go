package align_test

import (
	"fmt"

	"github.com/propalg/propalg/internal/align"
)

// The second of four elements moved to the end, and one was inserted.
func ExampleAlign() {
	older := []int32{1, 2, 3, 4}
	newer := []int32{1, 3, 5, 4, 2}

	for _, p := range align.Align(older, newer) {
		fmt.Printf("%+v\n", p)
	}
	// Output:
	// {Old:0 New:0 Moved:false}
	// {Old:2 New:1 Moved:false}
	// {Old:3 New:3 Moved:false}
	// {Old:1 New:4 Moved:true}
}
