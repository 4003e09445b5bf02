package laws

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/propalg/propalg/internal/test/hostile"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/value"
)

// numberTexts generates JSON numbers of every length and exponent, those of
// [hostile.NumberTexts] among them. They shrink to "0".
func numberTexts() *rapid.Generator[string] {
	digits := func(n int) string { return `[0-9]{1,` + strconv.Itoa(n) + `}` }

	return rapid.OneOf(
		rapid.SampledFrom(hostile.NumberTexts()),
		rapid.StringMatching(`-?(0|[1-9][0-9]{0,18})`),
		rapid.StringMatching(`-?(0|[1-9][0-9]{0,18})(\.`+digits(20)+`)?([eE][+-]?`+digits(3)+`)?`),
		rapid.Custom(func(t *rapid.T) string {
			return strconv.FormatFloat(rapid.Float64().Draw(t, "float"), rapid.SampledFrom([]byte("efgEG")).Draw(t, "format"), rapid.IntRange(-1, 25).Draw(t, "precision"), 64)
		}),
	)
}

// Law14Numbers is the law that a JSON number is held when the shortest decimal of the nearest
// double has the value of the text, with math/big as witness; else reading it is
// an error, or it is rounded and reported when that was asked for. What is held is
// written and read back bit by bit. Go integers are held exactly or refused. Two
// numbers that differ are a change.
func Law14Numbers(t *rapid.T) {
	text := numberTexts().Draw(t, "text")
	nearest, exact := nearestDouble(text)
	want := value.Number(nearest)
	got, err := codec.DecodeJSONValue(text, codec.Options{})
	switch {
	case exact && (err != nil || !got.Identical(want)):
		t.Fatalf("%s is read as %v, %v", text, got, err)
	case !exact && !errors.Is(err, codec.ErrNumber):
		t.Fatalf("%s, which is nearest to %v, is read as %v, %v", text, nearest, got, err)
	}
	if got, err := value.FromGo(json.Number(text)); (err == nil) != exact || (exact && !got.Identical(want)) {
		t.Fatalf("json.Number(%s) is %v, %v", text, got, err)
	}

	report := &codec.Report{}
	got, err = codec.DecodeJSONValue("["+text+"]", codec.Options{RoundNumbers: true, Report: report})
	if err != nil || !got.Elem(0).Identical(want) || (len(report.Rounded) == 0) != exact {
		t.Fatalf("%s is rounded to %v, %v, report %v; nearest is %v", text, got, err, report.Rounded, nearest)
	}
	if !exact && (report.Rounded[0].RevealText() != text || report.Rounded[0].At.String() != "[0]") {
		t.Fatalf("%s is reported as %s at %v", text, report.Rounded[0].RevealText(), report.Rounded[0].At)
	}

	checkWritten(t, nearest)
	checkIntegers(t, ints().Draw(t, "integer"))
}

// nearestDouble is the double nearest to a JSON number, an infinity beyond the
// largest, and whether its shortest decimal has the value of the text.
func nearestDouble(text string) (nearest float64, exact bool) {
	nearest, _ = strconv.ParseFloat(text, 64)
	if math.IsInf(nearest, 0) {
		return nearest, false
	}

	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	zero := strings.Trim(mantissa, "-0.") == ""
	const most = 2000 // digits that math/big is asked to write out
	if n, err := strconv.Atoi(exponent); zero || (exponent != "" && (err != nil || n > most || n < -most)) {
		return nearest, zero
	}
	written, ok := new(big.Rat).SetString(text)
	if !ok {
		panic("fuzz: math/big does not read " + text)
	}
	shortest, _ := new(big.Rat).SetString(strconv.FormatFloat(nearest, 'e', -1, 64))
	return nearest, written.Cmp(shortest) == 0
}

func checkWritten(t *rapid.T, n float64) {
	v := value.Number(n)
	text, err := codec.AppendJSONValue(nil, v, codec.Options{})
	if math.IsInf(n, 0) || math.IsNaN(n) {
		if !errors.Is(err, codec.ErrNumber) {
			t.Fatalf("%v is written as %s, %v", n, text, err)
		}
		return
	}

	back, readErr := codec.DecodeJSONValue(text, codec.Options{})
	if err != nil || readErr != nil || !back.Identical(v) {
		t.Fatalf("%v is written as %s, %v, and read back as %v, %v", n, text, err, back, readErr)
	}
	next := value.Number(math.Nextafter(n, math.Inf(1)))
	if d := diff.Between(v, next, diff.Options{}); d.Empty() {
		t.Fatalf("%v and the number after it do not differ", n)
	}
}

func checkIntegers(t *rapid.T, i int64) {
	f, accuracy := new(big.Float).SetInt64(i).Float64()
	got, err := value.Int(i)
	n, _ := got.AsNumber()
	if held := accuracy == big.Exact; (err == nil) != held || (held && n != f) || (!held && !errors.Is(err, value.ErrInexact)) {
		t.Fatalf("Int(%d) is %v, %v", i, n, err)
	}

	u := uint64(i) //nolint:gosec // any bits will do
	f, accuracy = new(big.Float).SetUint64(u).Float64()
	got, err = value.Int(u)
	n, _ = got.AsNumber()
	if held := accuracy == big.Exact; (err == nil) != held || (held && n != f) {
		t.Fatalf("Uint(%d) is %v, %v", u, n, err)
	}
	fromGo, goErr := value.FromGo(u)
	if (goErr == nil) != (err == nil) || (err == nil && !fromGo.Identical(got)) {
		t.Fatalf("FromGo(%d) is %v, %v", u, fromGo, goErr)
	}
}

func ints() *rapid.Generator[int64] {
	edge := rapid.SampledFrom([]int64{
		0, 1, -1, 1 << 53, 1<<53 + 1, 1<<53 - 1, -(1 << 53), -(1 << 53) - 1, 1<<62 + 1, math.MaxInt64, math.MinInt64, 1<<63 - 1024, 1<<63 - 512,
	})
	return rapid.OneOf(rapid.Int64Range(-10, 10), edge, rapid.Int64())
}
