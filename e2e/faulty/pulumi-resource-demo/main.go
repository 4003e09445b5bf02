// Command pulumi-resource-demo is the plugin of package faulty.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/propalg/propalg/e2e/faulty"
	"github.com/propalg/propalg/interop/grpc"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	p, err := faulty.New(os.LookupEnv)
	if err == nil {
		err = grpc.Serve(ctx, p, grpc.ServeOptions{Engine: grpc.EngineAddress(os.Args)})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "pulumi-resource-demo:", err)
		os.Exit(1) //nolint:forbidigo,gocritic // main may, and stop has nothing left to do
	}
}
