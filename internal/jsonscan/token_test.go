package jsonscan_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/propalg/propalg/internal/jsonscan"
	"pgregory.net/rapid"
)

// here names the line of a row.
func here() string {
	_, _, line, _ := runtime.Caller(1)
	return fmt.Sprintf("line %d", line)
}

func TestFaults(t *testing.T) {
	for _, row := range []struct {
		at     string
		text   string
		offset int
		cause  error
		want   string
		found  string
	}{
		{here(), ``, 0, jsonscan.ErrSyntax, "value", "end of input"},
		{here(), `x`, 0, jsonscan.ErrSyntax, "value", "another character"},
		{here(), "\x00", 0, jsonscan.ErrSyntax, "value", "a control character"},
		{here(), "\xef\xbb\xbf1", 0, jsonscan.ErrSyntax, "value", "a byte outside ASCII"},
		{here(), `]`, 0, jsonscan.ErrSyntax, "value", "']'"},
		{here(), `nul`, 3, jsonscan.ErrSyntax, "true, false or null", "end of input"},
		{here(), `nuLl`, 2, jsonscan.ErrSyntax, "true, false or null", "another character"},
		{here(), `-`, 1, jsonscan.ErrSyntax, "digit", "end of input"},
		{here(), `-x`, 1, jsonscan.ErrSyntax, "digit", "another character"},
		{here(), `+1`, 0, jsonscan.ErrSyntax, "value", "another character"},
		{here(), `.5`, 0, jsonscan.ErrSyntax, "value", "another character"},
		{here(), `1.`, 2, jsonscan.ErrSyntax, "digit", "end of input"},
		{here(), `1.e5`, 2, jsonscan.ErrSyntax, "digit", "another character"},
		{here(), `1e`, 2, jsonscan.ErrSyntax, "digit", "end of input"},
		{here(), `1e+`, 3, jsonscan.ErrSyntax, "digit", "end of input"},
		{here(), `[01]`, 2, jsonscan.ErrSyntax, "',' or ']'", "a number"},
		{here(), `[1 2]`, 3, jsonscan.ErrSyntax, "',' or ']'", "a number"},
		{here(), `[1,]`, 3, jsonscan.ErrSyntax, "value", "']'"},
		{here(), `[,1]`, 1, jsonscan.ErrSyntax, "value", "','"},
		{here(), `[1`, 2, jsonscan.ErrSyntax, "',' or ']'", "end of input"},
		{here(), `[1}`, 2, jsonscan.ErrSyntax, "',' or ']'", "'}'"},
		{here(), `{`, 1, jsonscan.ErrSyntax, "name in quotes", "end of input"},
		{here(), `{a:1}`, 1, jsonscan.ErrSyntax, "name in quotes", "another character"},
		{here(), `{"a"}`, 4, jsonscan.ErrSyntax, "':'", "'}'"},
		{here(), `{"a":}`, 5, jsonscan.ErrSyntax, "value", "'}'"},
		{here(), `{"a":1,}`, 7, jsonscan.ErrSyntax, "name in quotes", "'}'"},
		{here(), `{"a":1 "b":2}`, 7, jsonscan.ErrSyntax, "',' or '}'", "'\"'"},
		{here(), `"abc`, 4, jsonscan.ErrSyntax, "end of string", "end of input"},
		{here(), `"abcdefghijk`, 12, jsonscan.ErrSyntax, "end of string", "end of input"},
		{here(), `"a\`, 3, jsonscan.ErrSyntax, "end of string", "end of input"},
		{here(), `"a\x"`, 3, jsonscan.ErrSyntax, "escape", "another character"},
		{here(), `"\u12g4"`, 5, jsonscan.ErrSyntax, "four hex digits", "another character"},
		{here(), `"\u12`, 5, jsonscan.ErrSyntax, "four hex digits", "end of input"},
		{here(), "\"abcdefg\nhijk\"", 8, jsonscan.ErrSyntax, "escaped control character", "white space"},
		{here(), "\"a\x1fb\"", 2, jsonscan.ErrSyntax, "escaped control character", "a control character"},
		{here(), "\"abcdefgh\xff\"", 9, jsonscan.ErrUTF8, "", ""},
		{here(), "\"\xed\xa0\x80\"", 1, jsonscan.ErrUTF8, "", ""},
		{here(), "\"\xc3\"", 1, jsonscan.ErrUTF8, "", ""},
		{here(), "\"\xc0\x80\"", 1, jsonscan.ErrUTF8, "", ""},
		{here(), `"x\ud800"`, 2, jsonscan.ErrUTF8, "surrogate pair", "half of one"},
		{here(), `"\udc00\ud800"`, 1, jsonscan.ErrUTF8, "surrogate pair", "half of one"},
		{here(), `"\ud800\ud800"`, 1, jsonscan.ErrUTF8, "surrogate pair", "half of one"},
		{here(), `"\ud800\ue000"`, 1, jsonscan.ErrUTF8, "surrogate pair", "half of one"},
		{here(), `"\ud800\udbff"`, 1, jsonscan.ErrUTF8, "surrogate pair", "half of one"},
		{here(), `"\ud800\n"`, 1, jsonscan.ErrUTF8, "surrogate pair", "half of one"},
		{here(), `"\ud800\u12"`, 1, jsonscan.ErrUTF8, "surrogate pair", "half of one"},
		{here(), `{"a":1,"b":{"c":1,"\u0063":2}}`, 18, jsonscan.ErrDuplicate, "another name", "a duplicate"},
		{here(), `{"b":1,"a":1,"a":2,"b":2}`, 13, jsonscan.ErrDuplicate, "another name", "a duplicate"},
		{here(), `{"a":1,"ab":{"c":0},"abcdefghi":2,"abcdefghi":3}`, 34, jsonscan.ErrDuplicate, "another name", "a duplicate"},
		{here(), `[{"a":1,"a":2},x]`, 8, jsonscan.ErrDuplicate, "another name", "a duplicate"},
		{here(), `{"a":1,"a":2,x}`, 13, jsonscan.ErrSyntax, "name in quotes", "another character"},
	} {
		k := jsonscan.Skipper{Names: true}
		end, f := k.Skip(row.text, 0)
		if f == nil {
			t.Errorf("%s: %q: no fault, end %d", row.at, row.text, end)
			continue
		}
		if f.Offset != row.offset || !errors.Is(f.Err, row.cause) || f.Want != row.want || f.Found != row.found {
			t.Errorf("%s: %q: got %d, %v, %q, %q", row.at, row.text, f.Offset, f.Err, f.Want, f.Found)
		}
	}
}

func TestSkip(t *testing.T) {
	for _, row := range []struct{ at, text, rest string }{
		{here(), `1`, ``},
		{here(), `1 x`, ` x`},
		{here(), `-0.0e-0]`, `]`},
		{here(), `01`, `1`},
		{here(), `truex`, `x`},
		{here(), `""x`, `x`},
		{here(), `"\"\\\u00e9\ud83d\ude00"x`, `x`},
		{here(), `[ ]x`, `x`},
		{here(), `{ }x`, `x`},
		{here(), `[[],{},[{"a":[]}]]x`, `x`},
		{here(), "{ \"a\" :\t1 ,\n\"b\" : [ 1 , 2 ] }\r\n", "\r\n"},
		{here(), "\"\x7f\u2028é😀\"x", "x"},
	} {
		k := jsonscan.Skipper{Names: true}
		end, f := k.Skip(row.text, 0)
		if f != nil || row.text[end:] != row.rest {
			t.Errorf("%s: %q: got %d, %v", row.at, row.text, end, f)
		}
	}
}

// Depth counts as protobuf does: an empty container costs 1 message, what is in
// an array 1 more, what is in an object 2 more.
func TestSkipDepth(t *testing.T) {
	for _, row := range []struct {
		at    string
		text  string
		limit int // the least that will do
	}{
		{here(), `[]`, 1},
		{here(), `{}`, 1},
		{here(), `[1]`, 2},
		{here(), `{"a":1}`, 3},
		{here(), `[[]]`, 3},
		{here(), `[[1]]`, 4},
		{here(), `[{}]`, 3},
		{here(), `[{"a":1}]`, 5},
		{here(), `{"a":[]}`, 4},
		{here(), `{"a":{}}`, 4},
		{here(), `{"a":{"b":[1]}}`, 8},
		{here(), `[[1],[2],{"a":3},[4]]`, 5},
	} {
		k := jsonscan.Skipper{Limit: row.limit}
		if _, f := k.Skip(row.text, 0); f != nil {
			t.Errorf("%s: %s: %v at %d", row.at, row.text, f, f.Offset)
		}
		k.Limit--
		if _, f := k.Skip(row.text, 0); k.Limit > 0 && (f == nil || !errors.Is(f.Err, jsonscan.ErrDepth)) {
			t.Errorf("%s: %s: one less will do", row.at, row.text)
		}
	}
	deep := jsonscan.Skipper{Limit: 10_000}
	if _, f := deep.Skip(strings.Repeat("[", 1e6), 0); f == nil || !errors.Is(f.Err, jsonscan.ErrDepth) || f.Offset != 5000 {
		t.Errorf("10^6 brackets: %+v", f)
	}
	open := jsonscan.Skipper{}
	if end, f := open.Skip(strings.Repeat("[", 1e6)+strings.Repeat("]", 1e6), 0); f != nil || end != 2e6 {
		t.Errorf("10^6 brackets without a limit: %d, %v", end, f)
	}
}

func TestUnquote(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(
			rapid.String(),
			rapid.Map(rapid.SliceOf(rapid.SampledFrom([]string{
				"\"", "\\", "/", "\b", "\f", "\n", "\r", "\t", "\x00", "é", "😀", "\u2028", "a", "plain text", "\uffff",
			})), func(l []string) string { return strings.Join(l, "") }),
		).Draw(t, "s")
		s = strings.ToValidUTF8(s, "?")
		quoted, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		ascii := escapeAll(s)
		for _, text := range []string{string(quoted), ascii} {
			end, plain, f := jsonscan.String(text, 0)
			if f != nil || end != len(text) {
				t.Fatalf("String(%q): %d, %v", text, end, f)
			}
			if got := jsonscan.Text(text, 0, end, plain); got != s {
				t.Fatalf("Text(%q) = %q", text, got)
			}
		}
	})
}

// escapeAll writes every UTF-16 unit of a string as an escape.
func escapeAll(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		if r >= 0x10000 {
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04X`, 0xd800+r>>10, 0xdc00+r&0x3ff)
			continue
		}
		fmt.Fprintf(&b, `\u%04x`, r)
	}
	b.WriteByte('"')
	return b.String()
}

// Where a string ends, and that a wrong byte anywhere is seen, must not depend
// on how it lies in the groups of eight that are looked at together.
func TestStringAlignment(t *testing.T) {
	for before := range 20 {
		for after := range 20 {
			for c := range 256 {
				text := `"` + strings.Repeat("a", before) + string([]byte{byte(c)}) + strings.Repeat("a", after) + `"`
				end, _, f := jsonscan.String(text, 0)
				switch {
				case c == '"':
					if f != nil || end != before+2 {
						t.Fatalf("%q: %d, %v", text, end, f)
					}
				case c < 0x20 || c >= utf8.RuneSelf:
					if f == nil || f.Offset != before+1 {
						t.Fatalf("%q: %d, %+v", text, end, f)
					}
				case c == '\\':
					if (f == nil) && end != len(text) {
						t.Fatalf("%q: %d, %+v", text, end, f)
					}
				default:
					if f != nil || end != len(text) {
						t.Fatalf("%q: %d, %+v", text, end, f)
					}
				}
			}
		}
	}
}
