package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestNode tests testdata/node, a provider on Pulumi's Node SDK, with and without mistakes.
func TestNode(t *testing.T) {
	folder := filepath.Join(foreign(t), "pulumi-resource-foo")
	if _, err := os.Stat(folder); err != nil {
		t.Skip("no Node")
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
		args := []string{"--env", "BUG", folder}
		if bug == "update" || bug == "delete" {
			args = append(args, "--live", "--resource", "*", "--tries", "40", "--journal", journalIn(t))
		}
		got := found(reported(t, args...))
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
