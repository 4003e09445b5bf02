package bind

import (
	"reflect"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Options are the options of [Decode] and [Encode]. With the zero Options every field has
// a tag, every member has a field, and every value in a plain field is known.
type Options struct {
	// AllowUnknown makes an unknown in a plain field no error: the field is set to its
	// zero value, and [Info].Unknowns lists the place.
	AllowUnknown bool
	// AllowExtra makes a member without a field no error. It is left out.
	AllowExtra bool
	// LowerCamel gives exported fields without a tag the name that Pulumi would give
	// them: CIDRBlock is cidrBlock.
	LowerCamel bool
}

// Info records what Decode read from a value that the Go data cannot hold, such as marks
// and unknowns.
type Info struct {
	// Unknowns are the places of plain fields that were unknown, in path order. Where the
	// list exceeds [path.MaxListed] bytes it goes on with top-level properties, each once.
	Unknowns []path.Shown

	from    value.Value
	options Options
}

// Decode stores v in what to points to, a struct as a rule. On an error it is unchanged.
//
// What is wrong with v is an [*Error] with all problems, not only the first. What is wrong
// with the type of to is one too; it is found before v is looked at. Panics of a type's
// UnmarshalText are passed on.
//
// Members of the outermost object whose names begin with "__" are Pulumi's own and always
// left out.
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

// As returns v as a T. It is [Decode] with the zero Options into a zero T.
func As[T any](v value.Value) (T, error) {
	var x, zero T

	if _, err := Decode(v, &x, Options{}); err != nil {
		return zero, err
	}

	return x, nil
}

// Encode returns the value of Go data, a struct or a pointer to one as a rule.
//
// Fields whose tag says "secret" are secret, and so are secret Outputs; a [value.Value] has
// its own marks.
// Numbers that no float64 is exactly, texts that MarshalText refuses, and data that is
// nested deeper than [value.MaxDepth], or holds itself, are an [*Error] with all problems.
func Encode(from any, o Options) (value.Value, error) {
	return encode(from, value.Value{}, o)
}

// Encode is like the function [Encode], and puts back what the data cannot hold of the value
// that Decode read: every place that was secret is, and depends on what it did; a zero
// where there was an unknown is that unknown; and what Encode leaves out is written if it was
// a member: an optional 0, and a null that a map has no place for. So what did not change is
// [value.Value.Identical] to what was read, but for members without a field and other
// spellings of a text.
//
// Where the data has another shape now, such as a list that became longer, the innermost
// container that is still there gets the marks of everything in it. So does a list in
// which two elements changed and one of them held a secret, since the two may have been
// swapped.
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

	e := encoder{model: model, here: original{model, true}, secret: -1}
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
