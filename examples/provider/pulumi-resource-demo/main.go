// Command pulumi-resource-demo is the plugin: an engine starts it, reads the port
// that it prints, and calls. Started by hand it serves until it is interrupted;
// engines attach to it by PULUMI_DEBUG_PROVIDERS=demo:PORT.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/propalg/propalg/examples/provider/demo"
	"github.com/propalg/propalg/interop/grpc"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	p, err := demo.New(os.LookupEnv)
	if err == nil {
		err = grpc.Serve(ctx, p, grpc.ServeOptions{
			Engine: grpc.EngineAddress(os.Args),
			Server: grpc.ServerOptions{Panicked: func(method, stack string) { fmt.Fprintln(os.Stderr, method, "panicked:\n"+stack) }},
		})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "pulumi-resource-demo:", err)
		os.Exit(1) //nolint:forbidigo,gocritic // main may, and stop has nothing left to do
	}
}
