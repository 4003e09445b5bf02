package e2e_test

import (
	"context"
	"slices"

	"github.com/propalg/propalg/examples/provider/store"
	"github.com/propalg/propalg/value"
)

// story is a stack with a sequence of edits.
type story struct {
	name  string
	edits []edit
}

// edit is one run of the engine, and what is done before it.
type edit struct {
	// program is what the program declares, as YAML; of an edit without one, what it
	// declared before.
	program string
	// command is up, refresh or destroy; up if it is empty.
	command string
	// fail lists the calls of the provider that fail, as DEMO_FAIL does.
	fail string
	// cloud changes what the provider keeps.
	cloud func(*store.Store) error
	// state changes the state.
	state []tampering
	// insisted is set where only the preview of package engine fails: it makes the update
	// all the same.
	insisted bool
	// otherwise is what package engine does otherwise: lines that only the CLI has, with "-",
	// and those that only package engine has, with "+". docs/notes/engine.md has the reasons.
	otherwise string
}

// tampering is a change of a resource in the state: of one member, or of a copy of the
// resource that is put after it.
type tampering struct {
	name   string // of the resource
	member string
	value  string // JSON
	copies bool   // the resource is copied, and the copy changed
}

// keep puts a record into the cloud that no engine made.
func keep(name, title string) func(*store.Store) error {
	text := func(key, s string) value.Member { return value.Member{Key: key, Value: value.String(s)} }
	size := value.Member{Key: "size", Value: value.Number(1)}
	return func(cloud *store.Store) error {
		return cloud.Save(context.Background(), store.Record{
			Name: name, URN: "urn:pulumi:other::e2e::demo:index:Record::" + name, Phase: store.Ready,
			Inputs: value.Object(text("name", name), text("title", title), text("zone", "a"), size),
			Outputs: value.Object(
				value.Member{Key: "revision", Value: value.Number(1)},
				value.Member{Key: "token", Value: value.Secret(value.String("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))},
				text("url", "https://"+name+".a.demo.test/")),
		})
	}
}

// drift changes the title of a record in the cloud, and nobody is told.
func drift(name, title string) func(*store.Store) error {
	return func(cloud *store.Store) error {
		_, err := cloud.Change(context.Background(), name, func(r store.Record, _ bool) (store.Record, error) {
			r.Inputs, _ = r.Inputs.WithField("title", value.String(title))
			return r, nil
		})
		return err
	}
}

// lose removes a record from the cloud, and nobody is told.
func lose(name string) func(*store.Store) error {
	return func(cloud *store.Store) error {
		return cloud.Remove(context.Background(), name, func(store.Record) bool { return true })
	}
}

// demoProvider declares an explicit provider.
func demoProvider(name, properties string, options ...string) string {
	text := "  " + name + ":\n    type: pulumi:providers:demo\n    properties: {" + properties + "}\n"
	if len(options) > 0 {
		text += "    options: {" + options[0] + "}\n"
	}
	return text
}

// got declares a record that is read, and not managed.
func got(name, id string) string {
	return "  " + name + ":\n    type: demo:index:Record\n    get: {id: \"" + id + "\"}\n"
}

const nothing = "resources: {}"

// other is a file for another store; FOLDER is a folder of the side's own.
const other = `store: FOLDER/other.db`

// stories are the programs by which the engine of this module is compared with the
// real one.
func stories() []story {
	return slices.Concat(
		lifeStories(),
		deleteFirstStories(),
		optionStories(),
		providerStories(),
		readStories(),
		refreshStories(),
		failureStories(),
		editedStories(),
	)
}

// usual are the records that most stories have. b needs an output of a that does not replace
// it, c one that does, d nothing of it; zoned is a in another zone, for which it has to be
// deleted first; ordered is c, made after b.
type usual struct{ a, b, c, d, zoned, ordered string }

func usualRecords() usual {
	return usual{
		a:       record("a", `name: alpha, title: one`),
		b:       record("b", `name: beta, title: "${a.url}"`),
		c:       record("c", `name: "${a.zone}-c"`),
		d:       record("d", `name: delta`, `dependsOn: ["${a}"]`),
		zoned:   record("a", `name: alpha, title: one, zone: b`),
		ordered: record("c", `name: "${a.zone}-c"`, `dependsOn: ["${b}"]`),
	}
}

// lifeStories are about whole lives.
func lifeStories() []story {
	u := usualRecords()
	a, b, c, d, zoned := u.a, u.b, u.c, u.d, u.zoned
	p := demoProvider("p", `store: FOLDER/group.db`)

	return []story{
		{"lifecycle", []edit{
			{program: resources(a, b)},
			{},
			{program: resources(record("a", `name: alpha, title: two`), b)},
			{program: resources(record("a", `name: alpha, title: three, labels: {x: y}`), record("b", `name: beta, title: "${a.url}", size: "${a.revision}"`))},
			{program: resources(record("a", `name: alpha, title: three`), record("b", `name: beta, labels: {n: "${a.title}"}`))},
			{program: resources(a)},
			{program: nothing},
		}},
		{"create first", []edit{
			{program: resources(a, b, c, d)},
			{program: resources(record("a", `name: alpha2, title: one`), b, c, d)},
			{program: resources(record("a", `name: alpha3, title: one, zone: b`), b, c, d)},
		}},
		{"secrets", []edit{
			{program: resources(record("a", `name: alpha, title: {"fn::secret": one}, labels: {x: {"fn::secret": y}}`), record("b", `name: beta, title: "${a.title}", password: "${a.token}"`))},
			{program: resources(record("a", `name: alpha, title: {"fn::secret": two}, labels: {x: y}`), record("b", `name: beta, title: "at ${a.title}", password: "${a.token}"`))},
			{program: resources(record("a", `name: alpha, title: two, labels: {x: {"fn::secret": y}}`), record("b", `name: beta, title: "at ${a.title}", labels: {t: "${a.token}"}`))},
		}},
		{"removed in order", []edit{
			{program: resources(a, b, c, d, record("e", `name: "${b.name}-${d.name}"`), record("f", `name: phi`, `parent: "${d}"`, `dependsOn: ["${c}"]`))},
			{program: resources(a, record("f", `name: phi`, `parent: "${a}"`))}, // another URN
			{program: nothing},
		}},
		{"renamed", []edit{
			{program: resources(a, b)},
			{program: resources(record("a2", `name: alpha2, title: one`), record("b", `name: beta, title: "${a2.url}"`))},
			{program: resources(record("a3", `name: alpha2, title: one`), record("b", `name: beta, title: "${a3.url}"`))}, // the name is taken
			{program: resources(record("a3", `name: alpha3, title: one`), record("b", `name: beta, title: "${a3.url}"`))},
		}},
		{"a component", []edit{
			{program: resources(p, a, group("g", `names: [one, two], title: "${a.url}", labels: {x: y}`, `provider: "${p}"`))},
			{program: resources(p, record("a", `name: alpha, title: two`), group("g", `names: [two, three], title: "${a.url}"`, `provider: "${p}"`))},
			{program: resources(p, zoned, group("g", `names: [three], title: "${a.url}"`, `provider: "${p}"`))},
			{command: "refresh"},
			{program: resources(p, zoned)},
		}},
	}
}

// deleteFirstStories replace what has to be deleted first.
func deleteFirstStories() []story {
	u := usualRecords()
	a, b, c, d, zoned := u.a, u.b, u.c, u.d, u.zoned

	return []story{
		{"delete first, with dependents", []edit{
			{program: resources(a, b, c, d)},
			{program: resources(zoned, b, c, d)},
			{program: resources(a, b, c)},  // one goes in the same run
			{program: resources(zoned, b)}, // one that would be replaced goes
		}},
		{"delete first, a chain", []edit{
			{program: resources(a, record("b", `name: "${a.zone}-b"`), record("c", `name: "${b.name}-c"`), record("d", `name: delta, title: "${c.url}"`))},
			{program: resources(zoned, record("b", `name: "${a.zone}-b"`), record("c", `name: "${b.name}-c"`), record("d", `name: delta, title: "${c.url}"`))},
			{program: resources(a, record("b", `name: fixed`, `dependsOn: ["${a}"]`), record("c", `name: "${b.name}-c"`), record("d", `name: delta, title: "${c.url}"`))},
		}},
		{"delete first, a diamond", []edit{
			{program: resources(a, record("b", `name: "${a.zone}-b"`), c, record("d", `name: "${b.name}-${c.name}"`))},
			{program: resources(zoned, record("b", `name: "${a.zone}-b"`), c, record("d", `name: "${b.name}-${c.name}"`))},
			{program: nothing},
		}},
		{"delete first, children", []edit{
			{program: resources(a, record("b", `name: beta`, `parent: "${a}"`), record("c", `name: gamma`, `parent: "${b}"`), record("d", `name: "${a.zone}-d"`, `parent: "${a}"`))},
			{program: resources(zoned, record("b", `name: beta`, `parent: "${a}"`), record("c", `name: gamma`, `parent: "${b}"`), record("d", `name: "${a.zone}-d"`, `parent: "${a}"`))},
			{program: nothing},
		}},
		{"delete first, two that meet", []edit{
			{program: resources(a, record("b", `name: beta`), record("c", `name: "${a.zone}-${b.zone}"`), record("d", `name: "${c.name}-d"`))},
			{program: resources(zoned, record("b", `name: beta, zone: b`), record("c", `name: "${a.zone}-${b.zone}"`), record("d", `name: "${c.name}-d"`))},
		}},
		{"delete first, by one property of two", []edit{
			{program: resources(a, record("c", `name: "${a.zone}-c", title: "${a.url}"`))},
			{program: resources(zoned, record("c", `name: "${a.zone}-c", title: "${a.url}"`))},
		}},
		{"delete first, only ordered", []edit{
			{program: resources(a, record("b", `name: beta`, `dependsOn: ["${a}"]`), record("c", `name: "${b.zone}-c"`))},
			{program: resources(zoned, record("b", `name: beta, zone: b`, `dependsOn: ["${a}"]`), record("c", `name: "${b.zone}-c"`))},
		}},
	}
}

// optionStories are about options of resources.
func optionStories() []story {
	u := usualRecords()
	a, b, c, zoned := u.a, u.b, u.c, u.zoned

	return []story{
		{"the option deleteBeforeReplace", []edit{
			{program: resources(record("a", `name: alpha`, `deleteBeforeReplace: true`), c)},
			{program: resources(record("a", `name: alpha2, zone: b`, `deleteBeforeReplace: true`), c)},
			{program: resources(record("a", `name: alpha3, zone: c`, `deleteBeforeReplace: false`), c)},
			{program: resources(record("a", `name: alpha3, zone: d`, `deleteBeforeReplace: false`), c)}, // the name is taken
			{program: resources(record("a", `name: alpha3, zone: d`, `deleteBeforeReplace: true`), c)},
		}},
		{"the option replaceOnChanges", []edit{
			{program: resources(record("a", `name: alpha, title: one, labels: {x: y}`, `replaceOnChanges: [title]`), b)},
			{program: resources(record("a", `name: alpha, title: two, labels: {x: y}`, `replaceOnChanges: [title]`), b)},
			{program: resources(record("a", `name: alpha, title: two, labels: {x: z}`, `replaceOnChanges: [title]`), b)},
			{program: resources(record("a", `name: alpha, title: three, labels: {x: y, z: z}`, `replaceOnChanges: ["labels.x", "rules[*].port"]`), b)},
			{program: resources(record("a", `name: alpha, title: four`, `replaceOnChanges: ["*"]`, `deleteBeforeReplace: true`), b)},
		}},
		{"the option ignoreChanges", []edit{
			{program: resources(record("a", `name: alpha, title: one, labels: {x: y}`, `ignoreChanges: [title, "labels.x"]`), b)},
			{program: resources(record("a", `name: alpha, title: two, labels: {x: z, w: w}`, `ignoreChanges: [title, "labels.x"]`), b)},
			{program: resources(record("a", `name: alpha, title: two, labels: {x: z}, zone: b`, `ignoreChanges: [title, "labels.x"]`), b)},
			{program: resources(record("a", `name: alpha, title: two, labels: {x: z}, zone: c`, `ignoreChanges: ["*"]`), b)},
			{program: resources(record("a", `name: alpha, title: two, labels: {x: z}`), b)},
		}},
		{"protected", []edit{
			{program: resources(record("a", `name: alpha`, `protect: true`), b)},
			{program: resources(record("a", `name: alpha, title: two`, `protect: true`), b)},
			{program: resources(record("a", `name: alpha, title: two, zone: b`, `protect: true`), b)}, // refused
			{program: nothing}, // refused
			{command: "destroy", otherwise: "+ update delete demo:index:Record::a failed"}, // the CLI's preview fails already
			{program: resources(record("a", `name: alpha, title: two, zone: b`, `protect: false`), b)},
			{program: nothing},
		}},
		{"protected dependents", []edit{
			{program: resources(a, record("c", `name: "${a.zone}-c"`, `protect: true`))},
			{program: resources(zoned, record("c", `name: "${a.zone}-c"`, `protect: true`))}, // refused
			{program: resources(zoned, record("c", `name: "${a.zone}-c"`))},
			{program: resources(a, record("c", `name: "${a.zone}-c"`))},
		}},
	}
}

// providerStories are about explicit providers.
func providerStories() []story {
	u := usualRecords()
	a, b := u.a, u.b

	return []story{
		{"a provider of its own", []edit{
			{program: resources(demoProvider("p", `apiKey: one`), record("a", `name: alpha`, `provider: "${p}"`), b)},
			{program: resources(demoProvider("p", `apiKey: two`), record("a", `name: alpha`, `provider: "${p}"`), b)},
			{program: resources(demoProvider("p", other), record("a", `name: alpha`, `provider: "${p}"`), b)},
			{program: resources(record("a", `name: alpha`), b)},
			{program: nothing},
		}},
		{"another provider", []edit{
			{program: resources(demoProvider("p", other), record("a", `name: alpha`), b)},
			{program: resources(demoProvider("p", other), record("a", `name: alpha`, `provider: "${p}"`), b)},
			{program: resources(demoProvider("p", other), demoProvider("q", other), record("a", `name: alpha, title: two`, `provider: "${q}"`), b)},
		}},
		{"a provider whose configuration is not known", []edit{
			{program: resources(a, demoProvider("p", `store: "FOLDER/${a.title}-${a.revision}.db"`), record("b", `name: beta`, `provider: "${p}"`), record("c", `name: gamma, title: "${b.url}"`))},
			{program: resources(a, demoProvider("p", `store: "FOLDER/${a.title}-1.db", apiKey: "${a.url}"`), record("b", `name: beta, title: two`, `provider: "${p}"`), record("c", `name: gamma, title: "${b.url}"`))},
			{program: resources(record("a", `name: alpha, title: one, size: 2`), demoProvider("p", `store: "FOLDER/${a.title}-${a.revision}.db"`), record("b", `name: beta, title: two`, `provider: "${p}"`), record("c", `name: gamma, title: "${b.url}"`))},
		}},
	}
}

// readStories read what others made.
func readStories() []story {
	u := usualRecords()
	a, b := u.a, u.b

	return []story{
		{"read", []edit{
			{cloud: keep("alpha", "theirs"), program: resources(got("a", "alpha"), record("b", `name: beta, title: "${a.url} ${a.title}"`))},
			{cloud: drift("alpha", "changed"), program: resources(got("a", "alpha"), record("b", `name: beta, title: "${a.url} ${a.title}"`))},
			{cloud: keep("delta", "theirs"), program: resources(got("a", "delta"), record("b", `name: beta, title: "${a.url} ${a.title}"`))},
			{program: resources(record("a", `name: own`), record("b", `name: beta, title: "${a.url}"`))},
			{program: resources(got("a", "own"), record("b", `name: beta, title: "${a.url}"`))},
			{program: resources(record("b", `name: beta`))},
		}},
		{"read after another", []edit{
			{program: resources(a)},
			{program: resources(a, got("g", "alpha"), record("b", `name: beta, title: "${g.url}"`))},
			{program: resources(a, got("g", "alpha"), record("b", `name: beta, labels: {at: "${g.url}"}`))},
			{command: "refresh", cloud: drift("alpha", "changed")},
			{command: "destroy"},
		}},
		{"import", []edit{
			{cloud: keep("alpha", "theirs"), program: resources(record("a", `name: alpha, title: theirs`, `import: alpha`), b)},
			{program: resources(record("a", `name: alpha, title: mine`, `import: alpha`), b)},
			{program: resources(record("a", `name: alpha, title: mine`), b)},
			{program: nothing},
		}},
		{"import what differs", []edit{
			{cloud: keep("alpha", "theirs"), program: resources(record("a", `name: alpha, title: mine`, `import: alpha`), b)},
			{cloud: keep("delta", "theirs"), program: resources(record("a", `name: delta, title: theirs`, `import: delta`), b)}, // in place of what was there
			{program: resources(record("a", `name: delta, title: theirs, zone: b`, `import: delta`), b), insisted: true, otherwise: "" + // would have to be replaced
				"- preview create-replacement demo:index:Record::a; replaced by zone; differs in zone; detailed zone update-replace\n" +
				"- preview delete-replaced demo:index:Record::a\n" +
				"- preview update demo:index:Record::b; differs in title; detailed title update"},
			{program: resources(record("c", `name: gamma`, `import: nobody`))}, // is not there
		}},
		{"import what would be replaced", []edit{
			{cloud: keep("alpha", "theirs"), program: resources(record("a", `name: alpha, title: theirs, zone: b`, `import: alpha`), b), insisted: true, otherwise: "" +
				"- preview create demo:index:Record::b\n" +
				"- preview create-replacement demo:index:Record::a; replaced by zone; differs in zone; detailed zone update-replace\n" +
				"- preview delete-replaced demo:index:Record::a"},
			{program: resources(record("a", `name: alpha, title: mine`, `import: alpha`, `ignoreChanges: [title]`), b)},
		}},
	}
}

// refreshStories refresh and destroy.
func refreshStories() []story {
	u := usualRecords()
	a, b, c, d := u.a, u.b, u.c, u.d

	return []story{
		{"refresh", []edit{
			{program: resources(a, b, c)},
			{command: "refresh"},
			{command: "refresh", cloud: drift("alpha", "drifted")},
			{},
			{command: "refresh", cloud: lose("alpha")},
			{},
			{command: "refresh", cloud: lose("beta")},
			{command: "destroy"},
		}},
		{"failed to refresh", []edit{
			{program: resources(a)},
			{command: "refresh", cloud: drift("alpha", "drifted"), fail: "read a", otherwise: "+ update refresh demo:index:Record::a failed"}, // as above
			{command: "refresh"},
			{fail: "update a"},
			{command: "refresh", cloud: lose("alpha")},
		}},
		{"drift that is ignored", []edit{
			{program: resources(record("a", `name: alpha, title: one`, `ignoreChanges: [title]`), b)},
			{command: "refresh", cloud: drift("alpha", "drifted")},
			{},
			{program: resources(a, b)},
		}},
		{"destroy", []edit{
			{program: resources(a, demoProvider("p", other+`, apiKey: "${a.url}"`), b, c, d, record("e", `name: epsilon`, `parent: "${d}"`, `provider: "${p}"`))},
			{command: "destroy", fail: "delete a"},
			{command: "destroy"},
			{command: "destroy"},
		}},
	}
}

// failureStories fail, and go on.
func failureStories() []story {
	u := usualRecords()
	a, b, c, zoned, ordered := u.a, u.b, u.c, u.zoned, u.ordered

	return []story{
		{"failed in part", []edit{
			{program: resources(record("a", `name: alpha, size: 2000`), b)},
			{},
			{program: resources(record("a", `name: alpha, size: 2`), b)},
			{program: resources(record("a", `name: alpha, size: 3000`), b)},
			{command: "refresh"},
			{program: resources(record("a", `name: alpha, size: 4000, zone: b`), b)},
			{program: resources(record("a", `name: alpha, zone: b`), b)},
		}},
		{"failed to create", []edit{
			{program: resources(a, b, record("c", `name: "${b.name}-c"`), record("d", `name: delta`, `dependsOn: ["${c}"]`)), fail: "create b"},
			{fail: "create c"},
			{},
		}},
		{"failed to update", []edit{
			{program: resources(a, b)},
			{program: resources(record("a", `name: alpha, title: two`), record("b", `name: beta, title: "${a.title}"`)), fail: "update a"},
			{fail: "update b"},
			{},
		}},
		{"failed to delete", []edit{
			{program: resources(a, b, record("c", `name: gamma, title: "${b.url}"`), record("e", `name: epsilon, title: "${c.url}"`))},
			{program: resources(a), fail: "delete c"},
			{program: resources(a, b)},
			{program: resources(a), fail: "delete b"},
			{},
		}},
		{"failed to delete what was replaced", []edit{
			{program: resources(a, b)},
			{program: resources(record("a", `name: alpha2`), b), fail: "delete a"},
			{program: resources(record("a", `name: alpha3`), b), fail: "delete a"},
			{command: "refresh", fail: "delete a"},
			{program: resources(record("a", `name: alpha3`), b)},
		}},
		{"failed to create first", []edit{
			{program: resources(a, b, ordered)},
			{program: resources(record("a", `name: alpha2`), b, ordered), fail: "create a"},
			{program: resources(record("a", `name: alpha2, zone: b`), b, ordered), fail: "create c"},
			{program: resources(record("a", `name: alpha2, zone: b`), b, ordered)},
		}},
		{"failed to create after deleting", []edit{
			{program: resources(a, b, ordered)},
			{program: resources(zoned, b, ordered), fail: "create a"},
			{program: resources(zoned, b, ordered), fail: "create c"},
			{command: "refresh"},
			{program: resources(zoned, b, ordered)},
		}},
		{"failed to create after deleting, and given up", []edit{
			{program: resources(a, b, c)},
			{program: resources(zoned, b, c), fail: "create a"},
			{program: resources(b2)},
			{command: "destroy"},
		}},
		{"failed to delete dependents first", []edit{
			{program: resources(a, c, record("d", `name: "${c.name}-d"`))},
			{program: resources(zoned, c, record("d", `name: "${c.name}-d"`)), fail: "delete c"},
			{},
			{program: resources(a, c, record("d", `name: "${c.name}-d"`)), fail: "delete a"},
			{},
		}},
	}
}

// editedStories begin with states that were edited.
func editedStories() []story {
	u := usualRecords()
	a, b, c, zoned := u.a, u.b, u.c, u.zoned

	return []story{
		{"edited: a replacement that was interrupted", []edit{
			{program: resources(a, b, c)},
			{state: []tampering{{name: "a", member: "pendingReplacement", value: "true"}}, cloud: lose("alpha")},
			{program: resources(b2), state: []tampering{{name: "a", member: "pendingReplacement", value: "true"}, {name: "c", member: "pendingReplacement", value: "true"}}},
		}},
		{"edited: external", []edit{
			{program: resources(a, b, c)},
			{program: resources(b2), state: []tampering{{name: "a", member: "external", value: "true"}, {name: "c", member: "external", value: "true"}}},
			{program: resources(b2, record("c", `name: gamma`))},
			{state: []tampering{{name: "c", member: "external", value: "true"}}, program: resources(b2, record("c", `name: gamma2`))},
		}},
		{"edited: protected", []edit{
			{program: resources(a, c)},
			{program: resources(a), state: []tampering{{name: "c", member: "protect", value: "true"}}},
			{program: resources(a, c)},
			{program: resources(a)},
		}},
		{"edited: waiting for deletion", []edit{
			{program: resources(a, b)},
			{state: []tampering{{name: "a", member: "delete", value: "true", copies: true}, {name: "b", member: "delete", value: "true", copies: true}}, fail: "delete b"},
			{program: resources(a)},
			{program: nothing, state: []tampering{{name: "a", member: "delete", value: "true", copies: true}}},
		}},
		{"edited: waiting for deletion, and nothing in its place", []edit{
			{program: resources(a, b)},
			{state: []tampering{{name: "b", member: "delete", value: "true"}}},
			{program: nothing, state: []tampering{{name: "b", member: "delete", value: "true"}}},
		}},
		{"edited: dependents of what is replaced after they wait for deletion", []edit{
			{program: resources(a, c)},
			{program: resources(zoned, c), state: []tampering{{name: "c", member: "delete", value: "true", copies: true}}},
		}},
		{"edited: imported with another ID", []edit{
			{cloud: keep("alpha", "theirs"), program: resources(record("a", `name: alpha, title: theirs`, `import: alpha`))},
			{state: []tampering{{name: "a", member: "importID", value: `"beta"`}}},
		}},
		{"edited: operations that were interrupted", []edit{
			{program: resources(a, b)},
			{state: []tampering{{name: "a", member: "pending", value: `"updating"`}, {name: "b", member: "pending", value: `"deleting"`}}},
			{state: []tampering{{name: "a", member: "pending", value: `"creating"`}}, otherwise: creationStays},
			{command: "refresh", otherwise: creationStays},
			{command: "destroy", state: []tampering{{name: "a", member: "pending", value: `"updating"`}}, otherwise: creationStays},
		}},
	}
}

// creationStays is that an interrupted creation stays in the state of the CLI until
// somebody looks after it.
const creationStays = "+ pending: []\n- pending: [creating demo:index:Record::a]"

// b2 is a record that depends on nothing.
var b2 = record("b", `name: beta`)
