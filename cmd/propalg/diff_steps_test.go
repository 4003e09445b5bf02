package main_test

import (
	"strings"
	"testing"
)

// The steps of one update, as a preview, a plan and an event log have them: b gets another
// port and another secret, a is replaced, d is created, c is deleted, and e stays.
const (
	stepsBefore = `{"version":3,"deployment":{"manifest":{"time":"2026-01-01T00:00:00Z"},"resources":[
		{"urn":"urn:pulumi:s::p::t:i:R::b","custom":true,"id":"1","type":"t:i:R","inputs":{"port":1,"pw":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","ciphertext":"v1:canary"}},"outputs":{"port":1,"arn":"x"}},
		{"urn":"urn:pulumi:s::p::t:i:R::a","custom":true,"id":"2","type":"t:i:R","inputs":{"name":"old","tags":{"k":"v"}}},
		{"urn":"urn:pulumi:s::p::t:i:R::c","custom":true,"id":"3","type":"t:i:R","inputs":{"port":3}},
		{"urn":"urn:pulumi:s::p::t:i:R::e","custom":true,"id":"4","type":"t:i:R","inputs":{"port":4}}]}}`
	stepsPreview = `{
  "config": {"p:pw": "[secret]"},
  "steps": [
    {"op": "update", "urn": "urn:pulumi:s::p::t:i:R::b",
     "oldState": {"urn": "urn:pulumi:s::p::t:i:R::b", "custom": true, "id": "1", "type": "t:i:R", "inputs": {"port": 1, "pw": "[secret]"}, "outputs": {"port": 1, "arn": "x"}},
     "newState": {"urn": "urn:pulumi:s::p::t:i:R::b", "custom": true, "type": "t:i:R", "inputs": {"port": 2, "pw": "[secret]"}}},
    {"op": "replace", "urn": "urn:pulumi:s::p::t:i:R::a", "replaceReasons": ["name"],
     "oldState": {"urn": "urn:pulumi:s::p::t:i:R::a", "custom": true, "delete": true, "id": "2", "type": "t:i:R", "inputs": {"name": "old", "tags": {"k": "v"}}},
     "newState": {"urn": "urn:pulumi:s::p::t:i:R::a", "custom": true, "type": "t:i:R", "inputs": {"name": "new", "tags": {"k": "v"}}}},
    {"op": "create", "urn": "urn:pulumi:s::p::t:i:R::d", "newState": {"urn": "urn:pulumi:s::p::t:i:R::d", "custom": true, "type": "t:i:R", "inputs": {"of": "04da6b54-80e4-46f7-96ec-b56ff0331ba9"}}},
    {"op": "delete", "urn": "urn:pulumi:s::p::t:i:R::c",
     "oldState": {"urn": "urn:pulumi:s::p::t:i:R::c", "custom": true, "id": "3", "type": "t:i:R", "inputs": {"port": 3}}}
  ],
  "duration": 1, "changeSummary": {"create": 1, "update": 1, "replace": 1, "delete": 1}
}`
	stepsPlan = `{"manifest":{"time":"2026-01-01T00:00:00Z","magic":"m","version":"v3"},"resourcePlans":{
		"urn:pulumi:s::p::t:i:R::b":{"goal":{"type":"t:i:R","name":"b","custom":true,"inputDiff":{"updates":{"port":2}},"outputDiff":{}},"steps":["update"],"state":{"port":2,"arn":"x"}},
		"urn:pulumi:s::p::t:i:R::a":{"goal":{"type":"t:i:R","name":"a","custom":true,"inputDiff":{"updates":{"name":"new"}},"outputDiff":{}},"steps":["create-replacement","replace","delete-replaced"],"state":{}},
		"urn:pulumi:s::p::t:i:R::d":{"goal":{"type":"t:i:R","name":"d","custom":true,"inputDiff":{"adds":{"of":"04da6b54-80e4-46f7-96ec-b56ff0331ba9"}},"outputDiff":{}},"steps":["create"],"state":{}},
		"urn:pulumi:s::p::t:i:R::c":{"steps":["delete"],"state":null},
		"urn:pulumi:s::p::t:i:R::e":{"goal":{"type":"t:i:R","name":"e","custom":true,"inputDiff":{},"outputDiff":{}},"steps":["same"],"state":{}}}}`
	stepsEvents = `{"sequence":0,"timestamp":1,"preludeEvent":{"config":{"p:pw":"[secret]"}}}
{"sequence":1,"timestamp":1,"resourcePreEvent":{"metadata":{"logical":true,"op":"update","urn":"urn:pulumi:s::p::t:i:R::b","type":"t:i:R","old":{"type":"t:i:R","urn":"urn:pulumi:s::p::t:i:R::b","custom":true,"id":"1","parent":"","inputs":{"port":1,"pw":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","ciphertext":"[secret]"}},"outputs":{"port":1,"arn":"x"},"provider":""},"new":{"type":"t:i:R","urn":"urn:pulumi:s::p::t:i:R::b","custom":true,"id":"","parent":"","inputs":{"port":2,"pw":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","ciphertext":"[secret]"}},"outputs":{},"provider":""}},"planning":true}}
{"sequence":2,"timestamp":1,"resOutputsEvent":{"metadata":{"logical":true,"op":"update","urn":"urn:pulumi:s::p::t:i:R::b","type":"t:i:R","old":{"type":"t:i:R","urn":"urn:pulumi:s::p::t:i:R::b","custom":true,"id":"1","parent":"","inputs":{"port":1,"pw":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","ciphertext":"[secret]"}},"outputs":{"port":1,"arn":"x"},"provider":""},"new":{"type":"t:i:R","urn":"urn:pulumi:s::p::t:i:R::b","custom":true,"id":"","parent":"","inputs":{"port":2,"pw":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","ciphertext":"[secret]"}},"outputs":{},"provider":""}},"planning":true}}
{"sequence":3,"timestamp":1,"resourcePreEvent":{"metadata":{"op":"create-replacement","keys":["name"],"urn":"urn:pulumi:s::p::t:i:R::a","type":"t:i:R","old":{"type":"t:i:R","urn":"urn:pulumi:s::p::t:i:R::a","custom":true,"id":"2","parent":"","inputs":{"name":"old","tags":{"k":"v"}},"outputs":{},"provider":""},"new":{"type":"t:i:R","urn":"urn:pulumi:s::p::t:i:R::a","custom":true,"id":"","parent":"","inputs":{"name":"new","tags":{"k":"v"}},"outputs":{},"provider":""}},"planning":true}}
{"sequence":4,"timestamp":1,"resOutputsEvent":{"metadata":{"op":"create-replacement","keys":["name"],"urn":"urn:pulumi:s::p::t:i:R::a","type":"t:i:R","old":{"type":"t:i:R","urn":"urn:pulumi:s::p::t:i:R::a","custom":true,"id":"2","parent":"","inputs":{"name":"old","tags":{"k":"v"}},"outputs":{},"provider":""},"new":{"type":"t:i:R","urn":"urn:pulumi:s::p::t:i:R::a","custom":true,"id":"","parent":"","inputs":{"name":"new","tags":{"k":"v"}},"outputs":{},"provider":""}},"planning":true}}
{"sequence":5,"timestamp":1,"resourcePreEvent":{"metadata":{"logical":true,"op":"replace","keys":["name"],"urn":"urn:pulumi:s::p::t:i:R::a","type":"t:i:R","old":{"type":"t:i:R","urn":"urn:pulumi:s::p::t:i:R::a","custom":true,"id":"2","parent":"","inputs":{"name":"old","tags":{"k":"v"}},"outputs":{},"provider":""},"new":{"type":"t:i:R","urn":"urn:pulumi:s::p::t:i:R::a","custom":true,"id":"","parent":"","inputs":{"name":"new","tags":{"k":"v"}},"outputs":{},"provider":""}},"planning":true}}
{"sequence":6,"timestamp":1,"resOutputsEvent":{"metadata":{"logical":true,"op":"replace","keys":["name"],"urn":"urn:pulumi:s::p::t:i:R::a","type":"t:i:R","old":{"type":"t:i:R","urn":"urn:pulumi:s::p::t:i:R::a","custom":true,"id":"2","parent":"","inputs":{"name":"old","tags":{"k":"v"}},"outputs":{},"provider":""},"new":{"type":"t:i:R","urn":"urn:pulumi:s::p::t:i:R::a","custom":true,"id":"","parent":"","inputs":{"name":"new","tags":{"k":"v"}},"outputs":{},"provider":""}},"planning":true}}
{"sequence":7,"timestamp":1,"resourcePreEvent":{"metadata":{"logical":true,"op":"create","urn":"urn:pulumi:s::p::t:i:R::d","type":"t:i:R","old":null,"new":{"type":"t:i:R","urn":"urn:pulumi:s::p::t:i:R::d","custom":true,"id":"","parent":"","inputs":{"of":"04da6b54-80e4-46f7-96ec-b56ff0331ba9"},"outputs":{},"provider":""}},"planning":true}}
{"sequence":8,"timestamp":1,"resOutputsEvent":{"metadata":{"logical":true,"op":"create","urn":"urn:pulumi:s::p::t:i:R::d","type":"t:i:R","old":null,"new":{"type":"t:i:R","urn":"urn:pulumi:s::p::t:i:R::d","custom":true,"id":"","parent":"","inputs":{"of":"04da6b54-80e4-46f7-96ec-b56ff0331ba9"},"outputs":{},"provider":""}},"planning":true}}
{"sequence":9,"timestamp":1,"resourcePreEvent":{"metadata":{"logical":true,"op":"delete","urn":"urn:pulumi:s::p::t:i:R::c","type":"t:i:R","old":{"type":"t:i:R","urn":"urn:pulumi:s::p::t:i:R::c","custom":true,"id":"3","parent":"","inputs":{"port":3},"outputs":{},"provider":""},"new":null},"planning":true}}
{"sequence":10,"timestamp":1,"resOutputsEvent":{"metadata":{"logical":true,"op":"delete","urn":"urn:pulumi:s::p::t:i:R::c","type":"t:i:R","old":{"type":"t:i:R","urn":"urn:pulumi:s::p::t:i:R::c","custom":true,"id":"3","parent":"","inputs":{"port":3},"outputs":{},"provider":""},"new":null},"planning":true}}
{"sequence":11,"timestamp":1,"resourcePreEvent":{"metadata":{"op":"delete-replaced","urn":"urn:pulumi:s::p::t:i:R::a","type":"t:i:R","old":{"type":"t:i:R","urn":"urn:pulumi:s::p::t:i:R::a","custom":true,"delete":true,"id":"2","parent":"","inputs":{"name":"old","tags":{"k":"v"}},"outputs":{},"provider":""},"new":null},"planning":true}}
{"sequence":12,"timestamp":1,"resOutputsEvent":{"metadata":{"op":"delete-replaced","urn":"urn:pulumi:s::p::t:i:R::a","type":"t:i:R","old":{"type":"t:i:R","urn":"urn:pulumi:s::p::t:i:R::a","custom":true,"delete":true,"id":"2","parent":"","inputs":{"name":"old","tags":{"k":"v"}},"outputs":{},"provider":""},"new":null},"planning":true}}
{"sequence":13,"timestamp":1,"summaryEvent":{"resourceChanges":{"create":1,"update":1,"replace":1,"delete":1},"isPreview":true}}
`
)

func stepFiles(t *testing.T) string {
	t.Helper()

	return writeFiles(t, map[string]string{"before.json": stepsBefore, "preview.json": stepsPreview, "plan.json": stepsPlan, "events.json": stepsEvents})
}

// TestDiffSteps reads a preview, a plan and an event log, on their own and against the
// stack before: they change the same.
func TestDiffSteps(t *testing.T) {
	dir := stepFiles(t)
	for _, args := range []string{"preview.json", "events.json", "plan.json", "before.json preview.json", "before.json events.json", "before.json plan.json"} {
		got := propalg(t, dir, "", append([]string{"diff"}, strings.Fields(args)...)...)
		for _, want := range []string{`~ t:i:R "b"`, `+-t:i:R "a"`, `+ t:i:R "d"`, `- t:i:R "c"`, "+ of: [unknown]", "Resources: 1 created, 1 deleted, 2 updated (1 of them to be replaced), "} {
			if !strings.Contains(got.stdout, want) {
				t.Errorf("%s: not %s", args, want)
			}
		}
		for want, not := range map[string]string{`~ port: 1 => 2`: "plan.json", `name: "old" => "new"`: "plan.json", `name: "old" => "new"  # forces replacement`: "plan", `port: 3`: "plan.json"} {
			if strings.Contains(got.stdout, want) == (not == args || (not == "plan" && strings.Contains(args, "plan"))) {
				t.Errorf("%s: %s", args, want)
			}
		}
		for _, not := range []string{"state:", "arn", "tags", "canary", "[secret]", "provider", `"e"`} {
			if strings.Contains(got.stdout, not) {
				t.Errorf("%s: %s is shown", args, not)
			}
		}
		if got.code != 1 || got.stderr != "" || t.Failed() {
			t.Fatalf("%s: exit %d\n%s%s", args, got.code, got.stdout, got.stderr)
		}
		for _, form := range []string{"json", "html"} {
			if got := propalg(t, dir, "", append([]string{"diff", "-o", form}, strings.Fields(args)...)...); got.code != 1 || got.stderr != "" || !strings.Contains(got.stdout, "R::d") {
				t.Errorf("%s as %s: exit %d, %s", args, form, got.code, got.stderr)
			}
		}
	}
	// From standard input, all the same.
	if got := propalg(t, dir, stepsPreview, "diff", "before.json", "-"); got.code != 1 || !strings.Contains(got.stdout, `+-t:i:R "a"`) {
		t.Errorf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}

// TestDiffStepsOfState: with the state before, counts are those of the engine, which does not
// count its own providers, and what is not in the state may be there for other reasons than
// that it is another state.
func TestDiffStepsOfState(t *testing.T) {
	const (
		provider = `{"urn":"urn:pulumi:s::p::pulumi:providers:t::default","custom":true,"id":"9","type":"pulumi:providers:t"},`
		event    = `{"sequence":1,"timestamp":1,"NAME":{"metadata":{"logical":true,"op":"OP","urn":"urn:pulumi:s::p::t:i:R::x","type":"t:i:R","old":OLD,"new":NEW,"detailedDiff":{}},"planning":true}}` + "\n"
		x        = `{"type":"t:i:R","urn":"urn:pulumi:s::p::t:i:R::x","custom":true,"id":"","inputs":{},"outputs":{}}`
		sealed   = `{"type":"t:i:R","urn":"urn:pulumi:s::p::t:i:R::x","custom":true,"id":"x","inputs":{"pw":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","ciphertext":"[secret]"}},"outputs":{}}`
	)
	step := func(op, old, now string) string {
		text := strings.NewReplacer("OP", op, "OLD", old, "NEW", now).Replace(event)
		return strings.Replace(text, "NAME", "resourcePreEvent", 1) + strings.Replace(text, "NAME", "resOutputsEvent", 1)
	}
	plan := func(name, text string) string {
		return `{"manifest":{"time":"2026-01-01T00:00:00Z","magic":"m","version":"v3"},"resourcePlans":{"urn:pulumi:s::p::t:i:R::` + name + `":{"goal":{"type":"t:i:R","name":"x","custom":true,"inputDiff":{},"outputDiff":{},"id":"x"},"state":{}` + text + `}}}`
	}
	dir := writeFiles(t, map[string]string{
		"before.json":  strings.Replace(stepsBefore, `"resources":[`, `"resources":[`+provider, 1),
		"preview.json": strings.Replace(stepsPreview, `"delete": 1}`, `"delete": 1, "same": 2}`, 1), // of a program with a target, which does not create one
		"target.json":  step("same", x, x),
		"import.json":  step("import", x, x) + step("update", x, x),
		"other.json":   step("update", x, x),
		"refresh.json": step("refresh", sealed, sealed) + `{"sequence":9,"timestamp":1,"summaryEvent":{"resourceChanges":{},"isPreview":true}}` + "\n",
		"imports.json": plan("x", ""), "imported.json": plan("x", `,"steps":["update"]`), "renamed.json": plan("y", `,"steps":["same"]`), "again.json": plan("e", `,"steps":["create"]`),
	})
	const not = "propalg diff: before.json does not have 1 resource of other.json: it is not the state that the update begins with\n"
	for _, row := range []struct{ file, counts, say string }{
		{"preview.json", "1 created, 1 deleted, 2 updated (1 of them to be replaced), 2 the same", ""},
		{"target.json", "0 created, 0 deleted, 0 updated, 5 the same", ""},
		{"import.json", "0 created, 0 deleted, 1 updated, 4 the same, 1 imported", ""},
		{"other.json", "0 created, 0 deleted, 1 updated, 4 the same", not},
		{"refresh.json", "0 created, 0 deleted, 0 updated, 4 the same", strings.Replace(not, "other", "refresh", 1)},
		{"imports.json", "0 created, 0 deleted, 0 updated, 4 the same, 1 imported", ""},
		{"imported.json", "0 created, 0 deleted, 1 updated, 4 the same", ""},
		{"renamed.json", "0 created, 0 deleted, 0 updated, 4 the same", ""},
		{"again.json", "1 created, 0 deleted, 0 updated, 3 the same", ""},
	} {
		if got := propalg(t, dir, "", "diff", "before.json", row.file); !strings.Contains(got.stdout, "Resources: "+row.counts+"\n") || got.stderr != row.say {
			t.Errorf("%s: exit %d\n%s%s", row.file, got.code, got.stdout, got.stderr)
		}
	}
	if got := propalg(t, dir, "", "diff", "refresh.json"); got.code != 0 || strings.Contains(got.stdout, `"x"`) {
		t.Errorf("it is shown: exit %d\n%s", got.code, got.stdout)
	}
}

// TestDiffStepsDiffer: what two previews or plans do not have in common is a difference;
// a masked secret may be one.
func TestDiffStepsDiffer(t *testing.T) {
	with := func(text, from, to string) string {
		if !strings.Contains(text, from) {
			t.Fatalf("no %s", from)
		}
		return strings.Replace(text, from, to, 1)
	}
	secretOnly := `{"steps":[{"op":"update","urn":"urn:pulumi:s::p::t:i:R::b","oldState":{"urn":"urn:pulumi:s::p::t:i:R::b","type":"t:i:R","inputs":{"pw":"[secret]"}},"newState":{"urn":"urn:pulumi:s::p::t:i:R::b","type":"t:i:R","inputs":{"pw":"[secret]"}}}],"duration":1}`
	dir := writeFiles(t, map[string]string{
		"a.json": stepsPlan, "b.json": with(stepsPlan, `"steps":["update"]`, `"steps":["replace"]`), "c.json": with(stepsPlan, `{"port":2}`, `{"port":9}`),
		"p.json": stepsPreview, "q.json": with(stepsPreview, `"port": 2`, `"port": 9`), "secret.json": secretOnly,
		"quiet.json": with(with(secretOnly, `{"pw":"[secret]"}`, `{"pw":1}`), `{"pw":"[secret]"}`, `{"pw":1}`),
		"same.json":  with(secretOnly, `"update"`, `"same"`), "none.json": `{"steps":[],"duration":1}`, "quoted.json": with(secretOnly, `{"pw":"[secret]"}`, `{"[secret]":"\"[secret]\"","pw":"[secret]"}`),
	})
	for args, want := range map[string]string{
		"a.json a.json":       "0 updated, 4 the same",
		"a.json b.json":       `~ operation: "update" => "replace"`,
		"a.json c.json":       "~ port: 2 => 9",
		"p.json p.json":       "May differ: 1 resource, in which only secrets were encrypted again",
		"p.json q.json":       "~ port: 2 => 9",
		"secret.json":         "1 updated, 0 the same\nMay differ: 1 secret in resources with other changes",
		"same.json":           "0 updated, 1 the same\n",
		"quiet.json":          `~ t:i:R "b"`,
		"none.json":           "0 updated, 0 the same\n",
		"none.json none.json": "0 updated, 0 the same\n",
		"quoted.json":         `- "[secret]": "\"[secret]\""`,
	} {
		got := propalg(t, dir, "", append([]string{"diff"}, strings.Fields(args)...)...)
		isSame := strings.Contains(want, "0 updated")
		if (got.code == 0) != isSame || !strings.Contains(got.stdout, want) || got.stderr != "" {
			t.Errorf("%s: exit %d\n%s%s", args, got.code, got.stdout, got.stderr)
		}
	}
	for args, want := range map[string]string{"a.json bag.json": "no such file", "bag.json": "no such file"} {
		if got := propalg(t, dir, "", append([]string{"diff"}, strings.Fields(args)...)...); got.code != 2 || !strings.Contains(got.stderr, want) {
			t.Errorf("%s: exit %d, %s", args, got.code, got.stderr)
		}
	}
}

// TestDiffStepsDamaged: what is wrong in steps is an error, and no secret is in it.
func TestDiffStepsDamaged(t *testing.T) {
	for name, text := range map[string]string{
		"cut":        stepsPreview[:len(stepsPreview)-80],
		"a type":     strings.Replace(stepsPreview, `"newState": {"urn"`, `"newState": ["canary"], "x": {"urn"`, 1),
		"no urn":     strings.Replace(stepsPreview, `"newState": {"urn"`, `"newState": {"canary"`, 1),
		"a bag":      strings.Replace(stepsPreview, `{"port": 2, "pw": "[secret]"}`, `{"4dabf18193072939515e22adb298388d": "canary"}`, 1),
		"cut events": stepsEvents[:len(stepsEvents)-100],
		"goal":       strings.Replace(stepsPlan, `"inputDiff":{"updates":{"port":2}}`, `"inputDiff":{"updates":["canary"]}`, 1),
	} {
		dir := writeFiles(t, map[string]string{"x.json": text})
		got := propalg(t, dir, "", "diff", "x.json")
		code := 2
		if strings.HasPrefix(name, "cut") {
			code = 3 // what could be read is shown
		}
		if got.code != code || !strings.Contains(got.stderr, "x.json: ") || strings.Count(got.stderr, "\n") != 1 || strings.Contains(got.stdout+got.stderr, "canary") {
			t.Errorf("%s: exit %d\n%s%s", name, got.code, got.stdout, got.stderr)
		}
	}
}

// TestDiffOfForms: what a preview has and an event log cannot have is no difference between
// them.
func TestDiffOfForms(t *testing.T) {
	preview := strings.ReplaceAll(stepsPreview, `"type": "t:i:R",`, `"type": "t:i:R", "dependencies": ["urn:pulumi:s::p::t:i:R::x"], "additionalSecretOutputs": ["x"],`)
	dir := writeFiles(t, map[string]string{"preview.json": preview, "events.json": stepsEvents})
	for args, say := range map[string]string{
		"preview.json events.json": "preview.json is of the form preview, events.json of the form event log",
		"events.json preview.json": "events.json is of the form event log, preview.json of the form preview",
	} {
		got := propalg(t, dir, "", append([]string{"diff"}, strings.Fields(args)...)...)
		if strings.Contains(got.stdout, "state:") || strings.Contains(got.stdout, "steps") || !strings.Contains(got.stdout, "0 created, 0 deleted, 0 updated, ") ||
			got.stderr != "propalg diff: "+say+": what one of them cannot have is not compared\n" {
			t.Errorf("%s: exit %d\n%s%s", args, got.code, got.stdout, got.stderr)
		}
	}
}

// TestDiffOfUnlikeStacks: resources of two stacks or projects are not paired, which is said,
// and steps for one say nothing about those of the other.
func TestDiffOfUnlikeStacks(t *testing.T) {
	dir := stepFiles(t)
	empty := `{"version":3,"deployment":{"resources":[]}}`
	for _, row := range []struct{ args, replace, with, counts, say string }{
		{"preview.json -", ":s::", ":prod::", "4 created, 3 deleted, 0 updated, 0 the same", "the resources of preview.json are of the stack s of p, those of stdin of the stack prod of p: --match stack pairs them"},
		{"- preview.json", ":s::", ":prod::", "3 created, 4 deleted, 0 updated, 0 the same", "the resources of stdin are of the stack prod of p, those of preview.json of the stack s of p: --match stack pairs them"},
		{"- before.json", "::p::", "::q::", "0 created, 0 deleted, 4 updated, 0 the same", "the resources of stdin are of the stack s of q, those of before.json of the stack s of p: they have no URN in common"},
		{"--match stack - before.json", ":s::", ":prod::", "0 created, 0 deleted, 0 updated, 4 the same", ""},
		{"before.json -", stepsBefore, empty, "0 created, 4 deleted, 0 updated, 0 the same", ""},
	} {
		got := propalg(t, dir, strings.ReplaceAll(stepsBefore, row.replace, row.with), append([]string{"diff"}, strings.Fields(row.args)...)...)
		want := ""
		if row.say != "" {
			want = "propalg diff: " + row.say + "\n"
		}
		if !strings.Contains(got.stdout, "Resources: "+row.counts+"\n") || got.stderr != want {
			t.Errorf("%s: exit %d\n%s%s", row.args, got.code, got.stdout, got.stderr)
		}
	}
}
