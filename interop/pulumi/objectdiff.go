package pulumi

import (
	"maps"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
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
	old, now = value.Object(), value.Object()
	if d == nil {
		return old, now, nil
	}

	const op = "from object diff"
	t, wrong := fromObjectDiff(d, 1)
	if wrong != nil {
		return value.Value{}, value.Value{}, wrong.finish(op)
	}
	if old, now, wrong = t.sides(); wrong != nil {
		return value.Value{}, value.Value{}, wrong.finish(op)
	}
	return old, now, nil
}

// toObjectDiff makes an object diff of what is told of two maps, of which it
// shares the parts.
func toObjectDiff(t *told, old, now property.Map) *property.ObjectDiff {
	o := &property.ObjectDiff{
		Adds: map[string]property.Value{}, Deletes: map[string]property.Value{},
		Sames: map[string]property.Value{}, Updates: map[string]property.ValueDiff{},
	}
	for _, p := range t.adds {
		o.Adds[p.key] = now.Get(p.key)
	}

	for _, p := range t.deletes {
		o.Deletes[p.key] = old.Get(p.key)
	}
	for _, p := range t.sames {
		o.Sames[p.key] = old.Get(p.key)
	}
	for _, u := range t.updates {
		o.Updates[u.key] = toValueDiff(u, old.Get(u.key), now.Get(u.key))
	}
	return o
}

func toArrayDiff(t *told, old, now property.Array) *property.ArrayDiff {
	o := &property.ArrayDiff{
		Adds: map[int]property.Value{}, Deletes: map[int]property.Value{},
		Sames: map[int]property.Value{}, Updates: map[int]property.ValueDiff{},
	}
	for _, p := range t.adds {
		o.Adds[p.index] = now.Get(p.index)
	}

	for _, p := range t.deletes {
		o.Deletes[p.index] = old.Get(p.index)
	}
	for _, p := range t.sames {
		o.Sames[p.index] = old.Get(p.index)
	}
	for _, u := range t.updates {
		o.Updates[u.index] = toValueDiff(u, old.Get(u.index), now.Get(u.index))
	}
	return o
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

func fromObjectDiff(d *property.ObjectDiff, depth int) (*told, *Error) {
	if depth > MaxDepth {
		return nil, fail(ErrDepth, "", "")
	}

	t := &told{kind: value.KindObject}
	for _, in := range []struct {
		from map[string]property.Value
		out  *[]part
	}{{d.Adds, &t.adds}, {d.Deletes, &t.deletes}, {d.Sames, &t.sames}} {
		for _, k := range slices.Sorted(maps.Keys(in.from)) {
			v, err := fromModel(in.from[k], depth)
			if err != nil {
				return nil, err.under(path.Key(k))
			}
			*in.out = append(*in.out, part{key: k, v: v})
		}
	}
	for _, k := range slices.Sorted(maps.Keys(d.Updates)) {
		u, err := fromValueDiff(d.Updates[k], depth+1)
		if err != nil {
			return nil, err.under(path.Key(k))
		}
		u.key = k
		t.updates = append(t.updates, u)
	}

	return t, nil
}

func fromArrayDiff(d *property.ArrayDiff, depth int) (*told, *Error) {
	if depth > MaxDepth {
		return nil, fail(ErrDepth, "", "")
	}

	t := &told{kind: value.KindArray}
	for _, in := range []struct {
		from map[int]property.Value
		out  *[]part
	}{{d.Adds, &t.adds}, {d.Deletes, &t.deletes}, {d.Sames, &t.sames}} {
		for _, i := range slices.Sorted(maps.Keys(in.from)) {
			v, err := fromModel(in.from[i], depth)
			if err != nil {
				return nil, err.under(element(i))
			}
			*in.out = append(*in.out, part{index: i, v: v})
		}
	}
	for _, i := range slices.Sorted(maps.Keys(d.Updates)) {
		u, err := fromValueDiff(d.Updates[i], depth+1)
		if err != nil {
			return nil, err.under(element(i))
		}
		u.index = i
		t.updates = append(t.updates, u)
	}

	return t, nil
}

// element is the step to an element of any index, for an error.
func element(i int) path.Step { return path.Index(max(0, min(i, path.MaxIndex))) }

// fromValueDiff makes an update. One of a value with marks is taken as a whole,
// and so is one that says nothing of what is inside.
func fromValueDiff(d property.ValueDiff, depth int) (u update, err *Error) {
	hasMarks := func(p property.Value) bool { return p.Secret() || len(p.Dependencies()) > 0 }
	switch {
	case d.Object != nil && d.Array != nil:
		return u, fail(ErrKind, "object or array", "both")
	case hasMarks(d.Old), hasMarks(d.New), d.Object == nil && d.Array == nil:
		if u.v, err = fromModel(d.Old, depth); err == nil {
			u.now, err = fromModel(d.New, depth)
		}
	case d.Object != nil:
		u.inside, err = fromObjectDiff(d.Object, depth)
	default:
		u.inside, err = fromArrayDiff(d.Array, depth)
	}
	return u, err
}
