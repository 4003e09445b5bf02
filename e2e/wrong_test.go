package e2e_test

import (
	"strings"
	"testing"
)

// TestWrongInputs previews a record with one wrong input after the other, and holds what
// the CLI prints about it. The values are outputs of type Any of another record, since the
// YAML host checks by the schema what it can see.
func TestWrongInputs(t *testing.T) {
	s := newStack(t)
	s.secretConfig("token", "canary-wrong-Zz9")
	s.canaries = append(s.canaries, "canary-wrong-key")
	for _, row := range []struct{ name, property, value, want string }{
		{"another kind", "size", `big`, "size: expected integer, found string"},
		{"a fraction", "size", `1.5`, "size: expected integer, found number with a fraction"},
		{"beyond the schema", "size", `-1`, "size: is out of range"},
		{"a name misspelled", "settings", `{retentoin: 7}`, "settings.retentoin: expected the name of a property, such as retention, found a property that is not in the schema"},
		{"an unknown name", "settings", `{colour: red}`, "settings.colour: found a property that is not in the schema"},
		{"a required property missing", "rules", `[{name: a}]`, "rules[0].port: expected a value, found none"},
		{"another kind in a list", "members", `[a, 1]`, "members[1]: expected string, found number"},
		{"twice in a list", "members", `[a, b, a]`, "members[2]: duplicate element"},
		{"another kind in a map of maps", "limits", `{cpu: {soft: x}}`, "limits.cpu.soft: expected number, found string"},
		{"a text for an archive", "bundle", `./folder`, "bundle: expected archive, found string"},
		{"an object for a list", "members", `{a: 1}`, "members: expected array of string, found object"},
		{"another kind in a secret", "labels", `{fn::secret: {canary-wrong-key: 1}}`, "labels: expected string, found number"},
		{"a secret of another kind", "title", `["${token}"]`, "title: expected string, found array"},
	} {
		s.program("config:\n  token: {type: string, secret: true}\n" + resources(
			record("b", "name: beta, extra: {x: "+row.value+"}"),
			record("a", "name: alpha, "+row.property+": \"${b.extra.x}\"")))
		r := s.run("preview")
		text := r.stdout + r.stderr
		property, reason, _ := strings.Cut(row.want, ": ")
		if r.code == 0 || !strings.Contains(text, reason) || !strings.Contains(text, property) {
			t.Errorf("%s: want %s in\n%s", row.name, row.want, r)
		}
		for line := range strings.Lines(text) {
			if strings.Contains(line, reason) {
				t.Logf("%s: %s", row.name, strings.TrimSpace(line))
				break
			}
		}
	}
}
