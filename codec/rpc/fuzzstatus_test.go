package rpc_test

import (
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/value"
)

// FuzzViolations: whatever both sides of a call sent, the contract has something
// printable to say of it, no unknown, secret or reference where there is none, and no
// secret in what it says.
func FuzzViolations(f *testing.F) {
	all := samples()
	for i, m := range all {
		data, _ := rpc.Append(nil, m, rpc.Options{})
		next, _ := rpc.Append(nil, all[(i+1)%len(all)], rpc.Options{})
		f.Add(which(m), data, which(all[(i+1)%len(all)]), next)
		f.Add(which(m), data, which(m), data)
	}
	f.Fuzz(func(t *testing.T, first uint8, data []byte, second uint8, more []byte) {
		request, response := chosen(first), chosen(second)
		if rpc.Decode(data, request, rpc.Options{}) != nil || rpc.Decode(more, response, rpc.Options{}) != nil {
			t.Skip("no messages")
		}
		for _, v := range check.Violations(request, response) {
			line := v.String()
			if v.In == "" || v.Code == "" || v.Advice == "" || v.Severity.String() == "invalid severity" || strings.ContainsAny(line, "\n\x1b") {
				t.Fatalf("%x, %x: %#v: %q", data, more, v, line)
			}
		}
		for _, v := range check.Violations(plain(t, request), plain(t, response)) {
			switch v.Code {
			case "unknown", "secret", "resource-reference", "secret-lost", "secret-shown":
				t.Fatalf("%x, %x: %v, of plain values", data, more, v)
			}
		}
	})
}

// plain is a message with all its properties gone.
func plain(t *testing.T, m rpc.Message) rpc.Message {
	t.Helper()
	switch m := m.(type) {
	case *rpc.CheckRequest:
		return &rpc.CheckRequest{URN: m.URN, Olds: stripped(m.Olds), News: stripped(m.News)}
	case *rpc.UpdateRequest:
		return &rpc.UpdateRequest{ID: m.ID, Olds: stripped(m.Olds), News: stripped(m.News), OldInputs: stripped(m.OldInputs)}
	case *rpc.InvokeRequest:
		return &rpc.InvokeRequest{Args: stripped(m.Args)}
	case *rpc.CheckResponse:
		return &rpc.CheckResponse{Inputs: stripped(m.Inputs)}
	case *rpc.UpdateResponse:
		return &rpc.UpdateResponse{Properties: stripped(m.Properties)}
	case *rpc.InvokeResponse:
		return &rpc.InvokeResponse{Return: stripped(m.Return)}
	default:
		return rpc.New(rpc.Name(m))
	}
}

// stripped is a value without unknowns, secrets and references.
func stripped(v value.Value) value.Value {
	if v.ContainsUnknown() || v.ContainsSecret() {
		return value.Object()
	}
	for c := range v.Walk() {
		if c.Value().Kind() == value.KindResourceReference {
			return value.Object()
		}
	}
	return v
}
