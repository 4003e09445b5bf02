package e2e_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// TestComponent makes, changes and removes a component, whose records the
// provider registers with the engine itself.
func TestComponent(t *testing.T) {
	s := newStack(t)
	outputs := "outputs:\n  size: ${g.size}\n  urls: ${g.urls}\n"
	s.program(resources(group("g", `names: [one, two], title: t, labels: {env: dev}`)) + outputs)
	s.up()
	s.program(resources(group("g", `names: [one, two, three], title: u, labels: {env: dev, x: y}`)) + outputs)
	s.expect("children change, and come",
		"update g-one: add labels.x, update title", "update g-two: add labels.x, update title", "create g-three")
	s.up()
	s.program(resources(group("g", `names: [three], title: u, labels: {env: dev, x: y}`)) + outputs)
	s.expect("children go", "delete g-two", "delete g-one")
	s.up()
	var out struct {
		Size float64
		URLs map[string]string
	}
	if err := json.Unmarshal([]byte(s.must("stack", "output", "--json").stdout), &out); err != nil {
		t.Fatal(err)
	}
	if out.Size != 1 || len(out.URLs) != 1 || out.URLs["three"] == "" {
		t.Errorf("outputs are %v", out)
	}
	if c := s.resource("g"); c.Custom || s.resource("g-three").Parent != c.URN {
		t.Error("not a component with its children")
	}
	s.destroy()
}

// TestComponentDependencies makes a component of what depends on a record: so do its
// records, each in the properties that do, and are deleted first.
func TestComponentDependencies(t *testing.T) {
	s := newStack(t)
	program := resources(record("a", `name: alpha`), group("g", `names: [one], title: "at ${a.url}", labels: {env: dev}`))
	s.play(step{name: "create", program: program, want: "create a\ncreate g\ncreate g-one"})
	a, child := s.resource("a").URN, s.resource("g-one")
	if !slices.Contains(child.Dependencies, a) || !slices.Contains(child.PropertyDependencies["title"], a) || len(child.PropertyDependencies["labels"]) > 0 {
		t.Errorf("it depends on %v, by property on %v", child.Dependencies, child.PropertyDependencies)
	}
	s.destroy()
	operations := s.operations()
	if order := operations[len(operations)-2:]; !slices.Equal(order, []string{"Delete g-one", "Delete a"}) {
		t.Errorf("%v", order)
	}
}

// TestComponentOptions asks of a component what has an effect on what it registers.
func TestComponentOptions(t *testing.T) {
	s := newStack(t)
	program := func(title, option string) string {
		return resources(group("g", `names: [one], title: `+title, option))
	}
	s.play(
		step{name: "create", program: program("t", ""), want: "create g\ncreate g-one"},
		step{name: "ignored", program: program("u", `ignoreChanges: [title]`), want: "update g-one: update title"},
	)
}

// expect says what a preview names, in any order.
func (s *stack) expect(name string, want ...string) {
	s.t.Helper()
	missing := map[string]bool{}
	for _, line := range want {
		missing[line] = true
	}
	for _, p := range s.preview() {
		line := p.String()
		if !missing[line] && p.name() != "g" {
			s.t.Errorf("%s: planned %s", name, line)
		}
		delete(missing, line)
	}
	for line := range missing {
		s.t.Errorf("%s: not planned: %s", name, line)
	}
}

// TestFunction calls the provider's function from a program.
func TestFunction(t *testing.T) {
	s := newStack(t)
	s.play(step{name: "create", program: resources(record("a", `name: alpha, title: one, size: 3`)), want: `create a`})
	const invoke = "variables:\n  found: {\"fn::invoke\": {function: \"demo:index:getRecord\", arguments: {name: NAME}}}\noutputs:\n  title: ${found.title}\n"
	program := func(name string) string {
		return resources(record("a", `name: alpha, title: one, size: 3`)) + strings.ReplaceAll(invoke, "NAME", name)
	}
	s.program(program("alpha"))
	s.must("up", "--yes", "--skip-preview")
	if got := s.must("stack", "output", "title").stdout; got != "one\n" {
		t.Errorf("title is %q", got)
	}
	s.program(program("nobody"))
	if r := s.run("up", "--yes", "--skip-preview"); r.code == 0 {
		t.Errorf("there is no such record: %s", r)
	}
}
