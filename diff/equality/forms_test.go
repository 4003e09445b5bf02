package equality_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"math/big"
	"reflect"
	"strings"
	"testing"

	"github.com/propalg/propalg/internal/test/hostile"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/equality"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// texts generates texts that are nearly equal, and odd ones.
func texts() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.StringOfN(rapid.SampledFrom([]rune("aAkK\u212AsSſßẞΣσςİiIı \t\n\u00a0\u0085")), 0, 3, -1),
		rapid.SampledFrom(hostile.Strings()),
		rapid.SampledFrom([]string{"true", "TRUE", "True", "false", "t", "1", "0"}),
	)
}

// numbers generates texts of numbers, right and wrong.
func numbers() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.StringMatching(`-?(0|[1-9]0{0,2})(\.[01]{1,3})?([eE][+-]?[0-3])?`),
		rapid.StringMatching(`[-+0-2.eE]{0,5}`),
		rapid.SampledFrom(hostile.NumberTexts()),
	)
}

func equal(form func(value.Value) value.Value, a, b value.Value) bool {
	return form(a).Equal(form(b))
}

func TestFoldCaseAgainstEqualFold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := texts().Draw(t, "a"), texts().Draw(t, "b")
		if got, want := equal(equality.FoldCase, value.String(a), value.String(b)), strings.EqualFold(a, b); got != want {
			t.Fatalf("%q and %q: equal is %v, EqualFold %v", a, b, got, want)
		}
	})
}

// TestFoldCaseAndJSONText: two rules at one place make the same texts equal in either order.
func TestFoldCaseAndJSONText(t *testing.T) {
	at := path.MustParsePattern("a")
	fold, text := equality.Rule{Pattern: at, Form: equality.FoldCase}, equality.Rule{Pattern: at, Form: equality.JSONText}
	orders := []*equality.Rules{equality.MustRules(fold, text), equality.MustRules(text, fold)}
	equals := func(r *equality.Rules, a, b string) bool {
		return r.Between(value.Object(value.Field("a", value.String(a))), value.Object(value.Field("a", value.String(b))), diff.Options{}).Empty()
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`{"a": true}`, `{"A":true}`, true},
		{`true`, ` true`, true},
		{`{"B":1,"a":2}`, `{"b":1, "A":2}`, true},
		{`{"B":1,"a":2}`, `{"A":1,"b":2}`, false},
		{`["X\n", null, 1E2]`, `["x\u000a",null,100]`, true},
		{`{"\u0022K":false}`, `{"\"k": false}`, true},
		{`[1, 2]`, `[1,3]`, false},
		{"not JSON", "Not json", true},
	} {
		for i, r := range orders {
			if got := equals(r, c.a, c.b); got != c.want {
				t.Errorf("order %d: %s and %s: %v", i, c.a, c.b, got)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{`"a"`, `"A"`, `"b"`, `"B"`, `"k"`, "\"\u212a\"", `"\n"`})
		document := rapid.Custom(func(t *rapid.T) string {
			space := rapid.SampledFrom([]string{"", " "}).Draw(t, "space")
			names := rapid.SliceOfNDistinct(word, 0, 3, strings.ToLower).Draw(t, "names")
			for i, n := range names {
				names[i] = n + ":" + space + rapid.OneOf(word, rapid.SampledFrom([]string{"1", "1.0", "true", "null"})).Draw(t, "value")
			}
			return "{" + strings.Join(names, space+",") + "}"
		})
		a, b := document.Draw(t, "a"), document.Draw(t, "b")
		if x, y := equals(orders[0], a, b), equals(orders[1], a, b); x != y {
			t.Fatalf("%s and %s: folded first %v, last %v", a, b, x, y)
		}
	})
}

func TestTrimSpaceAgainstStrings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := texts().Draw(t, "a"), texts().Draw(t, "b")
		if got, want := equal(equality.TrimSpace, value.String(a), value.String(b)), strings.TrimSpace(a) == strings.TrimSpace(b); got != want {
			t.Fatalf("%q and %q: equal is %v, not %v", a, b, got, want)
		}
	})
}

func TestBoolText(t *testing.T) {
	for _, text := range []string{"true", "TRUE", "tRuE"} {
		if !equal(equality.BoolText, value.String(text), value.Bool(true)) {
			t.Errorf("%q is not true", text)
		}
	}
	for _, text := range []string{"", "t", "1", "yes", " true"} {
		if x := equality.BoolText(value.String(text)); !x.Identical(value.String(text)) {
			t.Errorf("%q became %v", text, x)
		}
	}
	if !equal(equality.BoolText, value.String("False"), value.Bool(false)) {
		t.Error("False is not false")
	}
}

// TestFormsKeepSecrets: whoever calls a form gets no secret in clear.
func TestFormsKeepSecrets(t *testing.T) {
	for _, form := range []func(value.Value) value.Value{equality.FoldCase, equality.TrimSpace, equality.BoolText, equality.NumberText, equality.JSONText} {
		for _, v := range []value.Value{value.String(" a"), value.String("true"), value.String("1.0"), value.Number(1), value.String("[1.0]")} {
			if x := form(value.Secret(v)); !x.IsSecret() {
				t.Errorf("a secret %v became %v", v, x)
			}
		}
	}
}

// rational returns the exact number that a text in JSON's grammar is, unless its exponent
// is absurd.
func rational(s string) (*big.Rat, bool) {
	if !json.Valid([]byte(s)) || strings.Trim(s, "+-.0123456789eE") != "" || s == "" {
		return nil, false
	}
	if i := strings.IndexAny(s, "eE"); i >= 0 && len(s)-i > 6 {
		return nil, false
	}
	return new(big.Rat).SetString(s)
}

func TestNumberTextAgainstRationals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := numbers().Draw(t, "a"), numbers().Draw(t, "b")
		want := a == b
		x, isNumber := rational(a)
		y, too := rational(b)
		if isNumber && too {
			want = x.Cmp(y) == 0
		} else if strings.ContainsAny(a+b, "eE") && len(a)+len(b) > 8 {
			return // one may be a number with an absurd exponent, and so may the other
		}
		if got := equal(equality.NumberText, value.String(a), value.String(b)); got != want {
			t.Fatalf("%q and %q: equal is %v, not %v", a, b, got, want)
		}
	})
	for _, odd := range []float64{math.NaN(), math.Inf(1)} {
		if x := equality.NumberText(value.Number(odd)); !x.Identical(value.Number(odd)) {
			t.Errorf("%v became %v", odd, x)
		}
	}
	for text, number := range map[string]float64{"1.0": 1, "10e-1": 1, "0.1": 0.1, "-0": 0, "1e21": 1e21, "5e-324": 5e-324} {
		if !equal(equality.NumberText, value.String(text), value.Number(number)) {
			t.Errorf("%q is not %v", text, number)
		}
	}
	for _, same := range [][2]string{{"0e99999999999", "0"}, {"1e2147483648", "1e2147483648"}, {"-1E+05", "-100000"}} {
		if !equal(equality.NumberText, value.String(same[0]), value.String(same[1])) {
			t.Errorf("%q is not %q", same[0], same[1])
		}
	}
}

// parsed returns what encoding/json makes of a text, with exact numbers, and false for one
// that is not JSON as [equality.JSONText] has it.
func parsed(s string) (any, bool) {
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	v, ok := tokens(d)
	if _, err := d.Token(); err != io.EOF || !ok || strings.Contains(s, `\ud`) {
		return nil, false
	}
	return v, true
}

func tokens(d *json.Decoder) (any, bool) {
	t, err := d.Token()
	if err != nil {
		return nil, false
	}
	switch t := t.(type) {
	case json.Number:
		if r, ok := rational(t.String()); ok {
			return r.String(), true
		}
		return t, true
	case json.Delim:
		object := map[string]any{}
		array := []any{}
		for d.More() {
			if t == '{' {
				name, err := d.Token()
				text, isText := name.(string)
				_, twice := object[text]
				v, ok := tokens(d)
				if err != nil || !isText || twice || !ok {
					return nil, false
				}
				object[text] = v
				continue
			}
			v, ok := tokens(d)
			if !ok {
				return nil, false
			}
			array = append(array, v)
		}
		if _, err := d.Token(); err != nil {
			return nil, false
		}
		if t == '{' {
			return object, true
		}
		return array, true
	}
	return t, true
}

// jsonTexts generates JSON in many spellings, some broken.
func jsonTexts() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var b bytes.Buffer
		space := func() { b.WriteString(rapid.SampledFrom([]string{"", "", " ", "\n\t"}).Draw(t, "space")) }
		quoted := func() {
			b.WriteString(rapid.SampledFrom([]string{`"a"`, `"\u0061"`, `"b"`, `"\/"`, `"/"`, `"<"`, `"\u003c"`, `""`, `"é"`, `"\u2028"`}).Draw(t, "text"))
		}
		var write func(depth int)
		write = func(depth int) {
			space()
			switch kind := rapid.IntRange(0, 9).Draw(t, "kind"); {
			case kind < 3 && depth < 3:
				b.WriteByte('{')
				for i := range rapid.IntRange(0, 3).Draw(t, "members") {
					if i > 0 {
						b.WriteByte(',')
					}
					space()
					quoted()
					space()
					b.WriteByte(':')
					write(depth + 1)
				}
				b.WriteByte('}')
			case kind < 5 && depth < 3:
				b.WriteByte('[')
				for i := range rapid.IntRange(0, 3).Draw(t, "elements") {
					if i > 0 {
						b.WriteByte(',')
					}
					write(depth + 1)
				}
				b.WriteByte(']')
			case kind == 5:
				quoted()
			case kind == 6:
				b.WriteString(rapid.SampledFrom([]string{"1", "1.0", "10e-1", "0", "-0", "0.1", "1e-1"}).Draw(t, "number"))
			case kind == 7:
				b.WriteString(rapid.SampledFrom([]string{"true", "false", "null"}).Draw(t, "literal"))
			default:
				b.WriteString(rapid.SampledFrom([]string{"1", `"a"`, "{}", "[]"}).Draw(t, "common"))
			}
			space()
		}
		write(0)
		if rapid.IntRange(0, 9).Draw(t, "broken") == 0 {
			b.Truncate(rapid.IntRange(0, b.Len()).Draw(t, "cut"))
		}
		return b.String()
	})
}

func TestJSONTextAgainstEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := jsonTexts().Draw(t, "a"), jsonTexts().Draw(t, "b")
		want := a == b
		x, isJSON := parsed(a)
		y, too := parsed(b)
		if isJSON && too {
			want = reflect.DeepEqual(x, y)
		}
		if got := equal(equality.JSONText, value.String(a), value.String(b)); got != want {
			t.Fatalf("%q and %q: equal is %v, not %v", a, b, got, want)
		}
		once := equality.JSONText(value.String(a))
		if twice := equality.JSONText(once); !twice.Equal(once) {
			t.Fatalf("%v became %v", once, twice)
		}
	})
	if !equal(equality.JSONText, value.String(`{"a":1,"b":{"d":[],"c":2}}`), value.String(`{"b":{"c":2.0,"d":[ ]},"a":1}`)) {
		t.Error("the order of members counts")
	}
	for _, alone := range []string{"", " ", "{", `{"a":1,"a":1}`, "1 2", `"\ud800"`, "\"\xff\"", strings.Repeat("[", 600) + strings.Repeat("]", 600)} {
		if x := equality.JSONText(value.String(alone)); !x.Identical(value.String(alone)) {
			t.Errorf("%.20q became %v", alone, x)
		}
	}
}
