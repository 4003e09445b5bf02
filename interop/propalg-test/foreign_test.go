package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// foreign returns the folder with providers that others' frameworks make, which .ci/foreign builds.
func foreign(t *testing.T) string {
	t.Helper()
	folder := os.Getenv("PROPALG_FOREIGN")
	if folder == "" {
		t.Skip("no PROPALG_FOREIGN; run .ci/foreign")
	}
	return folder
}

// TestForeign holds what is found in these providers to the table of docs/notes/any-provider.md,
// which says of each finding whether it is true.
func TestForeign(t *testing.T) {
	folder := foreign(t)
	text, err := os.ReadFile("../../docs/notes/any-provider.md")
	if err != nil {
		t.Fatal(err)
	}
	wanted := map[string][]string{} // by provider, and whether it is live
	for _, row := range strings.Split(string(text), "\n") {
		cells := strings.Split(strings.Trim(row, "| "), " | ")
		if provider, ok := strings.CutPrefix(cells[0], "`pulumi-resource-"); ok && len(cells) > 3 {
			provider, resource, _ := strings.Cut(provider, "`")
			finding := strings.TrimSpace(resource + " " + strings.Trim(cells[1], "`"))
			wanted[provider+"-live"] = append(wanted[provider+"-live"], finding)
			if cells[2] == "any" {
				wanted[provider] = append(wanted[provider], finding)
			}
		}
	}

	for _, provider := range []string{"bridged", "inferred", "raw", "foo"} {
		program := filepath.Join(folder, "pulumi-resource-"+provider)
		if _, err := os.Stat(program); err != nil && provider == "foo" {
			continue // there is no Node
		}
		for mode, args := range map[string][]string{"": {}, "-live": {"--live", "--resource", "*", "--tries", "50", "--journal", journalIn(t)}} {
			got := kinds(reported(t, append(args, "--time", "1h", program)...))
			want := slices.Sorted(slices.Values(wanted[provider+mode]))
			if !slices.Equal(got, want) {
				t.Errorf("%s:\n%s\nnot\n%s", provider+mode, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	}
}

// kinds lists the findings without their places.
func kinds(doc reportJSON) (all []string) {
	for _, s := range doc.Subjects {
		for _, f := range s.Findings {
			name := s.Type[strings.LastIndexByte(s.Type, ':')+1:]
			all = append(all, strings.TrimPrefix(name+" "+f.Call+" "+f.Code, doc.Provider.Name+" "))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// reported returns the report of a run.
func reported(t *testing.T, args ...string) reportJSON {
	t.Helper()
	var out, messages strings.Builder
	code := run(t.Context(), append(args, "-o", "json"), &out, &messages)
	var doc reportJSON
	if err := json.Unmarshal([]byte(out.String()), &doc); err != nil || code != exitFindings {
		t.Fatalf("%q: %d %v: %s%s", args, code, err, out.String(), messages.String())
	}
	return doc
}
