package e2e_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/propalg/propalg/examples/provider/store"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// spaces are those that align what is shown.
var spaces = regexp.MustCompile(` +`)

// drift changes a record behind the engine's back.
func (s *stack) drift(id string, edit func(inputs value.Value) value.Value) {
	s.t.Helper()
	cloud, ctx := store.Open(s.cloud()), context.Background()
	r, ok, err := cloud.Load(ctx, id)
	if err != nil || !ok {
		s.t.Fatalf("%s: %v, %v", id, ok, err)
	}
	r.Inputs = edit(r.Inputs)
	if err := cloud.Save(ctx, r); err != nil {
		s.t.Fatal(err)
	}
}

// with sets what is at a path.
func with(t *testing.T, v value.Value, at string, to value.Value) value.Value {
	t.Helper()
	v, err := v.With(path.MustParse(at), to)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestRefresh changes things in the cloud: a refresh tells what, takes them into
// the state, and the next update puts them right.
func TestRefresh(t *testing.T) {
	s := newStack(t)
	program := resources(record("a", `name: alpha, title: one, labels: {env: dev, team: x}, rules: [{name: web, port: 80}]`), record("b", `name: beta`))
	s.play(step{name: "create", program: program, want: "create a\ncreate b"})
	if r := s.run("refresh", "--yes", "--skip-preview", "--expect-no-changes"); r.code != 0 {
		t.Error(r)
	}
	s.drift("alpha", func(in value.Value) value.Value {
		in = with(t, in, "title", value.String("drifted"))
		in = with(t, in, "labels.env", value.String("prod"))
		return with(t, in, "labels.new", value.String("n"))
	})
	r := s.must("refresh", "--preview-only", "--diff")
	for _, line := range []string{`~ env: "dev" => "prod"`, `+ new: "n"`, `~ title`} {
		if !strings.Contains(spaces.ReplaceAllString(r.stdout, " "), line) {
			t.Errorf("%s is not shown: %s", line, r)
		}
	}
	s.must("refresh", "--yes", "--skip-preview", "--diff")
	if in := s.resource("a").Inputs; !in.Field("title").Equal(value.String("drifted")) || in.Field("labels").Len() != 3 {
		t.Error("what was read is not in the state")
	}
	s.play(step{name: "put right", program: program, want: `update a: update labels.env, delete labels.new, update title`})
	if err := store.Open(s.cloud()).Remove(context.Background(), "beta", func(store.Record) bool { return true }); err != nil {
		t.Fatal(err)
	}
	s.must("refresh", "--yes", "--skip-preview")
	s.play(step{name: "what was lost is made again", program: program, want: `create b`})
	s.destroy()
}

// TestRefreshSecrets drifts in what is secret: in the inputs, below a container, and in
// what is secret only in the state, since the program says so. What was secret stays
// so, with what it is now.
func TestRefreshSecrets(t *testing.T) {
	s := newStack(t)
	s.secretConfig("pw", "canary-one-Zq7")
	program := withSecret + resources(record("a", `name: alpha, title: t, labels: {x: "${pw}", y: plain}, extra: [1, {deep: "${pw}"}], password: "${pw}"`, `additionalSecretOutputs: [url]`))
	s.play(step{name: "create", program: program, want: `create a`})
	s.drift("alpha", func(in value.Value) value.Value {
		in = with(t, in, "labels.x", value.String("canary-drift-Dd1"))
		in = with(t, in, "extra[1].deep", value.String("canary-drift-Dd2"))
		return with(t, in, "password", value.String("canary-drift-Dd3"))
	})
	s.canaries = append(s.canaries, "canary-drift-Dd1", "canary-drift-Dd2", "canary-drift-Dd3")
	s.must("refresh", "--yes", "--skip-preview", "--diff")
	r := s.resource("a")
	for _, at := range []string{"labels.x", "extra[1].deep", "password"} {
		for what, v := range map[string]value.Value{"inputs": r.Inputs, "outputs": r.Outputs} {
			if v, found := v.At(path.MustParse(at)); !found || !v.IsSecret() {
				t.Errorf("%s of the %s is in clear in the state", at, what)
			}
		}
	}
	for _, name := range []string{"url", "token"} {
		if !r.Outputs.Field(name).IsSecret() {
			t.Errorf("%s is in clear in the state", name)
		}
	}
	if r.Outputs.Field("title").IsSecret() || r.Inputs.Field("labels").IsSecret() {
		t.Error("what was not secret became so")
	}
	s.addTokens(1)
}

// TestRefreshIgnored drifts in what the program leaves alone.
func TestRefreshIgnored(t *testing.T) {
	s := newStack(t)
	program := resources(record("a", `name: alpha, title: one, labels: {env: dev, team: x}`, `ignoreChanges: [title, "labels[*]"]`))
	s.play(step{name: "create", program: program, want: `create a`})
	s.drift("alpha", func(in value.Value) value.Value {
		return with(t, with(t, in, "title", value.String("drifted")), "labels.env", value.String("prod"))
	})
	s.must("refresh", "--yes", "--skip-preview")
	s.play(step{name: "it stays", program: program})
}

// TestImport takes what is there into a stack. What differs from the program is
// put right in the same run; what would have to be replaced is refused, and so is
// what is not there.
func TestImport(t *testing.T) {
	s := newStack(t)
	with := func(properties string) string {
		return resources(record("b", properties+`, labels: {env: dev}`, `import: alpha`, `retainOnDelete: true`))
	}
	letGo := step{name: "let go", program: "resources: {}", want: `delete b`}
	s.play(
		step{name: "create", program: resources(record("b", `name: alpha, title: one, labels: {env: dev}`, `retainOnDelete: true`)), want: `create b`},
		letGo,
		step{name: "import", program: with(`name: alpha, title: one`), want: `import b`},
		letGo,
		step{name: "import what differs", program: with(`name: alpha, title: two`), want: "import b\nupdate b: update title"},
		letGo,
	)
	s.program(with(`name: alpha, title: two, zone: b`))
	if r := s.run("up", "--yes", "--skip-preview"); r.code == 0 || !strings.Contains(r.stdout, "may not be replaced") {
		t.Errorf("replaced instead of imported: %s", r)
	}
	s.program(strings.ReplaceAll(with(`name: alpha, title: two`), "import: alpha", "import: nobody"))
	if r := s.run("up", "--yes", "--skip-preview"); r.code == 0 {
		t.Errorf("imported what is not there: %s", r)
	}
	s.program("resources: {}")
	s.must("import", "demo:index:Record", "c", "alpha", "--yes", "--skip-preview", "--generate-code=false", "--protect=false")
	if r := s.resource("c"); !strings.HasPrefix(r.ID, "alpha#") || !r.Inputs.Field("title").Equal(value.String("two")) {
		t.Errorf("ID %q; not what is there", r.ID)
	}
	// What was imported before it could not be replaced is let go.
	s.play(step{name: "what the command imported", program: resources(record("c", `name: alpha, title: two, labels: {env: dev}`)), want: `delete b`})
}
