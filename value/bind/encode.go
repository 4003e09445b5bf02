package bind

import (
	"encoding"
	"reflect"
	"time"

	"github.com/propalg/propalg/internal/listing"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

type encoder struct {
	listing.Position

	build    value.Builder
	here     original // what the value that the data was read from has at this place
	secret   int      // how many steps lead to the outermost secret field, or -1
	tooDeep  bool
	problems []Problem
}

func (e *encoder) fail(want, found string) {
	if at, listed := e.Place(e.outermostSecret()); listed {
		e.problems = append(e.problems, Problem{At: at, Want: want, Found: found})
	}
}

// outermostSecret returns how many steps lead to the outermost place that is secret by a
// tag, an Output or the value that the data was read from, or -1.
func (e *encoder) outermostSecret() int {
	switch {
	case e.secret >= 0 && e.here.secret >= 0:
		return min(e.secret, e.here.secret)
	case e.secret < 0 && e.here.secret < 0 && e.here.there && e.here.ContainsSecret():
		return len(e.At)
	}

	return max(e.secret, e.here.secret)
}

// original describes a place in the value that the data was read from.
type original struct {
	value.Value

	there  bool
	secret int // how many steps lead to the outermost secret above it in that value, or -1
}

// child returns what a child has. Nothing is known of what is in an unknown.
func (o original) child(s path.Step) original {
	if key, ok := s.AsKey(); ok {
		v, there := o.Lookup(key)
		return original{Value: v, there: there}
	}

	i, _ := s.AsIndex()
	if i < o.Len() && o.Kind() == value.KindArray {
		return original{Value: o.Elem(i), there: true}
	}
	return original{}
}

// isUnknown reports whether a zero stands for an unknown.
func (o original) isUnknown(x reflect.Value) bool { return o.there && o.IsUnknown() && x.IsZero() }

// enter goes to a child, and returns what leave needs to come back.
func (e *encoder) enter(s path.Step) (up original) {
	up = e.here
	if up.there {
		e.here = up.child(s)
		e.here.secret = up.secret
		// A secret that has no place in the data may be anywhere in it now.
		if up.secret < 0 && (up.IsSecret() || (!e.here.there && up.ContainsSecret())) {
			e.here.secret = len(e.At)
		}
	}

	e.At = append(e.At, s)
	return up
}

func (e *encoder) leave(up original) { e.At, e.here = e.At[:len(e.At)-1], up }

// inSecret calls f with the present place as a secret one.
func (e *encoder) inSecret(isSecret bool, f func() value.Value) value.Value {
	if !isSecret || e.secret >= 0 {
		return f()
	}

	e.secret = len(e.At)
	v := f()
	e.secret = -1
	return v
}

func (e *encoder) below(s path.Step, p *plan, x reflect.Value) value.Value {
	up := e.enter(s)
	v := e.value(p, x)
	e.leave(up)
	return v
}

func (e *encoder) value(p *plan, x reflect.Value) value.Value {
	if e.tooDeep {
		return value.Null()
	}
	if e.here.isUnknown(x) && p.form != formOutput && p.form != formValue {
		return e.here.DropDependencies().DropSecret()
	}

	switch p.form {
	case formPointer:
		if x.IsNil() {
			return value.Null()
		}
		return e.value(p.elem, x.Elem())
	case formSlice, formArray:
		return e.array(p, x)
	case formMap:
		return e.object(p, x)
	case formStruct:
		return e.members(p, x)
	case formOutput:
		held := reflect.New(p.typ)
		held.Elem().Set(x)
		o, _ := held.Interface().(output)
		return o.encode(e, p.elem)
	case formValue:
		v, _ := x.Interface().(value.Value)
		if len(e.At)+v.Depth() > value.MaxDepth {
			e.deep()
			return value.Null()
		}

		return v
	default:
		return e.scalar(p, x)
	}
}

// deep reports data that is nested too deeply, after which nothing more is looked at: it
// may hold itself, in several places.
func (e *encoder) deep() {
	const shown = 100 // steps: long keys that repeat would take much memory
	whole := e.At
	e.At = e.At[:min(len(e.At), shown)]
	e.fail("at most 10,000 levels", "more")
	e.At = whole
	e.tooDeep = true
}

// isDeep reports whether a container at this place is nested too deeply.
func (e *encoder) isDeep() bool {
	if len(e.At) >= value.MaxDepth {
		e.deep()
	}
	return e.tooDeep
}

func (e *encoder) array(p *plan, x reflect.Value) value.Value {
	if (p.form == formSlice && x.IsNil()) || e.isDeep() {
		return value.Null()
	}

	for i := range x.Len() {
		e.build.Push(e.below(path.Index(i), p.elem, x.Index(i)))
	}
	return e.build.Array(x.Len())
}

func (e *encoder) object(p *plan, x reflect.Value) value.Value {
	if x.IsNil() || e.isDeep() {
		return value.Null()
	}
	for entries := x.MapRange(); entries.Next(); {
		key := entries.Key().String()
		e.build.PushMember(key, e.below(path.Key(key), p.elem, entries.Value()))
	}

	v, _, _ := e.build.Object(x.Len() + e.nulls(p, x))
	return v
}

// nulls adds the members that were null and that the map has no place for, and returns
// how many they are.
func (e *encoder) nulls(p *plan, x reflect.Value) (n int) {
	if !e.here.there || e.here.Kind() != value.KindObject || p.elem.holdsNull() {
		return 0
	}
	for key, member := range e.here.Members() {
		if member.IsNull() && !x.MapIndex(reflect.ValueOf(key).Convert(p.typ.Key())).IsValid() {
			e.build.PushMember(key, value.Null())
			n++
		}
	}

	return n
}

func (e *encoder) members(p *plan, x reflect.Value) value.Value {
	if e.isDeep() {
		return value.Null()
	}

	n := 0
	for i := range p.fields {
		f := &p.fields[i]
		v, there := e.field(f, x.FieldByIndex(f.index))
		if !there {
			continue
		}
		if f.secret {
			v = value.Secret(v)
		}
		e.build.PushMember(f.name, v)
		n++
	}
	v, _, _ := e.build.Object(n)
	return v
}

// field returns the value of a field, and false for a zero that is omitted, unless the member
// that it was read from says the same.
func (e *encoder) field(f *field, x reflect.Value) (v value.Value, there bool) {
	up, problems := e.enter(path.Key(f.name)), len(e.problems)
	there = !f.omitted || !x.IsZero()
	if there || e.here.there {
		v = e.inSecret(f.secret, func() value.Value { return e.value(f.plan, x) })
		there = there || contents.Equal(v, e.here.Value)
	}

	e.leave(up)
	if !there { // what is left out is not wrong
		e.problems = e.problems[:problems]
	}
	return v, there
}

// scalar returns a value that contains no others.
func (e *encoder) scalar(p *plan, x reflect.Value) value.Value {
	switch p.form {
	case formBool:
		return value.Bool(x.Bool())
	case formInt:
		return e.exact(value.Int(x.Int()))
	case formUint:
		return e.exact(value.Int(x.Uint()))
	case formFloat:
		return value.Number(x.Float())
	case formString:
		return value.String(x.String())
	case formBytes:
		if x.IsNil() {
			return value.Null()
		}
		return value.String(string(x.Bytes()))
	case formDuration:
		return value.String(time.Duration(x.Int()).String())
	case formText:
		return e.text(p, x)
	}

	v, _ := value.FromGo(x.Interface()) // an asset, archive or reference, which it takes
	return v
}

func (e *encoder) exact(v value.Value, err error) value.Value {
	if err != nil {
		e.fail("integer that is exactly a float64", "another integer")
	}
	return v
}

func (e *encoder) text(p *plan, x reflect.Value) value.Value {
	own := reflect.New(p.typ) // MarshalText may have a pointer receiver
	own.Elem().Set(x)
	m, _ := own.Interface().(encoding.TextMarshaler)
	text, err := m.MarshalText()
	if err != nil {
		found := "an error of MarshalText"
		if e.outermostSecret() < 0 {
			found += ": " + scan.Line(err.Error())
		}
		e.fail("text of "+p.typ.String(), found)
	}

	return value.String(string(text))
}
