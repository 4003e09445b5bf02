package main

import (
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/value"
)

// Providers that do not accept secrets get none, and may return none: engines take the marks out of
// requests, and put them on what is returned in the place of an input.

// unmark takes the marks of secrets out of a request.
func unmark(request any) {
	switch r := request.(type) {
	case *rpc.CheckRequest:
		inClear(&r.Olds, &r.News)
	case *rpc.DiffRequest:
		inClear(&r.Olds, &r.News, &r.OldInputs)
	case *rpc.CreateRequest:
		inClear(&r.Properties)
	case *rpc.ReadRequest:
		inClear(&r.Properties, &r.Inputs)
	case *rpc.UpdateRequest:
		inClear(&r.Olds, &r.News, &r.OldInputs)
	case *rpc.DeleteRequest:
		inClear(&r.Properties, &r.OldInputs)
	}
}

func inClear(bags ...*value.Value) {
	for _, bag := range bags {
		*bag = plain(*bag)
	}
}

func plain(v value.Value) value.Value {
	v = v.DropSecret()
	switch v.Kind() { //nolint:exhaustive // the others are leaves
	case value.KindArray:
		var all []value.Value
		for _, e := range v.Elems() {
			all = append(all, plain(e))
		}
		return value.Array(all...)
	case value.KindObject:
		all := map[string]value.Value{}
		for k, m := range v.Members() {
			all[k] = plain(m)
		}
		return value.ObjectFromMap(all)
	}
	return v
}

// mark marks in a response what the request has as a secret.
func mark(request, response any) {
	switch q := request.(type) {
	case *rpc.CheckRequest:
		if r, ok := response.(*rpc.CheckResponse); ok {
			r.Inputs = r.Inputs.WithSecretsOf(q.News)
		}
	case *rpc.CreateRequest:
		if r, ok := response.(*rpc.CreateResponse); ok {
			r.Properties = r.Properties.WithSecretsOf(q.Properties)
		}
	case *rpc.ReadRequest:
		if r, ok := response.(*rpc.ReadResponse); ok {
			r.Inputs, r.Properties = r.Inputs.WithSecretsOf(q.Inputs), r.Properties.WithSecretsOf(q.Properties)
		}
	case *rpc.UpdateRequest:
		if r, ok := response.(*rpc.UpdateResponse); ok {
			r.Properties = r.Properties.WithSecretsOf(q.News)
		}
	}
}
