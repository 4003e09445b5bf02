package provider_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

type diffRow struct {
	Old, New     json.RawMessage
	DeepEquals   bool
	DetailedDiff map[string]string
	Source       string
}

// Every row of real diffs, without exception: the same paths and kinds as
// Pulumi's SDK gives, and nothing exactly when its values are equal.
func TestOracleDiffs(t *testing.T) {
	kit.ReadRows(t, "oracle-diffs.jsonl", func(n int, r diffRow) {
		old, now := kit.Decode(t, r.Old), kit.Decode(t, r.New)
		d := diff.Between(old, now, diff.Options{Relation: value.Engine})
		answer := provider.Differ{}.Respond(d)
		got := map[string]string{}
		for _, e := range answer.Detailed {
			got[e.Key] = map[rpc.PropertyDiffKind]string{rpc.PropertyDiffAdd: "add", rpc.PropertyDiffDelete: "delete", rpc.PropertyDiffUpdate: "update"}[e.Kind]
		}
		if d.Empty() != r.DeepEquals || (answer.Changes == rpc.DiffNone) != r.DeepEquals ||
			!answer.HasDetailed || !maps.Equal(got, r.DetailedDiff) {
			t.Errorf("row %d (%s): empty %v, deepEquals %v\n%s", n, r.Source, d.Empty(), r.DeepEquals, differing(got, r.DetailedDiff))
		}
		if forth, err := d.Apply(old); err != nil || !value.Engine.Equal(forth, now) {
			t.Errorf("row %d: apply: %v", n, err)
		}
		if back, err := d.Invert().Apply(now); err != nil || !value.Engine.Equal(back, old) {
			t.Errorf("row %d: apply the inverse: %v", n, err)
		}
	})
}

func differing(got, want map[string]string) string {
	text := ""
	for k, v := range got {
		if want[k] != v {
			text += fmt.Sprintf("  got %s %q\n", v, k)
		}
	}
	for k, v := range want {
		if got[k] != v {
			text += fmt.Sprintf("  want %s %q\n", v, k)
		}
	}
	return text
}

type bagRow struct{ Bag json.RawMessage }

// Laws 1, 2 and 18 on real property bags, each against the next one.
func TestRealBags(t *testing.T) {
	last, changes := value.Object(), 0
	kit.ReadRows(t, "bags.jsonl", func(n int, r bagRow) {
		old, now := last, kit.Decode(t, r.Bag)
		last = now
		for _, rel := range []value.Relation{value.Strict, value.Engine} {
			d := diff.Between(old, now, diff.Options{Relation: rel})
			changes += d.Len()
			if d.Empty() != rel.Equal(old, now) || d.Verdict() != rel.Compatible(old, now) {
				t.Errorf("row %d: empty %v", n, d.Empty())
			}
			if forth, err := d.Apply(old); err != nil || !rel.Equal(forth, now) {
				t.Errorf("row %d: apply: %v", n, err)
			}
			if back, err := d.Invert().Apply(now); err != nil || !rel.Equal(back, old) {
				t.Errorf("row %d: apply the inverse: %v", n, err)
			}
			for c := range d.Changes() {
				if !d.Changed(c.Path()) {
					t.Errorf("row %d: %v", n, c.Shown())
				}
			}
		}
	})
	t.Logf("%d changes", changes)
}
