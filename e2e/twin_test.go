package e2e_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestTwin drives the twin, which is made with the server helpers of Pulumi's SDK.
// What it knows of changes does not reach the engine, and names of properties are
// wrong: the same look at the log that finds nothing with our provider finds it.
func TestTwin(t *testing.T) {
	s := newBareStack(t)
	s.provider = filepath.Join(bin, "twin")
	s.program(resources(record("a", `name: alpha, labels: {env: dev}`)))
	s.must("up", "--yes", "--skip-preview")
	s.program(resources(record("a", `name: alpha, labels: {env: prod}`)))
	if plan := s.preview(); len(plan) != 1 || plan[0].String() != "update a" {
		t.Errorf("planned %v", plan)
	}
	found := map[string]bool{}
	for _, c := range s.calls() {
		for _, fault := range faults(c) {
			found[fault] = true
		}
	}
	all := strings.Join(slices.Sorted(maps.Keys(found)), "\n")
	t.Log(all)
	for _, code := range []string{"not-detailed", "diffs-path", "diffs-missing"} {
		if !strings.Contains(all, code) {
			t.Errorf("%s is not found", code)
		}
	}
	if out, code := s.lint("error"); code != 1 || !strings.Contains(out, "not-detailed") {
		t.Errorf("propalg lint: exit %d: %s", code, out)
	}
}
