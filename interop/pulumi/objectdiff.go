package pulumi

import (
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/value"
)

// ToObjectDiff converts a diff and its old value to an object diff of the SDK's new
// model. It returns nil if nothing differs.
//
// For Between(old, now, o) with the Relation value.NullAsMissing and arrays index by
// index the result is that of the SDK's property.Map.Diff, except for what
// docs/differences.md lists. An object diff cannot represent arrays that are matched
// other than index by index ([ErrOrder]), an old or new value that is not an object
// ([ErrKind]) or has marks ([ErrMarks]), and what [ToValue] refuses. If the diff does not
// fit the old value, the error is [ErrFit]. Verdicts are dropped, and a container whose
// own marks changed is reported as a whole. The result lists unchanged members too
// (Sames), except nulls that count as missing, so the time is linear in the size of the
// values.
func ToObjectDiff(d diff.Diff, old value.Value, h Hints) (*property.ObjectDiff, error) {
	const op = "to object diff"
	t, now, err := tell(d, old)
	if err != nil {
		return nil, err.finish(op)
	}
	if t == nil {
		return nil, nil
	}

	before, err := h.toMap(old, 1)
	if err != nil {
		return nil, err.finish(op)
	}
	after, err := h.toMap(now, 1)
	if err != nil {
		return nil, err.finish(op)
	}
	return toObjectDiff(t, before, after), nil
}

// FromObjectDiff returns the old and the new object of an object diff of the SDK's new
// model. They lack nulls that count as missing, and members that the SDK was asked to
// ignore. Compare them with [diff.Between], with any match of arrays. A nil diff gives
// empty objects.
//
// It is an error that wraps [ErrClash] if a key is in two of the maps, or if the indexes
// are not 0, 1, 2 and so on, each once. An update of both an object and an array is an
// error that wraps [ErrKind]. Other errors are those of [FromValue].
func FromObjectDiff(d *property.ObjectDiff) (old, now value.Value, err error) {
	if d == nil {
		return value.Object(), value.Object(), nil
	}

	const op = "from object diff"
	old, now, wrong := fromObjectDiff(d, 1)
	if wrong != nil {
		return value.Value{}, value.Value{}, wrong.finish(op)
	}
	return old, now, nil
}

// toObjectDiff makes an object diff of what is told of two maps, of which it
// shares the parts.
func toObjectDiff(t *told, old, now property.Map) *property.ObjectDiff {
	var o property.ObjectDiff
	o.Adds, o.Deletes, o.Sames, o.Updates = toldParts(t, keyOf[string], old.Get, now.Get, toValueDiff)
	return &o
}

func toArrayDiff(t *told, old, now property.Array) *property.ArrayDiff {
	var o property.ArrayDiff
	o.Adds, o.Deletes, o.Sames, o.Updates = toldParts(t, indexOf, old.Get, now.Get, toValueDiff)
	return &o
}

func toValueDiff(u update, old, now property.Value) property.ValueDiff {
	d := property.ValueDiff{Old: old, New: now}
	switch {
	case u.inside == nil:
	case u.inside.kind == value.KindArray:
		d.Array = toArrayDiff(u.inside, old.AsArray(), now.AsArray())
	default:
		d.Object = toObjectDiff(u.inside, old.AsMap(), now.AsMap())
	}

	return d
}

func fromObjectDiff(d *property.ObjectDiff, depth int) (old, now value.Value, err *Error) {
	return objects(described[string, property.Value, property.ValueDiff]{d.Adds, d.Deletes, d.Sames, d.Updates, fromModel, fromValueDiff}, depth)
}

func fromArrayDiff(d *property.ArrayDiff, depth int) (old, now value.Value, err *Error) {
	return arrays(described[int, property.Value, property.ValueDiff]{d.Adds, d.Deletes, d.Sames, d.Updates, fromModel, fromValueDiff}, depth)
}

// fromValueDiff makes the two sides of an update. One of a value with marks is taken as a
// whole, and so is one that says nothing of what is inside.
func fromValueDiff(d property.ValueDiff, depth int) (old, now value.Value, err *Error) {
	hasMarks := func(p property.Value) bool { return p.Secret() || len(p.Dependencies()) > 0 }
	switch {
	case d.Object != nil && d.Array != nil:
		return old, now, fail(ErrKind, "object or array", "both")
	case hasMarks(d.Old), hasMarks(d.New), d.Object == nil && d.Array == nil:
		if old, err = fromModel(d.Old, depth); err == nil {
			now, err = fromModel(d.New, depth)
		}
		return old, now, err
	case d.Object != nil:
		return fromObjectDiff(d.Object, depth)
	}

	return fromArrayDiff(d.Array, depth)
}
