package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// reproduction is how an author in any language can see a finding: the calls, as JSON, and a
// program in YAML with the commands of the CLI. SECRETS ARE IN IT until it is masked.
type reproduction struct {
	Calls    []callJSON `json:"calls,omitempty"`
	Program  string     `json:"program,omitempty"`
	Commands []string   `json:"commands,omitempty"`
}

type callJSON struct {
	Method   string          `json:"method"`
	Request  json.RawMessage `json:"request"`
	Response json.RawMessage `json:"response,omitempty"`
	Error    string          `json:"error,omitempty"`
}

func (t *tester) reproduction(s *subject, f fuzz.Finding) reproduction {
	var r reproduction
	for _, c := range f.Calls {
		call := callJSON{Method: c.Method, Request: messageJSON(c.Request)}
		if c.Err != nil {
			call.Error = c.Err.Error()
		} else {
			call.Response = messageJSON(c.Response)
		}
		r.Calls = append(r.Calls, call)
	}
	if s.kind == "resource" && len(f.Calls) > 0 {
		r.Program, r.Commands = t.yamlProgram(s.token, f)
	}
	return r
}

// yamlProgram returns a program in YAML that makes the resource, with what it says later in a
// comment if the finding is about a change, and the commands to run.
func (t *tester) yamlProgram(token string, f fuzz.Finding) (text string, commands []string) {
	first, later := programs(f.Calls)
	var b strings.Builder
	fmt.Fprintf(&b, "name: propalg-test\nruntime: yaml\nplugins:\n  providers:\n    - name: %s\n      path: %s\nresources:\n", t.packageName(), t.program.place())
	if first.ContainsUnknown() || later.ContainsUnknown() {
		fmt.Fprintf(&b, "  made: # its ID is unknown in a preview\n    type: %s\n    properties: %s\n", token, yamlOf(known(first)))
	}
	fmt.Fprintf(&b, "  r:\n    type: %s\n    properties: %s\n", token, yamlOf(first))
	if !later.IsNull() {
		fmt.Fprintf(&b, "    # then: %s\n", yamlOf(later))
	}

	for _, v := range t.config.values {
		is := string(plainJSON(v.value))
		if text, ok := v.value.AsString(); ok {
			is = text
		}
		if v.secret {
			is = "--secret " + masked
		}
		commands = append(commands, fmt.Sprintf("pulumi config set %s:%s %s", t.packageName(), v.name, is))
	}
	if first.ContainsUnknown() || f.Method == "Construct" {
		return b.String(), append(commands, "pulumi preview --diff")
	}
	commands = append(commands, "pulumi up --yes --skip-preview")
	if !later.IsNull() {
		commands = append(commands, "# write the properties after \"then:\" into the program", "pulumi preview --diff", "pulumi up --yes --skip-preview")
	}
	if last := map[string]string{"Read": "pulumi refresh --diff --yes", "Delete": "pulumi destroy --yes"}[f.Method]; last != "" {
		commands = append(commands, last)
	}
	return b.String(), commands
}

// programs returns what the program said first and later, as far as calls show it.
func programs(calls []fuzz.Call) (first, later value.Value) {
	for i, c := range calls {
		switch r := c.Request.(type) {
		case *rpc.ConstructRequest:
			first = r.Inputs
		case *rpc.CreateRequest:
			if i == 0 { // else there was a Check
				first = r.Properties
			}
		}
		r, ok := c.Request.(*rpc.CheckRequest)
		switch {
		case ok && r.Olds.IsNull() && (first.IsNull() || (i == len(calls)-1 && r.News.ContainsUnknown())):
			first = r.News
		case ok && r.Olds.IsNull():
		case ok && !r.Olds.Equal(r.News):
			later = r.News
		}
	}
	if later.Equal(first) {
		later = value.Null()
	}
	return first, later
}

// yamlOf returns a bag as a flow mapping of Pulumi's YAML, which is JSON with functions.
func yamlOf(v value.Value) string {
	text, err := json.Marshal(yamlData(v))
	if err != nil {
		return "{}"
	}
	return string(text)
}

func yamlData(v value.Value) any {
	v = v.DropDependencies()
	if v.OwnSecret() {
		return map[string]any{"fn::secret": yamlData(v.DropSecret())}
	}
	if v.IsUnknown() {
		return "${made.id}"
	}
	if text, ok := v.AsString(); ok {
		return strings.ReplaceAll(text, "${", "$${")
	}
	switch v.Kind() { //nolint:exhaustive // the others are leaves
	case value.KindAsset:
		a, _ := v.AsAsset()
		text, _ := a.Text()
		return map[string]any{"fn::stringAsset": text}
	case value.KindArchive:
		return map[string]any{"fn::assetArchive": map[string]any{"a.txt": map[string]any{"fn::stringAsset": "x"}}}
	case value.KindArray:
		all := []any{}
		for _, e := range v.Elems() {
			all = append(all, yamlData(e))
		}
		return all
	case value.KindObject:
		all := map[string]any{}
		for k, m := range v.Members() {
			all[k] = yamlData(m)
		}
		return all
	}
	text, err := codec.AppendJSONValue(nil, v, codec.Options{References: codec.Lower})
	if err != nil {
		return nil
	}
	return json.RawMessage(text)
}

// last returns the call that shows a finding, on one line that is not long.
func (r reproduction) last() (method, request string, ok bool) {
	const mostShown = 600
	if len(r.Calls) == 0 {
		return "", "", false
	}
	c := r.Calls[len(r.Calls)-1]
	if len(c.Request) > mostShown {
		return c.Method, "", true
	}
	return c.Method, string(c.Request), true
}

// known returns a bag without the members that have unknowns.
func known(v value.Value) value.Value {
	for name, m := range v.Members() {
		if m.ContainsUnknown() {
			v, _ = v.Without(path.Of(path.Key(name)))
		}
	}
	return v
}

// writeReproductions writes a file of calls and a program for each finding to a folder.
func (doc reportJSON) writeReproductions(folder string) error {
	if folder == "" {
		return nil
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}

	n := 0
	for _, s := range doc.Subjects {
		for _, f := range s.Findings {
			n++
			name := filepath.Join(folder, fmt.Sprintf("%03d-%s-%s", n, strings.ToLower(f.Call), f.Code))
			text, err := json.MarshalIndent(f, "", "  ")
			if err != nil {
				return err
			}
			if err := os.WriteFile(name+".json", append(text, '\n'), 0o600); err != nil {
				return err
			}
			if f.Program == "" {
				continue
			}
			if err := os.MkdirAll(name, 0o700); err != nil {
				return err
			}
			program := "# " + f.title() + "\n# " + strings.Join(f.Commands, "\n# ") + "\n" + f.Program
			if err := os.WriteFile(filepath.Join(name, "Pulumi.yaml"), []byte(program), 0o600); err != nil {
				return err
			}
		}
	}
	return nil
}
