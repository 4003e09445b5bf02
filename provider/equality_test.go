package provider_test

import (
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/equality"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// referred is a form in which a text is the ID of an object.
func referred(v value.Value) value.Value { return value.Object(value.Field("id", v)) }

// TestEquality compares what is answered, and what the two diffs of a comparison say, where
// rules hide differences from the old inputs, from the state or from both.
func TestEquality(t *testing.T) {
	rules := equality.MustRules(
		equality.Rule{Pattern: path.MustParsePattern("name"), Form: equality.FoldCase},
		equality.Rule{Pattern: path.MustParsePattern("tags"), Empty: true},
		equality.Rule{Pattern: path.MustParsePattern("zones[*]"), Form: equality.FoldCase},
		equality.Rule{Pattern: path.MustParsePattern("ref"), Form: referred},
	)
	id := value.Object(value.Field("ref", value.Object(value.Field("id", value.String("a")))))
	text := value.Object(value.Field("ref", value.String("a")))
	named := func(name string) value.Value { return value.Object(value.Field("name", value.String(name))) }
	zones := func(all ...value.Value) value.Value { return value.Object(value.Field("zones", value.Array(all...))) }
	for name, row := range map[string]struct {
		sides provider.Sides
		o     provider.Differ
		// of the inputs, of the drift, and what is hidden
		inputs, drift, hidden value.Verdict
	}{
		"same":            {provider.Sides{OldInputs: named("a"), News: named("A")}, provider.Differ{}, value.Same, value.Same, value.Changed},
		"other":           {provider.Sides{OldInputs: named("a"), News: named("b")}, provider.Differ{}, value.Changed, value.Same, value.Same},
		"same as state":   {provider.Sides{OldInputs: named("x"), OldState: named("A"), News: named("a")}, provider.Differ{Drift: true}, value.Changed, value.Same, value.Same},
		"drifted":         {provider.Sides{OldInputs: named("a"), OldState: named("x"), News: named("A")}, provider.Differ{Drift: true}, value.Same, value.Changed, value.Changed},
		"no old inputs":   {provider.Sides{OldState: named("a"), News: named("A")}, provider.Differ{}, value.Same, value.Same, value.Changed},
		"may be empty":    {provider.Sides{OldInputs: named("a"), News: value.Object(value.Field("name", value.String("A")), value.Field("tags", value.Object(value.Field("x", value.Unknown()))))}, provider.Differ{}, value.Maybe, value.Same, value.Changed},
		"unknown":         {provider.Sides{OldInputs: named("a"), News: value.Object(value.Field("name", value.String("a")), value.Field("tags", value.Unknown()))}, provider.Differ{}, value.Maybe, value.Same, value.Same},
		"ignored":         {provider.Sides{OldInputs: named("a"), News: named("b")}, provider.Differ{Ignored: []path.Pattern{path.MustParsePattern("name")}}, value.Same, value.Same, value.Same},
		"an object":       {provider.Sides{OldInputs: text, OldState: id, News: text}, provider.Differ{Drift: true}, value.Same, value.Same, value.Same},
		"in a set":        {provider.Sides{OldInputs: zones(value.String("a"), value.String("b")), News: zones(value.String("c"), value.String("B"), value.String("A"))}, provider.Differ{Arrays: diff.Unordered()}, value.Changed, value.Same, value.Changed},
		"strict of marks": {provider.Sides{OldInputs: named("a"), News: value.Object(value.Field("name", value.Secret(value.String("A"))))}, provider.Differ{}, value.Changed, value.Same, value.Changed},
	} {
		t.Run(name, func(t *testing.T) {
			row.o.Equality = rules
			c := row.o.Compare(row.sides)
			if got := c.Inputs().Verdict(); got != row.inputs {
				t.Errorf("inputs %v, not %v: %v", got, row.inputs, c.Inputs())
			}
			if got := c.Drift().Verdict(); got != row.drift {
				t.Errorf("drift %v, not %v: %v", got, row.drift, c.Drift())
			}
			if got := c.Suppressed().Verdict(); got != row.hidden {
				t.Errorf("hidden %v, not %v: %v", got, row.hidden, c.Suppressed())
			}
			if c.Empty() != (row.inputs == value.Same && row.drift == value.Same) {
				t.Errorf("empty is %v", c.Empty())
			}
			if none := c.Response().Changes == rpc.DiffNone; none != c.Empty() {
				t.Errorf("answers %v", c.Response())
			}
		})
	}
}

// TestOrderInSecrets: a new order of a set, secret or not, is not reported.
func TestOrderInSecrets(t *testing.T) {
	set := func(all ...string) value.Value {
		var elems []value.Value
		for _, s := range all {
			elems = append(elems, value.String(s))
		}
		return value.Object(value.Field("a", value.Object(value.Field("set", value.Array(elems...)))))
	}
	hidden := func(v value.Value) value.Value {
		w, err := v.Put(path.MustParse("a"), value.Secret(v.Field("a")))
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	o := provider.Differ{Arrays: diff.Unordered(), ReplaceOn: path.MustSet("a.set[*]")}
	for _, row := range []struct {
		old, news value.Value
		want      rpc.DiffChanges
	}{
		{set("x", "y"), set("y", "x"), rpc.DiffNone},
		{hidden(set("x", "y")), hidden(set("y", "x")), rpc.DiffNone},
		{hidden(set("x", "y")), hidden(set("y", "z")), rpc.DiffSome},
		{hidden(set("x", "y")), hidden(set("y")), rpc.DiffSome},
		{hidden(set("x", "y")), hidden(set("z", "y", "x")), rpc.DiffSome},
	} {
		r := o.Compare(provider.Sides{OldInputs: row.old, News: row.news}).Response()
		if r.Changes != row.want || (len(r.Detailed) > 0) != (row.want == rpc.DiffSome) || (len(r.Replaces) > 0) != (row.want == rpc.DiffSome) {
			t.Errorf("%v to %v: %v", row.old, row.news, r)
		}
	}
}
