package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/value"
)

// world is a folder with the demo provider as an installed plugin, and its store.
type world struct {
	t       *testing.T
	dir     string
	program string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir()}
	w.program = filepath.Join(w.dir, "plugins", "resource-demo-v0.1.0", "pulumi-resource-demo")
	build := exec.Command("go", "build", "-o", w.program, "./pulumi-resource-demo")
	build.Dir = "../provider"
	build.Env = append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the provider: %v\n%s", err, out)
	}
	return w
}

func (w *world) in(name string) string { return filepath.Join(w.dir, name) }

func (w *world) config() string { return fmt.Sprintf(`{"store": %q}`, w.in("store.db")) }

// create makes records with the provider itself, and returns the state of a stack
// that has them.
func (w *world) create(inputs map[string]string) string {
	w.t.Helper()
	var declared []string
	for _, name := range []string{"a", "b", "c"} {
		if text, ok := inputs[name]; ok {
			declared = append(declared, fmt.Sprintf(`{"type": "demo:index:Record", "name": %q, "properties": %s}`, name, text))
		}
	}
	p, err := parseProgram([]byte(w.text(strings.Join(declared, ","))))
	if err != nil {
		w.t.Fatal(err)
	}
	stack := engine.Stack{Launch: launcher([]string{w.in("plugins")})}
	for action, err := range stack.Update(context.Background(), p) {
		if err != nil {
			w.t.Fatal(action, err)
		}
	}
	var resources []string
	for _, r := range stack.Resources {
		resources = append(resources, fmt.Sprintf(`{"urn": %q, "custom": true, "id": %q, "type": %q, "provider": %q, "inputs": %s, "outputs": %s}`,
			r.URN, r.ID, r.Type, r.Provider, w.json(r.Inputs), w.json(r.Outputs)))
	}
	return `{"version": 3, "deployment": {"resources": [` + strings.Join(resources, ",") + `]}}`
}

// text is a program with resources.
func (w *world) text(resources string) string {
	return `{"stack": "dev", "project": "shop", "packages": {"demo": {"version": "0.1.0", "config": ` + w.config() + `}}, "resources": [` + resources + `]}`
}

// json is a bag as a state file has it that shows secrets.
func (w *world) json(bag value.Value) string {
	w.t.Helper()
	text, err := codec.AppendJSON(nil, bag, codec.Options{})
	if err != nil {
		w.t.Fatal(err)
	}
	return string(text)
}

// plan runs the command.
func (w *world) plan(state, resources string) (string, error) {
	w.t.Helper()
	program := w.text(resources)
	if !json.Valid([]byte(program)) {
		w.t.Fatalf("no JSON: %s", program)
	}
	for name, text := range map[string]string{"program.json": program, "state.json": state} {
		if err := os.WriteFile(w.in(name), []byte(text), 0o600); err != nil {
			w.t.Fatal(err)
		}
	}
	var out bytes.Buffer
	err := run(context.Background(), []string{"-plugins", w.in("plugins"), "-state", w.in("state.json"), w.in("program.json")}, &out)
	return out.String(), err
}

// What is printed besides: the default provider of a stack that has none, and the deletion of
// what was replaced.
const (
	provides = "create pulumi:providers:demo default_0_1_0: it is not managed yet\n"
	waits    = "delete-replaced demo:index:Record a: it was replaced, and waits for its deletion\n"
)

// TestPlan plans against the demo provider.
func TestPlan(t *testing.T) {
	w := newWorld(t)
	const nothing = `{"version": 3, "deployment": {}}`
	state := w.create(map[string]string{
		"a": `{"name": "alpha", "title": "one", "labels": {"env": "dev", "a.b": "x"}, "password": "canary"}`,
		"b": `{"name": "beta"}`,
		"c": `{"title": "named by the provider"}`,
	})
	a := func(properties, options string) string {
		return `{"type": "demo:index:Record", "name": "a", "properties": {"name": "alpha", ` + properties + `}` + options + `}`
	}
	const (
		b    = `, {"type": "demo:index:Record", "name": "b", "properties": {"name": "beta"}}`
		c    = `, {"type": "demo:index:Record", "name": "c", "properties": {"title": "named by the provider"}}`
		rest = `"labels": {"env": "dev", "a.b": "x"}, "password": "canary"`
	)
	for _, test := range []struct{ name, state, resources, want, fails string }{
		{name: "nothing", state: state, resources: a(`"title": "one", `+rest, ``) + b + c},
		{name: "create", state: nothing, resources: a(`"title": "one"`, ``), want: provides + "create demo:index:Record a: it is not managed yet\n"},
		{
			name: "update and delete", state: state, resources: a(`"title": "two", "labels": {"a.b": "y", "new": "n"}, "password": "canary"`, ``) + b,
			want: "update demo:index:Record a: something changed (labels, title)\n" +
				"    ~ labels: {\n        ~ a.b: \"x\" => \"y\"\n        - env: \"dev\"\n        + new: \"n\"\n      }\n    ~ title : \"one\" => \"two\"\n" +
				"delete demo:index:Record c: the program does not declare it\n",
		},
		{
			name: "a secret", state: state, resources: a(`"title": "one", "labels": {"env": "dev", "a.b": "x"}, "password": "canary2"`, ``) + b + c,
			want: "update demo:index:Record a: something changed (password)\n    ~ password: [secret] => [secret]\n",
		},
		{
			name: "replace", state: state, resources: a(`"title": "one", "zone": "z", `+rest, ``) + b + c,
			want: "delete-replaced demo:index:Record a: something changed that replaces (zone)\n" +
				"create-replacement demo:index:Record a: something changed that replaces (zone)\n    ~ zone: \"a\" => \"z\"\n",
		},
		{
			name: "replace in the order of the option", state: state, resources: a(`"title": "one", "zone": "z", `+rest, `, "deleteBeforeReplace": false`) + b + c,
			want: "create-replacement demo:index:Record a: something changed that replaces (zone)\n    ~ zone: \"a\" => \"z\"\n" + waits,
		},
		{
			name: "replaceOnChanges", state: state, resources: a(`"title": "two", `+rest, `, "replaceOnChanges": ["title"]`) + b + c,
			want: "delete-replaced demo:index:Record a: something changed that replaces (title)\n" +
				"create-replacement demo:index:Record a: something changed that replaces (title)\n    ~ title: \"one\" => \"two\"\n",
		},
		{name: "ignoreChanges", state: state, resources: a(`"title": "two", "labels": {"env": "prod", "a.b": "x"}, "password": "canary"`, `, "ignoreChanges": ["title", "labels[*]"]`) + b + c},
		{
			name: "import", state: nothing, resources: a(`"title": "one", `+rest, `, "import": "alpha"`),
			want: provides + "import demo:index:Record a: the run asks for it\n",
		},
		{
			name: "import what differs", state: nothing, resources: a(`"title": "two", `+rest, `, "import": "alpha"`),
			want: provides + "import demo:index:Record a: the run asks for it\nupdate demo:index:Record a: something changed (title)\n    ~ title: \"one\" => \"two\"\n",
		},
		{
			name: "import what would be replaced", state: nothing, resources: a(`"title": "one", "zone": "z", `+rest, `, "import": "alpha"`),
			fails: "a: the imported resource would have to be replaced",
		},
		{name: "import what is not there", state: nothing, resources: a(`"title": "one"`, `, "import": "nobody"`), fails: `there is nothing with this ID: "nobody"`},
		{name: "refused", state: state, resources: a(`"size": -1`, ``), fails: "a: Check: size: "},
		{name: "refused import", state: nothing, resources: a(`"size": -1`, `, "import": "alpha"`), fails: "a: Check: size: "},
		{name: "no provider", state: state, resources: `{"type": "other:index:Thing", "name": "x"}`, fails: "no provider other"},
	} {
		t.Run(test.name, func(t *testing.T) { w.check(t, test.state, test.resources, test.want, test.fails) })
		t.Run(test.name+", by the engine alone", func(t *testing.T) {
			t.Setenv("DEMO_DIFF_UNKNOWN", "1") // the provider leaves the comparison to us
			w.check(t, test.state, test.resources, test.want, test.fails)
		})
	}
}

// check holds a plan against what is wanted: the steps, or what is in the error.
func (w *world) check(t *testing.T, state, resources, want, fails string) {
	t.Helper()
	got, err := w.plan(state, resources)
	switch {
	case fails == "" && err != nil:
		t.Fatal(err)
	case fails != "" && (err == nil || !strings.Contains(err.Error(), fails)):
		t.Fatalf("error %v, not %s", err, fails)
	case got != want && fails == "":
		t.Errorf("planned\n%s\nnot\n%s", got, want)
	}
	if strings.Contains(got+fmt.Sprint(err), "canary") {
		t.Error("a secret is shown")
	}
}

// TestPlanOddStates plans from states in which resources are not simply there.
func TestPlanOddStates(t *testing.T) {
	w := newWorld(t)
	state := w.create(map[string]string{"a": `{"name": "alpha", "title": "one"}`, "b": `{"name": "beta"}`})
	a := func(options string) string {
		return `{"type": "demo:index:Record", "name": "a", "properties": {"name": "alpha", "title": "one"}` + options + `}`
	}
	const b = `, {"type": "demo:index:Record", "name": "b", "properties": {"name": "beta"}}`
	first := strings.Index(state, `{"urn": "urn:pulumi:dev::shop::demo:index:Record::a"`)
	provider, own, others := state[:first], state[first:strings.LastIndex(state, `,{"urn"`)], state[strings.LastIndex(state, `,{"urn"`):]
	with := func(members string) string {
		return provider + strings.Replace(own, `"custom": true`, `"custom": true, `+members, 1) + others
	} // of a
	twice := func(members string) string { // a second one of a
		return provider + strings.Replace(own, `"custom": true`, `"custom": true, `+members, 1) + "," + own + others
	}
	const makes = "create-replacement demo:index:Record a: "
	for _, test := range []struct{ name, state, resources, want, fails string }{
		{name: "deleted to be replaced", state: with(`"pendingReplacement": true`), resources: a(`, "deleteBeforeReplace": true`) + b, want: makes + "a replacement is pending\n"},
		{name: "deleted to be replaced, and not declared", state: with(`"pendingReplacement": true`), resources: b[2:], want: "remove-pending-replace demo:index:Record a: the program does not declare it\n"},
		{name: "external and not declared", state: with(`"external": true`), resources: b[2:], want: "discard demo:index:Record a: the program does not declare it\n"},
		{
			name: "external", state: with(`"external": true`), resources: a("") + b,
			want: makes + "it is not managed yet\ndiscard-replaced demo:index:Record a: it was replaced, and waits for its deletion\n",
		},
		{
			name: "external, imported", state: with(`"external": true`), resources: a(`, "import": "alpha"`) + b,
			want: "import-replacement demo:index:Record a: the run asks for it\ndiscard-replaced demo:index:Record a: it was replaced, and waits for its deletion\n",
		},
		{name: "protected and not declared", state: with(`"protect": true`), resources: b[2:], fails: "a: the resource is protected and cannot be deleted"},
		{name: "secret outputs", state: with(`"additionalSecretOutputs": ["title"]`), resources: a(`, "additionalSecretOutputs": ["title"]`) + b},
		{name: "protected", state: with(`"protect": true`), resources: a("") + b},
		{name: "waits for deletion", state: with(`"delete": true`), resources: a("") + b, want: "create demo:index:Record a: it is not managed yet\n" + waits},
		{name: "waits for deletion, protected", state: with(`"delete": true, "protect": true`), resources: b[2:], want: waits},
		{name: "another waits for deletion", state: twice(`"delete": true`), resources: a("") + b, want: waits},
		{
			name: "another waits for deletion, and neither is declared", state: twice(`"delete": true`), resources: b[2:],
			want: "delete demo:index:Record a: the program does not declare it\n" + waits,
		},
		{name: "an external one waits", state: twice(`"delete": true, "external": true`), resources: a("") + b, want: "discard" + waits[len("delete"):]},
		{name: "import with another ID", state: state, resources: a(`, "import": "beta"`) + b, fails: "a: the imported resource would have to be replaced"},
		{name: "imported", state: with(`"importID": "the first"`), resources: a(`, "import": "the first"`) + b},
		{name: "marked", state: with(`"taint": true`), resources: a(`, "deleteBeforeReplace": false`) + b, want: makes + "something changed that replaces (id)\n" + waits},
		{
			name: "marked, deleted first", state: with(`"taint": true`), resources: a(`, "deleteBeforeReplace": true`) + b,
			want: "delete-replaced demo:index:Record a: something changed that replaces (id)\n" + makes + "something changed that replaces (id)\n",
		},
		{
			name: "another depends on it", resources: a(`, "deleteBeforeReplace": true`) + b,
			state: provider + strings.Replace(own, `"custom": true`, `"custom": true, "taint": true`, 1) +
				strings.Replace(others, `,{"urn"`, `,{"propertyDependencies": {"name": ["urn:pulumi:dev::shop::demo:index:Record::a"]}, "urn"`, 1),
			want: "delete-replaced demo:index:Record b: a resource that it depends on is replaced, and deleted first (name), because of demo:index:Record a\n" +
				"delete-replaced demo:index:Record a: something changed that replaces (id)\n" + makes + "something changed that replaces (id)\n" +
				"create-replacement demo:index:Record b: a resource that it depends on is replaced, and deleted first (name), because of demo:index:Record a\n",
		},
		{name: "views", state: with(`"viewOf": "urn:pulumi:dev::shop::demo:index:Record::b"`), resources: a("") + b, fails: "viewOf is not supported"},
	} {
		t.Run(test.name, func(t *testing.T) { w.check(t, test.state, test.resources, test.want, test.fails) })
	}
}

func TestLookup(t *testing.T) {
	folders := []string{t.TempDir(), t.TempDir(), "nowhere"}
	for i, versions := range [][]string{{"v1.2.0", "v1.10.0", "v2.0.0", "v0.1.0", "v0.2.0", "latest"}, {"v1.9.3", "v3.0.0-beta.1", "v0.1.7"}} {
		for _, v := range versions {
			folder := filepath.Join(folders[i], "resource-demo-"+v)
			if err := os.Mkdir(folder, 0o755); err != nil {
				t.Fatal(err)
			}
			if v == "v2.0.0" {
				continue // an empty folder is no plugin
			}
			if err := os.WriteFile(filepath.Join(folder, "pulumi-resource-demo"), nil, 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, test := range []struct{ want, found string }{
		{"1.2.0", "v1.2.0"},
		{"v1.9.3", "v1.9.3"},
		{"1.9.9", ""},
		{"2.0.0", ""},
		{"3.0.0-beta.1", "v3.0.0-beta.1"},
		{"", "v1.10.0"},
		{"one", ""},
	} {
		program, err := lookup(folders, engine.Plugin{Name: "demo", Version: test.want})
		if found := strings.TrimPrefix(filepath.Base(filepath.Dir(program)), "resource-demo-"); (err == nil && found != test.found) || (err != nil && test.found != "") {
			t.Errorf("version %q: found %s, %v, not %s", test.want, found, err, test.found)
		}
	}
	if _, err := lookup(folders, engine.Plugin{Name: "dem"}); err == nil {
		t.Error("another package is found")
	}
}
