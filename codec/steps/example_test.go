package steps_test

import (
	"fmt"
	"strings"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/codec/steps"
	"github.com/propalg/propalg/value"
)

const preview = `{
    "config": {},
    "steps": [
        {"op": "update", "urn": "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::logs",
         "oldState": {"urn": "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::logs", "custom": true, "id": "logs-1a2b",
                      "type": "aws:s3/bucket:Bucket", "inputs": {"acl": "private"}, "outputs": {"acl": "private", "arn": "arn:logs"}},
         "newState": {"urn": "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::logs", "custom": true, "id": "logs-1a2b",
                      "type": "aws:s3/bucket:Bucket", "inputs": {"acl": "public-read"}},
         "diffReasons": ["acl"], "detailedDiff": {"acl": {"kind": "update", "inputDiff": false}}},
        {"op": "delete", "urn": "urn:pulumi:dev::shop::aws:sqs/queue:Queue::jobs",
         "oldState": {"urn": "urn:pulumi:dev::shop::aws:sqs/queue:Queue::jobs", "custom": true, "id": "jobs", "protect": true,
                      "type": "aws:sqs/queue:Queue"}}
    ],
    "diagnostics": [{"message": "error: program failed\n", "severity": "error"}],
    "duration": 2500000000,
    "changeSummary": {"delete": 1, "update": 1}
}`

// A preview: what is to change, why, and whether it can be trusted.
func ExampleReader() {
	r := steps.NewReader(strings.NewReader(preview), state.Options{})
	for s, err := range r.Steps() {
		if err != nil {
			fmt.Println(err)
			return
		}

		fmt.Println(s.Status, s.Op, s.URN)
		for _, change := range s.Details {
			fmt.Println(" ", change.Kind, change.Path)
		}
		if taken, put := s.Effect(); put == nil && taken.Protect {
			fmt.Println("  it is protected: the update will fail")
		}
	}

	run := r.Run()
	fmt.Println(run.Format, run.Kind, run.Duration, run.Counts)
	if run.Failed() {
		fmt.Println(run.Diagnostics[0].Message)
	}
	// Output:
	// planned update urn:pulumi:dev::shop::aws:s3/bucket:Bucket::logs
	//   update acl
	// planned delete urn:pulumi:dev::shop::aws:sqs/queue:Queue::jobs
	//   it is protected: the update will fail
	// preview update 2.5s map[delete:1 update:1]
	// error: program failed
}

const eventLog = `{"sequence":0,"timestamp":1,"preludeEvent":{"config":{}}}
{"sequence":1,"timestamp":1,"resourcePreEvent":{"metadata":{"op":"same","urn":"urn:pulumi:dev::shop::aws:s3/bucket:Bucket::assets","type":"aws:s3/bucket:Bucket","old":{"type":"aws:s3/bucket:Bucket","urn":"urn:pulumi:dev::shop::aws:s3/bucket:Bucket::files","custom":true,"id":"f-1","inputs":{},"outputs":{}},"new":{"type":"aws:s3/bucket:Bucket","urn":"urn:pulumi:dev::shop::aws:s3/bucket:Bucket::assets","custom":true,"id":"","inputs":{},"outputs":{}},"logical":true}}}
{"sequence":2,"timestamp":1,"resOutputsEvent":{"metadata":{"op":"same","urn":"urn:pulumi:dev::shop::aws:s3/bucket:Bucket::assets","type":"aws:s3/bucket:Bucket","old":{"type":"aws:s3/bucket:Bucket","urn":"urn:pulumi:dev::shop::aws:s3/bucket:Bucket::files","custom":true,"id":"f-1","inputs":{},"outputs":{}},"new":{"type":"aws:s3/bucket:Bucket","urn":"urn:pulumi:dev::shop::aws:s3/bucket:Bucket::assets","custom":true,"id":"f-1","inputs":{},"outputs":{}},"logical":true}}}
{"sequence":3,"timestamp":2,"resourcePreEvent":{"metadata":{"op":"create","urn":"urn:pulumi:dev::shop::aws:sqs/queue:Queue::jobs","type":"aws:sqs/queue:Queue","old":null,"new":{"type":"aws:sqs/queue:Queue","urn":"urn:pulumi:dev::shop::aws:sqs/queue:Queue::jobs","custom":true,"id":"","inputs":{"key":"[secret]"},"outputs":{}},"logical":true}}}
{"sequence":4,"timestamp":2,"resourcePreEvent":{"metadata":{"op":"create","urn":"urn:pulumi:dev::shop::aws:sqs/queue:Queue::mails","type":"aws:sqs/queue:Queue","old":null,"new":{"type":"aws:sqs/queue:Queue","urn":"urn:pulumi:dev::shop::aws:sqs/queue:Queue::mails","custom":true,"id":"","inputs":{},"outputs":{}},"logical":true}}}
{"sequence":5,"timestamp":9,"diagnosticEvent":{"urn":"urn:pulumi:dev::shop::aws:sqs/queue:Queue::jobs","prefix":"<{%fg 1%}>error: <{%reset%}>","message":"<{%reset%}>no permission<{%reset%}>\n","color":"raw","severity":"error"}}
{"sequence":6,"timestamp":9,"resOpFailedEvent":{"metadata":{"op":"create","urn":"urn:pulumi:dev::shop::aws:sqs/queue:Queue::jobs","type":"aws:sqs/queue:Queue","old":null,"new":{"type":"aws:sqs/queue:Queue","urn":"urn:pulumi:dev::shop::aws:sqs/queue:Queue::jobs","custom":true,"id":"","inputs":{"key":"[secret]"},"outputs":{}},"logical":true},"status":0,"steps":1}}
{"sequence":7,"timest`

// An event log, whose process was killed: the steps that ended come first.
func ExampleReader_Steps() {
	r := steps.NewReader(strings.NewReader(eventLog), state.Options{})
	for s, err := range r.Steps() {
		if err != nil {
			fmt.Println(err)
			break
		}

		fmt.Println(s.Number, s.Status, s.Op, s.URN)
		if s.Old != nil && s.New != nil && s.Old.URN != s.New.URN {
			fmt.Println("  renamed by an alias from", s.Old.URN)
		}
	}

	run := r.Run()
	fmt.Println(run.Failed(), run.Truncated, run.Counts, run.Failures, run.Unfinished)
	for _, d := range run.Diagnostics {
		fmt.Println(d.Message)
	}
	// Output:
	// 0 done same urn:pulumi:dev::shop::aws:s3/bucket:Bucket::assets
	//   renamed by an alias from urn:pulumi:dev::shop::aws:s3/bucket:Bucket::files
	// 1 failed create urn:pulumi:dev::shop::aws:sqs/queue:Queue::jobs
	// 2 unfinished create urn:pulumi:dev::shop::aws:sqs/queue:Queue::mails
	// steps: line 8, offset 2286, after 3 steps: cut off: expected end of string, found end of input
	// true true map[same:1] 1 1
	// error: no permission
}

const plan = `{
    "manifest": {"time": "2026-01-01T00:00:00Z", "magic": "", "version": "v3.259.0"},
    "resourcePlans": {
        "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::logs": {
            "goal": {"type": "aws:s3/bucket:Bucket", "name": "logs", "custom": true, "protect": false,
                     "inputDiff": {"adds": {"tags": {"team": "web"}}, "deletes": ["acl"], "updates": {"region": "eu"}},
                     "outputDiff": {}},
            "steps": ["update"], "state": {"region": "eu"}
        }
    }
}`

// A plan has what changes, and no old values.
func ExampleStep() {
	for s, err := range steps.NewReader(strings.NewReader(plan), state.Options{}).Steps() {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(s.Op, s.InputsPartial)
		fmt.Println(s.Old.Inputs)
		fmt.Println(s.New.Inputs)
	}
	// Output:
	// update true
	// {acl: [unknown], region: [unknown]}
	// {region: "eu", tags: {team: "web"}}
}

const before = `{"version": 3, "deployment": {"resources": [
    {"urn": "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::logs", "custom": true, "id": "logs-1a2b",
     "type": "aws:s3/bucket:Bucket", "inputs": {"acl": "private", "tags": {"team": "web"}}},
    {"urn": "urn:pulumi:dev::shop::aws:sqs/queue:Queue::jobs", "custom": true, "id": "jobs", "type": "aws:sqs/queue:Queue"},
    {"urn": "urn:pulumi:dev::shop::aws:sqs/queue:Queue::mails", "custom": true, "id": "mails", "type": "aws:sqs/queue:Queue"}
]}}`

// What a preview does to a stack, for a comment on a pull request.
func ExampleReader_Changes() {
	stack, err := steps.NewStack(strings.NewReader(before), state.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}

	r := steps.NewReader(strings.NewReader(preview), state.Options{})
	for c, err := range r.Changes(stack, state.CompareOptions{}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s %s: %d inputs\n", c.Op, c.Step.URN, c.Inputs.Diff.Len())
	}
	fmt.Println(stack.Untouched(), "the same,", stack.Missing(), "missing")
	for _, e := range r.Run().Errors() {
		fmt.Println(e.Message)
	}
	// Output:
	// update urn:pulumi:dev::shop::aws:s3/bucket:Bucket::logs: 1 inputs
	// delete urn:pulumi:dev::shop::aws:sqs/queue:Queue::jobs: 0 inputs
	// 1 the same, 0 missing
	// program failed
}

// What is this file?
func ExampleFormatOf() {
	for _, text := range []string{preview, eventLog, plan, `{"steps": [1, 2]}`} {
		fmt.Printf("%q\n", steps.FormatOf(text))
	}
	// Output:
	// "preview"
	// "event log"
	// "plan"
	// ""
}

// Steps as what they do to the resources of a stack, by URN.
func ExampleStep_Effect() {
	live := map[string]string{"urn:pulumi:dev::shop::aws:sqs/queue:Queue::jobs": "jobs"}
	for s, err := range steps.NewReader(strings.NewReader(preview), state.Options{}).Steps() {
		if err != nil {
			fmt.Println(err)
			return
		}

		taken, put := s.Effect()
		if taken != nil && !s.Pending {
			delete(live, taken.URN)
		}
		if put != nil && !s.Pending {
			live[put.URN] = put.ID
		}
	}
	fmt.Println(live)
	// Output:
	// map[urn:pulumi:dev::shop::aws:s3/bucket:Bucket::logs:logs-1a2b]
}

// What a step changes, from the resource of the stack that the update begins with. The ARN is
// not known before the update, and so it is no change.
func ExampleStep_Compare() {
	base := &state.Resource{
		URN: "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::logs", Type: "aws:s3/bucket:Bucket", ID: "logs-1a2b", Custom: true,
		Inputs:  value.Object(value.Member{Key: "acl", Value: value.String("private")}, value.Member{Key: "tags", Value: value.Object()}),
		Outputs: value.Object(value.Member{Key: "arn", Value: value.String("arn:logs")}),
	}
	for s, err := range steps.NewReader(strings.NewReader(preview), state.Options{}).Steps() {
		if err != nil {
			fmt.Println(err)
			return
		}
		if s.URN == base.URN {
			d := s.Compare(base, state.CompareOptions{})
			fmt.Println(s.Op, d.Inputs.Diff, d.Outputs.Diff.Empty())
		}
	}
	// Output:
	// update ~ acl: "private" => "public-read" true
}
