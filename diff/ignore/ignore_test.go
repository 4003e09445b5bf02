package ignore_test

import (
	"encoding/json"
	"testing"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

type resetRow struct {
	Old, New, After json.RawMessage
	Path            string
	OK              bool
	Source          string
}

// TestOracleReset has real uses of ignoreChanges: without exception, the result is that
// of Pulumi's SDK, and there is a mismatch exactly where the SDK has one.
func TestOracleReset(t *testing.T) {
	rows, mismatches := 0, 0
	kit.ReadRows(t, "oracle-reset.jsonl", func(n int, r resetRow) {
		rows++
		old, now, after := kit.Decode(t, r.Old), kit.Decode(t, r.New), kit.Decode(t, r.After)
		pattern, err := path.ParsePulumiPattern(r.Path)
		if err != nil {
			t.Fatalf("row %d (%s): %v", n, r.Source, err)
		}
		got := ignore.Changes(old, now, []path.Pattern{pattern}, ignore.AsEngine)
		result := every(got, []path.Pattern{pattern})[0]
		mismatches += len(result.Mismatches)
		if ok := len(result.Mismatches) == 0; ok != r.OK || !got.Value.Equal(after) {
			t.Errorf("row %d (%s): %v, the SDK says %v\n%v", n, r.Source, result, r.OK,
				diff.Between(after, got.Value, diff.Options{}))
		}
	})
	if rows < 1447 || mismatches < 50 {
		t.Errorf("only %d rows, %d mismatches", rows, mismatches)
	}
}

func patternList(texts ...string) []path.Pattern {
	list := make([]path.Pattern, len(texts))
	for i, text := range texts {
		list[i] = path.MustParsePattern(text)
	}
	return list
}

// every returns the results of all patterns, also of those without an effect.
func every(r ignore.Result, patterns []path.Pattern) []ignore.PatternResult {
	all := make([]ignore.PatternResult, len(patterns))
	for i, p := range patterns {
		all[i] = ignore.PatternResult{Pattern: p, Index: i}
	}
	for _, p := range r.Patterns {
		all[p.Index] = p
	}
	return all
}

const urnA, urnB = kit.URNA, kit.URNB

// Short names for the rows of tests.
var (
	num, str, arr, sec = value.Number, value.String, value.Array, value.Secret
	obj, dep           = kit.Object, kit.Depends
)
