package ignore_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// reported returns the reports of all patterns.
func reported(r ignore.Result, patterns []path.Pattern) string {
	lines := make([]string, len(patterns))
	for i, p := range every(r, patterns) {
		lines[i] = p.String()
	}
	return strings.Join(lines, "; ")
}

// TestIgnoreScale has sizes at which a quadratic algorithm would not finish: wide
// containers under wildcards, as many patterns as children, deep values under patterns
// as deep, and mismatches far down (law 9).
func TestIgnoreScale(t *testing.T) {
	const depth = value.MaxDepth - 3 // and three levels at the bottom
	n := 30_000
	if race.Enabled {
		n = 3_000
	}
	wide := func(x float64, more int) (object, array value.Value, each []path.Pattern) {
		members, elems := make([]value.Member, n+more), make([]value.Value, n+more)
		for i := range members {
			v := obj("x", num(x), "y", num(2))
			members[i] = value.Member{Key: "k" + strconv.Itoa(i), Value: v}
			elems[i] = v
			each = append(each, path.Of(path.Key("t"), path.Key(members[i].Key), path.Key("x")).Pattern())
		}
		return obj("t", value.Object(members...)), obj("t", value.Array(elems...)), each
	}
	oldObject, oldArray, each := wide(1, 0)
	newObject, newArray, _ := wide(2, 3)
	deepPattern := path.MustParsePattern(strings.Repeat("[*]", depth))
	bottom := func(x float64, width int) value.Value {
		elems := make([]value.Value, width)
		for i := range elems {
			elems[i] = num(x)
		}
		return kit.Nested(depth-1, value.Array(elems...))
	}
	for i, c := range []struct {
		old, now         value.Value
		patterns         []path.Pattern
		matched          int
		engine, mistakes int
		sameAsOld        bool
	}{
		{oldObject, newObject, patternList("t[*].x"), n, 0, 0, false},
		{oldObject, newObject, patternList("t[*]"), n + 3, 0, 0, true},
		{oldArray, newArray, patternList("t[*].x", "t[*]", "[*][*][*]"), n, 1, 1, false},
		{newObject, oldObject, patternList("t[*].x"), n, 1, 3, false},
		{oldObject, newObject, append(each, each...), 1, 0, 0, false},
		{bottom(1, 2), bottom(2, 2), []path.Pattern{deepPattern}, 2, 0, 0, true},
		{bottom(1, n), bottom(2, n+1), []path.Pattern{deepPattern, deepPattern}, n, 1, 1, false},
		// One mismatch an element, a long way down: no path is built.
		{bottom(1, n), kit.Nested(depth-1, value.Array(make([]value.Value, n)...)), []path.Pattern{deepPattern.Append(path.Key("x"))}, 0, 0, 0, false},
		{kit.Nested(depth-1, value.Array(newObject, newObject)), kit.Nested(depth-1, value.Array(oldObject, obj("t", obj()))), []path.Pattern{deepPattern.Append(path.Any(), path.Any(), path.Any())}, 2 * n, 1, n + 6, false},
	} {
		for _, mode := range []ignore.Mode{ignore.AsEngine, ignore.Corrected} {
			got := ignore.Changes(c.old, c.now, c.patterns, mode)
			first := every(got, c.patterns)[0]
			want := c.engine
			if mode == ignore.Corrected {
				want = c.mistakes
				if i == 0 {
					c.matched += 3 // in members that only new has
				}
			}
			if len(first.Mismatches) != want || (mode == ignore.Corrected && first.Matched != c.matched) {
				t.Errorf("row %d, %v: matched %d, %d mismatches", i, mode, first.Matched, len(first.Mismatches))
			}
			if c.sameAsOld && !got.Value.Equal(c.old) {
				t.Errorf("row %d, %v: the result is not old", i, mode)
			}
		}
	}
}

// TestIgnoreInOrder has several patterns, each applied to the result of the one before.
func TestIgnoreInOrder(t *testing.T) {
	old := sec(obj("a", obj("x", num(1), "y", arr(num(1), num(2))), "b", obj("x", num(1)), "gone", num(1)))
	now := obj("a", obj("x", num(2), "y", arr(num(3)), "z", num(2)), "b", num(2), "new", obj("k", num(2)))
	for i, c := range []struct {
		patterns []string
		want     value.Value
		report   string
	}{
		{nil, now, ""},
		{
			[]string{"a.x", "a.y[0]", "a.z", "new.k", "b"},
			obj("a", obj("x", sec(num(1)), "y", arr(sec(num(1)))), "b", sec(obj("x", num(1))), "new", obj()),
			"a.x: matched 1; a.y[0]: matched 1; a.z: matched 1; new.k: matched 1; b: matched 1",
		},
		{
			[]string{"b.x", "b", "b.x", "b[*]", "b"},
			obj("a", now.Field("a"), "b", sec(obj("x", num(1))), "new", now.Field("new")),
			"b.x: matched nothing, mismatch at [secret] (kind); b: matched 1; b.x: matched 1; b[*]: matched 1; b: matched 1",
		},
		{
			[]string{"[*]", "a.y[*]", "new", "a.x"}, // secret as a whole in the corrected mode
			obj("a", sec(old.Field("a").DropSecret()), "b", sec(old.Field("b").DropSecret()), "gone", sec(num(1))),
			"[*]: matched 4; a.y[*]: matched 2; new: matched nothing; a.x: matched 1",
		},
		{
			[]string{"[*]", "a.x", "a.y[1]", "gone.x.y"}, // likewise
			obj("a", sec(old.Field("a").DropSecret()), "b", sec(old.Field("b").DropSecret()), "gone", sec(num(1))),
			"[*]: matched 4; a.x: matched 1; a.y[1]: matched 1; gone.x.y: matched nothing",
		},
		{
			[]string{"new", "new", "new.k", "gone", "gone", "gone.x"},
			obj("a", now.Field("a"), "b", num(2), "gone", sec(num(1))),
			"new: matched 1; new: matched nothing; new.k: matched nothing; gone: matched 1; gone: matched 1; gone.x: matched nothing",
		},
	} {
		for _, mode := range []ignore.Mode{ignore.AsEngine, ignore.Corrected} {
			patterns := patternList(c.patterns...)
			got := ignore.Changes(old, now, patterns, mode)
			if i > 2 && i < 5 && mode == ignore.Corrected {
				c.want = old
			}
			if !got.Value.Equal(c.want) || reported(got, patterns) != c.report {
				t.Errorf("row %d, %v: %#v, %s\nwant %#v, %s", i, mode, got.Value, reported(got, patterns), c.want, c.report)
			}
		}
	}
	if got := ignore.Changes(old, now, nil, ignore.AsEngine); !value.Internal.SharesMemory(got.Value, now) || len(got.Patterns) != 0 {
		t.Errorf("no patterns: %v", got)
	}
}

// markedWays returns a value with all combinations of marks.
func markedWays(v value.Value) []value.Value {
	const urn = "urn:pulumi:s::p::t:m:T::n"
	with := v.WithDependencies(urn)
	return []value.Value{v, value.Secret(v), with, value.Secret(with)}
}

// TestIgnoreTogether compares patterns applied in one call with the same patterns
// applied one by one, for all marks of the containers that they lead through.
func TestIgnoreTogether(t *testing.T) {
	number := func(key string, n float64) value.Member { return value.Member{Key: key, Value: value.Number(n)} }
	root := func(object, array value.Value) value.Value {
		return value.Object(value.Member{Key: "a", Value: object}, value.Member{Key: "l", Value: array}, number("z", 1))
	}
	var olds, nows []value.Value
	inner := value.Object(number("x", 1), number("y", 2))
	for _, o := range markedWays(value.Object(number("k", 1), value.Member{Key: "m", Value: inner})) {
		olds = append(olds, markedWays(root(o, value.Array(o, value.Number(1))))...)
	}
	for _, n := range markedWays(value.Object(number("k", 2), number("n", 2), value.Member{Key: "m", Value: value.Object(number("x", 3))})) {
		nows = append(nows, markedWays(root(n, value.Array(n, value.Number(2))))...)
	}
	for _, texts := range [][]string{
		{"[*]", "[*]"},
		{"a[*]", "a[*]"},
		{"a[*]", "a.k"},
		{"a[*]", "a.m.x"},
		{"[*]", "a.k"},
		{"[*]", "a[*]", "l[0].k"},
		{"l[*]", "l[*]"},
		{"l[*]", "l[0].k"},
		{"l[0][*]", "l[1]"},
		{"a.m.x", "a.m.x"},
		{"[*].k", "a.n"},
		{"a[*].x", "z"},
	} {
		patterns := patternList(texts...)
		for _, mode := range []ignore.Mode{ignore.AsEngine, ignore.Corrected} {
			for i, old := range olds {
				for j, now := range nows {
					together, one := ignore.Changes(old, now, patterns, mode), now
					for k, p := range patterns {
						alone := ignore.Changes(old, one, []path.Pattern{p}, mode)
						one = alone.Value
						if got, want := every(alone, patterns[k:k+1])[0].String(), every(together, patterns)[k].String(); got != want {
							t.Errorf("%v %v, marks %d, %d: alone %s, together %s", mode, texts, i, j, got, want)
						}
					}
					if !one.Identical(together.Value) {
						t.Fatalf("%v %v, marks %d, %d: one by one %v, together %v", mode, texts, i, j, one, together.Value)
					}
				}
			}
		}
	}
}
