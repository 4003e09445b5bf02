package main

import (
	"github.com/propalg/propalg/codec"
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
	case *rpc.ConstructRequest:
		inClear(&r.Inputs)
	}
}

func inClear(bags ...*value.Value) {
	for _, bag := range bags {
		if v, err := codec.ApplyPolicies(*bag, codec.Options{Secrets: codec.Lower}); err == nil {
			*bag = v
		}
	}
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
