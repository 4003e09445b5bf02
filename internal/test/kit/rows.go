package kit

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// ReadRows hands out the rows of a file of real data, or skips the test.
func ReadRows[R any](t *testing.T, name string, row func(n int, r R)) {
	t.Helper()
	f, err := os.Open(filepath.Join(aboveModule(t), "shared", "data", name))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no ../shared/data/%s next to the repository, so its rows are not compared", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()

	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	n := 0
	for lines.Scan() {
		n++
		var r R
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatalf("%s:%d: %v", name, n, err)
		}
		row(n, r)
	}
	if err := lines.Err(); err != nil || n == 0 {
		t.Fatalf("%s: %d rows, %v", name, n, err)
	}
}

// Decode reads one JSON value of the wire form.
func Decode(t *testing.T, data json.RawMessage) value.Value {
	t.Helper()
	if len(data) == 0 {
		return value.Null()
	}

	v, err := codec.DecodeJSONValue(data, codec.Options{RoundNumbers: true})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// aboveModule returns the folder that this module's repository is in.
func aboveModule(t *testing.T) string {
	t.Helper()

	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, ".clusterfuzzlite")); err == nil {
			return filepath.Dir(dir)
		}
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	t.Fatal("no module above the test's folder", err)
	return ""
}
