package main_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// stackWith is a stack of one resource with more members, in a deployment with
// more members.
func stackWith(members, deployment string) string {
	return `{"version":3,"deployment":{"manifest":{"time":"2026-01-01T00:00:00Z","magic":"m","version":"v3.1.0","plugins":[{"name":"aws","type":"resource","version":"6.0.0"}]},
		"secrets_providers":{"type":"passphrase","state":{"salt":"v1:canary"}},
		"resources":[{"urn":"urn:pulumi:s::p::a:b:C::n","custom":true,"type":"a:b:C","id":"i","inputs":{}` + members + `}]` + deployment + `}}`
}

const sealedAs = `{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","ciphertext":%q}`

// TestDiffEveryField changes each field of a resource and of a deployment in turn:
// none of these pairs is the same.
func TestDiffEveryField(t *testing.T) {
	for _, row := range []struct{ members, deployment, want string }{
		{members: `,"taint":true`, want: "~ taint: false => true"},
		{members: `,"protect":true`, want: "~ protect: false => true"},
		{members: `,"external":true`, want: "~ external: false => true"},
		{members: `,"parent":"urn:pulumi:s::p::a:b:C::n"`, want: "~ parent: "},
		{members: `,"provider":"urn:pulumi:s::p::pulumi:providers:a::n::i"`, want: "~ provider: "},
		{members: `,"pendingReplacement":true`, want: "~ pendingReplacement: false => true"},
		{members: `,"retainOnDelete":true`, want: "~ retainOnDelete: false => true"},
		{members: `,"refreshBeforeUpdate":true`, want: "~ refreshBeforeUpdate: false => true"},
		{members: `,"importID":"x"`, want: `~ importID: "" => "x"`},
		{members: `,"deletedWith":"x"`, want: `~ deletedWith: "" => "x"`},
		{members: `,"viewOf":"x"`, want: `~ viewOf: "" => "x"`},
		{members: `,"extensionRef":"x"`, want: `~ extensionRef: "" => "x"`},
		{members: `,"snippetID":"x"`, want: `~ snippetID: "" => "x"`},
		{members: `,"dependencies":["x"]`, want: `+ [0]: "x"`},
		{members: `,"aliases":["x"]`, want: `+ [0]: "x"`},
		{members: `,"replaceWith":["x"]`, want: "~ replaceWith: ["},
		{members: `,"ignoreChanges":["x"]`, want: "~ ignoreChanges: ["},
		{members: `,"replaceOnChanges":["x"]`, want: "~ replaceOnChanges: ["},
		{members: `,"hideDiff":["x"]`, want: "~ hideDiff: ["},
		{members: `,"additionalSecretOutputs":["x"]`, want: "~ additionalSecretOutputs: ["},
		{members: `,"initErrors":["canary"]`, want: "~ initErrors: ["},
		{members: `,"propertyDependencies":{"p":["x"]}`, want: "~ propertyDependencies: {"},
		{members: `,"resourceHooks":{"BeforeCreate":["x"]}`, want: "~ resourceHooks: {"},
		{members: `,"customTimeouts":{"create":60}`, want: "~ create: 0 => 60"},
		{members: `,"replacementTrigger":[1]`, want: "+ replacementTrigger: ["},
		{members: `,"newerThanThis":{"a":1}`, want: "+ newerThanThis: {"},
		{deployment: `,"pending_operations":[{"type":"creating","resource":{"urn":"urn:pulumi:s::p::a:b:C::m","type":"a:b:C","inputs":{"a":1}}}]`, want: "~ pendingOperations: ["},
		{deployment: `,"metadata":{"integrity_error":{"error":"canary"}}`, want: "~ integrityError: "},
		{deployment: `,"snippets":[{"uuid":"u","code":"x"}]`, want: "+ snippets: ["},
		{deployment: `,"extensions":{"e":{"name":"x"}}`, want: "+ extensions: {"},
	} {
		files := map[string]string{"old.json": stackWith("", ""), "new.json": stackWith(row.members, row.deployment)}
		dir := writeFiles(t, files)
		got := propalg(t, dir, "", "diff", "old.json", "new.json")
		if got.code != 1 || !strings.Contains(got.stdout, row.want) || strings.Contains(got.stdout+got.stderr, "canary") {
			t.Errorf("%s%s: exit %d\n%s%s", row.members, row.deployment, got.code, got.stdout, got.stderr)
		}
		for _, args := range [][]string{{"diff", "new.json", "old.json"}, {"diff", "-o", "json", "old.json", "new.json"}, {"diff", "-o", "html", "old.json", "new.json"}} {
			if got := propalg(t, dir, "", args...); got.code != 1 || strings.Contains(got.stdout+got.stderr, "canary") {
				t.Errorf("%s%s: %v: exit %d\n%s", row.members, row.deployment, args, got.code, got.stderr)
			}
		}
	}
}

// TestDiffDeployment compares what a deployment says of itself.
func TestDiffDeployment(t *testing.T) {
	old := stackWith("", "")
	for _, row := range []struct{ from, to, want string }{
		{`"version":"v3.1.0"`, `"version":"v3.2.0"`, `~ version: "v3.1.0" => "v3.2.0"`},
		{`"version":"6.0.0"`, `"version":"6.1.0"`, `"6.0.0" => "6.1.0"`},
		{`"passphrase"`, `"service"`, `~ type: "passphrase" => "service"`},
		{`"v1:canary"`, `"v1:canary2"`, `[secret] => [secret]`},
		{`"resources":`, `"pending_operations":[{"type":"creating","resource":{"urn":"u","type":"t"}}],"resources":`, `~ pendingOperations: [`},
	} {
		dir := writeFiles(t, map[string]string{"old.json": old, "new.json": strings.Replace(old, row.from, row.to, 1)})
		got := propalg(t, dir, "", "diff", "old.json", "new.json")
		if got.code != 1 || !strings.HasPrefix(got.stdout, "~ deployment\n") || !strings.Contains(got.stdout, row.want) || strings.Contains(got.stdout, "canary") ||
			!strings.HasSuffix(got.stdout, "0 updated, 1 the same; the deployment differs\n") {
			t.Errorf("%s: exit %d\n%s%s", row.to, got.code, got.stdout, got.stderr)
		}
		got = propalg(t, dir, "", "diff", "-o", "json", "old.json", "new.json")
		var doc stacksJSON
		if err := json.Unmarshal([]byte(got.stdout), &doc); err != nil || got.code != 1 || len(doc.Deployment) == 0 || len(doc.Resources) != 0 {
			t.Errorf("%s: %v, exit %d\n%s%s", row.to, err, got.code, got.stdout, got.stderr)
		}
	}
	// The same by other means: another order of plugins, another time, another wrapping.
	now := `{"version":3,"checkpoint":{"stack":"s","latest":` + strings.TrimSuffix(strings.TrimPrefix(strings.Replace(old, "2026-01", "2027-01", 1), `{"version":3,"deployment":`), "}") + `}}`
	dir := writeFiles(t, map[string]string{"old.json": old, "new.json": now})
	got := propalg(t, dir, "", "diff", "old.json", "new.json")
	if got.code != 0 || got.stdout != "Resources: 0 created, 0 deleted, 0 updated, 1 the same\n" {
		t.Errorf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}

// TestDiffLeftOut: times and source positions are left out, counted, and compared
// when they are asked for.
func TestDiffLeftOut(t *testing.T) {
	dir := writeFiles(t, map[string]string{
		"old.json": stackWith(`,"created":"2026-01-01T00:00:00Z","sourcePosition":"a"`, ""),
		"new.json": stackWith(`,"created":"2026-01-01T01:00:00Z","sourcePosition":"b","modified":"2026-01-01T01:00:00Z","stackTrace":[{"sourcePosition":"b"}]`, ""),
	})
	got := propalg(t, dir, "", "diff", "old.json", "new.json")
	if got.code != 0 || got.stdout != "Resources: 0 created, 0 deleted, 0 updated, 1 the same\nLeft out: 4 differences in times and source positions (--all)\n" {
		t.Errorf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	got = propalg(t, dir, "", "diff", "-o", "json", "old.json", "new.json")
	if got.code != 0 || !strings.Contains(got.stdout, `"leftOut":4`) {
		t.Errorf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	if got = propalg(t, dir, "", "diff", "-o", "html", "old.json", "new.json"); got.code != 0 || !strings.Contains(got.stdout, "4 differences in times and source positions") {
		t.Errorf("exit %d\n%s", got.code, got.stderr)
	}
	got = propalg(t, dir, "", "diff", "--all", "old.json", "new.json")
	for _, want := range []string{"~ created ", "~ modified ", "~ sourcePosition: ", "~ stackTrace ", "1 updated"} {
		if got.code != 1 || !strings.Contains(got.stdout, want) || strings.Contains(got.stdout, "Left out") {
			t.Errorf("exit %d, not %s\n%s%s", got.code, want, got.stdout, got.stderr)
		}
	}
}

// TestDiffSealedAnew: engines seal all secrets anew at each save. What only that
// distinguishes is counted apart.
func TestDiffSealedAnew(t *testing.T) {
	sealed := func(inputs, more, pending string) string {
		return stackWith(`,"outputs":{"a":`+fmt.Sprintf(sealedAs, inputs)+`,"b":[{"c":`+fmt.Sprintf(sealedAs, inputs)+`}]}`+more,
			`,"pending_operations":[{"type":"creating","resource":{"urn":"u","inputs":{"a":`+fmt.Sprintf(sealedAs, pending)+`}}}]`)
	}
	dir := writeFiles(t, map[string]string{
		"old.json": sealed("v1:x", "", "v1:p"), "new.json": sealed("v1:y", "", "v1:p"), "more.json": sealed("v1:y", `,"protect":true`, "v1:p"),
		"pending.json": sealed("v1:x", "", "v1:q"), "trigger1.json": sealed("v1:x", `,"replacementTrigger":`+fmt.Sprintf(sealedAs, "v1:x"), "v1:p"),
		"trigger2.json": sealed("v1:x", `,"replacementTrigger":`+fmt.Sprintf(sealedAs, "v1:y"), "v1:p"),
	})
	const apart = "May differ: 1 resource, in which only secrets were encrypted again (--sealed)\n"
	for _, row := range []struct{ old, now, want string }{
		{"old.json", "new.json", "Resources: 0 created, 0 deleted, 0 updated, 0 the same\n" + apart},
		{"trigger1.json", "trigger2.json", "Resources: 0 created, 0 deleted, 0 updated, 0 the same\n" + apart},
		{"old.json", "pending.json", "Resources: 0 created, 0 deleted, 0 updated, 1 the same\nMay differ: pending operations, in which only secrets were encrypted again (--sealed)\n"},
	} {
		if got := propalg(t, dir, "", "diff", row.old, row.now); got.code != 1 || got.stdout != row.want {
			t.Errorf("%s %s: exit %d\n%s%s", row.old, row.now, got.code, got.stdout, got.stderr)
		}
		if got := propalg(t, dir, "", "diff", "-o", "html", row.old, row.now); got.code != 1 || !strings.Contains(got.stdout, "encrypted again") || (strings.Contains(got.stdout, "equal") && strings.Contains(got.stdout, "are equal")) {
			t.Errorf("%s %s: exit %d\n%s", row.old, row.now, got.code, got.stderr)
		}
		got := propalg(t, dir, "", "diff", "-o", "json", row.old, row.now)
		var doc stacksJSON
		if err := json.Unmarshal([]byte(got.stdout), &doc); err != nil || got.code != 1 || doc.Summary.Sealed+doc.Summary.Same != 1 || len(doc.Resources) != 0 || doc.Deployment != nil {
			t.Errorf("%s %s: %v, exit %d\n%s%s", row.old, row.now, err, got.code, got.stdout, got.stderr)
		}
		if got := propalg(t, dir, "", "diff", "--sealed", row.old, row.now); got.code != 1 || !strings.Contains(got.stdout, "may be the same") || strings.Contains(got.stdout, "May differ") {
			t.Errorf("%s %s: exit %d\n%s%s", row.old, row.now, got.code, got.stdout, got.stderr)
		}
	}
	// Of what changed otherwise the secrets that may have are counted.
	got := propalg(t, dir, "", "diff", "old.json", "more.json")
	if got.code != 1 || strings.Contains(got.stdout, "[secret]") || !strings.Contains(got.stdout, "1 updated") || !strings.Contains(got.stdout, "May differ: 2 secrets in resources with other changes (--sealed)\n") {
		t.Errorf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	got = propalg(t, dir, "", "diff", "--sealed", "old.json", "more.json")
	if got.code != 1 || !strings.Contains(got.stdout, "~ a: [secret] => [secret]") || strings.Contains(got.stdout, "May differ") {
		t.Errorf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}

// TestDiffEmptyDependencies: a property that depends on nothing is as good as one
// of which nothing is said.
func TestDiffEmptyDependencies(t *testing.T) {
	dir := writeFiles(t, map[string]string{
		"old.json": stackWith(`,"propertyDependencies":{"zone":[],"name":null},"resourceHooks":{"OnError":[]}`, ""), "new.json": stackWith("", ""),
	})
	for _, args := range [][]string{{"old.json", "new.json"}, {"new.json", "old.json"}, {"-o", "json", "old.json", "new.json"}} {
		if got := propalg(t, dir, "", append([]string{"diff"}, args...)...); got.code != 0 {
			t.Errorf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
		}
	}
}

// TestStateShowsOptions: options that are set are shown for a resource, and for a stack.
func TestStateShowsOptions(t *testing.T) {
	dir := writeFiles(t, map[string]string{"stack.json": stackWith(
		`,"taint":true,"pendingReplacement":true,"retainOnDelete":true,"deletedWith":"D","customTimeouts":{"create":60},"modified":"2026-01-01T00:00:00Z","replacementTrigger":`+
			strings.Replace(fmt.Sprintf(sealedAs, `"canary"`), "ciphertext", "plaintext", 1),
		`,"pending_operations":[{"type":"creating","resource":{"urn":"u"}}]`)})
	for args, want := range map[string][]string{
		"state ls stack.json":             {"(pending replacement)  (to be replaced)  (retained on deletion)"},
		"state ls -o json stack.json":     {`"taint":true,"pendingReplacement":true,"retainOnDelete":true`},
		"state show stack.json n":         {"    deletedWith: \"D\"\n", "    customTimeouts: {create: 60, ", "    modified: ", "    replacementTrigger: [secret]\n"},
		"state show -o json stack.json n": {`"options":{"customTimeouts":{"create":60`, `"deletedWith":"D"`, `"masked":true`},
		"state stats stack.json":          {"1 operation that did not end"},
		"state stats -o json stack.json":  {`"pendingOperations":1`},
	} {
		got := propalg(t, dir, "", strings.Fields(args)...)
		for _, text := range want {
			if got.code != 0 || !strings.Contains(got.stdout, text) || strings.Contains(got.stdout+got.stderr, "canary") {
				t.Errorf("%s: exit %d, not %s\n%s%s", args, got.code, text, got.stdout, got.stderr)
			}
		}
	}
}

// TestForeignFiles: a file that is not a stack is never read as an empty one.
func TestForeignFiles(t *testing.T) {
	plan := `{"manifest":{"time":"2026-01-01T00:00:00Z","magic":"x","version":"v3"},"resourcePlans":{"urn:pulumi:dev::shop::a:b:C::x":{"goal":{},"steps":["%s"]}}}`
	dir := writeFiles(t, map[string]string{
		"plan1.json": fmt.Sprintf(plan, "update"), "plan2.json": fmt.Sprintf(plan, "replace"), "stack.json": stackWith("", ""),
		"preview.json": `{"steps":[{"op":"same"}],"changeSummary":{"same":1}}`,
		"events.json":  `{"sequence":0,"timestamp":1,"preludeEvent":{"config":{}}}` + "\n" + `{"sequence":1,"timestamp":1,"cancelEvent":{}}`,
		"log.json":     `{"method":"/pulumirpc.ResourceProvider/Cancel","request":{}}` + "\n" + `{"method":"/pulumirpc.ResourceProvider/Cancel","request":{},"response":{}}`,
		"bag1.json":    `{"version":3,"deployment":{"replicas":2}}`, "bag2.json": `{"version":3,"deployment":{"replicas":3}}`,
	})
	for _, row := range []struct{ args, want string }{
		{"state ls plan1.json", "a plan, which 'propalg diff' reads"},
		{"state stats plan1.json", "a plan"},
		{"state show plan1.json x", "a plan"},
		{"apply plan1.json stack.json", "a plan"},
		{"diff plan1.json bag1.json", "plan1.json: plan; bag1.json: property bag"},
		{"state ls preview.json", "found a preview"},
		{"state ls events.json", "an event log, which 'propalg diff' reads"},
		{"state ls log.json", "a log of calls"},
		{"diff log.json log.json", "a log of calls (PULUMI_DEBUG_GRPC), which 'propalg lint' reads"},
	} {
		got := propalg(t, dir, "", strings.Fields(row.args)...)
		if got.code != 2 || !strings.Contains(got.stderr, row.want) || got.stdout != "" {
			t.Errorf("%s: exit %d\n%s%s", row.args, got.code, got.stdout, got.stderr)
		}
	}
	// Two plans that differ in what they do are not the same.
	if got := propalg(t, dir, "", "diff", "plan1.json", "plan2.json"); got.code != 1 || !strings.Contains(got.stdout, "1 updated") {
		t.Errorf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	if got := propalg(t, dir, "", "diff", "bag1.json", "bag2.json"); got.code != 1 || !strings.Contains(got.stdout, "replicas: 2 => 3") {
		t.Errorf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}
