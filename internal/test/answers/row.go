package answers

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/propalg/propalg/path"
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
	response := provider.Response{Changes: provider.None, HasDetailed: true}
	names, replaced := map[string]bool{}, map[string]bool{}
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		e := provider.Entry{Key: key, Kind: provider.Add, InputDiff: entries[key].InputDiff} // protobuf leaves out ADD
		if text := entries[key].Kind + entries[key].DiffKind; text != "" {
			var known bool
			if e.Kind, known = parseKind(text); !known {
				t.Fatalf("%s: unknown kind", text)
			}
		}

		response.Changes = provider.Some
		response.Detailed = append(response.Detailed, e)
		if p, err := path.ParsePulumi(key); err == nil {
			first, _, _ := p.Cut()
			name, _ := first.Key()
			names[name] = true
			if e.Replace() {
				replaced[name] = true
			}
		}
	}
	response.Diffs, response.Replaces = slices.Sorted(maps.Keys(names)), slices.Sorted(maps.Keys(replaced))
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
