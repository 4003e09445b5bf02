package decide_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/decide"
	"github.com/propalg/propalg/internal/test/answers"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// situated makes a situation of words.
func situated(words string) decide.Situation {
	has := func(word string) bool { return strings.Contains(words, word) }
	s := decide.Situation{InitErrors: has("init"), PendingReplacement: has("pending"), TriggerFired: has("trigger"), Unavailable: has("unavailable")}
	switch {
	case has("import"):
		s.Operation = decide.DuringImport
	case has("refresh"):
		s.Operation = decide.DuringRefresh
	}
	if deletesFirst := has("delete first"); deletesFirst || has("create first") {
		s.DeleteBeforeReplace = &deletesFirst
	}
	return s
}

// TestNextStep is the truth table: rows are situations, columns responses.
func TestNextStep(t *testing.T) {
	update := provider.Response{Changes: rpc.DiffSome, Diffs: []string{"a"}}
	replace := provider.Response{Changes: rpc.DiffSome, Replaces: []string{"a"}, DeleteBeforeReplace: true}
	kinds := provider.Response{Changes: rpc.DiffSome, HasDetailed: true, Detailed: []provider.Entry{{Key: "a", Kind: rpc.PropertyDiffAddReplace}}}
	none := provider.Response{Changes: rpc.DiffNone, Replaces: []string{"a"}, Detailed: kinds.Detailed}
	columns := []provider.Response{none, update, kinds, replace, {Changes: rpc.DiffUnknown}, {Changes: 3}}
	for _, row := range []struct {
		situation string
		want      string
	}{
		{"", "same, update, create first, delete first, compare, fail"},
		{"create first", "same, update, create first, create first, compare, fail"},
		{"delete first", "same, update, delete first, delete first, compare, fail"},
		{"init", "update, update, create first, delete first, compare, fail"},
		{"pending", "create first, create first, create first, delete first, compare, fail"},
		{"pending, delete first", "delete first, delete first, delete first, delete first, compare, fail"},
		{"trigger", "create first, create first, create first, delete first, create first, create first"},
		{"trigger, unavailable, create first", "create first, create first, create first, create first, create first, create first"},
		{"unavailable", "update, update, update, update, update, update"},
		{"unavailable, init", "update, update, update, update, update, update"},
		{"unavailable, pending", "create first, create first, create first, create first, create first, create first"},
		{"import", "same, update, fail, fail, compare, fail"},
		{"import, trigger, pending, delete first", "same, update, fail, fail, compare, fail"},
		{"import, unavailable", "fail, fail, fail, fail, fail, fail"},
		{"refresh", "same, update, update, update, compare, fail"},
		{"refresh, trigger, pending", "same, update, update, update, compare, fail"},
		{"refresh, unavailable", "fail, fail, fail, fail, fail, fail"},
	} {
		var got []string
		for _, r := range columns {
			next := decide.Next(r, situated(row.situation))
			got = append(got, next.Step.String())
			if replaces := next.Step == decide.StepCreateFirst || next.Step == decide.StepDeleteFirst; next.Replaces() != replaces {
				t.Errorf("%s: %v", row.situation, next)
			}
		}
		if text := strings.Join(got, ", "); text != row.want {
			t.Errorf("%s:\ngot  %s\nwant %s", row.situation, text, row.want)
		}
	}
	for _, row := range []struct {
		situation string
		r         provider.Response
		want      string
	}{
		{"", none, "nothing changed"},
		{"", update, "something changed"},
		{"", replace, "something changed that replaces"},
		{"", kinds, "something changed that replaces"},
		{"", provider.Response{Changes: rpc.DiffSome, Detailed: kinds.Detailed}, "something changed"}, // engines discard the entries
		{"trigger", none, "the replacement trigger fired"},
		{"pending", none, "a replacement is pending"},
		{"init", none, "the last operation failed"},
		{"", provider.Response{}, "the provider does not know"},
		{"unavailable", update, "the provider is not configured yet"},
		{"import", replace, "the imported resource would have to be replaced"},
		{"import", update, "something changed"},
		{"", provider.Response{Changes: 9}, "the response is invalid"},
		{"", provider.Response{Changes: -1}, "the response is invalid"},
	} {
		if got := decide.Next(row.r, situated(row.situation)).Why; got != row.want {
			t.Errorf("%s: %s, want %s", row.situation, got, row.want)
		}
	}
}

type stepRow struct {
	answers.Row
	Event, Op               string
	NewInputs, NewOutputs   json.RawMessage
	ReplaceKeys             []string `json:"keys"`
	OldInputsRaw, OldOutRaw json.RawMessage
}

// What a real engine did next, by its events: with a detailed diff it
// replaces exactly when that or the keys say so, else it updates.
func TestEngineSteps(t *testing.T) {
	counts := map[string]int{}
	kit.ReadRows(t, "engine-steps.jsonl", func(n int, r stepRow) {
		if !strings.HasPrefix(string(r.DetailedDiff), "{") || r.Op == "refresh" {
			return
		}
		response := r.Response(t)
		response.Changes = rpc.DiffSome
		response.Replaces = r.ReplaceKeys
		next := decide.Next(response, decide.Situation{})
		replaced := r.Op == "replace" || r.Op == "create-replacement"
		counts[fmt.Sprintf("%s: %v", r.Op, next.Step)]++
		if next.Replaces() != replaced {
			t.Errorf("row %d (%s): %s, not %v", n, r.Source, r.Op, next)
		}
	})
	t.Log(counts)
	if len(counts) < 3 {
		t.Error("not what the file holds")
	}
}

// TestDeleteBeforeReplacePassedOn: engines apply replaceOnChanges to the answer of
// a provider and go by its flag then, also where the provider's own diff replaces
// nothing.
func TestDeleteBeforeReplacePassedOn(t *testing.T) {
	sides := provider.Sides{OldInputs: obj("title", num(1)), OldState: obj("title", num(1)), News: obj("title", num(2))}
	o := provider.Differ{ReplaceOn: patterns("name"), DeleteBeforeReplace: true}
	drift := o
	drift.Drift = true
	none := o.Respond(diff.Between(sides.News, sides.News, diff.Options{}))
	for name, r := range map[string]provider.Response{
		"inputs":           o.Compare(sides).Response(),
		"inputs and drift": drift.Compare(provider.Sides{OldInputs: sides.OldInputs, OldState: obj("title", num(3)), News: sides.News}).Response(),
		"diff":             o.Respond(diff.Between(sides.OldInputs, sides.News, diff.Options{})),
	} {
		if r.Replace() || !r.DeleteBeforeReplace {
			t.Errorf("%s: %+v", name, r)
		}
		if next := decide.Next(r, decide.Situation{}); next.Step != decide.StepUpdate {
			t.Errorf("%s: %v", name, next.Step)
		}
		for _, way := range []provider.Direction{provider.TwoWay, provider.EngineOneWay} {
			forced := decide.ReplaceOnChanges(r, sides, decide.ReplaceOptions{Patterns: patterns("title"), Direction: way})
			if next := decide.Next(forced, decide.Situation{}); next.Step != decide.StepDeleteFirst {
				t.Errorf("%s: %v, not %v", name, next.Step, decide.StepDeleteFirst)
			}
		}
	}
	if !none.DeleteBeforeReplace || decide.Next(none, decide.Situation{TriggerFired: true}).Step != decide.StepDeleteFirst {
		t.Errorf("nothing changed: %+v", none)
	}
}

func TestFallback(t *testing.T) {
	dep := func(v value.Value) value.Value { return v.WithDependencies(urnA) }
	asked := provider.Response{Replaces: []string{"r"}, DeleteBeforeReplace: true, Diffs: []string{"kept"}}
	for i, row := range []struct {
		old, now value.Value
		ignored  string
		want     string
	}{
		{obj("a", num(1)), obj("a", num(2), "b", num(1)), "", "a=UPDATE b=ADD | DIFF_SOME a,b | r"},
		{obj("a", num(1)), obj("a", sec(num(1))), "", "a=UPDATE | DIFF_SOME a | r"},
		{obj("a", sec(num(1))), obj("a", num(1)), "", "a=UPDATE | DIFF_SOME a | r"},
		{obj("a", num(1)), obj("a", dep(num(1))), "", "a=UPDATE | DIFF_SOME a | r"},
		{obj("a", sec(value.Null())), obj(), "", "a=DELETE | DIFF_SOME a | r"},
		{obj("a", sec(num(1))), obj("a", sec(num(1)), "b", value.Null()), "", "no details | DIFF_NONE kept | r"},
		{obj("a", sec(obj("k", num(1)))), obj("a", obj("k", num(2))), "", "a=UPDATE | DIFF_SOME a | r"},
		{obj("a", num(1)), obj("a", value.Unknown()), "", "a=UPDATE | DIFF_SOME a | r"},
		{obj("a", num(1)), obj("a", num(2), "b", num(1)), "a", "b=ADD | DIFF_SOME b | r"},
		{obj("a", num(1)), obj("a", sec(num(1))), "a", "no details | DIFF_NONE kept | r"},
		{obj("a", num(1)), obj("a", num(2)), "[*]", "no details | DIFF_NONE kept | r"},
		{value.Null(), obj("a", num(2)), "", "a=ADD | DIFF_SOME a | r"},
	} {
		var ignored []path.Pattern
		if row.ignored != "" {
			ignored = []path.Pattern{path.MustParsePattern(row.ignored)}
		}
		got := decide.Fallback(asked, provider.Sides{OldInputs: row.old, OldState: obj("a", num(7)), News: row.now}, ignored)
		if answers.Sided(got) != row.want || !got.DeleteBeforeReplace {
			t.Errorf("row %d:\ngot  %s\nwant %s", i, answers.Sided(got), row.want)
		}
	}
	some := answers.Claimed("a=UPDATE")
	if got := decide.Fallback(some, provider.Sides{}, nil); answers.Sided(got) != answers.Sided(some) {
		t.Errorf("what is known is compared again: %v", answers.Sided(got))
	}
}

func TestReplaceOn(t *testing.T) {
	sides := provider.Sides{
		OldInputs: obj("a", num(1), "o", obj("x", num(1), "y", num(1)), "l", arr(num(1))), OldState: obj("id", num(1)),
		News: obj("a", num(2), "n", obj("x", num(1)), "o", obj("x", num(2), "y", num(1)), "l", arr(num(1))),
	}
	for i, row := range []struct {
		on      string
		oneWay  bool
		init    bool
		entries string
		want    string
	}{
		{"a", false, false, "a=UPDATE o=UPDATE", "a=UPDATE_REPLACE o=UPDATE | DIFF_SOME a,o | a"},
		{"a", true, false, "a=UPDATE o=UPDATE", "a=UPDATE_REPLACE o=UPDATE | DIFF_SOME a,o | a"},
		{"o", true, false, "o.x=UPDATE", "o.x=UPDATE_REPLACE | DIFF_SOME o | o"},
		{"o.x", false, false, "o=UPDATE", "o=UPDATE_REPLACE | DIFF_SOME o | o"},
		{"o.x", true, false, "o=UPDATE", "o=UPDATE | DIFF_SOME o | "},
		{"o.x", true, false, "o.x=UPDATE", "o.x=UPDATE_REPLACE | DIFF_SOME o | "},
		{"o.y", false, false, "o=UPDATE", "o=UPDATE | DIFF_SOME o | "},
		{"n.x", false, false, "n=ADD", "n=ADD_REPLACE | DIFF_SOME n | n"},
		{"n.y", false, false, "n=ADD", "n=ADD | DIFF_SOME n | "},
		{"[*]", false, false, "o.x=99 bad[=ADD __meta<ADD", "o.x=UPDATE_REPLACE bad[=ADD __meta<ADD_REPLACE | DIFF_SOME o,__meta | __meta,o"},
		{"[*]", true, true, "a=UPDATE", "a=UPDATE_REPLACE #initerror<UPDATE_REPLACE | DIFF_SOME a | #initerror,a"},
		{"a", false, true, "o=UPDATE", "o=UPDATE | DIFF_SOME o | "},
		{`["#initerror"]`, false, true, "", "#initerror<UPDATE_REPLACE | DIFF_SOME  | #initerror"},
		{"l[0]", false, false, "l=UPDATE", "l=UPDATE | DIFF_SOME l | "},
	} {
		o := decide.ReplaceOptions{Patterns: patterns(row.on), InitErrors: row.init}
		if row.oneWay {
			o.Direction = provider.EngineOneWay
		}
		r := answers.Claimed(strings.Fields(row.entries)...)
		before := answers.Sided(r)
		if got := answers.Sided(decide.ReplaceOnChanges(r, sides, o)); got != row.want || answers.Sided(r) != before {
			t.Errorf("row %d, %s on %s:\ngot  %s\nwant %s", i, row.on, row.entries, got, row.want)
		}
	}
	named := provider.Response{Changes: rpc.DiffSome, Diffs: []string{"a", "o"}}
	if got := answers.Sided(decide.ReplaceOnChanges(named, sides, decide.ReplaceOptions{Patterns: patterns("o.x")})); !strings.HasSuffix(got, "| o") {
		t.Error(got)
	}
	thrown := answers.Claimed("o=UPDATE_REPLACE", "a=UPDATE")
	thrown.HasDetailed, thrown.Diffs, thrown.Replaces = false, nil, nil
	for _, way := range []provider.Direction{provider.TwoWay, provider.EngineOneWay} {
		got := decide.ReplaceOnChanges(thrown, sides, decide.ReplaceOptions{Patterns: patterns("[*]", "o.x"), Direction: way})
		if thrown.Replace() || got.Replace() || answers.Sided(got) != answers.Sided(thrown) {
			t.Errorf("entries count without HasDetailed: %s", answers.Sided(got))
		}
	}
	none := provider.Response{Changes: rpc.DiffNone, Diffs: []string{"a"}}
	if got := decide.ReplaceOnChanges(none, sides, decide.ReplaceOptions{Patterns: patterns("a")}); got.Replace() {
		t.Error("nothing changed, and replaces")
	}
	if got := decide.ReplaceOnChanges(none, sides, decide.ReplaceOptions{Patterns: patterns("[*]"), InitErrors: true}); got.Changes != rpc.DiffSome || !got.Replace() {
		t.Error("a failed initialization is no change")
	}
	for _, changes := range []rpc.DiffChanges{rpc.DiffUnknown, -1, 7} { // engines fail before they look at patterns
		undecided := provider.Response{Changes: changes, Diffs: []string{"a"}}
		got := decide.ReplaceOnChanges(undecided, sides, decide.ReplaceOptions{Patterns: patterns("[*]"), InitErrors: true})
		if got.Changes != changes || got.Replace() {
			t.Errorf("%v becomes %s", changes, answers.Sided(got))
		}
	}
}

type replaceRow struct {
	Kind             string
	Diff, Expected   struct{ Changes, Diffs, Replaces json.RawMessage }
	HasInitErrors    bool
	ReplaceOnChanges []string
	Source           string
}

// The rows of the engine's own test of replaceOnChanges.
func TestOracleReplaceOn(t *testing.T) {
	rows := 0
	kit.ReadRows(t, "detailed-diffs.jsonl", func(n int, r replaceRow) {
		if r.Kind != "engine-applyReplaceOnChanges" {
			return
		}
		rows++
		list := func(data json.RawMessage) (names []string) {
			if len(data) > 0 && json.Unmarshal(data, &names) != nil {
				t.Fatal(n)
			}
			return names
		}
		response := provider.Response{Diffs: list(r.Diff.Diffs), Replaces: list(r.Diff.Replaces)}
		if string(r.Diff.Changes) == `"DIFF_SOME"` {
			response.Changes = rpc.DiffSome
		}
		got := decide.ReplaceOnChanges(response, provider.Sides{}, decide.ReplaceOptions{
			Patterns: patterns(r.ReplaceOnChanges...), Direction: provider.EngineOneWay, InitErrors: r.HasInitErrors,
		})
		want := fmt.Sprint(string(r.Expected.Changes), list(r.Expected.Diffs), list(r.Expected.Replaces))
		if text := fmt.Sprint(`"`+got.Changes.String()+`"`, got.Diffs, got.Replaces); text != want {
			t.Errorf("row %d (%s): %s, want %s", n, r.Source, text, want)
		}
	})
	if rows != 3 {
		t.Errorf("%d rows", rows)
	}
}
