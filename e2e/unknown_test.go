package e2e_test

import "testing"

// TestUnknown previews with values that are not known yet, whole and in parts: in
// texts, arrays and maps, of resources that come, are updated and are replaced.
// What is a change in the preview may turn out to be none.
func TestUnknown(t *testing.T) {
	s := newStack(t)
	a := func(properties string) string { return record("a", properties) }
	b := func(properties string) string { return record("b", `name: beta, `+properties) }
	s.play(
		step{name: "create", program: resources(b(`title: x, labels: {k: v}, extra: [1, 2]`)), want: `create b`},
		step{
			name: "outputs of a new one", want: "create a\nupdate b: add extra[2], update labels.k, add labels.n, update title",
			program: resources(a(`name: alpha`), b(`title: "at ${a.url}", labels: {k: "${a.url}", n: "${a.zone}"}, extra: [1, 2, "${a.url}"]`)),
		},
		step{
			name: "a number that an update counts", want: "update a: add title\nupdate b: update extra[2]",
			program: resources(a(`name: alpha, title: t`), b(`title: "at ${a.url}", labels: {k: "${a.url}", n: "${a.zone}"}, extra: [1, 2, {n: "${a.revision}"}]`)),
		},
		step{
			name: "outputs of a replacement", want: "replace a: update-replace zone\nupdate b: update extra[2].n, update labels.k, update labels.n, update title",
			program: resources(a(`name: alpha, title: t, zone: b`), b(`title: "at ${a.url}", labels: {k: "${a.url}", n: "${a.zone}"}, extra: [1, 2, {n: "${a.revision}"}]`)),
		},
		step{
			name: "a secret that is not known", want: "create c\nupdate b: update extra[0], delete extra[1], delete extra[2]",
			program: resources(a(`name: alpha, title: t, zone: b`), record("c", `name: gamma`),
				b(`title: "at ${a.url}", labels: {k: "${a.url}", n: "${a.zone}"}, extra: ["${c.token}"]`)),
		},
		step{name: "named after a number", want: "create d\ndelete b\ndelete c", program: resources(a(`name: alpha, title: t, zone: b`), record("d", `name: "${a.name}-${a.revision}"`))},
		step{
			name: "what may replace", want: "replace d: update-replace name\nupdate a: update size",
			program: resources(a(`name: alpha, title: t, zone: b, size: 5`), record("d", `name: "${a.name}-${a.revision}"`)),
		},
	)
}

// TestDependents replaces a record that has to be deleted first: what depends on
// it is asked whether it has to be replaced too, with values that are not known.
func TestDependents(t *testing.T) {
	s := newStack(t)
	program := func(zone string) string {
		return resources(record("a", `name: alpha, zone: `+zone), record("b", `name: beta, title: "${a.url}"`), record("c", `name: "${a.zone}-c"`))
	}
	s.play(
		step{name: "create", program: program("a"), want: "create a\ncreate b\ncreate c"},
		step{name: "replace", program: program("b"), want: "replace a: update-replace zone\nreplace c\nupdate b: update title"},
	)
	s.destroy()
}
