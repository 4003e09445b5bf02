package digits_test

import (
	"slices"
	"testing"

	"github.com/propalg/propalg/cmd/propalg/internal/digits"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/value"
)

// side decodes a bag.
func side(t *testing.T, text string) digits.Side {
	t.Helper()

	var r codec.Report

	v, err := codec.DecodeJSON(text, codec.Options{RoundNumbers: true, Report: &r})
	if err != nil {
		t.Fatal(err)
	}

	return digits.Side{Value: v, Report: &r}
}

func TestCompare(t *testing.T) {
	const secret = `{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","plaintext":`

	for _, row := range []struct {
		old, now string
		aligned  bool
		want     []string
	}{
		{`{"a":1}`, `{"a":2}`, false, nil},
		{`{"a":9007199254740993}`, `{"a":9007199254740993}`, false, nil},
		{`{"a":9007199254740993}`, `{"a":9007199254740992}`, false, []string{"a: 9007199254740993 => 9007199254740992  # differs in digits that a double cannot hold"}},
		{`{"a":9007199254740993}`, `{"a":9007199254740995}`, false, nil}, // which the doubles show
		{`{"a":9007199254740993}`, `{"a":"x"}`, false, nil},
		{`{"a":9007199254740993}`, `{}`, false, nil},
		{`{"a":` + secret + `"9007199254740993"}}`, `{"a":` + secret + `"9007199254740992"}}`, false, []string{"a: [secret] => [secret]  # differs in digits that a double cannot hold"}},
		{`{"a":[1,9007199254740993]}`, `{"a":[9007199254740992,1]}`, true, []string{
			"a[1]: 9007199254740993  # may differ in digits that a double cannot hold",
		}},
	} {
		o := diff.Options{}
		if row.aligned {
			o.Arrays = diff.Aligned()
		}

		between := func(old, now value.Value) diff.Diff { return diff.Between(old, now, o) }
		old, now := side(t, row.old), side(t, row.now)
		d := digits.Compare(between(old.Value, now.Value), old, now, digits.Options{Between: between, ByIndex: !row.aligned})

		var got []string

		for _, l := range d.Lines(render.Options{}) {
			text := ""
			for _, s := range l.Spans {
				text += s.Text
			}

			got = append(got, text)
		}

		slices.Sort(got)

		if !slices.Equal(got, row.want) {
			t.Errorf("%s %s:\n got %q\nwant %q", row.old, row.now, got, row.want)
		}
	}
}
