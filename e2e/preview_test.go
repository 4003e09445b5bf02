package e2e_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// planned is one step of a preview.
type planned struct {
	Op           string
	URN          string
	DetailedDiff map[string]struct {
		Kind      string
		InputDiff bool
	}
	ReplaceReasons []string
}

// name is the resource's name, the last part of its URN.
func (p planned) name() string { return p.URN[strings.LastIndex(p.URN, "::")+2:] }

// String is a line such as "update a: add tags.x, update size".
func (p planned) String() string {
	line := p.Op + " " + p.name()
	for i, key := range slices.Sorted(maps.Keys(p.DetailedDiff)) {
		separator := ", "
		if i == 0 {
			separator = ": "
		}
		line += separator + p.DetailedDiff[key].Kind + " " + key
	}
	return line
}

// preview is what the engine would do, but for resources that stay as they are,
// and what only the stack itself does.
func (s *stack) preview(args ...string) []planned {
	s.t.Helper()
	r := s.must(append([]string{"preview", "--json", "--diff"}, args...)...)
	var plan struct{ Steps []planned }
	if err := json.Unmarshal([]byte(r.stdout), &plan); err != nil {
		s.t.Fatalf("%v in %s", err, r)
	}
	return slices.DeleteFunc(plan.Steps, func(p planned) bool {
		return p.Op == "same" || strings.Contains(p.URN, "::pulumi:pulumi:Stack::") || strings.Contains(p.URN, "::pulumi:providers:")
	})
}

// step is an edit of a program: what it says afterwards, and what the engine
// will do then.
type step struct {
	name    string
	program string
	want    string // the lines of the preview, sorted
	// otherwise is set where the engine, left to itself, would name other places
	// than the provider, which knows better.
	otherwise bool
}

// play takes the stack through steps. Each is previewed, with the provider's diff
// and with the engine's own, carried out, and then nothing is left to do.
func (s *stack) play(steps ...step) {
	s.t.Helper()
	for _, step := range steps {
		s.program(step.program)
		plan := s.preview()
		lines := make([]string, len(plan))
		for i, p := range plan {
			lines[i] = p.String()
			for key, entry := range p.DetailedDiff {
				if !entry.InputDiff {
					s.t.Errorf("%s: %s of %s is not said to be of inputs", step.name, key, p.name())
				}
			}
		}
		slices.Sort(lines) // resources that do not depend on each other come in any order
		if got := strings.Join(lines, "\n"); got != step.want {
			s.t.Errorf("%s: planned\n%s\nnot\n%s", step.name, got, step.want)
		}
		if !step.otherwise {
			s.compareEngine(step.name, plan)
		}
		s.up()
		if s.t.Failed() {
			s.t.Fatalf("stopped after %q", step.name)
		}
	}
}

// compareEngine previews again with a provider that answers DIFF_UNKNOWN: the
// engine then compares old and new inputs by itself. It has to name the same
// properties and kinds. What replaces it cannot know.
func (s *stack) compareEngine(name string, plan []planned) {
	s.t.Helper()
	ours := kinds(plan)
	var theirs map[string]string
	s.with("DEMO_DIFF_UNKNOWN=1", func() { theirs = kinds(s.preview()) })
	if !maps.Equal(ours, theirs) {
		s.t.Errorf("%s: the provider says\n%v\nthe engine\n%v", name, ours, theirs)
	}
}

// kinds are the entries of detailed diffs by resource and key, without replace
// flags.
func kinds(plan []planned) map[string]string {
	all := map[string]string{}
	for _, p := range plan {
		for key, entry := range p.DetailedDiff {
			all[p.name()+" "+key] = strings.TrimSuffix(entry.Kind, "-replace")
		}
	}
	return all
}
