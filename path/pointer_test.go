package path_test

import (
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/path"
)

// TestJSONPointerOfRFC6901 holds the pointers of section 5 of the RFC, whose document has
// the keys "foo", "", "a/b", "c%d", "e^f", "g|h", `i\j`, `k"l`, " " and "m~n".
func TestJSONPointerOfRFC6901(t *testing.T) {
	for pointer, want := range map[string]path.Path{
		"":       {},
		"/foo":   path.Of(path.Key("foo")),
		"/foo/0": path.Of(path.Key("foo"), path.Index(0)),
		"/":      path.Of(path.Key("")),
		"/a~1b":  path.Of(path.Key("a/b")),
		"/c%d":   path.Of(path.Key("c%d")),
		"/e^f":   path.Of(path.Key("e^f")),
		"/g|h":   path.Of(path.Key("g|h")),
		"/i\\j":  path.Of(path.Key("i\\j")),
		"/k\"l":  path.Of(path.Key("k\"l")),
		"/m~0n":  path.Of(path.Key("m~n")),
		"/\x20":  path.Of(path.Key(" ")),
	} {
		if got, err := path.ParseJSONPointer(pointer); err != nil || got != want {
			t.Errorf("%q: %v, %v", pointer, got, err)
		}
		if got := want.JSONPointer(); got != pointer {
			t.Errorf("%v: %q, not %q", want, got, pointer)
		}
	}
}

func TestParseJSONPointer(t *testing.T) {
	for pointer, want := range map[string]path.Step{
		"/2147483647": path.Index(2147483647), "/2147483648": path.Key("2147483648"), "/00": path.Key("00"), "/01": path.Key("01"),
		"/-": path.Key("-"), "/-1": path.Key("-1"), "/+1": path.Key("+1"), "/1e0": path.Key("1e0"), "/~01": path.Key("~1"), "/~0~1": path.Key("~/"),
	} {
		if want.IsKey() == (pointer == "/2147483647") && path.MaxIndex < 2147483647 {
			continue
		}
		if got, err := path.ParseJSONPointer(pointer); err != nil || got != path.Of(want) {
			t.Errorf("%q: %v, %v", pointer, got, err)
		}
	}
	for pointer, offset := range map[string]int{"a": 0, "/~": 2, "/a/~2": 4, "/a~/0": 3, "~": 0} {
		_, err := path.ParseJSONPointer(pointer)
		if fault := (*path.Error)(nil); !errors.As(err, &fault) || !errors.Is(err, path.ErrSyntax) || fault.Offset != offset {
			t.Errorf("%q: %v, want offset %d", pointer, err, offset)
		}
	}
}

// TestJSONPointerRoundTrip: what is written reads back, but for keys that look like
// indexes; and what is read is written as it was.
func TestJSONPointerRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var steps []path.Step
		for range rapid.IntRange(0, 4).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "key") {
				steps = append(steps, path.Key(rapid.StringMatching(`[a~/\x{ff}-]{0,3}|0[0-9]`).Draw(t, "key")))
			} else {
				steps = append(steps, path.Index(rapid.IntRange(0, path.MaxIndex).Draw(t, "index")))
			}
		}
		p := path.Of(steps...)
		if got, err := path.ParseJSONPointer(p.JSONPointer()); err != nil || got != p {
			t.Fatalf("%v is written as %q, and reads back as %v, %v", p, p.JSONPointer(), got, err)
		}
		text := rapid.StringMatching(`[/~0129a-]{0,6}`).Draw(t, "text")
		if got, err := path.ParseJSONPointer(text); err == nil && got.JSONPointer() != text {
			t.Fatalf("%q is read as %v, and written as %q", text, got, got.JSONPointer())
		}
	})
}

func ExamplePath_JSONPointer() {
	p := path.MustParse(`rules[0]["a/b"]`)
	fmt.Println(p.JSONPointer())
	back, err := path.ParseJSONPointer("/rules/0/a~1b")
	fmt.Println(back, err)
	// Output:
	// /rules/0/a~1b
	// rules[0]["a/b"] <nil>
}
