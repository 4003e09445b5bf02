package state_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/internal/test/kit"
)

func TestIsState(t *testing.T) {
	for _, row := range []struct {
		at   string
		text string
		want bool
	}{
		{here(), export(resource), true},
		{here(), `{"version":3,"deployment":{"manifest":{"time":"","magic":""}}}`, true},
		{here(), `{"version":3,"deployment":{}}`, true},
		{here(), `{"deployment":null,"version":4,"features":[]}`, true},
		{here(), `{"version":3,"checkpoint":{"latest":{"resources":[]}}}`, true},
		{here(), `{"version":3,"checkpoint":{"stack":"s"}}`, true},
		{here(), `{"target":"foo","latest":{"time":"t","resources":[` + resource + `]}}`, true},
		{here(), `{"manifest":{"magic":"m"}}`, true},
		{here(), `{"manifest":{"magic":"m"},"resourcePlans":{}}`, true}, // a plan, which Parse names
		{here(), `{"version":3,"deployment":{"pending_operations":null}}`, true},
		{here(), `{"version":3,"deployment":{"replicas":2}}`, false},
		{here(), `{"version":3,"deployment":{"metadata":{},"replicas":2}}`, false},
		{here(), `{"version":3,"checkpoint":{"at":2}}`, false},
		{here(), `{"version":3,"deployment":"blue"}`, false},
		{here(), `{"version":3,"deployment":[]}`, false},
		{here(), `{"resources":[` + resource + `]}`, true},
		{here(), "\n { \"resources\" : [ { \"type\" : {}, \"urn\" : \"u\"", true},
		{here(), `{"version":7,"deployment":{"resources":[{"urn":`, true},
		{here(), `{"deployment":{"manifest":{"time":x`, true},
		{here(), ``, false},
		{here(), `[]`, false},
		{here(), `"x"`, false},
		{here(), `{}`, false},
		{here(), "\x00\xff", false},
		{here(), `{"version":3}`, false},
		{here(), `{"resources":[]}`, false},
		{here(), `{"resources":[{"name":"x"}]}`, false},
		{here(), `{"resources":{"limits":{}}}`, false},
		{here(), `{"manifest":{"kind":"Pod"}}`, false},
		{here(), `{"manifest":"x","resources":["urn"]}`, false},
		{here(), `{"name":"x","deployment":{"resources":{"cpu":1}}}`, false},
		{here(), `{"version":"3","deployment":{}}`, false},
		{here(), `{"version":3,"deployment":{},"name":"x"}`, false},
		{here(), `{"latest":{"image":"x"}}`, false},
		{here(), `{"checkpoint":{"resources":[` + resource + `]}}`, false},
		{here(), strings.Repeat("[", 1e6), false},
		{here(), strings.Repeat(`{"deployment":`, 1e6), false},
		{here(), strings.Repeat(`{"checkpoint":`, 1e6), false},
	} {
		if got := state.IsState([]byte(row.text)); got != row.want {
			t.Errorf("%s: %.100s: got %v", row.at, row.text, got)
		}
	}
}

func TestRealBagsAreNoState(t *testing.T) {
	kit.ReadRows(t, "bags.jsonl", func(n int, row struct{ Bag json.RawMessage }) {
		if state.IsState(row.Bag) {
			t.Errorf("row %d looks like a state file", n)
		}
	})
}
