package check_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/equality"
	"github.com/propalg/propalg/internal/decide"
	"github.com/propalg/propalg/internal/test/answers"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/value"
)

// found lists findings as "place: code".
func found(findings []check.Finding) string {
	var all []string
	for _, f := range findings {
		all = append(all, f.At.String()+":"+f.Code)
	}
	return strings.Join(all, " ")
}

// validated returns the sides of the rows below: old and new inputs, and a state.
func validated() provider.Sides {
	return provider.Sides{
		OldInputs: obj("same", num(1), "changed", num(1), "gone", num(1), "drifted", num(1), "n", value.Null(),
			"o", obj("x", num(1), "same", num(1)), "l", arr(num(1), num(2), num(3)), "s", sec(obj("k", num(1))), "u", num(1)),
		News: obj("same", num(1), "changed", num(2), "come", num(1), "drifted", num(2), "n", value.Null(),
			"o", obj("x", num(2), "same", num(1)), "l", arr(num(1), num(3)), "s", sec(obj("k", num(2))), "u", value.Unknown()),
		OldState: obj("id", str("i"), "same", num(1), "changed", num(1), "gone", num(1), "drifted", num(2),
			"o", obj("x", num(1), "same", num(1)), "l", arr(num(1), num(2), num(3)), "s", sec(obj("k", num(1))), "u", num(1), "w", obj("x", sec(obj("k", num(1))))),
	}
}

type findingRow struct{ entry, want string }

// entryRows are responses of one entry, or a few, and what is found about them;
// what nothing reports is left out.
func entryRows() []findingRow {
	return []findingRow{
		{"changed=UPDATE", ""},
		{"changed<UPDATE", ""},
		{"gone=DELETE", ""},
		{"come=ADD_REPLACE", ""},
		{"o.x=UPDATE", ""},
		{"o=UPDATE", ""},
		{"s=UPDATE", ""},
		{"u=UPDATE", ""},
		{"u.deep[3]=UPDATE", "u.deep[3]:old-missing"},
		{"u.deep=ADD", ""},
		{"u=DELETE", "u:delete-present"},
		{`["changed"]=UPDATE`, ""},

		{"changed=99", "changed:kind-unknown"},
		{"changed=6", "changed:kind-unknown"},
		{"changed=-1", "changed:kind-unknown"},
		{`a["=UPDATE`, `["a[\""]:key-unreadable`},
		{"a[-1]=UPDATE a[-2]=UPDATE", `["a[-1]"]:key-unreadable ["a[-2]"]:key-unreadable`},
		{"l[9223372036854775807]=UPDATE", `["l[9223372036854775807]"]:key-unreadable`},
		{"s[k]=UPDATE", "s[secret]:key-unreadable"},
		{"s.=UPDATE", "s[secret]:key-unreadable"},
		{"w.x.k[=UPDATE", "w[secret]:key-unreadable"},
		{`["s"][k]=UPDATE`, "[secret]:key-unreadable"},
		{".s.k=UPDATE", "[secret]:key-unreadable"},
		{"l[2147483647]=UPDATE", "l[2147483647]:old-missing"},
		{`o.["x"]=UPDATE`, "o.x:key-lenient"},
		{"l.[5]=UPDATE", "l[5]:key-lenient l[5]:old-missing"},
		{`o["x"]=UPDATE`, ""},
		{`o["x.["]=ADD`, `o["x.["]:new-missing`},
		{`o["\".["]=ADD`, `o["\".["]:new-missing`},
		{`s.["k"]=UPDATE`, "s[secret]:key-lenient s[secret]:below-secret"},
		{"=UPDATE", ":key-empty"},
		{"changed=ADD", "changed:add-present"},
		{"changed=DELETE", "changed:delete-present"},
		{"gone=UPDATE", "gone:new-missing"},
		{"gone=ADD", "gone:new-missing"},
		{"come=UPDATE", "come:old-missing"},
		{"come=DELETE_REPLACE", "come:old-missing"},
		{"n=UPDATE", "n:old-missing"},
		{"n=ADD", "n:new-missing"},
		{"nowhere=UPDATE", "nowhere:old-missing"},
		{"o[0]=ADD", "o[0]:new-missing"},
		{"l.x=DELETE", "l.x:old-missing"},
		{"same=UPDATE", "same:update-equal"},
		{"o.same=UPDATE_REPLACE", "o.same:update-equal"},
		{"drifted=UPDATE", ""},
		{"drifted<UPDATE", "drifted:wrong-side"},
		{"id<UPDATE", "id:output-only"},
		{"id<DELETE", "id:output-only"},
		{"id<ADD", "id:output-only"},
		{"id.x<DELETE", "id.x:output-only"},
		{"id=DELETE", "id:output-only"},
		{"s.k=UPDATE", "s[secret]:below-secret"},
		{"o=UPDATE o.x=UPDATE", "o.x:overlap"},
		{`o.x=UPDATE o["x"]=UPDATE`, "o.x:place-twice"},
		{"__meta<UPDATE_REPLACE", ""},
		{"#initerror<UPDATE_REPLACE", ""},
	}
}

// elementRows are responses about elements, which are judged by the rule of numbers.
func elementRows() []findingRow {
	return []findingRow{
		{"l[1]=DELETE", ""},
		{"l[2]=DELETE", ""},
		{"l[1]=UPDATE l[2]=DELETE", ""},
		{"l[0]=DELETE l[1]=DELETE l[0]=ADD", "l[0]:add-present l[0]:place-twice l[1]:delete-present"},
		{"l[0]=DELETE l[1]=DELETE", "l[0]:delete-present l[1]:delete-present"},
		{"l[0]=DELETE l[2]=DELETE l[1]=ADD", ""},
		{"l[0]=ADD", "l[0]:add-present"},
		{"l[2]=ADD", "l[2]:new-missing"},
		{"l[0]=UPDATE", "l[0]:update-equal"},
		{"l[3]=DELETE", "l[3]:old-missing"},
	}
}

func TestValidateEntries(t *testing.T) {
	for i, row := range slices.Concat(entryRows(), elementRows()) {
		var entries []string
		if row.entry != "" {
			entries = strings.Fields(row.entry)
		}
		r := answers.Claimed(entries...)
		findings := slices.DeleteFunc(check.Validate(r, validated(), provider.Differ{}), func(f check.Finding) bool { return f.Code == "unreported" })
		if got := found(findings); got != row.want {
			t.Errorf("row %d, %s:\ngot  %s\nwant %s", i, row.entry, got, row.want)
		}
		slices.Reverse(r.Detailed)
		again := slices.DeleteFunc(check.Validate(r, validated(), provider.Differ{}), func(f check.Finding) bool { return f.Code == "unreported" })
		if found(again) != row.want {
			t.Errorf("row %d, %s, entries in another order: %s", i, row.entry, found(again))
		}
	}
}

// An UPDATE of equal elements may stand for two entries at one index, if other entries of
// the array show it. Without knowing how elements were matched, nothing is found in what an
// aligned comparison answers.
func TestValidateMovedElements(t *testing.T) {
	a, b, c, d := str("a"), str("b"), str("c"), str("d")
	e, n, s := value.Object(), value.Null(), sec(value.Null())
	for i, row := range []struct {
		old, state, now value.Value
		entries, want   string
	}{
		// What is or was secret keeps its place, and an equal element moved past it.
		{arr(s, e, n), arr(s, e, n), arr(e, e), "l[0]=UPDATE l[1]=UPDATE l[2]=DELETE", ""},
		{arr(a, b), arr(a, b), arr(b, b, sec(a)), "l[0]=UPDATE l[1]=UPDATE l[2]=ADD", ""},
		{arr(b, a, b, sec(c), sec(d)), arr(b, a, b, sec(c), sec(d)), arr(c, d, b), "l[0]=UPDATE l[1]=UPDATE l[2]=UPDATE l[3]=DELETE l[4]=DELETE", ""},
		{arr(a, n), arr(a, n), arr(c, n, d), "l[0]=UPDATE l[1]=UPDATE l[2]=ADD", "l[1]:update-equal"},
		{arr(a, b), arr(a, b), arr(c, b), "l[0]=UPDATE l[1]=UPDATE", "l[1]:update-equal"},
		{arr(a, b, c), arr(a, b, c), arr(d, b), "l[0]=UPDATE l[1]=UPDATE l[2]=DELETE", "l[1]:update-equal"},
		{arr(b, b, a), arr(b, b, a), arr(b, b, c), "l[0]=UPDATE l[1]=UPDATE l[2]=UPDATE", "l[0]:update-equal l[1]:update-equal"},
		// Old inputs and state have different elements, so each has entries of its own.
		{arr(e, a, a), arr(e), arr(obj("x", b), a), "l[0].x=ADD l[1]=UPDATE", ""},
		{arr(n), arr(s, s), arr(a, s, b), "l[0]=UPDATE l[1]<UPDATE l[2]=ADD", ""},
		{arr(s, n), arr(a, b, b), arr(s, b), "l[0]<UPDATE l[1]<UPDATE", ""},
		{arr(a, b), arr(c, b), arr(c, d), "l[0]<UPDATE", "l[0]:wrong-side"},
		{arr(a, b, c), n, arr(a, d), "l[0]=UPDATE", "l[0]:update-equal"},
	} {
		sides := provider.Sides{OldInputs: obj("l", row.old), OldState: obj("l", row.state), News: obj("l", row.now)}
		r := answers.Claimed(strings.Fields(row.entries)...)
		findings := slices.DeleteFunc(check.Validate(r, sides, provider.Differ{}), func(f check.Finding) bool { return f.Code == "unreported" })
		if got := found(findings); got != row.want {
			t.Errorf("row %d, %s:\ngot  %s\nwant %s", i, row.entries, got, row.want)
		}

		given := provider.Differ{Arrays: diff.Aligned(), Drift: true}.Compare(sides).Response()
		if row.want == "" && answers.Sided(given) != answers.Sided(r) {
			t.Errorf("row %d: the answer is %s", i, answers.Sided(given))
		}
	}
}

// TestLenientKeys: a key is of lenient readers if Pulumi's parser takes it, and refuses it
// in strict mode.
func TestLenientKeys(t *testing.T) {
	lenient := 0

	kit.ReadRows(t, "oracle-paths.jsonl", func(n int, r struct{ Path, StrictError, Error string }) {
		p, err := path.ParsePulumi(r.Path)
		if err != nil || p.IsRoot() {
			return
		}

		if r.StrictError != "" {
			lenient++
		}

		found := check.Validate(provider.Response{Detailed: []provider.Entry{{Key: r.Path}}}, validated(), provider.Differ{})
		if got := slices.ContainsFunc(found, func(f check.Finding) bool { return f.Code == "key-lenient" }); got != (r.StrictError != "") {
			t.Errorf("row %d, %s: %v, strict: %q", n, r.Path, got, r.StrictError)
		}
	})

	if lenient < 3 {
		t.Errorf("%d keys of lenient readers", lenient)
	}
}

// Names, answers as a whole, and changes that no entry reports.
func TestValidateWhole(t *testing.T) {
	old, now := obj("a", num(1), "b.c", num(1)), obj("a", num(2), "b.c", num(1))
	sides := provider.Sides{OldInputs: old, OldState: old, News: now}
	equal := provider.Sides{OldInputs: old, OldState: old, News: old}
	computed := obj("a", num(1), "b.c", num(1), "id", num(7), "url", num(8))
	good := answers.Claimed("a=UPDATE_REPLACE")
	unnamed := answers.Claimed("c=ADD_REPLACE", "d=DELETE_REPLACE")
	unnamed.Replaces = nil
	deep := func(x float64) value.Value { return obj("a", obj("b", arr(obj("c", obj("d", num(x)))))) }
	with := func(edit func(r *provider.Response)) provider.Response {
		r := good
		edit(&r)
		return r
	}
	for i, row := range []struct {
		r     provider.Response
		sides provider.Sides
		want  string
	}{
		{good, sides, ""},
		{provider.Response{Changes: rpc.DiffNone, HasDetailed: true}, equal, ""},
		{provider.Response{Changes: rpc.DiffNone}, equal, ""},
		{provider.Response{Changes: rpc.DiffUnknown}, sides, ""},
		{provider.Response{Changes: rpc.DiffUnknown, Replaces: []string{"a"}}, sides, ""},
		{provider.Response{Changes: rpc.DiffSome, Diffs: []string{"a"}}, sides, ""},
		{provider.Response{Changes: rpc.DiffNone}, sides, "a:unreported :none-while-differ"},
		{with(func(r *provider.Response) { r.Changes = rpc.DiffUnknown }), sides, ":unknown-with-entries"},
		// What may be the same, and what has other marks alone, may be nothing to a provider.
		{provider.Response{Changes: rpc.DiffNone}, provider.Sides{OldInputs: old, News: obj("a", value.Unknown(), "b.c", sec(num(1)))}, `a:unreported ["b.c"]:unreported`},
		{provider.Response{Changes: rpc.DiffNone, Replaces: []string{"a"}}, sides, "a:unreported :none-with-changes"},
		{provider.Response{Changes: rpc.DiffNone}, provider.Sides{OldInputs: deep(1), News: deep(2)}, "a.b[0].c.d:unreported :none-while-differ"},
		{answers.Claimed("id<DELETE", "url<UPDATE"), provider.Sides{OldInputs: old, OldState: computed, News: old}, "id:output-only url:output-only :some-while-equal"},
		{answers.Claimed("id<DELETE"), provider.Sides{OldInputs: old, OldState: computed, News: now}, "id:output-only a:unreported"},
		{answers.Claimed("id<DELETE"), provider.Sides{OldState: computed, News: now}, ""},
		{answers.Claimed("id<DELETE", "a<UPDATE"), provider.Sides{OldInputs: old, OldState: obj("a", num(3), "id", num(7)), News: old}, "id:output-only"},
		{provider.Response{Changes: rpc.DiffSome}, sides, "a:unreported :some-unnamed"},
		{provider.Response{Changes: rpc.DiffSome, HasDetailed: true}, equal, ":some-unnamed :detailed-empty"},
		{provider.Response{Changes: 77}, equal, ":state-unknown"},
		{provider.Response{Changes: -1}, equal, ":state-unknown"},
		{with(func(r *provider.Response) { r.Changes = rpc.DiffNone }), sides, ":none-with-changes"},
		{with(func(r *provider.Response) { r.HasDetailed = false }), sides, ":not-detailed"},
		{with(func(r *provider.Response) { r.Diffs = nil }), sides, "a:diffs-missing"},
		{with(func(r *provider.Response) { r.Replaces = nil }), sides, "a:replaces-missing"},
		{with(func(r *provider.Response) { r.Diffs = []string{"z", "a", "a"} }), sides, "a:diffs-twice z:diffs-extra"},
		{with(func(r *provider.Response) { r.Diffs = []string{"z", "a", "z", "z"} }), sides, "z:diffs-extra z:diffs-twice"},
		{with(func(r *provider.Response) { r.Diffs = []string{"a", "a.x", "a.x"} }), sides, "a.x:diffs-path"},
		{with(func(r *provider.Response) { r.Replaces = []string{"a", "a"} }), sides, "a:replaces-twice"},
		{unnamed, provider.Sides{OldInputs: obj("d", num(1)), News: obj("c", num(1))}, "c:replaces-missing d:replaces-missing"},
		{with(func(r *provider.Response) { r.Replaces = []string{"a", "z"} }), sides, "z:replaces-extra"},
		{with(func(r *provider.Response) { r.Diffs = []string{"a", "a.x"} }), sides, "a.x:diffs-path"},
		{with(func(r *provider.Response) { r.Replaces = []string{"a", "l[0]"} }), sides, "l[0]:replaces-path"},
		{with(func(r *provider.Response) { r.Diffs = []string{"a", "b.c"} }), sides, `["b.c"]:diffs-extra`},
		{with(func(r *provider.Response) { r.Diffs = []string{"a", "__meta", "#initerror"} }), sides, ""},
		{with(func(r *provider.Response) { r.Diffs = []string{"__meta", "a"} }), provider.Sides{OldInputs: obj("a", num(1), "__meta", num(1)), News: obj("a", num(2), "__meta", num(1))}, "__meta:diffs-extra"},
	} {
		if got := found(check.Validate(row.r, row.sides, provider.Differ{})); got != row.want {
			t.Errorf("row %d:\ngot  %s\nwant %s", i, got, row.want)
		}
	}
	ignored := []path.Pattern{path.MustParsePattern("[*]")}
	if got := found(check.Validate(good, sides, provider.Differ{Ignored: ignored})); got != "a:ignored" {
		t.Errorf("ignored, and reported: %s", got)
	}
	if got := found(check.Validate(provider.Response{Changes: rpc.DiffNone}, sides, provider.Differ{Ignored: ignored})); got != "" {
		t.Errorf("ignored, and not reported: %s", got)
	}
	ignored = []path.Pattern{path.MustParsePattern("o.x")}
	if got := found(check.Validate(answers.Claimed("o.x=UPDATE"), provider.Sides{OldInputs: obj("o", obj("x", num(1))), News: obj("o", obj("x", num(2)))}, provider.Differ{Ignored: ignored})); got != "o.x:ignored" {
		t.Errorf("ignored and reported, below the top: %s", got)
	}
}

// Under rules of equality, what they hide does not count as a change.
func TestValidateEquality(t *testing.T) {
	rules := provider.Differ{Equality: equality.MustRules(equality.Rule{Pattern: path.MustParsePattern("a"), Form: equality.FoldCase})}
	spelled := provider.Sides{OldInputs: obj("a", str("x")), OldState: obj("a", str("A")), News: obj("a", str("a"))}
	for _, row := range []struct {
		r     provider.Response
		sides provider.Sides
		want  string
	}{
		{provider.Response{Changes: rpc.DiffNone}, provider.Sides{OldInputs: obj("a", str("A")), News: obj("a", str("a"))}, ""},
		{provider.Response{Changes: rpc.DiffNone}, spelled, "a:unreported :none-while-differ"},
		{answers.Claimed("a=UPDATE"), spelled, ""},
		{provider.Response{Changes: rpc.DiffSome, Detailed: []provider.Entry{{Key: "a", Kind: rpc.PropertyDiffUpdate}}, HasDetailed: true, Diffs: []string{"a"}}, spelled, "a:wrong-side"},
	} {
		got := check.Validate(row.r, row.sides, rules)
		if found(got) != row.want {
			t.Errorf("with rules of equality: %s, not %s", found(got), row.want)
		}
		for _, f := range got {
			if f.Code == "none-while-differ" && f.Severity != check.SeverityError {
				t.Errorf("where what means the same is known, %v", f)
			}
		}
	}

	rules.ArrayRules = []diff.ArrayRule{{Pattern: path.MustParsePattern("set"), Match: diff.Unordered()}}
	moved := provider.Sides{OldInputs: obj("set", value.Array(str("x"), str("y"))), News: obj("set", value.Array(str("y"), str("x")))}
	if got := found(check.Validate(provider.Response{Changes: rpc.DiffNone}, moved, rules)); got != "" {
		t.Errorf("another order of a set: %s", got)
	}
}

// An answer replaces just where the patterns say so.
func TestValidateReplacement(t *testing.T) {
	options := provider.Differ{ReplaceOn: path.MustSet("a", "rules[*].port", "secret.key")}
	sides := provider.Sides{
		OldInputs: obj("a", num(1), "b", num(1), "secret", value.Secret(obj("key", num(1)))),
		OldState:  obj("a", num(1), "b", num(1), "secret", value.Secret(obj("key", num(1)))),
		News:      obj("a", num(2), "b", num(2), "secret", value.Secret(obj("key", num(2)))),
	}
	marks := provider.Sides{OldInputs: obj("a", num(1)), OldState: obj("a", num(1)), News: obj("a", value.Secret(num(1)))}
	drifted := provider.Sides{OldInputs: obj("a", num(1), "b", num(1)), OldState: obj("a", num(2), "b", num(1)), News: obj("a", num(1), "b", num(2))}
	rules := func(ports ...float64) value.Value {
		var all []value.Value
		for _, port := range ports {
			all = append(all, obj("port", num(port)))
		}
		return obj("rules", value.Array(all...))
	}
	grown := provider.Sides{OldInputs: rules(1), OldState: rules(1), News: rules(1, 2)}
	for _, row := range []struct {
		r     provider.Response
		sides provider.Sides
		o     provider.Differ
		want  string
	}{
		{answers.Claimed("a=UPDATE_REPLACE", "b=UPDATE", "secret=UPDATE_REPLACE"), sides, options, ""},
		{answers.Claimed("a=UPDATE", "b=UPDATE", "secret=UPDATE_REPLACE"), sides, options, "a:should-replace"},
		{answers.Claimed("a=UPDATE_REPLACE", "b=UPDATE", "secret=UPDATE"), sides, options, "secret:should-replace"},
		{answers.Claimed("a=UPDATE_REPLACE", "b=UPDATE_REPLACE", "secret=UPDATE_REPLACE"), sides, options, "b:should-update"},
		{answers.Claimed("a=UPDATE", "b=UPDATE_REPLACE", "secret=UPDATE"), sides, provider.Differ{}, ""},
		{provider.Response{Changes: rpc.DiffSome, Diffs: []string{"a", "b", "secret"}, Replaces: []string{"a", "secret"}}, sides, options, ""},
		{provider.Response{Changes: rpc.DiffSome, Diffs: []string{"a", "b", "secret"}, Replaces: []string{"b", "secret"}}, sides, options, "a:should-replace b:should-update"},
		{provider.Response{Replaces: []string{"a"}}, sides, options, "secret:should-replace"}, // the engine compares
		{answers.Claimed("a=UPDATE"), marks, options, ""},
		{answers.Claimed("a=UPDATE_REPLACE"), marks, options, "a:should-update"},
		{answers.Claimed("__meta=UPDATE_REPLACE"), provider.Sides{OldInputs: obj("__meta", num(1)), News: obj("__meta", num(2))}, options, "__meta:should-update"},
		{answers.Claimed("a<UPDATE_REPLACE", "b=UPDATE"), drifted, options, ""},
		{answers.Claimed("b=UPDATE"), drifted, options, ""},
		{answers.Claimed("rules[1]=ADD"), grown, options, ""},
		{answers.Claimed("rules[1]=ADD_REPLACE"), grown, options, "rules:should-update"},
		{answers.Claimed("rules[1]=ADD"), grown, provider.Differ{ReplaceOn: options.ReplaceOn, Direction: provider.ThroughElements}, "rules[1]:should-replace"},
		{answers.Claimed("a=UPDATE_REPLACE"), provider.Sides{OldState: sides.OldState, News: sides.News}, options, ""}, // names are not known
	} {
		if got := found(check.Validate(row.r, row.sides, row.o)); got != row.want {
			t.Errorf("%v: %q, not %q", row.r, got, row.want)
		}
	}
}

// Properties that are said not to change do not change.
func TestValidateStables(t *testing.T) {
	old, state := obj("a", num(1), "b", num(1), "s", sec(num(1))), obj("a", num(1), "b", num(1), "url", str("u"))
	sides := provider.Sides{OldInputs: old, OldState: state, News: obj("a", num(2), "b", num(1), "s", sec(num(2)), "u", value.Unknown())}
	reported, named := answers.Claimed("a=UPDATE"), provider.Response{Changes: rpc.DiffSome, Diffs: []string{"a"}}
	for i, row := range []struct {
		r       provider.Response
		sides   provider.Sides
		stables []string
		ignored string
		want    string
	}{
		{reported, sides, nil, "", ""},
		{reported, sides, []string{"url", "b", "id", "urn"}, "", ""},
		{reported, sides, []string{"nope", "a", "url", "a"}, "", "a:stables-reported nope:stables-absent"},
		{named, sides, []string{"a", "url", "nope"}, "", "a:stables-reported nope:stables-absent"},
		{reported, sides, []string{"s"}, "", "s:stables-changed"},
		{reported, sides, []string{"u"}, "", ""},
		{provider.Response{Changes: rpc.DiffNone}, sides, []string{"a"}, "", "a:stables-changed :none-while-differ"},
		// What ignoreChanges covers does not change.
		{provider.Response{Changes: rpc.DiffNone}, sides, []string{"a"}, "[*]", ""},
		// A change that an unknown may hide is believed, and so is one that only state shows.
		{provider.Response{Changes: rpc.DiffSome}, provider.Sides{OldInputs: old, OldState: state, News: obj("a", value.Unknown(), "b", num(1), "s", sec(num(1)))}, []string{"a"}, "", ":some-unnamed"},
		{provider.Response{Changes: rpc.DiffNone}, provider.Sides{OldState: state, News: obj("a", num(2))}, []string{"a"}, "", ""},
	} {
		row.r.Stables = row.stables
		var ignored []path.Pattern
		if row.ignored != "" {
			ignored = []path.Pattern{path.MustParsePattern(row.ignored)}
		}
		findings := slices.DeleteFunc(check.Validate(row.r, row.sides, provider.Differ{Ignored: ignored}), func(f check.Finding) bool { return f.Code == "unreported" })
		if got := found(findings); got != row.want {
			t.Errorf("row %d:\ngot  %s\nwant %s", i, got, row.want)
		}
	}
}

// The text of a finding has its message and place before its code.
func TestFindingString(t *testing.T) {
	for want, f := range map[string]check.Finding{
		"error: a[secret]: update-equal: advice": {Severity: check.SeverityError, Code: "update-equal", Entry: 2, At: path.Show(path.MustParse("a.b"), 1), Advice: "advice"},
		"error: entry 3: key-empty: advice":      {Severity: check.SeverityError, Code: "key-empty", Entry: 3, Advice: "advice"},
		"note: request.id: unrecorded-id: x":     {Severity: check.SeverityNote, Code: "unrecorded-id", Entry: -1, In: "request.id", Advice: "x"},
		"invalid severity: x: y":                 {Severity: 9, Code: "x", Entry: -1, Advice: "y"},
	} {
		if got := f.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// Deep and wide values are checked in linear time.
func TestProtocolBounds(t *testing.T) {
	levels := value.MaxDepth - 1
	old, now := kit.Nested(levels, num(1)), kit.Nested(levels, num(2))
	sides := provider.Sides{OldInputs: obj("d", old), OldState: obj("d", old), News: obj("d", now)}
	c := provider.Differ{Drift: true}.Compare(sides)
	r := c.Response()
	if len(r.Detailed) != 1 {
		t.Fatalf("%d entries", len(r.Detailed))
	}
	if got := check.Validate(r, sides, provider.Differ{}); len(got) > 0 {
		t.Fatalf("%v", got[0].Code)
	}
	reading := check.ReadResponse(r, sides)
	if len(reading.Omitted) > 0 || reading.Diff.Len() != 1 {
		t.Fatalf("%d omitted, %d changes", len(reading.Omitted), reading.Diff.Len())
	}
	if again := decide.ReplaceOnChanges(r, sides, decide.ReplaceOptions{Patterns: patterns("d")}); !again.Replace() {
		t.Error("no replacement")
	}

	wide := make([]value.Value, 20_000)
	for i := range wide {
		wide[i] = num(float64(i))
	}
	var entries []string
	for i := range wide {
		entries = append(entries, fmt.Sprintf("l[%d]=DELETE", i), fmt.Sprintf("l[%d].x=ADD", i), fmt.Sprintf("l[%d]=ADD", i+len(wide)/2))
	}
	lied := answers.Claimed(entries...)
	sides = provider.Sides{OldInputs: obj("l", arr(wide...)), News: obj("l", arr(wide...))}
	if got := check.Validate(lied, sides, provider.Differ{}); len(got) < len(wide) {
		t.Errorf("%d findings", len(got))
	}
	if got := check.ReadResponse(lied, sides); !got.Diff.Empty() || len(got.Omitted) != len(lied.Detailed) {
		t.Errorf("%d changes, %d omitted", got.Diff.Len(), len(got.Omitted))
	}
}
