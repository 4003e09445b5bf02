package state_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/internal/test/kit"
)

// TestMoveCost: time and memory of a move grow as the number of records does, with
// references in both directions, of one URN, below one another, with pending operations.
func TestMoveCost(t *testing.T) {
	const begin = `{"version":3,"deployment":{"resources":[`
	record := func(name, members string) string {
		return `{"urn":"` + dev + `a:b:C::` + name + `","type":"a:b:C"` + members + `}`
	}
	all := func(n int, one func(i int) string) string {
		rows := make([]string, n)
		for i := range rows {
			rows[i] = one(i)
		}
		return strings.Join(rows, ",")
	}
	before := func(i int) string { return fmt.Sprintf(dev+"a:b:C::r%d", max(i-1, 0)) }
	for name, text := range map[string]func(n int) string{
		"references": func(n int) string {
			return begin + all(n, func(i int) string {
				return record(fmt.Sprint("r", i), `,"dependencies":["`+before(i)+`"],"deletedWith":"`+before(0)+`"`)
			}) + `]}}`
		},
		"a list": func(n int) string {
			return begin + record("r0", "") + "," + record("r2", "") + "," + record("x", `,"dependencies":[`+strings.TrimSuffix(strings.Repeat(`"`+before(0)+`",`, n), ",")+`]`) + `]}}`
		},
		"one URN": func(n int) string {
			return begin + all(n, func(i int) string {
				return record("r2", fmt.Sprintf(`,"id":"%d","custom":true,"delete":true,"deletedWith":%q`, i, before(2)))
			}) + `]}}`
		},
		"below one": func(n int) string {
			return begin + record("r0", "") + "," + all(n, func(i int) string { return record(fmt.Sprint("r", i+1), `,"parent":"`+before(0)+`"`) }) + `]}}`
		},
		"pending operations": func(n int) string {
			return begin + all(n, func(i int) string { return record(fmt.Sprint("r", i), "") }) + `],"pending_operations":[` +
				all(n, func(i int) string { return `{"type":"creating","resource":` + record(fmt.Sprint("n", i), "") + `}` }) + `]}}`
		},
	} {
		kit.Grows(t, name, 300, func(n int) func() {
			from, to := text(n), there("stack")
			o := state.MoveOptions{}
			for i := 0; i < n; i += 2 {
				o.Resources = append(o.Resources, fmt.Sprint(dev, "a:b:C::r", i))
			}
			if name == "one URN" || name == "a list" {
				o.Resources = []string{dev + "a:b:C::r2"}
			}
			return func() {
				m, err := state.Move(strings.NewReader(from), strings.NewReader(to), o)
				if err == nil {
					err = m.WriteDestination(io.Discard)
				}
				if err == nil {
					err = m.WriteSource(io.Discard)
				}
				if err != nil {
					t.Errorf("%s: %.300v", name, err)
				}
			}
		})
	}
}

// TestMoveOfADeepTree: records that do not say the types of their parents, of which there are
// many, do not make URNs of the square of their number.
func TestMoveOfADeepTree(t *testing.T) {
	text := make([]string, 10_000)
	for i := range text {
		text[i] = fmt.Sprintf(`r%d "parent":"@r%d"`, i, i-1)
	}
	text[0] = "r0"
	_, err := state.Move(strings.NewReader(mendable(text...)), strings.NewReader(there("stack")), moving("r0"))
	if err == nil || !strings.Contains(err.Error(), "too long") || len(err.Error()) > 1<<20 {
		t.Errorf("%.300v", err)
	}
}
