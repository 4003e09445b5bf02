package diff_test

import (
	"fmt"
	"testing"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/value"
)

// What a walk puts into memory that is used again is wiped, however
// much it was: nothing keeps a secret alive, and no diff sees another one.
func TestScratchIsWiped(t *testing.T) {
	for _, width := range []int{0, 1, 5, 9, 17, 95, 96, 97, 200} {
		wide := func(x float64) value.Value {
			members := make([]value.Member, width)
			for i := range members {
				members[i] = value.Member{Key: fmt.Sprintf("k%d", i), Value: value.Number(x)}
			}
			return value.Object(members...)
		}
		nested := func(x float64) value.Value { // as many containers as members
			members := make([]value.Member, width)
			for i := range members {
				members[i] = value.Member{Key: fmt.Sprintf("k%d", i), Value: arr(sec(arr(num(x))))}
			}
			return value.Object(members...)
		}
		for i, c := range [][2]value.Value{
			{wide(1), wide(2)},
			{obj("a", wide(1)), obj("a", wide(2))},
			{arr(wide(1), wide(2)), arr(wide(2), wide(1), num(1))},
			{obj("a", wide(1), "b", wide(1), "c", num(1)), obj("a", wide(2), "b", str("x"), "d", num(1))},
			{dep(wide(1), urnA), wide(2)},
			{sec(wide(1)), wide(2)},
			{num(1), num(2)},
			{nested(1), nested(2)},
			{arr(nested(1), num(1)), arr(nested(2), num(2))},
		} {
			diff.Between(c[0], c[1], diff.Options{Relation: value.Engine})
			if diff.ScratchHolds() {
				t.Errorf("width %d, row %d: a walk left something", width, i)
			}
		}
	}
}
