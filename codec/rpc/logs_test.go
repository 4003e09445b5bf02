package rpc_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/propalg/propalg/codec/rpc"
)

// shared is the real data; see ../../../shared/data.
const shared = "../../../shared/data/"

// loggedCall is a line of an engine's log, or of the recorded calls.
type loggedCall struct {
	Method            string
	Request, Response json.RawMessage
	Wildcard          json.RawMessage
}

// calls reads files of calls, one a line.
func calls(t *testing.T, pattern string) (all []loggedCall) {
	t.Helper()
	files, err := filepath.Glob(shared + pattern)
	if err != nil || len(files) == 0 {
		t.Skipf("no %s%s here", shared, pattern)
	}
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 16<<20)
		for lines.Scan() {
			var c loggedCall
			if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			all = append(all, c)
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	return all
}

// throughBytes reads JSON into m, and back through bytes and JSON. It reports
// whether the JSON that comes out means what went in.
func throughBytes(t *testing.T, p protocol, text []byte, m rpc.Message) bool {
	t.Helper()
	if err := rpc.DecodeJSON(text, m, rpc.Options{}); err != nil {
		t.Fatal(err)
	}
	data, err := rpc.Marshal(m, rpc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	again := rpc.New(rpc.Name(m))
	if err := rpc.Unmarshal(data, again, rpc.Options{}); err != nil || identical(m, again) != "" {
		t.Fatalf("%v: through bytes %s: %s", err, rpc.Name(m), identical(m, again))
	}
	theirs := p.new(rpc.Name(m))
	if _, err := unmarshal(data, theirs); err != nil || !bytes.Equal(marshal(t, theirs), data) {
		t.Fatalf("%v: protobuf reads %s otherwise", err, rpc.Name(m))
	}
	out, err := rpc.AppendJSON(nil, again, rpc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var before, after any
	if json.Unmarshal(text, &before) != nil || json.Unmarshal(out, &after) != nil {
		t.Fatalf("no JSON: %s", out)
	}
	return cmp.Equal(before, after)
}

// TestEngineLogs reads every call in a real engine's logs whose messages there
// are.
func TestEngineLogs(t *testing.T) {
	all, p := calls(t, "grpc-logs/*.json"), descriptors(t)
	messages, same, other := 0, 0, 0
	for _, c := range all {
		request, response := rpc.NewCall(c.Method)
		if request == nil {
			if strings.Contains(c.Method, "ResourceProvider/") {
				t.Errorf("%s is not known", c.Method)
			}
			other++
			continue
		}
		for m, text := range map[rpc.Message]json.RawMessage{request: c.Request, response: c.Response} {
			if len(text) == 0 {
				continue // the call has not ended, or failed
			}
			messages++
			if throughBytes(t, p, text, m) {
				same++
			} else if _, ok := m.(*rpc.RegisterResourceRequest); !ok {
				t.Errorf("%s of %s comes out otherwise", rpc.Name(m), c.Method)
			}
		}
	}
	t.Logf("%d calls, %d of other services; %d messages, %d of them word for word", len(all), other, messages, same)
	// What is written otherwise: text assets that a program sends without a hash,
	// and that have one as values.
	if messages < 400 || messages-same > messages/20 {
		t.Error("not what these logs hold")
	}
}

// TestRecordedCalls reads recorded Diff and DiffConfig calls, but for the rows in
// which a matcher stands for a value.
func TestRecordedCalls(t *testing.T) {
	p := descriptors(t)
	messages, same, matchers := 0, 0, 0
	for _, c := range calls(t, "grpc-diff.jsonl") {
		if c.Wildcard != nil {
			matchers++
			continue
		}
		request, response := rpc.NewCall(c.Method)
		for m, text := range map[rpc.Message]json.RawMessage{request: c.Request, response: c.Response} {
			if len(text) == 0 {
				continue
			}
			messages++
			if throughBytes(t, p, text, m) {
				same++
			}
		}
	}
	t.Logf("%d messages, %d of them word for word, %d rows with matchers", messages, same, matchers)
	if messages < 1200 || matchers != 4 {
		t.Error("not what this file holds")
	}
}

// TestFieldList holds the table against the list of the protocol's fields.
func TestFieldList(t *testing.T) {
	text, err := os.ReadFile(shared + "provider-fields.txt")
	if err != nil {
		t.Skip(err)
	}
	want := map[string]bool{}
	for _, line := range strings.Split(string(text), "\n") {
		if line != "" && line[0] != '#' {
			want[line] = true
		}
	}
	got := map[string]bool{}
	s := schema(t)
	for _, m := range s.Messages {
		for i := range m.Fields {
			got[fieldLine(m, &m.Fields[i])] = true
		}
	}
	for _, e := range s.Enums {
		for n, v := range e.Values {
			got[enumLine(e, n, v)] = true
		}
	}
	for line := range want {
		if !got[line] {
			t.Errorf("missing: %s", line)
		}
	}
	// What the list only names, in fields and methods.
	beside := []string{"SourcePosition\t", "StackFrame\t", "StackTrace\t", "Callback\t", "Result\t", "ResourceInvokeResponse\t"}
	for line := range got {
		known := want[line]
		for _, b := range beside {
			known = known || strings.HasPrefix(line, b)
		}
		if !known {
			t.Errorf("not in the list: %s", line)
		}
	}
}
