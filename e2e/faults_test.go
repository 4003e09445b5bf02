package e2e_test

import (
	"context"
	"strings"
	"testing"

	"github.com/propalg/propalg/examples/provider/store"
)

// TestKilled kills the provider in the middle of a create, at each of its stages.
// The next run starts another one, which finds the store whole and takes up what
// was begun: there is one record then, and nothing left to do.
func TestKilled(t *testing.T) {
	for _, stage := range []string{"kill-before-commit", "kill-after-reserve", "kill-after-commit"} {
		t.Run(stage, func(t *testing.T) {
			s := newStack(t)
			s.program(resources(record("a", `name: alpha, title: one`)))
			s.with("DEMO_FAULT="+stage, func() {
				if r := s.run("up", "--yes", "--skip-preview"); r.code == 0 {
					t.Fatalf("nothing was killed: %s", r)
				}
			})
			s.up()
			s.holds("alpha")
			s.program(resources(record("a", `name: alpha, title: two`)))
			s.expect("it can be changed", "update a: update title")
			s.up()
			s.destroy()
			s.holds()
		})
	}
}

// holds says which records there are in the cloud.
func (s *stack) holds(want ...string) {
	s.t.Helper()
	records, err := store.Open(s.cloud()).List(context.Background())
	if err != nil {
		s.t.Fatal(err)
	}
	if len(records) != len(want) {
		s.t.Fatalf("%d records, not %d", len(records), len(want))
	}
	for i, r := range records {
		if r.ID != want[i] {
			s.t.Errorf("record %q, not %q", r.ID, want[i])
		}
	}
}

// TestPartial makes records of which something went wrong: they are in the state,
// with the reason, and the next run tries again, by an update.
func TestPartial(t *testing.T) {
	s := newStack(t)
	program := resources(record("a", `name: alpha, title: one`))
	s.program(program)
	s.with("DEMO_FAULT=partial", func() {
		if r := s.run("up", "--yes", "--skip-preview"); r.code == 0 {
			t.Fatalf("nothing went wrong: %s", r)
		}
	})
	if r := s.resource("a"); r.ID != "alpha" || len(r.InitErrors) == 0 {
		t.Errorf("ID %q, errors %q", r.ID, r.InitErrors)
	}
	s.expect("it tries again", "update a")
	s.up()
	s.program(resources(record("a", `name: alpha, title: two`)))
	s.with("DEMO_FAULT=partial", func() {
		if r := s.run("up", "--yes", "--skip-preview"); r.code == 0 {
			t.Fatalf("nothing went wrong: %s", r)
		}
	})
	if r := s.resource("a"); len(r.InitErrors) == 0 {
		t.Error("no reason is in the state")
	}
	s.up()
	s.holds("alpha")
	s.destroy()
}

// TestRefused has inputs that the provider refuses, each with its path.
func TestRefused(t *testing.T) {
	s := newStack(t)
	for properties, path := range map[string]string{
		`rules: [{name: a, port: 80}, {name: b, port: 70000}]`: "rules[1].port",
		`members: [x, y, x]`: "members[2]",
		`size: -1`:           "size",
	} {
		s.program(resources(record("a", "name: alpha, "+properties)))
		r := s.run("preview")
		if r.code == 0 || !strings.Contains(r.stdout+r.stderr, path) {
			t.Errorf("%s is not refused: %s", path, r)
		}
	}
}
