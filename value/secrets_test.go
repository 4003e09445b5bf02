package value_test

import (
	"slices"
	"testing"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

func patterns(t testing.TB, texts ...string) *path.Set {
	t.Helper()
	var ps []path.Pattern
	for _, text := range texts {
		p, err := path.ParsePattern(text)
		if err != nil {
			t.Fatal(err)
		}
		ps = append(ps, p)
	}
	return path.NewSet(ps...)
}

func TestSecretPaths(t *testing.T) {
	for i, v := range hosts(t) {
		var want []path.Path
		for c := range v.Walk() {
			if p := c.Path(); c.Value().IsSecret() && !above(v, p, value.Value.IsSecret) {
				want = append(want, p)
			}
		}
		if got := slices.Collect(value.SecretPaths(v)); !slices.Equal(got, want) {
			t.Errorf("value %d: secrets at %v, want %v", i, got, want)
		}
		if (len(want) > 0) != v.ContainsSecret() {
			t.Errorf("value %d: ContainsSecret is %v", i, v.ContainsSecret())
		}
	}
	n := 0
	for range value.SecretPaths(sample()) {
		if n++; n == 2 {
			break
		}
	}
}

func TestMarkSecretTable(t *testing.T) {
	one, null := num(1), value.Null()
	rows := []struct {
		patterns []string
		v, want  value.Value
	}{
		{nil, sample(), sample()},
		{[]string{""}, one, value.Secret(one)},
		{[]string{"a.b"}, object(member("a", object(member("b", one), member("c", one)))), object(member("a", object(member("b", value.Secret(one)), member("c", one))))},
		{[]string{"[*].b"}, value.Array(object(member("b", one)), one, object(member("b", one))), value.Array(object(member("b", value.Secret(one))), one, object(member("b", value.Secret(one))))},
		{[]string{"[*]", "[*].b"}, object(member("a", object(member("b", one)))), object(member("a", value.Secret(object(member("b", value.Secret(one))))))},
		{[]string{"a.b"}, value.Secret(object(member("a", object(member("b", one))))), value.Secret(object(member("a", object(member("b", value.Secret(one))))))},
		{[]string{"a.b", "a[0]", "z[*]"}, object(member("a", one), member("z", null)), object(member("a", one), member("z", null))},
		{[]string{"a"}, object(member("a", null)), object(member("a", value.Secret(null)))},
		{[]string{"a.b.c"}, object(member("a", value.UnknownOf(value.KindBool).WithDependencies(urnA))), object(member("a", value.Secret(value.Unknown()).WithDependencies(urnA)))},
		{[]string{"a"}, object(member("a", value.Array(one).WithDependencies(urnA))), object(member("a", value.Secret(value.Array(one)).WithDependencies(urnA)))},
		{[]string{"a[1]"}, object(member("a", value.Array(one, one).WithDependencies(urnA))), object(member("a", value.Array(one, value.Secret(one)).WithDependencies(urnA)))},
		{[]string{"a[2]"}, object(member("a", value.Array(one, one))), object(member("a", value.Array(one, one)))},
		{[]string{`["*"]`}, object(member("*", one), member("a", one)), object(member("*", value.Secret(one)), member("a", one))},
	}
	for _, row := range rows {
		if got := value.MarkSecret(row.v, patterns(t, row.patterns...)); !got.Identical(row.want) || value.Flaw(got) != nil {
			t.Errorf("%q: wrong marks, %v", row.patterns, value.Flaw(got))
		}
	}
	if v := sample(); !value.MarkSecret(v, nil).Identical(v) {
		t.Error("no set changes something")
	}
}

// Against the definition: every value is marked that a pattern matches, and
// nothing else changes.
func TestMarkSecretReference(t *testing.T) {
	sets := []*path.Set{
		patterns(t, ""), patterns(t, "a"), patterns(t, "[*]"), patterns(t, "[*][*]"), patterns(t, "a.b", "l[*]", "s.l[0]", "u.x"),
		patterns(t, "[0]", "[*].a", "a[*].b", "N"), patterns(t, "[1][0].l[1]", "[*].s[*]", "x", "d"), patterns(t, "[*][*][*][*][*]"),
	}
	changed := 0
	for i, v := range hosts(t) {
		for _, set := range sets {
			before := v.Compact()
			got := value.MarkSecret(v, set)
			if !v.Identical(before) {
				t.Fatalf("value %d was changed in place", i)
			}
			want := v
			for c := range v.Walk() {
				p := c.Path()
				if set.Matches(p) || c.Value().IsUnknown() && set.Touches(p) {
					x, _ := want.At(p)
					want, _ = want.With(p, value.Secret(x))
				}
			}
			if !got.Identical(want) || got.IsSecret() != want.IsSecret() || value.Flaw(got) != nil {
				t.Errorf("value %d: wrong marks, %v", i, value.Flaw(got))
			}
			if again := value.MarkSecret(got, set); !value.SharesMemory(again, got) {
				t.Errorf("value %d: marking again changes something", i)
			}
			if same := want.Identical(v) && want.OwnSecret() == v.OwnSecret(); same != value.SharesMemory(got, v) {
				t.Errorf("value %d: shares memory with what was marked: %v", i, value.SharesMemory(got, v))
			}
			if !value.SharesMemory(got, v) {
				changed++
			}
		}
	}
	t.Logf("%d values were changed", changed)
}

func TestMarkSecretSharesTheRest(t *testing.T) {
	v := object(member("a", value.Array(num(1))), member("b", value.Array(num(1))))
	got := value.MarkSecret(v, patterns(t, "a[0]", "b.x"))
	if value.SharesMemory(got, v) || value.SharesMemory(got.Field("a"), v.Field("a")) || !value.SharesMemory(got.Field("b"), v.Field("b")) {
		t.Error("copied what has not changed, or did not copy what has")
	}
}
