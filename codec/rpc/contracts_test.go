package rpc_test

import (
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/value"
)

// TestViolations: each rule broken, and kept by what comes close.
func TestViolations(t *testing.T) {
	unknown, secret := one("a", value.Array(value.Unknown())), one("s", value.Secret(one("k", value.Unknown())))
	reference := one("r", value.ResourceReference{URN: "u", ID: value.UnknownID()}.Value())
	known := one("id", value.String("i"))
	for _, row := range []struct {
		place
		request, response rpc.Message
		want              string
	}{
		{here(), &rpc.CheckRequest{Olds: unknown, News: unknown}, &rpc.CheckResponse{Inputs: unknown}, "breach: CheckRequest.olds: a[0]: unknown: none in what is old"},
		{here(), &rpc.CheckRequest{News: known}, &rpc.CheckResponse{Inputs: unknown}, "breach: CheckResponse.inputs: a[0]: unknown: none when the request had none"},
		{here(), &rpc.CheckRequest{News: reference}, &rpc.CheckResponse{Inputs: unknown}, "breach: CheckResponse.inputs: a[0]: unknown: none when the request had none"},
		{here(), &rpc.CheckRequest{News: unknown}, &rpc.CheckResponse{Inputs: unknown}, ""},
		{here(), &rpc.DiffRequest{Olds: unknown, OldInputs: secret, News: unknown}, nil, "breach: DiffRequest.olds: a[0]: unknown: none in what is old; breach: DiffRequest.old_inputs: s[secret]: unknown: none in what is old"},
		{here(), &rpc.DiffRequest{Olds: reference}, &rpc.DiffResponse{}, ""},
		{here(), &rpc.CreateRequest{Properties: unknown}, &rpc.CreateResponse{Properties: unknown}, "breach: CreateRequest.properties: a[0]: unknown: none outside preview; breach: CreateResponse.properties: a[0]: unknown: none outside preview"},
		{here(), &rpc.CreateRequest{Properties: unknown, Preview: true}, &rpc.CreateResponse{Properties: unknown}, ""},
		{here(), &rpc.ReadRequest{Properties: unknown, Inputs: unknown}, nil, "breach: ReadRequest.properties: a[0]: unknown: none in what is old; breach: ReadRequest.inputs: a[0]: unknown: none in what is old"},
		{here(), &rpc.UpdateRequest{ID: "i", News: unknown}, &rpc.UpdateResponse{Properties: known}, "breach: UpdateRequest.news: a[0]: unknown: none outside preview"},
		{here(), &rpc.UpdateRequest{ID: "j", News: unknown, Preview: true}, &rpc.UpdateResponse{Properties: known}, "breach: UpdateResponse.properties: id: ID changed: an update keeps it"},
		{here(), &rpc.UpdateRequest{}, &rpc.UpdateResponse{Properties: unknown}, "breach: UpdateResponse.properties: a[0]: unknown: none outside preview"},
		{here(), &rpc.DeleteRequest{Properties: unknown}, &rpc.Empty{}, "breach: DeleteRequest.properties: a[0]: unknown: none in what is old"},
		{here(), &rpc.InvokeRequest{Args: secret}, &rpc.InvokeResponse{Return: reference}, "breach: InvokeRequest.args: s[secret]: unknown: none outside preview; note: InvokeRequest.args: s: secret: the guide forbids it; note: InvokeResponse.return: r: resource reference: the guide forbids it"},
		{here(), &rpc.InvokeRequest{Args: unknown, Preview: true}, &rpc.InvokeResponse{Return: unknown}, "breach: InvokeResponse.return: a[0]: unknown: none in results"},
		{here(), &rpc.CallRequest{Args: unknown}, &rpc.CallResponse{Return: secret}, ""},
		{here(), nil, &rpc.InvokeResponse{Return: unknown}, "breach: InvokeResponse.return: a[0]: unknown: none in results"},
		{here(), (*rpc.CreateRequest)(nil), (*rpc.InvokeResponse)(nil), ""},
		{here(), nil, nil, ""},
	} {
		var got []string
		for _, v := range rpc.Violations(row.request, row.response) {
			got = append(got, v.String())
		}
		if s := strings.Join(got, "; "); s != row.want {
			t.Errorf("%s:\ngot  %s\nwant %s", row.place, s, row.want)
		}
	}
}
