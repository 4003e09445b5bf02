package main

import (
	"context"
	"errors"
	"slices"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
)

// self is the argument of a method that is the resource.
const self = "__self__"

// methods calls the methods of a resource that --functions names. The monitor knows the resource,
// and calls are those that made it. The error says that the try has ended.
func (t *tester) methods(r *schema.Resource, own value.ResourceReference, m *monitor, calls []fuzz.Call) error {
	for _, method := range r.Document().Field("methods").Members() {
		token, _ := method.AsString()
		f, ok := m.packages.function(token)
		if !ok || len(t.o.functions) == 0 || !matchesAny(t.o.functions, token) {
			continue
		}

		o := t.options()
		o.NoUnknowns = true
		args := rapid.Map(fuzz.OfType(f.Inputs(), o), tame).Example(t.try)
		args, _ = args.WithField(self, own.Value())
		request := &rpc.CallRequest{
			Tok: token, Args: args, Project: "propalg-test", Stack: "test", Organization: "organization", Parallel: 16,
			MonitorEndpoint: t.engine.address, AcceptsOutputValues: true,
		}
		t.engine.serve(m)
		call := via(t.plugin, "Call", (*grpc.Client).Call)
		response, err := call(t.ctx, request)
		t.engine.serve(nil)
		if errors.Is(err, fuzz.ErrGone) {
			return err
		}
		if err != nil || len(response.Failures) > 0 || f.Outputs() == nil {
			continue
		}
		all := append(slices.Clone(calls), fuzz.Call{Method: "Call", Request: request, Response: response})
		for _, v := range check.Violations(request, response) {
			if v.Severity > check.SeverityNote {
				t.subject.addCalls("Call", v, all)
			}
		}
		t.result(t.subject, "Call", "response.return", f.Outputs(), response.Return, all)
	}
	return nil
}

// methodsBefore returns Delete with calls of the methods before it, which may change the resource.
func (t *tester) methodsBefore(r *schema.Resource, deletes deleting) deleting {
	return func(ctx context.Context, q *rpc.DeleteRequest) (*rpc.Empty, error) {
		is := func(m made) bool { return m.URN == q.URN && m.ID == q.ID }
		if i := slices.IndexFunc(t.journal.left, is); i >= 0 { // else it is gone
			left := t.journal.left[i]
			own := registered{urn: q.URN, id: q.ID, state: q.Properties}
			create := fuzz.Call{
				Method: "Create", Request: &rpc.CreateRequest{URN: q.URN, Type: q.Type, Name: q.Name, Properties: left.inputs},
				Response: &rpc.CreateResponse{ID: q.ID, Properties: left.state},
			}
			reference := value.ResourceReference{URN: q.URN, ID: value.KnownID(q.ID), PackageVersion: t.found.version}
			m := &monitor{packages: t.packages(), seed: t.try, all: []registered{own}}
			if err := t.methods(r, reference, m, []fuzz.Call{create}); err != nil {
				return nil, err
			}
		}
		return deletes(ctx, q)
	}
}
