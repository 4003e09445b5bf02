package codec_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// The bags in recorded calls of a real engine are read, and written so that they
// are read as the same.
func TestRealCalls(t *testing.T) {
	names, err := filepath.Glob("../../shared/data/grpc-logs/*.json")
	if err != nil || len(names) == 0 {
		t.Skip("no recorded calls here: ", err)
	}
	n := 0
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(bytes.NewReader(data))
		lines.Buffer(nil, 1<<24)
		for lines.Scan() {
			var call struct{ Request, Response map[string]json.RawMessage }
			if err := json.Unmarshal(lines.Bytes(), &call); err != nil {
				continue // requests that are lists
			}
			for _, message := range []map[string]json.RawMessage{call.Request, call.Response} {
				n += readCall(t, filepath.Base(name), message)
			}
		}
	}
	if n < 200 {
		t.Errorf("only %d bags", n)
	}
	t.Logf("%d bags", n)
}
