package state_test

import (
	"encoding/json"
	"errors"
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

const plan = `"manifest":{"time":"2026-01-01T00:00:00Z","magic":"x","version":"v3"},"resourcePlans":{"urn:pulumi:dev::shop::a:b:C::x":{"goal":{},"steps":["update"]}}`

// TestForeign: what is no stack is never an empty one, however it looks like a
// stack, and is called by its name where it has one.
func TestForeign(t *testing.T) {
	for _, row := range []struct{ at, text, want string }{
		{here(), `{` + plan + `}`, "found the plan of an update"},
		{here(), `{"manifest":{"time":"2026-01-01T00:00:00Z","magic":"","version":""},"config":{"a:b":{"value":"c"}}}`, "expected resources"},
		{here(), `{"manifest":{"time":"2026-01-01T00:00:00Z","magic":"","version":""}}`, "expected resources"},
		{here(), `{"resourcePlans":{},"manifest":{},"resources":[]}`, "found the plan of an update"},
		{here(), `{"version":1,"plan":{` + plan + `}}`, "found the plan of an update"},
		{here(), `{"version":3,"plan":{` + plan + `}}`, "found the plan of an update"},
		{here(), `{"version":3,"deployment":{` + plan + `}}`, "found the plan of an update"},
		{here(), `{"version":3,"checkpoint":{"latest":{` + plan + `}}}`, "found the plan of an update"},
		{here(), `{"latest":{` + plan + `}}`, "found the plan of an update"},
		{here(), `{"version":3,"deployment":{"replicas":2}}`, "deployment: neither stack export nor checkpoint: expected manifest or resources"},
		{here(), `{"version":3,"checkpoint":{"latest":{"replicas":2}}}`, "latest: neither stack export nor checkpoint: expected manifest or resources"},
		{here(), `{"version":3,"checkpoint":{"at":2}}`, "checkpoint: neither stack export nor checkpoint: expected latest"},
		{here(), `{"latest":{"image":"x"}}`, "latest: neither stack export nor checkpoint: expected manifest or resources"},
		{here(), `{"steps":[{"op":"same","urn":"u"}],"duration":1,"changeSummary":{"same":1}}`, "found a preview"},
		{here(), `{"config":{},"steps":[]}`, "found a preview"},
		{here(), `{"method":"/pulumirpc.ResourceProvider/Diff","request":{}}`, "found a log of calls"},
		{here(), `{"method":"m","request":{},"progress":"request_started"}` + "\n" + `{"method":"m"}`, "found a log of calls"},
		{here(), `{"sequence":0,"timestamp":1,"preludeEvent":{"config":{}}}` + "\n" + `{"sequence":1}`, "found a log of events"},
		{here(), `{"sequence":0,"timestamp":1,"cancelEvent":{}}`, "found a log of events"},
		{here(), `{"kind":"update","startTime":1,"message":"","environment":{},"config":{},"result":"succeeded","endTime":2,"version":3}`, "expected one of the members"},
		{here(), `{"name":"x"}`, "expected one of the members"},
	} {
		_, err := state.Parse([]byte(row.text), state.Options{})
		r := state.NewReader(strings.NewReader(row.text), state.Options{})
		var streamed error
		for _, err := range r.Resources() {
			streamed = err
		}
		if err == nil || streamed == nil || err.Error() != streamed.Error() || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, as a stream %v", row.at, err, streamed)
		}
		if !errors.Is(err, state.ErrShape) && !errors.Is(err, state.ErrVersion) && !strings.Contains(row.text, "\n") {
			t.Errorf("%s: %v wraps no sentinel", row.at, err)
		}
	}
}
