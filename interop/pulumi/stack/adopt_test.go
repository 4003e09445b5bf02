package stack_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/state"
)

// TestAdoptOfTheEngine: a record of a sound state that was a pending operation instead is one
// again, with its ID, and engines load the state. One to which others refer is refused by them
// before, and loads after it in another order only.
func TestAdoptOfTheEngine(t *testing.T) {
	texts := soundStates(t)
	r := rand.New(rand.NewPCG(9, 10))
	adopted := 0
	for range *toRepair {
		m := newMutant(t, r, texts[r.IntN(len(texts))])
		i := m.some()
		urn, id := m.get(i, "urn"), m.get(i, "id")
		if id == "" || strings.Count(string(m.text()), urn+`"`) > 1 {
			continue
		}
		was := m.copyOf(i)
		m.set(i, "id", raw(""))
		m.deployment["pending_operations"] = raw([]any{map[string]any{"type": "creating", "resource": m.records[i]}})
		m.records = slices.Delete(m.records, i, i+1)
		before := m.text()
		if err := engineRefuses(before); err != nil {
			continue
		}

		var out bytes.Buffer
		if _, err := state.Rewrite(bytes.NewReader(before), &out, state.Edits{Adopt: map[string]string{urn: id}}); err != nil {
			t.Errorf("%s: %v", urn, err)
			continue
		}
		adopted++
		if err := engineRefuses(out.Bytes()); err != nil {
			t.Errorf("%s: %v", urn, err)
		}
		now := newMutant(t, nil, out.Bytes())
		last, err := json.Marshal(now.records[len(now.records)-1])
		want, _ := json.Marshal(was)
		if err != nil || !bytes.Equal(last, want) || string(now.deployment["pending_operations"]) != "[]" {
			t.Errorf("%s: %s", urn, last)
		}
	}
	if adopted < 10 {
		t.Errorf("%d were adopted", adopted)
	}
}
