package stack_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/propalg/propalg/codec/state"
)

// TestScrubOfTheEngine: what engines load they load without secrets too, and need nothing to
// decrypt it; what they refuse they refuse.
func TestScrubOfTheEngine(t *testing.T) {
	scrub := func(text []byte) []byte {
		var out bytes.Buffer
		if err := state.Scrub(bytes.NewReader(text), &out, nil); err != nil {
			return nil
		}
		return out.Bytes()
	}
	files, err := filepath.Glob("../../../../shared/data/state-files/*.json")
	if err != nil || len(files) == 0 {
		t.Skip("no state files here: ", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		before, after := engineRefuses(text), engineRefusesWith(nil, scrub(text))
		if fmt.Sprint(before) != fmt.Sprint(after) {
			t.Errorf("%s: %v, and before %v", filepath.Base(name), after, before)
		}
	}

	texts := soundStates(t)
	r := rand.New(rand.NewPCG(7, 8))
	refused := 0
	for range *toRepair {
		m := newMutant(t, r, texts[r.IntN(len(texts))])
		did := ""
		for range r.IntN(3) {
			did += " " + m.damage()
		}
		text := m.text()
		now := scrub(text)
		if now == nil {
			continue
		}
		before, after := engineRefuses(text), engineRefusesWith(nil, now)
		if (before == nil) != (after == nil) {
			t.Errorf("%s: %v, and before %v", did, after, before)
		}
		if before != nil {
			refused++
		}
	}
	t.Logf("%d of %d refused", refused, *toRepair)
}
