package stack_test

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"

	"github.com/propalg/propalg/codec/steps"
)

// TestToolOfLogs runs propalg diff over all recorded logs. Its counts are the engine's, but
// for reads: the tool counts the first one of a resource, and the engine only those of which
// outputs changed. The exit code is 3 where the run failed or the log ends early.
func TestToolOfLogs(t *testing.T) {
	if testing.Short() {
		t.Skip("a minute")
	}
	dir := t.TempDir()
	tool, file := filepath.Join(dir, "propalg"), filepath.Join(dir, "log.json")
	if out, err := exec.Command("go", "build", "-o", tool, "github.com/propalg/propalg/cmd/propalg").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}

	logs, codes, reads := 0, map[int]int{}, 0
	for _, folder := range []string{"engine/lifecycletest/testdata/output", "backend/display/testdata"} {
		recordedLogs(t, folder, func(l *recorded) {
			logs++
			if err := os.WriteFile(file, l.data, 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command(tool, "diff", "-o", "json", file).Output()
			code := 0
			if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
				code = exit.ExitCode()
			} else if err != nil {
				t.Fatal(err)
			}
			codes[code]++
			var report struct {
				Resources []json.RawMessage
				Summary   map[string]json.RawMessage
				Failure   json.RawMessage
			}
			if err := json.Unmarshal(out, &report); err != nil {
				t.Fatalf("%s: exit %d: %v", l.name, code, err)
			}

			want := 0
			switch {
			case l.isBad || l.summary == nil || l.summary.Result == apitype.OperationResultFailed:
				want = 3
			case len(report.Resources) > 0:
				want = 1
			}
			if code != want || (code == 3) != (report.Failure != nil) {
				t.Errorf("%s: exit %d, want %d; %s", l.name, code, want, report.Failure)
			}
			if l.summary == nil || strings.HasSuffix(l.name, "template-body.json") || strings.HasSuffix(l.name, "up-interrupted.json") || strings.Contains(l.name, "json-yaml") {
				return // edited by hand, see TestLogsForDisplay
			}
			got, engine := countsOf(t, report.Summary), l.changes()
			if got[steps.OpRead] != engine[steps.OpRead] {
				reads++
				delete(got, steps.OpRead)
				delete(engine, steps.OpRead)
			}
			if !maps.Equal(got, engine) {
				t.Errorf("%s: %v, the engine %v", l.name, got, engine)
			}
		})
	}
	if logs < 1_600 || codes[3] < 130 || codes[2] > 0 || reads > 20 {
		t.Errorf("%d logs; exit codes %v; in %d other reads", logs, codes, reads)
	}
}

// countsOf returns the summary of a report with the names of the engine.
func countsOf(t *testing.T, summary map[string]json.RawMessage) map[steps.Op]int {
	t.Helper()
	all := map[steps.Op]int{}
	for _, op := range []steps.Op{steps.OpCreate, steps.OpDelete, steps.OpUpdate, steps.OpReplace, steps.OpSame, steps.OpImport, steps.OpRead, steps.OpDiscard} {
		n := 0
		if text, ok := summary[string(op)]; ok {
			if err := json.Unmarshal(text, &n); err != nil {
				t.Fatal(err)
			}
		}
		all[op] = n
	}
	all[steps.OpUpdate] -= all[steps.OpReplace] // of which it is the sum
	maps.DeleteFunc(all, func(_ steps.Op, n int) bool { return n == 0 })
	return all
}
