package value

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/path"
)

// placeLimit bounds the memory of the place in an error. Data that holds itself would
// otherwise repeat a long key as often as there are levels.
const placeLimit = 16 << 20

// FromGo converts plain Go data to a value: nil, bools, numbers, strings, slices, arrays, maps
// with string keys, what this package has for assets and references, and pointers to these.
//
// Every error is an [*Error] with the place of the first element that cannot be converted.
// It wraps [ErrInexact], [ErrDepth] or [ErrKind]; the documentation of the package
// has the rules. The result shares no memory with x that can be written to. No other goroutine
// may change x meanwhile.
func FromGo(x any) (Value, error) {
	v, failed := fromGo(x, MaxDepth)
	if failed != nil {
		return Value{}, failed.error("from Go")
	}
	return v, nil
}

// goFailure is an error whose place is put together while unwinding.
type goFailure struct {
	up          []path.Step // innermost first
	want, found string
	err         error
}

// under adds the step that leads to where f happened. It does nothing for nil.
func (f *goFailure) under(s path.Step) *goFailure {
	f.up = append(f.up, s)
	return f
}

func (f *goFailure) error(op string) *Error {
	slices.Reverse(f.up)
	size := 0
	for i, s := range f.up {
		key, _ := s.AsKey()
		if size += len(key) + 16; size > placeLimit {
			f.up = f.up[:i]
			break
		}
	}

	return &Error{Op: op, At: path.Show(path.Of(f.up...), -1), Want: f.want, Found: f.found, err: f.err}
}

// fromGo converts x, which may have at most the given number of levels.
func fromGo(x any, levels int) (Value, *goFailure) {
	switch x := x.(type) {
	case nil:
		return Value{}, nil
	case Value:
		if x.Depth() > levels {
			return Value{}, &goFailure{err: ErrDepth}
		}
		return x, nil
	case Asset:
		return x.value(), nil
	case Archive:
		return x.value(), nil
	case ResourceReference:
		return x.Value(), nil
	case Sealed:
		return x.Value(), nil

	case bool:
		return Bool(x), nil
	case string:
		return String(x), nil

	case float64:
		return Number(x), nil
	case int:
		return fromInteger(Int(x))
	case []any:
		if x == nil {
			return Value{}, nil
		}
		return fromElems(len(x), levels, func(i int) any { return x[i] })
	case map[string]any:
		if x == nil {
			return Value{}, nil
		}
		return fromMembers(slices.Collect(maps.Keys(x)), levels, func(key string) any { return x[key] })
	case json.Number:
		return fromJSONNumber(string(x))
	case json.RawMessage:
		return Value{}, &goFailure{want: "decoded JSON", found: "json.RawMessage", err: ErrKind}
	}
	return fromReflected(reflect.ValueOf(x), levels)
}

func fromInteger(v Value, err error) (Value, *goFailure) {
	if err != nil {
		return Value{}, &goFailure{err: ErrInexact}
	}
	return v, nil
}

func fromJSONNumber(text string) (Value, *goFailure) {
	if end, _, fault := jsonscan.Number(text, 0); fault != nil || end != len(text) {
		return Value{}, &goFailure{want: "the text of a JSON number", found: "another text", err: ErrKind}
	}

	f, held := jsonscan.Float(text)
	if !held {
		return Value{}, &goFailure{err: ErrInexact}
	}
	return Number(f), nil
}

func fromReflected(r reflect.Value, levels int) (Value, *goFailure) {
	want := "plain Go data"
	switch r.Kind() {
	case reflect.Bool:
		return Bool(r.Bool()), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return fromInteger(Int(r.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return fromInteger(Int(r.Uint()))

	case reflect.Float32, reflect.Float64:
		return Number(r.Float()), nil
	case reflect.String:
		return String(r.String()), nil
	case reflect.Slice:
		if r.IsNil() {
			return Value{}, nil
		}
		return fromSequence(r, levels)
	case reflect.Array:
		return fromSequence(r, levels)
	case reflect.Map:
		return fromMap(r, levels)
	case reflect.Pointer:
		if r.IsNil() {
			return Value{}, nil
		}
		if levels == 0 {
			return Value{}, &goFailure{err: ErrDepth}
		}
		return fromGo(r.Elem().Interface(), levels-1)
	case reflect.Struct:
		if hasFields(r.Type()) {
			want += " (bind.Encode takes structs)"
		}

	case reflect.Invalid, reflect.Interface, // fromGo has looked into it
		reflect.Chan, reflect.Func, reflect.UnsafePointer,
		reflect.Uintptr, reflect.Complex64, reflect.Complex128:
	}
	return Value{}, &goFailure{want: want, found: r.Type().String(), err: ErrKind}
}

// hasFields reports whether a struct has fields for other packages.
func hasFields(t reflect.Type) bool {
	for i := range t.NumField() {
		if t.Field(i).IsExported() {
			return true
		}
	}
	return false
}

// fromSequence converts a slice or array.
func fromSequence(r reflect.Value, levels int) (Value, *goFailure) {
	if r.Type().Elem() != reflect.TypeFor[byte]() {
		return fromElems(r.Len(), levels, func(i int) any { return r.Index(i).Interface() })
	}

	bytes := make([]byte, r.Len())
	for i := range bytes {
		bytes[i] = byte(r.Index(i).Uint()) //nolint:gosec // it is one
	}
	return String(string(bytes)), nil
}

// fromElems converts n elements. It takes them by a function that is called once
// for each, in order.
func fromElems(n, levels int, at func(int) any) (Value, *goFailure) {
	if levels == 0 {
		return Value{}, &goFailure{err: ErrDepth}
	}
	elems := make([]Value, n)
	for i := range elems {
		v, failed := fromGo(at(i), levels-1)
		if failed != nil {
			return Value{}, failed.under(path.Index(i))
		}
		elems[i] = v.settle()
	}

	return makeArray(elems), nil
}

func fromMap(r reflect.Value, levels int) (Value, *goFailure) {
	keyType := r.Type().Key()
	if keyType.Kind() != reflect.String {
		return Value{}, &goFailure{want: "a map with string keys", found: r.Type().String(), err: ErrKind}
	}
	if r.IsNil() {
		return Value{}, nil
	}

	keys := make([]string, 0, r.Len())
	for iter := r.MapRange(); iter.Next(); {
		keys = append(keys, iter.Key().String())
	}
	return fromMembers(keys, levels, func(key string) any {
		return r.MapIndex(reflect.ValueOf(key).Convert(keyType)).Interface()
	})
}

// fromMembers converts the members with these keys, in order, so that of several
// errors always the same one is found.
func fromMembers(keys []string, levels int, at func(string) any) (Value, *goFailure) {
	if levels == 0 {
		return Value{}, &goFailure{err: ErrDepth}
	}

	slices.Sort(keys)
	members := make([]Member, len(keys))
	for i, key := range keys {
		v, failed := fromGo(at(key), levels-1)
		if failed != nil {
			return Value{}, failed.under(path.Key(key))
		}
		members[i] = Member{key, v.settle()}
	}
	return makeObject(members), nil
}

// ToGo converts a value to plain Go data: nil, bool, float64, string, []any or
// map[string]any.
//
// The result shares no memory with v that can be written to, and FromGo converts it back
// to a value that is Identical. What plain data cannot represent, at any depth, is an
// [*Error] with its place that wraps
//   - [ErrSecret] for a secret (use [Value.Reveal] first), also a sealed one;
//   - [ErrUnknown] for an unknown;
//   - [ErrMarks] for dependencies (use [Value.DropDependencies] first);
//   - [ErrKind] for assets, archives and resource references (see
//     [ResourceReference.Lower]).
func (v Value) ToGo() (any, error) {
	x, failed := toGo(&v)
	if failed != nil {
		return nil, failed.error("to Go")
	}
	return x, nil
}

func toGo(v *Value) (any, *goFailure) {
	switch {
	case v.facts&secretness != 0:
		return nil, &goFailure{err: ErrSecret}
	case v.kind == KindUnknown:
		return nil, &goFailure{err: ErrUnknown}
	case v.facts&boxed != 0:
		return nil, &goFailure{want: "no dependencies", err: ErrMarks}
	}

	switch v.kind {
	case KindNull:
		return nil, nil
	case KindBool:
		b, _ := v.AsBool()
		return b, nil
	case KindNumber:
		f, _ := v.AsNumber()
		return f, nil
	case KindString:
		return v.str(), nil
	case KindArray:
		return toSlice(v.elems())
	case KindObject:
		return toMap(v.members())
	case KindAsset, KindArchive, KindResourceReference, KindUnknown, KindSealed:
	}

	return nil, &goFailure{want: "a kind of plain Go data", found: v.kind.String(), err: ErrKind}
}

func toSlice(elems []Value) (any, *goFailure) {
	plain := make([]any, len(elems))
	for i := range elems {
		x, failed := toGo(&elems[i])
		if failed != nil {
			return nil, failed.under(path.Index(i))
		}
		plain[i] = x
	}

	return plain, nil
}

func toMap(members []Member) (any, *goFailure) {
	plain := make(map[string]any, len(members))
	for i := range members {
		x, failed := toGo(&members[i].Value)
		if failed != nil {
			return nil, failed.under(path.Key(members[i].Key))
		}
		plain[members[i].Key] = x
	}

	return plain, nil
}
