package check_test

import (
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/value"
)

// TestViolations: each rule broken, and kept by what comes close.
func TestViolations(t *testing.T) {
	unknown, secret := one("a", value.Array(value.Unknown())), one("s", value.Secret(one("k", value.Unknown())))
	reference := one("r", value.ResourceReference{URN: "u", ID: value.UnknownID()}.Value())
	known := one("id", value.String("i"))
	for _, row := range []violating{
		{here(), &rpc.CheckRequest{Olds: unknown, News: unknown}, &rpc.CheckResponse{Inputs: unknown}, "breach: CheckRequest.olds: a[0]: unknown: not allowed in old values"},
		{here(), &rpc.CheckRequest{News: known}, &rpc.CheckResponse{Inputs: unknown}, "breach: CheckResponse.inputs: a[0]: unknown: not allowed if the request had none; note: CheckResponse.inputs: id: input dropped: Check returns what the program sent"},
		{here(), &rpc.CheckRequest{News: reference}, &rpc.CheckResponse{Inputs: unknown}, "breach: CheckResponse.inputs: a[0]: unknown: not allowed if the request had none; note: CheckResponse.inputs: r: input dropped: Check returns what the program sent"},
		{here(), &rpc.CheckRequest{News: unknown}, &rpc.CheckResponse{Inputs: unknown}, ""},
		{here(), &rpc.DiffRequest{Olds: unknown, OldInputs: secret, News: unknown}, nil, "breach: DiffRequest.olds: a[0]: unknown: not allowed in old values; breach: DiffRequest.old_inputs: s[secret]: unknown: not allowed in old values"},
		{here(), &rpc.DiffRequest{Olds: reference}, &rpc.DiffResponse{}, ""},
		{here(), &rpc.CreateRequest{Properties: unknown}, &rpc.CreateResponse{ID: "i", Properties: unknown}, "breach: CreateRequest.properties: a[0]: unknown: not allowed outside preview; breach: CreateResponse.properties: a[0]: unknown: not allowed outside preview"},
		{here(), &rpc.CreateRequest{Properties: unknown, Preview: true}, &rpc.CreateResponse{Properties: unknown}, ""},
		{here(), &rpc.ReadRequest{Properties: unknown, Inputs: unknown}, nil, "breach: ReadRequest.properties: a[0]: unknown: not allowed in old values; breach: ReadRequest.inputs: a[0]: unknown: not allowed in old values"},
		{here(), &rpc.UpdateRequest{ID: "i", News: unknown}, &rpc.UpdateResponse{Properties: known}, "breach: UpdateRequest.news: a[0]: unknown: not allowed outside preview"},
		{here(), &rpc.UpdateRequest{ID: "j", News: unknown, Preview: true}, &rpc.UpdateResponse{Properties: known}, "breach: UpdateResponse.properties: id: ID changed: an update keeps the ID"},
		{here(), &rpc.UpdateRequest{}, &rpc.UpdateResponse{Properties: unknown}, "breach: UpdateResponse.properties: a[0]: unknown: not allowed outside preview"},
		{here(), &rpc.DeleteRequest{Properties: unknown}, &rpc.Empty{}, "breach: DeleteRequest.properties: a[0]: unknown: not allowed in old values"},
		{here(), &rpc.InvokeRequest{Args: secret}, &rpc.InvokeResponse{Return: reference}, "note: InvokeRequest.args: s: secret: the guide forbids it; breach: InvokeRequest.args: s[secret]: unknown: not allowed outside preview; note: InvokeResponse.return: r: resource reference: the guide forbids it"},
		{here(), &rpc.InvokeRequest{Args: unknown, Preview: true}, &rpc.InvokeResponse{Return: unknown}, "breach: InvokeResponse.return: a[0]: unknown: not allowed in results"},
		{here(), &rpc.CallRequest{Args: unknown}, &rpc.CallResponse{Return: secret}, ""},
		{here(), nil, &rpc.InvokeResponse{Return: unknown}, "breach: InvokeResponse.return: a[0]: unknown: not allowed in results"},
		{here(), (*rpc.CreateRequest)(nil), (*rpc.InvokeResponse)(nil), ""},
		{here(), nil, nil, ""},

		// Old views are old inputs and old state.
		{here(), &rpc.ReadRequest{OldViews: []rpc.View{{}, {Inputs: unknown, Outputs: unknown}}}, nil, "breach: ReadRequest.old_views[1].inputs: a[0]: unknown: not allowed in old values; breach: ReadRequest.old_views[1].outputs: a[0]: unknown: not allowed in old values"},
		{here(), &rpc.UpdateRequest{OldViews: []rpc.View{{Inputs: secret}}}, nil, "breach: UpdateRequest.old_views[0].inputs: s[secret]: unknown: not allowed in old values"},
		{here(), &rpc.DeleteRequest{OldViews: []rpc.View{{Outputs: unknown}}, OldInputs: unknown}, nil, "breach: DeleteRequest.old_inputs: a[0]: unknown: not allowed in old values; breach: DeleteRequest.old_views[0].outputs: a[0]: unknown: not allowed in old values"},
		{here(), &rpc.UpdateRequest{Olds: unknown, OldInputs: unknown, Preview: true}, nil, "breach: UpdateRequest.olds: a[0]: unknown: not allowed in old values; breach: UpdateRequest.old_inputs: a[0]: unknown: not allowed in old values"},
		// Functions: in preview secrets and references stay notes; results hold no unknown then either.
		{here(), &rpc.InvokeRequest{Args: secret, Preview: true}, &rpc.InvokeResponse{Return: secret}, "note: InvokeRequest.args: s: secret: the guide forbids it; note: InvokeResponse.return: s: secret: the guide forbids it; breach: InvokeResponse.return: s[secret]: unknown: not allowed in results"},
		{here(), &rpc.ResourceInvokeRequest{Args: unknown}, &rpc.ResourceInvokeResponse{Return: unknown}, "breach: ResourceInvokeResponse.return: a[0]: unknown: not allowed in results"},
		{here(), &rpc.ResourceInvokeRequest{Args: reference}, &rpc.ResourceInvokeResponse{Return: known}, "note: ResourceInvokeRequest.args: r: resource reference: the guide forbids it"},
		// Methods may carry anything, and so may components.
		{here(), &rpc.CallRequest{Args: secret}, &rpc.CallResponse{Return: unknown}, ""},
		{here(), &rpc.ConstructRequest{Inputs: secret}, &rpc.ConstructResponse{State: unknown}, ""},
		// What failed half way was returned too.
		{here(), &rpc.CreateRequest{}, &rpc.ErrorResourceInitFailed{ID: "i", Properties: unknown, Inputs: unknown}, "breach: ErrorResourceInitFailed.properties: a[0]: unknown: not allowed outside preview; breach: ErrorResourceInitFailed.inputs: a[0]: unknown: not allowed outside preview"},
		{here(), &rpc.UpdateRequest{ID: "i"}, &rpc.ErrorResourceInitFailed{ID: "j"}, "breach: ErrorResourceInitFailed.id: ID changed: an update keeps the ID"},
		{here(), &rpc.UpdateRequest{ID: "i"}, &rpc.ErrorResourceInitFailed{ID: "i", Properties: known}, ""},
		// Check may return unknowns if it got some, wherever; it got none if there was but the ID of a reference.
		{here(), &rpc.CheckRequest{News: reference, Olds: known}, &rpc.CheckResponse{Inputs: secret}, "breach: CheckResponse.inputs: s[secret]: unknown: not allowed if the request had none; note: CheckResponse.inputs: r: input dropped: Check returns what the program sent"},
		{here(), &rpc.CheckRequest{News: secret}, &rpc.CheckResponse{Inputs: unknown}, "note: CheckResponse.inputs: s: input dropped: Check returns what the program sent"},
		{here(), &rpc.CheckRequest{}, &rpc.CheckResponse{Inputs: reference}, ""},
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
		got = append(got, v.String())
	}
	if s := strings.Join(got, "; "); s != row.want {
		t.Errorf("%s:\ngot  %s\nwant %s", row.place, s, row.want)
	}
}
