package rpc_test

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
)

// FuzzReadLog holds the reader of logs against encoding/json, line by line: what
// it takes is an object with a method, and what it refuses is none, or has a name
// twice, or is not UTF-8.
func FuzzReadLog(f *testing.F) {
	for _, seed := range []string{
		`{"method":"/pulumirpc.ResourceProvider/Diff","request":{"id":"i"},"response":{},"errors":["e"],"progress":"request_started"}` + "\n",
		"\n{\"method\":\"a\",\"x\":[1,{}]}\r\n \n{\"method\":\"b\"}", `{"method":`, "{}\n", "[1]", `{"method":"a"} x`, `{"method":null}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, log string) {
		rest, begin, line := log, int64(0), 0
		next := func() (text string, ok bool) { // the next line that is not blank
			for rest != "" {
				var whole bool
				at := len(log) - len(rest)
				text, rest, whole = strings.Cut(rest, "\n")
				begin, line = int64(at), line+1
				if strings.Trim(text, " \t\r") != "" || !whole && rest != "" {
					return text, true
				}
			}
			return "", false
		}
		for c, err := range rpc.ReadLog(strings.NewReader(log)) {
			text, ok := next()
			if !ok {
				t.Fatalf("%v, %v behind the last line", c, err)
			}
			method, want := plainly(text)
			switch {
			case err == nil && (want != nil || c.Method != method || c.Line != line || c.Offset != begin):
				t.Fatalf("%v at %d, want %q on line %d at %d: %v", c, c.Offset, method, line, begin, want)
			case err == nil:
				_, _ = c.Request(rpc.Options{})
				_, _ = c.Response(rpc.Options{})
				continue
			case want == nil && !errors.Is(err, codec.ErrDuplicate) && !errors.Is(err, codec.ErrUTF8):
				t.Fatalf("%q: %v", text, err)
			case errors.Is(err, rpc.ErrTruncated) && strings.HasSuffix(log, "\n"):
				t.Fatalf("%v, but the last line has an end", err)
			}
			return
		}
		if text, ok := next(); ok {
			t.Fatalf("%q was not read", text)
		}
	})
}

// plainly is the method that a line names, as encoding/json reads it.
func plainly(line string) (method string, err error) {
	var members map[string]json.RawMessage
	d := json.NewDecoder(strings.NewReader(line))
	if err = d.Decode(&members); err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("more than one value")
		}
	}
	var progress string
	var texts []string
	for name, to := range map[string]any{"method": &method, "progress": &progress, "errors": &texts} {
		text, ok := members[name]
		switch {
		case err != nil:
		case name == "method" && !ok, name != "errors" && string(text) == "null":
			err = errors.New("no " + name)
		case ok:
			err = json.Unmarshal(text, to)
		}
		if name == "errors" && err == nil && strings.Contains(string(text), "null") && string(text) != "null" && len(texts) > 0 {
			err = withoutNull(text)
		}
	}
	return method, err
}

// withoutNull says whether a list holds null, which encoding/json reads as "".
func withoutNull(list json.RawMessage) error {
	var all []*string
	if err := json.Unmarshal(list, &all); err != nil {
		return err
	}
	for _, s := range all {
		if s == nil {
			return errors.New("null in a list of texts")
		}
	}
	return nil
}
