package answer_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/interop/pulumi"
	"github.com/propalg/propalg/interop/pulumi/answer"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/value"
)

// The Diff of a provider that is written against the SDK takes five lines.
func ExampleSides() {
	answered := func(r plugin.DiffRequest) (plugin.DiffResult, error) {
		sides, ignored, err := answer.Sides(r)
		o := provider.Differ{Ignored: ignored, ReplaceOn: path.MustSet("name")}
		return answer.To(o.Compare(sides).Response()), err
	}
	result, err := answered(plugin.DiffRequest{
		OldInputs:     resource.PropertyMap{"name": resource.NewProperty("a"), "size": resource.NewProperty(1.0)},
		NewInputs:     resource.PropertyMap{"name": resource.NewProperty("b"), "size": resource.NewProperty(2.0)},
		IgnoreChanges: []string{"size"},
	})
	fmt.Println(result.Changes == plugin.DiffSome, result.ReplaceKeys, result.ChangedKeys, err)
	// Output: true [name] [name] <nil>
}

func TestSides(t *testing.T) {
	s, ignored, err := answer.Sides(plugin.DiffRequest{
		OldOutputs: resource.PropertyMap{"a": resource.MakeSecret(resource.NewProperty("x"))}, NewInputs: resource.PropertyMap{},
		IgnoreChanges: []string{`a["`, "a", `b["*"]`},
	})
	want := provider.Sides{OldState: value.Object(value.Field("a", value.Secret(value.String("x")))), News: value.Object()}
	if err != nil || !s.OldInputs.Identical(want.OldInputs) || !s.OldState.Identical(want.OldState) || !s.News.Identical(want.News) {
		t.Errorf("%v, %v", s, err)
	}
	if len(ignored) != 2 || ignored[0].String() != "a" || ignored[1].String() != "b[*]" {
		t.Errorf("%v", ignored)
	}
	deep := resource.NewProperty("x")
	for range 20_000 {
		deep = resource.NewProperty([]resource.PropertyValue{deep})
	}
	if s, _, err := answer.Sides(plugin.DiffRequest{NewInputs: resource.PropertyMap{"a": deep}}); !errors.Is(err, pulumi.ErrDepth) || !s.News.IsNull() {
		t.Errorf("%v, %v", s, err)
	}
}

// A provider that is written against the SDK answers from one diff.
func ExampleTo() {
	old := value.Object(value.Member{Key: "name", Value: value.String("a")}, value.Member{Key: "size", Value: value.Number(1)})
	now := value.Object(value.Member{Key: "name", Value: value.String("b")}, value.Member{Key: "size", Value: value.Number(1)})
	d := diff.Between(old, now, diff.Options{Relation: value.Engine})
	result := answer.To(provider.Differ{ReplaceOn: path.NewSet(path.MustParsePattern("name"))}.Respond(d))
	fmt.Println(result.Changes == plugin.DiffSome, result.ReplaceKeys, result.DetailedDiff["name"].Kind, result.Replace())
	// Output: true [name] update-replace true
}

// What another provider answered is checked.
func ExampleFrom() {
	old := value.Object(value.Member{Key: "size", Value: value.Number(1)})
	now := value.Object(value.Member{Key: "size", Value: value.Number(2)})
	r := answer.From(plugin.DiffResult{Changes: plugin.DiffNone})
	for _, f := range check.Validate(r, provider.Sides{OldInputs: old, OldState: old, News: now}, provider.Differ{}) {
		fmt.Println(f)
	}
	// Output:
	// note: size: unreported: old and new inputs differ here, and nothing reports it; report it, unless both mean the same to the provider
	// warning: none-while-differ: DIFF_NONE while old and new inputs differ makes engines do nothing; answer DIFF_SOME, unless all that differs means the same to the provider
}

// TestBothWays: every response of ours comes back as it was.
func TestBothWays(t *testing.T) {
	pairs := fuzz.ObjectPairs(fuzz.Options{})
	some := 0
	rapid.Check(t, func(t *rapid.T) {
		p := pairs.Draw(t, "pair")
		r := provider.Differ{
			ReplaceOn: path.NewSet(path.MustParsePattern("[*]")), DeleteBeforeReplace: rapid.Bool().Draw(t, "first"),
		}.Respond(diff.Between(p.Old, p.New, diff.Options{Relation: value.Engine}))
		result := answer.To(r)
		if back := answer.From(result); !reflect.DeepEqual(normal(back), normal(r)) {
			t.Fatalf("%+v\ncame back as\n%+v", r, back)
		}
		if result.Replace() != r.Replace() {
			t.Fatalf("the SDK says replace: %v of %+v", result.Replace(), r)
		}
		inverse := r.Invert()
		if back := answer.From(result.Invert()); !reflect.DeepEqual(normal(back).Detailed, normal(inverse).Detailed) {
			t.Fatalf("the SDK inverts to\n%+v\nwe to\n%+v", back, inverse)
		}
		some += len(r.Detailed)
	})
	if some == 0 {
		t.Error("no entry")
	}
}

// normal has no empty lists.
func normal(r provider.Response) provider.Response {
	for _, list := range []*[]string{&r.Diffs, &r.Replaces, &r.Stables} {
		if len(*list) == 0 {
			*list = nil
		}
	}
	if len(r.Detailed) == 0 {
		r.Detailed = nil
	}
	return r
}

func TestForeign(t *testing.T) {
	r := answer.From(plugin.DiffResult{
		Changes: plugin.DiffChanges(-1),
		DetailedDiff: map[string]plugin.PropertyDiff{
			"a[": {Kind: plugin.DiffAdd}, "b[10]": {Kind: plugin.DiffKind(math.MaxInt32), InputDiff: true}, "b[9]": {Kind: plugin.DiffDelete},
		},
	})
	var order []string
	for _, e := range r.Detailed {
		order = append(order, e.Key)
	}
	if fmt.Sprint(order) != "[b[9] b[10] a[]" || r.Changes != 255 || r.Detailed[1].Kind != 255 || !r.Detailed[1].InputDiff || !r.HasDetailed {
		t.Errorf("%+v", r)
	}
	if r := answer.From(plugin.DiffResult{}); r.HasDetailed || r.Detailed != nil {
		t.Errorf("%+v", r)
	}
	if d := answer.To(provider.Response{HasDetailed: true}); d.DetailedDiff == nil {
		t.Errorf("%+v", d)
	}
}
