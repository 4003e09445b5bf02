package main_test

import (
	"strings"
	"testing"
)

// TestDiffPromised compares updates with previews, which know less than plans do.
func TestDiffPromised(t *testing.T) {
	before := stackHaving(t, `a/1{"n":1,"l":[1,2]} b/2{"n":1} c/3{"n":1}`)
	steps := updateFile{`update a/1{"n":1,"l":[1,2]} a/1{"n":2,"l":[1,2]}+planned`, `replace b/2{"n":1} b/{"n":2}+planned`, `create - d/{"n":1}+planned`}
	preview := steps.preview(t, "")
	for name, row := range map[string]struct {
		after, want string
		code        int
	}{
		"as promised":          {`a/1{"n":2,"l":[1,2]} b/9{"n":2} c/3{"n":1} d/4{"n":1}`, "Promises: 0 not kept, 4 kept\n", 0},
		"nothing came":         {`a/1{"n":1,"l":[1,2]} b/2{"n":1} c/3{"n":1}`, "inputs: n: missing: promised 2, got 1; was 1", 1},
		"not created":          {`a/1{"n":2,"l":[1,2]} b/9{"n":2} c/3{"n":1}`, `"d"` + "\n    [urn=urn:pulumi:s::p::t:i:R::d]\n    missing: not created, which was promised\nPromises: 1 not kept, 3 kept\n", 1},
		"deleted":              {`a/1{"n":2,"l":[1,2]} b/9{"n":2} d/4{"n":1}`, "extra: deleted, which was not promised", 1},
		"created":              {`a/1{"n":2,"l":[1,2]} b/9{"n":2} c/3{"n":1} d/4{"n":1} e/5`, "extra: created, which was not promised", 1},
		"one that was to stay": {`a/1{"n":2,"l":[1,2]} b/9{"n":2} c/3{"n":7} d/4{"n":1}`, "inputs: n: extra: promised 1, got 7; was 1", 1},
		"replaced instead":     {`a/8{"n":2,"l":[1,2]} b/9{"n":2} c/3{"n":1} d/4{"n":1}`, "extra: replaced, which was not promised", 1},
		"not yet deleted":      {`a/1{"n":2,"l":[1,2]} b/9{"n":2} b/2{"n":1}+delete c/3{"n":1} d/4{"n":1}`, "Promises: 0 not kept, 4 kept\n", 0},
		"in a list":            {`a/1{"n":2,"l":[1,3]} b/9{"n":2} c/3{"n":1} d/4{"n":1}`, "inputs: l[1]: extra: promised 2, got 3; was 2", 1},
	} {
		dir := writeFiles(t, map[string]string{"preview.json": preview, "before.json": before, "after.json": stackHaving(t, row.after)})
		got := propalg(t, dir, "", "diff", "--promised", "preview.json", "before.json", "after.json")
		if got.code != row.code || !strings.Contains(got.stdout, row.want) || got.stderr != "" {
			t.Errorf("%s: exit %d\n%s%s", name, got.code, got.stdout, got.stderr)
		}
	}

	// What an earlier replacement left is deleted; the live resource of that URN stays.
	left := writeFiles(t, map[string]string{
		"preview.json": updateFile{`same b/9{"n":2} b/9{"n":2}`, `delete-replaced b/2{"n":1}+delete -`}.preview(t, ""),
		"before.json":  stackHaving(t, `b/9{"n":2} b/2{"n":1}+delete`), "after.json": stackHaving(t, `b/9{"n":2}`),
	})
	if got := propalg(t, left, "", "diff", "--promised", "preview.json", "before.json", "after.json"); got.stdout != "Promises: 0 not kept, 1 kept\n" {
		t.Errorf("%s%s", got.stdout, got.stderr)
	}

	dir := writeFiles(t, map[string]string{
		"preview.json": preview, "cut.json": preview[:len(preview)*3/4], "before.json": before, "bag.json": `{}`,
	})
	for args, want := range map[string]string{
		"--promised cut.json before.json before.json":                      "cut off",
		"--promised bag.json before.json before.json":                      "bag.json: property bag",
		"--promised preview.json bag.json bag.json":                        "preview.json: preview",
		"--promised preview.json before.json":                              "takes OLD and NEW",
		"--promised nowhere.json before.json before.json":                  "nowhere.json: no such file",
		"--promised preview.json --arrays set before.json before.json":     "--arrays does nothing to --promised",
		"--promised preview.json -o markdown before.json before.json":      "text and json",
		"--promised - before.json -":                                       "standard input",
		"--promised preview.json --ignore nowhere before.json before.json": "nowhere",
	} {
		got := propalg(t, dir, "", append([]string{"diff"}, strings.Fields(args)...)...)
		if (got.code != 2 && !strings.Contains(args, "--ignore")) || !strings.Contains(got.stderr, want) || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: exit %d\n%s%s", args, got.code, got.stdout, got.stderr)
		}
	}
}

// TestNoSecretInPromises plants canaries in all three sides, in each of their places (law 6).
func TestNoSecretInPromises(t *testing.T) {
	files := canaryFiles()
	plan := func(v string) string {
		return `{"resourcePlans":{"urn:pulumi:dev::shop::a:b:C::n":{"goal":{"type":"a:b:C","custom":true,"inputDiff":{"updates":` + v + `}},"steps":["update"],"state":` + v + `}}}`
	}
	files["plan.json"] = plan(files["third.json"])
	dir := writeFiles(t, files)
	bags := []string{"old.json", "new.json", "third.json"}
	var all [][]string
	for i := range bags {
		all = append(all, []string{bags[i], bags[(i+1)%3], bags[(i+2)%3]}, []string{bags[i], bags[(i+2)%3], bags[(i+1)%3]})
	}
	all = append(all, []string{"plan.json", "stack1.json", "stack2.json"}, []string{"plan.json", "stack2.json", "stack1.json"})
	for _, args := range all {
		for _, form := range []string{"text", "json"} {
			got := propalg(t, dir, "", append([]string{"diff", "-o", form, "--promised"}, args...)...)
			if got.code != 1 || strings.Contains(got.stdout+got.stderr, canary) {
				t.Errorf("%q: exit %d\n%s%s", args, got.code, got.stdout, got.stderr)
			}
		}
	}
}
