// Package probe calls everything that the library exports, by reflection, and looks at what
// comes of it.
package probe

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// NOTE: The prober calls what the library exports, by reflection, so that a new function
// or method is seen by laws 4, 6 and 9 without a word from its author. exported_gen.go
// lists functions and types; methods are those of the types.
//
// An argument comes from the pool, which has what the scene began with and what calls
// returned; or a function that returns its type is called first; or it is made of other
// arguments, field by field. What a call returns is printed, iterated over and kept, unless
// the exceptions say that it may hold plaintext.

// function is an exported function or method. The first parameter of a method is a pointer
// to its receiver.
type function struct {
	name string // "package.Function" or "package.Type.Method"
	call any
}

const module = "github.com/propalg/propalg/"

// everything lists the functions and, for each type, its methods.
var everything = sync.OnceValue(func() []function {
	all := slices.Clone(functions)

	for _, kind := range kinds {
		if kind.Kind() == reflect.Interface {
			continue // callers write the methods of interfaces
		}

		name, _, _ := strings.Cut(strings.TrimPrefix(kind.PkgPath(), module)+"."+kind.Name(), "[")
		for i := range reflect.PointerTo(kind).NumMethod() {
			m := reflect.PointerTo(kind).Method(i)
			all = append(all, function{name + "." + m.Name, m.Func.Interface()})
		}
	}

	return slices.DeleteFunc(all, func(f function) bool { return exceptions[f.name].uncalled })
})

// exception says what a function may do that others may not.
type exception struct {
	reason   string
	shows    bool   // it shows plaintext
	panics   string // what the text of its panics begins with
	uncalled bool   // it cannot be called with whatever comes
	reads    bool   // it reads what is encoded, which shows plaintext
	copies   bool   // it copies what it reads, with plaintext; its errors have none
}

// Prober calls functions with what it has. Its exported fields may be set before the first
// call.
type Prober struct {
	// Encoded are texts that hold secrets in the clear, for functions that read them.
	Encoded []string
	// Shows are further functions whose results may show plaintext.
	Shows []string
	// Silent leaves results unprinted, and goes through all of what is iterated over.
	Silent bool
	// Zero makes all arguments zero, but for contexts, and pointers, which are to zeros.
	Zero bool
	// Heard gets every text that a call made: what its results and errors print as, what
	// it wrote, and what it panicked with.
	Heard func(name, text string)
	// Failed gets every error that a call returned.
	Failed func(name string, err error)
	// Returned gets every result that may not show plaintext.
	Returned func(name string, x any)
	// Panicked gets what a call panicked with that may not panic.
	Panicked func(name string, reason any)
	// Printers print the first results of each type of this module, held in every way.
	Printers []Printer

	pick      func(n int) int // chooses one of n
	all       []function
	producers map[reflect.Type][]int // of all, by what they return
	pool      map[reflect.Type][]reflect.Value
	printed   map[reflect.Type]int // how many of a type by all printers
	reading   bool                 // texts are taken from Encoded
	depth     int                  // of calls that make arguments
}

// New returns a prober that begins with some values and chooses by pick.
func New(pick func(n int) int, begin ...any) *Prober {
	p := &Prober{
		Heard: func(string, string) {}, Failed: func(string, error) {}, Returned: func(string, any) {}, Printers: Usual(), pick: pick, all: everything(),
		producers: producers(), pool: map[reflect.Type][]reflect.Value{}, printed: map[reflect.Type]int{},
	}
	p.Panicked = func(name string, reason any) {
		panic(fmt.Sprintf("%s panicked, which no exported function may (law 9) without a reason in internal/test/probe/exceptions.go: %v", name, reason))
	}

	for _, x := range begin {
		p.keep(reflect.ValueOf(x))
	}
	return p
}

// Functions returns the numbers of the functions whose names begin in one of these ways.
func Functions(prefixes ...string) []int {
	var found []int

	for i, f := range everything() {
		if slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(f.name, prefix) }) {
			found = append(found, i)
		}
	}
	return found
}

// Types returns the exported types of the library.
func Types() []reflect.Type { return slices.Clone(kinds) }

// Signature returns the name and the type of a function.
func Signature(i int) (name string, t reflect.Type) {
	f := everything()[i]
	return f.name, reflect.TypeOf(f.call)
}

// Call calls a function, and returns its name.
func (p *Prober) Call(i int) string {
	name, call := p.Prepare(i)
	call()
	return name
}

// Prepare makes the arguments of a call.
func (p *Prober) Prepare(i int) (name string, call func()) {
	f := p.all[i]
	fn := reflect.ValueOf(f.call)
	arguments := make([]reflect.Value, fn.Type().NumIn())
	for i := range arguments {
		p.reading = exceptions[f.name].reads
		arguments[i] = p.argument(fn.Type().In(i))
	}

	p.reading = false
	return f.name, func() { p.call(f.name, fn, arguments) }
}

func (p *Prober) call(name string, fn reflect.Value, arguments []reflect.Value) {
	defer func() {
		if r := recover(); r != nil {
			p.Heard(name, fmt.Sprint(r))
			if allowed := exceptions[name].panics; allowed == "" || !strings.HasPrefix(fmt.Sprint(r), allowed) {
				p.Panicked(name, r)
			}
		}
	}()

	call := fn.Call
	if fn.Type().IsVariadic() {
		call = fn.CallSlice
	}
	for _, result := range call(arguments) {
		p.result(name, result)
	}
	for _, argument := range arguments {
		p.changed(name, argument)
	}
}

// changed looks at an argument that a call may have written to.
func (p *Prober) changed(name string, argument reflect.Value) {
	switch x := argument.Interface().(type) {
	case *writer:
		if !exceptions[name].copies {
			p.hear(name, x.String())
		}
	default:
		if t := argument.Type(); t.Kind() == reflect.Pointer && ours(t) {
			p.result(name, argument)
		}
	}
}

// hear passes a text on, unless the function may show plaintext.
func (p *Prober) hear(name, text string) {
	if !p.shows(name) {
		p.Heard(name, text)
	}
}

func (p *Prober) shows(name string) bool {
	return exceptions[name].shows || slices.Contains(p.Shows, name)
}

// How much is looked at of what a call returns.
const (
	mostYielded = 5
	mostPrinted = 2
	mostDrained = 1000
	mostKept    = 12
	mostDug     = 3
)

// result prints, drains and keeps what a call returned.
func (p *Prober) result(name string, v reflect.Value) {
	t := v.Type()
	if yield, ok := iterator(t); ok && !v.IsNil() {
		p.drain(name, v, yield)
		return
	}
	if err, ok := v.Interface().(error); ok && !p.shows(name) {
		p.Failed(name, err)
	}
	if !p.Silent {
		p.print(name, v.Interface())
	}

	if !p.shows(name) && t.Kind() != reflect.String {
		if x := v.Interface(); x != nil {
			p.Returned(name, x)
		}
		p.keep(v)
	}
}

// drain goes through what is iterated over.
func (p *Prober) drain(name string, v reflect.Value, yield reflect.Type) {
	n := 0
	v.Call([]reflect.Value{reflect.MakeFunc(yield, func(in []reflect.Value) []reflect.Value {
		if n++; n <= mostYielded {
			for _, x := range in {
				p.result(name, x)
			}
		}

		return []reflect.Value{reflect.ValueOf(n < mostYielded || (p.Silent && n < mostDrained))}
	})})
}

// iterator returns the type of yield, if t is a function to range over.
func iterator(t reflect.Type) (yield reflect.Type, ok bool) {
	if (!t.CanSeq() && !t.CanSeq2()) || t.Kind() != reflect.Func {
		return nil, false
	}
	return t.In(0), true
}

// print prints in every usual way. The first of a type is printed by all printers, held in
// every way.
func (p *Prober) print(name string, x any) {
	switch x := x.(type) {
	case nil, bool, int, uint64, float64:
		return // nothing that could give a text away
	case []byte:
		p.hear(name, string(x))
	case string:
		p.hear(name, x)
	}
	p.hear(name, fmt.Sprintf("%v|%+[1]v|%#[1]v|%[1]s|%[1]q|%[1]x|% [1]X|%[1]d|", x))

	if t := reflect.TypeOf(x); p.printed[t] < mostPrinted && ours(t) && !p.shows(name) {
		p.printed[t]++

		for _, printer := range p.Printers {
			for _, held := range Held(x) {
				text, other := printer.Both(held, reflect.Zero(t).Interface())
				p.hear(name, text)
				p.hear(name, other)
			}
		}
	}
}

// ours reports whether a type, or what it consists of, is of this module.
func ours(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return strings.HasPrefix(t.PkgPath(), module) || ours(t.Elem())
	default:
		return strings.HasPrefix(t.PkgPath(), module)
	}
}

// keep puts a value into the pool, and what it consists of.
func (p *Prober) keep(v reflect.Value) { p.dig(v, mostDug) }

func (p *Prober) dig(v reflect.Value, depth int) {
	if !v.IsValid() || !v.CanInterface() || depth == 0 {
		return
	}
	t := v.Type()
	if t.Kind() == reflect.Bool || t.Kind() == reflect.Func || (t.Kind() == reflect.Pointer && v.IsNil()) {
		return
	}

	if t.Kind() == reflect.Pointer { // a field may be nil when it is used
		v = reflect.ValueOf(v.Interface())
	}
	have := p.pool[t]
	switch {
	case len(have) < mostKept:
		p.pool[t] = append(have, v)
	case ours(t):
		have[p.pick(mostKept)] = v
	}

	switch t.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			p.dig(v.Elem(), depth-1)
		}
	case reflect.Slice:
		for i := range min(v.Len(), mostYielded) {
			if ours(t) {
				p.dig(v.Index(i), depth-1)
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if t.Field(i).IsExported() && ours(t.Field(i).Type) {
				p.dig(v.Field(i), depth-1)
			}
		}
	default:
	}
}

// revealing are options with which a caller asks for plaintext.
var revealing = []any{codec.Lower, value.RevealSecrets}

// mostDepth is how deep calls that make arguments nest.
const mostDepth = 3

// argument returns a value of a type.
func (p *Prober) argument(t reflect.Type) reflect.Value {
	if p.Zero {
		return plain(t)
	}
	if v, ok := p.special(t); ok {
		return v
	}
	reading := p.reading
	p.reading = false
	defer func() { p.reading = reading }()

	if p.depth < mostDepth && (len(p.pool[t]) == 0 || p.pick(4) == 0) {
		p.produce(t)
	}
	if have := p.pool[t]; len(have) > 0 && p.pick(8) > 0 {
		return have[p.pick(len(have))]
	}
	return p.made(t)
}

// produce calls a function that returns a type, if there is any.
func (p *Prober) produce(t reflect.Type) {
	if some := p.producers[t]; len(some) > 0 {
		p.depth++
		p.Call(some[p.pick(len(some))])
		p.depth--
	}
}

// plain returns the zero value, or a pointer to one.
func plain(t reflect.Type) reflect.Value {
	switch {
	case t == reflect.TypeFor[context.Context]():
		return reflect.ValueOf(context.Background())
	case t == reflect.TypeFor[fmt.State]():
		return reflect.ValueOf(&writer{})
	case t.Kind() == reflect.Pointer:
		return reflect.New(t.Elem())
	}

	return reflect.Zero(t)
}

// special returns arguments that are of no use a second time.
func (p *Prober) special(t reflect.Type) (v reflect.Value, ok bool) {
	text := func() string {
		if p.reading && len(p.Encoded) > 0 && p.pick(4) > 0 {
			return p.Encoded[p.pick(len(p.Encoded))]
		}
		if some := p.pool[reflect.TypeFor[string]()]; len(some) > 0 {
			return some[p.pick(len(some))].String()
		}

		return ""
	}
	switch t {
	case reflect.TypeFor[context.Context]():
		return reflect.ValueOf(context.Background()), true
	case reflect.TypeFor[io.Reader](), reflect.TypeFor[io.ReaderAt]():
		return reflect.ValueOf(strings.NewReader(text())), true
	case reflect.TypeFor[io.Writer]():
		return reflect.ValueOf(&writer{}), true
	case reflect.TypeFor[fmt.State]():
		return reflect.ValueOf(&writer{}), true
	case reflect.TypeFor[string]():
		if p.reading {
			return reflect.ValueOf(text()), true
		}
	case reflect.TypeFor[[]byte]():
		if p.reading {
			return reflect.ValueOf([]byte(text())), true
		}
	case reflect.TypeFor[error]():
		return reflect.ValueOf(errors.New(text())), true
	}

	return reflect.Value{}, false
}

// writer is an io.Writer and a fmt.State that remembers.
type writer struct{ bytes.Buffer }

func (w *writer) Width() (int, bool)     { return 0, false }
func (w *writer) Precision() (int, bool) { return 0, false }
func (w *writer) Flag(flag int) bool     { return flag == '+' }

// made returns a value of other arguments.
func (p *Prober) made(t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()

	if p.depth++; p.depth > 2*mostDepth {
		p.depth--
		return plain(t)
	}
	defer func() { p.depth-- }()

	switch t.Kind() {
	case reflect.Bool:
		v.SetBool(p.pick(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(p.pick(9)) - 1)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if v.SetUint([]uint64{0, 1, 2, 3, 4, 5, 6, 200}[p.pick(8)]); slices.Contains(revealing, v.Interface()) {
			v.SetZero()
		}
	case reflect.String:
		v.SetString(p.argument(reflect.TypeFor[string]()).String())
	case reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		v.Elem().Set(p.argument(t.Elem()))
	case reflect.Slice:
		for range p.pick(3) {
			v.Set(reflect.Append(v, p.argument(t.Elem())))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(t))
		for range p.pick(3) {
			v.SetMapIndex(p.argument(t.Key()), p.argument(t.Elem()))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if t.Field(i).IsExported() && p.pick(2) == 0 {
				v.Field(i).Set(p.argument(t.Field(i).Type))
			}
		}
	case reflect.Func:
		v.Set(p.callback(t))
	case reflect.Interface:
		p.implement(v)
	default:
	}

	return v
}

// callback returns a function that keeps what it is given and returns other arguments.
func (p *Prober) callback(t reflect.Type) reflect.Value {
	return reflect.MakeFunc(t, func(in []reflect.Value) []reflect.Value {
		out := make([]reflect.Value, t.NumOut())
		for i := range out {
			out[i] = reflect.Zero(t.Out(i))
			for _, x := range in {
				if x.Type() == t.Out(i) {
					out[i] = x
				}
			}
		}

		return out
	})
}

// implement sets an interface to what implements it: of the pool, or of the types.
func (p *Prober) implement(v reflect.Value) {
	var some []reflect.Type
	for t := range p.pool {
		if t.Kind() != reflect.Interface && t.Implements(v.Type()) {
			some = append(some, t)
		}
	}
	slices.SortFunc(some, func(a, b reflect.Type) int { return cmp.Compare(a.String(), b.String()) })

	if len(some) > 0 {
		v.Set(p.argument(some[p.pick(len(some))]))
		return
	}

	for _, kind := range kinds {
		if t := reflect.PointerTo(kind); kind.Kind() != reflect.Interface && t.Implements(v.Type()) {
			some = append(some, t)
		}
	}
	if len(some) > 0 {
		v.Set(p.argument(some[p.pick(len(some))]))
	}
}

// producers lists, by type, the functions that return it.
var producers = sync.OnceValue(func() map[reflect.Type][]int {
	found := map[reflect.Type][]int{}

	for i, f := range everything() {
		types := map[reflect.Type]bool{}

		t := reflect.TypeOf(f.call)
		for j := range t.NumOut() {
			note(types, t.Out(j))
		}

		if exceptions[f.name].shows {
			continue // what it returns is not kept
		}

		for _, t := range slices.SortedFunc(maps.Keys(types), func(a, b reflect.Type) int { return cmp.Compare(a.String(), b.String()) }) {
			found[t] = append(found[t], i)
		}
	}

	return found
})

// note notes the types that a result of a type has in it.
func note(types map[reflect.Type]bool, t reflect.Type) {
	if yield, ok := iterator(t); ok {
		for i := range yield.NumIn() {
			note(types, yield.In(i))
		}
		return
	}

	if !ours(t) || types[t] {
		return
	}

	types[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		note(types, t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if t.Field(i).IsExported() {
				note(types, t.Field(i).Type)
			}
		}
	default:
	}
}
