package stack_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/codec/steps"
	"github.com/propalg/propalg/internal/test/kit"
)

// recorded is an event log that the engine's tests recorded, and what the SDK reads of it.
type recorded struct {
	name    string
	data    []byte
	events  []apitype.EngineEvent
	summary *apitype.SummaryEvent
	isBad   bool // there is an error, or an operation that failed
}

// recordedLogs calls visit for every event log below a folder of the engine's module.
func recordedLogs(t *testing.T, folder string, visit func(l *recorded)) {
	t.Helper()
	module := kit.CachedModule("github.com/pulumi/pulumi/pkg/v3@v3.259.0")
	if module == "" {
		t.Skip("no github.com/pulumi/pulumi/pkg/v3@v3.259.0 in the module cache")
	}
	root := filepath.Join(module, filepath.FromSlash(folder))
	err := filepath.WalkDir(root, func(file string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(file) != ".json" {
			return err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}

		l := &recorded{name: strings.TrimPrefix(file, root), data: data}
		for in := json.NewDecoder(bytes.NewReader(data)); ; {
			var e apitype.EngineEvent
			if err := in.Decode(&e); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return err
			}
			l.events = append(l.events, e)
			if e.SummaryEvent != nil {
				l.summary = e.SummaryEvent
			}
			l.isBad = l.isBad || e.ResOpFailedEvent != nil || (e.DiagnosticEvent != nil && e.DiagnosticEvent.Severity == "error")
		}
		visit(l)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// read reads a log with package steps.
func (l *recorded) read(t *testing.T) ([]*steps.Step, *steps.Run) {
	t.Helper()
	r := steps.NewReader(bytes.NewReader(l.data), state.Options{Codec: codec.Options{RoundNumbers: true}})
	var all []*steps.Step
	for s, err := range r.Steps() {
		if err != nil {
			t.Fatalf("%s: %v", l.name, err)
		}
		all = append(all, s)
	}
	return all, r.Run()
}

// changes returns the counts of the summary.
func (l *recorded) changes() map[steps.Op]int {
	changes := map[steps.Op]int{}
	for op, n := range l.summary.ResourceChanges {
		if n > 0 {
			changes[steps.Op(op)] = n
		}
	}
	return changes
}

// TestLogsOfTheEngine reads all event logs that the engine's tests recorded. The counts made
// from the steps are the engine's in every one of them that has a summary, without an
// exception, and a run is said to have failed if and only if it did.
func TestLogsOfTheEngine(t *testing.T) {
	var logs, failed, withoutSummary, all int
	kinds := map[string]int{}
	recordedLogs(t, "engine/lifecycletest/testdata/output", func(l *recorded) {
		logs++
		found, run := l.read(t)
		all += len(found)
		kinds[run.Kind]++

		hasFailed := l.summary == nil // the engine stopped before it had one
		if l.summary != nil {
			if want := l.changes(); !maps.Equal(run.Counts, want) {
				t.Errorf("%s: counted %v, the engine %v", l.name, run.Counts, want)
			}
			if run.Result != string(l.summary.Result) || run.IsPreview != l.summary.IsPreview || run.MaybeCorrupt != l.summary.MaybeCorrupt {
				t.Errorf("%s: %+v", l.name, l.summary)
			}
			hasFailed = l.summary.Result == apitype.OperationResultFailed || (l.summary.Result == "" && l.isBad)
		} else {
			withoutSummary++
		}
		if hasFailed {
			failed++
		}
		if run.Failed() != hasFailed || run.Truncated || run.ForeignLines > 0 {
			t.Errorf("%s: failed %v, want %v; truncated %v", l.name, run.Failed(), hasFailed, run.Truncated)
		}
		checkSteps(t, l, found, run)
		checkEffects(t, l, found, run)
	})
	if logs < 1500 || failed < 100 {
		t.Errorf("%d logs, %d of failed runs", logs, failed)
	}
	t.Logf("%d logs with %d steps, %d of failed runs, %d without a summary; %v", logs, all, failed, withoutSummary, kinds)
}

// checkSteps holds steps to the events: each has its own beginning, what the last event of a
// step says is in it, and diagnostics are all there.
func checkSteps(t *testing.T, l *recorded, found []*steps.Step, run *steps.Run) {
	t.Helper()
	begun, failures, diagnostics := []*apitype.StepEventMetadata{}, 0, 0
	for i := range l.events {
		switch e := &l.events[i]; {
		case e.ResourcePreEvent != nil:
			begun = append(begun, &e.ResourcePreEvent.Metadata)
		case e.ResOpFailedEvent != nil:
			failures++
		case e.DiagnosticEvent != nil, e.StdoutEvent != nil:
			diagnostics++
		}
	}
	if len(found) != len(begun) || len(run.Diagnostics) != diagnostics || run.Failures < failures {
		t.Errorf("%s: %d steps of %d, %d diagnostics of %d, %d failures of %d", l.name, len(found), len(begun), len(run.Diagnostics), diagnostics, run.Failures, failures)
		return
	}

	seen := make([]bool, len(begun))
	for _, s := range found {
		want := begun[s.Number]
		if seen[s.Number] || string(s.Op) != string(want.Op) || s.URN != want.URN || !s.Op.Known() {
			t.Errorf("%s: step %d is %s %s, want %s %s", l.name, s.Number, s.Op, s.URN, want.Op, want.URN)
		}
		seen[s.Number] = true
		if s.Old != nil && (want.Old == nil || s.Old.ID != want.Old.ID || s.Old.URN != want.Old.URN) {
			t.Errorf("%s: step %d has another old state than it began with", l.name, s.Number)
		}
		if made := s.Op == steps.OpCreate || s.Op == steps.OpReplace || s.Op == steps.OpCreateReplacement; made && s.Status == steps.Planned && s.New.Custom && !s.OutputsPartial {
			t.Errorf("%s: step %d is planned, and all of its outputs are known", l.name, s.Number)
		}
		if s.Status == steps.Unfinished && run.Result == "succeeded" {
			t.Errorf("%s: step %d of a run that succeeded did not end", l.name, s.Number)
		}
	}
}

// checkEffects does what the steps of an update do to resources, as far as these are known:
// no URN gets a second live resource, and each step finds the one that it is about, live or
// pending deletion.
func checkEffects(t *testing.T, l *recorded, found []*steps.Step, run *steps.Run) {
	t.Helper()
	const skipped = "/TestDestroyWithProgramWithSkippedComponents/" // creations that a destroy skips are the same, of a resource without an ID
	type resource struct{ urn, id string }
	live := map[string]string{}
	pending := map[resource]int{}
	for _, s := range found {
		taken, put := s.Effect()
		if strings.HasSuffix(string(s.Op), "-replacement") && put != nil {
			old, id := s.URN, put.ID // an import in place of a resource that is read has its ID
			if s.Old != nil {
				old, id = s.Old.URN, s.Old.ID
			}
			pending[resource{old, id}]++
			if id, isLive := live[old]; isLive {
				delete(live, old)
				pending[resource{old, id}]++
			}
		}
		if taken != nil && s.Pending {
			if id, isLive := live[taken.URN]; isLive && id == taken.ID && pending[resource{taken.URN, taken.ID}] == 0 {
				t.Errorf("%s: step %d, %s, is about a resource pending deletion, which is live", l.name, s.Number, s.Op)
			}
		}
		if taken != nil && !s.Pending {
			if id, isLive := live[taken.URN]; isLive && id != taken.ID && !strings.HasPrefix(l.name, skipped) {
				t.Errorf("%s: step %d, %s, is about %s, while %s is live", l.name, s.Number, s.Op, taken.ID, id)
			}
			delete(live, taken.URN)
		}
		if put != nil && !s.Pending && !run.IsPreview {
			if id, isLive := live[put.URN]; isLive {
				t.Errorf("%s: step %d, %s, puts %s beside %s", l.name, s.Number, s.Op, put.ID, id)
			}
			live[put.URN] = put.ID
		}
	}
}

// TestLogsCutOff cuts recorded logs off: at the end of a line, and within the next. No step
// is lost that was there, and the log is said to be incomplete.
func TestLogsCutOff(t *testing.T) {
	logs := 0
	recordedLogs(t, "engine/lifecycletest/testdata/output", func(l *recorded) {
		lines := bytes.SplitAfter(l.data, []byte("\n"))
		if logs++; logs%7 != 0 || len(lines) < 6 || l.summary == nil {
			return
		}
		for _, n := range []int{len(lines) / 2, len(lines) - 4} {
			begin := bytes.Join(lines[:n], nil)
			begins := bytes.Count(begin, []byte(`"resourcePreEvent"`))
			for _, more := range []int{0, len(lines[n]) / 2} {
				r := steps.NewReader(bytes.NewReader(append(begin[:len(begin):len(begin)], lines[n][:more]...)), state.Options{})
				var last error
				found := 0
				for _, err := range r.Steps() {
					if last = err; err == nil {
						found++
					}
				}
				if found != begins || !r.Run().Truncated || errors.Is(last, steps.ErrTruncated) != (more > 0) {
					t.Errorf("%s, %d lines and %d bytes: %d steps of %d, %v", l.name, n, more, found, begins, last)
				}
			}
		}
	})
}

// TestLogsForDisplay reads the logs that Pulumi's display is tested with. They were made from
// real ones by hand: one has the events of a resource twice, in one a component is created
// that its summary does not count, and those in json-yaml have no ends of steps.
func TestLogsForDisplay(t *testing.T) {
	byHand := map[string]map[steps.Op]int{
		"/not-truncated/template-body.json":  {steps.OpUpdate: 1},
		"/not-truncated/up-interrupted.json": {steps.OpCreate: 1},
	}
	logs := 0
	recordedLogs(t, "backend/display/testdata", func(l *recorded) {
		logs++
		found, run := l.read(t)
		want := l.changes()
		for op, n := range byHand[l.name] {
			want[op] += n
		}
		if !maps.Equal(run.Counts, want) && run.Unfinished < len(found) {
			t.Errorf("%s: counted %v, want %v", l.name, run.Counts, want)
		}
		if run.Failed() != l.isBad || run.Truncated {
			t.Errorf("%s: failed %v, want %v; truncated %v", l.name, run.Failed(), l.isBad, run.Truncated)
		}
	})
	if logs < 15 {
		t.Errorf("%d logs", logs)
	}
}
