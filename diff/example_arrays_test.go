package diff_test

import (
	"fmt"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// An element inserted in front is one change; the elements after it are unchanged.
func ExampleMatch() {
	list := func(words ...string) value.Value {
		elems := make([]value.Value, len(words))
		for i, w := range words {
			elems[i] = value.String(w)
		}
		return value.Array(elems...)
	}
	old, now := list("web", "api", "db"), list("edge", "web", "api", "db")

	for _, how := range []diff.Match{diff.Positional(), diff.Aligned()} {
		d := diff.Between(old, now, diff.Options{Arrays: how})
		fmt.Println(how, d.Len())
	}
	for c := range diff.Between(old, now, diff.Options{Arrays: diff.Aligned()}).Changes() {
		fmt.Println(c.Op(), c.NewPath())
	}
	// Output:
	// positional 4
	// aligned 1
	// insert [0]
}

// Rules of a firewall are known by their names, and their order is no matter.
func ExampleArrayRule() {
	rule := func(name string, port float64) value.Value {
		return value.Object(
			value.Member{Key: "name", Value: value.String(name)},
			value.Member{Key: "port", Value: value.Number(port)},
		)
	}
	bag := func(rules ...value.Value) value.Value {
		return value.Object(value.Member{Key: "rules", Value: value.Array(rules...)})
	}
	d := diff.Between(
		bag(rule("ssh", 22), rule("web", 80)),
		bag(rule("web", 8080), rule("ssh", 22)),
		diff.Options{ArrayRules: []diff.ArrayRule{
			{Pattern: path.MustParsePattern("rules"), Match: diff.Keyed(path.MustParse("name"))},
		}},
	)
	for c := range d.Changes() {
		fmt.Println(c.OldPath(), "to", c.NewPath(), "order:", c.OrderChanged())
	}
	// An engine identifies elements by their index, so the changed element is a deletion
	// at one index and an addition at another. The other element only moved, which is not
	// reported.
	for _, e := range (provider.Differ{}).Respond(d).Detailed {
		fmt.Println(e.Key, e.Kind)
	}
	// Output:
	// rules to rules order: true
	// rules[1].port to rules[0].port order: false
	// rules[0] ADD
	// rules[1] DELETE
}

// In a set, elements have no places: a new order is one change of the array.
func ExampleSet() {
	zones := func(names ...string) value.Value {
		elems := make([]value.Value, len(names))
		for i, n := range names {
			elems[i] = value.String(n)
		}
		return value.Array(elems...)
	}
	d := diff.Between(zones("b", "a"), zones("a", "b", "c"), diff.Options{Arrays: diff.Unordered()})
	for c := range d.Changes() {
		fmt.Println(c.Op(), c.NewPath(), c.OrderChanged())
	}
	fmt.Println(provider.Differ{}.Respond(d).Changes)
	// Output:
	// update  true
	// insert [2] false
	// DIFF_SOME
}
