package main_test

import (
	"regexp"
	"strings"
	"testing"
)

// annotations reads workflow commands as GitHub's runner does: a line is a command, its
// properties end at the first "::", and are divided by commas.
func annotations(t *testing.T, text string) (all []map[string]string) {
	t.Helper()
	unescape := strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%")
	for line := range strings.Lines(text) {
		found := regexp.MustCompile(`^::(error|warning|notice) (.*?)::(.*)\n$`).FindStringSubmatch(line)
		if found == nil {
			t.Fatalf("%q is no command", line)
		}
		one := map[string]string{"": unescape.Replace(found[3]), "command": found[1]}
		for _, each := range strings.Split(found[2], ",") {
			name, value, _ := strings.Cut(each, "=")
			one[name] = unescape.Replace(value)
		}
		all = append(all, one)
	}
	return all
}

// TestLintGitHub: each finding is an annotation at the line of the log, whatever its
// texts have in them.
func TestLintGitHub(t *testing.T) {
	const log = `{"method":"/pulumirpc.ResourceProvider/Diff","request":{"id":"i","urn":"urn:pulumi:dev::shop::a:b:C::50%,n::error::x","type":"a:b:C","olds":{"k":1,"a,b:c%0A":1},"news":{"k":1,"a,b:c%0A":1},"oldInputs":{"k":1,"a,b:c%0A":1}},"response":{"changes":"DIFF_SOME","diffs":["k"],"detailedDiff":{"k":{"kind":"UPDATE","inputDiff":true},"[\"a,b:c%0A\"]":{"kind":"UPDATE","inputDiff":true}},"hasDetailedDiff":true},"progress":"response_completed"}` + "\n"
	dir := writeFiles(t, map[string]string{"a,b:c.json": "\n" + log})
	got := propalg(t, dir, "", "lint", "-o", "github", "a,b:c.json")
	listed := propalg(t, dir, "", "lint", "-o", "json", "a,b:c.json")
	all := annotations(t, got.stdout)
	if want := strings.Count(listed.stdout, `"code":`); len(all) != want || want == 0 || got.code != 1 {
		t.Fatalf("exit %d, %d annotations, want %d: %s", got.code, len(all), want, got.stdout)
	}
	for _, one := range all {
		if one["file"] != "a,b:c.json" || one["line"] != "2" || one["title"] != "a:b:C" || !strings.Contains(one[""], "50%,n::error::x") || strings.Count(one[""], "\n") != 2 {
			t.Errorf("%q", one)
		}
	}
	if !strings.Contains(got.stdout, "::error ") || !strings.Contains(got.stdout, `a,b:c%250A`) {
		t.Errorf("%s", got.stdout)
	}

	odd := "o\u202e.json" // a terminal may show the log of the job
	dir = writeFiles(t, map[string]string{odd: log})
	if got := propalg(t, dir, "", "lint", "-o", "github", odd); got.code != 1 || strings.Contains(got.stdout, "\u202e") {
		t.Errorf("%+v", got)
	}
}
