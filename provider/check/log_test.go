package check_test

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/provider/check"
)

// logged returns a line of a log: a method, its progress, and the members of its
// messages.
func logged(method, progress, request, response string) string {
	return fmt.Sprintf(`{"method":%q,"request":{"urn":"urn:pulumi:s::p::a:b:C::n",%s},"response":{%s},"progress":%q}`+"\n",
		"/pulumirpc."+method, request, response, progress)
}

func ended(method, request, response string) string {
	return logged("ResourceProvider/"+method, "response_completed", request, response)
}

func started(method string) string {
	return logged("ResourceProvider/"+method, "request_started", `"id":"i"`, "")
}

// logFindings returns the findings about a log, one a row.
func logFindings(t *testing.T, text string) (rows []string) {
	t.Helper()
	for c, err := range check.Log(strings.NewReader(text), check.LogOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range c.Findings {
			rows = append(rows, fmt.Sprintf("%d %s %s %s %s %s", c.Call.Line, f.Severity, c.Subject, f.Code, f.In, f.At))
			if (c.Request != nil && c.Subject != "" && c.URN != "urn:pulumi:s::p::a:b:C::n") || len(f.Advice) < 20 || strings.Contains(f.Advice, "%s") {
				t.Errorf("%+v", f)
			}
		}
	}
	return rows
}

func TestLog(t *testing.T) {
	const (
		diff  = `"id":"i","olds":{"a":1},"oldInputs":{"a":1},"news":{"a":2},"ignoreChanges":["a"]`
		drift = `"changes":"DIFF_SOME","diffs":["a"],"hasDetailedDiff":true,"detailedDiff":{"a":{"kind":"UPDATE","inputDiff":true}}`
	)
	read := ended("Read", `"id":"i"`, `"id":"i","properties":{"a":1},"inputs":{"a":1}`)
	recheck := ended("Check", `"news":{"a":2}`, `"inputs":{"a":2}`)
	for name, c := range map[string]struct {
		log  string
		want []string
	}{
		"nothing":              {ended("Create", `"properties":{}`, `"id":"i","properties":{}`), nil},
		"no ID":                {ended("Create", `"properties":{}`, `"properties":{}`), []string{"1 error a:b:C id-missing response.id "}},
		"no response":          {strings.Replace(ended("Diff", `"id":"i"`, ""), `"response":{}`, `"response":null`, 1), []string{"1 error a:b:C response-missing response "}},
		"an empty response":    {strings.Replace(ended("Delete", `"id":"i"`, ""), `"response":{}`, `"response":null`, 1), nil},
		"an error instead":     {strings.Replace(ended("Diff", `"id":"i"`, ""), `"response":{}`, `"errors":["no"]`, 1), nil},
		"other service":        {logged("LanguageRuntime/Run", "response_completed", `"x":1`, ""), nil},
		"not ended":            {started("Create"), nil},
		"second line":          {started("Update") + ended("Update", `"id":"i"`, `"properties":{"id":"j"}`), []string{"2 error a:b:C id-changed response.properties id"}},
		"rounded":              {ended("Delete", `"id":"i","properties":{"n":12345678901234567891}`, ""), []string{"1 note a:b:C number-rounded  n"}},
		"ignored":              {ended("Diff", diff, drift), []string{"1 note a:b:C ignored response a"}},
		"ignored in a refresh": {read + ended("Diff", diff, drift), nil},
		"ignored in an update": {read + recheck + ended("Diff", diff, drift), []string{"3 note a:b:C ignored response a"}},
		"stables without a value": {
			ended("Diff", `"id":"i","olds":{"a":1},"oldInputs":{"a":1},"news":{"a":1}`, `"changes":"DIFF_NONE","stables":["arn","a"]`), nil,
		},
		"unknown in a request": {
			ended("Delete", `"id":"i","properties":{"a":"04da6b54-80e4-46f7-96ec-b56ff0331ba9"}`, ""), []string{"1 error a:b:C unknown request.properties a"},
		},
	} {
		if got := logFindings(t, c.log); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", name, got, c.want)
		}
	}
}

// TestLogAccepted: what is sent is what the provider accepts.
func TestLogAccepted(t *testing.T) {
	const (
		secret    = `{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","value":"t"}`
		reference = `{"4dabf18193072939515e22adb298388d":"5cf8f73096256a8f31e491e813e4eb8e","urn":"urn:pulumi:s::p::a:b:C::n","id":"i"}`
		output    = `{"4dabf18193072939515e22adb298388d":"d0e6a833031e9bbcd3f4e8bde6ca49a4","value":"t","dependencies":["urn:pulumi:s::p::a:b:C::n"]}`
	)
	configure := func(accepts string) string {
		return `{"method":"/pulumirpc.ResourceProvider/Configure","request":{"args":{"a":` + secret + `}},"response":{"supportsPreview":true` + accepts + `},"progress":"response_completed"}` + "\n"
	}
	for feature, sent := range map[string]string{"acceptSecrets": secret, "acceptResources": reference, "acceptOutputs": output} {
		remove := ended("Delete", `"id":"i","properties":{"a":`+sent+`}`, "")
		want := []string{"2 error a:b:C not-accepted request.properties "}
		if got := logFindings(t, configure("")+remove); !slices.Equal(got, want) {
			t.Errorf("without %s: %q", feature, got)
		}
		for _, log := range []string{configure(`,"`+feature+`":true`) + remove, remove} {
			if got := logFindings(t, log); len(got) > 0 {
				t.Errorf("with %s: %q", feature, got)
			}
		}
	}
}

// TestLogAdditionalSecrets: an output that the program calls a secret is one again after the
// call, so that a provider that returns it in clear does nothing wrong.
func TestLogAdditionalSecrets(t *testing.T) {
	const secret = `{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","value":"t"}`
	update := ended("Update", `"id":"i","olds":{"a":1,"t":`+secret+`},"news":{"a":2}`, `"properties":{"a":2,"t":"t"}`)
	input := ended("Update", `"id":"i","olds":{"t":`+secret+`},"news":{"t":`+secret+`}`, `"properties":{"t":"t"}`)
	registered := func(method, kind, name, outputs string) string {
		return fmt.Sprintf(`{"method":"/pulumirpc.ResourceMonitor/%s","request":{"type":%q,"name":%q,"additionalSecretOutputs":[%s]},"progress":"request_started"}`+"\n", method, kind, name, outputs)
	}
	for name, c := range map[string]struct {
		log  string
		want []string
	}{
		"not known":         {update, []string{"1 warning a:b:C secret-lost response.properties t"}},
		"named":             {registered("RegisterResource", "a:b:C", "n", `"s","t"`) + update, nil},
		"named by .get":     {registered("ReadResource", "a:b:C", "n", `"t"`) + update, nil},
		"named as an input": {registered("RegisterResource", "a:b:C", "n", `"t"`) + input, nil},
		"named later":       {update + registered("RegisterResource", "a:b:C", "n", `"t"`), []string{"1 warning a:b:C secret-lost response.properties t"}},
		"another output":    {registered("RegisterResource", "a:b:C", "n", `"tt"`) + update, []string{"2 warning a:b:C secret-lost response.properties t"}},
		"another resource":  {registered("RegisterResource", "a:b:C", "m", `"t"`) + update, []string{"2 warning a:b:C secret-lost response.properties t"}},
		"another type":      {registered("RegisterResource", "a:b:D", "n", `"t"`) + update, []string{"2 warning a:b:C secret-lost response.properties t"}},
		"an input that Read returns": {
			registered("RegisterResource", "a:b:C", "n", `"t"`) + ended("Read", `"id":"i","inputs":{"t":`+secret+`},"properties":{"t":`+secret+`}`, `"id":"i","inputs":{"t":"t"},"properties":{"t":"t"}`),
			[]string{"2 error a:b:C secret-lost response.inputs t"},
		},
		"an input, not named": {registered("RegisterResource", "a:b:C", "n", `"a"`) + input, []string{"2 error a:b:C secret-lost response.properties t"}},
	} {
		if got := logFindings(t, c.log); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", name, got, c.want)
		}
	}
}

// Log yields the lines of calls that start and fail too, and of no other service.
func TestLogCalls(t *testing.T) {
	failed := strings.Replace(ended("Delete", `"id":"i"`, ""), `"progress"`, `"errors":["x"],"progress"`, 1)
	log := started("Read") + ended("Read", `"id":"i"`, `"id":"i","properties":{},"inputs":{}`) +
		logged("LanguageRuntime/Run", "response_completed", `"x":1`, "") + failed
	var got []string
	for c, err := range check.Log(strings.NewReader(log), check.LogOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(c.Call.Line, c.Call.Started, c.Call.Ended, c.Call.Failed(), c.Request != nil, c.URN != ""))
	}
	if want := []string{"1 true false false false false", "2 false true false true true", "4 false true true true true"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for c, err := range check.Log(strings.NewReader(log+`{"method":`), check.LogOptions{}) {
		if err != nil && (c.Request != nil || !strings.Contains(err.Error(), "line 5")) {
			t.Errorf("a last line that is cut off: %v", err)
		}
	}
	for range check.Log(strings.NewReader(log), check.LogOptions{}) {
		break // and no panic
	}
	var err error
	for _, err = range check.Log(io.Reader(nil), check.LogOptions{}) {
	}
	if err == nil {
		t.Error("no error without a reader")
	}
}

// A message that cannot be read is a finding, and its contents are not shown.
func TestLogUnreadable(t *testing.T) {
	got := logFindings(t, started("Delete")+ended("Delete", `"id":{"x":"hunter2"}`, ""))
	if want := []string{"2 error  unreadable DeleteRequest.id "}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	unsigned := ended("Check", `"news":{"a":{"4dabf18193072939515e22adb298388d":"hunter2"}}`, `"inputs":{}`)
	for c := range check.Log(strings.NewReader(unsigned), check.LogOptions{}) {
		const want = "neither this tool nor an engine can read the message: news: offset 42: a: offset 5: malformed or reserved signature: "
		if len(c.Findings) != 1 || !strings.HasPrefix(c.Findings[0].Advice, want) || strings.Contains(c.Findings[0].Advice, "hunter2") {
			t.Errorf("%v", c.Findings)
		}
	}
}

// One mistake is one finding: the others follow from it. What does not is found, too.
func TestLogRootCauses(t *testing.T) {
	const request = `"id":"i","olds":{"name":1,"size":1,"url":1},"oldInputs":{"name":1,"size":1},"news":{"name":2,"size":1}`
	answer := func(diffs, replaces, entries string) string {
		text := `"changes":"DIFF_SOME","hasDetailedDiff":true,"diffs":[DIFFS],"replaces":[REPLACES],"detailedDiff":{ENTRIES}`
		return strings.NewReplacer("DIFFS", diffs, "REPLACES", replaces, "ENTRIES", entries).Replace(text)
	}
	for _, row := range []struct{ response, want string }{
		{`"changes":"DIFF_NONE"`, "name:none-while-differ"},
		// Misspelt.
		{answer(`"name"`, `"name"`, `"namee":{"kind":"UPDATE_REPLACE","inputDiff":true}`), "namee:old-missing"},
		{answer(`"name","namee"`, `"name","namee"`, `"namee":{"kind":"UPDATE_REPLACE","inputDiff":true}`), "namee:old-missing"},
		{answer(`"name","other"`, ``, `"namee":{"kind":"UPDATE","inputDiff":true}`), "namee:old-missing other:diffs-extra"},
		{answer(`"name"`, ``, `"colour":{"kind":"UPDATE","inputDiff":true}`), "colour:old-missing name:unreported name:diffs-extra"},
		// It should not be there.
		{answer(`"name"`, ``, `"name":{"kind":"UPDATE","inputDiff":true},"url":{"kind":"UPDATE","inputDiff":true}`), "url:output-only"},
		{answer(`"name"`, ``, `"name":{"kind":"UPDATE","inputDiff":true},"size":{"kind":"UPDATE","inputDiff":true}`), "size:update-equal"},
		// It should be of another kind, or elsewhere.
		{answer(`"name"`, ``, `"name":{"kind":"UPDATE","inputDiff":true},"size":{"kind":"ADD","inputDiff":true}`), "size:add-present size:diffs-missing"},
		{answer(``, ``, `"name.x":{"kind":"UPDATE","inputDiff":true}`), "name.x:old-missing name:diffs-missing"},
		// A path.
		{answer(`"name[0]"`, ``, `"name":{"kind":"UPDATE","inputDiff":true}`), "name[0]:diffs-path"},
		{answer(`"name"`, `"name[0]"`, `"name":{"kind":"UPDATE_REPLACE","inputDiff":true}`), "name[0]:replaces-path"},
		{answer(`"size[0]"`, ``, `"name":{"kind":"UPDATE","inputDiff":true}`), "size[0]:diffs-path name:diffs-missing"},
	} {
		var got []string
		for c, err := range check.Log(strings.NewReader(ended("Diff", request, row.response)), check.LogOptions{}) {
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range c.Findings {
				got = append(got, f.At.String()+":"+f.Code)
			}
		}
		if text := strings.Join(got, " "); text != row.want {
			t.Errorf("%s:\ngot  %s\nwant %s", row.response, text, row.want)
		}
	}
}

// TestLogList: List has a line for its request and one for each response.
func TestLogList(t *testing.T) {
	line := func(members string) string {
		return `{"method":"/pulumirpc.ResourceProvider/List",` + members + `}` + "\n"
	}
	ask := line(`"request":{"token":"a:b:C","pageSize":"2","limit":"2"}`)
	of := func(id string) string { return line(`"response":{"result":{"id":"` + id + `","name":"n"}}`) }
	end, unknown := line(`"response":{"continuation":{"token":"t"}}`), line(`"response":{"computed":{}}`)
	other := ended("Delete", `"id":"i"`, "")
	for name, c := range map[string]struct {
		log  string
		want []string
	}{
		"pages":                   {ask + of("a") + other + of("b") + end + ask + of("a") + end, nil},
		"a failure":               {ask + of("a") + line(`"errors":["rpc error: code = Internal desc = x"]`), nil},
		"begins late":             {of("a") + of("a"), nil},
		"twice":                   {ask + of("a") + other + of("a"), []string{"4 error a:b:C list-id response.result.id "}},
		"too many, said once":     {ask + of("a") + of("b") + of("c") + of("d"), []string{"4 warning a:b:C list-size request.limit ", "4 warning a:b:C list-size request.page_size "}},
		"behind the end":          {ask + end + of("a") + of("b"), []string{"3 error a:b:C list-order response.response "}},
		"unknown, for no reason":  {ask + unknown, []string{"2 error a:b:C list-computed response.computed "}},
		"unknown, as the query":   {line(`"request":{"token":"a:b:C","query":{"x":"04da6b54-80e4-46f7-96ec-b56ff0331ba9"}}`) + unknown, nil},
		"no response that counts": {ask + line(`"response":{}`), []string{"2 error a:b:C list-order response.response "}},
	} {
		if got := logFindings(t, c.log); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", name, got, c.want)
		}
	}
}

// TestLogMappings: a provider that has no mapping says so without an error.
func TestLogMappings(t *testing.T) {
	line := func(method, end string) string {
		return `{"method":"/pulumirpc.ResourceProvider/` + method + `","request":{"key":"terraform"},` + end + `,"progress":"response_completed"}` + "\n"
	}
	const refused = `"errors":["rpc error: code = Unknown desc = no mapping"]`
	for _, method := range []string{"GetMapping", "GetMappings"} {
		for end, want := range map[string][]string{
			refused:         {"1 warning  mapping-refused response "},
			`"response":{}`: nil,
			`"errors":["rpc error: code = Unimplemented desc = unknown method"]`:   nil,
			`"errors":["rpc error: code = Unavailable desc = the plugin is gone"]`: nil,
		} {
			if got := logFindings(t, line(method, end)); !slices.Equal(got, want) {
				t.Errorf("%s %s: %q, want %q", method, end, got, want)
			}
		}
	}
	if got := logFindings(t, line("GetSchema", refused)); got != nil {
		t.Errorf("another method: %q", got)
	}
}
