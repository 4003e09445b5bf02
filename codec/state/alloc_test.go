package state_test

import (
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/internal/test/race"
)

// A resource costs a few allocations, in a file and in a stream, and opening
// does not touch those without secrets.
func TestAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	const n = 100
	one := `{"urn":"` + urnA + `","type":"t","id":"i","custom":true,"inputs":{"a":1,"b":[true]},"outputs":{"c":"d"}}`
	text := export(strings.Split(strings.Repeat(one+"\n", n-1)+one, "\n")...)
	file := parse(t, text)
	opened := open(t, text, nil)
	iterate := func(f *state.File) func() {
		return func() {
			for _, err := range f.Resources() {
				if err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for _, row := range []struct {
		at     string
		budget float64 // a resource
		run    func()
	}{
		{here(), 11.5, iterate(file)},
		{here(), 11.5, iterate(opened)},
		{here(), 15.5, func() {
			for _, err := range reader(text, 0, state.Options{}).Resources() {
				if err != nil {
					t.Fatal(err)
				}
			}
		}},
		{here(), 0.5, func() { _, _, _ = file.Find("urn:not-there") }},
	} {
		if got := testing.AllocsPerRun(20, row.run) / n; got > row.budget {
			t.Errorf("%s: %.2f allocations a resource, the budget is %.2f", row.at, got, row.budget)
		}
	}
}
