package diff_test

import (
	"errors"
	"fmt"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// bucket is a small property bag.
func bucket(name, env string, versions value.Value) value.Value {
	return value.Object(
		value.Member{Key: "name", Value: value.String(name)},
		value.Member{Key: "tags", Value: value.Object(value.Member{Key: "env", Value: value.String(env)})},
		value.Member{Key: "versions", Value: versions},
	)
}

func Example() {
	old := bucket("logs", "dev", value.Array(value.Number(1)))
	now := bucket("logs", "prod", value.Array(value.Number(1), value.Secret(value.Number(2))))

	d := diff.Between(old, now, diff.Options{Relation: value.Engine})
	for c := range d.Changes() {
		fmt.Println(c)
	}
	// Output:
	// ~ tags.env: "dev" => "prod"
	// + versions[1]: [secret]
}

func ExampleBetween() {
	one := value.Object(value.Member{Key: "a", Value: value.Null()})
	other := value.Object()

	fmt.Println(diff.Between(one, other, diff.Options{}).Empty())
	fmt.Println(diff.Between(one, other, diff.Options{Relation: value.Engine}).Empty())
	// Output:
	// false
	// true
}

func ExampleDiff() {
	old := bucket("logs", "dev", value.Array())
	now := bucket("logs", "prod", value.Array())
	d := diff.Between(old, now, diff.Options{})

	fmt.Println(d.Empty(), d.Len(), d.Verdict(), d.Certain())
	fmt.Println(d.Changed(path.MustParse("tags")), d.Changed(path.MustParse("name")))

	back, err := d.Invert().Apply(now)
	fmt.Println(back.Equal(old), err)
	// Output:
	// false 1 changed true
	// true false
	// true <nil>
}

func ExampleDiff_Leaves() {
	old := value.Object()
	now := value.Object(value.Member{Key: "bucket", Value: bucket("logs", "dev", value.Array())})
	for c := range diff.Between(old, now, diff.Options{}).Leaves() {
		fmt.Println(c.Op(), c.Shown())
	}
	// Output:
	// add bucket.name
	// add bucket.tags.env
	// add bucket.versions
}

func ExampleChange() {
	old := bucket("logs", "dev", value.Array())
	now := bucket("logs", "dev", value.Secret(value.Array()))
	for c := range diff.Between(old, now, diff.Options{}).Changes() {
		before, _ := c.Old()
		after, _ := c.New()
		fmt.Println(c.Shown(), c.Op(), before, after)
		fmt.Println("value:", c.ValueChanged(), "secretness:", c.SecretChanged(), "mask:", c.Secret())
	}
	// Output:
	// versions update [] [secret]
	// value: false secretness: true mask: true
}

// Which patterns matched nothing?
func ExampleChange_Which() {
	set := path.NewSet(path.MustParsePattern("name"), path.MustParsePattern("tags[*]"), path.MustParsePattern("tasg"))
	seen := make([]bool, set.Len())
	d := diff.Between(value.Object(), bucket("logs", "dev", value.Array()), diff.Options{})
	for c := range d.Changes() {
		for _, i := range c.Which(set) {
			seen[i] = true
		}
	}
	for i, p := range set.Patterns() {
		fmt.Println(p, seen[i])
	}
	// Output:
	// name true
	// tags[*] true
	// tasg false
}

func ExampleOptions() {
	old := value.Object(value.Member{Key: "password", Value: value.String("x")})
	now := value.Object(value.Member{Key: "password", Value: value.Secret(value.String("x"))})

	fmt.Println(diff.Between(old, now, diff.Options{Relation: value.Engine}).Len())
	fmt.Println(diff.Between(old, now, diff.Options{Relation: value.Engine | value.IgnoreSecrets}).Len())
	// Output:
	// 1
	// 0
}

func ExampleOptions_maybeIsChanged() {
	old, now := value.String("i-123"), value.Unknown()

	fmt.Println(diff.Between(old, now, diff.Options{}).Verdict())
	fmt.Println(diff.Between(old, now, diff.Options{MaybeIsChanged: true}).Verdict())
	// Output:
	// maybe
	// changed
}

func ExampleOp() {
	d := diff.Between(value.Array(value.Number(1)), value.Array(value.Number(2), value.Number(3)), diff.Options{})
	for c := range d.Changes() {
		fmt.Println(c.Op(), c.Path())
	}
	// Output:
	// update [0]
	// add [1]
}

func ExampleDiff_Apply() {
	d := diff.Between(bucket("logs", "dev", value.Array()), bucket("logs", "prod", value.Array()), diff.Options{})

	other, err := d.Apply(bucket("another", "dev", value.Array()))
	fmt.Println(other, err)
	// Output:
	// {name: "another", tags: {env: "prod"}, versions: []} <nil>
}

func ExampleError() {
	d := diff.Between(bucket("logs", "dev", value.Array()), bucket("logs", "prod", value.Array()), diff.Options{})

	_, err := d.Apply(bucket("logs", "test", value.Array()))
	fmt.Println(err)
	var misfit *diff.Error
	if errors.Is(err, diff.ErrFit) && errors.As(err, &misfit) {
		fmt.Println(misfit.At)
	}
	// Output:
	// diff: apply: tags.env: does not fit: expected the old value, found another value
	// tags.env
}
