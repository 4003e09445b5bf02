package provider_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// told writes a response on one line.
func told(r provider.Response) string {
	var parts []string
	for _, e := range r.Detailed {
		parts = append(parts, fmt.Sprintf("%s:%v", e.Key, e.Kind))
	}
	text := strings.Join(parts, " ")
	if !r.HasDetailed {
		text += "no details"
	}
	text += fmt.Sprintf(" | %v diffs=%v", r.Changes, r.Diffs)
	if r.Replaces != nil {
		text += fmt.Sprintf(" replaces=%v", r.Replaces)
	}
	return text
}

type responseRow struct {
	name     string
	old, now value.Value
	replace  []string
	oneWay   bool
	want     string
}

func responseRows() []responseRow {
	null := value.Null()
	x := func(n float64) value.Value { return obj("x", num(n), "y", num(0)) }
	return []responseRow{
		{"equal", x(1), x(1), []string{"x"}, false, " | DIFF_NONE diffs=[]"},
		{
			"kinds of changes", obj("a", num(1), "b", num(1)), obj("b", num(2), "c", num(1)), nil, false,
			"a:DELETE b:UPDATE c:ADD | DIFF_SOME diffs=[a b c]",
		},
		{
			"subtree is one entry", obj("l", arr(num(1))), obj("l", arr(num(1), x(1)), "o", x(1)), nil, false,
			"l[1]:ADD o:ADD | DIFF_SOME diffs=[l o]",
		},
		{
			"containers between have none", obj("o", obj("p", x(1))), obj("o", obj("p", x(2), "q", num(1))), nil, false,
			"o.p.x:UPDATE o.q:ADD | DIFF_SOME diffs=[o]",
		},
		{
			"null is no value", obj("a", null, "b", num(1), "l", arr(null, num(1))), obj("a", num(1), "b", null, "l", arr(num(1), null)), nil, false,
			"a:ADD b:DELETE l[0]:ADD l[1]:DELETE | DIFF_SOME diffs=[a b l]",
		},
		{
			"marked null is one", obj("l", arr(sec(null), dep(null, urnA), null)), obj("l", arr(num(1), num(1), sec(null))), nil, false,
			"l[0]:UPDATE l[1]:UPDATE l[2]:ADD | DIFF_SOME diffs=[l]",
		},
		{
			"order by path", obj("l", arr(num(1), num(1), num(1), num(1), num(1), num(1), num(1), num(1), num(1), num(1), num(1))),
			obj("l", arr(num(1), num(1), num(2), num(1), num(1), num(1), num(1), num(1), num(1), num(1), num(2))), nil, false,
			"l[2]:UPDATE l[10]:UPDATE | DIFF_SOME diffs=[l]",
		},
		{
			"odd keys", obj("a.b", num(1), "", num(1), "*", x(1), `q"`, num(1)), obj("*", x(2)), nil, false,
			`[""]:DELETE ["*"].x:UPDATE ["a.b"]:DELETE ["q\""]:DELETE | DIFF_SOME diffs=[ * a.b q"]`,
		},
	}
}

// coarseRows are those whose entries stand for more than one change.
func coarseRows() []responseRow {
	unknown := value.Unknown()
	x := func(n float64) value.Value { return obj("x", num(n), "y", num(0)) }
	bad := "\xff"
	return []responseRow{
		// Entries stop at the outermost secret.
		{
			"inside a secret", obj("o", obj("s", sec(obj("p", x(1), "q", num(1))))), obj("o", obj("s", sec(obj("p", x(2), "r", num(1))))), nil, false,
			"o.s:UPDATE | DIFF_SOME diffs=[o]",
		},
		{"becomes secret", obj("s", x(1)), obj("s", sec(x(1))), nil, false, "s:UPDATE | DIFF_SOME diffs=[s]"},
		{"secret scalar", obj("l", arr(num(0), sec(num(1)))), obj("l", arr(num(0), sec(num(2)))), nil, false, "l[1]:UPDATE | DIFF_SOME diffs=[l]"},
		{"secret comes", obj(), obj("s", sec(num(1))), nil, false, "s:ADD | DIFF_SOME diffs=[s]"},
		{"unknown", obj("u", unknown, "v", num(1)), obj("u", arr(), "v", unknown), nil, false, "u:UPDATE v:UPDATE | DIFF_SOME diffs=[u v]"},
		{"dependencies swallow", obj("o", x(1)), obj("o", dep(obj("x", num(2)), urnA)), nil, false, "o:UPDATE | DIFF_SOME diffs=[o]"},

		// Keys that cannot be written.
		{
			"unwritable", obj("o", obj("a", num(1), bad, num(1), "z\xff", num(1))), obj("o", obj("a", num(2), bad, num(2), "z\xff", num(2)), "p", num(1)), nil, false,
			"o:UPDATE p:ADD | DIFF_SOME diffs=[o p]",
		},
		{
			"unwritable swallows what follows", obj("o", obj(`a.\`, num(1), "b", num(1), `b.\`, num(1), "c", num(1)), "p", num(1)), obj("o", obj()), nil, false,
			"o:UPDATE p:DELETE | DIFF_SOME diffs=[o p]",
		},
		{
			"unwritable and replacing before", obj("o", obj("a", num(1), `b.\`, num(1))), obj("o", obj()),
			[]string{"o.a"},
			false,
			"o:UPDATE_REPLACE | DIFF_SOME diffs=[o] replaces=[o]",
		},
		{
			"unwritable and replacing behind", obj("o", obj(`b.\`, num(1), "c", num(1), "d", num(1))), obj("o", obj()),
			[]string{"o.c"},
			false,
			"o:UPDATE_REPLACE | DIFF_SOME diffs=[o] replaces=[o]",
		},
		{
			"unwritable deeper", obj("l", arr(obj("k", obj(`a.\`, x(1))), num(1))), obj("l", arr(obj("k", obj(`a.\`, x(2))), num(2))), nil, false,
			"l[0].k:UPDATE l[1]:UPDATE | DIFF_SOME diffs=[l]",
		},
		{"unwritable inside a secret", obj("s", sec(obj(bad, num(1)))), obj("s", sec(obj(bad, num(2)))), nil, false, "s:UPDATE | DIFF_SOME diffs=[s]"},
		{
			"unwritable at the top", obj("a", num(1), bad, num(1)), obj("a", num(2), bad, num(2), "c", x(1)),
			[]string{"c.x"},
			false,
			"no details | DIFF_SOME diffs=[a c \xff] replaces=[c]",
		},
		{
			"unwritable below an unwritable", obj("o", obj("b", obj(bad, num(1)), bad, num(1))), obj("o", obj("b", obj(bad, num(2)), bad, num(2))),
			[]string{"o.b"},
			false,
			"o:UPDATE_REPLACE | DIFF_SOME diffs=[o] replaces=[o]",
		},

		// The root has no key.
		{"root changes kind", x(1), arr(num(1)), []string{"y"}, false, "no details | DIFF_SOME diffs=[x y] replaces=[y]"},
		{"root from unknown", unknown, x(1), []string{"y.z"}, false, "no details | DIFF_SOME diffs=[x y]"},
		{"root is secret", sec(x(1)), sec(x(2)), nil, false, "no details | DIFF_SOME diffs=[]"},
		{"root is secret, names known", sec(x(1)), sec(x(2)), []string{"x", "y", "[*]"}, false, "no details | DIFF_SOME diffs=[x] replaces=[x]"},
		{"root becomes secret", x(1), sec(x(1)), nil, false, "no details | DIFF_SOME diffs=[]"},
		{"root becomes secret, names known", x(1), sec(x(1)), []string{"x", "x.y"}, false, "no details | DIFF_SOME diffs=[x]"},
		{"root becomes secret and differs", x(1), sec(x(2)), []string{"x"}, false, "no details | DIFF_SOME diffs=[x] replaces=[x]"},
		{"root has dependencies", x(1), dep(x(2), urnA), nil, false, "no details | DIFF_SOME diffs=[x]"},
		{"root array", arr(x(1)), arr(x(2), num(1)), []string{"[0]"}, false, "[0].x:UPDATE_REPLACE [1]:ADD | DIFF_SOME diffs=[]"},
	}
}

func replacingRows() []responseRow {
	x := func(n float64) value.Value { return obj("x", num(n), "y", num(0)) }
	bad := "\xff"
	return []responseRow{
		{
			"at a match", obj("o", x(1), "p", x(1)), obj("o", x(2), "p", x(2)),
			[]string{"o.x", "p.y"},
			false,
			"o.x:UPDATE_REPLACE p.x:UPDATE | DIFF_SOME diffs=[o p] replaces=[o]",
		},
		{
			"below a match", obj("o", x(1)), obj("o", obj("x", num(2))),
			[]string{"o"},
			true,
			"o.x:UPDATE_REPLACE o.y:DELETE_REPLACE | DIFF_SOME diffs=[o] replaces=[o]",
		},
		{
			"above a match", obj("d", x(1)), obj("a", x(1), "b", obj("y", num(1))),
			[]string{"[*].x"},
			false,
			"a:ADD_REPLACE b:ADD d:DELETE_REPLACE | DIFF_SOME diffs=[a b d] replaces=[a d]",
		},
		{"above a match, one way", obj("d", x(1)), obj("a", x(1)), []string{"[*].x"}, true, "a:ADD d:DELETE | DIFF_SOME diffs=[a d]"},
		{
			"secret above a match", obj("s", sec(obj("p", x(1))), "t", sec(x(1))), obj("s", sec(obj("p", x(2))), "t", sec(x(2))),
			[]string{"s.p.x", "t.y"},
			false,
			"s:UPDATE_REPLACE t:UPDATE | DIFF_SOME diffs=[s t] replaces=[s]",
		},
		{"secret above a match, one way", obj("s", sec(x(1))), obj("s", sec(x(2))), []string{"s.x"}, true, "s:UPDATE | DIFF_SOME diffs=[s]"},
		{
			"secret above an added match", obj("s", sec(obj())), obj("s", sec(obj("p", obj("q", x(1))))),
			[]string{"s.p.q.x"},
			false,
			"s:UPDATE_REPLACE | DIFF_SOME diffs=[s] replaces=[s]",
		},
		{"dependencies above a match", obj("o", x(1)), obj("o", dep(x(1), urnA)), []string{"o.x"}, false, "o:UPDATE | DIFF_SOME diffs=[o]"},
		{
			"dependencies and a match inside", obj("o", x(1)), obj("o", dep(x(2), urnA)),
			[]string{"o.x"},
			false,
			"o:UPDATE_REPLACE | DIFF_SOME diffs=[o] replaces=[o]",
		},
		{
			"unwritable one way", obj("o", obj("a", num(1), bad, num(1))), obj("o", obj("a", num(2), bad, num(2))),
			[]string{"o.a"},
			true,
			"o:UPDATE | DIFF_SOME diffs=[o]",
		},
		{
			"unwritable below a match, one way", obj("o", obj("a", num(1), bad, num(1))), obj("o", obj("a", num(2), bad, num(2))),
			[]string{"o"},
			true,
			"o:UPDATE_REPLACE | DIFF_SOME diffs=[o] replaces=[o]",
		},
		{"everything", x(1), x(2), []string{""}, true, "x:UPDATE_REPLACE | DIFF_SOME diffs=[x] replaces=[x]"},
	}
}

// markRows are changes of marks, which do not replace unless something else changes.
func markRows() []responseRow {
	x := func(n float64) value.Value { return obj("x", num(n)) }
	deep := func(v value.Value) value.Value { return obj("o", obj("l", arr(v))) }
	rows := []responseRow{
		{name: "became secret", old: x(1), now: obj("x", sec(num(1))), want: "x:UPDATE | DIFF_SOME diffs=[x]"},
		{name: "is no longer secret", old: obj("x", sec(num(1))), now: x(1), want: "x:UPDATE | DIFF_SOME diffs=[x]"},
		{name: "became secret and another", old: x(1), now: obj("x", sec(num(2))), want: "x:UPDATE_REPLACE | DIFF_SOME diffs=[x] replaces=[x]"},
		{name: "became secret and unknown", old: x(1), now: obj("x", sec(value.Unknown())), want: "x:UPDATE_REPLACE | DIFF_SOME diffs=[x] replaces=[x]"},
		{name: "has dependencies", old: x(1), now: obj("x", dep(num(1), urnA)), want: "x:UPDATE | DIFF_SOME diffs=[x]"},
		{name: "container became secret", old: obj("x", x(1)), now: obj("x", sec(x(1))), want: "x:UPDATE | DIFF_SOME diffs=[x]"},
		{name: "secret with a mark inside", old: obj("x", sec(x(1))), now: obj("x", sec(obj("x", dep(num(1), urnA)))), want: "x:UPDATE | DIFF_SOME diffs=[x]"},
		{name: "secret that differs", old: obj("x", sec(x(1))), now: obj("x", sec(x(2))), want: "x:UPDATE_REPLACE | DIFF_SOME diffs=[x] replaces=[x]"},
		{name: "container has dependencies", old: obj("x", x(1)), now: obj("x", dep(x(1), urnA)), want: "x:UPDATE | DIFF_SOME diffs=[x]"},
		{
			name: "container has dependencies and differs", old: obj("x", x(1)), now: obj("x", dep(x(2), urnA)),
			want: "x:UPDATE_REPLACE | DIFF_SOME diffs=[x] replaces=[x]",
		},
		{name: "null became secret", old: obj("x", value.Null()), now: obj("x", sec(value.Null())), want: "x:ADD | DIFF_SOME diffs=[x]"},
		{name: "secret null is gone", old: obj("x", sec(value.Null())), now: obj(), want: "x:DELETE | DIFF_SOME diffs=[x]"},
		{name: "element became secret", old: deep(num(1)), now: deep(sec(num(1))), want: "o.l[0]:UPDATE | DIFF_SOME diffs=[o]"},
	}
	var all []responseRow
	for _, row := range rows {
		row.replace = []string{"x", "o.l[*]"}
		all = append(all, row)
		row.name, row.oneWay = row.name+", one way", true
		all = append(all, row)
	}
	return all
}

// TestMarksInText: the text of a diff says where a replacement is forced as the answer does.
func TestMarksInText(t *testing.T) {
	for _, row := range markRows() {
		on := patterns(row.replace...)
		text := render.Text(diff.Between(row.old, row.now, diff.Options{Relation: value.Engine}), render.Options{ReplaceOn: on})
		if got, want := strings.Contains(text, "+-"), strings.Contains(row.want, "REPLACE"); got != want {
			t.Errorf("%s: replaces: %v, want %v:\n%s", row.name, got, want, text)
		}
	}
}

func TestResponse(t *testing.T) {
	for i, c := range slices.Concat(responseRows(), coarseRows(), replacingRows(), markRows()) {
		o := provider.Differ{ReplaceOn: patterns(c.replace...)}
		if c.oneWay {
			o.Direction = provider.EngineOneWay
		}
		d := diff.Between(c.old, c.now, diff.Options{Relation: value.Engine})
		if got := told(o.Respond(d)); got != c.want {
			t.Errorf("row %d, %s:\ngot  %s\nwant %s", i, c.name, got, c.want)
		}
	}
}

func TestResponseRest(t *testing.T) {
	d := diff.Between(obj("a", num(1), "b", num(1)), obj("a", num(2), "b", num(1)), diff.Options{})
	r := provider.Differ{Stables: []string{"id", "b", "a", "b"}, DeleteBeforeReplace: true}.RespondInputs(d)
	if !r.Detailed[0].InputDiff || r.Detailed[0].Path() != path.MustParse("a") || !r.DeleteBeforeReplace || r.Replace() ||
		!slices.Equal(r.Stables, []string{"b", "id"}) {
		t.Errorf("got %+v", r)
	}
	r = provider.Differ{ReplaceOn: patterns("a"), DeleteBeforeReplace: true}.Respond(d)
	if r.Detailed[0].InputDiff || !r.DeleteBeforeReplace || !r.Replace() || r.Stables != nil {
		t.Errorf("got %+v", r)
	}
	// Of a secret root even the stables tell what did not change, not what did.
	hidden := diff.Between(sec(obj("a", num(1))), sec(obj("a", num(2))), diff.Options{})
	if r := (provider.Differ{Stables: []string{"a", "id"}}).Respond(hidden); !slices.Equal(r.Stables, []string{"id"}) {
		t.Errorf("stables of a secret root: %v", r.Stables)
	}
	// The relation that hides marks still shows nothing of a secret.
	o := diff.Options{Relation: value.IgnoreSecrets}
	half := diff.Between(obj("s", obj("k", num(1))), obj("s", sec(obj("k", num(2)))), o)
	if got := told(provider.Differ{}.Respond(half)); got != "s:UPDATE | DIFF_SOME diffs=[s]" {
		t.Errorf("got %s", got)
	}
}

// An entry inverts and replaces by its kind; kinds that the protocol does not define
// neither replace nor change.
func TestEntryKinds(t *testing.T) {
	for k, want := range map[rpc.PropertyDiffKind]string{
		rpc.PropertyDiffAdd: "false DELETE", rpc.PropertyDiffAddReplace: "true DELETE_REPLACE",
		rpc.PropertyDiffDelete: "false ADD", rpc.PropertyDiffDeleteReplace: "true ADD_REPLACE",
		rpc.PropertyDiffUpdate: "false UPDATE", rpc.PropertyDiffUpdateReplace: "true UPDATE_REPLACE",
		6: "false 6", -1: "false -1", -2: "false -2", 300: "false 300",
	} {
		r := provider.Response{Changes: rpc.DiffSome, HasDetailed: true, Detailed: []provider.Entry{{Key: "a", Kind: k}}}
		if got := fmt.Sprint(r.Detailed[0].Replace(), r.Invert().Detailed[0].Kind); got != want || r.Replace() != r.Detailed[0].Replace() {
			t.Errorf("kind %d: %s, want %s", k, got, want)
		}
		if again := provider.ResponseOf(provider.NewDiffResponse(r)); again.Detailed[0].Kind != k {
			t.Errorf("kind %d: %d after a round trip", k, again.Detailed[0].Kind)
		}
	}
}
