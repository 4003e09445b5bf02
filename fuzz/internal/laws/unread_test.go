package laws_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/propalg/propalg/internal/test/probe"
)

// TestJSONIsNotSwallowed: a type that encoding/json writes and would read as nothing refuses
// to be read.
func TestJSONIsNotSwallowed(t *testing.T) {
	checked := 0

	for _, kind := range probe.Types() {
		x := reflect.New(kind).Interface()
		if _, ok := x.(json.Marshaler); !ok {
			continue
		}

		checked++

		for _, text := range []string{`{}`, `{"a":1}`, `[]`, `1`, `"x"`} {
			if err := json.Unmarshal([]byte(text), x); err == nil {
				t.Errorf("%s is read from %s", kind, text)
			}
		}
	}

	if checked < 2 {
		t.Errorf("only %d types seen", checked)
	}
}
