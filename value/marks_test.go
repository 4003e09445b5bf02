package value_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

func TestWithMarksOf(t *testing.T) {
	for i, v := range hosts(t) {
		for j, w := range hosts(t) {
			got := v.WithMarksOf(w)
			deps := slices.Sorted(maps.Keys(maps.Collect(func(yield func(string, bool) bool) {
				for _, from := range []value.Value{v, w} {
					for u := range from.Dependencies() {
						if !yield(u, true) {
							return
						}
					}
				}
			})))

			bare, want := got.DropSecret().DropDependencies(), v.DropSecret().DropDependencies()
			if got.OwnSecret() != (v.OwnSecret() || w.OwnSecret()) || got.IsSecret() != (v.IsSecret() || w.IsSecret()) ||
				!slices.Equal(slices.Collect(got.Dependencies()), deps) || !value.IgnoreDependencies.Equal(bare, want) || flaw(got) != nil {
				t.Errorf("%d with the marks of %d: %v", i, j, got.GoString())
			}
		}
	}
}

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
		if got := slices.Collect(v.SecretPaths()); !slices.Equal(got, want) {
			t.Errorf("value %d: secrets at %v, want %v", i, got, want)
		}
		if (len(want) > 0) != v.ContainsSecret() {
			t.Errorf("value %d: ContainsSecret is %v", i, v.ContainsSecret())
		}
	}
	n := 0
	for range sample().SecretPaths() {
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
		if got := row.v.MarkSecret(patterns(t, row.patterns...)); !got.Identical(row.want) || flaw(got) != nil {
			t.Errorf("%q: wrong marks, %v", row.patterns, flaw(got))
		}
	}
	if v := sample(); !v.MarkSecret(nil).Identical(v) {
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
			got := v.MarkSecret(set)
			if !v.Identical(before) {
				t.Fatalf("value %d was changed in place", i)
			}
			want := v
			for c := range v.Walk() {
				p := c.Path()
				if set.At(p).Matches() || (c.Value().IsUnknown() && set.At(p).MayMatchBelow()) {
					x, _ := want.At(p)
					want, _ = want.With(p, value.Secret(x))
				}
			}
			if !got.Identical(want) || got.IsSecret() != want.IsSecret() || flaw(got) != nil {
				t.Errorf("value %d: wrong marks, %v", i, flaw(got))
			}
			if again := got.MarkSecret(set); !value.Internal.SharesMemory(again, got) {
				t.Errorf("value %d: marking again changes something", i)
			}
			if same := want.Identical(v) && want.OwnSecret() == v.OwnSecret(); same != value.Internal.SharesMemory(got, v) {
				t.Errorf("value %d: shares memory with what was marked: %v", i, value.Internal.SharesMemory(got, v))
			}
			if !value.Internal.SharesMemory(got, v) {
				changed++
			}
		}
	}
	t.Logf("%d values were changed", changed)
}

func TestMarkSecretSharesTheRest(t *testing.T) {
	v := object(member("a", value.Array(num(1))), member("b", value.Array(num(1))))
	got := v.MarkSecret(patterns(t, "a[0]", "b.x"))
	if value.Internal.SharesMemory(got, v) || value.Internal.SharesMemory(got.Field("a"), v.Field("a")) || !value.Internal.SharesMemory(got.Field("b"), v.Field("b")) {
		t.Error("copied what has not changed, or did not copy what has")
	}
}

func TestWithSecretsOfTable(t *testing.T) {
	one, s := num(1), value.Secret(num(1))
	keyed := func(v value.Value) value.Value { return object(member("k", v)) }
	for i, c := range []struct{ v, model, want value.Value }{
		{one, s, s},
		{s, one, s},
		{one, one, one},
		{value.Null(), s, value.Secret(value.Null())},
		{object(member("a", one), member("b", one)), object(member("a", s), member("c", s)), object(member("a", s), member("b", one))},
		{value.Array(one, one), value.Array(num(2), s), value.Array(one, s)},
		// Where shapes differ the whole container is marked.
		{value.Array(one), value.Array(one, s), value.Secret(value.Array(one))},
		{value.Array(one, one, one), value.Array(s), value.Secret(value.Array(one, one, one))},
		{keyed(value.Array(one)), keyed(keyed(s)), keyed(value.Secret(value.Array(one)))},
		{keyed(keyed(one)), keyed(value.Array(s)), keyed(value.Secret(keyed(one)))},
		{keyed(one), keyed(keyed(s)), keyed(s)},
		{keyed(value.Unknown()), keyed(keyed(s)), keyed(value.Secret(value.Unknown()))},
		{keyed(value.Null()), keyed(keyed(s)), keyed(value.Secret(value.Null()))},
		// But not where the model has no secret.
		{value.Array(one), value.Array(one, one), value.Array(one)},
		{keyed(keyed(one)), keyed(value.Unknown()), keyed(keyed(one))},
		// Marks below marks, and marks beside.
		{keyed(keyed(one)), keyed(value.Secret(keyed(s))), keyed(value.Secret(keyed(s)))},
		{value.Secret(keyed(one)), keyed(s), value.Secret(keyed(s))},
		{keyed(one).WithDependencies(urnA), keyed(s).WithDependencies(urnB), keyed(s).WithDependencies(urnA)},
		{keyed(one), value.Secret(value.Array(keyed(one))).Elem(0), value.Secret(keyed(one))},
		{value.Secret(value.Array(keyed(one))).Elem(0), keyed(s), value.Secret(value.Array(keyed(s))).Elem(0)},
		{str("x"), value.Sealed{Ciphertext: "c"}.Value(), value.Secret(str("x"))},
		{one, value.Null(), one},
		{value.Value{}, value.Value{}, value.Value{}},
	} {
		if got := c.v.WithSecretsOf(c.model); !got.Identical(c.want) {
			t.Errorf("row %d: %#v, want %#v", i, got, c.want)
		}
	}
}

// slowSecretsOf is WithSecretsOf in the obvious way.
func slowSecretsOf(v, model value.Value) value.Value {
	made := v
	switch {
	case v.Kind() == value.KindObject && model.Kind() == value.KindObject:
		for k, m := range model.Members() {
			if x, there := v.Lookup(k); there && m.ContainsSecret() {
				made = putBack(made, k, slowSecretsOf(ownMark(x), ownMark(m)))
			}
		}
	case v.Kind() == value.KindArray && model.Kind() == value.KindArray && v.Len() == model.Len():
		for i, m := range model.Elems() {
			if m.ContainsSecret() {
				made = putElem(made, i, slowSecretsOf(ownMark(v.Elem(i)), ownMark(m)))
			}
		}
	case model.ContainsSecret():
		return value.Secret(v)
	}
	if model.IsSecret() {
		made = value.Secret(made)
	}
	return made
}

// ownMark is a part without the mark that it inherited.
func ownMark(v value.Value) value.Value {
	if v.OwnSecret() {
		return value.Secret(v.DropSecret())
	}
	return v.DropSecret()
}

func putBack(v value.Value, key string, x value.Value) value.Value {
	var ms []value.Member
	for k, m := range v.Members() {
		if k == key {
			m = x
		} else {
			m = ownMark(m)
		}
		ms = append(ms, member(k, m))
	}
	return marksOf(v, object(ms...))
}

func putElem(v value.Value, at int, x value.Value) value.Value {
	var es []value.Value
	for i, e := range v.Elems() {
		if i == at {
			e = x
		} else {
			e = ownMark(e)
		}
		es = append(es, e)
	}
	return marksOf(v, value.Array(es...))
}

func marksOf(v, made value.Value) value.Value {
	for d := range v.Dependencies() {
		made = made.WithDependencies(d)
	}
	if v.OwnSecret() {
		made = value.Secret(made)
	}
	return made
}

func TestWithSecretsOfAgainstSlow(t *testing.T) {
	all := hosts(t)
	changed := 0
	for i, v := range all {
		for j, model := range all {
			got := v.WithSecretsOf(model)
			if err := flaw(got); err != nil {
				t.Fatalf("%d, %d: %v", i, j, err)
			}
			want := slowSecretsOf(v, model)
			if inherited(v) && !inherited(want) {
				want = value.Secret(value.Array(want)).Elem(0)
			}
			if !got.Identical(want) {
				t.Errorf("%d, %d: %#v, want %#v", i, j, got, want)
			}
			if !got.WithSecretsOf(model).Identical(got) {
				t.Errorf("%d, %d: marking again changes something", i, j)
			}
			if !value.IgnoreSecrets.Equal(got, v) {
				t.Errorf("%d, %d: more than marks changed", i, j)
			}
			if !got.Identical(v) {
				changed++
			} else if !inherited(v) && !value.Internal.SharesMemory(got, v) {
				t.Errorf("%d, %d: nothing changed, and the value was made anew", i, j)
			}
		}
	}
	if changed < len(all) {
		t.Errorf("only %d of %d pairs change something", changed, len(all)*len(all))
	}
}

// Deep, wide, and with a model of another depth: linear, without recursion.
func TestWithSecretsOfScale(t *testing.T) {
	for _, s := range shapes() {
		depth := s.depth / 5
		v := wrap(num(1), depth, s.container)
		model := wrap(value.Secret(num(1)), depth, s.container)
		if got := v.WithSecretsOf(model); !got.Equal(model) {
			t.Errorf("%s: the mark is not there", s.name)
		}
		if got := v.WithSecretsOf(wrap(num(1), depth/2, s.container)); !got.Equal(v) {
			t.Errorf("%s: a mark where the model has none", s.name)
		}
	}
	const n = 30_000
	var ms, model []value.Member
	for i := range n {
		k := strconv.Itoa(i)
		ms = append(ms, member(k, num(1)))
		if i%2 == 0 {
			model = append(model, member(k, value.Secret(num(1))))
		}
	}
	marked := 0
	for range object(ms...).WithSecretsOf(object(model...)).SecretPaths() {
		marked++
	}
	if marked != n/2 {
		t.Errorf("%d of %d members are marked", marked, n/2)
	}
}

func ExampleValue_WithSecretsOf() {
	inputs := object(
		member("user", str("ann")),
		member("password", value.Secret(str("hunter2"))),
		member("rules", value.Array(value.Secret(str("a")))),
	)
	// What a provider answered that knows no secrets, with one rule of its own.
	answer := object(
		member("user", str("ann")),
		member("password", str("hunter2")),
		member("rules", value.Array(str("default"), str("a"))),
		member("arn", str("arn:aws:1")),
	)
	fmt.Println(answer.WithSecretsOf(inputs))
	// Output:
	// {arn: "arn:aws:1", password: [secret], rules: [secret], user: "ann"}
}
