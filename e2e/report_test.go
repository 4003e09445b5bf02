package e2e_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/value"
)

// report is what propalg says of an update.
type report struct {
	Resources []struct {
		URN, Change, Note string
		Replace           bool
	}
	Summary map[string]any
	Failure any // nil: there is none
}

// report asks propalg what happens in files. There is no secret in the answer, and no
// doubt that the stack is the one before.
func (s *stack) report(files ...string) (r report, code int) {
	s.t.Helper()
	args := []string{"diff", "-o", "json"}
	for _, f := range files {
		args = append(args, s.in("out", f))
	}
	out, code := s.propalg(args...)
	if err := json.NewDecoder(strings.NewReader(out)).Decode(&r); err != nil || s.holdsCanary(out) || strings.Contains(out, "does not have") {
		s.t.Fatalf("%q: exit %d, %v, or what must not be there: %s", files, code, err, out)
	}
	return r, code
}

// counts are those of propalg itself, of what the CLI counts.
func (r *report) counts() map[string]int {
	all := map[string]int{}
	for _, op := range []string{"create", "delete", "update", "replace", "same", "import", "discard"} {
		n, _ := r.Summary[op].(float64)
		all[op] = int(n)
	}
	all["update"] -= all["replace"]
	all["delete"] -= strings.Count(strings.Join(r.shown(), ""), "protected: the update will fail") // the preview has it, and fails
	maps.DeleteFunc(all, func(_ string, n int) bool { return n == 0 })
	return all
}

// shown are the resources, but for the engine's own providers.
func (r *report) shown() (all []string) {
	for _, each := range r.Resources {
		line := each.Change + " " + planned{URN: each.URN}.name()
		if each.Replace {
			line = strings.Replace(line, "update", "replace", 1)
		}
		if each.Note != "" {
			line += " (" + each.Note + ")"
		}
		if !strings.Contains(each.URN, "::default") {
			all = append(all, line)
		}
	}
	slices.Sort(all)
	return all
}

// reported is an update, what the CLI counts of it, and what propalg shows.
type reported struct {
	name    string
	program []string // what is declared; none: as before
	args    []string // the command and its arguments; none: up
	fault   string
	files   string   // what the CLI writes and propalg reads
	counts  string   // of an update that succeeds
	shows   []string // from logs
	preview []string // from the JSON of a preview, if that is other than what it leaves out
	fails   string   // what an error says
}

// shownIn is what a file shows: previews do not list what stays the same and what refreshes
// find, and plans have no notes.
func (row *reported) shownIn(file string) (all []string) {
	if strings.HasSuffix(file, ".log") {
		return row.shows
	}
	if file == "preview.json" && row.preview != nil {
		return row.preview
	}
	for _, line := range row.shows {
		if before, _, hasNote := strings.Cut(line, " ("); hasNote && (file == "plan.json" || strings.HasSuffix(line, "by a refresh)")) {
			line = before
		}
		if !strings.HasPrefix(line, "same ") && !strings.HasPrefix(line, "refresh ") {
			all = append(all, line)
		}
	}
	return all
}

// record runs the CLI, which writes the files of an update.
func (s *stack) record(row *reported) {
	s.t.Helper()
	if row.program != nil {
		s.program(withSecret + resources(row.program...))
	}
	s.save("before.json", s.read(s.in("state", ".pulumi", "stacks", "e2e", "dev.json")))
	s.env = []string{"PULUMI_EXPERIMENTAL=true", "PULUMI_DEBUG_COMMANDS=true", row.fault}
	run := func(args ...string) string {
		r := s.run(append(args, row.args[1:]...)...)
		if (r.code != 0) != (row.fails != "") {
			s.t.Fatalf("%s: %s", row.name, r)
		}
		return r.stdout
	}
	plan := []string{row.args[0], "--preview-only"}
	if row.args[0] == "up" {
		plan = []string{"preview", "--save-plan", s.in("out", "plan.json")}
	}
	if strings.Contains(row.files, "preview") {
		s.save("preview.json", run(append(plan, "--json", "--event-log", s.in("out", "preview.log"))...))
	}
	if strings.Contains(row.files, "up.log") {
		run(row.args[0], "--yes", "--skip-preview", "--event-log", s.in("out", "up.log"))
	}
}

// said is what the CLI itself counts, in a preview or a log, and the result.
func (s *stack) said(file string) (counts map[string]int, result string) {
	s.t.Helper()
	var doc struct {
		ChangeSummary map[string]int
		SummaryEvent  struct {
			ResourceChanges map[string]int
			Result          string
		}
	}
	for docs := json.NewDecoder(strings.NewReader(s.read(s.in("out", file)))); docs.More(); {
		if err := docs.Decode(&doc); err != nil {
			s.t.Fatal(err)
		}
	}
	if doc.ChangeSummary == nil {
		return doc.SummaryEvent.ResourceChanges, doc.SummaryEvent.Result
	}
	return doc.ChangeSummary, ""
}

// compare holds what propalg says of a file against what the CLI says.
func (s *stack) compare(row *reported, file string) {
	s.t.Helper()
	said, result := s.said(strings.Replace(file, "plan", "preview", 1))
	isFailed := row.fails != ""
	if text := strings.Trim(fmt.Sprint(said), "map[]"); (!isFailed && text != row.counts) || (result != "" && isFailed != (result == "failed")) {
		s.t.Errorf("%s: the CLI counts %s in %s, with the result %s", row.name, text, file, result)
	}
	for _, files := range [][]string{{file}, {"before.json", file}} {
		r, code := s.report(files...)
		got, shows, want := r.counts(), row.shownIn(file), 0
		switch {
		case isFailed:
			want = 3
			if len(files) == 2 { // also those that it did not reach
				delete(said, "same")
				delete(got, "same")
			}
		case len(shows) > 0:
			want = 1
		}
		if !maps.Equal(got, said) || code != want {
			s.t.Errorf("%s: %q: exit %d, not %d; counts %v, not %v", row.name, files, code, want, got, said)
		}
		shown := r.shown()
		if file == "plan.json" { // with the stack before, there are notes
			shown = (&reported{shows: shown}).shownIn(file)
		}
		if !slices.Equal(shown, shows) {
			s.t.Errorf("%s: %q shows %q, not %q", row.name, files, shown, shows)
		}
		if !strings.Contains(fmt.Sprint(r.Failure), row.fails) || isFailed != (r.Failure != nil) {
			s.t.Errorf("%s: %q: failure %v", row.name, files, r.Failure)
		}
	}
}

// TestReport compares what propalg says of previews, plans and event logs with the summaries
// that the CLI writes into them, through the life of a stack.
func TestReport(t *testing.T) {
	s := newStack(t)
	s.provider = filepath.Join(bin, "faulty")
	s.secretConfig("pw", "canary-one-Zq7")
	a, b := record("a", `name: alpha, password: "${pw}"`), record("b", `name: beta, password: "${pw}"`)
	b2, c := record("b", `name: beta, password: "${pw}", title: two`), record("c", `name: gamma`, `retainOnDelete: true`)
	d, e := record("d", `name: delta`), record("e", `name: epsilon`)
	const all, previews, update, fault = "preview.json preview.log plan.json up.log", "preview.json preview.log", "up.log", "the environment asks for this fault"
	play := func(rows ...reported) {
		for _, row := range rows {
			row.args = append(row.args, "up")[:max(1, len(row.args))]
			s.record(&row)
			for _, file := range strings.Fields(row.files) {
				s.compare(&row, file)
			}
		}
	}
	play(
		reported{name: "create", program: []string{a, b, c}, files: all, counts: "create:4", shows: []string{"create a", "create b", "create c", "create e2e-dev"}},
		reported{name: "same listed", program: []string{a, b2, d}, args: []string{"up", "--show-sames"}, files: "preview.json", counts: "create:1 delete:1 same:2 update:1", shows: []string{"create d", "delete c (retained: only the record)", "update b"}},
		reported{name: "changes", program: []string{a, b2, d}, files: all, counts: "create:1 delete:1 same:2 update:1", shows: []string{"create d", "delete c (retained: only the record)", "update b"}},
	)
	s.cut()
	pack := s.in("pack")
	s.write("../pack/PulumiPolicy.yaml", "name: demo\nruntime: demo\nversion: 1.0.0\n")
	play(
		// The JSON of a preview does not say that a program failed that prints what is wrong.
		reported{name: "a program fails", program: []string{a, record("e", `name: "${nope.url}"`)}, files: "preview.log", fails: `value "nope" not found`},
		reported{name: "Check fails", program: []string{a, b2, d, record("e", `name: epsilon, size: -1`)}, files: previews, fails: "is out of range"},
		reported{name: "Diff fails", program: []string{a, b, d}, fault: "DEMO_FAIL=diff b", files: previews, fails: fault},
		reported{name: "Create fails", program: []string{a, b2, d, e}, fault: "DEMO_FAIL=create e", files: update, shows: []string{"failed e (create failed)"}, fails: fault},
		reported{name: "a policy", program: []string{a, b2, d, record("e", "name: epsilon, title: forbidden")}, args: []string{"up", "--policy-pack", pack}, files: "preview.log", shows: []string{"create e"}, fails: "policy titles: the title is forbidden"},
	)
	drift := func(at, text string) {
		s.drift("beta", func(in value.Value) value.Value { return with(t, in, at, value.String(text)) })
		s.lose("delta")
	}
	s.canaries = append(s.canaries, "canary-drift-Dd4")
	drift("password", "canary-drift-Dd4")
	play(reported{name: "drift", program: []string{a, b2, d}, args: []string{"up", "--refresh"}, files: "preview.json preview.log up.log", counts: "create:1 same:2 update:1", shows: []string{"create d", "refresh b", "refresh d (it no longer exists)", "update b"}})
	drift("title", "drifted")
	get, group1 := "  r: {type: \"demo:index:Record\", get: {id: alpha}}\n", group("g", `names: [one, two]`)
	play(reported{name: "refresh", args: []string{"refresh"}, files: "preview.json preview.log up.log", counts: "delete:1 same:2 update:1", shows: []string{"delete d (found by a refresh)", "update b (found by a refresh)"}})
	kept := record("d", `name: delta`, `retainOnDelete: true`)
	play(
		reported{name: "target", args: []string{"up", "--target", s.resource("b").URN}, files: "preview.json preview.log plan.json", counts: "same:3 update:1", shows: []string{"update b"}},
		reported{name: "import, read", program: []string{a, b2, kept, record("c", "name: gamma, title: x", "import: gamma"), group1, get}, files: "preview.json preview.log up.log", counts: "create:4 import:1 same:2 update:2", shows: []string{"create d", "create g", "create g-one", "create g-two", "import c", "read r", "update b", "update c"}},
	)
	renamed := group("h", `names: [one, two]`, "aliases: ["+s.resource("g").URN+"]")
	safe := func(options ...string) []string {
		return []string{record("a", `name: alpha2, password: "${pw}"`, options...), record("b", `name: beta, title: two, zone: b`, "retainOnDelete: true", "dependsOn: [\"${a}\"]")}
	}
	play(
		reported{name: "renamed", program: []string{a, b2, renamed, record("c", "name: gamma, title: x")}, files: all, counts: "delete:1 discard:1 same:7", shows: []string{"delete d (retained: only the record)", "discard r", "same h (renamed by an alias)", "same h-one (renamed by an alias)", "same h-two (renamed by an alias)"}},
		reported{name: "import", args: []string{"import", "demo:index:Record", "d", "delta", "--generate-code=false", "--protect=false"}, files: update, counts: "import:1 same:7", shows: []string{"import d"}},
		reported{name: "replaced", program: safe("protect: true"), files: all, counts: "delete:5 replace:2 same:1", shows: []string{"delete c", "delete d", "delete h", "delete h-one", "delete h-two", "replace a", "replace b"}},
		reported{name: "destroy", args: []string{"destroy"}, files: "preview.json preview.log up.log", fails: "cannot be deleted because it is protected", shows: []string{"delete b (retained: only the record)", "failed a (delete failed)"}, preview: []string{"delete a (protected: the update will fail)", "delete b (retained: only the record)"}},
	)
	s.killed(append(safe("protect: true"), e))
}
