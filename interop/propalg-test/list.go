package main

import (
	"context"
	"errors"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/value"
)

// listed is how many resources are asked for in a page, and in all.
const (
	pageSize = 2
	listed   = 3
)

var errListed = errors.New("that is enough")

// list lists the resources of a type, a page and what continues it.
func (t *tester) list(s *subject, token string) {
	request := &rpc.ListRequest{Token: token, Query: value.Object(), Limit: listed, PageSize: pageSize}
	for range 2 {
		parts, err := t.page(request)
		if err != nil {
			return
		}
		calls := []fuzz.Call{{Method: "List", Request: request}}
		for _, part := range parts {
			calls = append(calls, fuzz.Call{Method: "List", Request: request, Response: part})
		}
		for _, f := range check.ViolationsOfList(request, parts) {
			s.addCalls("List", f, calls)
		}

		last := len(parts) - 1
		if last < 0 || parts[last].Continuation == nil || parts[last].Continuation.ContinuationToken == "" {
			return
		}
		next := *request
		next.ContinuationToken = parts[last].Continuation.ContinuationToken
		request = &next
	}
}

// page returns the responses of a call of List.
func (t *tester) page(request *rpc.ListRequest) ([]*rpc.ListResponse, error) {
	const most = 10 * pageSize // of a provider that does not end a page
	list := via(t.plugin, "List", func(c *grpc.Client, ctx context.Context, r *rpc.ListRequest) (*[]*rpc.ListResponse, error) {
		var all []*rpc.ListResponse
		err := c.List(ctx, r, func(part *rpc.ListResponse) error {
			if all = append(all, part); len(all) > most {
				return errListed
			}
			return nil
		})
		if errors.Is(err, errListed) {
			err = nil
		}
		return &all, err
	})
	parts, err := list(t.ctx, request)
	if err != nil || parts == nil {
		return nil, err
	}
	for _, part := range *parts {
		t.log.add("List", nil, part, nil)
	}
	return *parts, nil
}
