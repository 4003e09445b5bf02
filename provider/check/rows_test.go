package check_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/internal/test/answers"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/value"
)

// detailedRow is a detailed diff that a real provider or engine gave, with its values.
type detailedRow struct {
	answers.Row
	Olds, News    json.RawMessage
	OldState      json.RawMessage
	OldOutputs    json.RawMessage
	OldInputs     json.RawMessage
	IgnoreChanges []string
	ObjectDiff    *struct {
		Updates map[string]struct{ Old, New json.RawMessage }
	}
}

// sides returns what the row's provider was given; the names differ by kind of row.
func (r *detailedRow) sides(t *testing.T) provider.Sides {
	t.Helper()
	read := func(data json.RawMessage) value.Value { return kit.Decode(t, data) }
	s := provider.Sides{OldState: read(r.Olds), News: read(r.News)}
	switch r.Kind {
	case "engine-event":
		s.OldInputs, s.OldState = s.OldState, read(r.OldOutputs)
	case "engine-translateDetailedDiff":
		s.OldInputs, s.OldState = s.OldState, read(r.OldState)
	case "grpc-diff":
		s.OldInputs = read(r.OldInputs)
	}
	return s
}

// checkShown checks that an entry that is not omitted is seen, at its place or around it.
func checkShown(t *testing.T, n int, response provider.Response, reading check.Reading) {
	t.Helper()
	omitted := map[int]bool{}
	for _, o := range reading.Omitted {
		omitted[o.Entry] = true
	}
	for i, e := range response.Detailed {
		p, err := path.ParsePulumi(e.Key)
		seen := func(c diff.Change) bool {
			q := c.OldPath()
			return q.HasPrefix(p) || p.HasPrefix(q) || c.NewPath().HasPrefix(p)
		}
		if !omitted[i] && (err != nil || !slices.ContainsFunc(slices.Collect(reading.Diff.Changes()), seen)) {
			t.Errorf("row %d: %s is not seen in\n%v", n, e.Key, reading.Diff)
		}
	}
}

// explained reports whether an error is known to be true of a row, and why.
func explained(source string, code string) bool {
	for _, known := range []struct {
		source string
		codes  []string
	}{
		// The rows have a detailed diff, but no values.
		{"TestNewDetailedDiff", []string{"old-missing", "new-missing"}},
		{"TestDetailedDiffReplace/1/", []string{"new-missing"}},
		{"tfbridge/provider_test.go#L28", []string{"new-missing"}},
		// Tests of how the engine shows an update of equal values, one of a place
		// that is missing, and one with a key that is not a path.
		{"TestTranslateDetailedDiff[1]", []string{"update-equal"}},
		{"TestTranslateDetailedDiff[18]", []string{"old-missing"}},
		{"TestTranslateDetailedDiff[21]", []string{"key-unreadable"}},
		// True: an old bridge has a name once for each element.
		{"not-truncated/up-4.json", []string{"diffs-twice"}},
		// Labels that the provider computes, as updates of outputs that state lacks.
		{"pulumi-gcp:provider/provider_yaml_test.go#L357", []string{"old-missing", "new-missing"}},
	} {
		if strings.Contains(source, known.source) && slices.Contains(known.codes, code) {
			return true
		}
	}
	return false
}

// Every detailed diff of the data is read and shown, the same in any order of entries.
// Errors that the validator finds are explained.
func TestDetailedDiffs(t *testing.T) {
	rows, judged := 0, 0
	counts, omissions := map[string]int{}, map[string]int{}
	kit.ReadRows(t, "detailed-diffs.jsonl", func(n int, r detailedRow) {
		if !strings.HasPrefix(string(r.DetailedDiff), "{") {
			return
		}
		rows++
		response, sides := r.Response(t), r.sides(t)
		reading := check.ReadResponse(response, sides)
		text := render.Text(reading.Diff, render.Options{})
		checkShown(t, n, response, reading)
		slices.Reverse(response.Detailed)
		again := check.ReadResponse(response, sides)
		if render.Text(again.Diff, render.Options{}) != text || !again.Diff.Equal(reading.Diff) {
			t.Errorf("row %d (%s): told otherwise when entries come in another order", n, r.Source)
		}
		for _, o := range reading.Omitted {
			omissions[r.Kind+" "+o.Why.String()]++
		}
		if r.Kind == "bridge-golden" {
			return
		}
		judged++
		slices.Reverse(response.Detailed)
		for _, f := range check.Validate(response, sides, provider.Differ{}) {
			counts[f.Severity.String()+" "+f.Code]++
			if f.Severity == check.SeverityError && !explained(r.Source, f.Code) {
				t.Errorf("row %d (%s): %v", n, r.Source, f)
			}
		}
	})
	t.Logf("%d rows, %d judged", rows, judged)
	if rows != 942 || judged != 361 {
		t.Error("not what the file holds")
	}
	for _, table := range []map[string]int{counts, omissions} {
		for _, name := range slices.Sorted(maps.Keys(table)) {
			t.Logf("%5d %s", table[name], name)
		}
	}
}
