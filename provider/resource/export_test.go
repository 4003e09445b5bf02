package resource

import (
	"context"
	"reflect"

	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

// AnyOf is an Of of types that are known only when it runs. Answer makes what its functions
// return, given their names.
type AnyOf struct {
	Token       string
	Args, State reflect.Type
	Answer      func(function string) (id string, state value.Value, err error)
	Names       Names
}

func (o AnyOf) types() (token string, args, state any) {
	return o.Token, reflect.New(o.Args).Interface(), reflect.New(o.State).Interface()
}

func (AnyOf) isComponent() bool { return false }

func (o AnyOf) addTo(p *Provider) error {
	return o.kind().addTo(p)
}

// answer returns a state of the type, of what fits of the answer.
func (o AnyOf) answer(function string) (string, any, error) {
	id, v, err := o.Answer(function)
	state := reflect.New(o.State)
	_, _ = bind.Decode(v, state.Interface(), bind.Options{AllowUnknown: true, AllowExtra: true, AllowMissing: true})
	return id, state.Elem().Interface(), err
}

func (o AnyOf) kind() *kind {
	return &kind{
		token: o.Token, names: o.Names,
		newArgs:  func() any { return reflect.New(o.Args).Interface() },
		newState: func() any { return reflect.New(o.State).Interface() },
		create:   func(context.Context, any) (string, any, error) { return o.answer("Create") },
		read: func(context.Context, string, any) (any, error) {
			_, state, err := o.answer("Read")
			return state, err
		},
		update: func(context.Context, string, any, any) (any, error) {
			_, state, err := o.answer("Update")
			return state, err
		},
		remove: func(context.Context, string, any) error {
			_, _, err := o.answer("Delete")
			return err
		},
		check: func(context.Context, any) error {
			_, _, err := o.answer("Check")
			return err
		},
		predict: func(context.Context, any, any) (any, error) {
			_, state, err := o.answer("Predict")
			return state, err
		},
		imported: func(context.Context, string) (string, any, error) { return o.answer("Import") },
	}
}
