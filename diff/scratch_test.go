package diff_test

import (
	"testing"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/value"
)

// Memory that is used again is wiped, whatever a walk put into it: it keeps no secret,
// and no other diff sees it.
func TestScratchIsWiped(t *testing.T) {
	for _, width := range []int{0, 1, 5, 9, 17, 95, 96, 97, 200} {
		for i, pair := range kit.WidePairs(width) {
			diff.Between(pair[0], pair[1], diff.Options{Relation: value.Engine})
			if diff.ScratchHolds() {
				t.Errorf("width %d, pair %d: the memory holds a value", width, i)
			}
		}
	}
}
