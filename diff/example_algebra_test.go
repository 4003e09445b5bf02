package diff_test

import (
	"errors"
	"fmt"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// words is an array of texts.
func words(all ...string) value.Value {
	elems := make([]value.Value, len(all))
	for i, w := range all {
		elems[i] = value.String(w)
	}
	return value.Array(elems...)
}

// Two diffs become one. What the second undoes is not in it, and an element that the first
// adds and the second changes is added with its last value.
func ExampleDiff_Then() {
	one, two, three := words("a", "b", "c"), words("x", "a", "b", "c"), words("x2", "b", "c")
	aligned := diff.Options{Arrays: diff.Aligned()}
	first, second := diff.Between(one, two, aligned), diff.Between(two, three, aligned)

	both, _ := first.Then(second)
	fmt.Println(both)
	now, err := both.Apply(one)
	fmt.Println(now.Equal(three), err)

	back, _ := both.Then(both.Invert())
	fmt.Println(back.Empty())
	_, err = first.Then(first)
	fmt.Println(errors.Is(err, diff.ErrFit))
	// Output:
	// - [0]: "a"
	// + [0]: "x2"
	// true <nil>
	// true
	// true
}

// A diff is divided into what a user wants to ignore and the rest. A pattern that ends
// inside an added value divides that value.
func ExampleDiff_Split() {
	old := value.Object(value.Member{Key: "name", Value: value.String("web")})
	now := value.Object(
		value.Member{Key: "name", Value: value.String("api")},
		value.Member{Key: "tags", Value: value.Object(
			value.Member{Key: "env", Value: value.String("prod")},
			value.Member{Key: "touched", Value: value.String("today")},
		)},
	)
	rest, matched := diff.Between(old, now, diff.Options{}).Split(path.NewSet(path.MustParsePattern("tags.touched")))
	fmt.Println(rest)
	fmt.Println("--")
	fmt.Println(matched)
	// Output:
	// ~ name: "web" => "api"
	// + tags: {env: "prod"}
	// --
	// + tags.touched: "today"
}

// Two sides changed a value, each in its way.
func ExampleMerge() {
	base := value.Object(
		value.Member{Key: "password", Value: value.String("hunter2")},
		value.Member{Key: "ports", Value: words("80", "443")},
		value.Member{Key: "size", Value: value.Number(1)},
	)
	left, _ := base.With(path.MustParse("password"), value.Secret(value.String("hunter2")))
	left, _ = left.With(path.MustParse("size"), value.Number(2))
	right, _ := base.With(path.MustParse("password"), value.String("hunter3"))
	right, _ = right.With(path.MustParse("ports"), words("80", "443", "8080"))

	m := diff.Merge(base, left, right, diff.Options{Arrays: diff.Unordered()})
	fmt.Println(m.Value, m.Conflicts)
	// Output:
	// {password: [secret], ports: ["80", "443", "8080"], size: 2} []
}

func ExampleMerged() {
	base := words("a", "b")
	m := diff.Merge(base, words("a", "x", "b"), words("a", "y", "b"), diff.Options{Arrays: diff.Aligned()})
	fmt.Println(m.Value)
	for _, c := range m.Conflicts {
		fmt.Println(c)
	}
	// Output:
	// ["a", "b"]
	// [1]: add: nothing; left ["x"], right ["y"]
}

// At a conflict the result has the value of base; a caller may put another one there.
func ExampleConflict() {
	side := func(v value.Value) value.Value { return value.Object(value.Member{Key: "size", Value: v}) }
	m := diff.Merge(side(value.Number(1)), side(value.Number(2)), side(value.Secret(value.Number(3))), diff.Options{})
	now := m.Value
	for _, c := range m.Conflicts {
		fmt.Println(c.Kind(), c.Shown(), c.Secret())
		if right, ok := c.Right(); ok {
			now, _ = now.With(c.Path(), right)
		}
	}
	fmt.Println(m.Value, now)
	// Output:
	// edit size true
	// {size: 1} {size: [secret]}
}

func ExampleConflictKind() {
	base := value.Object(value.Member{Key: "a", Value: value.Number(1)})
	now := value.Object(value.Member{Key: "a", Value: value.Number(2)})
	m := diff.Merge(base, now, value.Object(), diff.Options{})
	fmt.Println(m.Conflicts[0].Kind() == diff.ConflictDelete, m.Conflicts[0])
	// Output:
	// true a: delete: 1; left 2, right nothing
}

// A diff fits values that are secret where the old one is not, and its inverse need
// not fit what comes of that: what was added is secret by then.
func ExampleDiff_Invert() {
	tags := value.Object
	added := diff.Between(tags(), tags(value.Member{Key: "env", Value: value.String("prod")}), diff.Options{})

	secret, err := added.Apply(value.Secret(tags()))
	fmt.Println(secret, err)
	_, err = added.Invert().Apply(secret)
	fmt.Println(err)
	// Output:
	// [secret] <nil>
	// diff: apply: [secret]: does not fit
}

// A preview promised a new size and a tag that only the provider knows. The update made a
// secret plain and kept the old size.
func ExampleWithin() {
	old := value.Object(
		value.Member{Key: "password", Value: value.Secret(value.String("hunter2"))},
		value.Member{Key: "size", Value: value.Number(1)},
	)
	promised := value.Object(
		value.Member{Key: "password", Value: value.Secret(value.String("hunter3"))},
		value.Member{Key: "size", Value: value.Number(2)},
		value.Member{Key: "tag", Value: value.Unknown()},
	)
	now := value.Object(
		value.Member{Key: "password", Value: value.String("hunter3")},
		value.Member{Key: "size", Value: value.Number(1)},
		value.Member{Key: "tag", Value: value.String("v7")},
	)
	for _, b := range diff.Within(old, now, promised, diff.Options{}) {
		fmt.Println(b)
	}
	// Output:
	// password: mark: promised [secret], got [secret]; was [secret]
	// size: missing: promised 2, got 1; was 1
}
