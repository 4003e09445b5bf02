package pulumi

import (
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/propalg/propalg/diff"
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
	if d == nil {
		return value.Object(), value.Object(), nil
	}

	const op = "from resource object diff"
	old, now, wrong := fromResourceObjectDiff(d, 1)
	if wrong != nil {
		return value.Value{}, value.Value{}, wrong.finish(op)
	}
	return old, now, nil
}

// toResourceObjectDiff makes an object diff of what is told of two maps, of which it
// shares the parts.
func toResourceObjectDiff(t *told, old, now resource.PropertyMap) *resource.ObjectDiff {
	in := func(m resource.PropertyMap) func(resource.PropertyKey) resource.PropertyValue {
		return func(k resource.PropertyKey) resource.PropertyValue { return m[k] }
	}
	var o resource.ObjectDiff
	o.Adds, o.Deletes, o.Sames, o.Updates = toldParts(t, keyOf[resource.PropertyKey], in(old), in(now), toResourceValueDiff)
	return &o
}

func toResourceArrayDiff(t *told, old, now []resource.PropertyValue) *resource.ArrayDiff {
	in := func(all []resource.PropertyValue) func(int) resource.PropertyValue {
		return func(i int) resource.PropertyValue { return all[i] }
	}
	var o resource.ArrayDiff
	o.Adds, o.Deletes, o.Sames, o.Updates = toldParts(t, indexOf, in(old), in(now), toResourceValueDiff)
	return &o
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

func fromResourceObjectDiff(d *resource.ObjectDiff, depth int) (old, now value.Value, err *Error) {
	return objects(described[resource.PropertyKey, resource.PropertyValue, resource.ValueDiff]{d.Adds, d.Deletes, d.Sames, d.Updates, from, fromResourceValueDiff}, depth)
}

func fromResourceArrayDiff(d *resource.ArrayDiff, depth int) (old, now value.Value, err *Error) {
	return arrays(described[int, resource.PropertyValue, resource.ValueDiff]{d.Adds, d.Deletes, d.Sames, d.Updates, from, fromResourceValueDiff}, depth)
}

// fromResourceValueDiff makes the two sides of an update. One of a value with marks is taken
// as a whole, and so is one that says nothing of what is inside.
func fromResourceValueDiff(d resource.ValueDiff, depth int) (old, now value.Value, err *Error) {
	hasMarks := func(p resource.PropertyValue) bool { return p.IsSecret() || p.IsOutput() }
	switch {
	case d.Object != nil && d.Array != nil:
		return old, now, fail(ErrKind, "object or array", "both")
	case hasMarks(d.Old), hasMarks(d.New), d.Object == nil && d.Array == nil:
		if old, err = from(d.Old, depth); err == nil {
			now, err = from(d.New, depth)
		}
		return old, now, err
	case d.Object != nil:
		return fromResourceObjectDiff(d.Object, depth)
	}

	return fromResourceArrayDiff(d.Array, depth)
}
