package patch_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/value"
)

func TestReadMergePatch(t *testing.T) {
	for _, c := range []struct{ base, text, want string }{
		// The examples of RFC 7396, appendix A.
		{`{"a":"b"}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":"b"}`, `{"b":"c"}`, `{"a":"b","b":"c"}`},
		{`{"a":"b"}`, `{"a":null}`, `{}`},
		{`{"a":"b","b":"c"}`, `{"a":null}`, `{"b":"c"}`},
		{`{"a":["b"]}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":"c"}`, `{"a":["b"]}`, `{"a":["b"]}`},
		{`{"a":{"b":"c"}}`, `{"a":{"b":"d","c":null}}`, `{"a":{"b":"d"}}`},
		{`{"a":[{"b":"c"}]}`, `{"a":[1]}`, `{"a":[1]}`},
		{`["a","b"]`, `["c","d"]`, `["c","d"]`},
		{`{"a":"b"}`, `["c"]`, `["c"]`},
		{`{"a":"foo"}`, `null`, `null`},
		{`{"a":"foo"}`, `"bar"`, `"bar"`},
		{`{"e":null}`, `{"a":1}`, `{"e":null,"a":1}`},
		{`[1,2]`, `{"a":"b","c":null}`, `{"a":"b"}`},
		{`{}`, `{"a":{"bb":{"ccc":null}}}`, `{"a":{"bb":{}}}`},
		{`{"a":1}`, `{"a":[{"b":null}]}`, `{"a":[{"b":null}]}`},
	} {
		base, err := codec.DecodeJSONValue(c.base, codec.Options{})
		if err != nil {
			t.Fatal(err)
		}
		d, err := patch.ReadMergePatch(c.text, base, patch.Options{})
		if err != nil {
			t.Fatal(err)
		}
		now, err := d.Apply(base)
		if got, _ := codec.AppendJSONValue(nil, now, codec.Options{}); err != nil || string(got) != canonical(t, c.want) {
			t.Errorf("%s of %s: %s, %v, want %s", c.text, c.base, got, err, c.want)
		}
	}

	for _, c := range []struct{ text, want string }{
		{`{"a":1.0,"out":7,"object":{"o":8}}`, ``},
		{`{"object":{"o":9}}`, `~ object.o: 8 => 9`},
		{`{"deep":{"s":6}}`, `~ deep.s: [secret] => [secret]`},
		{`{"secret":{"b":{"c":1}}}`, `+ secret: [secret]`},
		{`{"secret":1}`, `~ secret: [secret] => [secret]`},
		{`{"few":[1,3]}`, `~ few[1]: [secret] => [secret]`},
		{`{"few":{"x":1}}`, "~ few: [secret] => [secret]  # becomes secret"},
		{`{"unknown":5,"file":null}`, "- file: asset(text:2d71164)\n~ unknown: [unknown] => 5"},
	} {
		d, err := patch.ReadMergePatch(c.text, readBase(), patch.Options{})
		if err != nil || !strings.HasPrefix(d.String(), c.want) || (c.want == "" && !d.Empty()) {
			t.Errorf("%s: %v, %v, want %s", c.text, d, err, c.want)
		}
	}

	for _, c := range []struct {
		base       value.Value
		text, want string
		cause      error
	}{
		{readBase(), `{"a":1,}`, "patch: read merge patch: offset 7: syntax error", codec.ErrSyntax},
		{readBase(), `{"a":1,"a":1}`, "offset 7: duplicate member name", codec.ErrDuplicate},
		{readBase(), `{"unknown":{"a":1}}`, "patch: read merge patch: unknown: does not fit: expected an object or a plain value, found unknown", diff.ErrFit},
		{readBase(), `{"file":{"text":"y"}}`, "file: does not fit: expected an object or a plain value, found asset", diff.ErrFit},
		{value.Secret(obj("k", str("\xff"))), `{"k":{"a":1}}`, "patch: read merge patch: [secret]: does not fit", diff.ErrFit},
		{obj("k", value.Secret(value.TextAsset("canary"))), `{"k":{"a":1}}`, "patch: read merge patch: k: does not fit", diff.ErrFit},
	} {
		d, err := patch.ReadMergePatch(c.text, c.base, patch.Options{})
		if !errors.Is(err, c.cause) || !strings.Contains(err.Error(), c.want) || !d.Empty() || (c.base.ContainsSecret() && c.base.Len() == 1 && strings.Contains(err.Error(), "found")) {
			t.Errorf("%s: %v, %v", c.text, d, err)
		}
	}
}

func canonical(t *testing.T, text string) string {
	t.Helper()
	v, err := codec.DecodeJSONValue(text, codec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	out, err := codec.AppendJSONValue(nil, v, codec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestReadMergePatchGrows(t *testing.T) {
	kit.Grows(t, "members", 10_000, func(n int) func() {
		var members []value.Member
		var b strings.Builder
		for i := range n {
			members = append(members, value.Field("k"+strconv.Itoa(i), num(1)))
			b.WriteString(`,"k` + strconv.Itoa(i+n/2) + `":{"x":2}`)
		}
		base, text := value.Object(members...), "{"+b.String()[1:]+"}"
		return func() {
			if _, err := patch.ReadMergePatch(text, base, patch.Options{}); err != nil {
				t.Fatal(err)
			}
		}
	})
}
