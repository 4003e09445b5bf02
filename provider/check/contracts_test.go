package check_test

import (
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/value"
)

// Each rule is broken by one call and kept by a similar one.
func TestViolations(t *testing.T) {
	unknown, secret := one("a", value.Array(value.Unknown())), one("s", value.Secret(one("k", value.Unknown())))
	reference := one("r", value.ResourceReference{URN: "u", ID: value.UnknownID()}.Value())
	emptyID := one("r", value.ResourceReference{URN: "u", ID: value.KnownID("")}.Value())
	made, component := one("r", value.ResourceReference{URN: "u", ID: value.KnownID("i")}.Value()), one("r", value.ResourceReference{URN: "u"}.Value())
	known := one("id", value.String("i"))
	for _, row := range []violating{
		{here(), &rpc.CheckRequest{Olds: unknown, News: unknown}, &rpc.CheckResponse{Inputs: unknown}, "error: request.olds: a[0]: unknown"},
		{here(), &rpc.CheckRequest{News: known}, &rpc.CheckResponse{Inputs: unknown}, "error: response.inputs: a[0]: unknown; note: response.inputs: id: input-dropped"},
		{here(), &rpc.CheckRequest{News: component}, &rpc.CheckResponse{Inputs: unknown}, "error: response.inputs: a[0]: unknown; note: response.inputs: r: input-dropped"},
		{here(), &rpc.CheckRequest{News: reference}, &rpc.CheckResponse{Inputs: unknown}, "note: response.inputs: r: input-dropped"},
		{here(), &rpc.CheckRequest{News: unknown}, &rpc.CheckResponse{Inputs: unknown}, ""},
		{here(), &rpc.DiffRequest{Olds: unknown, OldInputs: secret, News: unknown}, nil, "error: request.olds: a[0]: unknown; error: request.old_inputs: s[secret]: unknown"},
		{here(), &rpc.DiffRequest{Olds: reference}, &rpc.DiffResponse{}, "error: request.olds: r: unknown"},
		{here(), &rpc.DiffRequest{Olds: component, News: reference}, &rpc.DiffResponse{}, ""},
		{here(), &rpc.CreateRequest{Properties: made}, &rpc.CreateResponse{ID: "i", Properties: emptyID}, "error: response.properties: r: unknown"},
		{here(), &rpc.CreateRequest{Properties: made}, &rpc.CreateResponse{ID: "i", Properties: made}, ""},
		{here(), &rpc.CreateRequest{Properties: unknown}, &rpc.CreateResponse{ID: "i", Properties: unknown}, "error: request.properties: a[0]: unknown; error: response.properties: a[0]: unknown"},
		{here(), &rpc.CreateRequest{Properties: unknown, Preview: true}, &rpc.CreateResponse{Properties: unknown}, ""},
		{here(), &rpc.ReadRequest{Properties: unknown, Inputs: unknown}, nil, "error: request.properties: a[0]: unknown; error: request.inputs: a[0]: unknown"},
		{here(), &rpc.UpdateRequest{ID: "i", News: unknown}, &rpc.UpdateResponse{Properties: known}, "error: request.news: a[0]: unknown"},
		{here(), &rpc.UpdateRequest{ID: "j", News: unknown, Preview: true}, &rpc.UpdateResponse{Properties: known}, "error: response.properties: id: id-changed"},
		{here(), &rpc.UpdateRequest{}, &rpc.UpdateResponse{Properties: unknown}, "error: response.properties: a[0]: unknown"},
		{here(), &rpc.DeleteRequest{Properties: unknown}, &rpc.Empty{}, "error: request.properties: a[0]: unknown"},
		{here(), &rpc.InvokeRequest{Args: secret}, &rpc.InvokeResponse{Return: made}, "note: request.args: s: secret; error: request.args: s[secret]: unknown; note: response.return: r: resource-reference"},
		{here(), &rpc.InvokeRequest{Args: unknown, Preview: true}, &rpc.InvokeResponse{Return: unknown}, "error: response.return: a[0]: unknown"},
		{here(), &rpc.CallRequest{Args: unknown}, &rpc.CallResponse{Return: secret}, ""},
		{here(), nil, &rpc.InvokeResponse{Return: unknown}, "error: response.return: a[0]: unknown"},
		{here(), (*rpc.CreateRequest)(nil), (*rpc.InvokeResponse)(nil), ""},
		{here(), nil, nil, ""},

		// Old views are old inputs and old state.
		{here(), &rpc.ReadRequest{OldViews: []rpc.View{{}, {Inputs: unknown, Outputs: unknown}}}, nil, "error: request.old_views[1].inputs: a[0]: unknown; error: request.old_views[1].outputs: a[0]: unknown"},
		{here(), &rpc.UpdateRequest{OldViews: []rpc.View{{Inputs: secret}}}, nil, "error: request.old_views[0].inputs: s[secret]: unknown"},
		{here(), &rpc.DeleteRequest{OldViews: []rpc.View{{Outputs: unknown}}, OldInputs: unknown}, nil, "error: request.old_inputs: a[0]: unknown; error: request.old_views[0].outputs: a[0]: unknown"},
		{here(), &rpc.UpdateRequest{Olds: unknown, OldInputs: unknown, Preview: true}, nil, "error: request.olds: a[0]: unknown; error: request.old_inputs: a[0]: unknown"},
		// Functions: in preview secrets and references stay notes; results hold no unknown then either.
		{here(), &rpc.InvokeRequest{Args: secret, Preview: true}, &rpc.InvokeResponse{Return: secret}, "note: request.args: s: secret; note: response.return: s: secret; error: response.return: s[secret]: unknown"},
		{here(), &rpc.ResourceInvokeRequest{Args: unknown}, &rpc.ResourceInvokeResponse{Return: unknown}, "error: response.return: a[0]: unknown"},
		{here(), &rpc.ResourceInvokeRequest{Args: reference}, &rpc.ResourceInvokeResponse{Return: known}, "note: request.args: r: resource-reference"},
		// Methods may carry anything, and so may components.
		{here(), &rpc.CallRequest{Args: secret}, &rpc.CallResponse{Return: unknown}, ""},
		{here(), &rpc.ConstructRequest{Inputs: secret}, &rpc.ConstructResponse{State: unknown}, ""},
		// What failed half way was returned too.
		{here(), &rpc.CreateRequest{}, &rpc.ErrorResourceInitFailed{ID: "i", Properties: unknown, Inputs: unknown}, "error: response.properties: a[0]: unknown; error: response.inputs: a[0]: unknown"},
		{here(), &rpc.UpdateRequest{ID: "i"}, &rpc.ErrorResourceInitFailed{ID: "j"}, "error: response.id: id-changed"},
		{here(), &rpc.UpdateRequest{ID: "i"}, &rpc.ErrorResourceInitFailed{ID: "i", Properties: known}, ""},
		// Check may return unknowns if it got some, wherever; the ID of a reference is one.
		{here(), &rpc.CheckRequest{News: reference, Olds: known}, &rpc.CheckResponse{Inputs: secret}, "note: response.inputs: r: input-dropped"},
		{here(), &rpc.CheckRequest{News: secret}, &rpc.CheckResponse{Inputs: unknown}, "note: response.inputs: s: input-dropped"},
		{here(), &rpc.CheckRequest{}, &rpc.CheckResponse{Inputs: reference}, "error: response.inputs: r: unknown"},
		// What was sent as an unknown comes back as one.
		{here(), &rpc.CheckRequest{News: unknown}, &rpc.CheckResponse{Inputs: one("a", value.Array(value.String("")))}, "warning: response.inputs: a[0]: unknown-lost"},
		{here(), &rpc.CheckRequest{News: one("a", value.Unknown())}, &rpc.CheckResponse{Inputs: one("a", value.Array(value.Unknown()))}, ""},
		{here(), &rpc.CreateRequest{Properties: one("a", value.Unknown()), Preview: true}, &rpc.CreateResponse{Properties: one("a", value.String(""))}, "warning: response.properties: a: unknown-lost"},
		{here(), &rpc.CreateRequest{Properties: one("a", one("b", value.Unknown())), Preview: true}, &rpc.CreateResponse{Properties: one("a", one("b", value.Number(1)))}, "warning: response.properties: a.b: unknown-lost"},
		{here(), &rpc.CreateRequest{Properties: one("a", value.Unknown()), Preview: true}, &rpc.CreateResponse{Properties: one("b", value.String(""))}, ""},
		{here(), &rpc.CreateRequest{Properties: one("a", one("b", value.Unknown())), Preview: true}, &rpc.CreateResponse{Properties: one("a", value.Unknown())}, ""},
		{here(), &rpc.CreateRequest{Properties: one("a", value.Array(value.Unknown())), Preview: true}, &rpc.CreateResponse{Properties: one("a", value.Array(value.Number(1), value.Unknown()))}, ""},
		{here(), &rpc.UpdateRequest{ID: "i", News: one("a", value.Unknown()), Preview: true}, &rpc.UpdateResponse{Properties: one("a", value.String("old"))}, "warning: response.properties: a: unknown-lost"},
		// What was sent in preview may come back in preview.
		{here(), &rpc.UpdateRequest{ID: "i", News: unknown, Preview: true}, &rpc.UpdateResponse{Properties: unknown}, ""},
		{here(), &rpc.CreateRequest{Preview: true}, &rpc.ErrorResourceInitFailed{Properties: unknown}, ""},
	} {
		row.check(t)
	}
}

// violating is a call, and what it breaks.
type violating struct {
	place
	request, response rpc.Message
	want              string
}

func (row violating) check(t *testing.T) {
	t.Helper()
	var got []string
	for _, v := range check.Violations(row.request, row.response) {
		got = append(got, strings.TrimSuffix(v.String(), ": "+v.Advice))
	}
	if s := strings.Join(got, "; "); s != row.want {
		t.Errorf("%s:\ngot  %s\nwant %s", row.place, s, row.want)
	}
}
