package main_test

import (
	"strings"
	"testing"
)

// TestStateAdopt: the resource of a pending operation, which a name may stand for, becomes one of
// the file.
func TestStateAdopt(t *testing.T) {
	const (
		urn    = "urn:pulumi:dev::shop::a:b:C::"
		begin  = `{"version":3,"deployment":{"pending_operations":[`
		op     = `{"type":"creating","resource":{"urn":"` + urn + `p","type":"a:b:C","custom":true,"parent":"` + urn + `a"}}`
		middle = `],"resources":[{"urn":"` + urn + `a","type":"a:b:C","custom":true,"id":"1"}`
		p      = `,{"urn":"` + urn + `p","type":"a:b:C","id":"i-1","custom":true,"parent":"` + urn + `a"}`
		end    = "]}}\n"
		says   = "stack.json: 2 places changed\n"
	)
	for name, row := range map[string]struct {
		args, old, now string
		code           int
		says           string
	}{
		"URN":    {urn + "p i-1", op, begin + middle + p + end, 0, says},
		"name":   {"p i-1", op, begin + middle + p + end, 0, says + "propalg state adopt: p is " + urn + "p\n"},
		"dry":    {"p i-1 --dry-run", op, begin + op + middle + end, 0, "2 places would be changed"},
		"none":   {"p i-1", "", begin + middle + end, 2, "no operation is pending"},
		"other":  {"q i-1", op, begin + op + middle + end, 2, "no resource has"},
		"empty":  {"p ", op, begin + op + middle + end, 2, "empty"},
		"in use": {urn + "a i-1", strings.Replace(op, "::p", "::a", 1), begin + strings.Replace(op, "::p", "::a", 1) + middle + end, 2, "cannot be adopted, since it is in the file"},
	} {
		dir := writeFiles(t, map[string]string{"stack.json": begin + row.old + middle + end})
		got := propalg(t, dir, "", append([]string{"state", "adopt", "stack.json"}, strings.Split(row.args, " ")...)...)
		if got.code != row.code || !strings.Contains(got.stdout+got.stderr, row.says) {
			t.Errorf("%s: exit %d, not %d: %s%s", name, got.code, row.code, got.stdout, got.stderr)
		}
		if now := readFile(t, dir, "stack.json"); now != row.now {
			t.Errorf("%s: it is now %s", name, now)
		}
	}
}
