package codec_test

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/internal/test/race"
)

// Law 9: each of these is an answer or an error, soon. The time is no budget,
// but what tells linear from quadratic.
func TestHostileTexts(t *testing.T) {
	million := 1_000_000
	if race.Enabled {
		million /= 10
	}
	rep := strings.Repeat
	outputs := `{` + asOutput + `,"dependencies":["a"],"value":`
	var many strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&many, `"%d",`, i)
	}
	dependencies := `{` + asOutput + `,"dependencies":[` + many.String() + `"x"]}`
	tenth, _, _ := strings.Cut(many.String(), `"10000"`)
	plain := rep(outputs, 64) + `{` + asOutput + `,"dependencies":[` + tenth + `"x"]}` + rep("}", 64)
	plain = `{` + asSecret + `,"plaintext":` + strconv.Quote(plain) + `}`
	late := `{"value":`
	for _, row := range []struct {
		name string
		text string
		err  error
	}{
		{"brackets", rep("[", million), codec.ErrDepth},
		{"braces", rep(`{"a":`, million), codec.ErrDepth},
		{"secrets", rep(`{`+asSecret+`,"value":`, 100_000), codec.ErrDepth},
		{"late signatures", rep(late, 3000) + "[1e400]" + rep(`,`+asSecret+`}`, 3000), codec.ErrNumber},
		{"late signatures, broken", rep(late, 3333) + rep("[", million), codec.ErrDepth},
		{"one name a million times", "{" + rep(`"a":1,`, million) + `"a":1}`, codec.ErrDuplicate},
		{"long key", `{"` + rep("k", 1<<20) + `":tru}`, codec.ErrSyntax},
		{"huge exponent", `1e` + rep("9", million), codec.ErrNumber},
		{"small exponent", `1e-999999999`, codec.ErrNumber},
		{"many digits", rep("7", million), codec.ErrNumber},
		{"many zeros", "0." + rep("0", million) + fmt.Sprintf("1e%d", million+1), nil},
		{"escapes", `"` + rep(`\u0061\ud83d\ude00`, 100_000) + `"`, nil},
		{"bad end of a long string", `"` + rep("a", million) + "\xff\"", codec.ErrUTF8},
		{"outputs around many dependencies", rep(outputs, 1500) + dependencies + rep("}", 1500), codec.ErrDepth},
		{"many dependencies", dependencies, nil},
		{"a few outputs around them", rep(outputs, 3) + dependencies + rep("}", 3), nil},
		{"outputs around a tenth of them, in a plaintext", "[" + plain + "]", nil},
		{"the same, twice", "[" + plain + "," + plain + "]", codec.ErrDepth},
		{"flat array", "[" + rep("1,", million) + "1]", nil},
		{"binary", "\x00\x01\x02" + rep("\xff", million), codec.ErrSyntax},
	} {
		var err error
		kit.Within(t, row.name, 10*time.Second, func() {
			_, err = codec.DecodeJSONValue([]byte(row.text), codec.Options{})
		})
		if !errors.Is(err, row.err) {
			t.Errorf("%s: %v", row.name, err)
		}
		if err != nil {
			failure(t, err)
		}
	}
}

// Many unlike names, which only a sort finds to be unlike, and values that are
// rounded inside objects whose signature comes last.
func TestHostileWidth(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"value":{`)
	for i := range 200_000 {
		fmt.Fprintf(&b, `"k%d":9007199254740993,`, 200_000-i)
	}
	b.WriteString(`"k":1},` + asSecret + `}`)
	var report codec.Report
	v := decode(t, b.String(), codec.Options{RoundNumbers: true, Report: &report})
	if v.Len() != 200_001 || !v.IsSecret() || len(report.Rounded)+report.More != 200_000 {
		t.Errorf("%d members, %d rounded, %d more", v.Len(), len(report.Rounded), report.More)
	}
	if r := report.Rounded[0]; !r.Secret || r.At.String() != "[secret]" {
		t.Errorf("rounded at %q", r.At)
	}
}

// A long string is copied once, with the text.
func TestLongString(t *testing.T) {
	size := 8 << 20
	if os.Getenv("PROPALG_LARGE") != "" {
		size = 200 << 20
	}
	data := []byte(`{"a":"` + strings.Repeat("x", size) + `"}`)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	v := decodeData(t, data)
	runtime.ReadMemStats(&after)
	if s, _ := v.Field("a").AsString(); len(s) != size {
		t.Errorf("%d bytes", len(s))
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > uint64(len(data))+1<<20 {
		t.Errorf("allocated %d bytes for a text of %d", used, len(data))
	}
	runtime.ReadMemStats(&before)
	text := encode(t, v, codec.Options{})
	if len(text) != len(data) {
		t.Errorf("wrote %d bytes of %d", len(text), len(data))
	}
}

// Nothing that is returned changes with the caller's memory.
func TestNoAliasing(t *testing.T) {
	data := []byte(`{"key":"text"}`)
	v := decodeData(t, data)
	for i := range data {
		data[i] = 'X'
	}
	if got := encode(t, v, codec.Options{}); got != `{"key":"text"}` {
		t.Errorf("changed to %s", got)
	}
}
