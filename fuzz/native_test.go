package fuzz_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/fuzz/internal/laws"
	"github.com/propalg/propalg/fuzz/internal/native"

	"pgregory.net/rapid"
)

// plantedNative is set in the process in which TestPlantedNative is to fail.
const plantedNative = "PROPALG_PLANTED_NATIVE"

// TestPlantedNative fails when asked to.
func TestPlantedNative(t *testing.T) {
	if os.Getenv(plantedNative) == "" {
		t.Skip("TestNativeFailure runs this")
	}

	native.Run(t, func(t *rapid.T) {
		if text := rapid.StringMatching("[a-c]{3}").Draw(t, "text"); text != "" {
			t.Errorf("planted: %s", text)
		}
	}, nil)
}

// TestNativeFailure: a law that fails on an input fails the target, and its draws are
// printed.
func TestNativeFailure(t *testing.T) {
	command := exec.Command(os.Args[0], "-test.run=^TestPlantedNative$")
	command.Env = append(os.Environ(), plantedNative+"=1")

	out, err := command.CombinedOutput()
	if err == nil || !strings.Contains(string(out), `[rapid] draw text: "`) || !strings.Contains(string(out), "planted: ") {
		t.Errorf("%v:\n%s", err, out)
	}
}

// TestNativeSkipsNothing: laws are tried on inputs of all lengths, and of none.
func TestNativeSkipsNothing(t *testing.T) {
	slow := []string{"Law06NoPlaintext", "Law09Total"}

	for _, l := range laws.Laws() {
		if slices.Contains(slow, l.String()) {
			continue
		}

		for _, length := range []int{0, 15, 256} {
			skipped := false

			t.Run(l.String(), func(t *testing.T) {
				defer func() { skipped = t.Skipped() }()

				native.Run(t, l.Check, []byte(strings.Repeat("x", length)))
			})

			if skipped {
				t.Errorf("%s is not tried on %d bytes", l.String(), length)
			}
		}
	}
}

// TestNativeDraws: the same input draws the same, another one draws something else,
// and no draw is printed, or written as text at all.
func TestNativeDraws(t *testing.T) {
	var drawn []uint64

	printed := 0

	law := func(t *rapid.T) {
		drawn = append(drawn, rapid.Custom(func(t *rapid.T) silent {
			return silent{rapid.Uint64().Draw(t, "number"), &printed}
		}).Draw(t, "silent").n)
	}

	drawsOf := func(input string) []uint64 {
		drawn = nil

		native.Run(t, law, []byte(input))

		return drawn
	}

	first := drawsOf("an input")
	if again := drawsOf("an input"); !slices.Equal(first, again) {
		t.Errorf("drew %d, and then %d", first, again)
	}

	if other := drawsOf("another"); slices.Equal(first, other) {
		t.Errorf("two inputs draw %d", first)
	}

	none := drawsOf("")
	slices.Sort(none)

	if n := len(none); n < 2 || len(slices.Compact(none)) < n {
		t.Errorf("the tries of the empty input draw %d", none)
	}

	if printed > 0 {
		t.Errorf("%d draws are printed", printed)
	}
}

// silent is a draw that counts how often it is printed.
type silent struct {
	n       uint64
	printed *int
}

// GoString counts.
func (s silent) GoString() string {
	*s.printed++

	return "silent"
}

// TestNativeDrawsMuch: a law may draw more than a target makes at first.
func TestNativeDrawsMuch(t *testing.T) {
	drawn := 0

	native.Run(t, func(t *rapid.T) {
		drawn = 0
		for range 50_000 {
			drawn++
			rapid.Bool().Draw(t, "bit")
		}
	}, nil)

	if drawn < 50_000 {
		t.Errorf("the law drew %d times", drawn)
	}
}

// TestNativeSkips: an input that the law always rejects is skipped; one that it accepts in one try is not.
func TestNativeSkips(t *testing.T) {
	tries := 0

	for _, row := range []struct {
		name string
		law  func(*rapid.T)
		want bool
	}{
		{"always", func(t *rapid.T) { t.Skip("never") }, true},
		{"by a filter", func(t *rapid.T) { rapid.Bool().Filter(func(bool) bool { return false }).Draw(t, "none") }, true},
		{"but once", func(t *rapid.T) {
			if tries++; tries > 1 {
				t.Skip("once was enough")
			}
		}, false},
	} {
		skipped := false

		t.Run(row.name, func(t *testing.T) {
			defer func() { skipped = t.Skipped() }()

			native.Run(t, row.law, []byte("x"))
		})

		if skipped != row.want {
			t.Errorf("%s: skipped is %v", row.name, skipped)
		}
	}
}
