package bind

import (
	"reflect"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Options are the options of [Decode] and [Encode]. The zero Options require that every
// field has a tag, every member has a field, and every value in a plain field is known.
type Options struct {
	// AllowUnknown permits unknowns in plain fields. The field is set to its zero value,
	// and [Info].Unknowns lists the place.
	AllowUnknown bool
	// AllowExtra permits members without a field, which are ignored.
	AllowExtra bool
	// AllowMissing permits members to be missing or null whose fields are not optional. Such a
	// field is left unchanged, as with the state of an older version of a provider.
	AllowMissing bool
	// LowerCamel gives exported fields without a tag the name that Pulumi would give
	// them: CIDRBlock becomes cidrBlock.
	LowerCamel bool
}

// Info records what Decode read from a value that the Go data cannot hold, such as marks
// and unknowns.
type Info struct {
	// Unknowns are the places of plain fields that were unknown, in path order. When the
	// list exceeds [path.MaxListed] bytes, the rest are top-level properties, each listed
	// once.
	Unknowns []path.Shown

	from    value.Value
	options Options
}

// Decode stores v in the variable that to points to, usually a struct. If it returns an
// error, the variable is unchanged.
//
// The error is an [*Error] with all problems of v, not only the first. If the type of to
// is invalid, the problems are those of the type, and v is not examined. Decode does not
// recover from panics in a type's UnmarshalText.
//
// Members of the outermost object whose names begin with "__" are internal to Pulumi, and
// always ignored.
func Decode(v value.Value, to any, o Options) (*Info, error) {
	target := reflect.ValueOf(to)
	if target.Kind() != reflect.Pointer || target.IsNil() {
		return nil, &Error{Op: opDecode, Problems: []Problem{{Want: "a pointer to decode into", Found: goType(to)}}}
	}
	p, err := planOf(target.Type().Elem(), opDecode, o)
	if err != nil {
		return nil, err
	}

	made := reflect.New(p.typ).Elem()
	made.Set(target.Elem())
	info := &Info{from: v, options: o}
	if problems := info.decode(p, made); problems != nil {
		return nil, &Error{Op: opDecode, Problems: problems}
	}
	target.Elem().Set(made)
	return info, nil
}

// As returns v as a T, decoded by [Decode] with the zero [Options] into a zero T. Secrets
// are plain data in it, keys of maps too: to keep the marks of v, use [value.Value] or an
// [Output] for T.
func As[T any](v value.Value) (T, error) {
	var x, zero T
	if _, err := Decode(v, &x, Options{}); err != nil {
		return zero, err
	}
	return x, nil
}

// Encode returns Go data, usually a struct or a pointer to one, as a value.
//
// Fields whose tag says "secret" are secret, and so are secret Outputs; a [value.Value]
// has its own marks. The error is an [*Error] with all problems: numbers that a float64
// cannot represent exactly, errors of MarshalText, and data that contains itself or is
// nested deeper than [value.MaxDepth].
func Encode(from any, o Options) (value.Value, error) {
	return encode(from, value.Value{}, o)
}

// Encode is like the function [Encode], but restores what Decode read and the data cannot
// hold:
//   - Each place that was secret is secret again, and has the dependencies that it had.
//   - A zero in place of an unknown becomes that unknown.
//   - A member that the function [Encode] omits is written if Decode read it: an optional
//     0, and a null that a map cannot hold.
//
// Unchanged data is therefore encoded [value.Value.Identical] to what was read, except for
// members without a field, and texts that a type writes in another way, such as a duration.
//
// If the shape of the data has changed, as when a list became longer, the innermost
// container that still exists gets the marks of everything that was in it. So does a list
// in which two elements changed and one of them held a secret, since the two may have
// been swapped.
func (i *Info) Encode(from any) (value.Value, error) {
	return encode(from, i.from, i.options)
}

func encode(from any, model value.Value, o Options) (value.Value, error) {
	x := reflect.ValueOf(from)
	if !x.IsValid() {
		return value.Value{}, &Error{Op: opEncode, Problems: []Problem{{Want: "data to encode", Found: "nil"}}}
	}
	p, err := planOf(x.Type(), opEncode, o)
	if err != nil {
		return value.Value{}, err
	}
	e := encoder{here: original{Value: model, there: true, secret: -1}, secret: -1}
	v := e.value(p, x)
	if len(e.problems) > 0 {
		return value.Value{}, &Error{Op: opEncode, Problems: e.problems}
	}

	v, _ = markedAs(v, model)
	return v, nil
}

func goType(x any) string {
	if t := reflect.TypeOf(x); t != nil {
		return "a " + t.String()
	}
	return "nil"
}
