package jsonscan_test

import (
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/tidwall/gjson"
	"pgregory.net/rapid"
)

func parts() []string {
	return []string{
		`{`, `}`, `[`, `]`, `,`, `:`, ` `, `{}`, `[]`, `{ }`, `"a"`, `"a":`, `"\u0061":`, `"é":`, `"`, "\"\xff\"", `"\ud800"`, `1`, `-1.5e3`, `01`, `-`,
		`true`, `nul`, `{"a":1}`, `{"b":[1,{"c":[]}],"d":"x"}`, `[1,[2,[3]]]`, `x`,
	}
}

func TestPass(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts()), 1, 10).Draw(t, "parts"), "")
		agree(t, text, rapid.SampledFrom([]int{0, 100, 3, 5}).Draw(t, "limit"), rapid.IntRange(1, 64).Draw(t, "window"))
	})
}

func FuzzPass(f *testing.F) {
	for _, part := range parts() {
		f.Add(`{"a":`+part+"}", uint8(0), uint8(3))
		f.Add(part, uint8(5), uint8(1))
	}
	f.Fuzz(func(t *testing.T, text string, limit, window uint8) { agree(t, text, int(limit), 1+int(window)%64) })
}

// agree holds the ways through a text to each other: they find the same end, or the same fault,
// also one that makes marks, one that looks for doubled names, and that of windows of any size.
// What is valid is valid for other parsers too, and the other way around.
func agree(t interface {
	Helper()
	Fatalf(string, ...any)
}, text string, limit, window int,
) {
	t.Helper()
	slow, quick := jsonscan.Skipper{Limit: limit, Names: true}, jsonscan.Skipper{Limit: limit, Top: true, Order: true}
	want, wrong := slow.Skip(text, 0)
	w := jsonscan.Window{In: strings.NewReader(text), Size: window}
	w.More()
	got, f := w.Value(&slow)
	if f != nil {
		f.Offset += int(w.Base)
	}
	if (f == nil) != (wrong == nil) || (f == nil && got != text[:want]) || (f != nil && *f != *wrong) {
		t.Fatalf("%q: %q, %+v in windows of %d, not %d, %+v", text, got, f, window, want, wrong)
	}
	if wrong != nil && errors.Is(wrong.Err, jsonscan.ErrDuplicate) {
		return
	}

	end, f := quick.Skip(text, 0)
	if end != want || (f == nil) != (wrong == nil) || (f != nil && *f != *wrong) {
		t.Fatalf("%q: %d, %+v and %d, %+v", text, end, f, want, wrong)
	}
	tokens := jsonscan.Decoder{Text: text, Limit: limit}
	_, last, f := tokens.SkipValue()
	isSame := last == want
	if wrong != nil {
		isSame = f != nil && *f == *wrong
	}
	if !isSame && jsonscan.Space(text, 0) == 0 { // which comes before tokens, but not before values
		t.Fatalf("%q: %d, %+v by tokens, not %d, %+v", text, last, f, want, wrong)
	}
	tape := jsonscan.Skipper{Tape: true, Limit: limit}
	if end, f := tape.Skip(text, 0); end != want || (f == nil) != (wrong == nil) || (f == nil && len(tape.Marks) == 0) {
		t.Fatalf("%q: %d, %+v for a tape, not %d, %+v", text, end, f, want, wrong)
	}
	switch {
	case wrong == nil:
		if own := text[:end]; !json.Valid([]byte(own)) || !gjson.Valid(own) {
			t.Fatalf("%q is valid here alone", own)
		}
	case errors.Is(wrong.Err, jsonscan.ErrSyntax) && text != "" && text[0] > ' ' && json.Valid([]byte(text)):
		t.Fatalf("%q is valid elsewhere: %+v", text, wrong)
	}
}

func TestMembers(t *testing.T) {
	for _, row := range []struct{ at, text, want string }{
		{here(), `{}`, ``},
		{here(), `[{"a":1}]`, ``},
		{here(), `{"a":1}`, `"a"=1`},
		{here(), `{ "a" : {"b":[{}]} , "\n":[{"c":2}] ,"d": "e","a":{} }`, `"a"={"b":[{}]} "\n"!=[{"c":2}] "d"="e" "a"={}`},
	} {
		const before = "   "
		k := jsonscan.Skipper{Top: true}
		if _, f := k.Skip(before+row.text, len(before)); f != nil {
			t.Fatalf("%s: %+v", row.at, f)
		}
		var got []string
		for _, m := range k.Members {
			mark := ""
			if !m.Plain {
				mark = "!"
			}
			got = append(got, row.text[m.Name:m.NameEnd]+mark+"="+row.text[m.At:m.End])
		}
		if strings.Join(got, " ") != row.want {
			t.Errorf("%s: %s has %s", row.at, row.text, got)
		}
	}
}

func TestTape(t *testing.T) {
	const text = `{"a":[1,"\n",{}],"b":{"c":null}}`
	tape := jsonscan.Skipper{Tape: true}
	if end, f := tape.Skip(text, 0); f != nil || end != len(text) {
		t.Fatalf("%d, %+v: %+v", end, f, tape)
	}
	var ends []int
	for _, m := range tape.Marks {
		end, _ := m.Text()
		ends = append(ends, end)
	}
	// A container has the number of its children.
	for i, want := range []int{2, 4, 3, 7, 12, 0, 20, 1, 25, 30} {
		if ends[i] != want {
			t.Fatalf("%v", ends)
		}
	}
}

// A file may be nothing but brackets that open: a level takes a byte or two, and what grows
// to have them.
func TestSkipTakesLittle(t *testing.T) {
	const levels, most = 1 << 20, 16 << 20

	for name, text := range map[string]string{
		"cut off": strings.Repeat("[", levels),
		"whole":   strings.Repeat("[", levels) + "1" + strings.Repeat("]", levels),
		"objects": strings.Repeat(`{"":`, levels),
	} {
		var before, after runtime.MemStats

		runtime.ReadMemStats(&before)
		_, _ = new(jsonscan.Skipper).Skip(text, 0)
		runtime.ReadMemStats(&after)

		if took := after.TotalAlloc - before.TotalAlloc; took > most {
			t.Errorf("%s: %d bytes for %d levels", name, took, levels)
		}
	}
}
