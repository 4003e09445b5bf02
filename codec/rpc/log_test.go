package rpc_test

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	_ "unsafe" // for go:linkname

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/internal/test/race"
)

// readLog is ReadLog with another limit on the bytes of a line. It is linked to: with a test
// file in package rpc, all that the tests import would be compiled once more.
//
//go:linkname readLog github.com/propalg/propalg/codec/rpc.readLog
func readLog(r io.Reader, longest int) iter.Seq2[rpc.LoggedCall, error]

const diffMethod = "/pulumirpc.ResourceProvider/Diff"

// TestReadLog is the table of logs: the text, what is said of each call, and in
// what the reading ends.
func TestReadLog(t *testing.T) {
	const one = `{"method":"` + diffMethod + `","request":{"id":"i"},"response":{"changes":"DIFF_NONE"},"progress":"response_completed","duration":1}`
	for n, row := range []struct {
		log   string
		calls string // progress, whether it failed, request, response
		want  error
		text  string
	}{
		{"", "", nil, ""},
		{"\n \r\n\t\n", "", nil, ""},
		{one, "ended false true true;", nil, ""},
		{one + "\n" + one + "\r\n\n", "ended false true true;ended false true true;", nil, ""},
		{`{"method":"` + diffMethod + `","request":{},"progress":"request_started"}`, "started false true false;", nil, ""},
		{`{"method":"` + diffMethod + `","request":{},"errors":["rpc error"],"progress":"response_completed"}`, "ended true true false;", nil, ""},
		{`{"method":"` + diffMethod + `","request":{},"response":null,"errors":null}`, "ended false true false;", nil, ""},
		{`{"method":"` + diffMethod + `","errors":[],"progress":"half"}`, "unknown false false false;", nil, ""},
		{`{"method":"/pulumirpc.LanguageRuntime/Run","request":{"a":1},"response":{}}`, "ended false false false;", nil, ""},
		{`{"method":"","request":{}}`, "ended false false false;", nil, ""},
		{` {"later":[{"a":{}}],"later":0,"method":"` + diffMethod + `"} `, "ended false false false;", nil, ""},
		{one + "\n" + one[:40], "ended false true true;", rpc.ErrTruncated, "rpc: read log: line 2: offset 40: truncated last line"},
		{one + "\n" + one[:1], "ended false true true;", rpc.ErrTruncated, "rpc: read log: line 2: offset 1: truncated last line"},
		{one + "\n" + one[:40] + "\n", "ended false true true;", codec.ErrSyntax, "rpc: read log: line 2: offset 40: "},
		{one + "\n" + one[:40] + "\n" + one, "ended false true true;", codec.ErrSyntax, "line 2"},
		{one + one, "", codec.ErrSyntax, "rpc: read log: line 1: offset 146: syntax error: expected end of line, found '{'"},
		{"{\n}", "", codec.ErrSyntax, "line 1: "},
		{"[1]", "", rpc.ErrLog, "rpc: read log: line 1: not a provider call log: expected object with a method"},
		{"1", "", rpc.ErrLog, "line 1"},
		{"{}", "", rpc.ErrLog, "line 1"},
		{`{"a":1}`, "", rpc.ErrLog, "line 1"},
		{"hello", "", codec.ErrSyntax, "line 1"},
		{"[1", "", codec.ErrSyntax, "line 1"},
		{`{"method":null}`, "", codec.ErrSyntax, "string"},
		{`{"method":"a","method":"b"}`, "", codec.ErrDuplicate, "line 1"},
		{`{"method":"a","request":{},"request":{}}`, "", codec.ErrDuplicate, "line 1"},
		{`{"method":"a","progress":1}`, "", codec.ErrSyntax, "string"},
		{`{"method":"a","errors":"x"}`, "", codec.ErrSyntax, "array"},
		{"{\"method\":\"a\xff\"}", "", codec.ErrUTF8, "line 1"},
	} {
		for name, in := range map[string]func(string) (c []string, err error){"whole": readWhole, "bytewise": readBytewise} {
			calls, err := in(row.log)
			if got := strings.Join(calls, ""); got != row.calls || !errors.Is(err, row.want) || (err == nil) != (row.want == nil) {
				t.Errorf("row %d, %s: %q, want %q; %v, want %v", n, name, got, row.calls, err, row.want)
			}
			if err != nil && !strings.Contains(err.Error(), row.text) {
				t.Errorf("row %d, %s: %v, want %q in it", n, name, err, row.text)
			}
		}
	}
}

func readWhole(log string) ([]string, error) { return readCalls(strings.NewReader(log)) }

func readBytewise(log string) ([]string, error) {
	return readCalls(iotest.OneByteReader(strings.NewReader(log)))
}

func readCalls(r interface{ Read([]byte) (int, error) }) (all []string, err error) {
	for c, err := range rpc.ReadLog(r) {
		if err != nil {
			return all, err
		}
		request, err := c.Request(rpc.Options{})
		if err != nil {
			return all, err
		}
		response, err := c.Response(rpc.Options{})
		if err != nil {
			return all, err
		}
		all = append(all, fmt.Sprintf("%v %v %v %v;", stage(c), c.Failed(), request != nil, response != nil))
	}
	return all, nil
}

func stage(c rpc.LoggedCall) string {
	switch {
	case c.Started:
		return "started"
	case c.Ended:
		return "ended"
	}
	return "unknown"
}

// TestReadLogPlaces: lines and offsets are those of the stream, for lines longer
// than any window too.
func TestReadLogPlaces(t *testing.T) {
	var log strings.Builder
	var begins []int64
	var lines []int
	for i := range 40 {
		if i%3 == 0 {
			log.WriteString("\n")
		}
		begins = append(begins, int64(log.Len()))
		lines = append(lines, strings.Count(log.String(), "\n")+1)
		fmt.Fprintf(&log, `{"method":"%s","request":{"id":"%s"}}`+"\n", diffMethod, strings.Repeat("x", i*i*500))
	}
	n := 0
	for c, err := range rpc.ReadLog(strings.NewReader(log.String())) {
		if err != nil {
			t.Fatal(err)
		}
		request, err := c.Request(rpc.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if c.Line != lines[n] || c.Offset != begins[n] || len(request.(*rpc.DiffRequest).ID) != n*n*500 {
			t.Errorf("call %d: %v at %d, want line %d at %d", n, c, c.Offset, lines[n], begins[n])
		}
		n++
	}
	if n != 40 {
		t.Errorf("%d calls", n)
	}
}

// TestReadLogFails: the error of a reader follows the calls read before it; a
// message that cannot be read is that message's error alone.
func TestReadLogFails(t *testing.T) {
	broken := errors.New("the disk failed")
	log := `{"method":"` + diffMethod + `","request":{"id":1},"response":{"newer":1,"changes":"DIFF_SOME"}}` + "\n"
	n := 0
	var last error
	for c, err := range rpc.ReadLog(iotest.DataErrReader(&failing{text: log, err: broken})) {
		if last = err; err != nil {
			continue
		}
		n++
		if _, err := c.Request(rpc.Options{}); err == nil || !strings.Contains(err.Error(), "rpc: decode json DiffRequest: id: ") {
			t.Errorf("request: %v", err)
		}
		if _, err := c.Response(rpc.Options{}); !errors.Is(err, rpc.ErrField) {
			t.Errorf("response: %v", err)
		}
		m, err := c.Response(rpc.Options{DiscardUnknown: true})
		if r, ok := m.(*rpc.DiffResponse); err != nil || !ok || r.Changes != rpc.DiffSome {
			t.Errorf("response: %v, %v", m, err)
		}
	}
	if n != 1 || !errors.Is(last, broken) || !strings.HasPrefix(last.Error(), "rpc: read log: line 2: ") {
		t.Errorf("%d calls, %v", n, last)
	}
	failed := false
	for c, err := range rpc.ReadLog(nil) {
		if failed = err != nil; !failed || c.Method != "" {
			t.Errorf("a call from nowhere, %v", err)
		}
	}
	if !failed {
		t.Error("nothing to read from is no error")
	}
	var none rpc.LoggedCall
	if m, err := none.Request(rpc.Options{}); m != nil || err != nil || none.Failed() || none.RevealErrors() != nil {
		t.Errorf("zero call: %v %v", m, err)
	}
}

// endless is a text again and again.
type endless struct {
	text string
	at   int
	left int // bytes, after which it fails
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left -= len(p); e.left < 0 {
		return 0, errors.New("the reader did not stop")
	}
	for i := range p {
		p[i] = e.text[e.at]
		e.at = (e.at + 1) % len(e.text)
	}
	return len(p), nil
}

// TestReadLogEndless: a line without an end is an error, at a limit; blanks before
// a line count for nothing, and take no memory.
func TestReadLogEndless(t *testing.T) {
	const limit = 1 << 20
	for _, text := range []string{`{"method":`, "[", "x", `{"a":"` + strings.Repeat("y", 100)} {
		n := 0
		for c, err := range readLog(&endless{text: text, left: 2 * limit}, limit) {
			if n++; !errors.Is(err, rpc.ErrLog) || !strings.Contains(err.Error(), "line 1: ") || !strings.Contains(err.Error(), "at most 1048576 bytes in a line") {
				t.Errorf("%.10s: %v, %v", text, c, err)
			}
		}
		if n != 1 {
			t.Errorf("%.10s: %d calls and errors", text, n)
		}
	}
	blanks := strings.Repeat(" \t", 2*limit)
	n := 0
	for c, err := range readLog(strings.NewReader(blanks+`{"method":"m"}`+"\n"+blanks), limit) {
		if n++; err != nil || c.Method != "m" || c.Line != 1 || c.Offset != 0 {
			t.Errorf("%v at %d, %v", c, c.Offset, err)
		}
	}
	if n != 1 {
		t.Errorf("%d calls", n)
	}
	allocated := testing.AllocsPerRun(1, func() {
		for _, err := range readLog(io.MultiReader(strings.NewReader(blanks)), limit) {
			t.Error(err)
		}
	})
	if allocated > 50 {
		t.Errorf("%v allocations for blanks", allocated)
	}
}

type failing struct {
	text string
	err  error
}

func (f *failing) Read(p []byte) (int, error) {
	if f.text == "" {
		return 0, f.err
	}
	n := copy(p, f.text)
	f.text = f.text[n:]
	return n, nil
}

// TestReadLogHidesText: what prints a call shows nothing that was sent.
func TestReadLogHidesText(t *testing.T) {
	const canary = "hunter2"
	log := `{"method":"` + diffMethod + `","request":{"id":"` + canary + `"},"response":{"stables":["` + canary + `"]},"errors":["` + canary + `"]}`
	for c, err := range rpc.ReadLog(strings.NewReader(log)) {
		if err != nil {
			t.Fatal(err)
		}
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x", "%t"} {
			for _, text := range []string{fmt.Sprintf(verb, c), fmt.Sprintf(verb, &c), fmt.Sprintf(verb, struct{ c rpc.LoggedCall }{c})} {
				if strings.Contains(text, canary) || strings.Contains(text, fmt.Sprintf("%x", canary)) {
					t.Errorf("%s: %s", verb, text)
				}
			}
		}
		if got := c.RevealErrors(); len(got) != 1 || got[0] != canary {
			t.Errorf("errors: %q", got)
		}
	}
}

// TestReadLogAllocs: a line whose messages are not read costs its text and a
// few small things, however much it holds.
func TestReadLogAllocs(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	cost := func(members int) float64 {
		line := `{"method":"` + diffMethod + `","request":{"news":{"a":0` + strings.Repeat(`,"b":{"c":[1,"x"]}`, members) + `}},"progress":"request_started"}` + "\n"
		log := strings.Repeat(line, 100)
		return testing.AllocsPerRun(5, func() {
			for _, err := range rpc.ReadLog(strings.NewReader(log)) {
				if err != nil {
					t.Fatal(err)
				}
			}
		}) / 100
	}
	small, large := cost(1), cost(1000)
	t.Logf("allocations of a line: %.1f and %.1f", small, large)
	if large > small+2 || large > 16 {
		t.Errorf("allocations of a line: %.1f and %.1f", small, large)
	}
}

// TestReadEngineLogs: the iterator reads what the simple reader of these tests
// reads.
func TestReadEngineLogs(t *testing.T) {
	want := kit.Calls(t, "grpc-logs/*.json")
	files, err := filepath.Glob(shared + "grpc-logs/*.json")
	if err != nil {
		t.Fatal(err)
	}
	n, started, failed := 0, 0, 0
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		for c, err := range rpc.ReadLog(f) {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if c.Method != want[n].Method {
				t.Fatalf("%s: %v, want %s", name, c, want[n].Method)
			}
			request, err := c.Request(rpc.Options{})
			response, err2 := c.Response(rpc.Options{})
			known, _ := rpc.NewCall(c.Method)
			if err != nil || err2 != nil || (request != nil) != (known != nil && want[n].Request != nil) || (response != nil) != (known != nil && want[n].Response != nil) {
				t.Errorf("%s: %v: %v %v", name, c, err, err2)
			}
			if c.Started {
				started++
			}
			if c.Failed() {
				failed++
			}
			n++
		}
		f.Close()
	}
	if n != len(want) || started < n/3 || failed == 0 {
		t.Errorf("%d lines of %d, %d started, %d failed", n, len(want), started, failed)
	}
}

func ExampleReadLog() {
	log := strings.NewReader(`{"method":"/pulumirpc.ResourceProvider/Diff","request":{"id":"i-1"},"progress":"request_started"}
{"method":"/pulumirpc.ResourceProvider/Diff","request":{"id":"i-1"},"response":{"changes":"DIFF_SOME","diffs":["size"]},"progress":"response_completed"}
`)
	for c, err := range rpc.ReadLog(log) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if !c.Ended || c.Failed() {
			continue
		}
		m, err := c.Response(rpc.Options{DiscardUnknown: true})
		if diff, ok := m.(*rpc.DiffResponse); ok {
			fmt.Println(c.Line, diff.Changes, diff.Diffs, err)
		}
	}
	// Output:
	// 2 DIFF_SOME [size] <nil>
}

func ExampleLoggedCall() {
	for c := range rpc.ReadLog(strings.NewReader(`{"method":"/pulumirpc.ResourceProvider/Create","errors":["rpc error: no such size"]}`)) {
		fmt.Println(c)
		fmt.Println(c.Failed(), c.RevealErrors())
	}
	// Output:
	// line 1: /pulumirpc.ResourceProvider/Create
	// true [rpc error: no such size]
}
