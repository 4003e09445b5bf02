package ignore_test

import (
	"encoding/json"
	"testing"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/internal/testkit"
	"github.com/propalg/propalg/path"
)

type resetRow struct {
	Old, New, After json.RawMessage
	Path            string
	OK              bool
	Source          string
}

// Every row of real ignoreChanges, without exception: the same result as Pulumi's
// SDK gives, and a mismatch exactly where it has one.
func TestOracleReset(t *testing.T) {
	rows, mismatches := 0, 0
	testkit.ReadRows(t, "oracle-reset.jsonl", func(n int, r resetRow) {
		rows++
		old, now, after := testkit.Decode(t, r.Old), testkit.Decode(t, r.New), testkit.Decode(t, r.After)
		pattern, err := path.ParsePulumiPattern(r.Path)
		if err != nil {
			t.Fatalf("row %d (%s): %v", n, r.Source, err)
		}
		got := ignore.Changes(old, now, []path.Pattern{pattern}, ignore.Engine)
		mismatches += len(got.Patterns[0].Mismatches)
		if ok := len(got.Patterns[0].Mismatches) == 0; ok != r.OK || !got.Value.Equal(after) {
			t.Errorf("row %d (%s): %v, the SDK says %v\n%v", n, r.Source, got.Patterns[0], r.OK,
				diff.Between(after, got.Value, diff.Options{}))
		}
	})
	if rows < 1447 || mismatches < 50 {
		t.Errorf("only %d rows, %d mismatches", rows, mismatches)
	}
}
