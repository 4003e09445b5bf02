package main

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/value"
)

// Everything that is wrong is found at once, and an unknown is not.
func TestCheck(t *testing.T) {
	inputs := value.Object(value.Field("pth", value.String("x")), value.Field("path", value.Unknown()), value.Field("text", value.Number(1)))
	got, err := files{}.Check(t.Context(), &rpc.CheckRequest{News: inputs})
	want := []rpc.CheckFailure{
		{Property: "pth", Reason: "expected the name of a field, such as path"},
		{Property: "text", Reason: "expected string, found number"},
	}
	if err != nil || !got.Inputs.Identical(inputs) {
		t.Error(err)
	}
	// Failures come in the order of the inputs.
	if !slices.EqualFunc(got.Failures, want, func(f, g rpc.CheckFailure) bool { return f.Property == g.Property && f.Reason == g.Reason }) {
		t.Errorf("%+v", got.Failures)
	}
}

// What the provider answers to Diff keeps the contract with the engine.
func TestDiff(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fuzz.Provider{Diff: func(r *rpc.DiffRequest) (*rpc.DiffResponse, error) { return files{}.Diff(context.Background(), r) }}.Law(t)
	})
}
