package e2e_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/state"
)

// between moves resources from the stack dev of one project to prod of another, with the CLI
// and with this repository's tool, and compares what both leave.
type between struct {
	*stack
	from string // the text of an export of dev, with secrets in plaintext
}

const (
	devStack  = "organization/e2e/dev"
	prodStack = "organization/other/prod"
)

// export writes an export of a stack, with secrets in plaintext.
func (b *between) export(stack, file string) string {
	b.t.Helper()
	b.must("stack", "export", "--show-secrets", "--stack", stack, "--file", b.in("out", file))
	return b.read(b.in("out", file))
}

// imports makes a stack what a text says.
func (b *between) imports(stack, text string) {
	b.t.Helper()
	b.save("import.json", text)
	b.must("stack", "import", "--stack", stack, "--file", b.in("out", "import.json"))
}

// urns are those of the resources of a file, in its order.
func (b *between) urns(file string) (all []string) {
	b.t.Helper()
	f, err := state.Parse(b.read(b.in("out", file)), state.Options{})
	if err != nil {
		b.t.Fatal(err)
	}
	for r, err := range f.Resources() {
		if err != nil {
			b.t.Fatal(err)
		}
		all = append(all, r.URN)
	}
	return all
}

// move compares a move by both. The CLI has either to take it, or to refuse it with a text.
func (b *between) move(name, to, refusal string, args ...string) {
	b.t.Helper()
	b.save("dev.json", b.from)
	b.save("prod.json", to)
	b.imports(devStack, b.from)
	b.imports(prodStack, to)
	cli := b.run(append([]string{"state", "move", "--yes", "--source", devStack, "--dest", prodStack}, args...)...)
	if said := cli.stdout + cli.stderr; (cli.code == 0) != (refusal == "") || !strings.Contains(said, refusal) {
		b.t.Fatalf("%s: %s", name, cli)
	}

	args = append([]string{"state", "move", "--stack", "prod", "--project", "other", "out/dev.json", "out/prod.json"}, args...)
	out, code := b.propalg(args...)
	b.t.Logf("%s:\n%s", name, out)
	if (code == 0) != (refusal == "") {
		b.t.Fatalf("%s: exit code %d: %s", name, code, out)
	}
	if refusal != "" {
		return
	}
	b.export(devStack, "dev-cli.json")
	b.export(prodStack, "prod-cli.json")
	for _, file := range []string{"dev", "prod"} {
		ours, theirs := file+".json", file+"-cli.json"
		if text, code := b.propalg("diff", "out/"+theirs, "out/"+ours); code != 0 {
			b.t.Errorf("%s: %s: what the CLI makes differs from what the tool makes:\n%s", name, file, text)
		}
		if a, b2 := b.urns(theirs), b.urns(ours); !slices.Equal(a, b2) {
			b.t.Errorf("%s: %s: the order is\n%s\nwith the CLI, and\n%s", name, file, strings.Join(a, "\n"), strings.Join(b2, "\n"))
		}
		if text, code := b.propalg("state", "check", "--severity", "error", "out/"+ours); code != 0 {
			b.t.Errorf("%s: %s: %s", name, file, text)
		}
	}
}

// TestMove: the tool moves resources as the CLI does.
func TestMove(t *testing.T) {
	s := newBareStack(t)
	urn := func(typ, name string) string { return "urn:pulumi:dev::e2e::" + typ + "::" + name }
	s.program(resources("  p:\n    type: pulumi:providers:demo\n",
		record("a", `name: alpha, title: one, labels: {env: dev}`, `provider: "${p}"`, `protect: true`),
		record("b", `name: beta, title: "of ${a.name}"`, `dependsOn: ["${g}"]`, `deletedWith: "${a}"`),
		record("c", `name: gamma, title: {"fn::secret": "no word"}`, `dependsOn: ["${b}"]`),
		record("d", `name: delta`, `parent: "${a}"`),
		group("g", `names: [one, two], title: t, labels: {env: dev}`),
		group("h", `names: [three], title: "of ${b.name}", labels: {env: dev}`)))
	s.up()
	s.write("Pulumi.yaml", "name: other\nruntime: yaml\n")
	s.must("stack", "init", prodStack)
	b := &between{stack: s}
	empty := b.export(prodStack, "empty.json")
	b.from = b.export(devStack, "from.json")

	a, g, one := urn("demo:index:Record", "a"), urn("demo:index:Group", "g"), urn("demo:index:Group$demo:index:Record", "g-one")
	b.move("an explicit provider, protected, with a child, into nothing", empty, "", a)
	there := b.read(b.in("out", "prod-cli.json"))
	b.move("a default provider, and dependencies of both kinds", empty, "", urn("demo:index:Record", "b"))
	both := b.read(b.in("out", "prod-cli.json"))
	b.move("a secret, and the default provider is there", both, "", urn("demo:index:Record", "c"))
	b.move("a component", empty, "", g)
	b.move("a part of a component", empty, "", one)
	b.move("a part with its parents", empty, "", "--include-parents", one)
	b.move("several", empty, "", a, urn("demo:index:Record", "b"), urn("demo:index:Group", "h"))
	b.move("all", empty, "", urn("pulumi:pulumi:Stack", "e2e-dev"))
	b.move("it is there already", there, "already exists in destination stack", a)
	b.move("a provider", there, "cannot move providers", urn("pulumi:providers:demo", "p"))
	b.move("nothing", there, "no resources found to move", urn("demo:index:Record", "x"))

	other := strings.Replace(there, `"id": "`+b.idOf(there, "::p")+`"`, `"id": "other"`, 1)
	other = strings.ReplaceAll(other, "::p::"+b.idOf(there, "::p"), "::p::other")
	b.move("a provider with another ID and the same inputs", withoutRecord(t, other, "::a", "::d"), "", a)
}

// idOf returns the ID of the resource of which the URN ends so.
func (b *between) idOf(text, end string) string {
	b.t.Helper()
	f, err := state.Parse(text, state.Options{})
	if err != nil {
		b.t.Fatal(err)
	}
	for r, err := range f.Resources() {
		if err == nil && strings.HasSuffix(r.URN, end) {
			return r.ID
		}
	}
	b.t.Fatalf("no resource %s", end)
	return ""
}

// withoutRecord deletes resources of which the URNs end so.
func withoutRecord(t *testing.T, text string, ends ...string) string {
	t.Helper()
	e := state.Edits{Protected: true}
	f, err := state.Parse(text, state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for r, err := range f.Resources() {
		if err == nil && slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(r.URN, end) }) {
			e.Delete = append(e.Delete, r.URN)
		}
	}
	var out strings.Builder
	if _, err := state.Rewrite(strings.NewReader(text), &out, e); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
