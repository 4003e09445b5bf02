package value_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/value"
)

// exactly is the slow reference: a number is exact when the shortest decimal of
// the nearest float64 is the same rational number.
func exactly(text string) (float64, bool) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, false
	}
	want, _ := new(big.Rat).SetString(text)
	got, _ := new(big.Rat).SetString(strconv.FormatFloat(f, 'e', -1, 64))
	return f, want.Cmp(got) == 0
}

func TestJSONNumberAgainstReference(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(
			rapid.StringMatching(`-?(0|[1-9][0-9]{0,3}0{0,20}[0-9]{0,3})(\.[0-9]{1,18})?([eE][+-]?0{0,2}[0-9]{1,2})?`),
			rapid.StringMatching(`-?(0|[1-9])(\.0{0,5}[0-9]{0,17}0{0,3}[1-9])?([eE][+-]?3?[0-9]{2})?`),
			rapid.Map(rapid.Float64(), func(f float64) string { return strconv.FormatFloat(f, 'e', -1, 64) }),
			rapid.Map(rapid.Float64(), func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }),
			rapid.Map(rapid.Float64Range(-1e18, 1e18), func(f float64) string { return strconv.FormatFloat(f, 'f', 3, 64) }),
			rapid.Map(rapid.Float64(), func(f float64) string { return strconv.FormatFloat(f, 'e', 16, 64) }),
		).Draw(t, "text")
		f, exact := exactly(text)
		v, err := value.FromGo(json.Number(text))
		if (err == nil) != exact || (exact && !v.Identical(value.Number(f))) {
			t.Fatalf("%s: got %v (%v), want %v, exact %v", text, v, err, f, exact)
		}
	})
}

func TestJSONNumbers(t *testing.T) {
	t.Parallel()
	zeros := strings.Repeat("0", 1_000_000)
	negativeZero := math.Copysign(0, -1)
	for _, row := range []struct {
		where string
		text  string
		want  float64
		is    error
	}{
		{where(), "0", 0, nil},
		{where(), "-0", negativeZero, nil},
		{where(), "-0.000e-7", negativeZero, nil},
		{where(), "0.1", 0.1, nil},
		{where(), "0.10", 0.1, nil},
		{where(), "1e23", 1e23, nil},
		{where(), "100E-2", 1, nil},
		{where(), "9007199254740992", 1 << 53, nil},
		{where(), "9007199254740993", 0, value.ErrInexact},
		{where(), "0.1000000000000000055511151231257827", 0, value.ErrInexact},
		{where(), "18446744073709551616", 0, value.ErrInexact}, // 2^64 exactly, but its shortest decimal is 18446744073709552000
		{where(), "18446744073709552000", 1 << 64, nil},
		{where(), "1.7976931348623157e308", math.MaxFloat64, nil},
		{where(), "1.7976931348623159e308", 0, value.ErrInexact},
		{where(), "5e-324", 5e-324, nil},
		{where(), "4e-324", 0, value.ErrInexact},
		{where(), "2e-324", 0, value.ErrInexact},
		{where(), "1e999999999", 0, value.ErrInexact},
		{where(), "-1e-999999999", 0, value.ErrInexact},
		{where(), "0e99999999999999999999999999", 0, nil},
		{where(), "1e99999999999999999999999999", 0, value.ErrInexact},
		{where(), "1e18446744073709551616", 0, value.ErrInexact},
		{where(), "1" + zeros + "e-1000000", 1, nil},
		{where(), "0." + zeros + "25e1000000", 0.25, nil},
		{where(), "0." + zeros + "25", 0, value.ErrInexact},
		{where(), "12" + zeros, 0, value.ErrInexact},
		{where(), "1." + zeros, 1, nil},
		{where(), "1." + zeros + "1", 0, value.ErrInexact},
		{where(), "2e" + zeros + "1", 20, nil},
		{where(), "1" + zeros + "1e-1000001", 0, value.ErrInexact},
		{where(), "", 0, value.ErrKind},
		{where(), "-", 0, value.ErrKind},
		{where(), "--1", 0, value.ErrKind},
		{where(), "+1", 0, value.ErrKind},
		{where(), "01", 0, value.ErrKind},
		{where(), "1.", 0, value.ErrKind},
		{where(), ".5", 0, value.ErrKind},
		{where(), "1e", 0, value.ErrKind},
		{where(), "1e+", 0, value.ErrKind},
		{where(), "1e1.5", 0, value.ErrKind},
		{where(), "1 ", 0, value.ErrKind},
		{where(), "0x10", 0, value.ErrKind},
		{where(), "1_0", 0, value.ErrKind},
		{where(), "NaN", 0, value.ErrKind},
		{where(), "Infinity", 0, value.ErrKind},
		{where(), "1\n", 0, value.ErrKind},
	} {
		v, err := value.FromGo(json.Number(row.text))
		if !errors.Is(err, row.is) || (err == nil) != (row.is == nil) || (row.is == nil && !v.Identical(value.Number(row.want))) {
			t.Errorf("%s: %.40s: got %v (%v), want %v (%v)", row.where, row.text, v, err, row.want, row.is)
		}
	}
}

// TestJSONNumberCostsNoMemory: what 17 digits cannot say is refused without
// computing it. Not parallel, so that nobody else allocates meanwhile.
func TestJSONNumberCostsNoMemory(t *testing.T) {
	zeros := strings.Repeat("0", 1<<20)
	for _, text := range []string{"1e999999999", "1" + zeros + "1e-1048577", "0." + zeros + "1e1048577", "1e" + zeros} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _ = value.FromGo(json.Number(text))
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 64<<10 {
			t.Errorf("%.20s: %d bytes", text, n)
		}
	}
}
