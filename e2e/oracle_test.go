package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestOracle takes the stack of the CLI and that of package engine through the same
// stories, and compares what they do.
func TestOracle(t *testing.T) {
	for _, story := range stories() {
		t.Run(story.name, func(t *testing.T) {
			s, w := newOracleStack(t), newTwin(t)
			var theirs, ours strings.Builder
			theirIDs, ourIDs := incarnations{}, incarnations{}
			for i, e := range story.edits {
				a, b := s.perform(e), w.perform(e)
				head := fmt.Sprintf("=== %s, edit %d: %s fail=%q state=%v\n%s\n", story.name, i, e.command, e.fail, e.state, e.program)
				ta, tb := theirIDs.named(a.text()), ourIDs.named(b.text())
				theirs.WriteString(head + ta + a.printed)
				ours.WriteString(head + tb + b.printed)
				if ta != tb {
					t.Errorf("edit %d:\n%s", i, differences(ta, tb))
				}
			}
			if folder := os.Getenv("ORACLE_OUT"); folder != "" {
				name := filepath.Join(folder, strings.ReplaceAll(story.name, " ", "-"))
				os.WriteFile(name+".cli", []byte(theirs.String()), 0o644)
				os.WriteFile(name+".engine", []byte(ours.String()), 0o644)
			}
		})
	}
}

// text is all that is compared.
func (o *observed) text() string {
	var b strings.Builder
	lines := func(name string, steps []taken) {
		var all []string
		for _, s := range steps {
			if s.op != "replace" && !strings.Contains(s.urn, "::pulumi:providers:demo::default") {
				all = append(all, name+" "+s.String()+"\n")
			}
		}
		slices.Sort(all)
		b.WriteString(strings.Join(all, ""))
	}
	lines("preview", o.preview)
	lines("update ", o.update)
	fmt.Fprintf(&b, "failed: %v, pending: %v\n", o.failed, o.pending)
	b.WriteString(strings.Join(slices.Sorted(slices.Values(o.resources)), ""))
	return b.String()
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

func differences(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	var out strings.Builder
	head := func(all []string, i int) string {
		for ; i >= 0; i-- {
			if !strings.HasPrefix(all[i], "  ") {
				return all[i]
			}
		}
		return ""
	}
	for i, l := range as {
		if !slices.Contains(bs, l) {
			fmt.Fprintf(&out, "  only CLI:    %s    (%s)\n", l, head(as, i))
		}
	}
	for i, l := range bs {
		if !slices.Contains(as, l) {
			fmt.Fprintf(&out, "  only engine: %s    (%s)\n", l, head(bs, i))
		}
	}
	return out.String()
}
