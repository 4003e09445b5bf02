package state_test

import (
	"testing"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// TestWithoutSealed: secrets of which only the ciphertext changed are left out and counted,
// others and those that are to be kept are not.
func TestWithoutSealed(t *testing.T) {
	sealed := func(cipher string) value.Value { return value.Sealed{Ciphertext: cipher}.Value() }
	bag := func(a, b, c value.Value) value.Value {
		return value.Object(value.Field("a", a), value.Field("b", b), value.Field("c", value.Array(c)))
	}
	x, y := sealed("v1:x"), sealed("v1:y")
	one, two := value.Number(1), value.Number(2)
	for _, row := range []struct {
		old, now     value.Value
		keep         string
		rest, sealed int
	}{
		{bag(x, one, x), bag(y, one, y), "none", 0, 2},
		{bag(x, one, x), bag(y, two, y), "none", 1, 2},
		{bag(x, one, x), bag(y, one, y), "a", 1, 1},
		{bag(x, one, one), bag(x, two, one), "none", 1, 0},
		{bag(x, one, one), bag(one, one, one), "none", 1, 0}, // no longer secret
	} {
		d := state.ComparePair(&state.Resource{Inputs: row.old}, &state.Resource{Inputs: row.now}, state.CompareOptions{})
		rest, n := d.Inputs.WithoutSealed(path.MustSet(row.keep))
		if rest.Len() != row.rest || n != row.sealed {
			t.Errorf("%v => %v: %v, and %d sealed again", row.old, row.now, rest, n)
		}
	}
}
