package bind

import (
	"encoding"
	"iter"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/propalg/propalg/value"
)

// form is how values of a Go type are read and written.
type form uint8

const (
	formNone  form = iota // an unsupported type
	formValue             // value.Value
	formOutput
	formAsset
	formArchive
	formReference
	formDuration
	formText // by MarshalText and UnmarshalText
	formBool
	formInt
	formUint
	formFloat
	formString
	formBytes
	formSlice
	formArray
	formMap
	formStruct
	formPointer
)

// plan says how a Go type is read and written. Plans of types that refer to themselves do
// so too.
type plan struct {
	form   form
	typ    reflect.Type
	elem   *plan     // of pointers, slices, arrays, maps and Outputs
	fields []field   // of structs, in the order of their names
	spare  sync.Pool // of *entry, for maps
}

// holdsNull reports whether the type has a place for null. An Output has one if what is in
// it has.
func (p *plan) holdsNull() bool {
	switch p.form {
	case formOutput:
		return p.elem.holdsNull()
	case formValue, formPointer, formSlice, formMap, formBytes:
		return true

	default:
		return false
	}
}

type field struct {
	name             string
	index            []int
	plan             *plan
	optional, secret bool
	omitted          bool // where it is zero
}

// entry is room for a key and an element of a map.
type entry struct{ key, elem reflect.Value }

// plans holds the *plan, or else the []Problem, of each planKey that was asked for.
var plans sync.Map //nolint:gochecknoglobals // reflection once for each type of the program

type planKey struct {
	typ        reflect.Type
	lowerCamel bool
}

// planOf returns the plan of a type, or an error for a type that has none.
func planOf(t reflect.Type, op string, o Options) (*plan, error) {
	key := planKey{t, o.LowerCamel}
	found, there := plans.Load(key)
	if !there {
		b := planner{lowerCamel: o.LowerCamel, made: map[reflect.Type]*plan{}}
		if p := b.plan(t, t.String()); b.problems == nil {
			found = p
		} else {
			found = b.problems
		}
		found, _ = plans.LoadOrStore(key, found)
	}
	if p, ok := found.(*plan); ok {
		return p, nil
	}

	problems, _ := found.([]Problem)
	return nil, &Error{Op: op, Problems: slices.Clone(problems)}
}

type planner struct {
	lowerCamel bool
	made       map[reflect.Type]*plan
	problems   []Problem
}

func (b *planner) fail(where, found string) {
	b.problems = append(b.problems, Problem{Found: found + " at " + where})
}

// plan returns the plan of a type. Where is the type or the field that has it.
func (b *planner) plan(t reflect.Type, where string) *plan {
	if p, there := b.made[t]; there {
		return p
	}
	p := &plan{typ: t, form: formOf(t)}
	b.made[t] = p

	switch p.form {
	case formOutput:
		_, inner := outputOf(t)
		p.elem = b.plan(inner, where)
	case formPointer, formSlice, formArray:
		p.elem = b.plan(t.Elem(), where)
	case formMap:
		p.elem = b.plan(t.Elem(), where)
		p.spare.New = func() any { return &entry{reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()} }
	case formStruct:
		n := len(b.problems)
		if b.fields(p, t, nil); len(p.fields) == 0 && len(b.problems) == n && isOpaque(t) {
			b.fail(where, "the unsupported type "+t.String())
		}
		slices.SortStableFunc(p.fields, func(f, g field) int { return strings.Compare(f.name, g.name) })
		for i := 1; i < len(p.fields); i++ {
			if p.fields[i-1].name == p.fields[i].name {
				b.fail(where, "two fields named "+p.fields[i].name)
			}
		}
	case formNone:
		b.fail(where, "the unsupported type "+t.String())
		if t.Kind() == reflect.Interface {
			b.problems[len(b.problems)-1].Want = "value.Value, which holds anything"
		}
	}

	return p
}

// formOf returns how values of a type are read and written, as far as the type itself and
// not what it is made of decides.
func formOf(t reflect.Type) form {
	switch t {
	case reflect.TypeFor[value.Value]():
		return formValue
	case reflect.TypeFor[value.Asset]():
		return formAsset
	case reflect.TypeFor[value.Archive]():
		return formArchive
	case reflect.TypeFor[value.ResourceReference]():
		return formReference
	case reflect.TypeFor[time.Duration]():
		return formDuration
	}

	pointer := reflect.PointerTo(t)
	if self, _ := outputOf(t); self == t {
		return formOutput
	}

	if pointer.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) && pointer.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return formText
	}

	switch t.Kind() {
	case reflect.Bool:
		return formBool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return formInt
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return formUint
	case reflect.Float32, reflect.Float64:
		return formFloat
	case reflect.String:
		return formString
	case reflect.Pointer:
		if leadsNowhere(t) {
			return formNone
		}
		return formPointer
	case reflect.Slice:
		if t.Elem() == reflect.TypeFor[byte]() {
			return formBytes
		}
		return formSlice
	case reflect.Array:
		return formArray
	case reflect.Map:
		if t.Key().Kind() == reflect.String {
			return formMap
		}
	case reflect.Struct:
		return formStruct
	}

	return formNone
}

// outputOf returns the type of Output that t is, or embeds, and what it is an Output of;
// nil for any other type.
func outputOf(t reflect.Type) (self, inner reflect.Type) {
	if o, ok := reflect.New(t).Interface().(output); ok {
		return o.types()
	}
	return nil, nil
}

// leadsNowhere reports whether a pointer is one to a pointer and so on without an end,
// as in: type p *p.
func leadsNowhere(t reflect.Type) bool {
	seen := map[reflect.Type]bool{}
	for ; t.Kind() == reflect.Pointer; t = t.Elem() {
		if seen[t] {
			return true
		}
		seen[t] = true
	}

	return false
}

func isOpaque(t reflect.Type) bool {
	for i := range t.NumField() {
		if t.Field(i).IsExported() {
			return false
		}
	}
	return t.NumField() > 0
}

func (p *plan) names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, f := range p.fields {
			if !yield(f.name) {
				return
			}
		}
	}
}
