package main_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestGrowth: time and memory grow as the input does.
func TestGrowth(t *testing.T) {
	const urn = "urn:pulumi:dev::p::a:b:C::r"

	stackOf := func(members string) string {
		return `{"version":3,"deployment":{"resources":[{"urn":"` + urn + `","type":"a:b:C","custom":true,"inputs":{` + members + `}}]}}`
	}
	planOf := func(diff string) string {
		return `{"resourcePlans":{"` + urn + `":{"goal":{"custom":true,"inputDiff":` + diff + `},"steps":["update"]}}}`
	}

	for name, row := range map[string]struct {
		n     int
		files func(n int) map[string]string
		args  func(n int) []string
	}{
		"plan, added": {5_000, func(n int) map[string]string {
			return map[string]string{"old": stackOf(listed(n, `"z%d":1`)), "new": planOf(`{"adds":{` + listed(n, `"k%d":1`) + `}}`)}
		}, fixed("diff", "old", "new")},
		"plan, updated": {5_000, func(n int) map[string]string {
			return map[string]string{"old": stackOf(listed(n, `"z%d":1`)), "new": planOf(`{"updates":{` + listed(n, `"z%d":2`) + `}}`)}
		}, fixed("diff", "old", "new")},
		"plan, deleted": {5_000, func(n int) map[string]string {
			return map[string]string{"old": stackOf(listed(n, `"z%d":1`)), "new": planOf(`{"deletes":[` + listed(n, `"z%d"`) + `]}`)}
		}, fixed("diff", "old", "new")},
		"operations of an event log": {20_000, func(n int) map[string]string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, `{"sequence":%d,"timestamp":1,"resourcePreEvent":{"metadata":{"op":"op%d","urn":"%s","keys":["k%d"]}}}`+"\n", i, i, urn, i)
			}
			return map[string]string{"log": b.String()}
		}, fixed("diff", "log")},
		"resources to remove, that others refer to": {1_500, func(n int) map[string]string {
			return map[string]string{"s": `{"version":3,"deployment":{"resources":[` + listed(n, `{"urn":"`+urn+`%d","type":"a:b:C"}`) +
				`,{"urn":"` + urn + `","type":"a:b:C","dependencies":["` + urn + `0"]}]}}`}
		}, func(n int) []string {
			return append([]string{"state", "rm", "s"}, strings.Split(listed(n, urn+"%d"), ",")...)
		}},
		"resources to remove, by their names": {500, func(n int) map[string]string {
			return map[string]string{"s": `{"version":3,"deployment":{"resources":[` + listed(n, `{"urn":"`+urn+`%d","type":"a:b:C"}`) + `]}}`}
		}, func(n int) []string {
			return append([]string{"state", "rm", "s", "--out", "out"}, strings.Split(listed(n, "r%d"), ",")...)
		}},
		"resources to protect, of one URN": {1_500, func(n int) map[string]string {
			return map[string]string{"s": `{"version":3,"deployment":{"resources":[` + listed(n, `{"urn":"`+urn+`","id":"%d","type":"a:b:C"}`) + `]}}`}
		}, fixed("state", "protect", "--all", "s", "--out", "out")},
		"wildcards": {10_000, nil, func(n int) []string { return []string{"path", "parse", strings.Repeat("[*]", n)} }},
		"keys":      {10_000, nil, func(n int) []string { return []string{"path", "parse", "a" + strings.Repeat(".a", n)} }},
		"parents": {10_000, nil, func(n int) []string {
			return []string{"urn", "parse", "urn:pulumi:dev::p::" + strings.Repeat("a$", n) + "b::n"}
		}},
		"places that hold a text": {10_000, func(n int) map[string]string {
			return map[string]string{"s": stackOf(listed(n, `"member%d":"hold"`))}
		}, fixed("state", "ls", "--holds", "hold", "s")},
	} {
		few, many := prepared(t, row.n, row.files, row.args), prepared(t, 4*row.n, row.files, row.args)
		took := [2]time.Duration{few(), many()}
		for tries := 0; tries < 3 && tooMuch(took); tries++ { // the caches are shared with others
			took = [2]time.Duration{few(), many()}
		}
		t.Logf("%s: %v, and for four times that %v", name, took[0], took[1])
		if tooMuch(took) {
			t.Errorf("%s: %v, and for four times that %v", name, took[0], took[1])
		}
	}
}

func tooMuch(took [2]time.Duration) bool { return took[1] > 6*max(took[0], 10*time.Millisecond) }

// prepared returns what runs the tool on files, and returns its processor time.
func prepared(t *testing.T, n int, files func(int) map[string]string, args func(int) []string) func() time.Duration {
	t.Helper()

	all := map[string]string{}
	if files != nil {
		all = files(n)
	}
	dir, given := writeFiles(t, all), args(n)
	return func() time.Duration {
		c := exec.Command(binary(t), given...)
		c.Dir = dir
		out, _ := c.CombinedOutput()
		if code := c.ProcessState.ExitCode(); code == 2 && !strings.Contains(string(out), "on it") {
			t.Fatalf("%.200s", out)
		}
		return c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	}
}

// fixed returns the same arguments for every size.
func fixed(args ...string) func(int) []string { return func(int) []string { return args } }

// listed returns n texts of a form, with commas in between.
func listed(n int, form string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(form, i)
	}
	return strings.Join(all, ",")
}
