package provider_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/test/answers"
	"github.com/propalg/propalg/internal/test/draw"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

type providerRow struct {
	name  string
	sides provider.Sides
	o     provider.Differ
	want  string
}

func providerRows() []providerRow {
	null, empty, drift := value.Null(), obj(), provider.Differ{Drift: true}
	bad := "\xff"
	state := func(members ...any) value.Value { return obj(append(members, "id", str("i"), "url", str("u"))...) }
	aligned := provider.Differ{Drift: true, Arrays: diff.Aligned()}
	return []providerRow{
		{"outputs are no deletions", provider.Sides{OldInputs: obj("a", num(1)), OldState: state("a", num(1)), News: obj("a", num(1))}, drift, " | DIFF_NONE  | "},
		{"inputs", provider.Sides{OldInputs: obj("a", num(1), "b", num(1)), OldState: state("a", num(9)), News: obj("a", num(2), "c", num(1))}, provider.Differ{}, "a=UPDATE b=DELETE c=ADD | DIFF_SOME a,b,c | "},
		{"empty old inputs are there", provider.Sides{OldInputs: empty, OldState: state("a", num(1)), News: obj("a", num(1))}, drift, "a=ADD | DIFF_SOME a | "},
		{"absent old inputs", provider.Sides{OldInputs: null, OldState: state("a", num(1)), News: obj("a", num(1))}, drift, " | DIFF_NONE  | "},
		{"absent old inputs, names in news", provider.Sides{OldState: state("a", num(1), "b", num(1)), News: obj("a", num(2), "c", num(1))}, provider.Differ{}, "a<UPDATE c<ADD | DIFF_SOME a,c | "},
		{"absent old inputs, names known", provider.Sides{OldState: state("a", num(1), "b", num(1)), News: obj("a", num(2))}, provider.Differ{InputNames: []string{"b", "z"}}, "a<UPDATE b<DELETE | DIFF_SOME a,b | "},
		{"absent old inputs, names in no order", provider.Sides{OldState: state("a", num(1), "b", num(1), "c", num(1)), News: obj()}, provider.Differ{InputNames: []string{"z", "c", "b", "z", "a"}}, "a<DELETE b<DELETE c<DELETE | DIFF_SOME a,b,c | "},
		{"a secret null is there", provider.Sides{OldInputs: sec(null), OldState: state(), News: obj("a", num(1))}, provider.Differ{}, "no details | DIFF_SOME a | "},
		{"nothing at all", provider.Sides{}, drift, " | DIFF_NONE  | "},
		{"no news", provider.Sides{OldInputs: obj("a", num(1)), OldState: state("a", num(1))}, provider.Differ{}, "a=DELETE | DIFF_SOME a | "},
		{"no kind of a bag", provider.Sides{OldInputs: arr(num(1)), OldState: str("x"), News: num(1)}, drift, "no details | DIFF_SOME  | "},

		{"drift", provider.Sides{OldInputs: obj("a", num(1), "t", obj("x", num(1))), OldState: state("a", num(5), "t", obj("x", num(1), "y", num(1))), News: obj("a", num(1), "t", obj("x", num(1)))}, provider.Differ{Drift: true, Maps: patterns("t")}, "a<UPDATE t.y<DELETE | DIFF_SOME a,t | "},
		{"outputs inside inputs are no deletions", provider.Sides{OldInputs: obj("o", obj("a", num(1)), "l", arr(obj("a", num(1)))), OldState: state("o", obj("a", num(2), "computed", str("x")), "l", arr(obj("a", num(1), "id", num(1)))), News: obj("o", obj("a", num(1)), "l", arr(obj("a", num(1))))}, drift, "o.a<UPDATE | DIFF_SOME o | "},
		{"an output becomes an input", provider.Sides{OldInputs: obj("o", obj("a", num(1))), OldState: state("o", obj("a", num(1), "b", num(1))), News: obj("o", obj("a", num(1), "b", num(2)))}, drift, "o.b=ADD | DIFF_SOME o | "},
		{"drift of what state has as null", provider.Sides{OldInputs: obj("a", num(1)), OldState: state("a", null), News: obj("a", num(1))}, drift, " | DIFF_NONE  | "},
		{"both say it", provider.Sides{OldInputs: obj("a", num(1)), OldState: state("a", num(5)), News: obj("a", num(2))}, drift, "a=UPDATE | DIFF_SOME a | "},
		{"inputs above", provider.Sides{OldInputs: obj("o", obj()), OldState: state("o", obj("p", obj("x", num(1)))), News: obj("o", obj("p", obj("x", num(2))))}, drift, "o.p=ADD | DIFF_SOME o | "},
		{"drift above", provider.Sides{OldInputs: obj("o", obj("p", obj("x", num(1)))), OldState: state("o", obj("q", num(1))), News: obj("o", obj("p", obj("x", num(2))))}, provider.Differ{Drift: true, Maps: patterns("o")}, "o.p<ADD o.q<DELETE | DIFF_SOME o | "},
		{"element there on one side", provider.Sides{OldInputs: obj("l", arr(num(0))), OldState: state("l", arr(num(0), obj("x", num(1)))), News: obj("l", arr(num(0), obj("x", num(2))))}, drift, "l[1]<UPDATE | DIFF_SOME l | "},
		{"element gone and come", provider.Sides{OldInputs: obj("l", arr(str("a"), str("b"), str("c"))), OldState: state("l", arr(str("a"), str("c"))), News: obj("l", arr(str("a"), str("x"), str("c")))}, aligned, "l[1]=UPDATE | DIFF_SOME l | "},
		{"element come and gone", provider.Sides{OldInputs: obj("l", arr(str("a"))), OldState: state("l", arr(str("q"), str("b"), str("a"))), News: obj("l", arr(str("b"), str("a")))}, aligned, "l[0]<UPDATE | DIFF_SOME l | "},
		{"no key for a name", provider.Sides{OldInputs: obj(bad, num(1), "a", num(1)), OldState: state("a", num(3)), News: obj("a", num(2))}, drift, "no details | DIFF_SOME a,\xff | a"},
		{"ignored", provider.Sides{OldInputs: obj("a", num(1), "b", num(1)), OldState: state("a", num(5), "b", num(1)), News: obj("a", num(2), "b", num(2))}, provider.Differ{Drift: true, Ignored: []path.Pattern{path.MustParsePattern("a")}}, "b=UPDATE | DIFF_SOME b | "},
		{"more overlooked", provider.Sides{OldInputs: obj("a", num(1)), News: obj("a", sec(num(1)))}, provider.Differ{Relation: value.IgnoreSecrets}, " | DIFF_NONE  | "},
	}
}

func TestForProvider(t *testing.T) {
	for i, row := range providerRows() {
		row.o.ReplaceOn = patterns("a.never", "a[*]")
		if row.name == "no key for a name" {
			row.o.ReplaceOn = patterns("a")
		}
		c := row.o.Compare(row.sides)
		if got := answers.Sided(c.Response()); got != row.want {
			t.Errorf("row %d, %s:\ngot  %q\nwant %q", i, row.name, got, row.want)
		}
		if c.Empty() != (c.Inputs().Empty() && c.Drift().Empty()) || (!row.o.Drift && !c.Drift().Empty()) {
			t.Errorf("row %d, %s: inputs %v, drift %v", i, row.name, c.Inputs(), c.Drift())
		}
	}
}

// A replacement that only one side asks for is one, also where its entry is
// taken in by another.
func TestForProviderReplaces(t *testing.T) {
	sides := provider.Sides{
		OldInputs: obj("o", obj("p", obj("x", num(1))), "s", num(1)), News: obj("o", obj("p", obj("x", num(2))), "s", num(1)),
		OldState: obj("o", obj("q", num(1)), "s", num(1), "id", num(1)),
	}
	for _, row := range []struct {
		on, want string
	}{
		{"o.p.x", "o.p<ADD_REPLACE o.q<DELETE | DIFF_SOME o | o"},
		{"o.q", "o.p<ADD o.q<DELETE_REPLACE | DIFF_SOME o | o"},
		{"s", "o.p<ADD o.q<DELETE | DIFF_SOME o | "},
	} {
		d := provider.Differ{Drift: true, Maps: patterns("o"), ReplaceOn: patterns(row.on), DeleteBeforeReplace: true, Stables: []string{"s", "o", "id"}}
		r := d.Compare(sides).Response()
		if got := answers.Sided(r); got != row.want || !r.DeleteBeforeReplace || !slices.Equal(r.Stables, []string{"id", "s"}) {
			t.Errorf("%s: %s, %+v", row.on, got, r)
		}
	}
	r := provider.Differ{Drift: true, Maps: patterns("o"), ReplaceOn: patterns("o.q"), DeleteBeforeReplace: true, AnswerUnknown: true}.Compare(sides).Response()
	if got := answers.Sided(r); got != "no details | DIFF_UNKNOWN  | o" || !r.DeleteBeforeReplace {
		t.Errorf("unknown: %s", got)
	}
}

// A replacement that only the entry asks for that is taken in.
func TestForProviderReplacesBelow(t *testing.T) {
	x := obj("x", num(1))
	for i, row := range []struct {
		sides    provider.Sides
		on, want string
	}{
		{
			provider.Sides{OldInputs: obj("o", obj("p", x)), OldState: obj("o", obj()), News: obj("o", obj("p", obj("y", num(1))))},
			"o.p.x", "o.p<ADD_REPLACE | DIFF_SOME o | o",
		},
		{
			provider.Sides{OldInputs: obj("l", arr(str("a"))), OldState: obj("l", arr(x)), News: obj("l", arr(str("b")))},
			"l[*].x", "l[0]=UPDATE_REPLACE | DIFF_SOME l | l",
		},
	} {
		d := provider.Differ{Drift: true, Maps: patterns("l[*]"), ReplaceOn: patterns(row.on)}
		if got := answers.Sided(d.Compare(row.sides).Response()); got != row.want {
			t.Errorf("row %d: %s, want %s", i, got, row.want)
		}
	}
}

// Without drift, and state being what the inputs are, old inputs or none make no
// difference to what is told.
func TestForProviderEitherSide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, now := draw.Pair(t)
		if old.Kind() != value.KindObject || now.Kind() != value.KindObject {
			t.Skip("no objects")
		}
		o := provider.Differ{ReplaceOn: patterns("a", "[*][0]")}
		with := o.Compare(provider.Sides{OldInputs: old, News: now}).Response()
		o.InputNames = slices.Collect(old.Keys())
		without := o.Compare(provider.Sides{OldState: old, News: now}).Response()
		for i := range with.Detailed {
			with.Detailed[i].InputDiff = false
		}
		if answers.Sided(with) != answers.Sided(without) {
			t.Fatalf("%s\n%s", answers.Sided(with), answers.Sided(without))
		}
	})
}
