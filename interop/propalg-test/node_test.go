package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestNode tests testdata/node, a provider on Pulumi's Node SDK that has been installed to the folder
// that PROPALG_NODE names (.ci/node does that), with and without mistakes.
func TestNode(t *testing.T) {
	folder := os.Getenv("PROPALG_NODE")
	if folder == "" {
		t.Skip("no PROPALG_NODE; run .ci/node")
	}

	// The server does not pass ignoreChanges on to Diff.
	const always = "Diff ignored-reported"
	for bug, want := range map[string][]string{
		"":         {always},
		"crash":    {always, "Check crash"},
		"size":     {always, "Diff unreported size"},
		"identity": {always, "Diff some-while-equal"}, // secrets are objects, of which no two are identical
		"update":   {always, "Update state-drifts size"},
		"delete":   {always, "Delete gone-fails"},
	} {
		t.Setenv("BUG", bug)
		args := []string{"--env", "BUG", "-o", "json", folder}
		if bug == "update" || bug == "delete" {
			args = append(args, "--live", "--resource", "*", "--tries", "40", "--journal", journalIn(t))
		}
		var out, messages strings.Builder
		code := run(t.Context(), args, &out, &messages)
		var doc reportJSON
		if err := json.Unmarshal([]byte(out.String()), &doc); err != nil || code != exitFindings {
			t.Fatalf("%s: %d %v: %s%s", bug, code, err, out.String(), messages.String())
		}
		got := found(doc)
		for _, each := range want {
			if !slices.Contains(got, each) {
				t.Errorf("%s: no %q among %q", bug, each, got)
			}
		}
		if bug == "" && len(got) > 1 {
			t.Errorf("without a mistake: %q", got)
		}
	}
}
