package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// In arrays whose elements are matched other than by index, entries have the
// index that an engine looks them up by: DELETE the old one, ADD the new one.
func TestResponseOfArrays(t *testing.T) {
	words := func(text string) value.Value {
		var elems []value.Value
		for _, w := range strings.Fields(text) {
			elems = append(elems, str(w))
		}
		return arr(elems...)
	}
	named := func(text string) value.Value { // a1 is {name: a, size: 1}
		var elems []value.Value
		for _, w := range strings.Fields(text) {
			elems = append(elems, obj("name", str(w[:1]), "size", str(w[1:])))
		}
		return arr(elems...)
	}
	byName := diff.Keyed(path.MustParse("name"))
	for i, c := range []struct {
		how      diff.Match
		old, now value.Value
		want     string
	}{
		{diff.Aligned(), words("a b c"), words("x a b c"), "l[0] ADD"},
		{diff.Aligned(), words("a b c"), words("b c"), "l[0] DELETE"},
		{diff.Aligned(), words("a b c d"), words("b c d a"), "l[0] DELETE, l[3] ADD"},
		{diff.Aligned(), words("a b c"), words("a x c"), "l[1] UPDATE"},
		{diff.Aligned(), words("a b c"), words("x b c y"), "l[0] UPDATE, l[3] ADD"},
		{diff.Aligned(), words("a b"), words("x a y"), "l[0] ADD, l[1] DELETE, l[2] ADD"},
		{diff.Aligned(), named("a1 b1 c1"), named("a1 b2 c1"), "l[1].size UPDATE"},
		{diff.Aligned(), named("a1 b1 c1"), named("x1 a1 b2 c1"), "l[0] ADD, l[1] DELETE, l[2] ADD"},
		{diff.Aligned(), named("a1 b1 c1 d1"), named("c1 b2 d1"), "l[0] DELETE, l[1] UPDATE"},
		{byName, named("a1 b1"), named("b1 a1"), ""},
		{byName, named("a1 b1"), named("b1 a2"), "l[0] DELETE, l[1] ADD"},
		{byName, named("a1 b1"), named("a2 b1"), "l[0].size UPDATE"},
		{byName, named("a1 b1 c1"), named("c1 b2 a1"), "l[1].size UPDATE"},
		{byName, named("a1 b1"), named("b1 a1 c1"), "l[2] ADD"},
		{diff.Unordered(), words("a b c"), words("c a b"), ""},
		{diff.Unordered(), words("a b c"), words("c b"), "l[0] DELETE"},
		{diff.Unordered(), named("a1 b1"), named("b1 a2"), "l[0] DELETE, l[1] ADD"},
	} {
		d := diff.Between(obj("l", c.old), obj("l", c.now), diff.Options{Arrays: c.how})
		r := provider.Differ{}.Respond(d)
		var entries []string
		for _, e := range r.Detailed {
			entries = append(entries, fmt.Sprint(e.Key, " ", e.Kind))
		}
		if got := strings.Join(entries, ", "); got != c.want || (r.Changes == rpc.DiffSome) != (c.want != "") || len(r.Diffs) != min(1, len(c.want)) {
			t.Errorf("row %d, %v: %v, %v\nwant %s\ngot  %s\n%v", i, c.how, r.Changes, r.Diffs, c.want, got, d)
		}
		if d.Empty() {
			t.Errorf("row %d: no change", i)
		}
	}
}

// A pattern with an index fires on the entry at that index, on the side that the
// entry is about: what was removed from [0], and what was added at [0].
func TestReplacementByIndex(t *testing.T) {
	item := func(name string) value.Value { return obj("name", str(name)) }
	d := diff.Between(
		obj("l", arr(item("a"), item("b"), item("c"))),
		obj("l", arr(item("b"), item("c"), item("a"))),
		diff.Options{Arrays: diff.Aligned()},
	)
	for i, c := range []struct {
		pattern string
		way     provider.Direction
		want    string
	}{
		{"l[0]", provider.TwoWay, "l[0] DELETE_REPLACE, l[2] ADD"},
		{"l[*]", provider.TwoWay, "l[0] DELETE_REPLACE, l[2] ADD_REPLACE"},
		{"l[*].name", provider.TwoWay, "l[0] DELETE, l[2] ADD"}, // no name changed
		{"l[0].name", provider.ThroughElements, "l[0] DELETE_REPLACE, l[2] ADD"},
		{"l[2].name", provider.ThroughElements, "l[0] DELETE, l[2] ADD_REPLACE"},
		{"l[*].name", provider.ThroughElements, "l[0] DELETE_REPLACE, l[2] ADD_REPLACE"},
		{"l[0]", provider.EngineOneWay, "l[0] DELETE_REPLACE, l[2] ADD"},
		{"l[0].name", provider.EngineOneWay, "l[0] DELETE, l[2] ADD"},
	} {
		r := provider.Differ{ReplaceOn: path.NewSet(path.MustParsePattern(c.pattern)), Direction: c.way}.Respond(d)
		var entries []string
		for _, e := range r.Detailed {
			entries = append(entries, fmt.Sprint(e.Key, " ", e.Kind))
		}
		if got := strings.Join(entries, ", "); got != c.want {
			t.Errorf("row %d, %s: want %s\ngot  %s", i, c.pattern, c.want, got)
		}
	}
}
