package diff_test

import (
	"testing"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// bag is a property bag like those of real resources, in memory of its own each
// time.
func bag(name string) value.Value {
	rule := func(port float64) value.Value {
		return obj("port", num(port), "cidrs", arr(str("10.0.0.0/8"), str("192.168.0.0/16")), "note", value.Null())
	}
	return obj(
		"name", str(name), "password", sec(str("secret")), "secrets", sec(obj("a", arr(str("x"), sec(str("y"))))),
		"arn", value.Unknown(), "code", value.FileAsset("f").WithHash("00"),
		"ref", value.ResourceReference{URN: urnA, ID: value.KnownID("i")}.Value(),
		"rules", arr(rule(80), rule(443), rule(8080)), "tags", dep(obj("env", str("dev"), "team", dep(str("x"), urnA, urnB)), urnA, urnB),
		"nested", kit.Nested(12, num(1)), "empty", obj(), "nothing", value.Null(),
	)
}

// Law 5: equal is free, and other budgets.
func TestAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	old, same, other := bag("n"), bag("n"), bag("m")
	deep, asDeep := kit.Nested(900, num(1)), kit.Nested(900, num(1))
	engine := diff.Options{Relation: value.Engine}
	d := diff.Between(old, other, engine)
	var change diff.Change
	for c := range d.Changes() {
		change = c
	}
	set := path.NewSet(path.MustParsePattern("name"), path.MustParsePattern("rules[*].port"))
	n := 0
	for i, c := range []struct {
		name string
		most float64
		f    func()
	}{
		{"equal values", 0, func() { n += diff.Between(old, same, diff.Options{}).Len() }},
		{"equal values, engine", 0, func() { n += diff.Between(old, same, engine).Len() }},
		{"shared values", 0, func() { n += diff.Between(old, old, diff.Options{}).Len() }},
		{"equal deep values", 0, func() { n += diff.Between(deep, asDeep, diff.Options{}).Len() }},
		{"one change", 5, func() { n += diff.Between(old, other, engine).Len() }},
		{"iterate", 0, func() {
			for c := range d.Changes() {
				if c.ValueChanged() {
					n++
				}
			}
		}},
		{"leaves", 0, func() {
			for range d.Leaves() {
				n++
			}
		}},
		{"path", 1, func() { n += change.Path().Len() }},
		{"match", 0, func() {
			if change.Matches(set) {
				n++
			}
		}},
		{"apply", 3, func() {
			if v, err := d.Apply(old); err == nil {
				n += v.Len()
			}
		}},
		{"invert", 5, func() { n += d.Invert().Len() }},
		{"response", 8, func() { n += len(provider.Differ{ReplaceOn: set}.Respond(d).Detailed) }},
	} {
		if got := testing.AllocsPerRun(100, c.f); got > c.most {
			t.Errorf("row %d, %s: %v allocations, budget %v", i, c.name, got, c.most)
		}
	}
	if d.Len() != 1 || n == 0 {
		t.Errorf("%d changes", d.Len())
	}
}
