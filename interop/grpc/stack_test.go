package grpc_test

import (
	"context"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/interop/grpc"
)

//go:noinline
func charge(card uint64, pin []byte) { panic(string(pin[:card&1])) }

// TestPanickedStackHasNoArguments: the words of a function's arguments are what it was
// sent, so a stack names functions and lines only.
func TestPanickedStackHasNoArguments(t *testing.T) {
	const card = 0x4111_1111_1111_1111
	stacks := make(chan string, 1)
	plugin := served(t, &fake{create: func(context.Context, *rpc.CreateRequest) (*rpc.CreateResponse, error) {
		charge(card, []byte(canary))
		return nil, nil
	}}, grpc.ServeOptions{Server: grpc.ServerOptions{Panicked: func(_, stack string) { stacks <- stack }}})
	if _, err := plugin.Create(t.Context(), &rpc.CreateRequest{}); err == nil {
		t.Error("no error")
	}
	stack := <-stacks
	if !strings.Contains(stack, "grpc_test.charge\n\t") || !strings.Contains(stack, "stack_test.go:13\n") {
		t.Errorf("it does not say where:\n%s", stack)
	}
	if strings.Contains(stack, "4111") || strings.Contains(stack, "0x") {
		t.Errorf("it has arguments:\n%s", stack)
	}
}
