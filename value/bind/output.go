package bind

import (
	"fmt"
	"io"
	"reflect"
	"slices"

	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/value"
)

// Output is a T that may be unknown, secret, or depend on resources. The zero Output is
// the zero T, known and without marks.
//
// When a T is decoded, an unknown anywhere in it makes the Output unknown, and a secret
// anywhere makes it secret. Unknowns and secrets in Outputs that are parts of the T do
// not count: use such Outputs to get a T although parts of it are unknown.
type Output[T any] struct {
	content veil.Pointer[T] // nil for the zero T
	marks   value.Value     // null, or an unknown or sealed secret that there is instead of a T
}

// Known returns an Output of x, without marks.
func Known[T any](x T) Output[T] { return Output[T]{content: veil.Hide(&x)} }

// Secret returns an Output of x that is secret.
func Secret[T any](x T) Output[T] { return Known(x).WithMarksOf(value.Secret(value.Null())) }

// Unknown returns an Output that is not known yet.
func Unknown[T any]() Output[T] { return Output[T]{marks: value.Unknown()} }

// Known returns the T, even if it is secret, or the zero T and false if it is not known.
// A sealed secret, which only its provider can decrypt, is not known.
func (o Output[T]) Known() (x T, known bool) {
	if !o.marks.IsNull() {
		return x, false
	}

	if held := o.content.Open(); held != nil {
		x = *held
	}
	return x, true
}

// IsSecret reports whether the Output is secret.
func (o Output[T]) IsSecret() bool { return o.marks.IsSecret() }

// Dependencies returns the URNs of the resources that the Output depends on, sorted.
func (o Output[T]) Dependencies() []string { return slices.Collect(o.marks.Dependencies()) }

// WithMarksOf returns the Output with the marks of v in addition to its own: secret if v
// is, and depending also on what v depends on.
func (o Output[T]) WithMarksOf(v value.Value) Output[T] {
	o.marks = o.marks.WithMarksOf(v)
	return o
}

// Format formats the T by the verb. A secret Output is written as "[secret]", and an
// unknown one as "[unknown]".
func (o Output[T]) Format(f fmt.State, verb rune) {
	x, known := o.Known()
	switch {
	case o.IsSecret():
		_, _ = io.WriteString(f, veil.SecretText) // errors are fmt's to report
	case !known:
		_, _ = io.WriteString(f, veil.UnknownText)

	default:
		_, _ = fmt.Fprintf(f, fmt.FormatString(f, verb), x)
	}
}

// output is implemented by pointers to all types of Output.
type output interface {
	types() (self, inner reflect.Type)
	decode(d *decoder, p *plan, v value.Value)
	encode(e *encoder, p *plan) value.Value
}

func (*Output[T]) types() (self, inner reflect.Type) {
	return reflect.TypeFor[Output[T]](), reflect.TypeFor[T]()
}

func (o *Output[T]) decode(d *decoder, p *plan, v value.Value) {
	if v.IsUnknown() || v.Kind() == value.KindSealed {
		*o = Output[T]{marks: v}
		return
	}

	own, outer := held{}, d.holder
	own.take(v)
	x := new(T)
	d.holder = &own
	d.value(p, v, reflect.ValueOf(x).Elem())
	d.holder = outer
	if *o = (Output[T]{content: veil.Hide(x)}); own.unknown {
		*o = Unknown[T]()
	}
	if own.secret {
		o.marks = value.Secret(o.marks)
	}
	o.marks = o.marks.WithDependencies(own.dependencies...)
}

func (o *Output[T]) encode(e *encoder, p *plan) value.Value {
	x, known := o.Known()
	if !known {
		return o.marks
	}
	v := e.inSecret(o.IsSecret(), func() value.Value { return e.value(p, reflect.ValueOf(&x).Elem()) })
	return v.WithMarksOf(o.marks)
}
