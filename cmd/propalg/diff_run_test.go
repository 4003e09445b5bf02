package main_test

import (
	"strings"
	"testing"
)

// TestDiffFailedRun: an update that failed is said to have failed, first and in every form,
// whatever its resources look like, and the exit code is 3.
func TestDiffFailedRun(t *testing.T) {
	const (
		urn     = "urn:pulumi:s::p::t:i:R::a"
		same    = `{"op":"same","urn":"` + urn + `","oldState":{"urn":"` + urn + `","type":"t:i:R"},"newState":{"urn":"` + urn + `","type":"t:i:R"}}`
		message = `[{"urn":"` + urn + `","message":"no such <b>size</b>\nin \u0060eu\u0060\n","severity":"error"},{"message":"careful","severity":"warning"}]`
		begins  = `{"sequence":1,"timestamp":1,"resourcePreEvent":{"metadata":{"op":"create","urn":"` + urn + `","type":"t:i:R","new":{"urn":"` + urn + `","type":"t:i:R","custom":true}}}}` + "\n"
		fails   = `{"sequence":2,"diagnosticEvent":{"urn":"` + urn + `","message":"quota","severity":"error"}}` + "\n" +
			`{"sequence":3,"resOpFailedEvent":{"metadata":{"op":"create","urn":"` + urn + `","type":"t:i:R"},"status":0,"steps":1}}` + "\n"
		summary = `{"sequence":4,"summaryEvent":{"resourceChanges":{},"result":"failed"}}` + "\n"
	)
	dir := writeFiles(t, map[string]string{
		"ok.json":      `{"steps":[` + same + `],"changeSummary":{"same":1}}`,
		"preview.json": `{"steps":[` + same + `],"diagnostics":` + message + `}`,
		"before.json":  `{"version":3,"deployment":{"resources":[{"urn":"` + urn + `","type":"t:i:R"}]}}`,
		"failed.json":  begins + fails + summary,
		"cut.json":     begins,
		"policy.json": strings.Repeat(`{"sequence":1,"timestamp":1,"policyEvent":{"resourceUrn":"`+urn+`","policyName":"rule","enforcementLevel":"mandatory","message":"too wide"}}`+"\n", 2_000) +
			`{"sequence":2,"timestamp":1,"summaryEvent":{"resourceChanges":{},"result":"failed"}}` + "\n",
		"program.json": `{"sequence":1,"timestamp":1,"preludeEvent":{}}` + "\n" + `{"sequence":1,"timestamp":1,"diagnosticEvent":{"message":"Error: no such variable\n","severity":"info#err"}}` + "\n" +
			`{"sequence":1,"timestamp":1,"summaryEvent":{"resourceChanges":{},"result":"failed","isPreview":true}}` + "\n",
		"none.json": `{"diagnostics":` + message + `,"duration":1}`,
	})
	for _, row := range []struct {
		args  string
		code  int
		lines []string
	}{
		{"ok.json", 0, nil},
		{"preview.json", 3, []string{"The preview failed: 1 error", "a: no such <b>size</b> in `eu`"}},
		{"before.json preview.json", 3, []string{"The preview failed: 1 error", "a: no such <b>size</b> in `eu`"}},
		{"failed.json", 3, []string{"The update failed: 1 error, 1 failed operation", "a: quota"}},
		{"program.json", 3, []string{"The preview failed", "Error: no such variable"}},
		{"none.json", 3, []string{"The preview failed: 1 error", "a: no such <b>size</b> in `eu`"}},
		{"preview.json ok.json", 3, []string{"The preview of preview.json failed: 1 error", "a: no such <b>size</b> in `eu`"}},
		{"policy.json", 3, []string{"The update failed: 2,000 errors", "a: policy rule: too wide", "… 1,990 more"}},
		{"cut.json", 3, []string{"The log ends before the update does: 1 unfinished operation"}},
	} {
		for _, form := range []string{"text", "json", "markdown", "html"} {
			got := propalg(t, dir, "", append([]string{"diff", "-o", form}, strings.Fields(row.args)...)...)
			if got.code != row.code || got.stderr != "" {
				t.Errorf("%s as %s: exit %d, %s", row.args, form, got.code, got.stderr)
			}
			text := got.stdout
			if form == "html" {
				text = strings.NewReplacer("&lt;", "<", "&gt;", ">").Replace(text)
			}
			for _, line := range row.lines {
				if form == "json" {
					line = strings.Replace(strings.TrimPrefix(line, "a: "), "… 1,990 more", `"more":1990`, 1)
				}
				if !strings.Contains(text, line) {
					t.Errorf("%s as %s: no %q in\n%.600s", row.args, form, line, got.stdout)
				}
			}
			if row.code == 0 && strings.Contains(text, " failed") {
				t.Errorf("%s as %s: it says that something failed", row.args, form)
			}
			if row.code == 3 && strings.Contains(text, "No resource changed") {
				t.Errorf("%s as %s: it says that nothing changed", row.args, form)
			}
		}
		if got := propalg(t, dir, "", append([]string{"diff"}, strings.Fields(row.args)...)...); len(row.lines) > 0 && !strings.HasPrefix(got.stdout, row.lines[0]+"\n") {
			t.Errorf("%s: it does not begin with %q", row.args, row.lines[0])
		}
	}
}
