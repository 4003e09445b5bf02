package differential

import (
	"maps"
	"slices"
	"sync"

	"pgregory.net/rapid"
)

// Law is one differential law: what this library and the SDK make of the same
// drawn input is the same, or a difference that docs/differences.md lists.
type Law struct {
	Name  string
	Check func(t *rapid.T, tally *Tally)
}

// Laws are all laws, in a fixed order.
func Laws() []Law {
	return []Law{
		{"values", valuesLaw},
		{"sdk-values", sdkValuesLaw},
		{"models", modelsLaw},
		{"equal", equalLaw},
		{"equal-classic", equalClassicLaw},
		{"diff", diffLaw},
		{"diff-classic", diffClassicLaw},
		{"diff-sides", sidesLaw},
		{"detailed", detailedLaw},
		{"get", getLaw},
		{"set", setLaw},
		{"get-classic", getClassicLaw},
		{"set-classic", setClassicLaw},
		{"add-classic", addClassicLaw},
		{"delete-classic", deleteClassicLaw},
		{"glob-get", globGetLaw},
		{"matches", matchesLaw},
		{"print", printLaw},
		{"parse", parseLaw},
		{"contains", containsLaw},
		{"print-classic", printClassicLaw},
		{"parse-classic", parseClassicLaw},
		{"path-models", pathModelsLaw},
		{"urn", urnLaw},
		{"rename", renameLaw},
		{"build-urn", buildURNLaw},
		{"wire", wireLaw},
		{"sdk-wire", sdkWireLaw},
	}
}

// Same is the outcome of inputs of which both sides made the same.
const Same = "the same"

// Tally counts outcomes, by their names: [Same], the name of an entry of
// docs/differences.md, or why an input says nothing. It may be shared.
type Tally struct {
	mu     sync.Mutex
	counts map[string]uint64
}

// Add counts one outcome.
func (t *Tally) Add(outcome string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.counts == nil {
		t.counts = map[string]uint64{}
	}
	t.counts[outcome]++
}

// Count returns how often an outcome occurred.
func (t *Tally) Count(outcome string) uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.counts[outcome]
}

// Outcomes returns the names of all outcomes that occurred, sorted.
func (t *Tally) Outcomes() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Sorted(maps.Keys(t.counts))
}
