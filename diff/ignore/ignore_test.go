package ignore_test

import (
	"encoding/json"
	"testing"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/internal/testkit"
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

func patternList(texts ...string) []path.Pattern {
	list := make([]path.Pattern, len(texts))
	for i, text := range texts {
		list[i] = path.MustParsePattern(text)
	}
	return list
}

const urnA, urnB = "urn:pulumi:s::p::t::a", "urn:pulumi:s::p::t::b"

func num(f float64) value.Value { return value.Number(f) }

func str(s string) value.Value { return value.String(s) }

func arr(elems ...value.Value) value.Value { return value.Array(elems...) }

func sec(v value.Value) value.Value { return value.Secret(v) }

func dep(v value.Value, urns ...string) value.Value { return v.WithDependencies(urns...) }

func obj(pairs ...any) value.Value {
	var members []value.Member
	for i := 0; i < len(pairs); i += 2 {
		members = append(members, value.Member{Key: pairs[i].(string), Value: pairs[i+1].(value.Value)})
	}

	return value.Object(members...)
}
