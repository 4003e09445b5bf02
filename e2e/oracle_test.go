package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOracle(t *testing.T) {
	for _, story := range stories() {
		t.Run(story.name, func(t *testing.T) {
			s := newOracleStack(t)
			var b strings.Builder
			for i, e := range story.edits {
				o := s.perform(e)
				fmt.Fprintf(&b, "=== %s, edit %d: %s fail=%q state=%v\n%s\n", story.name, i, e.command, e.fail, e.state, e.program)
				for _, step := range o.preview {
					fmt.Fprintln(&b, "preview", step)
				}
				for _, step := range o.update {
					fmt.Fprintln(&b, "update ", step)
				}
				fmt.Fprintf(&b, "failed: %v pending: %v\n", o.failed, o.pending)
				b.WriteString(strings.Join(o.resources, ""))
				if o.failed {
					b.WriteString(o.printed)
				}
			}
			if folder := os.Getenv("ORACLE_OUT"); folder != "" {
				os.WriteFile(filepath.Join(folder, strings.ReplaceAll(story.name, " ", "-")+".txt"), []byte(b.String()), 0o644)
			}
		})
	}
}
