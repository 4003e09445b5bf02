package e2e_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/propalg/propalg/value"
)

// TestQuickstart takes a file of examples/quickstart through its life, with a refresh after
// it was edited, and an import. What is secret in
// the program is so in the state, too.
func TestQuickstart(t *testing.T) {
	s := newStack(t)
	s.secretConfig("hidden", "hunter2hunter2")
	one, two := s.in("cloud", "one"), s.in("cloud", "two")
	program := func(properties string) {
		s.write("Pulumi.yaml", "name: e2e\nruntime: yaml\nplugins:\n  providers:\n  - name: quickstart\n    path: "+filepath.Join(bin, "quickstart")+
			"\nconfig:\n  hidden: {type: string, secret: true}\nresources:\n  a:\n    type: quickstart:index:File\n    properties: {"+properties+"}\n")
	}
	holds := func(file, want string) {
		t.Helper()
		if got, err := os.ReadFile(file); (want == "" && !os.IsNotExist(err)) || (want != "" && string(got) != want) {
			t.Errorf("%s holds %q, %v, wanted %q", file, got, err, want)
		}
	}

	program("path: " + quoted(one) + ", text: hello")
	s.up()
	holds(one, "hello")
	program("path: " + quoted(one) + ", text: good bye")
	s.up()
	holds(one, "good bye")
	changed := func(text string) {
		if err := os.WriteFile(one, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	inState := func(want string) {
		t.Helper()
		r := s.resource("a")
		if text, _ := r.Inputs.Field("text").AsString(); text != want || !r.Outputs.Field("size").Equal(value.Number(float64(len(want)))) {
			t.Errorf("in the state: %v, %v, wanted %q", r.Inputs, r.Outputs, want)
		}
	}
	changed("edited")
	s.must("refresh", "--yes", "--skip-preview")
	inState("edited")
	s.must("state", "delete", s.resource("a").URN, "--yes")
	changed("imported")
	s.must("import", "quickstart:index:File", "a", one, "--yes", "--skip-preview", "--generate-code=false", "--protect=false")
	inState("imported")
	if r := s.run("preview", "--expect-no-changes"); r.code == 0 {
		t.Errorf("nothing to change: %s", r)
	}
	program("path: " + quoted(two) + `, text: "${hidden}"`)
	s.up()
	holds(one, "")
	holds(two, "hunter2hunter2")
	if err := os.Remove(two); err != nil { // before the canaries are looked for
		t.Fatal(err)
	}
	s.destroy()
}

// TestFirstProvider runs the program of the guide to a first provider.
func TestFirstProvider(t *testing.T) {
	page, err := os.ReadFile("../docs/guides/first-provider.md")
	if err != nil {
		t.Fatal(err)
	}
	_, program, _ := strings.Cut(string(page), "```yaml\n")
	program, _, found := strings.Cut(program, "```")
	if !found || !strings.Contains(program, "name: notes\n") || !strings.Contains(program, "path: .\n") {
		t.Fatalf("the program of the guide is\n%s", program)
	}
	s := newStack(t)
	program = strings.Replace(program, "name: notes\n", "name: e2e\n", 1)
	s.write("Pulumi.yaml", strings.Replace(program, "path: .\n", "path: "+filepath.Join(bin, "quickstart")+"\n", 1))
	if r := s.up(); !strings.Contains(r.stdout, "size: 5") {
		t.Errorf("no size in %s", r)
	}
	s.destroy()
}
