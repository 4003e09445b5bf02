package render_test

import (
	"strconv"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

func strs(ss ...string) value.Value {
	vs := make([]value.Value, len(ss))
	for i, s := range ss {
		vs[i] = str(s)
	}
	return arr(vs...)
}

// rule is a firewall rule: an element with a name and more.
func rule(name string, port float64, more ...any) value.Value {
	return obj(append([]any{"name", str(name), "port", num(port), "protocol", str("tcp"), "cidr", str("10.0.0.0/8")}, more...)...)
}

// arrayCases are the same situations in each way to match elements, and what
// each way is for.
func arrayCases() []textCase {
	var all []textCase
	byName := diff.Keyed(path.MustParse("name"))
	for _, mode := range []struct {
		name  string
		match diff.Match
	}{{"positional", diff.Positional()}, {"aligned", diff.Aligned()}, {"keyed", byName}, {"set", diff.Unordered()}} {
		row := func(name string, old, now value.Value) {
			all = append(all, textCase{name: "array-" + mode.name + "-" + name, old: obj("l", old), now: obj("l", now), how: diff.Options{Arrays: mode.match}})
		}
		row("inserted", strs("a", "b", "c"), strs("a", "x", "b", "c"))
		row("removed", strs("a", "b", "c", "d"), strs("a", "c", "d"))
		row("moved", strs("a", "b", "c", "d"), strs("d", "a", "b", "c"))
		row("reordered", strs("a", "b", "c"), strs("c", "b", "a"))
		row("objects", arr(rule("ssh", 22), rule("web", 80), rule("db", 5432)), arr(rule("new", 1), rule("ssh", 22), rule("web", 8080), rule("db", 5432)))
		row("moved-objects", arr(rule("ssh", 22), rule("web", 80), rule("db", 5432)), arr(rule("db", 5433), rule("ssh", 22), rule("web", 80)))
		row("unknown", arr(str("a"), value.Unknown(), str("c")), arr(str("a"), str("b"), str("x"), str("c")))
		row("secret", arr(sec(str("a")), str("b"), sec(str("c"))), arr(str("new"), sec(str("a")), str("b"), sec(str("d"))))
	}
	many, turned := make([]value.Value, 300), make([]value.Value, 300)
	for i := range many {
		many[i] = str(strconv.Itoa(i))
		turned[(i+1)%300] = many[i]
	}
	aligned := diff.Options{Arrays: diff.Aligned()}
	return append(
		all,
		textCase{name: "array-of-arrays", old: arr(strs("a", "b"), strs("c", "d"), arr(num(1))), now: arr(arr(num(1)), strs("x", "a", "b"), strs("c", "d")), how: aligned},
		textCase{name: "array-rotated", old: arr(many...), now: arr(turned...), how: aligned},
		textCase{name: "array-moved-replace", old: obj("l", strs("a", "b", "c", "d")), now: obj("l", strs("d", "a", "b", "c")), how: aligned, opts: render.Options{ReplaceOn: patterns("l[*]")}},
		textCase{name: "array-hidden", old: obj("l", strs("a", "b", "c", "d")), now: obj("l", strs("d", "a", "b", "x")), how: aligned, opts: render.Options{HideDiffs: patterns("l[3]")}},
		textCase{name: "array-emptied", old: obj("l", strs("a", "b"), "m", arr()), now: obj("l", arr(), "m", strs("a")), how: aligned},
		textCase{name: "array-by-rules", old: obj("ids", strs("a", "b"), "rules", arr(rule("a", 1), rule("b", 2))), now: obj("ids", strs("b", "a"), "rules", arr(rule("b", 3), rule("a", 1))), how: diff.Options{ArrayRules: []diff.ArrayRule{
			{Pattern: path.MustParsePattern("ids"), Match: diff.Unordered()},
			{Pattern: path.MustParsePattern("rules"), Match: byName},
		}}},
	)
}
