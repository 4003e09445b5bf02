package pulumi_test

import (
	"math"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/asset"
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/interop/pulumi"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

func texts(all ...string) value.Value {
	var elems []value.Value
	for _, s := range all {
		elems = append(elems, value.String(s))
	}
	return value.Array(elems...)
}

func TestObjectDiffErrors(t *testing.T) {
	told := func(old, now value.Value, o diff.Options) error {
		d := diff.Between(old, now, o)
		err := failed(pulumi.ToObjectDiff(d, old, pulumi.RefuseHints))
		if (failed(pulumi.ToResourceObjectDiff(d, old)) == nil) != (err == nil) {
			t.Errorf("of the new model %v, of the classic one not", err)
		}
		return err
	}
	aligned, set := diff.Options{Arrays: diff.Aligned()}, diff.Options{Arrays: diff.Unordered()}
	from := func(d *property.ObjectDiff) error { _, _, err := pulumi.FromObjectDiff(d); return err }
	classic := func(d *resource.ObjectDiff) error { _, _, err := pulumi.FromResourceObjectDiff(d); return err }
	sealed := value.Sealed{Ciphertext: "hidden"}.Value()
	x := property.New("x")
	elems := func(d property.ArrayDiff) *property.ObjectDiff {
		return &property.ObjectDiff{Updates: map[string]property.ValueDiff{"a": {Array: &d}}}
	}
	checkErrors(t, []errorRow{
		{told(field("a", texts("y")), field("a", texts("x", "y")), aligned), pulumi.ErrOrder, `pulumi: to object diff: a[0]: elements are not matched index by index`},
		{told(field("a", texts("x", "y")), field("a", texts("y")), aligned), pulumi.ErrOrder, ``},
		{told(field("a", texts("x", "y", "z")), field("a", texts("z", "x", "y")), aligned), pulumi.ErrOrder, ``},
		{told(field("a", texts("x", "y")), field("a", texts("y", "z")), set), pulumi.ErrOrder, ``},
		{told(field("a", texts("x", "y", "w")), field("a", texts("y", "x", "v")), set), pulumi.ErrOrder, ``},
		{told(value.Object(value.Member{Key: "a", Value: texts("x", "y")}, value.Member{Key: "b", Value: value.Number(1)}), value.Object(value.Member{Key: "a", Value: texts("y", "x")}), diff.Options{Arrays: diff.Keyed(path.Path{})}), pulumi.ErrOrder, ``},
		{told(value.Null(), value.Object(), diff.Options{}), pulumi.ErrKind, `pulumi: to object diff: no kind of property: expected object, found null`},
		{told(value.Object(), value.Null(), diff.Options{}), pulumi.ErrKind, ``},
		{told(value.Secret(field("hidden", sealed)), value.Object(), diff.Options{}), pulumi.ErrMarks, `pulumi: to object diff: marks cannot be kept here: expected object without marks`},
		{told(field("a", value.Null()), value.Secret(value.Object()), diff.Options{}), pulumi.ErrMarks, ``},
		{told(field("a", value.Secret(field("hidden", sealed))), value.Object(), diff.Options{}), pulumi.ErrSealed, `pulumi: to object diff: a[secret]: sealed secret`},
		{failed(pulumi.ToObjectDiff(diff.Between(field("a", value.Number(1)), field("a", value.Number(2)), diff.Options{}), field("a", value.String("hidden")), pulumi.DropHints)), pulumi.ErrFit, ``},
		{from(&property.ObjectDiff{Adds: map[string]property.Value{"a": x}, Sames: map[string]property.Value{"a": x}}), pulumi.ErrClash, `pulumi: from object diff: a: more or less than one thing said of one place`},
		{from(&property.ObjectDiff{Updates: map[string]property.ValueDiff{"a": {Object: &property.ObjectDiff{}, Array: &property.ArrayDiff{}}}}), pulumi.ErrKind, `pulumi: from object diff: a: no kind of property: expected object or array, found both`},
		{from(elems(property.ArrayDiff{Adds: map[int]property.Value{1 << 62: x}})), pulumi.ErrClash, `pulumi: from object diff: a: more or less than one thing said of one place: expected each index from 0 once`},
		{from(elems(property.ArrayDiff{Adds: map[int]property.Value{-1: x}})), pulumi.ErrClash, ``},
		{from(elems(property.ArrayDiff{Sames: map[int]property.Value{0: x}, Updates: map[int]property.ValueDiff{0: {}}})), pulumi.ErrClash, ``},
		{from(elems(property.ArrayDiff{Updates: map[int]property.ValueDiff{-1: {Array: &property.ArrayDiff{Adds: map[int]property.Value{1: x}}}}})), pulumi.ErrClash, ``},
		{from(elems(property.ArrayDiff{Sames: map[int]property.Value{math.MinInt: property.New(&asset.Asset{Text: "t", URI: "u"})}})), pulumi.ErrSource, ``},
		{classic(&resource.ObjectDiff{Adds: resource.PropertyMap{"a": {V: 1}}}), pulumi.ErrKind, `pulumi: from resource object diff: a: no kind of property: found int`},
		{classic(&resource.ObjectDiff{Adds: resource.PropertyMap{"a": {}}, Deletes: resource.PropertyMap{"a": {}}}), pulumi.ErrClash, ``},
	})
}

// TestObjectDiffs: what is said of one place, and what not.
func TestObjectDiffs(t *testing.T) {
	same := field("a", value.Number(1))
	if d, err := pulumi.ToObjectDiff(diff.Between(same, same, diff.Options{}), same, pulumi.RefuseHints); d != nil || err != nil {
		t.Error(d, err)
	}
	if d, err := pulumi.ToResourceObjectDiff(diff.Diff{}, same); d != nil || err != nil {
		t.Error(d, err)
	}
	for _, f := range []func() (old, now value.Value, err error){
		func() (old, now value.Value, err error) { return pulumi.FromObjectDiff(nil) },
		func() (old, now value.Value, err error) { return pulumi.FromObjectDiff(&property.ObjectDiff{}) },
		func() (old, now value.Value, err error) { return pulumi.FromResourceObjectDiff(nil) },
	} {
		if old, now, err := f(); err != nil || !old.Identical(value.Object()) || !now.Identical(value.Object()) {
			t.Error(old, now, err)
		}
	}
	// What has marks is told as a whole, in the middle of what has not.
	old := value.Object(value.Member{Key: "a", Value: value.Secret(field("b", value.Number(1)))}, value.Member{Key: "c", Value: field("d", value.Number(1))})
	now := value.Object(value.Member{Key: "a", Value: value.Secret(field("b", value.Number(2)))}, value.Member{Key: "c", Value: field("d", value.Number(2))})
	d, err := pulumi.ToObjectDiff(diff.Between(old, now, diff.Options{}), old, pulumi.RefuseHints)
	if err != nil || len(d.Updates) != 2 || d.Updates["a"].Object != nil || !d.Updates["a"].New.Secret() || d.Updates["c"].Object == nil {
		t.Errorf("%v %#v", err, d)
	}
	// Of a container with marks the whole is taken, whatever else is said of it.
	output := func(n float64) resource.PropertyValue {
		return resource.NewProperty(resource.Output{Element: object("x", resource.NewProperty(n)), Known: true, Dependencies: []resource.URN{"u"}})
	}
	told := resource.ValueDiff{Old: output(1), New: output(2), Object: &resource.ObjectDiff{}}
	for _, u := range []resource.ValueDiff{told, {Old: resource.MakeSecret(output(1)), New: resource.MakeSecret(output(2)), Array: &resource.ArrayDiff{}}} {
		before, after, err := pulumi.FromResourceObjectDiff(&resource.ObjectDiff{Updates: map[resource.PropertyKey]resource.ValueDiff{"a": u}})
		if err != nil || !before.Field("a").HasDependencies() || before.Field("a").Len() != 1 || before.Equal(after) {
			t.Errorf("%v: %v, %v", err, before, after)
		}
	}
	marked := property.ValueDiff{Old: one("x", property.New(1.0)).WithSecret(true), New: one("x", property.New(2.0)), Object: &property.ObjectDiff{}}
	if before, _, err := pulumi.FromObjectDiff(&property.ObjectDiff{Updates: map[string]property.ValueDiff{"a": marked}}); err != nil || !before.Field("a").IsSecret() {
		t.Errorf("%v: %v", err, before)
	}
	// An end of an array is one in every way of matching.
	for _, row := range [][2]value.Value{{texts("x"), texts("x", "y", "z")}, {texts("x", "y", "z"), texts("x")}} {
		old, now := field("a", row[0]), field("a", row[1])
		d, err := pulumi.ToObjectDiff(diff.Between(old, now, diff.Options{Arrays: diff.Aligned()}), old, pulumi.RefuseHints)
		if err != nil {
			t.Error(err)
			continue
		}
		elems := d.Updates["a"].Array
		if len(elems.Adds)+len(elems.Deletes) != 2 || len(elems.Sames) != 1 || elems.Len() != 3 {
			t.Errorf("%#v", elems)
		}
	}
	// A part that the SDK was told to ignore is on neither side.
	p := property.NewMap(map[string]property.Value{"a": one("x", property.New(1.0)), "b": property.New(1.0)})
	q := property.NewMap(map[string]property.Value{"a": one("x", property.New(2.0)), "b": property.New(2.0)})
	before, after, err := pulumi.FromObjectDiff(p.Diff(q, property.IgnorePathFunc(func(at property.Path) bool { return at == way("a", "x") })))
	if err != nil || (!before.Identical(field("b", value.Number(1))) && !value.NullAsMissing.Equal(before, value.Object(value.Member{Key: "b", Value: value.Number(1)}, value.Member{Key: "a", Value: field("x", value.Number(1))}))) {
		t.Errorf("%v: %v, %v", err, before, after)
	}
	if changes := diff.Between(before, after, diff.Options{}); changes.Len() != 1 {
		t.Errorf("%v", changes)
	}
}

// TestObjectDiffIsLinear: at twice the depth there are about twice the
// allocations, both ways and in both models.
func TestObjectDiffIsLinear(t *testing.T) {
	allocs := func(depth int) (all [4]float64) {
		old, now := value.Number(1), value.Number(2)
		for range depth {
			old, now = field("a", value.Array(old)), field("a", value.Array(now))
		}
		d := diff.Between(old, now, diff.Options{})
		made, err := pulumi.ToObjectDiff(d, old, pulumi.RefuseHints)
		if err != nil {
			t.Fatal(err)
		}
		classic, err := pulumi.ToResourceObjectDiff(d, old)
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range []func(){
			func() { _, _ = pulumi.ToObjectDiff(d, old, pulumi.RefuseHints) },
			func() { _, _ = pulumi.ToResourceObjectDiff(d, old) },
			func() { _, _, _ = pulumi.FromObjectDiff(made) },
			func() { _, _, _ = pulumi.FromResourceObjectDiff(classic) },
		} {
			all[i] = testing.AllocsPerRun(1, f)
		}
		return all
	}
	once, twice := allocs(200), allocs(400)
	for i := range once {
		if twice[i] > 2.2*once[i] || once[i] == 0 {
			t.Errorf("row %d: %v allocations, at twice the depth %v", i, once[i], twice[i])
		}
	}
}
