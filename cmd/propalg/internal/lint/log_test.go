package lint_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/cmd/propalg/internal/lint"
	"github.com/propalg/propalg/codec/rpc"
)

// call is a line of a log: a method, its progress, and the members of its messages.
func call(method, progress, request, response string) string {
	return fmt.Sprintf(`{"method":%q,"request":{"urn":"urn:pulumi:s::p::a:b:C::n",%s},"response":{%s},"progress":%q}`+"\n",
		"/pulumirpc."+method, request, response, progress)
}

func ended(method, request, response string) string {
	return call("ResourceProvider/"+method, "response_completed", request, response)
}

func started(method string) string {
	return call("ResourceProvider/"+method, "request_started", `"id":"i"`, "")
}

// check returns the findings of a log, one a row, and the counts of its calls.
func check(t *testing.T, text string) (rows []string, calls lint.Calls) {
	t.Helper()

	var log lint.Log

	for c, err := range rpc.ReadLog(strings.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}

		for _, f := range log.Check(c) {
			rows = append(rows, fmt.Sprintf("%d %s %s %s %s %s %s", f.Line, f.Severity, f.Subject, f.Call, f.Code, f.In, f.At))

			if f.URN != "urn:pulumi:s::p::a:b:C::n" || len(f.Advice) < 20 {
				t.Errorf("%+v", f)
			}
		}
	}

	return rows, log.Calls()
}

func TestLog(t *testing.T) {
	const (
		diff  = `"id":"i","olds":{"a":1},"oldInputs":{"a":1},"news":{"a":2},"ignoreChanges":["a"]`
		drift = `"changes":"DIFF_SOME","diffs":["a"],"hasDetailedDiff":true,"detailedDiff":{"a":{"kind":"UPDATE","inputDiff":true}}`
	)

	for name, c := range map[string]struct {
		log  string
		want []string
	}{
		"nothing":            {ended("Create", `"properties":{}`, `"id":"i","properties":{}`), nil},
		"no ID":              {ended("Create", `"properties":{}`, `"properties":{}`), []string{"1 error a:b:C Create id-missing response.id "}},
		"other service":      {call("LanguageRuntime/Run", "response_completed", `"x":1`, ""), nil},
		"not ended":          {started("Create"), nil},
		"second line":        {started("Update") + ended("Update", `"id":"i"`, `"properties":{"id":"j"}`), []string{"2 error a:b:C Update id-changed response.properties id"}},
		"rounded":            {ended("Delete", `"id":"i","properties":{"n":12345678901234567891}`, ""), []string{"1 note a:b:C  number-rounded  n"}},
		"ignored":            {ended("Diff", diff, drift), []string{"1 note a:b:C Diff ignored response a"}},
		"ignored in refresh": {ended("Read", `"id":"i"`, `"id":"i","properties":{"a":1},"inputs":{"a":1}`) + ended("Diff", diff, drift), nil},
	} {
		if got, _ := check(t, c.log); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", name, got, c.want)
		}
	}
}

func TestLogCalls(t *testing.T) {
	log := started("Cancel") + started("Read") + started("Read") + ended("Read", `"id":"i"`, `"id":"i","properties":{},"inputs":{}`) + started("Create") +
		strings.Replace(ended("Delete", `"id":"i"`, ""), `"progress"`, `"errors":["x"],"progress"`, 1)

	_, calls := check(t, log)
	if calls.Checked != 2 || calls.Failed != 1 || !maps.Equal(calls.Unfinished, map[string]int{"Read": 1, "Create": 1}) {
		t.Errorf("%+v", calls)
	}
}
