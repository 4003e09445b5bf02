package e2e_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestOracle takes the stack of the CLI and that of package engine through the same
// stories, and compares what they do. What is otherwise on purpose stands with the edits.
func TestOracle(t *testing.T) {
	empty := newBareStack(t)
	for _, story := range append(stories(), randomStory(0), randomStory(7), randomStory(9)) {
		t.Run(story.name, func(t *testing.T) {
			t.Parallel()
			story.run(t, empty)
		})
	}
}

// run takes a story, from a copy of an empty stack on.
func (s story) run(t *testing.T, empty *stack) {
	t.Helper()
	cli, w := empty.copied(t), newTwin(t)
	theirIDs, ourIDs := incarnations{}, incarnations{}
	var before observed
	for i, e := range s.edits {
		theirs, ours := cli.perform(e), w.perform(e)
		relatives := needed(e.state, before, theirs)
		before = theirs
		found := compared(theirs.text(theirIDs), ours.text(ourIDs), theirs.Failed && len(theirs.Update) == 0)
		found = append(found, disordered(theirs.Update, ours.Update, relatives)...)
		if got := strings.Join(found, "\n"); got != e.otherwise {
			t.Errorf("edit %d is otherwise:\n%s\nand not as is known:\n%s\npackage engine ended with %q; fail=%q, state=%v\n%s", i, got, e.otherwise, ours.Printed, e.fail, e.state, e.program)
		}
	}
}

// text is all that is compared, in lines.
func (o *observed) text(ids incarnations) []string {
	var lines []string
	steps := func(name string, steps []taken, failed bool) {
		var all []string
		for _, s := range steps {
			if o.isShown(s) {
				s.Failed = s.Failed && failed
				all = append(all, name+" "+s.String())
			}
		}
		lines = append(lines, slices.Sorted(slices.Values(all))...)
	}
	steps("preview", o.Preview, false)
	steps("update", o.Update, true)
	lines = append(lines, fmt.Sprintf("failed: %v", o.Failed), fmt.Sprintf("pending: %v", o.Pending))
	for _, r := range slices.Sorted(slices.Values(o.Resources)) {
		head, rest, _ := strings.Cut(ids.named(r), "\n")
		lines = append(lines, head)
		for line := range strings.SplitSeq(strings.TrimSpace(rest), "\n") {
			lines = append(lines, head+" "+line)
		}
	}
	return lines
}

// isShown reports whether both sides show a step. The CLI does not show default providers
// and what goes with a replacement that was given up; it shows replacements a second time,
// and a refresh of what nobody reads. Operations that were interrupted, and what is
// refused, are steps of package engine, and warnings and errors of the CLI.
func (o *observed) isShown(s taken) bool {
	switch {
	case strings.Contains(s.URN, "::pulumi:providers:demo::default"):
		return false
	case s.Op == "refresh" && s.Result == "same":
		unread := []string{"pulumi:providers:", "pulumi:pulumi:Stack", "demo:index:Group::"}
		return !slices.ContainsFunc(unread, func(t string) bool { return strings.HasPrefix(shortURN(s.URN), t) }) &&
			!slices.ContainsFunc(o.Resources, func(r string) bool {
				return strings.HasPrefix(r, shortURN(s.URN)+"\n") && strings.Contains(r, "  pendingReplacement: true\n")
			})
	}
	return !slices.Contains([]string{"replace", "remove-pending-replace", "pending", "fail"}, s.Op)
}

// compared are the lines that only one side has: "-" of the CLI, "+" of package engine.
// In a preview that fails, the CLI goes on to look for other errors.
func compared(theirs, ours []string, failedPreview bool) (found []string) {
	counts := map[string]int{}
	for _, line := range theirs {
		counts[line]--
	}
	for _, line := range ours {
		counts[line]++
	}
	for _, line := range slices.Sorted(maps.Keys(counts)) {
		switch n := counts[line]; {
		case n < 0 && failedPreview && strings.HasPrefix(line, "preview "):
		case n < 0:
			found = append(found, "- "+line)
		case n > 0:
			found = append(found, "+ "+line)
		}
	}
	return found
}

// needed are the URNs that each resource needs, its own among them, before or after an edit.
// Where two resources have one URN, it cannot be told which of them another one needs: there
// is no such URN.
func needed(changes []tampering, states ...observed) map[string][]string {
	all, twice := map[string][]string{}, map[string]bool{}
	for _, change := range changes {
		twice["demo:index:Record::"+change.name] = change.copies
	}
	for _, o := range states {
		seen := map[string]bool{}
		for _, r := range o.Resources {
			head, _, _ := strings.Cut(r, "\n")
			twice[head] = twice[head] || seen[head]
			seen[head] = true
		}
	}
	for _, o := range states {
		for urn, others := range o.Relatives {
			for _, other := range append(others, urn) {
				if !twice[shortURN(urn)] && !twice[shortURN(other)] {
					all[urn] = append(all[urn], other)
				}
			}
		}
	}
	return all
}

// disordered are the pairs of steps that come in another order on the other side, although
// the resource of one needs that of the other, or is the same. What it needs by way of a
// third resource, to which nothing happens, the CLI overlooks.
func disordered(theirs, ours []taken, relatives map[string][]string) (found []string) {
	needs := func(a, b occurrence) bool { return slices.Contains(relatives[a.urn], b.urn) }
	at := positions(ours)
	each := positions(theirs)
	for a, i := range each {
		for b, j := range each {
			first, isFirst := at[a]
			second, isSecond := at[b]
			if i < j && isFirst && isSecond && first > second && (needs(a, b) || needs(b, a)) {
				found = append(found, fmt.Sprintf("order: %s %s, then %s %s", a.op, shortURN(a.urn), b.op, shortURN(b.urn)))
			}
		}
	}
	slices.Sort(found)
	return found
}

// occurrence is a step by what it is, and how many such were before it.
type occurrence struct {
	op, urn string
	before  int
}

// positions are the indexes of steps.
func positions(steps []taken) map[occurrence]int {
	at := map[occurrence]int{}
	for i, s := range steps {
		o := occurrence{op: s.Op, urn: s.URN}
		for _, again := at[o]; again; _, again = at[o] {
			o.before++
		}
		at[o] = i
	}
	return at
}

// incarnations are the IDs of records by their names, in the order in which they were
// made. Their serials count all records, and which of two that do not depend on each
// other is made first does not matter.
type incarnations map[string][]int

var numbered = regexp.MustCompile(`"([^"#]+)#([0-9]+)"`)

// named is a text with the IDs that it holds numbered by name.
func (n incarnations) named(text string) string {
	for _, found := range numbered.FindAllStringSubmatch(text, -1) {
		serial, _ := strconv.Atoi(found[2])
		if !slices.Contains(n[found[1]], serial) {
			n[found[1]] = append(n[found[1]], serial)
			slices.Sort(n[found[1]])
		}
	}
	return numbered.ReplaceAllStringFunc(text, func(id string) string {
		found := numbered.FindStringSubmatch(id)
		serial, _ := strconv.Atoi(found[2])
		return fmt.Sprintf("%q", fmt.Sprintf("%s#%d", found[1], 1+slices.Index(n[found[1]], serial)))
	})
}
