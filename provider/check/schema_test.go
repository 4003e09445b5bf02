package check_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/schema"
)

// byTheSchema returns the codes of findings that the schema of a:b:C adds, with their
// places.
func byTheSchema(t *testing.T, log string) (rows []string) {
	t.Helper()
	p, err := schema.Read([]byte(`{
		"name": "a",
		"types": {"a:b:T": {"type": "object", "properties": {"key": {"type": "string", "secret": true}}}},
		"resources": {"a:b:C": {
			"inputProperties": {
				"name": {"type": "string", "willReplaceOnChanges": true},
				"size": {"type": "integer"},
				"owner": {"$ref": "#/types/a:b:T"}
			},
			"requiredInputs": ["name"],
			"properties": {"name": {"type": "string"}, "token": {"type": "string", "secret": true}, "url": {"type": "string"}},
			"required": ["name", "url"]
		}},
		"functions": {"a:b:f": {"outputs": {"properties": {"n": {"type": "number"}}, "required": ["n"]}}}
	}`), schema.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for c, err := range check.Log(strings.NewReader(log), check.LogOptions{Schemas: []*schema.Package{p}}) {
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range c.Findings {
			if strings.HasPrefix(f.Code, "schema-") {
				rows = append(rows, f.Code+" "+f.In+" "+f.At.String())
			}
		}
	}
	return rows
}

func TestLogBySchema(t *testing.T) {
	const secret = `{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","value":"t"}`
	diff := func(sides, answer string) string { return ended("Diff", `"id":"i",`+sides, answer) }
	for name, c := range map[string]struct {
		log  string
		want []string
	}{
		"as it should be": {ended("Check", `"news":{"name":"n"}`, `"inputs":{"name":"n","size":1}`), nil},
		"Check lets a mistake through": {
			ended("Check", `"news":{"size":1.5}`, `"inputs":{"size":1.5}`),
			[]string{"schema-mismatch response.inputs name", "schema-mismatch response.inputs size"},
		},
		"Check finds a mistake": {ended("Check", `"news":{"size":1.5}`, `"inputs":{"size":1.5},"failures":[{"property":"size","reason":"no"}]`), nil},
		"Check finds it elsewhere": {
			ended("Check", `"news":{"size":1.5}`, `"inputs":{"size":1.5},"failures":[{"property":"size_gb","reason":"no"},{"property":"owner.key","reason":"no"}]`),
			[]string{"schema-mismatch response.failures size_gb"},
		},
		"an input in clear": {ended("Check", `"news":{"name":"n"}`, `"inputs":{"name":"n","owner":{"key":"k"}}`), []string{"schema-secret response.inputs owner.key"}},
		"Create":            {ended("Create", `"properties":{}`, `"id":"i","properties":{"name":1,"token":"t"}`), []string{"schema-mismatch response.properties name", "schema-mismatch response.properties url", "schema-secret response.properties token"}},
		"Create, as it should be": {
			ended("Create", `"properties":{}`, `"id":"i","properties":{"name":"n","token":`+secret+`,"url":"u"}`), nil,
		},
		"a preview leaves out what is not known": {ended("Create", `"properties":{},"preview":true`, `"properties":{"name":"n"}`), nil},
		"Update":                                 {ended("Update", `"id":"i","olds":{},"news":{}`, `"properties":{"name":"n"}`), []string{"schema-mismatch response.properties url"}},
		"Read":                                   {ended("Read", `"id":"i"`, `"id":"i","inputs":{"size":"s"},"properties":{"name":"n","url":"u"}`), []string{"schema-mismatch response.inputs size"}},
		"Read of nothing":                        {ended("Read", `"id":"i"`, ``), nil},
		"Diff updates in place":                  {diff(`"oldInputs":{"name":"a"},"olds":{"name":"a"},"news":{"name":"b"}`, `"changes":"DIFF_SOME","diffs":["name"]`), []string{"schema-replace response name"}},
		"Diff replaces":                          {diff(`"oldInputs":{"name":"a"},"olds":{"name":"a"},"news":{"name":"b"}`, `"changes":"DIFF_SOME","diffs":["name"],"replaces":["name"]`), nil},
		"ignoreChanges of another name":          {diff(`"oldInputs":{"name":"a"},"olds":{"name":"a"},"news":{"name":"b"},"ignoreChanges":["names","name2.x"]`, `"changes":"DIFF_SOME","diffs":["name"]`), []string{"schema-replace response name"}},
		"ignoreChanges in a refresh":             {diff(`"oldInputs":{"name":"a"},"olds":{"name":"a"},"news":{"name":"b"},"ignoreChanges":["[\"name\"]"]`, `"changes":"DIFF_SOME","diffs":["name"]`), nil},
		"ignoreChanges of everything":            {diff(`"oldInputs":{"name":"a"},"olds":{"name":"a"},"news":{"name":"b"},"ignoreChanges":["*"]`, `"changes":"DIFF_SOME","diffs":["name"]`), nil},
		"Diff of something else":                 {diff(`"oldInputs":{"name":"a"},"olds":{"name":"a"},"news":{"name":"a","size":1}`, `"changes":"DIFF_SOME","diffs":["size"]`), nil},
		"an unknown name may stay":               {diff(`"oldInputs":{"name":"a"},"olds":{"name":"a"},"news":{"name":"04da6b54-80e4-46f7-96ec-b56ff0331ba9","size":1}`, `"changes":"DIFF_SOME","diffs":["size"]`), nil},
		"a function":                             {ended("Invoke", `"tok":"a:b:f"`, `"return":{}`), []string{"schema-mismatch response.return n"}},
		"a function that fails":                  {ended("Invoke", `"tok":"a:b:f"`, `"failures":[{"reason":"no"}]`), nil},
		"another provider's resource":            {strings.ReplaceAll(ended("Create", `"properties":{}`, `"id":"i","properties":{}`), "a:b:C", "x:y:Z"), nil},
	} {
		if got := byTheSchema(t, c.log); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", name, got, c.want)
		}
	}
}
