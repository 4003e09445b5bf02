package pulumi

import (
	"cmp"
	"maps"
	"slices"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// described is what an object diff of the SDK's says of one container, in either model. K is
// a key or an index, V a value, U an update.
type described[K cmp.Ordered, V, U any] struct {
	adds, deletes, sames map[K]V
	updates              map[K]U
	from                 func(v V, depth int) (value.Value, *Error)
	both                 func(u U, depth int) (old, now value.Value, err *Error)
}

// sides makes the two sides of the container again. They lack what the SDK leaves out: nulls
// that count as missing, and what it was told to ignore.
func (d described[K, V, U]) sides(depth int, step func(K) path.Step) (old, now map[K]value.Value, failed *Error) {
	if depth > MaxDepth {
		return nil, nil, fail(ErrDepth, "", "")
	}

	old, now = map[K]value.Value{}, map[K]value.Value{}
	for _, in := range []struct {
		parts        map[K]V
		onOld, onNew bool
	}{{d.adds, false, true}, {d.deletes, true, false}, {d.sames, true, true}} {
		for _, k := range slices.Sorted(maps.Keys(in.parts)) {
			v, err := d.from(in.parts[k], depth)
			if err == nil && has(k, old, now) {
				err = fail(ErrClash, "", "")
			}
			if err != nil {
				return nil, nil, err.under(step(k))
			}

			if in.onOld {
				old[k] = v
			}
			if in.onNew {
				now[k] = v
			}
		}
	}
	for _, k := range slices.Sorted(maps.Keys(d.updates)) {
		v, w, err := d.both(d.updates[k], depth+1)
		if err == nil && has(k, old, now) {
			err = fail(ErrClash, "", "")
		}
		if err != nil {
			return nil, nil, err.under(step(k))
		}
		old[k], now[k] = v, w
	}

	return old, now, nil
}

func has[K comparable](k K, old, now map[K]value.Value) bool {
	_, onOld := old[k]
	_, onNew := now[k]
	return onOld || onNew
}

// objects are the two sides of an object.
func objects[K ~string, V, U any](d described[K, V, U], depth int) (old, now value.Value, failed *Error) {
	before, after, failed := d.sides(depth, func(k K) path.Step { return path.Key(string(k)) })
	if failed != nil {
		return old, now, failed
	}

	object := func(parts map[K]value.Value) value.Value {
		members := make([]value.Member, 0, len(parts))
		for k, v := range parts {
			members = append(members, value.Field(string(k), v))
		}
		return value.Object(members...)
	}
	return object(before), object(after), nil
}

// arrays are the two sides of an array. Every index from 0 must be there, once.
func arrays[V, U any](d described[int, V, U], depth int) (old, now value.Value, failed *Error) {
	before, after, failed := d.sides(depth, element)
	if failed != nil {
		return old, now, failed
	}

	array := func(parts map[int]value.Value) value.Value {
		elems := make([]value.Value, len(parts))
		for i := range elems {
			v, there := parts[i]
			if !there {
				failed = fail(ErrClash, "each index from 0 once", "")
			}
			elems[i] = v
		}
		return value.Array(elems...)
	}
	return array(before), array(after), failed
}

// element is the step to an element of any index, for an error.
func element(i int) path.Step { return path.Index(max(0, min(i, path.MaxIndex))) }
