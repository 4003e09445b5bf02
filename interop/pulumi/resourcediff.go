package pulumi

import (
	"maps"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// ToResourceObjectDiff converts a diff and its old value to an object diff of the SDK's
// classic model. It returns nil if nothing differs.
//
// For Between(old, now, o) with the Relation value.Engine and arrays index by index the
// result is that of the SDK's PropertyMap.Diff, except for what docs/differences.md
// lists; plugin.NewDetailedDiffFromObjectDiff accepts it. Errors are those of
// [ToObjectDiff], except that hints are kept.
func ToResourceObjectDiff(d diff.Diff, old value.Value) (*resource.ObjectDiff, error) {
	const op = "to resource object diff"
	t, now, err := tell(d, old)
	if err != nil {
		return nil, err.finish(op)
	}
	if t == nil {
		return nil, nil
	}

	before, err := toMap(old, 1)
	if err != nil {
		return nil, err.finish(op)
	}
	after, err := toMap(now, 1)
	if err != nil {
		return nil, err.finish(op)
	}
	return toResourceObjectDiff(t, before, after), nil
}

// FromResourceObjectDiff returns the two objects of an object diff of the SDK's classic
// model, as [FromObjectDiff] does for the new one. Errors are those of
// [FromPropertyValue], [ErrClash] and [ErrKind].
func FromResourceObjectDiff(d *resource.ObjectDiff) (old, now value.Value, err error) {
	old, now = value.Object(), value.Object()
	if d == nil {
		return old, now, nil
	}

	const op = "from resource object diff"
	t, wrong := fromResourceObjectDiff(d, 1)
	if wrong != nil {
		return value.Value{}, value.Value{}, wrong.finish(op)
	}
	if old, now, wrong = t.sides(); wrong != nil {
		return value.Value{}, value.Value{}, wrong.finish(op)
	}
	return old, now, nil
}

// toResourceObjectDiff makes an object diff of what is told of two maps, of which it
// shares the parts.
func toResourceObjectDiff(t *told, old, now resource.PropertyMap) *resource.ObjectDiff {
	o := &resource.ObjectDiff{
		Adds: resource.PropertyMap{}, Deletes: resource.PropertyMap{},
		Sames: resource.PropertyMap{}, Updates: map[resource.PropertyKey]resource.ValueDiff{},
	}
	for _, p := range t.adds {
		o.Adds[resource.PropertyKey(p.key)] = now[resource.PropertyKey(p.key)]
	}
	for _, p := range t.deletes {
		o.Deletes[resource.PropertyKey(p.key)] = old[resource.PropertyKey(p.key)]
	}
	for _, p := range t.sames {
		o.Sames[resource.PropertyKey(p.key)] = old[resource.PropertyKey(p.key)]
	}

	for _, u := range t.updates {
		o.Updates[resource.PropertyKey(u.key)] = toResourceValueDiff(u, old[resource.PropertyKey(u.key)], now[resource.PropertyKey(u.key)])
	}
	return o
}

func toResourceArrayDiff(t *told, old, now []resource.PropertyValue) *resource.ArrayDiff {
	o := &resource.ArrayDiff{
		Adds: map[int]resource.PropertyValue{}, Deletes: map[int]resource.PropertyValue{},
		Sames: map[int]resource.PropertyValue{}, Updates: map[int]resource.ValueDiff{},
	}
	for _, p := range t.adds {
		o.Adds[p.index] = now[p.index]
	}
	for _, p := range t.deletes {
		o.Deletes[p.index] = old[p.index]
	}
	for _, p := range t.sames {
		o.Sames[p.index] = old[p.index]
	}

	for _, u := range t.updates {
		o.Updates[u.index] = toResourceValueDiff(u, old[u.index], now[u.index])
	}
	return o
}

func toResourceValueDiff(u update, old, now resource.PropertyValue) resource.ValueDiff {
	d := resource.ValueDiff{Old: old, New: now}
	switch {
	case u.inside == nil:
	case u.inside.kind == value.KindArray:
		d.Array = toResourceArrayDiff(u.inside, old.ArrayValue(), now.ArrayValue())
	default:
		d.Object = toResourceObjectDiff(u.inside, old.ObjectValue(), now.ObjectValue())
	}

	return d
}

func fromResourceObjectDiff(d *resource.ObjectDiff, depth int) (*told, *Error) {
	if depth > MaxDepth {
		return nil, fail(ErrDepth, "", "")
	}

	t := &told{kind: value.KindObject}
	for _, in := range []struct {
		from resource.PropertyMap
		out  *[]part
	}{{d.Adds, &t.adds}, {d.Deletes, &t.deletes}, {d.Sames, &t.sames}} {
		for _, k := range slices.Sorted(maps.Keys(in.from)) {
			v, err := from(in.from[k], depth)
			if err != nil {
				return nil, err.under(path.Key(string(k)))
			}
			*in.out = append(*in.out, part{key: string(k), v: v})
		}
	}
	for _, k := range slices.Sorted(maps.Keys(d.Updates)) {
		u, err := fromResourceValueDiff(d.Updates[k], depth+1)
		if err != nil {
			return nil, err.under(path.Key(string(k)))
		}
		u.key = string(k)
		t.updates = append(t.updates, u)
	}

	return t, nil
}

func fromResourceArrayDiff(d *resource.ArrayDiff, depth int) (*told, *Error) {
	if depth > MaxDepth {
		return nil, fail(ErrDepth, "", "")
	}

	t := &told{kind: value.KindArray}
	for _, in := range []struct {
		from map[int]resource.PropertyValue
		out  *[]part
	}{{d.Adds, &t.adds}, {d.Deletes, &t.deletes}, {d.Sames, &t.sames}} {
		for _, i := range slices.Sorted(maps.Keys(in.from)) {
			v, err := from(in.from[i], depth)
			if err != nil {
				return nil, err.under(element(i))
			}
			*in.out = append(*in.out, part{index: i, v: v})
		}
	}
	for _, i := range slices.Sorted(maps.Keys(d.Updates)) {
		u, err := fromResourceValueDiff(d.Updates[i], depth+1)
		if err != nil {
			return nil, err.under(element(i))
		}
		u.index = i
		t.updates = append(t.updates, u)
	}

	return t, nil
}

// fromResourceValueDiff makes an update. One of a value with marks is taken as a whole,
// and so is one that says nothing of what is inside.
func fromResourceValueDiff(d resource.ValueDiff, depth int) (u update, err *Error) {
	hasMarks := func(p resource.PropertyValue) bool { return p.IsSecret() || p.IsOutput() }
	switch {
	case d.Object != nil && d.Array != nil:
		return u, fail(ErrKind, "object or array", "both")
	case hasMarks(d.Old), hasMarks(d.New), d.Object == nil && d.Array == nil:
		if u.v, err = from(d.Old, depth); err == nil {
			u.now, err = from(d.New, depth)
		}
	case d.Object != nil:
		u.inside, err = fromResourceObjectDiff(d.Object, depth)
	default:
		u.inside, err = fromResourceArrayDiff(d.Array, depth)
	}
	return u, err
}
