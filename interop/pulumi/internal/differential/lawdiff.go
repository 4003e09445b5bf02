package differential

import (
	"strconv"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	gen "github.com/pulumi/pulumi/sdk/v3/go/property/testing"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/interop/pulumi"
	"github.com/propalg/propalg/interop/pulumi/answer"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// bags draws two objects without marks of their own that have to do with each
// other: tame ones.
func bags(t *rapid.T, o fuzz.Options) (old, now value.Value) {
	o.Style, o.Sealed = style(t), fuzz.Without
	p := fuzz.ObjectPairs(o).Draw(t, "pair")

	bag := func(v value.Value) value.Value {
		v = v.DropSecret().DropDependencies()
		if v.Kind() != value.KindObject {
			v = value.Object(value.Member{Key: "v", Value: v})
		}
		return tame(v)
	}
	return bag(p.Old), bag(p.New)
}

// diffLaw: the SDK's new model and we tell the same differences. The new values
// are compared as the diff does: it keeps the old one of two that are equal.
func diffLaw(t *rapid.T, tally *Tally) {
	old, now := bags(t, fuzz.Options{})
	p, err := pulumi.ToMap(old, pulumi.DropHints)
	q, err2 := pulumi.ToMap(now, pulumi.DropHints)
	if err != nil || err2 != nil {
		tally.Add(noRoom)
		return
	}

	theirs := p.Diff(q)
	ours, err := pulumi.ToObjectDiff(diff.Between(old, now, diff.Options{Relation: value.NullAsMissing}), old, pulumi.DropHints)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := describe(t, ours), describe(t, theirs); !value.NullAsMissing.Equal(got, want) {
		t.Fatalf("old %v\nnew %v\nours %v\nSDK  %v", fuzz.GoSource(old), fuzz.GoSource(now), fuzz.GoSource(got), fuzz.GoSource(want))
	}
	tally.Add(Same)
}

// describe makes a value of an object diff, to compare two of them.
func describe(t *rapid.T, d *property.ObjectDiff) value.Value {
	if d == nil {
		return value.Null()
	}
	all := map[string]value.Value{}
	for name, values := range map[string]map[string]property.Value{"adds": d.Adds, "deletes": d.Deletes, "sames": d.Sames} {
		own := map[string]value.Value{}
		for k, v := range values {
			own[k] = fromModel(t, v)
		}
		all[name] = value.ObjectFromMap(own)
	}

	updates := map[string]value.Value{}
	for k, u := range d.Updates {
		updates[k] = describeUpdate(t, u)
	}
	all["updates"] = value.ObjectFromMap(updates)
	return value.ObjectFromMap(all)
}

func describeUpdate(t *rapid.T, u property.ValueDiff) value.Value {
	all := map[string]value.Value{"old": fromModel(t, u.Old), "new": fromModel(t, u.New)}
	if u.Object != nil {
		all["object"] = describe(t, u.Object)
	}
	if u.Array != nil {
		elems := property.ObjectDiff{
			Adds: texts(u.Array.Adds), Deletes: texts(u.Array.Deletes), Sames: texts(u.Array.Sames), Updates: texts(u.Array.Updates),
		}
		all["array"] = describe(t, &elems)
	}

	return value.ObjectFromMap(all)
}

func texts[V any](m map[int]V) map[string]V {
	out := make(map[string]V, len(m))
	for i, v := range m {
		out[strconv.Itoa(i)] = v
	}
	return out
}

// diffClassicLaw: the SDK's classic model and we tell the same differences.
func diffClassicLaw(t *rapid.T, tally *Tally) {
	old, now := bags(t, fuzz.Options{})
	p, err := pulumi.ToPropertyMap(old)
	q, err2 := pulumi.ToPropertyMap(now)
	if err != nil || err2 != nil {
		tally.Add(noRoom)
		return
	}

	ours, err := pulumi.ToResourceObjectDiff(diff.Between(old, now, diff.Options{Relation: value.Engine}), old)
	if err != nil {
		t.Fatal(err)
	}
	got, want := describeClassic(t, ours), describeClassic(t, p.Diff(q))
	if !value.Engine.Equal(got, want) {
		t.Fatalf("old %v\nnew %v\nours %v\nSDK  %v", fuzz.GoSource(old), fuzz.GoSource(now), fuzz.GoSource(got), fuzz.GoSource(want))
	}
	tally.Add(Same)
}

func describeClassic(t *rapid.T, d *resource.ObjectDiff) value.Value {
	if d == nil {
		return value.Null()
	}

	all := map[string]value.Value{}
	for name, values := range map[string]resource.PropertyMap{"adds": d.Adds, "deletes": d.Deletes, "sames": d.Sames} {
		all[name] = fromClassic(t, resource.NewProperty(values))
	}
	updates := map[string]value.Value{}
	for k, u := range d.Updates {
		updates[string(k)] = describeClassicUpdate(t, u)
	}
	all["updates"] = value.ObjectFromMap(updates)
	return value.ObjectFromMap(all)
}

func describeClassicUpdate(t *rapid.T, u resource.ValueDiff) value.Value {
	all := map[string]value.Value{"old": fromClassic(t, u.Old), "new": fromClassic(t, u.New)}
	if u.Object != nil {
		all["object"] = describeClassic(t, u.Object)
	}
	if u.Array != nil {
		keyed := func(m map[int]resource.PropertyValue) resource.PropertyMap {
			out := resource.PropertyMap{}
			for i, v := range m {
				out[resource.PropertyKey(strconv.Itoa(i))] = v
			}
			return out
		}
		elems := resource.ObjectDiff{
			Adds: keyed(u.Array.Adds), Deletes: keyed(u.Array.Deletes), Sames: keyed(u.Array.Sames),
			Updates: map[resource.PropertyKey]resource.ValueDiff{},
		}
		for i, one := range u.Array.Updates {
			elems.Updates[resource.PropertyKey(strconv.Itoa(i))] = one
		}
		all["array"] = describeClassic(t, &elems)
	}

	return value.ObjectFromMap(all)
}

// sidesLaw: of what the SDK tells of two maps, wild ones of its own generators
// too, we make the two maps again.
func sidesLaw(t *rapid.T, tally *Tally) {
	p := gen.Map(sdkDepth).Draw(t, "old")
	q := gen.Map(sdkDepth).Draw(t, "new")
	for k, v := range p.AllStable { // so that they have something in common
		if rapid.Bool().Draw(t, "shared") {
			q = q.Set(k, v)
		}
	}
	d := p.Diff(q)
	old, now, err := pulumi.FromObjectDiff(d)
	if err != nil {
		t.Fatal(err)
	}

	before, err := pulumi.FromMap(p)
	if err != nil {
		t.Fatal(err)
	}
	after, err := pulumi.FromMap(q)
	if err != nil {
		t.Fatal(err)
	}

	if d == nil {
		if !value.NullAsMissing.Equal(before, after) && wild(before) == "" && wild(after) == "" {
			t.Fatalf("the SDK reports no difference between %v and %v", fuzz.GoSource(before), fuzz.GoSource(after))
		}
		tally.Add("no difference")
		return
	}
	if !value.NullAsMissing.Equal(old, before) || !value.NullAsMissing.Equal(now, after) {
		t.Fatalf("from the SDK's %v and %v we made %v and %v", fuzz.GoSource(before), fuzz.GoSource(after), fuzz.GoSource(old), fuzz.GoSource(now))
	}
	classic, classicNow, err := pulumi.FromResourceObjectDiff(resource.ToResourceObjectDiff(d))
	if err != nil || !classic.Identical(old) || !classicNow.Identical(now) {
		t.Fatalf("%v: of the classic form we made %v and %v", err, fuzz.GoSource(classic), fuzz.GoSource(classicNow))
	}
	tally.Add(Same)
}

// detailedLaw: the SDK's detailed diff of its own object diff has the entries of
// ours. There are no dependencies, since the SDK does not look into outputs.
func detailedLaw(t *rapid.T, tally *Tally) {
	old, now := bags(t, fuzz.Options{Dependencies: fuzz.Without})
	p, err := pulumi.ToPropertyMap(old)
	q, err2 := pulumi.ToPropertyMap(now)
	if err != nil || err2 != nil {
		tally.Add(noRoom)
		return
	}

	theirs := plugin.NewDetailedDiffFromObjectDiff(p.Diff(q), true)
	ours := answer.ToDetailed(provider.Respond(diff.Between(old, now, diff.Options{Relation: value.Engine}), provider.Options{InputDiff: true}).Detailed)
	same := len(ours) == len(theirs)
	for k, d := range ours {
		same = same && theirs[k] == d
	}
	if same {
		tally.Add(Same)
		return
	}
	if why := unwritable(old, now); why != "" {
		tally.Add(why)
		return
	}
	t.Fatalf("old %v\nnew %v\nours %v\nSDK  %v", fuzz.GoSource(old), fuzz.GoSource(now), ours, theirs)
}

// unwritable says why the SDK writes the path to something in the values
// otherwise than we do.
func unwritable(values ...value.Value) string {
	for _, v := range values {
		for c := range v.Walk() {
			s, hasStep := c.Step()
			key, isKey := s.Key()
			if !hasStep || !isKey {
				continue
			}
			text, err := path.Of(s).Pulumi()
			switch {
			case key == "":
				return "empty-key"
			case err != nil:
				return "path-that-is-not-utf8"
			case resource.PropertyPath{key}.String() != text:
				return "key-that-ends-in-a-backslash"
			}
		}
	}

	return ""
}
