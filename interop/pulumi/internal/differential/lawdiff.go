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
	o.Style, o.NoSealed = style(t), true
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
	if got, want := describeModel(t, ours), describeModel(t, theirs); !value.NullAsMissing.Equal(got, want) {
		t.Fatalf("old %v\nnew %v\nours %v\nSDK  %v", fuzz.GoSource(old), fuzz.GoSource(now), fuzz.GoSource(got), fuzz.GoSource(want))
	}
	tally.Add(Same)
}

// describe makes a value of an object diff of either model, to compare two of them.
func describe[K ~string, V, U any](adds, deletes, sames map[K]V, updates map[K]U, own func(V) value.Value, both func(U) value.Value) value.Value {
	all := map[string]value.Value{"updates": object(updates, both)}
	for name, values := range map[string]map[K]V{"adds": adds, "deletes": deletes, "sames": sames} {
		all[name] = object(values, own)
	}
	return value.ObjectFromMap(all)
}

func object[K ~string, V any](members map[K]V, own func(V) value.Value) value.Value {
	all := map[string]value.Value{}
	for k, v := range members {
		all[string(k)] = own(v)
	}
	return value.ObjectFromMap(all)
}

func keyed[V any](m map[int]V) map[string]V {
	out := make(map[string]V, len(m))
	for i, v := range m {
		out[strconv.Itoa(i)] = v
	}
	return out
}

func describeModel(t *rapid.T, d *property.ObjectDiff) value.Value {
	if d == nil {
		return value.Null()
	}

	own := func(p property.Value) value.Value { return fromModel(t, p) }
	var both func(u property.ValueDiff) value.Value
	both = func(u property.ValueDiff) value.Value {
		all := map[string]value.Value{"old": own(u.Old), "new": own(u.New), "object": describeModel(t, u.Object)}
		if u.Array != nil {
			all["array"] = describe(keyed(u.Array.Adds), keyed(u.Array.Deletes), keyed(u.Array.Sames), keyed(u.Array.Updates), own, both)
		}
		return value.ObjectFromMap(all)
	}
	return describe(d.Adds, d.Deletes, d.Sames, d.Updates, own, both)
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

	own := func(p resource.PropertyValue) value.Value { return fromClassic(t, p) }
	var both func(u resource.ValueDiff) value.Value
	both = func(u resource.ValueDiff) value.Value {
		all := map[string]value.Value{"old": own(u.Old), "new": own(u.New), "object": describeClassic(t, u.Object)}
		if u.Array != nil {
			all["array"] = describe(keyed(u.Array.Adds), keyed(u.Array.Deletes), keyed(u.Array.Sames), keyed(u.Array.Updates), own, both)
		}
		return value.ObjectFromMap(all)
	}
	return describe(d.Adds, d.Deletes, d.Sames, d.Updates, own, both)
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
	old, now := bags(t, fuzz.Options{NoDependencies: true})
	p, err := pulumi.ToPropertyMap(old)
	q, err2 := pulumi.ToPropertyMap(now)
	if err != nil || err2 != nil {
		tally.Add(noRoom)
		return
	}

	theirs := plugin.NewDetailedDiffFromObjectDiff(p.Diff(q), true)
	ours := answer.ToDetailed(provider.Differ{}.RespondInputs(diff.Between(old, now, diff.Options{Relation: value.Engine})).Detailed)
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
			key, isKey := s.AsKey()
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
