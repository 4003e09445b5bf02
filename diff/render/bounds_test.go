package render_test

import (
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/value"
)

// hugeTexts are pairs of texts of n bytes and more.
func hugeTexts(n int, yield func(name, x, y string) bool) {
	for _, row := range []struct {
		name, unit string
	}{
		{"one line", "0123456789"},
		{"many lines", "a line of text\n"},
		{"blank lines", "\n"},
		{"escapes", "\x1b"},
		{"no UTF-8", "\xe2\x82"},
		{"characters of four bytes", "\U0001f600"},
	} {
		s := strings.Repeat(row.unit, n/len(row.unit))
		end := s + "x"
		_ = yield(row.name+", at the end", s, end) &&
			yield(row.name+", at the beginning", s, end[1:]) &&
			yield(row.name+", in the middle", s, s[:n/3]+end[n/2:]) &&
			yield(row.name+", to little", s, "y\nz") &&
			yield(row.name+", from nothing", "", s)
	}
	x := strings.Repeat("old line\n", n/9)
	y := strings.Repeat("new line\n", n/9)
	_ = yield("all lines", x, y) && yield("first line", x+"\n", strings.Repeat("z", n)+"\n"+x)
}

// TestTextOfHugeTexts: a pair of texts of any size gives less than a megabyte, and
// takes a few megabytes of memory: nothing is made of the texts but what is
// shown.
func TestTextOfHugeTexts(t *testing.T) {
	hugeTexts(4_000_000, func(name, x, y string) bool {
		checkHuge(t, name, x, y)
		checkHuge(t, name+", turned around", y, x)
		return true
	})
	if testing.Short() || race.Enabled {
		return
	}
	hugeTexts(25_000_000, func(name, x, y string) bool {
		if name == "one line, in the middle" || name == "many lines, at the beginning" || name == "all lines" {
			checkHuge(t, name, x, y)
		}
		return true
	})
}

func checkHuge(t *testing.T, name, x, y string) {
	t.Helper()
	d := diff.Between(obj("s", str(x)), obj("s", str(y)), diff.Options{})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	text := render.Text(d, render.Options{Documents: jsonDocument})
	runtime.ReadMemStats(&after)
	if len(text) == 0 || len(text) > 1<<20 {
		t.Errorf("%s: a text of %d bytes", name, len(text))
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > 8<<20 {
		t.Errorf("%s: %d bytes of memory", name, got)
	}
	if lines := strings.Count(text, "\n"); lines > 260 {
		t.Errorf("%s: %d lines", name, lines)
	}
}

// TestTextIsBounded: whatever the size of the values, a text of reasonable size,
// and the end of a long string is never walked.
func TestTextIsBounded(t *testing.T) {
	huge := strings.Repeat("ä", 1_000_000)
	wide := make([]value.Value, 20_000)
	apart := make([]value.Value, len(wide))
	var entries []any
	for i := range wide {
		wide[i], apart[i] = arr(num(float64(i))), arr(num(float64(-i-1)))
		if i < 5_000 {
			entries = append(entries, huge[:2*(i%100)]+str(string(rune('a'+i%26))).String()+string(rune(0x4e00+i%20000)), value.TextAsset(huge[:i%10]))
		}
	}
	values := map[string]value.Value{
		"string": str(huge), "key": obj(huge, num(1)), "array": arr(wide...), "apart": arr(apart...), "depth": deep(value.MaxDepth/2-1, num(1)),
		"archive": literal(entries...), "file": value.FileAsset(huge), "hash": value.TextAsset("").WithHash(huge).DropContent(),
		"reference": value.ResourceReference{URN: huge, ID: value.KnownID(huge)}.Value(), "empty": literal(),
	}
	for name, v := range values {
		for other, w := range values {
			if name == other || (other != "string" && other != "array" && other != "archive") {
				continue
			}
			d := diff.Between(obj("v", w, "w", num(1)), obj("v", v, "u", w), diff.Options{})
			text := render.Text(d, render.Options{ReplaceOn: patterns("v[*][0]", "u"), HideDiffs: patterns("v[7]")})
			if n := len(text); n == 0 || n > 2<<20 {
				t.Errorf("%s => %s: a text of %d bytes", other, name, n)
			}
			if n := strings.Count(text, "\n"); n > 10_000+200 {
				t.Errorf("%s => %s: %d lines", other, name, n)
			}
			for l := range render.Lines(d, render.Options{}) {
				checkLine(t, l, render.Options{})
			}
			n := 0
			for c := range d.Changes() {
				if n++; n > 20 {
					break
				}
				if n := len(c.String()); n > 1<<20 {
					t.Errorf("%s: a change of %d bytes", name, n)
				}
			}
		}
	}
}

// TestTextOfDepthIsLinear: a change on each of very many levels is shown in a text of
// bounded size; a quadratic writer would take minutes.
func TestTextOfDepthIsLinear(t *testing.T) {
	const levels = value.MaxDepth
	old, now := onEveryLevel(levels, 1), onEveryLevel(levels, 2)
	for name, pair := range map[string][2]value.Value{"open": {old, now}, "secret": {sec(old), sec(now)}} {
		d := diff.Between(pair[0], pair[1], diff.Options{})
		for _, o := range []render.Options{
			{ReplaceOn: patterns("k.k.k.v")},
			{ReplaceOn: patterns("k.k.k.nowhere"), HideDiffs: patterns("k.k.k.v", strings.Repeat("k.", 9_000)+"v")},
			{Indent: math.MaxInt, Secrets: value.RevealSecrets},
		} {
			text := render.Text(d, o)
			if len(text) > 1<<15 {
				t.Errorf("%s: %d bytes", name, len(text))
			}
			if name == "open" && !strings.Contains(text, "… 9") {
				t.Errorf("nothing is counted: %s", text)
			}
		}
	}
}

// TestTextIsNoWiderThanSaid takes what is widest of everything.
func TestTextIsNoWiderThanSaid(t *testing.T) {
	wide := strings.Repeat("\U000e0001", 400)
	lines := "a\n" + wide + "1" + wide + "\nb\n"
	values := []value.Value{
		str(wide), str(wide + "x"), str(lines), str(strings.Replace(lines, "1", "2", 1)), value.FileAsset(wide), value.URIArchive(wide + "x"),
		value.ResourceReference{URN: wide, ID: value.KnownID(wide)}.Value(), sec(str(wide)), value.Unknown(), obj(wide, str(wide)), str("[1]"), str(" [ 1 ] "),
		value.Sealed{Ciphertext: wide}.Value(), value.TextAsset(lines), literal(wide, value.FileAsset(wide)), str(wide).WithDependencies(dependency),
	}
	for _, o := range []render.Options{
		{},
		{Width: 1},
		{Width: 300, Indent: 1000, Documents: func(s string) (string, value.Value, bool) { return wide, arr(str(s)), true }},
		{ReplaceOn: patterns(""), Context: math.MaxInt, MaxLines: 1},
		{HideDiffs: patterns(""), Context: math.MinInt, MaxLines: math.MinInt},
	} {
		for _, v := range values {
			for _, w := range values {
				for _, levels := range []int{0, 30} {
					d := diff.Between(deep(levels, obj(wide, v)), deep(levels, obj(wide, w)), diff.Options{})
					checkText(t, d, o)
				}
			}
		}
	}
}
