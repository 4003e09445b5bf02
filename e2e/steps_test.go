package e2e_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// changedBy lists what propalg finds in files, as "update b labels".
func (s *stack) changedBy(files ...string) []string {
	s.t.Helper()
	args := []string{"diff", "-o", "json"}
	for _, f := range files {
		args = append(args, s.in("out", f))
	}
	out, code := s.propalg(args...)
	var doc struct {
		Resources []struct {
			URN, Change string
			Inputs      struct {
				Diff struct{ Members map[string]any }
			}
		}
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil || code != 1 {
		s.t.Fatalf("propalg %q: exit %d, %v: %s", args, code, err, out)
	}
	var rows []string
	for _, r := range doc.Resources {
		row := r.Change + " " + planned{URN: r.URN}.name()
		if r.Change == "update" {
			for key := range r.Inputs.Diff.Members {
				row += " " + key
			}
		}
		rows = append(rows, row)
	}
	slices.Sort(rows)
	return rows
}

// rowsOf has what the engine says in a preview: each operation, and of updates the properties.
func rowsOf(t *testing.T, preview string) (rows []string) {
	t.Helper()
	var plan struct{ Steps []planned }
	if err := json.Unmarshal([]byte(preview), &plan); err != nil {
		t.Fatal(err)
	}
	for _, p := range plan.Steps {
		row := map[string]string{"create": "create ", "delete": "delete ", "update": "update ", "replace": "update "}[p.Op]
		if row == "" {
			continue
		}
		row += p.name()
		for key := range p.DetailedDiff {
			row += " " + strings.Split(key, ".")[0]
		}
		rows = append(rows, row)
	}
	slices.Sort(rows)
	return rows
}

// TestSteps compares what propalg reads from a preview, a plan and event logs with what
// the engine says that it does. Nothing shows a secret.
func TestSteps(t *testing.T) {
	s := newStack(t)
	s.secretConfig("pw", "canary-one-Zq7")
	s.program(withSecret + resources(
		record("a", `name: alpha, password: "${pw}"`), record("b", `name: beta, password: "${pw}", labels: {env: dev}`),
		record("c", `name: gamma`), record("e", `name: epsilon, password: "${pw}"`)))
	s.up()
	s.addTokens(4)
	s.must("stack", "export", "--file", s.in("out", "before.json"))
	s.program(withSecret + resources(
		record("a", `name: alpha2, password: "${pw}"`), record("b", `name: beta, password: "${pw}", labels: {env: prod}`),
		record("d", `name: delta`), record("e", `name: epsilon, password: "${pw}"`)))

	preview := s.must("preview", "--json").stdout
	s.save("preview.json", preview)
	s.with("PULUMI_EXPERIMENTAL=true", func() { s.must("preview", "--save-plan", s.in("out", "plan.json")) })
	s.with("PULUMI_DEBUG_COMMANDS=true", func() {
		s.must("preview", "--event-log", s.in("out", "events.json"))
		s.must("up", "--yes", "--skip-preview", "--event-log", s.in("out", "done.json"))
	})
	s.must("stack", "export", "--file", s.in("out", "after.json"))

	want := rowsOf(t, preview)
	if fmt.Sprint(want) != "[create d delete c update a name update b labels]" {
		t.Fatalf("the engine says %q", want)
	}
	for _, files := range []string{"before.json preview.json", "before.json plan.json", "before.json events.json", "before.json done.json", "before.json after.json"} {
		got := s.changedBy(strings.Fields(files)...)
		for i, row := range got {
			got[i] = strings.ReplaceAll(row, " password", "") // which may differ: nobody can tell
		}
		got = slices.DeleteFunc(got, func(row string) bool { return row == "update e-e2e" })
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", files, got, want)
		}
	}

	// What was done is what is there.
	if out, code := s.propalg("diff", s.in("out", "done.json"), s.in("out", "after.json")); code != 1 || !strings.Contains(out, "0 created, 0 deleted, 0 updated") {
		t.Errorf("what was done is not what is there: exit %d\n%s", code, out)
	}
	s.destroy()
}
