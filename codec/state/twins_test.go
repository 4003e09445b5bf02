package state_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/state"
	"pgregory.net/rapid"
)

// TestTwins: whatever was moved, added, removed or edited, and also if several resources have
// one URN, those with equal texts are found, and the others compared.
func TestTwins(t *testing.T) {
	var pool []string
	for i := range 12 {
		name := fmt.Sprint("r", i%8)
		pool = append(pool, named(name, fmt.Sprintf(`,"id":"%d","inputs":{"n":%d}`, i%3, i/4)), named(name, fmt.Sprintf(`,"id":"%d", "inputs":{"n":%d}`, i%3, i/4)),
			named(name, `,"delete":true,"id":"d"`), named(name, `,"d\u0065lete":true,"id":"d"`))
	}
	rapid.Check(t, func(t *rapid.T) {
		old := rapid.SliceOfN(rapid.SampledFrom(pool), 0, 12).Draw(t, "old")
		now := append([]string(nil), old...)
		for range rapid.IntRange(0, 4).Draw(t, "edits") {
			at := rapid.IntRange(0, len(now)).Draw(t, "at")
			one := rapid.SampledFrom(pool).Draw(t, "one")
			switch cut := rapid.IntRange(at, min(at+2, len(now))).Draw(t, "cut"); {
			case rapid.Bool().Draw(t, "is moved"):
				now = append(append(append([]string(nil), now[:at]...), now[cut:]...), now[at:cut]...)
			default:
				now = append(append(append([]string(nil), now[:at]...), one), now[cut:]...)
			}
		}

		before, after := exportWith("", old...), exportWith("", now...)
		c, err := state.Compare(strings.NewReader(before), strings.NewReader(after), state.CompareOptions{})
		if err != nil {
			t.Fatal(err)
		}
		equal, seen := c.NumEqual(), 0
		for d, err := range c.Resources() {
			if err != nil {
				t.Fatal(err)
			}
			seen++
			if d.Old != nil && d.New != nil && old[d.Old.Number] == now[d.New.Number] {
				t.Fatalf("%s has the same text in\n%s\n%s", d.New.URN, before, after)
			}
			if (d.Old != nil && d.Old.URN != urnIn(old[d.Old.Number])) || (d.New != nil && d.New.URN != urnIn(now[d.New.Number])) {
				t.Fatalf("%+v", d)
			}
		}
		pairs := 0
		for e := range c.Entries() {
			_ = e
			pairs++
		}
		if pairs != len(old)+len(now) || equal > min(len(old), len(now)) || equal+seen < max(len(old), len(now)) {
			t.Fatalf("%d equal, %d compared, %d entries\n%s\n%s", equal, seen, pairs, before, after)
		}
		if before == after && seen > 0 {
			t.Fatalf("%d differ\n%s", seen, before)
		}
	})
}

func urnIn(resource string) string {
	_, rest, _ := strings.Cut(resource, `"urn":"`)
	urn, _, _ := strings.Cut(rest, `"`)
	return urn
}
