package jsonscan_test

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/internal/test/race"
	"pgregory.net/rapid"
)

func TestFloat(t *testing.T) {
	zeros := strings.Repeat("0", 1_000_000)
	for _, row := range []struct {
		at   string
		text string
		f    float64
		held bool
	}{
		{here(), "0", 0, true},
		{here(), "-0", math.Copysign(0, -1), true},
		{here(), "-0.000e77", math.Copysign(0, -1), true},
		{here(), "0e999999999999999999999", 0, true},
		{here(), "1", 1, true},
		{here(), "-17", -17, true},
		{here(), "999999999999999", 999999999999999, true},
		{here(), "0.1", 0.1, true},
		{here(), "0.10", 0.1, true},
		{here(), "100e-3", 0.1, true},
		{here(), "1E-1", 0.1, true},
		{here(), "1e23", 1e23, true},
		{here(), "100000000000000000000000", 1e23, true},
		{here(), "1.5e+300", 1.5e300, true},
		{here(), "9007199254740992", 9007199254740992, true},
		{here(), "9007199254740993", 9007199254740992, false},
		{here(), "9007199254740994", 9007199254740994, true},
		{here(), "-9007199254740993", -9007199254740992, false},
		{here(), "0.30000000000000004", 0.30000000000000004, true},
		{here(), "0.30000000000000003", 0.30000000000000004, false},
		{here(), "0.1000000000000000055511151231257827", 0.1, false},
		{here(), "0.1000000000000000055511151231257827021181583404541015625", 0.1, false},
		{here(), "1.7976931348623157e308", math.MaxFloat64, true},
		{here(), "1.7976931348623158e308", math.MaxFloat64, false},
		{here(), "1.7976931348623159e308", math.Inf(1), false},
		{here(), "5e-324", 5e-324, true},
		{here(), "4.9e-324", 5e-324, false},
		{here(), "3e-324", 5e-324, false},
		{here(), "2e-324", 0, false},
		{here(), "2.2250738585072014e-308", 2.2250738585072014e-308, true},
		{here(), "1.5e-323", 1.5e-323, true},
		{here(), "1.4e-323", 1.5e-323, false},
		{here(), "1e400", math.Inf(1), false},
		{here(), "-1e400", math.Inf(-1), false},
		{here(), "1e-400", 0, false},
		{here(), "-1e-400", math.Copysign(0, -1), false},
		{here(), "1e999999999", math.Inf(1), false},
		{here(), "1e99999999999999999999999999", math.Inf(1), false},
		{here(), "1e-99999999999999999999999999", 0, false},
		{here(), "1" + zeros + "e-1000000", 1, true},
		{here(), "0." + zeros + "1e1000001", 1, true},
		{here(), "0." + zeros + "25e1000000", 0.25, true},
		{here(), "1." + zeros, 1, true},
		{here(), "1." + zeros + "1", 1, false},
		{here(), "-1" + zeros, math.Inf(-1), false},
		{here(), "9007199254740993" + zeros[:900] + "1e-901", 9007199254740994, false},
		{here(), "9007199254740993" + zeros[:900] + "e-900", 9007199254740992, false},
	} {
		f, held := jsonscan.Float(row.text)
		if math.Float64bits(f) != math.Float64bits(row.f) || held != row.held {
			t.Errorf("%s: %.40s: got %v, %v", row.at, row.text, f, held)
		}
	}
}

// reference decides with numbers of any size what Float decides on texts.
func reference(t interface{ Fatalf(string, ...any) }, text string) (float64, bool) {
	exact, ok := new(big.Rat).SetString(text)
	if !ok {
		t.Fatalf("not a number: %q", text)
	}
	f, _ := strconv.ParseFloat(text, 64)
	if math.IsInf(f, 0) {
		return f, false
	}
	short, _ := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', -1, 64))
	return f, short.Cmp(exact) == 0
}

func TestFloatAgainstReference(t *testing.T) {
	number := rapid.Custom(func(t *rapid.T) string {
		switch rapid.IntRange(0, 3).Draw(t, "how") {
		case 0: // the shortest text of a double, perhaps with a digit changed or added
			bits := rapid.Uint64().Draw(t, "bits")
			f := math.Float64frombits(bits)
			if math.IsNaN(f) || math.IsInf(f, 0) {
				f = 1
			}
			text := strconv.FormatFloat(f, "efg"[bits%3], -1, 64)
			if strings.ContainsAny(text, "eE.") {
				return text
			}
			return text + rapid.SampledFrom([]string{"", "0", "1", ".0", ".00000000000000001", "e0", "e-1", "e+300", "E-320"}).Draw(t, "tail")
		case 1:
			return rapid.StringMatching(`-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?`).Draw(t, "number")
		case 2:
			return rapid.StringMatching(`-?[1-9][0-9]{14,17}(\.0{1,3})?(e-?[0-9]{1,2})?`).Draw(t, "edge")
		default:
			return rapid.StringMatching(`-?0\.0{0,12}[0-9]{1,19}(e-3[0-9]{2})?`).Draw(t, "small")
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		text := number.Draw(t, "text")
		end, _, fault := jsonscan.Number(text, 0)
		if fault != nil || end != len(text) {
			t.Fatalf("Number(%q): %d, %v", text, end, fault)
		}
		f, held := jsonscan.Float(text)
		wantF, wantHeld := reference(t, text)
		if math.Float64bits(f) != math.Float64bits(wantF) || held != wantHeld {
			t.Fatalf("Float(%q) = %v, %v; reference %v, %v", text, f, held, wantF, wantHeld)
		}
	})
}

func TestFloatAllocates(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	for _, text := range []string{"17", "0.1", "1e23", "9007199254740993", "1e999999999"} {
		if n := testing.AllocsPerRun(100, func() { jsonscan.Float(text) }); n > 0 {
			t.Errorf("Float(%q): %v allocations", text, n)
		}
	}
}
