package e2e_test

import (
	"context"
	"fmt"
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
		if r.Name != want[i] {
			s.t.Errorf("record %q, not %q", r.Name, want[i])
		}
	}
}

// TestReserved has a record of which no more is there than its name, since the provider
// was killed: there is nothing yet that could be imported.
func TestReserved(t *testing.T) {
	s := newStack(t)
	s.program(resources(record("a", `name: alpha`)))
	s.with("DEMO_FAULT=kill-after-reserve", func() {
		if r := s.run("up", "--yes", "--skip-preview"); r.code == 0 {
			t.Fatalf("nothing was killed: %s", r)
		}
	})
	s.holds("alpha")
	s.program("resources: {}")
	if r := s.run("import", "demo:index:Record", "b", "alpha", "--yes", "--skip-preview", "--generate-code=false"); r.code == 0 {
		t.Errorf("imported what is not there yet: %s", r)
	}
}

// TestGone destroys a record that was removed by other means, which is not an error.
func TestGone(t *testing.T) {
	s := newStack(t)
	s.play(step{name: "create", program: resources(record("a", `name: alpha`)), want: `create a`})
	s.lose("alpha")
	s.holds()
	s.destroy()
}

// lose removes a record from the cloud, and the engine does not know.
func (s *stack) lose(name string) {
	s.t.Helper()
	if err := store.Open(s.cloud()).Remove(context.Background(), name, func(store.Record) bool { return true }); err != nil {
		s.t.Fatal(err)
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
	r := s.resource("a")
	if !strings.HasPrefix(r.ID, "alpha#") || len(r.InitErrors) == 0 {
		t.Errorf("ID %q, errors %q", r.ID, r.InitErrors)
	}
	for _, name := range []string{"name", "title", "url", "token", "revision"} {
		if r.Outputs.Field(name).IsNull() || r.Inputs.Field("title").IsNull() {
			t.Errorf("%s is not in the state: what the error says of the record is lost", name)
		}
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

// TestRefusedSecrets has secrets that the provider refuses. The engine prints the
// property that a failure names; so that is none, and what is printed says where, and
// holds no secret: newStack looks for it in all that was written. The CLI strikes secrets
// of its configuration from what it prints, so this one is put together in the program.
func TestRefusedSecrets(t *testing.T) {
	s := newStack(t)
	s.canaries = append(s.canaries, "canary-refused-Rt5")
	const withSecret = "variables:\n  pw: {\"fn::secret\": {\"fn::join\": [\"\", [canary-ref, used-Rt5]]}}\n"
	for i, row := range []struct{ properties, path string }{
		{`name: "${pw}"`, "name"},
		{`size: "${pw}"`, "size"},
		{`rules: "${pw}"`, "rules"},
		{`rules: [{name: "${pw}", port: 0}]`, "rules[0].port"},
		{`members: ["${pw}", x, "${pw}"]`, "members[2]"},
		{`colour: "${pw}"`, "colour"},
	} {
		s.program(withSecret + resources(record(fmt.Sprint("a", i), row.properties)))
		r := s.run("preview")
		if text := r.stdout + r.stderr; r.code == 0 || !strings.Contains(text, row.path) || strings.Contains(text, s.canaries[0]) {
			t.Errorf("%s is not refused, or shown: %s", row.properties, r)
		}
	}
	s.program(withSecret + resources(record("a", `name: alpha, password: "${pw}"`)))
	s.up()
	s.addTokens(1)
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
