package align_test

import (
	"fmt"

	"github.com/propalg/propalg/internal/align"
)

// The second of four elements went to the end, and a new one came in.
func ExampleAlign() {
	older := []int32{1, 2, 3, 4}
	newer := []int32{1, 3, 9, 4, 2}

	s := align.Align(older, newer, nil)
	for _, r := range s.Runs {
		fmt.Printf("%+v\n", r)
	}

	fmt.Println("weight", s.Weight(len(older), len(newer)))
	// Output:
	// {Old:0 New:0 Len:1 Moved:false}
	// {Old:2 New:1 Len:1 Moved:false}
	// {Old:3 New:3 Len:1 Moved:false}
	// {Old:1 New:4 Len:1 Moved:true}
	// weight 2
}
