package e2e_test

import (
	"os"
	"path/filepath"
	"testing"
)

// TestQuickstart takes a file of examples/quickstart through its life. What is secret in
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
		if got, err := os.ReadFile(file); want == "" && !os.IsNotExist(err) || want != "" && string(got) != want {
			t.Errorf("%s holds %q, %v, wanted %q", file, got, err, want)
		}
	}

	program("path: " + quoted(one) + ", text: hello")
	s.up()
	holds(one, "hello")
	program("path: " + quoted(one) + ", text: good bye")
	s.up()
	holds(one, "good bye")
	program("path: " + quoted(two) + `, text: "${hidden}"`)
	s.up()
	holds(one, "")
	holds(two, "hunter2hunter2")
	if err := os.Remove(two); err != nil { // before the canaries are looked for
		t.Fatal(err)
	}
	s.destroy()
}
