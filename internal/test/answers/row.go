package answers

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/provider"
)

// Row is a detailed diff that a real provider or engine gave.
type Row struct {
	Kind            string
	DetailedDiff    json.RawMessage
	Diffs, Replaces json.RawMessage
	Keys            []string
	Changes         string
	Source          string
}

// Response returns the row's detailed diff, in whatever spelling, as an answer.
func (r *Row) Response(t *testing.T) provider.Response {
	t.Helper()
	var entries map[string]struct {
		Kind, DiffKind string
		InputDiff      bool
	}
	if err := json.Unmarshal(r.DetailedDiff, &entries); err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		side, kind := "<", entries[key].Kind+entries[key].DiffKind
		if entries[key].InputDiff {
			side = "="
		}
		if kind == "" {
			kind = "ADD" // protobuf leaves it out
		}
		if _, known := parseKind(kind); !known {
			t.Fatalf("%s: unknown kind", kind)
		}
		texts = append(texts, key+side+kind)
	}

	response := Claimed(texts...)
	if len(texts) == 0 {
		response.Changes = rpc.DiffNone
	}
	slices.Sort(response.Diffs)
	slices.Sort(response.Replaces)
	for _, list := range []struct {
		sent json.RawMessage
		to   *[]string
	}{{r.Diffs, &response.Diffs}, {r.Replaces, &response.Replaces}} {
		var sent []string
		if json.Unmarshal(list.sent, &sent) == nil && sent != nil {
			*list.to = sent
		}
	}

	return response
}
