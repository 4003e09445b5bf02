package e2e_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// rewrite exports the stack, edits the file, and imports it.
func (s *stack) rewrite(e state.Edits) {
	s.t.Helper()
	s.imports(s.export(), e)
}

// imports edits a file, and imports it.
func (s *stack) imports(data []byte, e state.Edits) result {
	s.t.Helper()
	var out bytes.Buffer
	if _, err := state.Rewrite(bytes.NewReader(data), &out, e); err != nil {
		s.t.Fatal(err)
	}
	file := s.in("out", "rewritten.json")
	if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return s.must("stack", "import", "--file", file)
}

// TestRewrite edits the state of a stack in every way that there is. The engine takes the
// file, and a preview of the program that was edited in the same way finds no change.
func TestRewrite(t *testing.T) {
	s := newStack(t)
	urn := func(typ, name string) string { return "urn:pulumi:dev::e2e::" + typ + "::" + name }
	program := func(provider, a, g string) string {
		return resources("  "+provider+":\n    type: pulumi:providers:demo\n",
			record(a, `name: alpha, title: one, labels: {env: dev}`, `provider: "${`+provider+`}"`),
			record("b", `name: beta, title: "of ${`+a+`.name}"`, `dependsOn: ["${`+g+`}"]`, `deletedWith: "${`+a+`}"`),
			group(g, `names: [one], title: t, labels: {env: dev}`)) + "outputs:\n  url: ${" + a + ".url}\n"
	}
	s.program(program("p", "a", "g"))
	s.up()
	first := s.export()

	s.rewrite(state.Edits{Rename: map[string]string{
		urn("pulumi:providers:demo", "p"): "provider", urn("demo:index:Record", "a"): "renamed",
		urn("demo:index:Group", "g"): "group", urn("demo:index:Group$demo:index:Record", "g-one"): "group-one",
	}})
	s.program(program("provider", "renamed", "group"))
	s.settled()

	record := urn("demo:index:Record", "renamed")
	set := func(at string, v value.Value, bags ...string) (e state.Edits) {
		for _, bag := range bags {
			e.Properties = append(e.Properties, state.PropertyEdit{Resource: record, Bag: bag, At: path.MustParse(at), Value: v})
		}
		return e
	}
	before := s.export()
	removed := set("labels.env", value.Null(), "inputs", "outputs")
	for i := range removed.Properties {
		removed.Properties[i].Remove = true
	}
	s.imports(before, state.Edits{
		Properties: append(set("title", value.String("other"), "inputs", "outputs").Properties, removed.Properties...),
		Delete:     []string{urn("demo:index:Record", "b")},
	})
	s.expect("set, removed, deleted", "update renamed: add labels.env, update title", "create b")

	s.imports(before, state.Edits{Depth: 5})
	s.expect("labels are null", "update renamed: add labels", "update group", "update group-one: add labels")

	pending := `"pending_operations": [{"resource": {"urn": "` + urn("demo:index:Record", "new") + `", "custom": true, "type": "demo:index:Record"}, "type": "creating"}], "resources"`
	interrupted := bytes.Replace(before, []byte(`"resources"`), []byte(pending), 1)
	if r := s.imports(interrupted, state.Edits{}); !strings.Contains(r.stderr, "removing pending operation") {
		t.Errorf("no pending operation: %s", r)
	}
	if r := s.imports(interrupted, state.Edits{ClearPending: true}); strings.Contains(r.stderr, "pending operation") {
		t.Errorf("a pending operation is left: %s", r)
	}
	s.settled()

	marked := set("title", value.Null(), "inputs", "outputs")
	for i := range marked.Properties {
		marked.Properties[i].Secret = true
	}
	s.imports(before, marked)
	if text := string(s.export()); strings.Contains(text, `"title": "one"`) || !s.resource("renamed").Inputs.Field("title").IsSecret() {
		t.Error("the title is not a secret")
	}
	s.program(strings.Replace(program("provider", "renamed", "group"), "title: one", `title: {"fn::secret": one}`, 1))
	s.settled()

	s.program(program("p", "a", "g"))
	s.write("Pulumi.yaml", strings.Replace(s.read(s.in("program", "Pulumi.yaml")), "name: e2e", "name: other", 1))
	s.must("stack", "init", "prod")
	s.imports(first, state.Edits{OldStack: "dev", NewStack: "prod", OldProject: "e2e", NewProject: "other"})
	s.settled()
}
