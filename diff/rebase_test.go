package diff_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

func ExampleDiff_Rebase() {
	base := value.Object(value.Field("size", value.Number(1)), value.Field("zones", value.Array(value.String("a"), value.String("b"))))
	mine := value.Object(value.Field("size", value.Number(2)), value.Field("zones", value.Array(value.String("x"), value.String("a"), value.String("b"))))
	d := diff.Between(base, mine, diff.Options{Arrays: diff.Aligned()})

	// Meanwhile:
	now := value.Object(value.Field("size", value.Number(1)), value.Field("zones", value.Array(value.String("a"))))
	merged, err := d.Rebase(base, now, diff.Options{Arrays: diff.Aligned()})
	fmt.Println(merged.Value, merged.Conflicts, err)
	_, err = d.RebaseWithoutBase(now, diff.Options{Arrays: diff.Aligned()})
	fmt.Println(err)
	// Output:
	// {size: 2, zones: ["x", "a"]} [] <nil>
	// diff: rebase: zones: the base is needed
}

// Without the base, a rebase is what it is with it, or an error for the place that the base
// decides.
func TestRebaseWithoutBase(t *testing.T) {
	read := func(text string) value.Value {
		v, err := codec.DecodeJSONValue(text, codec.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	// secret returns the value with the secret mark on a member.
	secret := func(v value.Value, name string) value.Value {
		v, _ = v.WithField(name, value.Secret(v.Field(name)))
		return v
	}
	aligned := diff.Options{Arrays: diff.Aligned()}
	ruled := diff.Options{ArrayRules: []diff.ArrayRule{{Pattern: path.MustParsePattern("a"), Match: diff.Unordered()}}}

	for _, c := range []struct {
		base, now, v value.Value
		of, with     diff.Options
		want         string // the value and the conflicts
		needed       string // where the base is needed
	}{
		{base: read(`{"a":1,"b":1}`), now: read(`{"a":2,"b":1}`), v: read(`{"a":1,"b":3,"c":4}`), want: `{a: 2, b: 3, c: 4}[]`},
		{base: read(`{"a":1,"b":1}`), now: read(`{"a":2,"b":1}`), v: read(`{"a":3}`), want: `{a: 1}[a: edit: 1; left 2, right 3]`},
		{base: read(`{"a":1}`), now: read(`{"a":2}`), v: read(`{}`), want: `{a: 1}[a: delete: 1; left 2, right nothing]`},
		{base: read(`{"a":1}`), now: read(`{}`), v: read(`{"a":1,"b":2}`), want: `{b: 2}[]`},
		{base: read(`{}`), now: read(`{"a":1}`), v: read(`{"a":1}`), want: `{a: 1}[]`},
		{base: read(`{"a":{"b":1}}`), now: read(`{"a":{"b":2}}`), v: read(`{"a":{"c":3,"b":1}}`), want: `{a: {b: 2, c: 3}}[]`},
		{base: read(`{"a":{"b":1}}`), now: read(`{"a":{"b":2}}`), v: read(`{}`), needed: "a"},
		{base: read(`{"a":{"b":1}}`), now: read(`{"a":{"b":2}}`), v: read(`{"a":[1]}`), needed: "a"},
		{base: read(`{"a":{"b":1}}`), now: read(`{"a":{"b":2}}`), v: secret(read(`{"a":{"b":1}}`), "a"), needed: "a"},
		{base: secret(read(`{"a":{"b":1}}`), "a"), now: secret(read(`{"a":{"b":2}}`), "a"), v: secret(read(`{"a":{"b":1,"c":1}}`), "a"), want: `{a: [secret]}[]`},
		{base: secret(read(`{"a":{"b":1}}`), "a"), now: secret(read(`{"a":{"b":2}}`), "a"), v: read(`{"a":{"b":1}}`), needed: "a"},
		{
			base: secret(read(`{"a":{"b":1,"c":1}}`), "a"), now: read(`{"a":{"b":2,"c":1}}`), v: secret(read(`{"a":{"b":1,"c":1}}`), "a"),
			of: diff.Options{Relation: value.IgnoreSecrets}, needed: "a",
		},

		// By index: the lengths count.
		{base: read(`{"a":[1,2]}`), now: read(`{"a":[1,3]}`), v: read(`{"a":[0,2,4]}`), want: `{a: [0, 3, 4]}[]`},
		{base: read(`{"a":[1,2,3]}`), now: read(`{"a":[4,2,3]}`), v: read(`{"a":[1,2]}`), want: `{a: [4, 2]}[]`},
		{base: read(`{"a":[1,2,3]}`), now: read(`{"a":[1,2,4]}`), v: read(`{"a":[1,2]}`), needed: "a"},
		{base: read(`{"a":[1,2]}`), now: read(`{"a":[1,2,3]}`), v: read(`{"a":[5,2]}`), want: `{a: [5, 2, 3]}[]`},
		{base: read(`{"a":[1,2]}`), now: read(`{"a":[1,2,3]}`), v: read(`{"a":[1,2,4]}`), needed: "a"},
		{base: read(`{"a":[1,2,3]}`), now: read(`{"a":[1,2]}`), v: read(`{"a":[5,2,3]}`), want: `{a: [5, 2]}[]`},
		{base: read(`{"a":[1,2,3]}`), now: read(`{"a":[1,2]}`), v: read(`{"a":[1,2,4]}`), needed: "a"},
		{base: read(`{"a":[1,{"b":2,"c":3}]}`), now: read(`{"a":[1,{"b":4,"c":3}]}`), v: read(`{"a":[0,{"b":2,"c":5}]}`), want: `{a: [0, {b: 4, c: 5}]}[]`},

		// Matched otherwise, by d or by the merge.
		{base: read(`["a","b"]`), now: read(`["x","a","b"]`), v: read(`["q","r"]`), of: aligned, needed: ""},
		{base: read(`["a","b"]`), now: read(`["x","a","b"]`), v: read(`["q","r"]`), of: aligned, with: aligned, needed: ""},
		{base: read(`{"a":[1,2]}`), now: read(`{"a":[1,3]}`), v: read(`{"a":[0,2]}`), with: aligned, needed: "a"},
		{base: read(`{"a":[1,2]}`), now: read(`{"a":[1,3]}`), v: read(`{"a":[0,2]}`), with: ruled, needed: "a"},
		{base: read(`{"a":[1,2],"b":1}`), now: read(`{"a":[1,2],"b":2}`), v: read(`{"a":[3],"b":1}`), of: aligned, with: aligned, want: `{a: [3], b: 2}[]`},
	} {
		d := diff.Between(c.base, c.now, c.of)
		got, err := d.RebaseWithoutBase(c.v, c.with)
		if c.want == "" {
			var e *diff.Error
			if !errors.Is(err, diff.ErrBase) || !errors.As(err, &e) || e.At.String() != c.needed || !got.Value.Identical(c.v) {
				t.Errorf("%v of %v: %v, %v, %v", d, c.v, got.Value, got.Conflicts, err)
			}
			continue
		}
		if text := got.Value.String() + fmt.Sprint(got.Conflicts); err != nil || text != c.want {
			t.Errorf("%v of %v: %s, %v, want %s", d, c.v, text, err, c.want)
		}
		if full, err := d.Rebase(c.base, c.v, c.with); err != nil || !full.Value.Equal(got.Value) || fmt.Sprint(full.Conflicts) != fmt.Sprint(got.Conflicts) {
			t.Errorf("%v of %v: with the base %v, %v, %v", d, c.v, full.Value, full.Conflicts, err)
		}
	}

	if _, err := diff.Between(read(`1`), read(`2`), diff.Options{}).Rebase(read(`3`), read(`1`), diff.Options{}); !errors.Is(err, diff.ErrFit) {
		t.Errorf("%v of a base that it does not fit", err)
	}
}

func TestRebaseWithoutBaseGrows(t *testing.T) {
	kit.Grows(t, "rebase", 10_000, func(n int) func() {
		var old, now []value.Value
		for i := range n {
			old = append(old, value.Object(value.Field("k", value.Number(float64(i)))))
			now = append(now, value.Object(value.Field("k", value.Number(float64(-i)))))
		}
		base := value.Array(old...)
		d := diff.Between(base, value.Array(now...), diff.Options{})
		return func() {
			if m, err := d.RebaseWithoutBase(base, diff.Options{}); err != nil || len(m.Conflicts) > 0 {
				t.Fatal(m.Conflicts, err)
			}
		}
	})
}
