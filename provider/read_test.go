package provider_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/equality"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
)

// read reads a row's JSON, in which {"!": x} is a secret, and "" null.
func read(t *testing.T, text string) value.Value {
	t.Helper()
	if text == "" {
		return value.Value{}
	}
	v, err := codec.DecodeJSONValue(text, codec.Options{})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	v, err = v.Transform(func(c *value.Cursor) (value.Value, error) {
		if x, ok := c.Value().Lookup("!"); ok {
			return value.Secret(x), nil
		}
		return c.Value(), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// readSchema describes resources whose outputs are all properties that the state has more.
const readSchema = `{"name":"p","resources":{"p::R":{
	"inputProperties":{
		"a":{"type":"integer"},"b":{"type":"integer"},"pw":{"type":"string","secret":true},"hidden":{"$ref":"#/types/p::Other","secret":true},
		"tags":{"type":"object","additionalProperties":{"type":"integer"}},
		"spec":{"$ref":"#/types/p::Spec"},
		"specs":{"type":"object","additionalProperties":{"$ref":"#/types/p::Spec"}},
		"rules":{"type":"array","items":{"$ref":"#/types/p::Spec"}},
		"one":{"oneOf":[{"type":"string"},{"$ref":"#/types/p::Spec"},{"$ref":"#/types/p::Other"}]},
		"free":{"$ref":"pulumi.json#/Any"}}}},
	"types":{
		"p::Spec":{"type":"object","properties":{"a":{"type":"integer"},"p":{"type":"integer"},"key":{"type":"string","secret":true},"rules":{"type":"array","items":{"$ref":"#/types/p::Spec"}}}},
		"p::Other":{"type":"object","properties":{"o":{"type":"integer"}}}}}`

func fromReadSchema(t testing.TB) provider.Differ {
	t.Helper()
	p, err := schema.Read([]byte(readSchema), schema.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, _ := p.Resource("p::R")
	d, err := provider.FromSchema(r)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// The Differs of rows.
var (
	positional, aligned = provider.Differ{}, provider.Differ{Arrays: diff.Aligned()}
	set, keyed          = provider.Differ{Arrays: diff.Unordered()}, provider.Differ{Arrays: diff.Keyed(path.MustParse("k"))}
	tagged              = provider.Differ{Maps: patterns("tags", "list[*].m")}
	spaced              = provider.Differ{Equality: equality.MustRules(equality.Rule{Pattern: path.MustParsePattern("policy"), Form: equality.JSONText})}
	fold                = provider.Differ{Arrays: diff.Unordered(), Equality: equality.MustRules(
		equality.Rule{Pattern: path.MustParsePattern("[**]"), Form: equality.FoldCase})}
)

// readRow is what ReadInputs makes of a drift.
type readRow struct {
	d                       provider.Differ
	inputs, old, now, wants string
}

const same = "same" // that the old inputs stay

func checkReadRows(t *testing.T, rows []readRow) {
	t.Helper()

	for _, row := range rows {
		inputs, old, now := read(t, row.inputs), read(t, row.old), read(t, row.now)
		want := inputs
		if row.wants != same {
			want = read(t, row.wants)
		}
		got, err := row.d.ReadInputs(inputs, old, now)
		if err != nil || !got.Identical(want) {
			t.Errorf("%s, %s to %s: got %s, %v; want %s", row.inputs, row.old, row.now, shown(got), err, row.wants)
			continue
		}
		if again, err := row.d.ReadInputs(got, now, now); err != nil || (!again.Identical(got) && !now.IsNull()) {
			t.Errorf("%s, %s to %s: then %s, %v", row.inputs, row.old, row.now, shown(again), err)
		}
	}
}

// TestReadInputs: what changed in the state does so in the inputs.
func TestReadInputs(t *testing.T) {
	typed := fromReadSchema(t)
	checkReadRows(t, []readRow{
		{positional, `{"a":1}`, `{"a":1,"id":"x"}`, `{"a":1,"id":"x"}`, same},
		{positional, `{"name":"Example.com"}`, `{"name":"example.com"}`, `{"name":"example.com"}`, same},
		{positional, `{"size":1}`, `{"size":1,"arn":"r"}`, `{"size":2,"arn":"s"}`, `{"size":2}`},
		{positional, `{"spec":{"a":1}}`, `{"spec":{"a":1,"uid":"x"}}`, `{"spec":{"a":2,"uid":"y"}}`, `{"spec":{"a":2}}`},
		{positional, `{"a":1,"b":2}`, `{"a":1,"b":2}`, `{"a":1}`, `{"a":1}`},
		{positional, `{"a":1}`, `{"a":1,"b":0}`, `{"a":1,"b":5}`, same},
		{typed, `{"a":1}`, `{"a":1,"b":0}`, `{"a":1,"b":5}`, `{"a":1,"b":5}`},
		{positional, `{"tags":{"x":1}}`, `{"tags":{"x":1}}`, `{"tags":{"x":1,"y":2}}`, same},
		{tagged, `{"tags":{"x":1}}`, `{"tags":{"x":1}}`, `{"tags":{"x":1,"y":2}}`, `{"tags":{"x":1,"y":2}}`},
		{typed, `{"tags":{"x":1}}`, `{"tags":{"x":1}}`, `{"tags":{"x":1,"y":2}}`, `{"tags":{"x":1,"y":2}}`},
		{positional, `{"rules":[{"p":1}]}`, `{"rules":[{"p":1,"id":"i"}]}`, `{"rules":[{"p":1,"id":"i"},{"p":2,"id":"j"}]}`, `{"rules":[{"p":1},{"p":2}]}`},
		{typed, `{"rules":[{"p":1}]}`, `{"rules":[{"p":1,"id":"i"}]}`, `{"rules":[{"p":1,"id":"i"},{"p":2,"id":"j"}]}`, `{"rules":[{"p":1},{"p":2}]}`},
		{set, `{"values":["a","b"]}`, `{"values":["a","b"]}`, `{"values":["b","a"]}`, same},
		{positional, `{"list":["a"]}`, `{"list":["a","default"]}`, `{"list":["b","default"]}`, `{"list":["b"]}`},
		{aligned, `{"list":["a"]}`, `{"list":["a","default"]}`, `{"list":["b","default"]}`, `{"list":["b"]}`},
		{set, `{"list":["a"]}`, `{"list":["a","default"]}`, `{"list":["b","default"]}`, `{"list":["b"]}`},
		{positional, `{"pw":{"!":"x"}}`, `{"pw":"x"}`, `{"pw":"y"}`, `{"pw":{"!":"y"}}`},
		{positional, `{"k":"a"}`, `{"k":"a"}`, `{"k":{"!":"b"}}`, `{"k":{"!":"b"}}`},
		{positional, `{"l":[{"!":"a"}]}`, `{"l":[{"!":"a"}]}`, `{"l":["z","a"]}`, `{"l":[{"!":"z"},{"!":"a"}]}`},
		{aligned, `{"l":[{"!":"a"}]}`, `{"l":[{"!":"a"}]}`, `{"l":["z","a"]}`, `{"l":[{"!":"z"},{"!":"a"}]}`},
		{spaced, `{"policy":"{\"a\":1}"}`, `{"policy":"{ \"a\": 1 }"}`, `{"policy":"{\"a\": 1}"}`, same},
		{positional, `{"password":"w"}`, `{}`, `{}`, same},
		{typed, "", "", `{"a":1,"uid":"x","pw":"s","b":null}`, `{"a":1,"pw":{"!":"s"}}`},
	})
}

// TestReadInputsMarks: what is secret on a side stays so.
func TestReadInputsMarks(t *testing.T) {
	typed := fromReadSchema(t)
	checkReadRows(t, []readRow{
		{positional, `{"k":"A"}`, `{"k":"a"}`, `{"k":{"!":"a"}}`, `{"k":{"!":"A"}}`},
		{positional, `{"k":"a"}`, `{"k":{"!":"a"}}`, `{"k":"b"}`, `{"k":{"!":"b"}}`},
		{positional, `{"o":{"k":1,"w":1}}`, `{"o":{"k":1,"id":1}}`, `{"o":{"!":{"k":1,"id":1}}}`, `{"o":{"!":{"k":1,"w":1}}}`},
		{positional, `{"o":{"k":1,"w":1}}`, `{"o":{"!":{"k":1}}}`, `{"o":{"k":2}}`, `{"o":{"k":{"!":2},"w":1}}`},
		{positional, `{"l":[{"!":"a"},"b"]}`, `{"l":["a","b"]}`, `{"l":["b","a"]}`, `{"l":[{"!":"b"},{"!":"a"}]}`},
		{positional, `{"l":[{"p":{"!":1}}]}`, `{"l":[{"p":1}]}`, `{"l":[{"p":1},{"p":2}]}`, `{"l":[{"p":{"!":1}},{"p":{"!":2}}]}`},
		{positional, `{"l":[{"p":{"!":1}}]}`, `{"l":[{"p":1}]}`, `{"l":["1"]}`, `{"l":[{"!":"1"}]}`},
		{positional, `{"o":{"p":{"!":1}}}`, `{"o":"1"}`, `{"o":"2"}`, `{"o":{"!":"2"}}`},
		{typed, `{"pw":"a"}`, `{"pw":"a"}`, `{"pw":"b"}`, `{"pw":{"!":"b"}}`},
		{typed, `{"spec":{"key":"a"}}`, `{"spec":{"key":"a"}}`, `{"spec":{"key":"b"}}`, `{"spec":{"key":{"!":"b"}}}`},
		{typed, `{"rules":[]}`, `{"rules":[]}`, `{"rules":[{"p":1,"key":"k","id":1}]}`, `{"rules":[{"p":1,"key":{"!":"k"}}]}`},
		{tagged, `{"tags":{"x":{"!":1}}}`, `{"tags":{"x":1}}`, `{"tags":{"x":1,"y":2}}`, `{"tags":{"x":{"!":1},"y":{"!":2}}}`},
		{tagged, `{"tags":{"x":{"!":1},"y":2}}`, `{"tags":{"x":1,"y":2}}`, `{"tags":{"x":1,"y":3}}`, `{"tags":{"x":{"!":1},"y":3}}`},
	})
}

// TestReadInputsElements: elements are found by the ways of the Differ.
func TestReadInputsElements(t *testing.T) {
	checkReadRows(t, []readRow{
		{aligned, `{"l":["b","a"]}`, `{"l":["a","b"]}`, `{"l":["a","b","c"]}`, `{"l":["b","c","a"]}`},
		{aligned, `{"l":["a","b","c"]}`, `{"l":["a","b","c"]}`, `{"l":["c","a","b"]}`, `{"l":["c","a","b"]}`},
		{aligned, `{"l":[{"p":1},{"p":2}]}`, `{"l":[{"p":1,"id":1},{"p":2,"id":2}]}`, `{"l":[{"p":2,"id":2}]}`, `{"l":[{"p":2}]}`},
		{aligned, `{"l":[{"p":1}]}`, `{"l":[{"p":1,"id":1},{"p":2,"id":2}]}`, `{"l":[{"p":1,"id":1},{"p":2,"id":3}]}`, same},
		{keyed, `{"l":[{"k":1,"v":1},{"k":2,"v":2}]}`, `{"l":[{"k":2,"v":2,"id":2},{"k":1,"v":1,"id":1}]}`, `{"l":[{"k":3,"v":3},{"k":1,"v":9,"id":1},{"k":2,"v":2,"id":2}]}`, `{"l":[{"k":3,"v":3},{"k":1,"v":9},{"k":2,"v":2}]}`},
		{set, `{"l":["a","b"]}`, `{"l":["b","a"]}`, `{"l":["c","b"]}`, `{"l":["c","b"]}`},
		{fold, `{"l":["A","B"]}`, `{"l":["b","a"]}`, `{"l":["a","c","b"]}`, `{"l":["A","c","B"]}`},
		{positional, `{"l":["a","b"]}`, `{"l":["a"]}`, `{"l":["a","c"]}`, `{"l":["a","c"]}`},
		{positional, `{"l":[{"p":1},{"p":2}]}`, `{"l":[{"p":1,"id":1}]}`, `{"l":[{"p":1,"id":2}]}`, same},
		{positional, `{"l":[{"p":1},{"q":1}]}`, `{"l":[{"p":1},{"q":1}]}`, `{"l":[{"p":1},{"q":1},{"p":1,"q":1,"r":1}]}`, `{"l":[{"p":1},{"q":1},{"p":1,"q":1}]}`},
		{tagged, `{"list":[{"m":{}}]}`, `{"list":[{"m":{}}]}`, `{"list":[{"m":{"x":1}}]}`, `{"list":[{"m":{"x":1}}]}`},

		{positional, `{"l":[{"a":1,"w":1},{"a":2}]}`, `{"l":[{"a":1}]}`, `{"l":[{"a":3}]}`, `{"l":[{"a":3}]}`},
	})
}

// TestReadInputsMembers: what is missing, or of other kinds.
func TestReadInputsMembers(t *testing.T) {
	typed := fromReadSchema(t)
	checkReadRows(t, []readRow{
		{positional, `{"o":{"a":1,"w":2}}`, `{}`, `{"o":{"a":3,"id":4}}`, `{"o":{"a":3,"w":2}}`},
		{positional, `{"o":{"a":1,"w":2}}`, `{"o":{"a":1}}`, `{}`, `{}`},
		{positional, `{"o":"x"}`, `{"o":{"id":1}}`, `{"o":{"id":2}}`, same},
		{positional, `{"o":"x"}`, `{"o":"x"}`, `{"o":{"id":2}}`, `{"o":{}}`},
		{typed, `{}`, `{"spec":{"a":1,"uid":1}}`, `{"spec":{"a":1,"uid":2}}`, same},
		{typed, `{}`, `{"spec":{"a":1,"p":1,"uid":1}}`, `{"spec":{"a":2,"p":1,"uid":2}}`, `{"spec":{"a":2,"p":1}}`},
		{typed, `{}`, `{}`, `{"one":{"o":1,"a":1,"x":1},"free":{"x":[1]},"specs":{"y":{"a":1,"x":1,"rules":[{"p":1,"x":1}]}}}`, `{"one":{"o":1,"a":1},"free":{"x":[1]},"specs":{"y":{"a":1,"rules":[{"p":1}]}}}`},
		{positional, `{"a":null}`, `{"a":1}`, `{"a":2}`, `{"a":2}`},
		{positional, `{"a":1}`, `{"a":1}`, `{"a":null}`, `{}`},
		{positional, `{"a":1}`, "", `{"a":2,"b":1}`, `{"a":2}`},
		{positional, `{"a":1}`, `{"a":1}`, "", ""},
	})
}

// shown returns the text of a value with the secrets of a row.
func shown(v value.Value) string {
	text, err := codec.AppendJSONValue(nil, v, codec.Options{})
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func TestReadInputsErrors(t *testing.T) {
	a := func(v value.Value) value.Value { return obj("a", v) }
	secret := a(sec(obj("b", value.Unknown())))
	for _, row := range []struct {
		in, old, now value.Value
		want         string
	}{
		{value.Value{}, a(num(1)), a(num(1)), "provider: read inputs: no old inputs, and no schema that says which outputs are inputs (see FromSchema)"},
		{a(arr(num(1), value.Unknown())), a(num(1)), a(num(1)), "provider: read inputs: old inputs: a[1]: value not known yet"},
		{secret, a(num(1)), a(num(1)), "provider: read inputs: old inputs: a[secret]: value not known yet"},
		{a(num(1)), a(value.Unknown()), a(num(1)), "provider: read inputs: old state: a: value not known yet"},
		{a(num(1)), a(num(1)), value.Unknown(), "provider: read inputs: new state: value not known yet"},
	} {
		got, err := provider.Differ{}.ReadInputs(row.in, row.old, row.now)
		if err == nil || err.Error() != row.want || !got.IsNull() {
			t.Errorf("got %v, %v; want %s", got, err, row.want)
		}
		if strings.Contains(row.want, "not known") && !errors.Is(err, value.ErrUnknown) {
			t.Errorf("%v does not wrap ErrUnknown", err)
		}
	}
}

// TestReadInputsAllocatesNothing if nothing changed.
func TestReadInputsAllocatesNothing(t *testing.T) {
	inputs := read(t, `{"spec":{"a":1},"rules":[{"p":1},{"p":2}]}`)
	old, now := read(t, `{"spec":{"a":1,"id":1},"rules":[{"p":1},{"p":2}],"b":null}`), read(t, `{"spec":{"a":1,"id":1},"rules":[{"p":1},{"p":2}]}`)
	for _, d := range []provider.Differ{{}, {Arrays: diff.Aligned()}, {Arrays: diff.Unordered(), Equality: equality.MustRules(equality.Rule{Pattern: path.MustParsePattern("spec.a"), Form: equality.FoldCase})}, fromReadSchema(t)} {
		if n := testing.AllocsPerRun(100, func() {
			if got, err := d.ReadInputs(inputs, old, now); err != nil || !got.Identical(inputs) {
				t.Fatal(err)
			}
		}); n > 0 {
			t.Errorf("%v allocations", n)
		}
	}
}

// TestReadInputsFindsElements in another order although outputs are beside what they are found by.
func TestReadInputsFindsElements(t *testing.T) {
	const n = 100
	element := func(i int, outputs ...any) value.Value {
		return obj(append(outputs, "p", num(float64(i)), "q", str("the same"))...)
	}
	var inputs, old, now, want []value.Value
	for i := range n {
		inputs = append(inputs, element(n-1-i))
		old = append(old, element(i, "id", num(float64(-i)), "uid", num(float64(i%7)), "at", str("x")))
		now = append(now, element(i, "id", num(float64(-i)), "uid", num(float64(i%7)), "at", str("y")))
	}
	want = append(want, inputs...)
	now[3] = obj("p", num(3), "q", str("other"), "id", num(-3), "uid", num(3), "at", str("y"))
	want[n-1-3] = obj("p", num(3), "q", str("other"))

	list := func(elems []value.Value) value.Value { return obj("l", arr(elems...)) }
	for _, how := range []diff.Match{diff.Aligned(), diff.Unordered(), diff.Auto(), diff.Keyed(path.MustParse("id")), diff.Keyed(path.MustParse("p"))} {
		got, err := provider.Differ{Arrays: how}.ReadInputs(list(inputs), list(old), list(now))
		if err != nil || !got.Identical(list(want)) {
			t.Errorf("%v: %s, %v", how, shown(got), err)
		}
	}
}

// TestReadInputsGrows: the time grows as the values do.
func TestReadInputsGrows(t *testing.T) {
	grows := func(what string, d provider.Differ, values func(n int) (in, old, now value.Value)) {
		kit.Grows(t, what, 500, func(n int) func() {
			in, old, now := values(n)
			return func() {
				if _, err := d.ReadInputs(in, old, now); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	elements := func(n int, members ...any) value.Value {
		all := make([]value.Value, n)
		for i := range all {
			all[i] = obj(append(members, "p", num(float64(i)), "l", arr(obj("q", num(float64(i)))))...)
		}
		return arr(all...)
	}
	list := func(n int) (in, old, now value.Value) {
		return obj("rules", elements(n)), obj("rules", elements(n, "id", num(1))), obj("rules", elements(2*n, "id", num(2)))
	}
	for _, how := range []diff.Match{diff.Positional(), diff.Aligned(), diff.Unordered()} {
		grows("elements, "+how.String(), provider.Differ{Arrays: how}, list)
		d := fromReadSchema(t)
		d.Arrays = how
		grows("elements by the schema, "+how.String(), d, list)
	}
	entries := func(n int) value.Value {
		var all []value.Member
		for i := range n {
			all = append(all, value.Field(strconv.Itoa(i), obj("p", sec(num(1)), "l", elements(2))))
		}
		return obj("specs", value.Object(all...))
	}
	entriesOf := func(n int) (in, old, now value.Value) { return entries(n), entries(n), entries(2 * n) }
	grows("entries", provider.Differ{Maps: patterns("specs")}, entriesOf)
	grows("entries by the schema", fromReadSchema(t), entriesOf)
	grows("levels", provider.Differ{}, func(n int) (in, old, now value.Value) {
		return kit.Nested(n, num(1)), kit.Nested(n, num(1)), kit.Nested(n, num(2))
	})
}

// TestDriftBySchema: with a schema, drift is at inputs that the program has, whether the schema
// has them or not, and new entries of maps.
func TestDriftBySchema(t *testing.T) {
	d := fromReadSchema(t)
	d.Drift = true
	inputs := read(t, `{"hidden":{"o":1},"pw":"s","spec":{"a":1,"unknown":1},"tags":{"x":1},"rules":[{"p":1}]}`)
	state := read(t, `{"hidden":{"o":1},"pw":"s","spec":{"a":2,"p":7,"uid":"x","unknown":1},"tags":{"x":1,"y":2},"rules":[{"p":1,"id":1}],"b":3}`)
	got := d.Compare(provider.Sides{OldInputs: inputs, OldState: state, News: inputs}).Drift()
	if want := "~ spec.a: 2 => 1\n- tags.y: 2"; got.String() != want {
		t.Errorf("%v, want %s", got, want)
	}
}
