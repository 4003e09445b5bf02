package state_test

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// costly is a file and edits of a size, which cost as much as their size.
type costly struct {
	at   string
	size int
	make func(n int) (text string, e state.Edits)
}

// costs returns many edits of one bag, in objects and arrays, and bags that are nested deep.
func costs() []costly {
	edits := func(n int, one func(i int) state.PropertyEdit) (e state.Edits) {
		for i := range n {
			p := one(i)
			p.Resource, p.Bag = urnA, "inputs"
			e.Properties = append(e.Properties, p)
		}

		return e
	}
	key := func(i int) path.Path { return path.Of(path.Key("k" + strconv.Itoa(i))) }
	members := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"k%d":{"a":[1]},`, i)
		}

		return `{` + b.String() + `"end":0}`
	}
	nested := func(n int) string { return strings.Repeat(`{"a":`, n) + `1` + strings.Repeat(`}`, n) }

	return []costly{
		{here(), 1000, func(n int) (string, state.Edits) {
			return `{}`, edits(n, func(i int) state.PropertyEdit { return state.PropertyEdit{At: key(i), Value: value.Null()} })
		}},
		{here(), 1000, func(n int) (string, state.Edits) {
			return members(n), edits(n, func(i int) state.PropertyEdit { return state.PropertyEdit{At: key(i), Remove: true} })
		}},
		{here(), 1000, func(n int) (string, state.Edits) {
			return members(n), edits(n, func(i int) state.PropertyEdit {
				return state.PropertyEdit{At: key(n-1-i).Append(path.Key("a"), path.Index(1)), Value: value.Bool(true)}
			})
		}},
		{here(), 1000, func(n int) (string, state.Edits) {
			return members(n), edits(n, func(i int) state.PropertyEdit { return state.PropertyEdit{At: key(i), Secret: true} })
		}},
		{here(), 1000, func(n int) (string, state.Edits) {
			list := `{"k0":[` + strings.Repeat(`1,`, n) + `1]}`
			return list, edits(n, func(int) state.PropertyEdit {
				return state.PropertyEdit{At: key(0).Append(path.Index(0)), Remove: true}
			})
		}},
		{here(), 700, func(n int) (string, state.Edits) {
			at := path.Of(repeated(path.Key("a"), n)...)
			return nested(n), edits(1, func(int) state.PropertyEdit { return state.PropertyEdit{At: at, Value: value.Bool(true)} })
		}},
		{here(), 700, func(n int) (string, state.Edits) {
			return strings.Repeat(`{`+asSecret+`,"plaintext":"1","x":`, n) + `1` + strings.Repeat(`}`, n), state.Edits{Depth: 1 << 20}
		}},
		{here(), 700, func(n int) (string, state.Edits) { return nested(n), state.Edits{Depth: 30} }},
	}
}

// repeated returns a step n times.
func repeated(step path.Step, n int) []path.Step {
	all := make([]path.Step, n)
	for i := range all {
		all[i] = step
	}

	return all
}

// TestRewriteCost: time and memory grow as the number of edits of a bag does, and its depth.
func TestRewriteCost(t *testing.T) {
	for _, row := range costs() {
		kit.Grows(t, row.at, row.size, func(n int) func() {
			bag, e := row.make(n)
			text := one(bag)

			return func() {
				if _, err := state.Rewrite(strings.NewReader(text), io.Discard, e); err != nil {
					t.Errorf("%s: %v", row.at, err)
				}
			}
		})
	}
}
