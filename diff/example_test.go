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

	back, err := diff.Apply(now, d.Invert())
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

func ExampleUnknowns() {
	old, now := value.String("i-123"), value.Unknown()

	fmt.Println(diff.Between(old, now, diff.Options{}).Verdict())
	fmt.Println(diff.Between(old, now, diff.Options{Unknowns: diff.UnknownsChanged}).Verdict())
	// Output:
	// maybe
	// changed
}

func ExampleOp() {
	d := diff.Between(value.Array(value.Number(1)), value.Array(value.Number(2), value.Number(3)), diff.Options{})
	for c := range d.Changes() {
		fmt.Println(c.Op(), c.Path(), "and back:", c.Op().Invert())
	}
	// Output:
	// update [0] and back: update
	// add [1] and back: delete
}

func ExampleApply() {
	d := diff.Between(bucket("logs", "dev", value.Array()), bucket("logs", "prod", value.Array()), diff.Options{})

	other, err := diff.Apply(bucket("another", "dev", value.Array()), d)
	fmt.Println(other, err)
	// Output:
	// {name: "another", tags: {env: "prod"}, versions: []} <nil>
}

func ExampleError() {
	d := diff.Between(bucket("logs", "dev", value.Array()), bucket("logs", "prod", value.Array()), diff.Options{})

	_, err := diff.Apply(bucket("logs", "test", value.Array()), d)
	fmt.Println(err)
	var misfit *diff.Error
	if errors.Is(err, diff.ErrFit) && errors.As(err, &misfit) {
		fmt.Println(misfit.At)
	}
	// Output:
	// diff: apply: tags.env: does not fit: expected the old value, found another value
	// tags.env
}

func ExampleDiff_Response() {
	old := bucket("logs", "dev", value.Array(value.Number(1)))
	now := bucket("archive", "prod", value.Array())
	d := diff.Between(old, now, diff.Options{Relation: value.Engine})

	answer := d.Response(diff.ResponseOptions{
		Side:      diff.FromInputs,
		ReplaceOn: path.NewSet(path.MustParsePattern("name")),
	})
	fmt.Println(answer.Changes, answer.Diffs, answer.Replaces)
	for _, e := range answer.Detailed {
		fmt.Println(e.Key, e.Kind, e.InputDiff)
	}
	// Output:
	// DIFF_SOME [name tags versions] [name]
	// name UPDATE_REPLACE true
	// tags.env UPDATE true
	// versions[0] DELETE true
}

func ExampleResponse() {
	same := diff.Between(value.Object(), value.Object(), diff.Options{}).Response(diff.ResponseOptions{})
	fmt.Println(same.Changes, same.Replace(), same.HasDetailed, len(same.Detailed))
	// Output:
	// DIFF_NONE false true 0
}

func ExampleResponseOptions() {
	d := diff.Between(bucket("logs", "dev", value.Array()), bucket("logs", "prod", value.Array()), diff.Options{})
	answer := d.Response(diff.ResponseOptions{Stables: []string{"arn", "name", "tags"}, DeleteBeforeReplace: true})
	fmt.Println(answer.Stables, answer.DeleteBeforeReplace)
	// Output:
	// [arn name] true
}

func ExampleEntry() {
	old := value.Object(value.Member{Key: "labels", Value: value.Object()})
	now := value.Object(value.Member{Key: "labels", Value: value.Object(value.Member{Key: "app/name", Value: value.String("x")})})
	for _, e := range diff.Between(old, now, diff.Options{}).Response(diff.ResponseOptions{}).Detailed {
		fmt.Println(e.Key, e.Kind)
	}
	// Output:
	// labels["app/name"] ADD
}

func ExampleKind() {
	k := diff.Add
	fmt.Println(k, k.WithReplace(), k.WithReplace().IsReplace(), k.Invert(), uint8(k.WithReplace()))
	// Output:
	// ADD ADD_REPLACE true DELETE 1
}

func ExampleSide() {
	d := diff.Between(value.Object(), value.Object(value.Member{Key: "a", Value: value.Bool(true)}), diff.Options{})
	for _, side := range []diff.Side{diff.FromState, diff.FromInputs} {
		fmt.Println(d.Response(diff.ResponseOptions{Side: side}).Detailed[0].InputDiff)
	}
	// Output:
	// false
	// true
}

// An added object that holds a property that forces a replacement.
func ExampleDirection() {
	old := value.Object()
	now := value.Object(value.Member{Key: "disk", Value: value.Object(value.Member{Key: "size", Value: value.Number(8)})})
	d := diff.Between(old, now, diff.Options{})
	sizes := path.NewSet(path.MustParsePattern("disk.size"))
	for _, way := range []diff.Direction{diff.TwoWay, diff.EngineOneWay} {
		fmt.Println(d.Response(diff.ResponseOptions{ReplaceOn: sizes, Direction: way}).Detailed[0].Kind)
	}
	// Output:
	// ADD_REPLACE
	// ADD
}

func ExampleState() {
	d := diff.Between(value.Number(1), value.Unknown(), diff.Options{})
	fmt.Println(d.Verdict(), d.Response(diff.ResponseOptions{}).Changes, uint8(diff.Some))
	// Output:
	// maybe DIFF_SOME 2
}
