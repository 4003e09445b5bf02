package state_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/state"
)

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
