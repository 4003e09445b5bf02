package laws

import (
	"pgregory.net/rapid"

	"github.com/propalg/propalg/internal/test/probe"
)

// callsATry is how many functions a try of a law calls, so that a native execution is
// short: many scenes, each with few calls, find more than few scenes with many.
const callsATry = 4

// callSome calls a few of the functions, as the input of a test chooses.
func callSome(t *rapid.T, p *probe.Prober, some []int) {
	for range callsATry {
		i := rapid.SampledFrom(some).Draw(t, "function")
		name, call := p.Prepare(i)
		t.Logf("calling %s", name)
		call()
	}
}
