package check_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/internal/decide"
	"github.com/propalg/propalg/internal/test/answers"
	"github.com/propalg/propalg/internal/test/draw"
	"github.com/propalg/propalg/internal/test/golden"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/value"
)

// read writes the changes that a response reports, and the entries that are omitted.
var update = golden.Flag()

func read(r provider.Response, s provider.Sides) string {
	reading := check.ReadResponse(r, s)
	var parts []string
	for c := range reading.Diff.Changes() {
		parts = append(parts, c.String())
	}
	for _, o := range reading.Omitted {
		parts = append(parts, fmt.Sprintf("(%s: %v)", r.Detailed[o.Entry].Key, o.Why))
	}
	return strings.Join(parts, "; ")
}

func readingRows() []findingRow {
	return []findingRow{
		{"changed=UPDATE", "~ changed: 1 => 2"},
		{"changed=UPDATE_REPLACE", "~ changed: 1 => 2"},
		{"drifted=UPDATE", "~ drifted: 1 => 2"},
		{"drifted<UPDATE", "(drifted: no difference)"},
		{"changed=ADD", "+ changed: 2"},
		{"changed=DELETE", "- changed: 1"},
		{"changed=99", "~ changed: 1 => 2"},
		{"gone=DELETE", "- gone: 1"},
		{"gone=UPDATE", "- gone: 1"},
		{"gone=ADD", "(gone: no such place)"},
		{"come=ADD", "+ come: 1"},
		{"come=DELETE", "(come: no such place)"},
		{"id<DELETE", `- id: "i"`},
		{"id=DELETE", "(id: no such place)"},
		{"nowhere=UPDATE", "(nowhere: no such place)"},
		{"same=UPDATE", "(same: no difference)"},
		{"same.below=UPDATE", "(same.below: no such place)"},
		{"changed.below=UPDATE", "~ changed: 1 => 2"},
		{"gone.below[7]=ADD", "- gone: 1"},
		{"o.x=UPDATE", "~ o.x: 1 => 2"},
		{"o=UPDATE", "~ o.x: 1 => 2"},
		{"o.same=UPDATE o.x=UPDATE", "~ o.x: 1 => 2; (o.same: no difference)"},
		{"o=UPDATE o.x=DELETE o[0]=ADD", "~ o.x: 1 => 2; (o[0]: inside another entry); (o.x: inside another entry)"},
		{`o.x=UPDATE o["x"]=DELETE`, `~ o.x: 1 => 2; (o["x"]: inside another entry)`},
		{"o[0]=ADD o.x=UPDATE", "~ o.x: 1 => 2; (o[0]: no such place)"},
		{"s.k=UPDATE", "~ s: [secret] => [secret]"},
		{"s=UPDATE", "~ s: [secret] => [secret]"},
		{"s=DELETE", "~ s: [secret] => [secret]"},
		{"u=UPDATE", "~ u: 1 => [unknown]"},
		{"u.deep.er=UPDATE", "~ u: 1 => [unknown]"},
		{"a[=ADD changed=UPDATE =ADD", "~ changed: 1 => 2; (: empty key); (a[: unreadable key)"},
		{"__meta<UPDATE #initerror<UPDATE", "(#initerror: not a property); (__meta: not a property)"},

		{"l[2]=DELETE", "- l[2]: 3"},
		{"l[1]=UPDATE l[2]=DELETE", "~ l[1]: 2 => 3; - l[2]: 3"},
		{"l[1]=UPDATE", "~ l[1]: 2 => 3"},
		{"l[0]=UPDATE", "(l[0]: no difference)"},
		{"l[1]=DELETE", "- l[1]: 2"},
		{"l[0]=DELETE", "- l[1]: 2"},
		{"l[2147483647]=ADD l[0].x=ADD", "(l[0].x: no such place); (l[2147483647]: no such place)"},
		{"l.x=ADD l[2]=DELETE", "- l[2]: 3; (l.x: no such place)"},
	}
}

func TestReadResponse(t *testing.T) {
	for i, row := range readingRows() {
		r := answers.Claimed(strings.Fields(row.entry)...)
		if got := read(r, validated()); got != row.want {
			t.Errorf("row %d, %s:\ngot  %s\nwant %s", i, row.entry, got, row.want)
		}
		// The same whatever the order of entries.
		for range 3 {
			rand.Shuffle(len(r.Detailed), func(i, j int) { r.Detailed[i], r.Detailed[j] = r.Detailed[j], r.Detailed[i] })
			if got := read(r, validated()); got != row.want {
				t.Errorf("row %d, %s, in another order: %s", i, row.entry, got)
			}
		}
	}
}

// A response without entries is read by its names.
func TestReadResponseByName(t *testing.T) {
	sides := provider.Sides{OldInputs: obj("a", num(1), "b", num(1)), OldState: obj("a", num(3), "id", num(1)), News: obj("a", num(2), "b", num(2))}
	without := provider.Sides{OldState: sides.OldState, News: sides.News}
	for i, row := range []struct {
		r     provider.Response
		sides provider.Sides
		want  string
	}{
		{provider.Response{Changes: rpc.DiffSome, Diffs: []string{"a"}}, sides, "~ a: 1 => 2"},
		{provider.Response{Changes: rpc.DiffSome, Diffs: []string{"a"}, HasDetailed: true}, sides, "~ a: 1 => 2"},
		{provider.Response{Changes: rpc.DiffSome, Diffs: []string{"a.b[2]", `b["`}}, sides, "~ a: 1 => 2"},
		{provider.Response{Changes: rpc.DiffSome, Diffs: []string{"a"}}, without, "~ a: 3 => 2"},
		{provider.Response{Changes: rpc.DiffSome}, sides, "~ a: 1 => 2; ~ b: 1 => 2"},
		{provider.Response{Changes: rpc.DiffNone, Diffs: []string{"a"}}, sides, ""},
		{provider.Response{}, sides, ""},
		{provider.Response{Changes: rpc.DiffSome, Diffs: []string{"a"}, Detailed: answers.Claimed("b=UPDATE", "no=ADD").Detailed}, sides, "~ a: 1 => 2"},
	} {
		if got := read(row.r, row.sides); got != row.want {
			t.Errorf("row %d: %s, want %s", i, got, row.want)
		}
	}
}

// All entries below one array are about the same old array: that of the first one.
func TestReadResponseOneArray(t *testing.T) {
	s := provider.Sides{
		OldInputs: obj("l", arr(num(1), num(2))),
		OldState:  obj("l", arr(num(1), num(2), num(5))),
		News:      obj("l", arr(num(1), num(9), num(7))),
	}
	for entries, want := range map[string]string{
		"l[1]=UPDATE l[2]<UPDATE": "~ l[1]: 2 => 9; + l[2]: 7",
		"l[1]<UPDATE l[2]=UPDATE": "~ l[1]: 2 => 9; ~ l[2]: 5 => 7",
	} {
		if got := read(answers.Claimed(strings.Fields(entries)...), s); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", entries, got, want)
		}
	}
}

// An element that was removed left the place to another one, unless that is null, and so
// did the one that was in the place of an added one.
func TestReadResponseOverNull(t *testing.T) {
	all, first := arr(num(1), num(2), num(3)), arr(value.Null(), num(2), num(4))
	for _, row := range []struct {
		entry    string
		old, now value.Value
		want     string
	}{
		{"l[0]=DELETE", all, first, "~ l[0]: 1 => null"},
		{"l[0]=ADD", all, first, "~ l[0]: 1 => null; ~ l[2]: 3 => 4"},
		{"l[0]=ADD", first, all, "~ l[0]: null => 1"},
		{"l[0]=DELETE", first, all, "~ l[0]: null => 1; ~ l[2]: 4 => 3"},
	} {
		s := provider.Sides{OldInputs: obj("l", row.old), News: obj("l", row.now)}
		if got := read(answers.Claimed(row.entry), s); got != row.want {
			t.Errorf("%s of %s to %s:\ngot  %s\nwant %s", row.entry, row.old, row.now, got, row.want)
		}
	}
}

// Any response is read without a panic, and the same in any order of entries.
func TestReadResponseTotal(t *testing.T) {
	keys := []string{
		"a", "b", "c", "a.b", "a.a", "a[0]", "a[1]", "a[2]", "a[0].a", "a[1][0]", "b.c.a", "b[0].a[1]", "[0]", "[1].a", "*", "a.*", `["x.y["]`,
		"", `a["`, "a..b", "__meta", "#initerror", "a[2147483647]", "c.a.b.a.b.a.b.a.b",
	}
	rapid.Check(t, func(t *rapid.T) {
		old, now := draw.Pair(t)
		s := provider.Sides{OldInputs: old, News: now, OldState: rapid.SampledFrom([]value.Value{old, now, obj("a", arr(old, now), "b", now)}).Draw(t, "state")}
		r := provider.Response{Changes: rpc.DiffSome, HasDetailed: true}
		for _, key := range rapid.SliceOfN(rapid.SampledFrom(keys), 0, 6).Draw(t, "keys") {
			r.Detailed = append(r.Detailed, provider.Entry{Key: key, Kind: rpc.PropertyDiffKind(rapid.IntRange(0, 6).Draw(t, "kind")), InputDiff: rapid.Bool().Draw(t, "input")}) //nolint:gosec // small
		}
		reading := check.ReadResponse(r, s)
		text, findings := render.Text(reading.Diff, render.Options{}), found(check.Validate(r, s, provider.Differ{}))
		for c := range reading.Diff.Changes() {
			if c.Verdict() == value.Same {
				t.Fatalf("%v", c)
			}
		}
		r.Detailed = rapid.Permutation(r.Detailed).Draw(t, "order")
		again := check.ReadResponse(r, s)
		if !again.Diff.Equal(reading.Diff) || render.Text(again.Diff, render.Options{}) != text || found(check.Validate(r, s, provider.Differ{})) != findings {
			t.Fatalf("another order, another answer")
		}
		if shown := len(r.Detailed) - len(reading.Omitted); len(r.Detailed) > 0 && shown == 0 && !reading.Diff.Empty() {
			t.Fatalf("%d entries shown, %d changes", shown, reading.Diff.Len())
		}
	})
}

// Pulumi's guide: the tag a drifted to b. Refresh asks what an unchanged program
// would do to what was read, and turns the answer around.
func s3Refresh() (sides provider.Sides, answer provider.Response) {
	tag := func(name string) value.Value { return obj("tags", obj("tagName", str(name))) }
	sides = provider.Sides{OldInputs: tag("b"), OldState: tag("b"), News: tag("a")}
	return sides, provider.Differ{}.Compare(sides).Response()
}

func TestRefreshGolden(t *testing.T) {
	g := golden.Open(t, "testdata/protocol/s3-refresh.txtar", *update)
	sides, answer := s3Refresh()
	g.Want("answer", answers.Sided(answer))
	g.Want("shown", render.Text(check.ReadResponse(answer, sides).Diff.Invert(), render.Options{}))
	g.Want("turned around", answers.Sided(answer.Invert()))
	if got := check.Validate(answer, sides, provider.Differ{}); len(got) > 0 {
		t.Error(got)
	}
	if next := decide.Next(answer, decide.Situation{Operation: decide.DuringRefresh}); next != (decide.Decision{Step: decide.StepUpdate, Why: decide.BecauseChanged}) {
		t.Error(next)
	}
}

// TestRefreshMessages reads the calls of such a refresh as JSON.
func TestRefreshMessages(t *testing.T) {
	const bag = `{"tags": {"tagName": "a"}}`
	var read rpc.ReadRequest
	var found rpc.ReadResponse
	var asked rpc.DiffRequest
	for text, m := range map[string]rpc.Message{
		`{"id": "logs", "urn": "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::logs", "inputs": ` + bag + `, "properties": ` + bag + `}`: &read,
		`{"id": "logs", "inputs": {"tags": {"tagName": "b"}}, "properties": {"tags": {"tagName": "b"}}}`:                              &found,
		`{"id": "logs", "old_inputs": {"tags": {"tagName": "b"}}, "olds": {"tags": {"tagName": "b"}}, "news": ` + bag + `}`:           &asked,
	} {
		if err := rpc.DecodeJSON([]byte(text), m, rpc.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	sides, answer := s3Refresh()
	if read.ID != "logs" || !read.Inputs.Equal(sides.News) || !read.Properties.Equal(sides.News) || !found.Inputs.Equal(sides.OldInputs) || !found.Properties.Equal(sides.OldState) {
		t.Errorf("%v, %v", read, found)
	}
	got, err := provider.Differ{}.Answer(&asked)
	if err != nil || answers.Sided(provider.ResponseOf(got)) != answers.Sided(answer) {
		t.Error(got, err)
	}
}

func TestInvertResponse(t *testing.T) {
	r := answers.Claimed("a=ADD", "b=ADD_REPLACE", "c<DELETE", "d<DELETE_REPLACE", "e=UPDATE", "f=UPDATE_REPLACE")
	before := slices.Clone(r.Detailed)
	if got := answers.Sided(r.Invert()); got != "a=DELETE b=DELETE_REPLACE c<ADD d<ADD_REPLACE e=UPDATE f=UPDATE_REPLACE | DIFF_SOME a,b,c,d,e,f | b,d,f" {
		t.Error(got)
	}
	if got := answers.Sided(r.Invert().Invert()); got != answers.Sided(r) || !slices.Equal(r.Detailed, before) {
		t.Error(got)
	}
}
