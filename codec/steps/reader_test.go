package steps_test

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/codec/steps"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/value"
)

const prefix = "urn:pulumi:s::p::t:i:R::"

// res is a resource of events. Its text is "ID" or "ID n", where n is an input and an
// output; "" has no ID. Words after these are members that are true.
func res(name, text string) string {
	if text == "-" {
		return "null"
	}
	words := strings.Split(text, " ")
	n, more, custom := "0", "", `"custom":true,`
	for _, word := range words[1:] {
		switch _, err := strconv.Atoi(word); {
		case err == nil:
			n = word
		case word == "component":
			custom = ""
		default:
			more += `,"` + word + `":true`
		}
	}
	return `{"type":"t:i:R","urn":"` + prefix + name + `",` + custom + `"id":"` + words[0] + `","parent":"","inputs":{"n":` + n + `},"outputs":{"n":` + n + `},"provider":""` + more + `}`
}

// logOf makes a log of lines such as "pre update a|1|1 2": an event, an operation, a name,
// and the states before and after. Other lines stand as they are.
func logOf(lines ...string) string {
	var out strings.Builder
	for i, line := range lines {
		head, states, isStep := strings.Cut(line, "|")
		words := strings.Fields(head)
		if !isStep || len(words) < 3 {
			out.WriteString(line + "\n")
			continue
		}

		event := map[string]string{"pre": "resourcePreEvent", "out": "resOutputsEvent", "fail": "resOpFailedEvent"}[words[0]]
		old, now, _ := strings.Cut(states, "|")
		name, before, isRenamed := strings.Cut(words[2], "<")
		if !isRenamed {
			before = name
		}
		planning := ""
		if len(words) > 3 {
			planning = `,"planning":true`
		}
		logical := ""
		if !strings.Contains(words[1], "-") && words[1] != "refresh" {
			logical = `,"logical":true`
		}
		fmt.Fprintf(&out, `{"sequence":%d,"timestamp":1,"%s":{"metadata":{"op":"%s","urn":"%s","type":"t:i:R","old":%s,"new":%s,"detailedDiff":null%s}%s}}`+"\n",
			i, event, words[1], prefix+name, res(before, old), res(name, now), logical, planning)
	}
	return out.String()
}

const (
	begins  = `{"sequence":0,"timestamp":1,"preludeEvent":{"config":{}}}`
	ends    = `{"sequence":9,"timestamp":1,"cancelEvent":{}}`
	summary = `{"sequence":8,"timestamp":1,"summaryEvent":{"maybeCorrupt":false,"durationSeconds":2,"resourceChanges":{"create":1},"PolicyPacks":{"pack":"v1"},"isPreview":false,"result":"succeeded"}}`
)

// drain reads everything.
func drain(r *steps.Reader) (all []*steps.Step, err error) {
	for s, failed := range r.Steps() {
		if failed != nil {
			return all, failed
		}
		all = append(all, s)
	}
	return all, nil
}

func read(text string) *steps.Reader {
	return steps.NewReader(strings.NewReader(text), state.Options{})
}

// show prints a step in a line.
func show(s *steps.Step) string {
	short := func(r *state.Resource) string {
		if r == nil {
			return "-"
		}
		return fmt.Sprintf("%s(%s) %v %v", strings.TrimPrefix(r.URN, prefix), r.ID, r.Inputs, r.Outputs)
	}
	line := fmt.Sprintf("%d %v %s %s: %s => %s", s.Number, s.Status, s.Op, strings.TrimPrefix(s.URN, prefix), short(s.Old), short(s.New))
	for _, flag := range []struct {
		is   bool
		name string
	}{
		{s.Found != "", "found " + string(s.Found)},
		{s.Imported != nil, "imported"},
		{s.Pending, "pending"},
		{s.PartialFailure, "changed"},
		{s.InputsPartial, "part of the inputs"},
		{s.OutputsPartial, "part of the outputs"},
		{!s.Op.Known(), "unknown"},
	} {
		if flag.is {
			line += ", " + flag.name
		}
	}
	return line
}

// showAll prints all that a reader finds, and what the steps leave of resources.
func showAll(r *steps.Reader) string {
	var out strings.Builder
	all, err := drain(r)
	for _, s := range all {
		out.WriteString(show(s) + "\n")
	}
	if err != nil {
		out.WriteString(err.Error() + "\n")
	}

	run := r.Run()
	fmt.Fprintf(&out, "%s, %q, %v", run.Format, run.Kind, run.Counts)
	for _, flag := range []struct {
		is   bool
		name string
	}{
		{run.IsPreview, "preview"},
		{run.Failed(), "failed"},
		{run.Truncated, "truncated"},
		{run.ForeignLines > 0, fmt.Sprint(run.ForeignLines, " other lines from ", run.FirstForeign)},
		{run.Failures > 0, fmt.Sprint(run.Failures, " failures")},
		{run.Unfinished > 0, fmt.Sprint(run.Unfinished, " unfinished")},
	} {
		if flag.is {
			out.WriteString(", " + flag.name)
		}
	}
	return out.String()
}

var logRows = []struct{ name, log, want string }{
	{"two resources of one URN: the live one is the same, the pending one is deleted", logOf(begins,
		"pre same a|2 1|2 1", "out same a|2 1|2 1", "pre delete-replaced a|1 0 delete|-", "out delete-replaced a|1 0 delete|-", summary, ends), `
0 done same a: a(2) {n: 1} {n: 1} => a(2) {n: 1} {n: 1}
1 done delete-replaced a: a(1) {n: 0} {n: 0} => -, pending
event log, "update", map[same:1]`},
	{"a destroy with a pending deletion", logOf(begins,
		"pre delete-replaced a|1 delete|-", "pre delete a|2|-", "out delete a|2|-", "out delete-replaced a|1 delete|-", summary, ends), `
1 done delete a: a(2) {n: 0} {n: 0} => -
0 done delete-replaced a: a(1) {n: 0} {n: 0} => -, pending
event log, "destroy", map[delete:1]`},
	{"a resource that was read, and the record of one that is gone", logOf(begins,
		"pre discard a|e external|-", "out discard a|e external|-", "pre remove-pending-replace b|2 pendingReplacement|-", "out remove-pending-replace b|2 pendingReplacement|-", summary, ends), `
0 done discard a: a(e) {n: 0} {n: 0} => -
1 done remove-pending-replace b: b(2) {n: 0} {n: 0} => -
event log, "destroy", map[discard:1]`},
	{"a refresh finds a resource gone, and the program creates it", logOf(begins,
		"pre refresh a P|2|2", "out refresh a P|2|-", "pre create a P|-| 1", "out create a P|-| 1", summary, ends), `
0 planned refresh a: a(2) {n: 0} {n: 0} => -
1 planned create a: - => a() {n: 1} {n: 1}, part of the outputs
event log, "update", map[create:1]`},
	{"a refresh of three of one URN", logOf(begins,
		"pre refresh a|1|1", "pre refresh a|3 delete|3 delete", "pre refresh a|4 delete|4 delete",
		"out delete a|3 delete|-", "out same a|4 delete|4 delete", "out delete a|1|-", summary, ends), `
1 done refresh a: a(3) {n: 0} {n: 0} => -, found delete, pending
2 done refresh a: a(4) {n: 0} {n: 0} => a(4) {n: 0} {n: 0}, found same, pending
0 done refresh a: a(1) {n: 0} {n: 0} => -, found delete
event log, "refresh", map[delete:2 same:1]`},
	{"a replacement", logOf(begins,
		"pre create-replacement a|1|", "out create-replacement a|1 delete|2", "pre replace a|1|2", "out replace a|1 delete|2", "pre delete-replaced a|1 delete|-", "out delete-replaced a|1 delete|-", summary, ends), `
0 done create-replacement a: a(1) {n: 0} {n: 0} => a(2) {n: 0} {n: 0}
1 done replace a: a(1) {n: 0} {n: 0} => a(2) {n: 0} {n: 0}
2 done delete-replaced a: a(1) {n: 0} {n: 0} => -, pending
event log, "update", map[replace:1]`},
	{"an import: the old state of its end is no state before", logOf(begins,
		"pre import a|-|", "out import a|i-1 1|i-1 2", summary, ends), `
0 done import a: - => a(i-1) {n: 2} {n: 2}, imported
event log, "update", map[import:1]`},
	{"an alias", logOf(begins, "pre same new<old|1|", "out same new<old|1|1", summary, ends), `
0 done same new: old(1) {n: 0} {n: 0} => new(1) {n: 0} {n: 0}
event log, "update", map[same:1]`},
	{"failed and interrupted operations", logOf(begins,
		"pre update x|1 1|1 2", "fail update x|1 1|1 2", "pre create y|-| 1", "fail create y|-| 1", "pre delete d|9|-",
		`{"sequence":6,"timestamp":1,"summaryEvent":{"maybeCorrupt":true,"durationSeconds":8,"resourceChanges":{}}}`, ends), `
0 failed update x: x(1) {n: 1} {n: 1} => x(1) {n: 2} {n: 2}, part of the outputs
1 failed create y: - => y() {n: 1} {n: 1}, part of the outputs
2 unfinished delete d: d(9) {n: 0} {n: 0} => -
event log, "update", map[], failed, 2 failures, 1 unfinished`},
	{"components, of which an update has no end, and a preview two", logOf(begins,
		"pre create c|-| component", "pre create d P|-| component", "out create d P|-| component", "pre create r P|-| 1", "out create d P|-| 7 component",
		"pre delete e| component|-", summary, ends), `
1 planned create d: - => d() {n: 7} {n: 7}
0 done create c: - => c() {n: 0} {n: 0}, part of the outputs
2 unfinished create r: - => r() {n: 1} {n: 1}, part of the outputs
3 unfinished delete e: e() {n: 0} {n: 0} => -
event log, "update", map[create:2], 2 unfinished`},
	{"a component in place of a resource", logOf(begins, "pre replace a|1 delete|2 component", summary, ends), `
0 done replace a: a(1) {n: 0} {n: 0} => a(2) {n: 0} {n: 0}, part of the outputs
event log, "update", map[replace:1]`},
	{"an operation of a preview fails", logOf(begins, "pre read a P|-|1",
		`{"diagnosticEvent":{"urn":"`+prefix+`a","prefix":"error: ","message":"<{%reset%}>not found <{%<{%bold%}>.\n","severity":"error"}}`,
		strings.Replace(summary, "succeeded", "failed", 1), ends), `
0 failed read a: - => a(1) {n: 0} {n: 0}, part of the outputs
event log, "update", map[], failed, 1 failures`},
	{"reads count if outputs changed", logOf(begins,
		"pre read a|1|1", "out read a|1 1|1 1", "pre read b|1|1", "out read b|1 1|1 2", "pre read c|-|1", "out read c|-|1", summary, ends), `
0 done read a: a(1) {n: 1} {n: 1} => a(1) {n: 1} {n: 1}
1 done read b: b(1) {n: 1} {n: 1} => b(1) {n: 2} {n: 2}
2 done read c: - => c(1) {n: 0} {n: 0}
event log, "update", map[read:1]`},
	{"outputs of a resource that ended before, and an end without a beginning", logOf(begins,
		"pre create a|-|", "out create a|-|1", "out create a|-|1 2", summary, ends), `
0 done create a: - => a(1) {n: 0} {n: 0}
event log, "update", map[create:1]`},
	{"two steps that only their order distinguishes", logOf(begins,
		"pre update a|1 1|1 2", "pre update a|1 2|1 3", "out update a|1 1|1 2", "out update a|1 2|1 3", summary, ends), `
0 done update a: a(1) {n: 1} {n: 1} => a(1) {n: 2} {n: 2}
1 done update a: a(1) {n: 2} {n: 2} => a(1) {n: 3} {n: 3}
event log, "update", map[update:2]`},
	{"a policy that is mandatory, in a log without a result", logOf(begins, `{"policyEvent":{"enforcementLevel":"mandatory"}}`, strings.Replace(summary, `,"result":"succeeded"`, "", 1), ends), `
event log, "", map[], failed`},
	{"a policy that is not", logOf(begins, `{"policyEvent":{"enforcementLevel":"advisory"}}`, strings.Replace(summary, `,"result":"succeeded"`, "", 1), ends), `
event log, "", map[]`},
	{"a member of an event twice", logOf(begins, `{"sequence":1,"sequence":2}`), `
steps: line 2, offset 72, after 0 steps: event: duplicate member name
event log, "", map[]`},
	{"a log without its beginning", logOf("out create a|-|1", summary, ends), `
0 done create a: - => a(1) {n: 0} {n: 0}
event log, "update", map[create:1]`},
	{"a log that stops", logOf(begins, "pre create a|-|"), `
0 unfinished create a: - => a() {n: 0} {n: 0}, part of the outputs
event log, "update", map[], truncated, 1 unfinished`},
	{"a run that ended without a summary", logOf(begins, ends), `
event log, "", map[], failed`},
	{"an operation that nobody knows", logOf(begins, "pre adopt a|-|1", "out adopt a|-|1", summary, ends), `
0 done adopt a: - => a(1) {n: 0} {n: 0}, unknown
event log, "update", map[adopt:1]`},
	{"an operation that the engine does not call logical", strings.ReplaceAll(logOf(begins, "pre adopt a|-|1", "out adopt a|-|1", summary, ends), `,"logical":true`, ""), `
0 done adopt a: - => a(1) {n: 0} {n: 0}, unknown
event log, "update", map[]`},
	{"other text", logOf("Previewing update (dev)", begins, "warning: x", `{"level":"info","msg":"x"}`, "pre create a|-|", "out create a|-|1", "", summary, "done", ends), `
0 done create a: - => a(1) {n: 0} {n: 0}
event log, "update", map[create:1], 4 other lines from 1`},
	{"two runs", logOf(begins, "pre create a|-|", "out create a|-|1", summary, ends, begins, "pre create b|-|"), `
0 done create a: - => a(1) {n: 0} {n: 0}
steps: line 6, offset 956, after 1 step: a second run: found preludeEvent
event log, "update", map[create:1]`},
	{"a run that was killed, and another", logOf(begins, "pre create a|-|", begins), `
0 unfinished create a: - => a() {n: 0} {n: 0}, part of the outputs
steps: line 3, offset 413, after 1 step: a second run: found preludeEvent
event log, "update", map[], truncated, 1 unfinished`},
	{"a line in a line", logOf(begins, "pre create a|-|", `{"sequence":4,"res{"sequence":0,"timestamp":1}`, summary, ends), `
0 unfinished create a: - => a() {n: 0} {n: 0}, part of the outputs
steps: line 3, offset 390, after 1 step: syntax error: expected ':', found another character
event log, "update", map[], 1 unfinished`},
	{"a resource that cannot be read", logOf(begins, "pre create a|-|", "out create a|-|1",
		`{"resourcePreEvent":{"metadata":{"op":"delete","urn":"`+prefix+`b",`+"\n\n"+`"old":{"urn":"`+prefix+`b","inputs":{"a":1,"a":2}}}}}`, summary), `
0 done create a: - => a(1) {n: 0} {n: 0}
steps: line 6, offset 822, after 2 steps: urn:pulumi:s::p::t:i:R::b: inputs: codec: decode json: duplicate member name
event log, "update", map[create:1]`},
	{"wrong kinds", logOf(begins, `{"resourcePreEvent":{"metadata":{"op":7}}}`), `
steps: line 2, offset 96, after 0 steps: op: malformed field: expected string, found number
event log, "", map[]`},
	{"no metadata", logOf(begins, `{"resourcePreEvent":{}}`), `
steps: line 2, offset 78, after 0 steps: metadata: malformed field: expected object, found none
event log, "", map[]`},
}

// TestLogs reads sequences of events: what a URN, an operation and an ID say together.
func TestLogs(t *testing.T) {
	for _, row := range logRows {
		if got := showAll(read(row.log)); got != row.want[1:] {
			t.Errorf("%s:\n%s\nwant\n%s", row.name, got, row.want[1:])
		}
	}
}

var old, now = res("a", "1 1"), strings.ReplaceAll(res("a", "1 2"), `,"outputs":{"n":2}`, "")

var documentRows = []struct{ name, text, want string }{
	{"a preview", `{"config":{},"steps":[{"op":"update","urn":"` + prefix + `a","oldState":` + old + `,"newState":` + now + `}],"duration":1,"changeSummary":{"update":1}}`, `
0 planned update a: a(1) {n: 1} {n: 1} => a(1) {n: 2} null, part of the outputs
preview, "update", map[update:1], preview`},
	{"a preview with the mark of its encoding", "\ufeff{\n" + `"steps":[],"duration":1}`, `
preview, "", map[], preview`},
	{"a preview among other lines", "warning\n" + `{"steps":[],"duration":1}` + "\nbye\n", `
preview, "", map[], preview, 2 other lines from 1`},
	{"a preview that failed early", `{"config":{},"diagnostics":[{"message":"error: no credentials\n","severity":"error"}],"duration":1,"changeSummary":null}`, `
preview, "", map[], preview, failed`},
	{"a preview of nothing", `{"config":{"a":"b"},"duration":1}`, `
preview, "", map[], preview`},
	{"a preview without steps", `{"duration":1,"changeSummary":{}}`, `
preview, "", map[], preview`},
	{"created again", `{"steps":[{"op":"delete","urn":"` + prefix + `a","oldState":` + old + `},{"op":"create","urn":"` + prefix + `a","newState":` + now + `}]}`, `
0 planned delete a: a(1) {n: 1} {n: 1} => -
1 planned create a: - => a(1) {n: 2} null, part of the outputs
preview, "update", map[create:1 delete:1], preview`},
	{"a preview that is cut off", `{"steps":[{"op":"delete","urn":"` + prefix + `a","oldState":` + old + "},\n{\"op\":\"create\"", `
0 planned delete a: a(1) {n: 1} {n: 1} => -
steps: line 2, offset 221, after 1 step: cut off: expected ',' or '}', found end of input
preview, "destroy", map[delete:1], preview, truncated`},
	{"a plan, wrapped", `{"version":1,"plan":{"manifest":{},"config":{"a":1},"resourcePlans":{
"` + prefix + `a":{"goal":{"type":"t:i:R","name":"a","custom":true,"inputDiff":{"adds":{"x":1},"updates":{"y":2},"deletes":["z"]},"outputDiff":{},"protect":true},"steps":["update"],"state":{"o":1}},
"` + prefix + `b":{"goal":{"type":"t:i:R","custom":true,"inputDiff":{"updates":{"y":2}}},"steps":["create-replacement","replace","delete-replaced"],"state":{"o":1}},
"` + prefix + `c":{"goal":{"custom":true,"inputDiff":{"adds":{"x":1}}},"steps":["create"],"state":null},
"` + prefix + `d":{"goal":null,"steps":["delete"],"state":{}},
"` + prefix + `e":{"goal":{"custom":false,"inputDiff":{},"outputDiff":{"updates":{"url":"b"},"deletes":["old"]}},"steps":["same"],"state":{"url":"b"}}}}}`, `
0 planned update a: a() {y: [unknown], z: [unknown]} null => a() {x: 1, y: 2} {o: 1}, part of the inputs, part of the outputs
1 planned create-replacement b: b() {y: [unknown]} null => b() {y: 2} {o: 1}, part of the inputs, part of the outputs
2 planned replace b: b() {y: [unknown]} null => b() {y: 2} {o: 1}, part of the inputs, part of the outputs
3 planned delete-replaced b: b() {y: [unknown]} null => -, pending, part of the inputs, part of the outputs
4 planned create c: - => c() {x: 1} {}, part of the inputs, part of the outputs
5 planned delete d: d() {} null => -, part of the inputs, part of the outputs
6 planned same e: e() {} {old: [unknown], url: [unknown]} => e() {} {url: "b"}, part of the inputs, part of the outputs
plan, "update", map[create:1 delete:1 replace:1 same:1 update:1], preview`},
	{"a plan with deletions of replaced resources: after, before, and one that was left", `{"resourcePlans":{
"` + prefix + `a":{"goal":{},"steps":["create-replacement","delete-replaced"]},"` + prefix + `b":{"goal":{},"steps":["delete-replaced","create-replacement"]},"` + prefix + `c":{"goal":{},"steps":["same","delete-replaced"]}}}`, `
0 planned create-replacement a: a() {} null => a() {} {}, part of the inputs, part of the outputs
1 planned delete-replaced a: a() {} null => -, pending, part of the inputs, part of the outputs
2 planned delete-replaced b: b() {} null => -, part of the inputs, part of the outputs
3 planned create-replacement b: b() {} null => b() {} {}, part of the inputs, part of the outputs
4 planned same c: c() {} null => c() {} {}, part of the inputs, part of the outputs
5 planned delete-replaced c: c() {} null => -, pending, part of the inputs, part of the outputs
plan, "update", map[same:1], preview`},
	{"a plan with a mistake", `{"resourcePlans":{"` + prefix + `a":{"goal":{"inputDiff":{"adds":
[1]}},"steps":["create"]}}}`, `
steps: line 2, offset 76, after 0 steps: urn:pulumi:s::p::t:i:R::a: inputDiff: codec: decode json: wrong kind: expected object, found array
plan, "", map[], preview`},
	{"a state", `{"version":3,"deployment":{"resources":[]}}`, `
steps: line 1, offset 26, after 0 steps: neither preview, plan nor event log: found a state file
, "", map[], preview`},
	{"a property bag", `{"a":1}`, `
steps: line 1, offset 0, after 0 steps: neither preview, plan nor event log: expected one of the members steps, resourcePlans, resourcePreEvent, found none
, "", map[], preview`},
	{"nothing", " \n", `
steps: line 2, offset 2, after 0 steps: neither preview, plan nor event log: expected object, found none
, "", map[]`},
	{"two documents", `{"steps":[],"duration":1}{"steps":[]}`, `
steps: line 1, offset 25, after 0 steps: a second run
preview, "", map[], preview`},
	{"a member twice", `{"steps":[],"steps":[]}`, `
steps: line 1, offset 12, after 0 steps: duplicate member name
preview, "", map[], preview`},
	{"no operation", `{"steps":[{"urn":"` + prefix + `a"}]}`, `
steps: line 1, offset 10, after 0 steps: urn:pulumi:s::p::t:i:R::a: op: malformed field: expected string, found none
preview, "", map[], preview`},
}

// TestDocuments reads previews and plans.
func TestDocuments(t *testing.T) {
	for _, row := range documentRows {
		if got := showAll(read(row.text)); got != row.want[1:] {
			t.Errorf("%s:\n%s\nwant\n%s", row.name, got, row.want[1:])
		}
	}
}

// TestFields reads what a step, a resource and a run have besides.
func TestFields(t *testing.T) {
	r := read(`{"preludeEvent":{"config":{"a":"b"}}}
{"policyEvent":{"resourceUrn":"u","message":"<{%fg 1%}>no\n","policyName":"p","policyPackName":"pack","policyPackVersion":"1","enforcementLevel":"mandatory","severity":"high"}}
{"resourcePreEvent":{"metadata":{"op":"update","urn":"` + prefix + `a","old":` + res("a", "1") + `,"new":{"urn":"` + prefix + `a","initErrors":["x"],"hideDiffs":["a.b","c"],"newer":1},"keys":["k"],"diffs":["k","l"],
"detailedDiff":{"k[0]":{"diffKind":"update-replace","inputDiff":true},"l":{"kind":"add"}},"provider":"prov::id","newer":{"a":1}}}}
{"stdoutEvent":{"message":"hello"}}
{"errorEvent":{"error":"internal"}}
{"diagnosticEvent":{"message":"working <{%x","severity":"info#err","ephemeral":true}}
{"progressEvent":{}}
{"adoptEvent":{"a":1}}
{"summaryEvent":{"maybeCorrupt":true,"durationSeconds":3,"resourceChanges":{"update":2},"PolicyPacks":{"pack":"v1"},"isPreview":true,"result":"canceled"}}
{"cancelEvent":{}}`)
	all, err := drain(r)
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}

	s := all[0]
	if got := fmt.Sprintln(s.Changed, s.Replaces, s.Details, s.Provider, s.New.HideDiff); got != "[k l] [k] [{k[0] update-replace true} {l add false}] prov::id [a.b c]\n" {
		t.Error(got)
	}
	names := func(fields []state.Field) (names []string) {
		for _, f := range fields {
			names = append(names, f.Name+"="+f.RevealText())
		}
		return names
	}
	if got := fmt.Sprint(names(s.Extra), names(s.New.Extra)); got != `[type="t:i:R" newer={"a":1}] [newer=1]` && got != `[newer={"a":1}] [newer=1]` {
		t.Error(got)
	}
	if v, _ := s.New.InitErrors[0].Reveal().AsString(); v != "x" || !s.New.InitErrors[0].IsSecret() {
		t.Error("errors of a provider are secrets")
	}

	run := r.Run()
	if got := fmt.Sprintln(run.Result, run.IsPreview, run.Failed(), run.Changes, run.Duration, run.MaybeCorrupt, run.PolicyPacks, run.Violations, run.Diagnostics, names(run.Extra)); got !=
		`canceled true true map[update:2] 3s true map[pack:v1] [{u p pack 1 mandatory high no}] [{ info hello false} { debug internal false} { info#err working <{%x true}] [preludeEvent={"config":{"a":"b"}} adoptEvent={"a":1}]`+"\n" {
		t.Error(got)
	}
	if run.Events["adoptEvent"] != 1 || run.Events["progressEvent"] != 1 || !run.Lacks("dependencies") || run.Lacks("id") {
		t.Error(run.Events)
	}
}

// TestMasked: a masked secret equals no other, of another side, resource or text; that of a
// step that changes nothing equals itself.
func TestMasked(t *testing.T) {
	for bag, want := range map[string]string{
		`{"[secret]":{"a":["[secret]",1]},"b":"[secret]x"}`:                                                        `{"[secret]": {a: [[secret], 1]}, b: "[secret]x"}`,
		`{"a":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","ciphertext":"[secret]"}}`:    `{a: [secret]}`,
		`{"a":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","plaintext":"\"[secret]\""}}`: `{a: [secret]}`,
		`{"a":"\u005bsecret]"}`: `{a: [secret]}`,
	} {
		text := `{"steps":[`
		for i, op := range []string{"update", "same", "update"} {
			r := `{"urn":"` + prefix + strconv.Itoa(i) + `","inputs":` + bag + `,"outputs":` + bag + `}`
			text += `{"op":"` + op + `","oldState":` + r + `,"newState":` + r + `},`
		}
		text = strings.TrimSuffix(text, ",") + "]}"

		var inputs []value.Value
		for range 2 {
			all, err := drain(read(text))
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range all {
				if s.Op == steps.OpSame {
					if value.Strict.Compatible(s.Old.Inputs, s.New.Inputs) != value.Same {
						t.Error("a step that changes nothing has other secrets")
					}
					inputs = append(inputs, s.Old.Inputs)
					continue
				}
				inputs = append(inputs, s.Old.Inputs, s.New.Inputs)
			}
		}
		isKnown := strings.Contains(bag, "plaintext") // which a text with secrets in clear has
		for i, v := range inputs {
			if got := v.String(); got != want {
				t.Fatal(got)
			}
			for _, w := range inputs[:i] {
				if got := value.Strict.Compatible(v, w); got != value.Maybe && !isKnown {
					t.Errorf("%s: masked secrets of two places are not known to be equal: %v", bag, got)
				}
			}
		}
	}
}

// TestEffects says what each operation does to the resources of a stack, and as what it
// counts.
func TestEffects(t *testing.T) {
	old, now := &state.Resource{URN: prefix + "old"}, &state.Resource{URN: prefix + "new"}
	for op, want := range map[steps.Op]string{
		steps.OpSame: "old new same", steps.OpUpdate: "old new update", steps.OpRefresh: "old new -", steps.OpRead: "old new -",
		steps.OpCreate: "- new create", steps.OpImport: "- new import", steps.OpCreateReplacement: "- new -", steps.OpReadReplacement: "- new -", steps.OpImportReplacement: "- new -",
		steps.OpDelete: "old - delete", steps.OpDiscard: "old - discard", steps.OpDeleteReplaced: "old - -", steps.OpDiscardReplaced: "old - -", steps.OpRemovePendingReplace: "old - -",
		steps.OpReplace: "- - replace", "diff": "- - diff", "adopt": "- - adopt",
	} {
		show := func(s *steps.Step) string {
			text := ""
			taken, put := s.Effect()
			for _, r := range []*state.Resource{taken, put} {
				if r == nil {
					text += "- "
				} else {
					text += strings.TrimPrefix(r.URN, prefix) + " "
				}
			}
			if op, ok := s.Counted(); ok {
				return text + string(op)
			}
			return text + "-"
		}
		isLogical := !strings.Contains(string(op), "-") && op != steps.OpRefresh
		s := &steps.Step{Op: op, Old: old, New: now, Status: steps.Done, Logical: isLogical}
		if got := show(s); got != want {
			t.Errorf("%s: %s, want %s", op, got, want)
		}
		if op.Known() != (op != "adopt") {
			t.Errorf("%s: known %v", op, op.Known())
		}
		for _, status := range []steps.Status{steps.Failed, steps.Unfinished} {
			if s.Status = status; show(s) != "- - -" {
				t.Errorf("%s, %v: %s", op, status, show(s))
			}
		}
		s = &steps.Step{Op: op, URN: "urn:pulumi:s::p::pulumi:providers:aws::default_6_0_0", Old: old, New: now, Logical: isLogical}
		if got := show(s); !strings.HasSuffix(got, " -") {
			t.Errorf("%s of a default provider: %s", op, got)
		}
	}
	if steps.Status(9).String() != "invalid status" || steps.Unfinished.String() != "unfinished" {
		t.Error(steps.Status(9), steps.Unfinished)
	}
}

// samples are texts of all formats.
func samples() []string {
	return []string{
		logOf(begins, "pre same a|2 1|2 1", "out same a|2 1|2 1", "pre create c P|-| component", "out create c P|-| component", "noise", "pre delete b|1 0 delete|-", "out delete b|1 0 delete|-", summary, ends),
		preview, plan, eventLog,
		`{"version":1,"plan":` + plan + `}`,
	}
}

// TestCut cuts texts everywhere: what is there is read, and the rest is said to be missing.
func TestCut(t *testing.T) {
	for _, text := range samples() {
		whole, _ := drain(read(text))
		seen := map[int]bool{}
		for n := range len(text) {
			r := read(text[:n])
			all, err := drain(r)
			seen[len(all)] = true
			if len(all) > len(whole) {
				t.Fatalf("%d steps of %d", len(all), len(whole))
			}
			if strings.TrimSpace(text[n:]) == "" || strings.HasPrefix(text[n:], "\n") {
				continue
			}
			var e *steps.Error
			isLineEnd := strings.HasSuffix(strings.TrimSpace(text[:n]), "}") || strings.HasSuffix(text[:n], "n") || strings.HasSuffix(text[:n], "o") // of a log, or in noise
			if !errors.As(err, &e) && !r.Run().Truncated && !isLineEnd && n > 0 {
				t.Fatalf("cut at %d of %d: %v", n, len(text), err)
			}
			if e != nil && (e.Offset < 0 || e.Offset > int64(n) || e.Line != 1+strings.Count(text[:e.Offset], "\n")) {
				t.Fatalf("cut at %d: %v", n, e)
			}
		}
		if len(seen) < 2 && len(whole) > 1 {
			t.Errorf("always %v steps", slices.Collect(maps.Keys(seen)))
		}
	}
}

// TestWindows reads through windows of any size.
func TestWindows(t *testing.T) {
	for _, text := range samples() {
		want := showAll(read(text))
		for _, window := range []int{1, 2, 3, 5, 7, 16, 100, 1000} {
			r := steps.NewReader(iotest.HalfReader(strings.NewReader(text)), state.Options{})
			steps.SetWindow(r, window)
			if got := showAll(r); got != want {
				t.Fatalf("window %d:\n%s\nwant\n%s", window, got, want)
			}
		}
	}
}

// TestReaders: what a reader does with nothing, twice, and with a stream that fails or has
// no end.
func TestReaders(t *testing.T) {
	for name, r := range map[string]*steps.Reader{"nil": nil, "zero": {}} {
		if all, err := drain(r); len(all) > 0 || err != nil || r.Run().Failed() {
			t.Error(name, all, err)
		}
	}
	if _, err := drain(steps.NewReader(nil, state.Options{})); !errors.Is(err, state.ErrRead) {
		t.Error(err)
	}

	r := read(preview)
	for range r.Steps() {
		break
	}
	if _, err := drain(r); !errors.Is(err, state.ErrRead) || !strings.Contains(err.Error(), "already") {
		t.Error(err)
	}

	failure := errors.New("the disk is full")
	for _, text := range []string{preview[:400], eventLog[:1000], "", "text", "{"} {
		if _, err := drain(steps.NewReader(io.MultiReader(strings.NewReader(text), iotest.ErrReader(failure)), state.Options{})); !errors.Is(err, failure) || !errors.Is(err, state.ErrRead) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, begin := range []string{`{"steps":[{"a":"`, `{"sequence":1,"a":"`, `{"`} {
		r := steps.NewReader(io.MultiReader(strings.NewReader(begin), endless{}), state.Options{})
		steps.SetLongest(r, 1<<16)
		if _, err := drain(r); !errors.Is(err, state.ErrRead) || !strings.Contains(err.Error(), "longer than") {
			t.Errorf("%q: %v", begin, err)
		}
	}
	if _, err := drain(steps.NewReader(strings.NewReader(preview), state.Options{Codec: codec.Options{Depth: -1}})); !errors.Is(err, codec.ErrOptions) {
		t.Error(err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// TestDepth: absurd nesting is an error, at the outermost place and in resources.
func TestDepth(t *testing.T) {
	deep := strings.Repeat("[", 100000) + strings.Repeat("]", 100000)
	for _, text := range []string{
		`{"steps":` + deep + `}`, `{"config":` + deep + `}`, `{"sequence":` + deep + `}`, `{"sequence":1,"xEvent":` + deep + `}`, `{"resourcePlans":{"a":` + deep + `}}`,
		`{"steps":[{"op":"create","newState":{"urn":"` + prefix + `a","inputs":{"a":` + deep + `}}}]}`,
		strings.Repeat(`{"plan":`, 100000),
	} {
		if _, err := drain(read(text)); !errors.Is(err, codec.ErrDepth) {
			t.Errorf("%.60s: %v", text, err)
		}
	}
}

// TestSecrets: no error and no printer shows a value.
func TestSecrets(t *testing.T) {
	const canary = "tooSecretToShow"
	const secret = `{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","plaintext":"\"` + canary + `\""}`
	for _, text := range []string{
		`{"steps":[{"op":"update","oldState":{"urn":"` + prefix + `a","inputs":{"p":` + secret + `},"initErrors":["` + canary + `"]},"more":"` + canary + `"}],"config":{"a":"` + canary + `"}}`,
		`{"resourcePlans":{"` + prefix + `a":{"goal":{"inputDiff":{"adds":{"p":` + secret + `}}},"steps":["create"]}}}`,
		`{"resourcePlans":{"` + prefix + `a":{"goal":{"inputDiff":{"adds":{"p":` + strings.ReplaceAll(secret, `\"`, "") + `}}},"steps":["create"]}}}`,
		`{"steps":[{"op":"update","oldState":{"urn":"` + prefix + `a","inputs":{"p":` + secret + `,"p":"` + canary + `"}}}]}`,
		`{"resourcePreEvent":{"metadata":{"op":"delete","urn":"u","old":{"urn":"u","outputs":` + secret + `}}}}`,
		`{"steps":["` + canary + `"]}`,
		`{"` + canary,
	} {
		r := read(text)
		all, err := drain(r)
		for _, s := range all {
			kit.CheckCanary(t, canary, s, *s)
		}
		kit.CheckCanary(t, canary, err, r, r.Run())
	}
}

func TestFormatOf(t *testing.T) {
	for text, want := range map[string]string{
		`{"no steps":1,"duration":1}`:                                                           "",
		`{"diagnostics":{"on":true},"duration":"5m"}`:                                           "",
		`{"diagnostics":["log"],"duration":5}`:                                                  "",
		`{"diagnostics":[{"message":"m","severity":"error"}],"duration":1}`:                     "preview",
		`{"steps":[],"duration":1}`:                                                             "preview",
		`{"steps":["a"],"duration":1}`:                                                          "",
		"{\n \"config\": {},\n \"steps\": [{\"op\":\"same\",\"urn\":\"urn:pulumi:s::p::t::n\"}": "preview",
		`{"steps":[],"duration":1,"changeSummary":{}}`:                                          "preview",
		"warning\n{\"steps\": [{\"urn\":\"u\",\"op\":\"s":                                       "preview",
		`{"steps":[1],"a":2}`:                                                                   "",
		`{"steps":[{"op":"x"}]}`:                                                                "",
		`{"manifest":{},"resourcePlans":{"a`:                                                    "plan",
		`{"version":1,"plan":{"manifest":{},"resourcePlans":{}`:                                 "plan",
		`{"version":1,"plan":{"a":"resourcePlans"}}`:                                            "",
		`{"plan":{"resourcePlans":{}}}`:                                                         "",
		"noise\n" + `{"sequence":0,"timestamp":1,"prelu`:                                        "event log",
		`{"sequence":1,"a":2}`:                                                                  "",
		`{"a":"\"sequence\"","sequence":1}`:                                                     "",
		`{"version":3,"deployment":{"resources":[]}}`:                                           "",
		"":  "",
		"[": "",
	} {
		if got := steps.FormatOf(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// repeated is a text, another one many times, and a third.
type repeated struct {
	parts []string
	left  int
	rest  string
}

func (r *repeated) Read(p []byte) (int, error) {
	for r.rest == "" {
		switch {
		case r.left > 0:
			r.left--
			r.rest = r.parts[1]
		case r.left == 0:
			r.left--
			r.rest = r.parts[2]
		default:
			return 0, io.EOF
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// TestMemory reads 15 MB of both streams, and holds what is in memory on the way to 4 MB.
func TestMemory(t *testing.T) {
	const size, most = 15 << 20, 4 << 20
	for name, parts := range map[string][]string{
		"preview": {`{"steps":[`, `{"op":"update","oldState":` + res("a", "1 1") + `,"newState":` + res("a", "1 2") + "},\n", `{"op":"same"}]}`},
		"log":     {begins, logOf("pre update a|1 1|1 2", "out update a|1 1|1 2", `{"progressEvent":{"a":1}}`, "noise"), ends},
	} {
		n := size / len(parts[1])
		r := steps.NewReader(&repeated{parts, n, parts[0]}, state.Options{})
		runtime.GC()
		var before, now runtime.MemStats
		runtime.ReadMemStats(&before)
		count := 0
		for _, err := range r.Steps() {
			if err != nil {
				t.Fatal(name, err)
			}
			if count++; count%20000 == 10000 {
				runtime.GC()
				if runtime.ReadMemStats(&now); now.HeapAlloc > before.HeapAlloc+most {
					t.Fatalf("%s: %d bytes are in memory after %d steps", name, now.HeapAlloc-before.HeapAlloc, count)
				}
			}
		}
		if count < n {
			t.Errorf("%s: %d steps of %d", name, count, n)
		}
	}
}

// TestGrowth: time and memory are linear, whatever the text.
func TestGrowth(t *testing.T) {
	pre := logOf("pre update a|1 1|1 2")
	out := logOf("out update a|1 1|1 2")
	step := `{"op":"update","oldState":` + res("a", "1 1") + `,"newState":` + res("a", "1 2") + `}`
	for name, text := range map[string]func(n int) string{
		"steps":             func(n int) string { return begins + "\n" + strings.Repeat(pre+out, n) },
		"open steps":        func(n int) string { return begins + "\n" + strings.Repeat(pre, n) + strings.Repeat(out, n) },
		"steps of previews": func(n int) string { return `{"steps":[` + strings.Repeat(step+",\n", n) + step + `]}` },
		"lines":             func(n int) string { return strings.Repeat("x\n", 20*n) + begins + strings.Repeat("\nx", 20*n) },
		"one line":          func(n int) string { return strings.Repeat("x", 200*n) + "\n" + begins },
		"blank lines": func(n int) string {
			return "{" + strings.Repeat("\n", 200*n) + `"steps":[` + strings.Repeat("\n", 200*n) + `]}`
		},
		"members of an event": func(n int) string {
			var b strings.Builder
			for i := range 20 * n {
				fmt.Fprintf(&b, ",\n\"%d\":1", i)
			}
			return `{"sequence":1` + b.String() + `,"resourcePreEvent":{"metadata":{"op":"create"` + b.String() + `}}}`
		},
		"a plan of many properties": func(n int) string {
			var b, names strings.Builder
			for i := range 10 * n {
				fmt.Fprintf(&b, ",\n\"%d\":1", i)
				fmt.Fprintf(&names, `,"d%d"`, i)
			}
			return `{"resourcePlans":{"` + prefix + `a":{"goal":{"inputDiff":{"adds":{"a":1` + b.String() + `},"deletes":["a"` + names.String() + `]}},"steps":["create","replace","delete"]}}}`
		},
		"diagnostics": func(n int) string {
			return strings.Repeat(`{"diagnosticEvent":{"message":"<{%<{%<{%a%}>","severity":"error","urn":"u"}}`+"\n", 5*n)
		},
		"colors": func(n int) string {
			return `{"diagnosticEvent":{"message":"` + strings.Repeat("<{%a%}><{%", 20*n) + `"}}`
		},
	} {
		kit.Grows(t, name, 500, func(n int) func() {
			text := text(n)
			return func() { _, _ = drain(read(text)) }
		})
	}
}
