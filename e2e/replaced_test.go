package e2e_test

import (
	"strings"
	"testing"
)

// TestReplacedByItself replaces records by what they are already, in every way that
// there is to ask for it: the new one is there afterwards, and not the old one.
func TestReplacedByItself(t *testing.T) {
	s := newStack(t)
	const createFirst, deleteFirst = "Create a, Delete a", "Delete a, Create a"
	program := func(option string) string { return resources(record("a", `name: alpha, title: one`, option)) }
	s.play(step{name: "create", program: program(""), want: `create a`})
	urn := s.resource("a").URN
	for _, c := range []struct {
		name, option, order string
		before, up          []string
	}{
		{name: "tainted", before: []string{"state", "taint", "--yes", urn}, order: createFirst},
		{name: "named in the command", up: []string{"--target-replace", urn}, order: createFirst},
		{name: "a trigger", option: `replacementTrigger: "1"`},
		{name: "a trigger that changes", option: `replacementTrigger: "2"`, order: createFirst}, // the engine asks for no Diff
		{name: "tainted, with the old one deleted first", option: `replacementTrigger: "2", deleteBeforeReplace: true`, before: []string{"state", "taint", "--yes", urn}, order: deleteFirst},
	} {
		old := s.resource("a")
		s.program(program(c.option))
		if c.before != nil {
			s.must(c.before...)
		}
		before := len(s.operations())
		s.must(append([]string{"up", "--yes", "--skip-preview"}, c.up...)...)
		now := s.resource("a")
		if order := strings.Join(s.operations()[before:], ", "); order != c.order || (now.ID == old.ID) != (order == "") {
			t.Errorf("%s: %s, of %s is made %s", c.name, order, old.ID, now.ID)
		}
		s.holds("alpha")
		if r := s.run("refresh", "--yes", "--skip-preview", "--expect-no-changes"); r.code != 0 {
			t.Errorf("%s: what the state has is not what is there: %s", c.name, r)
		}
		s.settled()
	}
	s.destroy()
	s.holds()
}
